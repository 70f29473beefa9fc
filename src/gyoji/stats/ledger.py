"""Results of a field, counted by who met whom: all that ratings need to know of a million games.

A game has a first and a second player, by side (Go: Black and White), and half points for the first: 0, 1
or 2. Two games of two players form a pair if they come under the same name and each player was first once:
they share an opening, and whatever chance lies in that. Each game counts all the same; pairs matter to the
bootstrap, which draws whole pairs. Where the sides of a game are not known, it says nothing about who moves
first. A game may count for more or for less than one, by its weight. At the end: which players can be
compared, and whether results tell the advantage of a side.
"""

from array import array
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

PAIRS = 9
SINGLE_LOW = PAIRS
SINGLE_HIGH = PAIRS + 3
SINGLE = PAIRS + 6
KINDS = PAIRS + 9
"""In how many ways two players can meet, with half points a and b for who was first: a pair of games is kind
3 * a + b, a in the game in which the player with the lower number was first, b in the other. A single game is
SINGLE_LOW + a or SINGLE_HIGH + b; without sides SINGLE and the half points of the lower one."""

BLOCKS = (slice(PAIRS), slice(SINGLE_LOW, SINGLE_HIGH), slice(SINGLE_HIGH, SINGLE), slice(SINGLE, KINDS))
"""The kinds of pairs, and those of each way to play a single game."""


_HIGH, _LOW = 5, 32
"""Bits to the right of the two players' numbers in the code of a meeting; the rightmost are its kind."""


class Meetings(NamedTuple):
    """Who met whom in which way. codes: a number for each meeting, in no order: see `meeting_of`.

    weights: one for each meeting, or none if all are 1.
    """

    players: Sequence[str]
    codes: "array[int]"
    weights: "array[float]"


def meeting_of(code: Any) -> tuple[Any, Any, Any]:
    """The players of a meeting by number, the lower first, and its kind; of numpy's array of codes, arrays.

    >>> meeting_of(7 << _LOW | 12 << _HIGH | SINGLE)
    (7, 12, 15)
    """
    return code >> _LOW, code >> _HIGH & (1 << _LOW - _HIGH) - 1, code & (1 << _HIGH) - 1


class _Game(NamedTuple):
    first: str
    second: str
    half_points: int
    weight: float


class Ledger:
    """The counts, in the making: eight bytes for each meeting, and as many for its weight if that matters."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._codes = array("q")
        self._weights = array("d")  # of the first of them; the others count once
        self._waiting: dict[str, _Game] = {}

    def add(
        self,
        first: str,
        second: str,
        half_points: int,
        *,
        pair: str = "",
        sided: bool = True,
        weight: float = 1,
    ) -> None:
        """Count a game of two players, with the half points of the first.

        pair    what it has in common with one other game, "" if nothing.
        sided   whether `first` is the side, or only who is named first.
        weight  for how many games it counts.

        Raises ValueError for a game of a player against itself, which says nothing.
        """
        if first == second:
            raise ValueError(f"a game of {first!r} against itself says nothing")
        if not sided:
            self._note(first, second, weight, SINGLE + half_points, SINGLE + 2 - half_points)
            return
        if not pair:
            self._note(first, second, weight, SINGLE_LOW + half_points, SINGLE_HIGH + half_points)
            return
        game = _Game(first, second, half_points, weight)
        if (other := self._waiting.pop(pair, None)) is None:
            self._waiting[pair] = game
        elif (other.first, other.second, other.weight) == (second, first, weight):
            one, two = half_points, other.half_points
            self._note(first, second, weight, 3 * one + two, 3 * two + one)
        else:
            self._note_single(game)
            self._note_single(other)

    def add_all(
        self, first: Sequence[str], second: Sequence[str], half_points: Iterable[int], *, sided: bool = True
    ) -> None:
        """Count games as `add` does, none in a pair, each of two players: a long list in little time."""
        numbers = self._numbers
        for player in dict.fromkeys(chain.from_iterable(zip(first, second, strict=True))):
            numbers.setdefault(player, len(numbers))
        low, high = (SINGLE_LOW, SINGLE_HIGH) if sided else (SINGLE, SINGLE)
        kinds = [(low + points, high + (points if sided else 2 - points)) for points in range(3)]
        self._codes.extend(
            [
                one << _LOW | two << _HIGH | kinds[points][0]
                if one < two
                else two << _LOW | one << _HIGH | kinds[points][1]
                for one, two, points in zip(
                    map(numbers.__getitem__, first),
                    map(numbers.__getitem__, second),
                    half_points,
                    strict=True,
                )
            ]
        )

    def meetings(self) -> Meetings:
        """All that has been counted; a game that still waits for the other of its pair is a single one."""
        if self._waiting:
            whole = Ledger()
            whole._numbers.update(self._numbers)
            whole._codes.extend(self._codes)
            whole._weights.extend(self._weights)
            for game in self._waiting.values():
                whole._note_single(game)
            return whole.meetings()
        weights = self._weights[:]
        if weights:
            weights.extend([1] * (len(self._codes) - len(weights)))
        return Meetings(tuple(self._numbers), self._codes, weights)

    def _note_single(self, game: _Game) -> None:
        points = game.half_points
        self._note(game.first, game.second, game.weight, SINGLE_LOW + points, SINGLE_HIGH + points)

    def _note(self, first: str, second: str, weight: float, kind: int, mirrored: int) -> None:
        """Keep a meeting. kind: if the first has the lower number; mirrored: if it has not."""
        numbers = self._numbers
        one = numbers.setdefault(first, len(numbers))
        two = numbers.setdefault(second, len(numbers))
        if one > two:
            one, two, kind = two, one, mirrored
        if weight != 1:
            self._weights.extend([1] * (len(self._codes) - len(self._weights)))
            self._weights.append(weight)
        self._codes.append(one << _LOW | two << _HIGH | kind)


def groups(players: int, met: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The players 0 .. players - 1 in groups that are connected by games, the largest group first.

    >>> groups(5, [(0, 3), (3, 1), (4, 2)])
    [[0, 1, 3], [2, 4]]
    """
    leaders = list(range(players))

    def leader(player: int) -> int:
        while leaders[player] != player:
            leaders[player] = player = leaders[leaders[player]]
        return player

    apart = players - 1  # groups that there are, but for one
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


def tells_sides(players: int, games: Iterable[tuple[int, int]]) -> bool:
    """Whether games of (first, second) tell the advantage of being first from the strength of the players.

    They do not if there are ratings by which, in every game, the first is stronger by the same amount: then
    these ratings and the advantage explain each other's results. So each player gets a level, one higher than
    that of whom it was first against, until one would need two.

    >>> tells_sides(2, [(0, 1)]), tells_sides(2, [(0, 1), (1, 0)]), tells_sides(3, [(0, 1), (1, 2), (2, 0)])
    (False, True, True)
    """
    leaders, above = list(range(players)), [0] * players  # how much a level is above the leader's

    def leader(player: int) -> tuple[int, int]:
        """The leader of a player, and how much the player is above it."""
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
