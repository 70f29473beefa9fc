"""The time of each move of a game, and who used it, as a table and as values."""

from collections.abc import Iterator
from typing import Any

from gyoji.core.record import GameRecord, Timing
from gyoji.core.tables import Block, Style, Table, Value, numbers, texts

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
