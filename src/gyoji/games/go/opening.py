"""The beginning of a game of Go: handicap stones, stones set up, and moves.

The source of the fixed handicap stones is the table of GTP version 2, section 4.1.1, which knows square
boards only: stones lie on the fourth line from 13x13 on, else on the third, and are placed in the order of
the table.

An opening as text: set-up stones after AB and AW, the side to move after PL, then the moves from there in
turns, each perhaps with its colour before it. Words are parted by blanks, commas or semicolons, in any case::

    D4 Q16 pass C3               four moves, Black's first
    B D4 W Q16                   the same as D4 Q16
    AB D4 Q16 AW C3 PL W K10     three stones, then White K10
"""

import re
from collections.abc import Callable, Container, Sequence
from typing import NamedTuple

from gyoji.core.boards import bits
from gyoji.core.text import quote
from gyoji.games.go.board import PASS, Board, Move, Vertices

CORNERS_AND_EDGES = {
    # left, middle, right (0, 1, 2) and bottom, middle, top
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (2, 2), (0, 2)),
    4: ((0, 0), (2, 2), (0, 2), (2, 0)),
    5: ((0, 0), (2, 2), (0, 2), (2, 0), (1, 1)),
    6: ((0, 0), (2, 2), (0, 2), (2, 0), (0, 1), (2, 1)),
    7: ((0, 0), (2, 2), (0, 2), (2, 0), (0, 1), (2, 1), (1, 1)),
    8: ((0, 0), (2, 2), (0, 2), (2, 0), (0, 1), (2, 1), (1, 0), (1, 2)),
    9: ((0, 0), (2, 2), (0, 2), (2, 0), (0, 1), (2, 1), (1, 0), (1, 2), (1, 1)),
}


def most_fixed(width: int, height: int) -> int:
    """The largest fixed handicap of a board; 0 if it has none.

    >>> [most_fixed(side, side) for side in (6, 7, 8, 9, 10, 19)], most_fixed(9, 19)
    ([0, 4, 4, 9, 4, 9], 0)
    """
    if width != height or width < 7:
        return 0
    return 9 if width % 2 and width >= 9 else 4


def most_free(width: int, height: int) -> int:
    """The largest free handicap: one point stays empty. Less than 2 means that there is none."""
    return width * height - 1


