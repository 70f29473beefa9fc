"""Times of moves: move by move in one game, and for each player how many moves took how long."""

from bisect import bisect
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import TypeAlias

from gyoji.core.record import GameRecord
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Cell, Column, Share, Style, Table, data, names, numbers, texts

_LEGEND = (
    "Seconds. charged: by its clock. asked: by the wall, from the question to the answer. engine's CPU: of",
    "all its processes meanwhile. no processor: of the thread that waited longest for one. unread: how long",
    "the answer lay there before it was read, at most. stood still: the machine. -: not looked at, for it",
    "took less than 10 ms, or not known.",
)


def timing_table(record: GameRecord) -> Table:
    """Return the times of each move. A last row without a move is an answer that came too late."""
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
    """Return a column of times in ns that people read in seconds."""
    cells = [Cell("-" if ns is None else f"{ns / 1e9:.3f}", ns) for ns in times]
    return numbers(heading, cells, key=key)


# How long players think: of the moves of games, how many took how long, in steps of half a power of ten

Games: TypeAlias = Iterable[tuple[GameSpec, GameRecord]]
"""Games with their moves."""

Names: TypeAlias = Callable[[tuple[str, ...]], tuple[str, ...]]
"""A function that returns the names under which tables list the players of a game."""

_MS = 1_000_000
# Half a power of ten: engines differ by factors, and twelve classes cover 1 ms to 300 s.
BOUNDS = tuple(step * 10**power * _MS for power in range(6) for step in (1, 3))
"""Times in ns between the classes of moves: 1 ms, 3 ms, 10 ms ... 300 s."""

LABELS = ("1 ms", "3 ms", "10 ms", "30 ms", "0.1 s", "0.3 s", "1 s", "3 s", "10 s", "30 s", "100 s", "300 s")


def paces(games: Games, players: Sequence[str], named: Names) -> dict[str, list[int]]:
    """Return for each player the number of moves in each class. The last class has no upper bound."""
    counts = {player: [0] * (len(BOUNDS) + 1) for player in players}
    for _, record in games:
        codes = [counts.get(name) for name in named(record.result.players)]
        for played in chain.from_iterable(record.turns):
            if (mine := codes[played.seat]) is not None:
                mine[bisect(BOUNDS, played.ns)] += 1
    return {player: each for player, each in counts.items() if any(each)}


def pace_table(games: Games, players: Sequence[str], named: Names) -> Table:
    """Return the share of each class in a player's moves, for the classes that occur and those between."""
    found = paces(games, players, named)
    used = [index for each in found.values() for index, number in enumerate(each) if number]
    # Empty classes in between stay, so that the columns remain a scale.
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
