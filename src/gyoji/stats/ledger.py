"""Results of a field, counted by who met whom: all that ratings need to know of a million games.

A game has a first and a second player, by side (Go: Black and White), and half points for the first: 0, 1
or 2. Two games of two players form a pair if they come under the same name and each player was first once:
they share an opening, and whatever chance lies in that. Each game counts all the same; pairs matter to the
bootstrap, which draws whole pairs. Where the sides of a game are not known, it says nothing about who moves
first. At the end: which players can be compared, and whether results tell the advantage of a side.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

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


class Meetings(NamedTuple):
    """Who met whom how often: for two players by number, the lower first, a count for each of the KINDS."""

    players: Sequence[str]
    counts: dict[tuple[int, int], list[int]]


class _Game(NamedTuple):
    first: str
    second: str
    half_points: int


class Ledger:
    """The counts, in the making."""

    def __init__(self) -> None:
        self._sided: defaultdict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * 3)
        self._unsided: defaultdict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * 3)
        self._pairs: defaultdict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * PAIRS)
        self._waiting: dict[str, _Game] = {}

    def add(self, first: str, second: str, half_points: int, *, pair: str = "", sided: bool = True) -> None:
        """Count a game of two players, with the half points of the first.

        pair   what it has in common with one other game, "" if nothing.
        sided  whether `first` is the side, or only who is named first.

        Raises ValueError for a game of a player against itself, which says nothing.
        """
        if first == second:
            raise ValueError(f"a game of {first!r} against itself says nothing")
        if not sided:
            self._unsided[first, second][half_points] += 1
        elif not pair:
            self._sided[first, second][half_points] += 1
        elif (other := self._waiting.pop(pair, None)) is None:
            self._waiting[pair] = _Game(first, second, half_points)
        elif (other.first, other.second) == (second, first):
            self._pairs[first, second][3 * half_points + other.half_points] += 1
        else:
            self._sided[first, second][half_points] += 1
            self._sided[other.first, other.second][other.half_points] += 1

    def meetings(self) -> Meetings:
        """All that has been counted; a game that still waits for the other of its pair is a single one."""
        numbers: dict[str, int] = {}
        counts: defaultdict[tuple[int, int], list[int]] = defaultdict(lambda: [0] * KINDS)
        for first, second, kind, mirrored, number in self._counted():
            one, two = (numbers.setdefault(player, len(numbers)) for player in (first, second))
            if one < two:
                counts[one, two][kind] += number
            else:
                counts[two, one][mirrored] += number
        return Meetings(tuple(numbers), dict(counts))

    def _counted(self) -> Iterator[tuple[str, str, int, int, int]]:
        """(first, second, kind if the first has the lower number, kind if it has not, how often)."""
        for game in self._waiting.values():
            yield game.first, game.second, SINGLE_LOW + game.half_points, SINGLE_HIGH + game.half_points, 1
        for (first, second), row in self._sided.items():
            for half_points, number in enumerate(row):
                yield first, second, SINGLE_LOW + half_points, SINGLE_HIGH + half_points, number
        for (first, second), row in self._unsided.items():
            for half_points, number in enumerate(row):
                yield first, second, SINGLE + half_points, SINGLE + 2 - half_points, number
        for (first, second), row in self._pairs.items():
            for kind, number in enumerate(row):
                yield first, second, kind, 3 * (kind % 3) + kind // 3, number


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

    for one, two in met:
        leaders[leader(one)] = leader(two)
    found: dict[int, list[int]] = {}
    for player in range(players):
        found.setdefault(leader(player), []).append(player)
    return sorted(found.values(), key=len, reverse=True)


def tells_sides(players: int, games: Sequence[tuple[int, int]]) -> bool:
    """Whether games of (first, second) tell the advantage of being first from the strength of the players.

    They do not if there are ratings by which, in every game, the first is stronger by the same amount: then
    these ratings and the advantage explain each other's results. So each player gets a level, one higher than
    that of whom it was first against, until one would need two.

    >>> tells_sides(2, [(0, 1)]), tells_sides(2, [(0, 1), (1, 0)]), tells_sides(3, [(0, 1), (1, 2), (2, 0)])
    (False, True, True)
    """
    above: list[list[tuple[int, int]]] = [[] for _ in range(players)]
    for first, second in games:
        above[first].append((second, -1))
        above[second].append((first, 1))
    levels: dict[int, int] = {}
    for start in range(players):
        levels.setdefault(start, 0)
        waiting = [start]
        while waiting:
            player = waiting.pop()
            for other, step in above[player]:
                level = levels[player] + step
                if other not in levels:
                    levels[other] = level
                    waiting.append(other)
                elif levels[other] != level:
                    return True
    return False
