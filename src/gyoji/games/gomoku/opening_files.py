"""Files of openings: lines of stones, or whole games of which each is an opening.

What a file is shows in the suffix of its name, else in how it begins:

``.sgf``   a collection of games, see `sgf_openings`.
``.psq``   the record of a game by Piskvork: a heading, then ``x,y,ms`` for each stone, from 1.
``.rec``   an older one of 20x20: two names, then the same from 0.
any other  an opening a line, either as offsets from the middle of the board (``0,0, 1,-2``: column and row,
           signed, from column width // 2 and row height // 2) or as names (``h8i6``). Signs between numbers
           or names are commas, semicolons or blanks. Empty lines, and those that begin with ``#`` or ``;``,
           say nothing, nor does what comes after a ``#``.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gyoji.core.opening_files import is_sgf, opening_lines, openings_of, sgf_games
from gyoji.core.text import quote
from gyoji.games.gomoku.board import Board, board_of
from gyoji.games.gomoku.names import names_of
from gyoji.games.gomoku.options import Options
from gyoji.games.gomoku.sgf_openings import sgf_points

_BETWEEN = re.compile(r"[\s,;]+")
_OFFSET = re.compile(r"[+-]?[0-9]{1,4}")
_STONE = re.compile(r"\s*([0-9]{1,4})\s*,\s*([0-9]{1,4})\s*(?:,|$)")
_HEADING = re.compile(r"\s*Piskvork\w*\s+([0-9]{1,4})x([0-9]{1,4})")


class Kind(NamedTuple):
    """How files of a kind are read.

    entries  the openings in the text of a file, unread: where each stands, and what it is.
    points   the points of an entry on a board. Raises ValueError.
    """

    entries: Callable[[str], Iterator[tuple[str, Any]]]
    points: Callable[[Any, Board], Sequence[int]]


def openings(data: bytes, name: str, options: Mapping[str, Any]) -> tuple[str, ...]:
    """The openings of a file, as values of the option `opening`, in its order.

    options: those of the games that will begin so; its openings must fit them. Raises ValueError with a line
    for each mistake, the first few of them.
    """
    board = board_of(*Options(**{**options, "opening": ""}).size)
    text = data.decode("utf-8-sig", "replace")
    kind = _kind(name, text)

    def read(entry: Any) -> str:
        stones = names_of(board).join(kind.points(entry, board))
        if not stones:
            raise ValueError("got no stone, expected one or more")
        return Options(**{**options, "opening": stones}).opening

    return openings_of(kind.entries(text), read)


def _kind(name: str, text: str) -> Kind:
    suffix = name.lower().rpartition(".")[2]
    if suffix not in _KINDS:
        suffix = "psq" if _HEADING.match(text) else "sgf" if is_sgf(name, text) else ""
    return _KINDS[suffix]


def _points_of_line(line: str, board: Board) -> Sequence[int]:
    """The points of a line of offsets, or of names."""
    words = [word for word in _BETWEEN.split(line) if word]
    if words and words[0][0].isalpha():
        return names_of(board).stones("".join(words))
    if len(words) % 2 or not all(_OFFSET.fullmatch(word) for word in words):
        raise ValueError(f"got {quote(line)}, expected pairs of offsets as in 0,0, 1,-2, or names as in h8i6")
    numbers = [int(word) for word in words]
    x, y = board.width // 2, board.height // 2
    return _points(board, [(x + right, y + down) for right, down in zip(*[iter(numbers)] * 2, strict=True)])


def _game(text: str) -> Iterator[tuple[str, list[str]]]:
    """A file that is one game."""
    yield "the game", text.splitlines()


def _points_of_psq(lines: Sequence[str], board: Board) -> Sequence[int]:
    heading = _HEADING.match(lines[0]) if lines else None
    if heading is None:
        got = quote(lines[0]) if lines else "nothing"
        raise ValueError(f"line 1: got {got}, expected a heading such as Piskvorky 15x15, 11:11, 0")
    _check_size((int(heading[1]), int(heading[2])), board)
    return _points(board, _stones(lines[1:], 1))


def _points_of_rec(lines: Sequence[str], board: Board) -> Sequence[int]:
    _check_size((20, 20), board)
    return _points(board, _stones(lines[2:], 0))


def _check_size(got: tuple[int, int], board: Board) -> None:
    if got != (board.width, board.height):
        raise ValueError(f"got a game of {got[0]}x{got[1]}, expected {board.width}x{board.height}")


def _stones(lines: Sequence[str], first: int) -> Iterator[tuple[int, int]]:
    """(x, y) from 0 of the stones at the head of the lines; first: the number of the first column and row."""
    for line in lines:
        if match := _STONE.match(line):
            yield int(match[1]) - first, int(match[2]) - first
        elif line.strip():
            return


def _points(board: Board, places: Sequence[tuple[int, int]] | Iterator[tuple[int, int]]) -> Sequence[int]:
    points = []
    for number, (x, y) in enumerate(places, 1):
        try:
            points.append(board.point(x, y))
        except ValueError as error:
            raise ValueError(f"stone {number}: {error}") from None
    return points


_KINDS = {
    "": Kind(opening_lines, _points_of_line),
    "sgf": Kind(sgf_games, sgf_points),
    "psq": Kind(_game, _points_of_psq),
    "rec": Kind(_game, _points_of_rec),
}
