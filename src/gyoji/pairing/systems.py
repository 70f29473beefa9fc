"""Systems of rounds: the round robin by stages, the knockout and the ladder.

Each is a `gyoji.pairing.rounds.System`, like the Swiss system in `swiss`. In a round robin by stages each
player meets a new opponent in each stage until all have met. It depends on no results, so no stage waits for
another. In a knockout the loser of a match is out. On a ladder a challenger meets the player above it and
takes its place if it wins.
"""

from collections.abc import Iterator, Sequence

from gyoji.results.matches import Fixture, Match, MatchSettings, Played, Terms
from gyoji.results.scoreboard import Place, Scoreboard, TableSettings


# The circle method (Kirkman 1847): all players but one stand in a circle. In each stage the next player of
# the circle meets the one outside, and players at equal distances to its left and right meet each other.
class Stages:
    """The round robin by stages: in each stage every player meets a new opponent, until all have met.

    Then the stages begin again with swapped seats. All matches of a stage have the same openings.
    """

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
        """Prepare the stages.

        Args:
            players: The players, the first seed first.
            settings: How matches are played, and how players are ranked.
            rounds: The number of stages; None for as many as let each pair meet once.
            filler: A further player for an odd number of players, who takes part without being ranked. With
                "" one player pauses in each stage.
            seed: The seed for ties that are broken by lot.
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
        """Return the matches of the next stage."""
        note = f"stage {len(played) + 1}"
        return [Fixture(*pair, note) for pair in self._pairs(len(played)) if "" not in pair]

    def _pairs(self, stage: int) -> Iterator[tuple[str, str]]:
        """Yield the pairs of a stage. The first player has the first seat in the match's first game.

        A player has the first seat in about every second stage. When all pairs meet again, seats are swapped.
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
        """Return the places of all players, the first place first. The filler of an odd field has none."""
        board = Scoreboard(self._ranked, played, self._settings, seed=self._seed)
        return board.table(self.tie_breaks)

    def ranking(self, played: Played) -> list[str]:
        """Return the players from first to last."""
        return [place.player for place in self.standings(played)]


_NAMES = {2: "final", 4: "semifinal", 8: "quarterfinal"}
THIRD_PLACE = "third place"


def places(size: int) -> list[int]:
    """Return the seeds, from 0, in the order of their places in a bracket for `size` players, a power of two.

    >>> places(8)
    [0, 7, 3, 4, 1, 6, 2, 5]
    """
    seeds = [0]
    while len(seeds) < size:
        last = 2 * len(seeds) - 1
        seeds = [seed for higher in seeds for seed in (higher, last - higher)]
    return seeds


