"""The results of a field, counted by pairs of players: the input of ratings, 8 bytes a game.

A game has a first and a second player, by side (Go: Black and White). Its result is the half points of the
first player: 0, 1 or 2. A game whose sides are unknown gives no information on the advantage of the first
side. A game may have a weight other than one.

The module also finds which players can be compared, and whether the advantage of a side can be estimated.
"""

from array import array
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

LOW_FIRST, HIGH_FIRST, UNSIDED = 0, 3, 6
# The kind of a game is one of these plus half points. LOW_FIRST: the player with the lower number was first;
# HIGH_FIRST: the other one was. Both are followed by the half points of the first player. UNSIDED: sides are
# unknown, and the half points are those of the player with the lower number.
KINDS = 9
"""Number of kinds of games: who had the first side (or unknown), times the result."""

_HIGH, _LOW = 4, 32
"""The bit positions of the two players' numbers in the code of a meeting. The lowest bits are its kind."""


class Meetings(NamedTuple):
    """All games of a field of players, each encoded as one integer.

    Attributes:
        players: The players by number.
        codes: The integer of each game, in no order; see `meeting_of`.
        weights: A weight for each game, empty if all are 1.
    """

    players: Sequence[str]
    codes: "array[int]"
    weights: "array[float]"


def meeting_of(code: Any) -> tuple[Any, Any, Any]:
    """Decode a game's integer into the lower player number, the higher player number, and the kind.

    The kind is a number below `KINDS` that says who had the first side and how the game ended. A numpy array
    of integers gives three arrays.

    >>> meeting_of(7 << _LOW | 12 << _HIGH | UNSIDED)
    (7, 12, 6)
    """
    return code >> _LOW, code >> _HIGH & (1 << _LOW - _HIGH) - 1, code & (1 << _HIGH) - 1


class Ledger:
    """Collects games for ratings, in 8 bytes each, and 8 more for a weight if any weight is not 1."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._codes = array("q")
        self._weights = array("d")  # of the first games; the others have weight 1

    def add(
        self, first: str, second: str, half_points: int, *, sided: bool = True, weight: float = 1
    ) -> None:
        """Count a game of two players.

        Args:
            first: The player with the first side.
            second: The opponent.
            half_points: The half points of `first`: 0, 1 or 2.
            sided: Whether the sides are known. If not, `first` is either of the two players.
            weight: The game counts as this number of games.

        Raises:
            ValueError: A player plays itself, which gives no information on its strength.
        """
        if first == second:
            raise ValueError(f"a game of {first!r} against itself says nothing")
        numbers = self._numbers
        one = numbers.setdefault(first, len(numbers))
        two = numbers.setdefault(second, len(numbers))
        kind = half_points + (LOW_FIRST if one < two else HIGH_FIRST)
        if not sided:
            kind = UNSIDED + (half_points if one < two else 2 - half_points)
        if weight != 1:
            self._weights.extend([1] * (len(self._codes) - len(self._weights)))
            self._weights.append(weight)
        self._codes.append(min(one, two) << _LOW | max(one, two) << _HIGH | kind)

    def meetings(self) -> Meetings:
        """Return everything counted so far."""
        weights = self._weights[:]
        if weights:
            weights.extend([1] * (len(self._codes) - len(weights)))
        return Meetings(tuple(self._numbers), self._codes, weights)


def groups(players: int, met: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Divide the players 0 .. players - 1 into groups connected by games, the largest group first.

    Args:
        players: The number of players.
        met: The numbers of two players that have met, for each such pair.

    >>> groups(5, [(0, 3), (3, 1), (4, 2)])
    [[0, 1, 3], [2, 4]]
    """
    leaders = list(range(players))

    def leader(player: int) -> int:
        while leaders[player] != player:
            leaders[player] = player = leaders[leaders[player]]
        return player

    apart = players - 1  # number of groups minus one
    for one, two in met:
        first, second = leader(one), leader(two)
        if first != second:
            leaders[first] = second
            apart -= 1
            if not apart:
                break
    found: dict[int, list[int]] = {}
    for player in range(players):
        found.setdefault(leader(player), []).append(player)
    return sorted(found.values(), key=len, reverse=True)


# They cannot if there are ratings by which the first player is stronger by the same amount in every game:
# such a difference of ratings cannot be distinguished from an advantage. So each player gets a level, one
# higher than that of the players against whom it was first, until a player would need two levels. Union-find
# keeps the levels relative to a leader.
def tells_sides(players: int, games: Iterable[tuple[int, int]]) -> bool:
    """Return whether the advantage of the first side can be distinguished from the players' strength.

    Args:
        players: The number of players.
        games: The numbers of each game's players, the first player first.

    >>> tells_sides(2, [(0, 1)]), tells_sides(2, [(0, 1), (1, 0)])
    (False, True)
    >>> tells_sides(3, [(0, 1), (1, 2), (2, 0)])
    True
    """
    leaders, above = list(range(players)), [0] * players  # a player's level minus that of its leader

    def leader(player: int) -> tuple[int, int]:
        """Return the root of a player's tree in the union-find, and the player's level above the root."""
        passed, height = [], 0
        while leaders[player] != player:
            passed.append(player)
            height += above[player]
            player = leaders[player]
        rest = height
        for each in passed:
            rest, above[each], leaders[each] = rest - above[each], rest, player
        return player, height

    for first, second in games:
        (one, high), (other, low) = leader(first), leader(second)
        if one == other:
            if high != low + 1:
                return True
        else:
            leaders[one], above[one] = other, low + 1 - high
    return False
