"""Golden data of gomoku: games to their last move, and what it was: a row, a foul, the last point, or none.

Points are ``[x, y]``, column and row from 0, from the top left. A row is all of its points, by columns.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.core.faults import IllegalMove
from gyoji.core.outcome import Ending
from gyoji.games.gomoku import GomokuRules, Options, Position, rules
from gyoji.games.gomoku.forbidden import Foul

Record = Mapping[str, Any]

COLOURS = ("black", "white")
KINDS = {Foul.OVERLINE: "overline", Foul.DOUBLE_FOUR: "double_four", Foul.DOUBLE_THREE: "double_three"}
ENDS = {"": "unfinished", Ending.FIVE: "line", Ending.FULL: "full_board"}


def recognises(record: Record) -> bool:
    return "rule" in record and "end" in record and "plies" in record


def differences(record: Record) -> Iterator[str]:
    """Play all moves; only the last may end the game."""
    game = rules(Options(board_size=record["size"], rule=record["rule"]))
    position, moves = game.start(), game.parse(record["moves"])
    if len(moves) != record["plies"]:
        yield f"{len(moves)} moves, expected {record['plies']}"
    for number, move in enumerate(moves[:-1], 1):
        position = game.play(position, ((position.played % 2, move),))
        if not game.acting(position):
            yield f"move {number}: the game is over"
            return
    expected = {key: sorted(record.get(key, ())) for key in ("lines", "forbidden_types")}
    expected |= {key: record[key] for key in ("end", "winner")}
    got = last_move(game, position, moves[-1])
    for key, value in expected.items():
        if got[key] != value:
            yield f"{key} is {got[key]!r}, expected {value!r}"


def last_move(game: GomokuRules, position: Position, move: int) -> dict[str, Any]:
    """What the record should say of the last move."""
    seat = position.played % 2
    try:
        position = game.play(position, ((seat, move),))
    except IllegalMove:
        kinds = [KINDS[foul] for foul in game.forbidden(position).get(move, ())]
        ended = {"end": "forbidden", "winner": COLOURS[1 - seat]}
        return {**ended, "lines": [], "forbidden_types": sorted(kinds)}
    ending, winner = "", None
    if not game.acting(position):
        outcome = game.outcome(position)
        ending, winner = outcome.ending, outcome.winner
    rows = [[list(game.coordinates(point)) for point in row] for row in game.rows(position)]
    return {
        "end": ENDS[ending],
        "winner": None if winner is None else COLOURS[winner],
        "lines": sorted(sorted(row) for row in rows),
        "forbidden_types": [],
    }
