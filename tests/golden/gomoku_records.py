"""Golden data of gomoku: ends of games, and what renju forbids.

Ends are of games to their last move: a row, a foul, the last point, or none. What renju forbids is told point
by point, on boards without a row of five. Points are ``[x, y]``, column and row from 0, from the top left. A
row is all of its points, by columns.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.core.boards import bits
from gyoji.core.faults import IllegalMove
from gyoji.core.outcome import Ending
from gyoji.games.gomoku.game_options import Options, rules
from gyoji.games.gomoku.position import Position
from gyoji.games.gomoku.rules import FIVE, GomokuRules
from gyoji.games.gomoku.rulesets import RENJU, Foul, standards, winning_rows

Record = Mapping[str, Any]

COLOURS = ("black", "white")
FOULS = {"overline": Foul.OVERLINE, "double_four": Foul.DOUBLE_FOUR, "double_three": Foul.DOUBLE_THREE}
FOUL_NAMES = {foul: name for name, foul in FOULS.items()}
ENDS = {"": "unfinished", FIVE: "line", Ending.FULL: "full_board"}


def is_end(record: Record) -> bool:
    return "rule" in record and "end" in record and "plies" in record


def end_differences(record: Record) -> Iterator[str]:
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
    """Return the fields of the record for the last move."""
    seat = position.played % 2
    try:
        position = game.play(position, ((seat, move),))
    except IllegalMove:
        kinds = [FOUL_NAMES[foul] for foul in game.forbidden(position).get(move, ())]
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


def is_renju(record: Record) -> bool:
    return "double_three" in record and "five" in record


def renju_differences(record: Record) -> Iterator[str]:
    """Ask for all forbidden points at once, and for each move alone."""
    game = rules(Options(board_size=record["size"], rule="renju"))
    position = position_of(game, record)
    if position.played != record["stones"]:
        yield f"{position.played} stones, expected {record['stones']}"
    forbidden = game.forbidden(position)
    for name, kind in FOULS.items():
        points = [point for point, kinds in forbidden.items() if kind in kinds]
        yield from difference(name, pairs(game, points), record[name])
    yield from difference("forbidden", pairs(game, forbidden), record["forbidden"])
    empty = set(bits(game.board.full ^ position.black ^ position.white))
    yield from difference("not legal", pairs(game, empty - set(game.legal(position, 0))), record["forbidden"])
    yield from difference("five", pairs(game, fives(game, position)), record["five"])


def position_of(game: GomokuRules, record: Record) -> Position:
    """Return the stones of a record, whatever their order would make of them."""
    points = game.parse(record["moves"])
    black, white = (sum(1 << point for point in points[colour::2]) for colour in (0, 1))
    return Position(black, white, played=len(points))


def fives(game: GomokuRules, position: Position) -> list[int]:
    """Return where Black would make a row of exactly five."""
    black, white = position.black, position.white
    standard = standards(RENJU)[0]
    return [
        point
        for point in bits(game.board.full ^ black ^ white)
        if winning_rows(game.board, black | 1 << point, white, point, standard)
    ]


def pairs(game: GomokuRules, points: Any) -> list[list[int]]:
    return [list(game.coordinates(point)) for point in points]


def difference(name: str, got: list[list[int]], expected: list[list[int]]) -> Iterator[str]:
    if sorted(got) != sorted(expected):
        missing = [point for point in expected if point not in got]
        extra = [point for point in got if point not in expected]
        yield f"{name}: missing {missing}, too many {extra}"


KINDS = (
    (is_end, end_differences),
    (is_renju, renju_differences),
)
