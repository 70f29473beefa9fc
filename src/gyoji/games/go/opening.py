"""The opening of a Go game: handicap stones, set-up stones, and moves.

Fixed handicap stones follow the table of GTP version 2, section 4.1.1, which knows square boards only.
Stones lie on the fourth line from 13x13 on, else on the third, and are placed in the order of the table.

An opening as text has set-up stones after AB and AW, the side to move after PL, then alternating moves, each
with or without its colour before it. Blanks, commas or semicolons separate words; case is ignored::

    D4 Q16 pass C3               four moves, Black's first
    B D4 W Q16                   the same as D4 Q16
    AB D4 Q16 AW C3 PL W K10     three stones, then White K10
"""

import re
from collections.abc import Container, Sequence
from typing import NamedTuple

from gyoji.core.boards import bits
from gyoji.core.text import quote
from gyoji.games.go.board import PASS, Board, Move, Vertices

_CORNERS_AND_EDGES = ((0, 0), (2, 2), (0, 2), (2, 0), (0, 1), (2, 1), (1, 0), (1, 2))
"""Fixed handicap points in the order of the table, as (column, row): 0 left or bottom, 1 middle, 2 right or
top.

An odd handicap from 5 on has its last stone in the middle of the board.
"""


def most_fixed(width: int, height: int) -> int:
    """Return the greatest fixed handicap of a board; 0 if it has none.

    >>> [most_fixed(side, side) for side in (6, 7, 8, 9, 10, 19)], most_fixed(9, 19)
    ([0, 4, 4, 9, 4, 9], 0)
    """
    if width != height or width < 7:
        return 0
    return 9 if width % 2 and width >= 9 else 4


def fixed_points(side: int, handicap: int) -> tuple[tuple[int, int], ...]:
    """Return the (x, y) of the fixed handicap points on a square board, from the bottom left.

    Raises ValueError if the board has no such handicap (see `most_fixed`).

    >>> fixed_points(7, 2)
    ((2, 2), (4, 4))
    """
    if not 2 <= handicap <= most_fixed(side, side):
        raise ValueError(f"got {handicap} fixed handicap stones on {side}x{side}")
    line = 3 if side >= 13 else 2
    lines = (line, side // 2, side - 1 - line)
    has_middle = handicap in (5, 7, 9)
    stones = (*_CORNERS_AND_EDGES[: handicap - has_middle], *[(1, 1)] * has_middle)
    return tuple((lines[column], lines[row]) for column, row in stones)


def checked_placement(move: Move, stones: int, points: Container[Move], names: Vertices) -> tuple[int, ...]:
    """Check a placement of handicap stones that Black chose (free handicap), and return its points.

    Args:
        move: The move, which must be a placement.
        stones: The number of stones that it must have, on different points.
        points: The points on which a stone may be placed.
        names: The names of points, for messages.

    Raises:
        ValueError: The placement is invalid.
    """
    expected = f"expected {stones} handicap stones"
    if not isinstance(move, tuple):
        raise ValueError(f"{expected}, got one move: {_shown(move, names)}")
    if len(move) != stones:
        raise ValueError(f"{expected}, got {len(move)}")
    for number, point in enumerate(move):
        if point not in points:
            raise ValueError(f"no point for a handicap stone: {_shown(point, names)}")
        if point in move[:number]:
            raise ValueError(f"two handicap stones at {_shown(point, names)}")
    return move


def _shown(move: Move, names: Vertices) -> str:
    try:
        return names.format(move)
    except ValueError:
        return quote(repr(move))


_BETWEEN = re.compile(r"[\s,;]+")
_SETUP = {"AB": 0, "AW": 1}
_COLOURS = {"B": 0, "BLACK": 0, "W": 1, "WHITE": 1}


class Opening(NamedTuple):
    """The opening of a Go game: set-up stones, then moves.

    Attributes:
        black: The points of black set-up stones. `white` is the same for White.
        to_play: The seat that makes the first move.
        moves: Alternating moves: points, or `PASS`.
    """

    black: tuple[int, ...] = ()
    white: tuple[int, ...] = ()
    to_play: int = 0
    moves: tuple[Move, ...] = ()

    @property
    def is_set_up(self) -> bool:
        """Whether there are set-up stones."""
        return bool(self.black or self.white)

    @property
    def handicap(self) -> int:
        """The number of handicap stones: black set-up stones if two or more and no white ones, else 0."""
        return len(self.black) if len(self.black) > 1 and not self.white else 0

    @property
    def turns(self) -> tuple[tuple[int, Move], ...]:
        """The moves as (seat, move)."""
        return tuple((self.to_play ^ index & 1, move) for index, move in enumerate(self.moves))

    # GTP has no command that sets up both colours, so engines get set-up stones as plays.
    @property
    def plays(self) -> tuple[tuple[int, Move], ...]:
        """The opening as plays, (seat, move) each, for engines that cannot set up stones of both colours.

        White's set-up stones come first, because some engines take Black's plays before any of White's as
        a handicap. Then Black's, then the moves. Playing the set-up stones captures nothing, in any order,
        because on the set-up board every group has a liberty (`check_set_up`).
        """
        setup = (*((1, point) for point in self.white), *((0, point) for point in self.black))
        return (*setup, *self.turns)


def read_opening(text: str, names: Vertices, *, first: int = 0) -> Opening:
    """Parse an opening. After black set-up stones alone, White moves first, as after a handicap.

    Args:
        first: The seat that moves first if the text does not say.

    Raises:
        ValueError: The text is no opening.
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
    """Return the opening with these set-up stones and moves.

    Args:
        setup: The black and the white stones.
        to_play: The seat that moves first; None if the text does not say.
        plays: (colour, move) pairs. The colour is None if the text does not say.
        first: The seat that moves first if neither `to_play` nor the first colour says.

    Raises:
        ValueError: A move is out of turn.
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
    """Return an opening as text.

    Args:
        first: The seat that moves first if the text does not say.
    """
    words: list[str] = []
    for word, points in (("AB", opening.black), ("AW", opening.white)):
        words += [word, *map(names.format, points)] if points else []
    if opening.is_set_up or opening.to_play != first:
        words += ["PL", "BW"[opening.to_play]]
    return " ".join([*words, *map(names.format, opening.moves)])


def check_set_up(opening: Opening, board: Board, names: Vertices) -> None:
    """Raise ValueError if two stones share a point or a stone has no liberty."""
    seen: set[int] = set()
    for point in (*opening.black, *opening.white):
        if point in seen:
            raise ValueError(f"two stones are set up at {names.format(point)}")
        seen.add(point)
    sides = [sum(1 << point for point in points) for points in (opening.black, opening.white)]
    if smothered := smothered_stones(board, sides[0], sides[1]):
        raise ValueError(f"the stones set up have no liberty at {names.format(next(bits(smothered)))}")


def smothered_stones(board: Board, black: int, white: int) -> int:
    """Return the set of stones without a liberty. A board that arises in play has none."""
    beside = board.spread(board.full ^ black ^ white)
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
