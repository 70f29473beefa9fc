"""Files of Go openings, and the rotation and mirroring of openings.

An SGF file is a collection of games. The opening of each game is the stones set up before the first move (AB,
AW), the side to move (PL) and the moves of the main line. Komi, handicap (HA) and rules in the file are
ignored, because the competition sets them.

In any other file each line is an opening: a text as `opening` reads it (``D4 Q16``, ``AB D4 AW Q4 PL B``), or
a JSON object as KataGo writes its starting positions (``startposes``). Its "board" has rows from the top, of
``X``, ``O`` and ``.``, separated by ``/``; beside it are "nextPla", "moveLocs" and "movePlas".
"""

import json
from collections.abc import Mapping
from typing import Any

from gyoji.core.openings import opening_lines, openings_of, turned
from gyoji.core.text import printable
from gyoji.games.go.board import PASS, Board, Vertices, board_of, vertices_of
from gyoji.games.go.game_options import Options
from gyoji.games.go.opening import Opening, format_opening, made_opening, read_opening
from gyoji.games.go.sgf_reader import main_line
from gyoji.sgf.grammar import Node, is_sgf, located_games

_SEATS = {"B": 0, "AB": 0, "W": 1, "AW": 1}


def openings(data: bytes, name: str, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the openings in a file, in order, as values of the option `opening`.

    Args:
        data: The file.
        name: The file's name, whose suffix decides the kind of file.
        options: The options of the games, with which each opening must be compatible.

    Raises:
        ValueError: Some openings are invalid. The message has a line for each of the first ones.
    """
    text = data.decode("utf-8-sig", "replace")
    board, first = _terms(options)
    names = vertices_of(board)

    def of_line(line: str) -> str:
        read = (
            _of_json(line, board, names) if line.startswith("{") else read_opening(line, names, first=first)
        )
        return checked(read)

    def checked(opening: Opening) -> str:
        if not (opening.is_set_up or opening.moves):
            raise ValueError("got no stone and no move, expected one or more")
        return Options(**{**options, "opening": format_opening(opening, names, first=first)}).opening

    if is_sgf(name, text):
        return openings_of(located_games(text), lambda root: checked(_of_sgf(root, board)))
    return openings_of(opening_lines(text), of_line)


def vary(opening: object, options: Mapping[str, Any], *, symmetry: int = 0, shift: int = 0) -> str:
    """Return an opening rotated or mirrored.

    With a fixed handicap, whose points are fixed, the opening is returned unchanged.

    Args:
        symmetry: One of the 8 symmetries of `gyoji.core.openings.turned`; 0 changes nothing.
        shift: Ignored, because Go openings are never shifted.
    """
    board, first = _terms(options)
    if first:
        return str(opening)
    names = vertices_of(board)
    read = read_opening(str(opening), names)

    def points(given: tuple[int, ...]) -> tuple[int, ...]:
        places = [board.column_row(point) for point in given]
        return tuple([board.bit(x, y) for x, y in turned(places, (board.width, board.height), symmetry)])

    moves = tuple([move if move == PASS else points((move,))[0] for move in read.moves])
    return format_opening(Opening(points(read.black), points(read.white), read.to_play, moves), names)


def _terms(options: Mapping[str, Any]) -> tuple[Board, int]:
    """Return (board, seat that moves first) of games that have these options but no opening."""
    empty = Options(**{**options, "opening": ""})
    return board_of(*empty.size), int(bool(empty.handicap) and empty.handicap_style == "fixed")


def _of_sgf(root: Node, board: Board) -> Opening:
    game = main_line(root)
    _check_size(game.width, game.height, board)
    setup = [[board.bit(*point) for point in points] for points in game.stones]
    plays = [(seat, PASS if point is None else board.bit(*point)) for seat, point in game.moves]
    return made_opening((setup[0], setup[1]), game.to_play, plays)


def _check_size(width: object, height: object, board: Board) -> None:
    """Raise ValueError unless the board size in a file is that of the games."""
    if (width, height) != (board.width, board.height):
        got = printable(f"{width}x{height}", 40)  # a file of JSON may have any text there
        raise ValueError(f"got a game of {got}, expected {board.width}x{board.height}")


def _of_json(line: str, board: Board, names: Vertices) -> Opening:
    try:
        table = json.loads(line)
        _check_size(table["xSize"], table["ySize"], board)
        rows = [row for row in str(table["board"]).split("/") if row]
        colours = [_SEATS[colour] for colour in table.get("movePlas", ())]
        moves = [names.parse(vertex) for vertex in table.get("moveLocs", ())]
        # KataGo's "nextPla" is the side to move on that board, before the moves
        to_play = _SEATS[table["nextPla"]]
        plays = list(zip(colours, moves, strict=True))
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"no starting position of KataGo: {type(error).__name__} {error}") from None
    if len(rows) != board.height or any(len(row) != board.width for row in rows):
        raise ValueError(f"board: expected {board.height} rows of {board.width}, parted by /")
    setup: tuple[list[int], list[int]] = ([], [])
    for down, row in enumerate(rows):
        for x, sign in enumerate(row.upper()):
            if sign in "XO":
                setup["XO".index(sign)].append(board.bit(x, board.height - 1 - down))
    return made_opening(setup, to_play, plays)
