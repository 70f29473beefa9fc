"""The time of moves: of one game, move by move, and of a player's moves, how many took how long."""

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, TypeAlias

from gyoji.core.record import GameRecord, Timing
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Block, Share, Style, Table, Value, names, numbers, texts

_HEADINGS = ("charged", "asked", "engine's CPU", "no processor", "unread", "stood still")
_LEGEND = (
    "Seconds. charged: by its clock. asked: by the wall, from the question to the answer. engine's CPU: of",
    "all its processes meanwhile. no processor: of the thread that waited longest for one. unread: how long",
    "the answer lay there before it was read, at most. stood still: the machine. -: not looked at, for it",
    "took less than 10 ms, or not known.",
)


def timing_blocks(record: GameRecord) -> Iterator[Block]:
    """The table, with a row for each move, and what its columns are."""
    moves = timing_values(record)
    times = [[value for name, value in move.items() if name.endswith("_ns")] for move in moves]
    yield Table(
        columns=(
            numbers("move", [move["move_number"] for move in moves]),
            texts("player", [move["player"] for move in moves]),
            texts("", [move["move"] or "" for move in moves]),
            *(
                numbers(heading, [_seconds(row[at]) for row in times], digits=3)
                for at, heading in enumerate(_HEADINGS)
            ),
        ),
        style=Style.GOMILL,
    )
    yield ""
    yield from _LEGEND


def _seconds(ns: int | None) -> Value:
    return "-" if ns is None else ns / 1e9


def timing_values(record: GameRecord) -> list[dict[str, Any]]:
    """One object for each move, in ns; None for what is not known. A last one may have come too late."""
    timings = {(each.turn, each.seat): each for each in record.timings}
    moves = [
        (number, played.seat, played.move, played.ns)
        for number, turn in enumerate(record.turns)
        for played in turn
    ]
    asked_in_vain = timings.keys() - {(number, seat) for number, seat, *_ in moves}
    return [
        {
            "move_number": number + 1,
            "seat": seat,
            "player": record.result.players[seat],
            "move": move,
            "charged_ns": charged,
            **_figures(timings.get((number, seat))),
        }
        for number, seat, move, charged in (*moves, *((*each, None, None) for each in sorted(asked_in_vain)))
    ]


def _figures(timing: Timing | None) -> dict[str, int | None]:
    return {
        "asked_ns": timing and timing.wall,
        "cpu_ns": timing and timing.cpu,
        "delayed_ns": timing and timing.delayed,
        "unread_ns": timing and timing.unread,
        "stalled_ns": timing and timing.stalled,
    }


# How long players think: of the moves of games, how many took how long, in steps of half a power of ten

Games: TypeAlias = Iterable[tuple[GameSpec, GameRecord]]
"""Games with their moves."""

Names: TypeAlias = Callable[[tuple[str, ...]], tuple[str, ...]]
"""The names of the players of a game in tables."""

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
