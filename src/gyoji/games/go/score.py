"""Counting a board that was played out: area, with every stone alive.

A region of empty points that both colours touch, or neither, counts for nobody.
"""

from decimal import Decimal

from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.games.go.board import Board

COMPENSATION_LESS = {"full": 0, "short": 1}
"""How many points fewer than handicap stones White gets; no entry: White gets none."""


def areas(board: Board, black: int, white: int) -> tuple[int, int]:
    """The sets of points that count for Black and for White."""
    empty = board.full ^ black ^ white
    near_black = board.flood(board.spread(black), empty)
    near_white = board.flood(board.spread(white), empty)
    both = near_black & near_white
    return black | near_black ^ both, white | near_white ^ both


def compensation(handicap: int, kind: str) -> int:
    """The points White gets for `handicap` stones (0: none were given).

    >>> [compensation(3, kind) for kind in ("no", "full", "short")], compensation(0, "short")
    ([0, 3, 2], 0)
    """
    return max(handicap - COMPENSATION_LESS.get(kind, handicap), 0)


def area_outcome(board: Board, black: int, white: int, *, komi: float, bonus: int) -> Outcome:
    """Who has more: Black's area against White's area, komi and `bonus`.

    Reckoned in decimals, so that a komi of 6.1 gives margins that a person would write.
    """
    for_black, for_white = areas(board, black, white)
    lead = for_black.bit_count() - for_white.bit_count() - bonus - Decimal(repr(komi))
    if not lead:
        return Outcome(points=shared(2), ending=Ending.SCORE, margin=0.0)
    return Outcome(points=won_by(0 if lead > 0 else 1, 2), ending=Ending.SCORE, margin=float(abs(lead)))
