"""The Swiss system: in each round everybody meets somebody who has done about as well.

How a round is drawn is in `dutch`, what the table is made of in `scoreboard`. Who has no opponent, because
they are an odd number, gets the points of a match won.
"""

from collections.abc import Sequence

from gyoji.pairing.dutch import Card, pair
from gyoji.pairing.matches import Fixture, Terms
from gyoji.pairing.rounds import Played
from gyoji.pairing.scoreboard import Place, Scoreboard, TableSettings


class Swiss:
    """The system of a Swiss tournament: see `gyoji.pairing.rounds.System`."""

    waits = True

    def __init__(
        self, players: Sequence[str], settings: TableSettings, *, rounds: int, seed: int = 0
    ) -> None:
        """seed: for lots."""
        self.players = tuple(players)
        self.terms = Terms(games=settings.games_per_match, decided_by=settings.decided_by)
        self.sizes: Sequence[int] = (len(players) // 2,) * rounds
        self.tie_breaks = settings.tie_breaks
        self._settings = settings
        self._seed = seed

    def draw(self, played: Played) -> list[Fixture]:
        """The next round."""
        note = f"round {len(played) + 1}"
        return [Fixture(*seats, note) for seats in pair(self.cards(played)).pairs]

    def cards(self, played: Played) -> list[Card]:
        """A card for each player, of the rounds that are over."""
        lines = self._board(played).lines
        cards = {player: Card(player=player) for player in self.players}
        for number, matches in enumerate(played):
            points = {player: card.points for player, card in cards.items()}
            firsts = {match.fixture.first for match in matches}
            for player, card in cards.items():
                line = lines[player][number]
                card.has_sunk = not line.opponent or points[line.opponent] < points[player]
                card.points += line.points
                if line.opponent:
                    card.met[line.opponent] += 1
                    card.firsts.append(player in firsts)
                else:
                    card.byes += 1
        return list(cards.values())

    def byes(self, played: Played) -> list[str]:
        """Who has no opponent in each of the rounds that have begun, "" for nobody."""
        lines = self._board(played).lines
        return [
            next((player for player in self.players if not lines[player][number].opponent), "")
            for number in range(len(played))
        ]

    def standings(self, played: Played) -> list[Place]:
        """The table."""
        return self._board(played).table(self.tie_breaks)

    def ranking(self, played: Played) -> list[str]:
        """The players from first to last."""
        return [place.player for place in self.standings(played)]

    def _board(self, played: Played) -> Scoreboard:
        return Scoreboard(self.players, played, self._settings, bye=1, seed=self._seed)
