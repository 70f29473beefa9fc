"""A finished game counted as a person counts it: which groups are dead is said, not found out.

Dead stones come off the board and missed dame are filled first. Then, by area, stones and surrounded points
count; by territory, surrounded points and prisoners (the stones taken in play and the dead ones) do. A point
is surrounded if the empty points it is joined to touch one colour only. Around a group that is said to live
in seki nothing counts but, by area, stones.

Nothing is told from how the game was played: a game goes on in clean-up phases, or it comes here.
"""

from decimal import Decimal
from typing import NamedTuple

from gyoji.games.go.board import Board
from gyoji.games.go.life import life_of, touched_alone
from gyoji.games.go.position import Position
from gyoji.games.go.score import Score
from gyoji.games.go.vertices import draw_signs


class Marks(NamedTuple):
    """A judge's marks on a position. All sets of points.

    dead          stones that come off, of either colour, whole groups.
    seki          stones whose eyes do not count, whole groups.
    black, white  empty points that are filled with a stone of that colour.
    """

    dead: int = 0
    seki: int = 0
    black: int = 0
    white: int = 0


class Count(NamedTuple):
    """A counted position. black, white: the points of the board that count, as sets.

    prisoners  (Black's, White's): the stones each has taken, dead ones included; (0, 0) by area.
    lead       White's points less Black's, komi and all.
    """

    black: int
    white: int
    prisoners: tuple[int, int]
    lead: Decimal


class Proposal(NamedTuple):
    """A proposal for counting a position, made without a person. All sets of points.

    alive  pass-alive stones of both colours.
    dead   stones in the other side's pass-alive territory.
    dame   empty points that touch, or are joined to what touches, living stones of both colours.
    """

    alive: int
    dead: int
    dame: int


def propose(board: Board, position: Position, *, suicide: bool) -> Proposal:
    """Propose only marks that are certain. Most dead groups get none: killing them would take moves."""
    black, white = position.black, position.white
    for_black = life_of(board, black, white, suicide=suicide)
    for_white = life_of(board, white, black, suicide=suicide)
    dead = for_black.secure & white | for_white.secure & black
    return Proposal(for_black.alive | for_white.alive, dead, dame_of(board, position, Marks(dead=dead)))


def group_at(board: Board, position: Position, point: int) -> int:
    """The group of the stone on `point` (a bit index). Raises ValueError if there is none."""
    bit = 1 << point
    for stones in (position.black, position.white):
        if bit & stones:
            return board.flood(bit, stones)
    raise ValueError("there is no stone")


def dame_of(board: Board, position: Position, marks: Marks) -> int:
    """The empty points that are nobody's once the marks are carried out."""
    black, white = cleared(position, marks)
    alone = touched_alone(board, black, white)
    return board.full & ~(black | white | alone[0] | alone[1])


def cleared(position: Position, marks: Marks) -> tuple[int, int]:
    """(black, white) with dead stones taken off and dame filled."""
    return position.black & ~marks.dead | marks.black, position.white & ~marks.dead | marks.white


def count(board: Board, position: Position, marks: Marks, *, is_territory: bool, extra: Decimal) -> Count:
    """The count of a marked position. extra: White's points off the board (komi, handicap, button)."""
    black, white = cleared(position, marks)
    eyes_black, eyes_white = touched_alone(board, black, white)
    if marks.seki:
        empty = board.full & ~(black | white)
        spoiled = board.flood(board.spread(marks.seki), empty)
        eyes_black, eyes_white = eyes_black & ~spoiled, eyes_white & ~spoiled
    if not is_territory:
        mine, yours = black | eyes_black, white | eyes_white
        return Count(mine, yours, (0, 0), yours.bit_count() - mine.bit_count() + extra)
    prisoners = (
        position.white_lost + (position.white & marks.dead).bit_count(),
        position.black_lost + (position.black & marks.dead).bit_count(),
    )
    on_board = eyes_white.bit_count() - eyes_black.bit_count()
    return Count(eyes_black, eyes_white, prisoners, on_board + prisoners[1] - prisoners[0] + extra)


def off_board(score: Score, komi: float) -> Decimal:
    """White's points that are not on the board, as the rules have them in `score`."""
    return Decimal(repr(komi)) + score.handicap + score.button


def picture(board: Board, position: Position, marks: Marks, counted: Count) -> str:
    """The board as it was counted: `LEGEND` says with which signs."""
    black, white = cleared(position, marks)
    signs = (
        (position.black & marks.dead, "x"),
        (position.white & marks.dead, "o"),
        (marks.black, "#"),
        (marks.white, "@"),
        (black, "X"),
        (white, "O"),
        (counted.black, "+"),
        (counted.white, "-"),
    )
    return draw_signs(board, signs)


LEGEND = "X # Black, O @ White (# and @ filled), x o dead, + Black's points, - White's, . nobody's"
