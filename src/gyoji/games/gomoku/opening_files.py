"""Files of gomoku openings, and the rotation, mirroring and shifting of openings.

The file name suffix, or else the beginning of the file, decides its kind:

* ``.sgf``: a collection of games. An opening is the main line of a game.
* ``.psq``: the record of a game by Piskvork.
* Any other: one opening per line, either as offsets from the middle of the board (``0,0, 1,-2``: column and
  row, signed, from column width // 2 and row height // 2) or as names (``h8i6``). Numbers and names are
  separated by commas, semicolons or blanks. Empty lines, lines that begin with ``#`` or ``;`` and text after
  a ``#`` are comments.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gyoji.core.openings import opening_lines, openings_of, turned
from gyoji.core.text import quote
from gyoji.games.gomoku.board import Board, board_of, names_of
from gyoji.games.gomoku.game_options import Options
from gyoji.games.gomoku.piskvork import read_psq
from gyoji.games.gomoku.replaying import Point, RecordedGame
from gyoji.games.gomoku.sgf_records import read_game
from gyoji.sgf.grammar import Node, is_sgf, located_games

_BETWEEN = re.compile(r"[\s,;]+")
_OFFSET = re.compile(r"[+-]?[0-9]{1,4}")
_PISKVORK = re.compile(r"\s*Piskvork")


def openings(data: bytes, name: str, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the openings in a file, in order, as values of the option `opening`.

    Args:
        data: The file.
        name: The file's name, whose suffix decides the kind of file.
        options: The options of the games, with which each opening must be compatible.

    Raises:
        ValueError: Some openings are invalid. The message has a line for each of the first ones.
    """
    board = board_of(*Options(**{**options, "opening": ""}).size)
    text = data.decode("utf-8-sig", "replace")

    def checked(points: Sequence[int]) -> str:
        if not points:
            raise ValueError("got no stone, expected one or more")
        return Options(**{**options, "opening": names_of(board).join(points)}).opening

    def of_sgf(root: Node) -> str:
        if (kind := root.first("GM").strip()) not in ("", "4"):
            raise ValueError(f"got a game of kind GM[{kind[:20]}], expected GM[4]")
        return checked(_stones(read_game(root, (board.width, board.height)), board))

    suffix = name.lower().rpartition(".")[2]
    if suffix == "psq" or (suffix != "sgf" and _PISKVORK.match(text)):
        return openings_of([("the game", data)], lambda data: checked(_stones(read_psq(data), board)))
    if is_sgf(name, text):
        return openings_of(located_games(text), of_sgf)
    return openings_of(opening_lines(text), lambda line: checked(_points_of_line(line, board)))


def _stones(game: RecordedGame, board: Board) -> Sequence[int]:
    """Return the stones of a recorded game as points of a board.

    Raises ValueError for another size, or a stone out of turn or off the board.
    """
    (columns, rows), (width, height) = game.size, (board.width, board.height)
    if game.size != (width, height):
        raise ValueError(f"got a game of {columns}x{rows}, expected {width}x{height}")
    for index, colour in enumerate(game.colours):
        if colour != index % 2:
            raise ValueError(f"stone {index + 1}: got {'BW'[colour]}, expected {'BW'[index % 2]}")
    return _points(board, game.stones)


def _points_of_line(line: str, board: Board) -> Sequence[int]:
    """Return the points of a line of offsets or of names."""
    words = [word for word in _BETWEEN.split(line) if word]
    if words and words[0][0].isalpha():
        return names_of(board).stones("".join(words))
    if len(words) % 2 or not all(_OFFSET.fullmatch(word) for word in words):
        raise ValueError(f"got {quote(line)}, expected pairs of offsets as in 0,0, 1,-2, or names as in h8i6")
    numbers = [int(word) for word in words]
    x, y = board.width // 2, board.height // 2
    return _points(board, [(x + right, y + down) for right, down in zip(*[iter(numbers)] * 2, strict=True)])


def _points(board: Board, places: Iterable[Point]) -> Sequence[int]:
    """Return the points at (column, row) places, both from 0. Raises ValueError off the board."""
    points = []
    for number, (x, y) in enumerate(places, 1):
        try:
            points.append(board.point(x, y))
        except ValueError as error:
            raise ValueError(f"stone {number}: {error}") from None
    return points


_STEPS = (0, 1, -2, -1)
_ROOM = 5


def vary(opening: object, options: Mapping[str, Any], *, symmetry: int = 0, shift: int = 0) -> str:
    """Return an opening rotated or mirrored, and shifted on the board.

    As in Piskvork, there is no shift along an axis if a stone has fewer than five points between it and an
    edge.

    Args:
        symmetry: 0 to 7, see `gyoji.core.openings.turned`; 0 changes nothing.
        shift: 0 to 15. `shift` % 4 moves the stones along the rows, `shift` // 4 along the columns: 0 by
            nothing, 1 by one point to the right or down, 2 by two points to the left or up, 3 by one.
    """
    width, height = Options(**{**options, "opening": ""}).size
    board = board_of(width, height)
    names = names_of(board)
    stones = [board.coordinates(point) for point in names.stones(str(opening))]
    places = turned(stones, (width, height), symmetry)
    columns, rows = ([place[axis] for place in places] for axis in (0, 1))
    columns = _moved(columns, width, _STEPS[shift % 4])
    rows = _moved(rows, height, _STEPS[shift // 4])
    return names.join([board.point(x, y) for x, y in zip(columns, rows, strict=True)])


def _moved(along: list[int], length: int, step: int) -> list[int]:
    """Return the coordinates of an opening's stones along one axis of a board, shifted by `step`.

    They are unchanged if a stone has fewer than five points between it and an edge.

    Args:
        along: The column of each stone, or the row of each.
        length: The number of columns or rows of the board.
        step: The number of points to shift by, negative to the left or up.
    """
    if not all(_ROOM <= at < length - _ROOM for at in along):
        return along
    return [at + step for at in along]
