"""How long players think: of the moves of games, how many took how long, in steps of half a power of ten."""

from bisect import bisect
from collections.abc import Callable, Sequence
from itertools import chain
from typing import TypeAlias

from gyoji.core.tables import Share, Table, names, numbers
from gyoji.tables.account import Games

Names: TypeAlias = Callable[[tuple[str, ...]], tuple[str, ...]]
"""What tables call the players of a game."""

_MS = 1_000_000
BOUNDS = tuple(step * 10**power * _MS for power in range(6) for step in (1, 3))
"""ns at which a class of moves ends and the next begins: 1 ms, 3 ms, 10 ms ... 300 s."""

LABELS = ("1 ms", "3 ms", "10 ms", "30 ms", "0.1 s", "0.3 s", "1 s", "3 s", "10 s", "30 s", "100 s", "300 s")


def paces(games: Games, players: Sequence[str], named: Names) -> dict[str, list[int]]:
    """By player, how many of its moves are in each class; the last class has no end."""
    counts = {player: [0] * (len(BOUNDS) + 1) for player in players}
    for _, record in games:
        codes = [counts.get(name) for name in named(record.result.players)]
        for played in chain.from_iterable(record.turns):
            if (mine := codes[played.seat]) is not None:
                mine[bisect(BOUNDS, played.ns)] += 1
    return {player: each for player, each in counts.items() if any(each)}


def pace_table(games: Games, players: Sequence[str], named: Names) -> Table:
    """The shares of the classes, from the fastest to the slowest that anybody was in."""
    found = paces(games, players, named)
    used = [index for each in found.values() for index, number in enumerate(each) if number]
    classes = range(min(used, default=0), max(used, default=-1) + 1)
    return Table(
        name="pace",
        title="How long moves took",
        note="The shares of a player's moves, of the games that are told in full.",
        columns=(
            names("player", found),
            numbers("moves", [sum(each) for each in found.values()]),
            *(
                numbers(
                    _label(index),
                    [Share(each[index], sum(each)) for each in found.values()],
                    about=_told(index),
                )
                for index in classes
            ),
        ),
    )


def _label(index: int) -> str:
    return f"< {LABELS[index]}" if index < len(LABELS) else f"≥ {LABELS[-1]}"


def _told(index: int) -> str:
    if not index:
        return f"less than {LABELS[0]}"
    more = f"{LABELS[index - 1]} or more"
    return f"{more}, less than {LABELS[index]}" if index < len(LABELS) else more
