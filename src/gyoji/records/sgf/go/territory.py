"""The last position of a game of Go and who owns what there: SGF's TB and TW, from the rules and to them.

In SGF the territory of a side is every point that is its own without holding its own stone: surrounded
points and the dead stones of the other side. So TB and TW say which stones are dead.
"""

from collections.abc import Sequence

from gyoji.core.outcome import Ending, Outcome
from gyoji.games.go import GoRules, Position
from gyoji.games.go.board import bits
from gyoji.games.go.position import SETTLED
from gyoji.games.go.score import Score, outcome_of
from gyoji.records.sgf.points import Point, format_points


def score_of(rules: GoRules, position: Position) -> Score:
    """The score by which a game that is over was decided, or of a position as it stands."""
    settled = rules.settled_score(position) if position.passes == SETTLED else None
    return settled or rules.score(position)


def territory(rules: GoRules, position: Position, outcome: Outcome) -> tuple[list[str], list[str]]:
    """The points of TB and of TW as SGF writes them. position: without the stones that are dead.

    Both are empty unless the rules' count of the position is what decided the game: if the engines or a
    person counted otherwise, nobody knows which points they gave to whom.
    """
    if outcome.ending is not Ending.SCORE or rules.acting(position):
        return [], []
    score = score_of(rules, position)
    counted = outcome_of(score)
    if (counted.points, counted.margin or 0) != (outcome.points, outcome.margin or 0):
        return [], []
    owned = score.black & ~position.black, score.white & ~position.white
    black, white = (
        format_points([rules.column_row(point) for point in bits(points)], rules.width, rules.height)
        for points in owned
    )
    return black, white


def without_dead(
    rules: GoRules, position: Position, marked: tuple[Sequence[Point], Sequence[Point]]
) -> tuple[Position, int]:
    """The position without the stones that stand in territory of the other side, and how many those are.

    marked: the points of TB and of TW. What is taken off are prisoners, as if it had been captured.
    """
    for_black, for_white = (sum(1 << rules.point(*point) for point in set(points)) for points in marked)
    dead_black, dead_white = position.black & for_white, position.white & for_black
    black_lost, white_lost = dead_black.bit_count(), dead_white.bit_count()
    after = position._replace(
        black=position.black ^ dead_black,
        white=position.white ^ dead_white,
        black_lost=position.black_lost + black_lost,
        white_lost=position.white_lost + white_lost,
    )
    return after, black_lost + white_lost
