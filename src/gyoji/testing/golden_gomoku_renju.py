"""Golden data of gomoku: what renju forbids, point by point, on boards without a row of five.

Points are ``[x, y]``, column and row from 0, from the top left.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.games.gomoku import GomokuRules, Options, Position, rules
from gyoji.games.gomoku.board import bits
from gyoji.games.gomoku.forbidden import Foul
from gyoji.games.gomoku.rows import winning_rows
from gyoji.games.gomoku.rulesets import RENJU, standards

Record = Mapping[str, Any]

KINDS = {"overline": Foul.OVERLINE, "double_four": Foul.DOUBLE_FOUR, "double_three": Foul.DOUBLE_THREE}


def recognises(record: Record) -> bool:
    return "double_three" in record and "five" in record


def differences(record: Record) -> Iterator[str]:
    """Ask for all forbidden points at once, and for each move alone."""
    game = rules(Options(board_size=record["size"], rule="renju"))
    position = position_of(game, record)
    if position.played != record["stones"]:
        yield f"{position.played} stones, expected {record['stones']}"
    forbidden = game.forbidden(position)
    for name, kind in KINDS.items():
        points = [point for point, kinds in forbidden.items() if kind in kinds]
        yield from difference(name, pairs(game, points), record[name])
    yield from difference("forbidden", pairs(game, forbidden), record["forbidden"])
    empty = set(bits(game.board.full ^ position.black ^ position.white))
    yield from difference("not legal", pairs(game, empty - set(game.legal(position, 0))), record["forbidden"])
    yield from difference("five", pairs(game, fives(game, position)), record["five"])


def position_of(game: GomokuRules, record: Record) -> Position:
    """The stones of a record, whatever their order would make of them."""
    points = game.parse(record["moves"])
    black, white = (sum(1 << point for point in points[colour::2]) for colour in (0, 1))
    return Position(black, white, played=len(points))


def fives(game: GomokuRules, position: Position) -> list[int]:
    """Where Black would make a row of exactly five."""
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
