"""Groups of comparable players, and whether results tell the advantage of a side."""

from collections.abc import Iterable, Sequence


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
