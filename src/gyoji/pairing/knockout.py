"""The knockout: who loses a match is out.

The bracket has room for a power of two, 1 meets the last seed, and 1 and 2 can meet in the final only. Where
seeds are lacking, the best have no match in the first round. A match that is drawn after all its extra games
goes to the higher seed.
"""

from collections.abc import Sequence

from gyoji.pairing.matches import Fixture, Match, Terms
from gyoji.pairing.rounds import Played

_NAMES = {2: "final", 4: "semifinal", 8: "quarterfinal"}
THIRD_PLACE = "third place"


def places(size: int) -> list[int]:
    """The seeds, from 0, in the order in which a bracket of that size has them.

    >>> places(8)
    [0, 7, 3, 4, 1, 6, 2, 5]
    """
    seeds = [0]
    while len(seeds) < size:
        last = 2 * len(seeds) - 1
        seeds = [seed for higher in seeds for seed in (higher, last - higher)]
    return seeds


class Knockout:
    """The system of a knockout: see `gyoji.pairing.rounds.System`.

    has_third_place: the losers of the semifinals meet too.
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
        """The winners of the round before meet, neighbours in the bracket."""
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
        """By how far they came, then by the match for the third place, then by seed."""
        reached = {
            player: number
            for number, column in enumerate(self.bracket(played))
            for player in column
            if player
        }
        third = {
            self.winner(match) for round_ in played for match in round_ if match.fixture.note == THIRD_PLACE
        }
        return sorted(self.players, key=lambda player: (-reached[player], player not in third))

    def round_name(self, number: int) -> str:
        """The name of a round, by the number of places in it."""
        left = self._size >> number
        return _NAMES.get(left, f"last {left}")

    def bracket(self, played: Played) -> list[list[str | None]]:
        """Who has which place in each round, as far as is known; the last list is the winner's."""
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
        """The player who goes on; None while the match is not over."""
        if not match.is_over:
            return None
        if match.winner is None:
            return min(match.players, key=self._seeds.__getitem__)
        return match.players[match.winner]

    def loser(self, match: Match) -> str:
        """The player who does not go on, of a match that is over."""
        first, second = match.players
        return second if self.winner(match) == first else first


def _pairs(column: Sequence[str | None]) -> list[tuple[str | None, str | None]]:
    return list(zip(column[::2], column[1::2], strict=True))


def _fixture(upper: str, lower: str, parity: int, note: str) -> Fixture:
    """A match of two in the bracket. In half of the matches the lower one has the first seat first."""
    return Fixture(lower, upper, note) if parity % 2 else Fixture(upper, lower, note)