def fixed_points(side: int, handicap: int) -> tuple[tuple[int, int], ...]:
    """The (x, y) of the fixed stones on a square board, from the bottom left.

    >>> fixed_points(7, 2)
    ((2, 2), (4, 4))
    """
    if not 2 <= handicap <= most_fixed(side, side):
        raise ValueError(f"got {handicap} fixed handicap stones on {side}x{side}")
    line = 3 if side >= 13 else 2
    lines = (line, side // 2, side - 1 - line)
    return tuple((lines[column], lines[row]) for column, row in CORNERS_AND_EDGES[handicap])


def checked_placement(
    move: Move, stones: int, points: Container[Move], shown: Callable[[Move], str]
) -> tuple[int, ...]:
    """The points of a free handicap, which must be exactly `stones` different ones of the board's `points`.

    Raises ValueError saying what is wrong; `shown` puts a move in words.
    """
    expected = f"expected {stones} handicap stones"
    if not isinstance(move, tuple):
        raise ValueError(f"{expected}, got one move: {shown(move)}")
    if len(move) != stones:
        raise ValueError(f"{expected}, got {len(move)}")
    for number, point in enumerate(move):
        if point not in points:
            raise ValueError(f"no point for a handicap stone: {shown(point)}")
        if point in move[:number]:
            raise ValueError(f"two handicap stones at {shown(point)}")
    return move


_BETWEEN = re.compile(r"[\s,;]+")
_SETUP = {"AB": 0, "AW": 1}
_COLOURS = {"B": 0, "BLACK": 0, "W": 1, "WHITE": 1}


class Opening(NamedTuple):
    """black, white: the stones set up; to_play: whose turn is then; moves: in turns from there."""

    black: tuple[int, ...] = ()
    white: tuple[int, ...] = ()
    to_play: int = 0
    moves: tuple[Move, ...] = ()

    @property
    def is_set_up(self) -> bool:
        """Whether there are stones that nobody has played."""
        return bool(self.black or self.white)

    @property
    def handicap(self) -> int:
        """How many of the stones count as a handicap: two black ones or more, and no white one."""
        return len(self.black) if len(self.black) > 1 and not self.white else 0

    @property
    def turns(self) -> tuple[tuple[int, Move], ...]:
        """(seat, move) of the moves."""
        return tuple((self.to_play ^ index & 1, move) for index, move in enumerate(self.moves))

    @property
    def plays(self) -> tuple[tuple[int, Move], ...]:
        """(seat, move) by which a board comes to this, in an order that every engine takes.

        White's set-up stones are the first: Black's plays before any of White's are a handicap to some
        engines. Nothing is captured on the way: no group of the whole lacks a liberty, so no part does.
        """
        setup = (*((1, point) for point in self.white), *((0, point) for point in self.black))
        return (*setup, *self.turns)


def read_opening(text: str, names: Vertices, *, first: int = 0) -> Opening:
    """The opening that a text writes; first: who moves first unless it says so. Raises ValueError.

    After black stones alone White is to move, as after a handicap, unless it is said otherwise.
    """
    setup: tuple[list[int], list[int]] = ([], [])
    plays: list[tuple[int | None, Move]] = []  # (colour if it is said, move)
    to_play: int | None = None
    into: list[int] | None = None  # where points go: a side's set-up stones, or None for moves
    words = [word for word in _BETWEEN.split(text) if word]
    place = 0
    while place < len(words):
        word = words[place].upper()
        place += 1
        if word in _SETUP or word == "PL":
            if plays:
                raise ValueError(f"got {word} after move {len(plays)}, expected it before the moves")
            into = setup[_SETUP[word]] if word in _SETUP else None
            if word == "PL":
                to_play = _colour(words[place : place + 1])
                place += 1
        elif word in _COLOURS:
            into = None
            plays.append((_COLOURS[word], _move(words[place : place + 1], names)))
            place += 1
        elif into is not None:
            into.append(_point(word, names))
        else:
            plays.append((None, _move([word], names)))
    return made_opening(setup, to_play, plays, first=first)


def made_opening(
    setup: tuple[Sequence[int], Sequence[int]],
    to_play: int | None,
    plays: Sequence[tuple[int | None, Move]],
    *,
    first: int = 0,
) -> Opening:
    """The opening of these stones and (colour, move) pairs, of which each colour that is given is checked.

    Raises ValueError for a move out of turn.
    """
    if to_play is None and plays:
        to_play = plays[0][0]
    if to_play is None:
        to_play = 1 if setup[0] and not setup[1] else first
    for number, (colour, _) in enumerate(plays):
        turn = to_play ^ number & 1
        if colour not in (None, turn):
            expected, got = "BW"[turn], "BW"[1 - turn]
            raise ValueError(f"move {number + 1}: got {got}, expected {expected} (a pass, or stones set up)")
    return Opening(tuple(setup[0]), tuple(setup[1]), to_play, tuple(move for _, move in plays))


def format_opening(opening: Opening, names: Vertices, *, first: int = 0) -> str:
    """The text of an opening; first: who moves first without a word."""
    words: list[str] = []
    for word, points in (("AB", opening.black), ("AW", opening.white)):
        words += [word, *map(names.format, points)] if points else []
    if opening.is_set_up or opening.to_play != first:
        words += ["PL", "BW"[opening.to_play]]
    return " ".join([*words, *map(names.format, opening.moves)])


def check_set_up(opening: Opening, board: Board, names: Vertices) -> None:
    """Raise ValueError for stones that cannot stand so."""
    seen: set[int] = set()
    for point in (*opening.black, *opening.white):
        if point in seen:
            raise ValueError(f"two stones are set up at {names.format(point)}")
        seen.add(point)
    sides = [sum(1 << point for point in points) for points in (opening.black, opening.white)]
    if smothered := smothered_stones(board, sides[0], sides[1]):
        raise ValueError(f"the stones set up have no liberty at {names.format(next(bits(smothered)))}")


def smothered_stones(board: Board, black: int, white: int) -> int:
    """The stones without a liberty, as a set: on a board that play leads to there are none."""
    empty = board.full ^ black ^ white
    beside = board.spread(empty)
    return sum(stones & ~board.flood(beside, stones) for stones in (black, white))


def _colour(words: Sequence[str]) -> int:
    if not words or words[0].upper() not in _COLOURS:
        raise ValueError(f"got PL {quote(words[0] if words else '')}, expected PL B or PL W")
    return _COLOURS[words[0].upper()]


def _move(words: Sequence[str], names: Vertices) -> Move:
    if not words:
        raise ValueError("got a colour at the end, expected a move after it")
    return names.parse(words[0])


def _point(word: str, names: Vertices) -> int:
    point: int = names.parse(word)
    if point == PASS:
        raise ValueError("got a pass among the stones set up, expected vertices such as D4")
    return point
