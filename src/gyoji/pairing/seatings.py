"""The players of each table, and their seats in its games.

A table of k players plays k games with the same seed, in which each player has each seat once: a **unit**. So
every player has once the cards, dice or other luck that the seed gives to a seat, and the advantage of the
seat.
"""

# Plain rotations, (A B C D), (B C D A) ..., keep each player's neighbours, and in many games these matter
# more than the seat. In liar's dice for four, the games of such a unit were so much alike that one gave only
# half to all of the information of a game with a seed of its own. So the games are the rows of Williams'
# square (Australian Journal of Scientific Research A 2, 1949, 149-168), in which every two players are
# neighbours once in either order: the same games then gave 0.9 to 1.5 of that information. If the number of
# players is odd, a square and its mirror image together have all neighbours twice, so units alternate between
# them. Three players rotate: each of their squares is a rotation.

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb

MOST_COMPLETE = 300
"""Largest number of possible tables for which `Rota` uses every table once before it repeats one."""


@lru_cache(maxsize=16)
def seat_orders(size: int, unit: int) -> tuple[tuple[int, ...], ...]:
    """Return the seating of each game of a unit: for each seat the player's place at the table, from 0.

    Args:
        size: The number of players.
        unit: The number of the unit, from 0. If `size` is odd, every other unit has the reverse order.

    >>> seat_orders(3, 0)
    ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    >>> seat_orders(6, 0)[0]
    (0, 1, 5, 2, 4, 3)
    """
    first = [(at + 1) // 2 if at % 2 else -(at // 2) % size for at in range(size)]
    if size % 2 and unit % 2:
        first.reverse()
    return tuple(tuple([(place + turn) % size for place in first]) for turn in range(size))


class Rota:
    """Chooses the players of each table, so that all players meet each other about equally often.

    A table is a set of players here. If at most `MOST_COMPLETE` sets are possible, each set is used once
    before any is repeated. After each such cycle all players have met equally often. If more sets are
    possible, the next table has players that have met least. Tables of earlier runs are added by `note`.
    """

    def __init__(self, players: int, size: int) -> None:
        """Begin without tables.

        Args:
            players: The number of players.
            size: The number of players at a table.
        """
        self._size = size
        self._met = [[0] * players for _ in range(players)]
        self._games = [0] * players
        self._tables = 0
        self._is_complete = comb(players, size) <= MOST_COMPLETE
        self._left: set[tuple[int, ...]] = set()

    def next(self) -> tuple[int, ...]:
        """Return the numbers of the players of the next table, ascending, and count their meetings."""
        if self._is_complete:
            if not self._left:
                self._left.update(combinations(range(len(self._games)), self._size))
            table = min(self._left, key=lambda each: (*self._cost(each), each))
        else:
            table = self._sociable()
        self.note(table)
        return table

    def note(self, table: Sequence[int]) -> None:
        """Count the players of a table as having met."""
        self._tables += 1
        self._left.discard(tuple(sorted(table)))
        for player in table:
            self._games[player] += 1
        for one, other in combinations(table, 2):
            self._met[one][other] += 1
            self._met[other][one] += 1

    def _cost(self, table: Sequence[int]) -> tuple[int, int, int]:
        """Return how unwanted a table is, as three counts, the most important first.

        The first counts how often the table's players have met each other. The second counts their earlier
        tables. The third is the number of meetings of the two players at the table that have met most often.
        """
        met = [self._met[one][other] for one, other in combinations(table, 2)]
        return sum(met), sum([self._games[player] for player in table]), max(met)

    # It takes the player with the fewest tables, then one by one a player that has met those at the table
    # least. Exchanges with players who are not at the table then save a few meetings more.
    def _sociable(self) -> tuple[int, ...]:
        """Return the players of a next table, chosen one by one so that they have met each other seldom."""
        players, games = len(self._games), self._games
        turn = [(player - self._tables) % players for player in range(players)]
        table = [min(range(players), key=lambda each: (games[each], turn[each]))]
        load = list(self._met[table[0]])
        while len(table) < self._size:
            absent = [each for each in range(players) if each not in table]
            table.append(min(absent, key=lambda each: (load[each], games[each], turn[each])))
            load = [sum(pair) for pair in zip(load, self._met[table[-1]], strict=True)]
        while self._has_exchanged(table):
            pass
        return tuple(sorted(table))

    def _has_exchanged(self, table: list[int]) -> bool:
        """Replace one player of the table by a better one, or return False if there is none.

        A better player has met the others less often, or as often and has had fewer tables.
        """
        for at, player in enumerate(table):
            rest = [each for each in table if each != player]
            costs = (
                ((sum([self._met[other][each] for each in rest]), self._games[other]), other)
                for other in (player, *self._absent(table))
            )
            best = min(costs)[1]
            if best != player and self._cost([*rest, best])[:2] < self._cost(table)[:2]:
                table[at] = best
                return True
        return False

    def _absent(self, table: Sequence[int]) -> Iterator[int]:
        return (each for each in range(len(self._games)) if each not in table)