class Knockout:
    """The knockout: the loser of a match is out.

    The number of places in the bracket is a power of two. Seed 1 meets the last seed, and seeds 1 and 2 can
    meet only in the final. If there are fewer players than places, the best have no match in the first round.
    If a match is still drawn after all its extra games, the higher seed goes on.
    """

    waits = True

    def __init__(self, players: Sequence[str], terms: Terms, *, has_third_place: bool) -> None:
        self.players = tuple(players)
        self.terms = terms
        self._size = 1 << (len(players) - 1).bit_length()
        rounds = self._size.bit_length() - 1
        sizes = [self._size >> number for number in range(1, rounds + 1)]
        sizes[0] -= self._size - len(players)
        self._has_third_place = has_third_place and sizes[-2:-1] == [2]
        sizes[-1] += self._has_third_place
        self.sizes: Sequence[int] = tuple(sizes)
        self._seeds = {player: seed for seed, player in enumerate(players)}

    def draw(self, played: Played) -> list[Fixture]:
        """Return the matches of the next round: neighbours in the bracket meet.

        If there is a match for third place, it is in the last round.
        """
        number = len(played)
        fixtures = [
            _fixture(upper, lower, number + index, self.round_name(number))
            for index, (upper, lower) in enumerate(_pairs(self.bracket(played)[number]))
            if upper is not None and lower is not None
        ]
        if self._has_third_place and number == len(self.sizes) - 1:
            losers = [self.loser(match) for match in played[-1]]
            fixtures.append(_fixture(losers[0], losers[1], number + 1, THIRD_PLACE))
        return fixtures

    def ranking(self, played: Played) -> list[str]:
        """Return the players by the last round that they reached, then by the match for third place, then by
        seed.

        While a round is played, its players that are not out come first, ordered by their points in the
        current match, or by margins if these decide.
        """
        reached = {
            player: number
            for number, column in enumerate(self.bracket(played))
            for player in column
            if player
        }
        third = {
            self.winner(match) for round_ in played for match in round_ if match.fixture.note == THIRD_PLACE
        }
        matches = [match for round_ in played for match in round_]
        out = {self.loser(match) for match in matches if match.is_over}
        points = {
            player: taken
            for match in matches
            if not match.is_over and match.fixture.note != THIRD_PLACE
            for player, taken in zip(match.players, self._taken(match), strict=True)
        }
        return sorted(
            self.players,
            key=lambda player: (-reached[player], player not in third, player in out, -points.get(player, 0)),
        )

    def _taken(self, match: Match) -> tuple[float, float]:
        """Return each player's points in a match so far, or the sums of margins if margins decide matches."""
        return match.points if self.terms.decided_by == "games" else (match.margin, -match.margin)

    def round_name(self, number: int) -> str:
        """Return the name of a round by its number from 0, such as "semifinal" or "last 16"."""
        left = self._size >> number
        return _NAMES.get(left, f"last {left}")

    def bracket(self, played: Played) -> list[list[str | None]]:
        """Return the players of each round in the order of their places in the bracket.

        The first list is round 0, and the last list has only the winner. None stands for a player that is not
        known yet. In round 0 it also stands for the empty place beside a player without a match.
        """
        column: list[str | None] = [
            self.players[seed] if seed < len(self.players) else None for seed in places(self._size)
        ]
        columns = [column]
        for number in range(len(self.sizes)):
            matches = played[number] if number < len(played) else ()
            winners: dict[frozenset[str | None], str | None] = {
                frozenset(match.players): self.winner(match) for match in matches
            }
            column = [
                upper if lower is None and number == 0 else winners.get(frozenset((upper, lower)))
                for upper, lower in _pairs(column)
            ]
            columns.append(column)
        return columns

    def winner(self, match: Match) -> str | None:
        """Return the winner of a match; None while it is not over. A drawn match goes to the higher seed."""
        if not match.is_over:
            return None
        if match.winner is None:
            return min(match.players, key=self._seeds.__getitem__)
        return match.players[match.winner]

    def loser(self, match: Match) -> str:
        """Return the loser of a match that is over. It is the lower seed of a drawn match."""
        first, second = match.players
        return second if self.winner(match) == first else first


def _pairs(column: Sequence[str | None]) -> list[tuple[str | None, str | None]]:
    return list(zip(column[::2], column[1::2], strict=True))


def _fixture(upper: str, lower: str, parity: int, note: str) -> Fixture:
    """Return a match of two players who are neighbours in the bracket.

    Args:
        upper: The player that is higher in the bracket. It has the first seat if `parity` is even.
        lower: The player that is lower in the bracket. It has the first seat if `parity` is odd.
        parity: A number, of which only the parity counts.
        note: Line for the records of the match's games.
    """
    return Fixture(lower, upper, note) if parity % 2 else Fixture(upper, lower, note)


_CHALLENGER = 0


# This is odd-even transposition sort: a player rises or falls by at most one place a round. If the stronger
# player always won, as many rounds as there are competitors would sort any order. Hence the default of
# `rounds`.
class Ladder:
    """The ladder: a challenger meets the player one place above. If the challenger wins, they change places.

    In each round every second place challenges: the second, the fourth and so on in the first round, the
    third, the fifth and so on in the next. With two players, the second challenges in each round. A drawn
    match changes nothing.
    """

    waits = True

    def __init__(self, players: Sequence[str], settings: MatchSettings, *, rounds: int | None) -> None:
        """Prepare the ladder.

        Args:
            players: The players from the top of the ladder.
            settings: How matches are played.
            rounds: The number of rounds, None for as many as there are players.
        """
        self.players = tuple(players)
        self.terms = Terms(games=settings.games_per_match, decided_by=settings.decided_by)
        count = len(players) if rounds is None else rounds
        self.sizes: Sequence[int] = tuple(
            (len(players) - (number % 2 if len(self.players) > 2 else 0)) // 2 for number in range(count)
        )

    def draw(self, played: Played) -> list[Fixture]:
        """Return the matches of the next round, the highest first. The challenger has the first seat."""
        places, note = self.ranking(played), f"round {len(played) + 1}"
        highest = len(played) % 2 if len(self.players) > 2 else 0
        pairs = zip(places[highest::2], places[highest + 1 :: 2], strict=False)
        return [Fixture(challenger, holder, note) for holder, challenger in pairs]

    def ranking(self, played: Played) -> list[str]:
        """Return the ladder from the top, after all challenges that are over."""
        places = list(self.players)
        for number, matches in enumerate(played):
            for index, match in enumerate(matches):
                if match.winner == _CHALLENGER:
                    upper = (number % 2 if len(self.players) > 2 else 0) + 2 * index
                    places[upper : upper + 2] = match.players
        return places
