"""The table of the times of one game, move by move."""

from collections.abc import Iterable

from gyoji.core.record import GameRecord
from gyoji.core.tables import Cell, Column, Style, Table, data, numbers, texts

_LEGEND = (
    "Seconds. charged: by its clock. asked: by the wall, from the question to the answer. engine's CPU: of",
    "all its processes meanwhile. no processor: of the thread that waited longest for one. unread: how long",
    "the answer lay there before it was read, at most. stood still: the machine. -: not looked at, for it",
    "took less than 10 ms, or not known.",
)


def timing_table(record: GameRecord) -> Table:
    """Return the table of the times of each move. A last row without a move is an answer that was late."""
    timings = {(each.turn, each.seat): each for each in record.timings}
    moves: list[tuple[int, int, str, int | None]] = [
        (number, played.seat, played.move, played.ns)
        for number, turn in enumerate(record.turns)
        for played in turn
    ]
    # A question whose answer came too late has a timing and no move: it is the row that a user looks
    # for.
    asked_in_vain = timings.keys() - {(number, seat) for number, seat, *_ in moves}
    moves += [(*each, "", None) for each in sorted(asked_in_vain)]
    seen = [timings.get((number, seat)) for number, seat, *_ in moves]
    return Table(
        columns=(
            numbers("move", [number + 1 for number, *_ in moves], key="move_number"),
            data("seat", [seat for _, seat, *_ in moves]),
            texts("player", [record.result.players[seat] for _, seat, *_ in moves]),
            texts("", [Cell(move, move or None) for *_, move, _ in moves], key="move"),
            _seconds("charged", "charged_ns", [charged for *_, charged in moves]),
            _seconds("asked", "asked_ns", [each and each.wall for each in seen]),
            _seconds("engine's CPU", "cpu_ns", [each and each.cpu for each in seen]),
            _seconds("no processor", "delayed_ns", [each and each.delayed for each in seen]),
            _seconds("unread", "unread_ns", [each and each.unread for each in seen]),
            _seconds("stood still", "stalled_ns", [each and each.stalled for each in seen]),
        ),
        remarks=("", *_LEGEND),
        style=Style.GOMILL,
    )


def _seconds(heading: str, key: str, times: Iterable[int | None]) -> Column:
    """Return a column that shows times in seconds. The times are given in ns, and programs get them so."""
    cells = [Cell("-" if ns is None else f"{ns / 1e9:.3f}", ns) for ns in times]
    return numbers(heading, cells, key=key)
