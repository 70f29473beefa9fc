"""Counting the board: area or territory, with or without a tax, and what is added to it.

Without a ruleset it is area with every stone alive: a region of empty points that both colours touch, or
neither, counts for nobody. With one, stones in the other side's pass-alive territory are dead (unless that
is switched off), and the tax decides what counts in groups that do not live independently (see `life`).

Prisoners need no counting under territory scoring. A stone that was played is either still on the board or
a prisoner, so "points and prisoners" differs from "points and own stones" by the number of plays; it is the
latter that is counted here, and the balance of plays put right afterwards.
"""

from decimal import Decimal
from typing import NamedTuple

from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.games.go.board import Board
from gyoji.games.go.life import areas_of, independent_life, settled_areas, touched_alone
from gyoji.games.go.phases import plays_balance
from gyoji.games.go.position import UNTAKEN, Position
from gyoji.games.go.rulesets import ALL, AREA, NONE, TERRITORY, Ruleset

COMPENSATION_LESS = {"full": 0, "short": 1}
"""How many points fewer than handicap stones White gets; no entry: White gets none."""

EYES = 2
"""The points of a living region that do not count under tax ALL."""


class Score(NamedTuple):
    """A count. black, white: the points that count for each, as sets.

    lead      White's points less Black's, everything included.
    tax       points taken off for living regions, White's less Black's.
    balance   Black's plays less White's, under territory scoring; else 0.
    button    half a point, positive for White; 0 without a button.
    handicap  White's points for handicap stones.
    """

    black: int
    white: int
    lead: Decimal
    tax: int = 0
    balance: int = 0
    button: Decimal = Decimal(0)
    handicap: int = 0


def areas(board: Board, black: int, white: int) -> tuple[int, int]:
    """The sets of points that count for Black and for White, with every stone alive."""
    alone_black, alone_white = touched_alone(board, black, white)
    return black | alone_black, white | alone_white


def compensation(handicap: int, kind: str) -> int:
    """The points White gets for `handicap` stones (0: none were given).

    >>> [compensation(3, kind) for kind in ("no", "full", "short")], compensation(0, "short")
    ([0, 3, 2], 0)
    """
    return max(handicap - COMPENSATION_LESS.get(kind, handicap), 0)


def plain_score(board: Board, position: Position, *, komi: float, bonus: int) -> Score:
    """The area, all stones alive. bonus: White's points for handicap stones.

    Reckoned in decimals, so that a komi of 6.1 gives margins that a person would write.
    """
    black, white = areas(board, position.black, position.white)
    lead = white.bit_count() - black.bit_count() + bonus + Decimal(repr(komi))
    return Score(black, white, lead, handicap=bonus)


def ruled_score(
    board: Board, position: Position, ruleset: Ruleset, *, komi: float, removes_dead: bool = True
) -> Score:
    """The score under a ruleset, of any position as it stands."""
    if ruleset.scoring == AREA:
        black, white, tax = _area(board, position, ruleset, removes_dead=removes_dead)
    else:
        black, white, tax = _territory(board, position, ruleset, removes_dead=removes_dead)
    return _summed(position, ruleset, komi, (black, white, tax))


def settled_score(board: Board, position: Position, ruleset: Ruleset, *, komi: float) -> Score | None:
    """The score if nothing is left to play for, None if something is: each point is its owner's."""
    owners = settled_areas(board, position.black, position.white, suicide=ruleset.suicide)
    if owners is None:
        return None
    tax = 0
    if ruleset.tax == ALL:
        regions = [len(board.pieces(area, area)) for area in owners]
        tax = EYES * (regions[1] - regions[0])
    return _summed(position, ruleset, komi, (*owners, tax))


def _summed(position: Position, ruleset: Ruleset, komi: float, counted: tuple[int, int, int]) -> Score:
    """The score: the points counted on the board, and everything that is added to them."""
    black, white, tax = counted
    notes = position.notes
    assert notes is not None
    balance = plays_balance(position) if ruleset.scoring == TERRITORY else 0
    button = Decimal(0)
    if ruleset.has_button:
        taker = position.to_play if notes.button == UNTAKEN else notes.button
        button = Decimal("0.5") if taker else Decimal("-0.5")
    handicap = ruleset.bonus_for(notes.handicap)
    on_board = white.bit_count() - black.bit_count() - tax
    lead = on_board + balance + button + handicap + Decimal(repr(komi))
    return Score(black, white, lead, tax, balance, button, handicap)


def _area(board: Board, position: Position, ruleset: Ruleset, *, removes_dead: bool) -> tuple[int, int, int]:
    """(Black's points, White's points, tax). In seki, under a tax, only the stones count."""
    areas = areas_of(
        board, position.black, position.white, suicide=ruleset.suicide, removes_dead=removes_dead
    )
    if ruleset.tax == NONE:
        return areas.black, areas.white, 0
    life = independent_life(board, areas)
    tax = EYES * (life.white_regions - life.black_regions) if ruleset.tax == ALL else 0
    return life.black | areas.black & position.black, life.white | areas.white & position.white, tax


def _territory(
    board: Board, position: Position, ruleset: Ruleset, *, removes_dead: bool
) -> tuple[int, int, int]:
    """(Black's points, White's points, tax), the stones that were paid for included.

    What lives independently counts whole. Elsewhere a stone counts if it stood there before the second
    clean-up phase began (a later one was free, and is worth nothing); a surrounded point if there is no tax.
    """
    stones = position.black, position.white
    areas = areas_of(board, *stones, suicide=ruleset.suicide, removes_dead=removes_dead)
    life = independent_life(board, areas)
    black, white = life.black, life.white
    if ruleset.tax == NONE:
        black |= areas.black & ~stones[0]
        white |= areas.white & ~stones[1]
    notes = position.notes
    paid_for = (notes.second_start if notes else None) or stones
    rest = board.full & ~(black | white)
    tax = EYES * (life.white_regions - life.black_regions) if ruleset.tax == ALL else 0
    return black | rest & stones[0] & paid_for[0], white | rest & stones[1] & paid_for[1], tax


def outcome_of(score: Score) -> Outcome:
    """Who has won by this score."""
    lead = score.lead
    if not lead:
        return Outcome(points=shared(2), ending=Ending.SCORE, margin=0.0)
    return Outcome(points=won_by(1 if lead > 0 else 0, 2), ending=Ending.SCORE, margin=float(abs(lead)))
