"""Scores of Go: area or territory, with or without a tax, komi and bonuses included."""

# Theory of operation
# -------------------
# Without a ruleset the score is the area with every stone alive: a region of empty points counts for the one
# colour that it touches, and for neither if it touches both or none.
#
# With a ruleset, stones in the other side's pass-alive territory are dead (the house rule `literal` switches
# that off), and the tax decides which points count in groups that do not live independently (`life`).
#
# Territory scoring counts no prisoners one by one. Each stone played is either still on the board or was
# captured (captured = plays - stones). With T for surrounded points, White's lead is
#
#    (Tw + captured black) - (Tb + captured white)
#      = (Tw + white stones) - (Tb + black stones) + (black plays - white plays)
#
# The last term is `phases.plays_balance`. So `_territory` counts, besides the surrounded points, a side's
# stones that were on the board before the second clean-up phase. Stones played in that phase, where plays are
# free, count nothing.
#
# Numbers are Decimals, so that a komi of 6.1 gives margins as a human player would write them. `lead` is
# always White's points minus Black's. Every function here is pure; `GoRules.score` caches the last result.

from decimal import Decimal
from typing import NamedTuple

from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.games.go.board import Board
from gyoji.games.go.life import areas_of, independent_life, settled_areas, touched_alone
from gyoji.games.go.phases import plays_balance
from gyoji.games.go.position import UNTAKEN, Position
from gyoji.games.go.rulesets import ALL, AREA, NONE, TERRITORY, Ruleset

COMPENSATION_LESS = {"full": 0, "short": 1}
"""The number of handicap stones minus White's points for them. For other kinds White gets none."""

EYES = 2
"""The number of points of a living region that do not count under tax ALL."""


class Score(NamedTuple):
    """The points of both sides, and the difference, which decides the game.

    Attributes:
        black: The set of points that count for Black. `white` is the same for White.
        lead: White's points minus Black's, including komi and all fields below.
        tax: Points deducted for living regions, White's minus Black's.
        balance: Black's plays minus White's under territory scoring, else 0.
        button: Half a point for the side that took the button, positive for White; 0 without a button.
        handicap: White's points for handicap stones.
    """

    black: int
    white: int
    lead: Decimal
    tax: int = 0
    balance: int = 0
    button: Decimal = Decimal(0)
    handicap: int = 0


def compensation(handicap: int, kind: str) -> int:
    """Return White's points for `handicap` stones; 0 stones means no handicap.

    >>> [compensation(3, kind) for kind in ("no", "full", "short")], compensation(0, "short")
    ([0, 3, 2], 0)
    """
    return max(handicap - COMPENSATION_LESS.get(kind, handicap), 0)


def area_score(board: Board, position: Position, *, komi: float, bonus: int) -> Score:
    """Return the area score with all stones alive.

    Args:
        bonus: White's points for handicap stones.
    """
    alone_black, alone_white = touched_alone(board, position.black, position.white)
    black, white = position.black | alone_black, position.white | alone_white
    lead = white.bit_count() - black.bit_count() + bonus + Decimal(repr(komi))
    return Score(black, white, lead, handicap=bonus)


def ruled_score(
    board: Board, position: Position, ruleset: Ruleset, *, komi: float, removes_dead: bool = True
) -> Score:
    """Return the score of any position as it is, under a ruleset.

    Args:
        removes_dead: Whether stones in the other side's pass-alive territory are dead.
    """
    if ruleset.scoring == AREA:
        black, white, tax = _area(board, position, ruleset, removes_dead=removes_dead)
    else:
        black, white, tax = _territory(board, position, ruleset, removes_dead=removes_dead)
    return _summed(position, ruleset, komi, (black, white, tax))


def settled_score(board: Board, position: Position, ruleset: Ruleset, *, komi: float) -> Score | None:
    """Return the score if every point is settled (belongs to one side for certain), else None."""
    owners = settled_areas(board, position.black, position.white, suicide=ruleset.suicide)
    if owners is None:
        return None
    tax = 0
    if ruleset.tax == ALL:
        regions = [len(board.pieces(area, area)) for area in owners]
        tax = EYES * (regions[1] - regions[0])
    return _summed(position, ruleset, komi, (*owners, tax))


def _summed(position: Position, ruleset: Ruleset, komi: float, counted: tuple[int, int, int]) -> Score:
    """Return the score: the points counted on the board, with balance, button, handicap and komi.

    Args:
        counted: The result of `_area` or `_territory`.
    """
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
    """Return the points that count under area scoring, and the tax on living regions.

    Under a tax, points surrounded by a group in seki do not count; its stones do.

    Args:
        removes_dead: Whether stones in the other side's pass-alive territory are dead.

    Returns:
        (the set of points that count for Black, as bits; the same for White; White's tax minus Black's, a
        number of points). The sets still contain the points for which the tax is due: `_summed` deducts it.
    """
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
    """Count a position under territory scoring.

    All points of an independently living region count. Elsewhere a stone counts if it was there before the
    second clean-up phase, because its play cost a point, and a surrounded point counts if there is no tax.

    Returns:
        (points that count for Black, points that count for White, tax: points deducted for living regions,
        White's minus Black's).
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
    """Return the outcome of a score."""
    lead = score.lead
    if not lead:
        return Outcome(points=shared(2), ending=Ending.SCORE, margin=0.0)
    return Outcome(points=won_by(1 if lead > 0 else 0, 2), ending=Ending.SCORE, margin=float(abs(lead)))
