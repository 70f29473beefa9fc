"""The round robin by stages: in each stage everybody meets another opponent, until everybody has met all
others.

All but one of the players stand in a circle. In each stage the next of them meets the one that stands apart,
and those who are at the same distance to its left and to its right meet each other (Kirkman's schedule of
1847). Nothing depends on results, so no stage waits for another. All matches of a stage have the same
openings.
"""

from collections.abc import Iterator, Sequence

from gyoji.pairing.matches import Fixture, Terms
from gyoji.pairing.rounds import Played
from gyoji.pairing.scoreboard import Place, Scoreboard, TableSettings


class Stages:
    """The system of a round robin by stages: see `gyoji.pairing.rounds.System`."""

    waits = False

    def __init__(
        self,
        players: Sequence[str],
        settings: TableSettings,
        *,
        rounds: int | None = None,
        filler: str = "",
        seed: int = 0,
    ) -> None:
        """rounds: how many stages; None: until everybody has met all others once.

        filler: who is the last opponent if the others are an odd number, and has no place in the table; ""
        for nobody: then somebody has no match in each stage. seed: for lots.
        """
        is_odd = len(players) % 2
        self._ranked = tuple(players)
        self._circle = (*players, filler) if is_odd else self._ranked
        self.tie_breaks = settings.tie_breaks
        self._settings = settings
        self._seed = seed
        self.players = tuple(player for player in self._circle if player)
        self.terms = Terms(games=settings.games_per_match, decided_by=settings.decided_by)
        count = len(self._circle) - 1 if rounds is None else rounds
        self.sizes: Sequence[int] = (len(self.players) // 2,) * count

    def draw(self, played: Played) -> list[Fixture]:
        """The next stage."""
        note = f"stage {len(played) + 1}"
        return [Fixture(*pair, note) for pair in self._pairs(len(played)) if "" not in pair]

    def _pairs(self, stage: int) -> Iterator[tuple[str, str]]:
        """Who meets whom, whoever has the first seat first before the other.

        Everybody has it about as often as not, and in turn; if all meet again, the other way round.
        """
        *ring, apart = self._circle
        turn, place = divmod(stage, len(ring))
        for distance in range(len(self._circle) // 2):
            right, left = ring[(place + distance) % len(ring)], ring[place - distance]
            if distance == 0:
                left, is_first = apart, place % 2
            else:
                is_first = distance % 2
            yield (right, left) if is_first != turn % 2 else (left, right)

    def standings(self, played: Played) -> list[Place]:
        """The table, without the filler."""
        board = Scoreboard(self._ranked, played, self._settings, seed=self._seed)
        return board.table(self.tie_breaks)

    def ranking(self, played: Played) -> list[str]:
        """The players from first to last."""
        return [place.player for place in self.standings(played)]
