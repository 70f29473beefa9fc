"""Berger's tables: the order of the pairs in a round robin, and who has the first seat."""

from collections.abc import Iterator
from typing import Literal, TypeAlias

Seating: TypeAlias = Literal["berger", "list"]
"""The order of the pairs, and who has the first seat in a pair's first game.

"berger" follows Berger's tables. "list" follows the list of players: the earlier player has the first seat.
"""


def berger(players: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of Berger's tables round by round, the player with the first seat first.

    Players are given by their positions in the list, from 0. With an odd number of players, each round leaves
    one without a game. Source: FIDE Handbook C.05, annex 1.

    >>> [f"{first + 1}-{second + 1}" for first, second in berger(4)]
    ['1-4', '2-3', '4-3', '1-2', '2-4', '3-1']
    """
    half = (players + 1) // 2
    apart = 2 * half - 1  # the last player if their number is even: it changes seats from round to round
    for number in range(apart):
        centre = number // 2 + number % 2 * half
        if apart < players:
            yield (apart, centre) if number % 2 else (centre, apart)
        for distance in range(1, half):
            yield (centre + distance) % apart, (centre - distance) % apart


def begins(first: int, second: int, players: int) -> bool:
    """Return whether Berger's tables give the first seat to the earlier of two players.

    Args:
        first: The position of the earlier player, from 0.
        second: The position of the later player.
        players: The number of players in the tables.

    >>> all(begins(min(pair), max(pair), 8) == (pair[0] < pair[1]) for pair in berger(8))
    True
    """
    if second == players - 1 and second % 2:
        return first <= second // 2
    return (first + second) % 2 == 1
