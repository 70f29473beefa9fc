"""The score of a game that was played out, by what the players' engines say of it. Pure.

The table is the ringmaster's: an engine that is not asked, fails or talks nonsense has no opinion.
"""

import sys
from collections.abc import Sequence

from gyoji.core.messages import Scored
from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.core.ruling import WAITING

NOT_SCORED = "not scored yet"
"""The detail of a game that an engine without a seat has to score."""


def agreed_outcome(opinions: Sequence[Scored], teams: Sequence[int]) -> Outcome:
    """The outcome that the engines' opinions add up to; `teams` is the team of each seat.

    No usable opinion, or different winners: undecided. The same winner with different margins, or with a
    margin only one of them knows: won by an unknown margin. One opinion: that one.
    """
    usable = [opinion for opinion in opinions if opinion.is_level or opinion.winner is not None]
    if not usable:
        return Outcome(points=None, ending=Ending.SCORE, detail="no score reported")
    winners = {None if opinion.winner is None else teams[opinion.winner] for opinion in usable}
    if len(winners) > 1:
        return Outcome(points=None, ending=Ending.SCORE, detail="players disagreed")
    winner = winners.pop()
    count = len(set(teams))
    if winner is None:
        return Outcome(points=shared(count), ending=Ending.SCORE, margin=0.0)
    margins = {opinion.margin for opinion in usable}
    margin = margins.pop() if len(margins) == 1 else None
    detail = "" if margin is not None else "unknown margin"
    return Outcome(points=won_by(winner, count), ending=Ending.SCORE, margin=margin, detail=detail)


def counts_otherwise(opinion: Scored, counted: Outcome, teams: Sequence[int]) -> bool:
    """Whether an engine's opinion is another one than the score by the rules; None of a margin fits any.

    >>> counted = Outcome(points=(0.0, 1.0), ending=Ending.SCORE, margin=3.5)
    >>> said = (Appraised("W+3.5", 1, margin=3.5), Appraised("W+", 1), Appraised("B+3.5", 0, margin=3.5))
    >>> [counts_otherwise(each, counted, (0, 1)) for each in said]
    [False, False, True]
    """
    if opinion.winner is None:
        return opinion.is_level and not counted.is_level
    margins = (opinion.margin, counted.margin)
    return teams[opinion.winner] != counted.winner or (None not in margins and margins[0] != margins[1])


def is_possible(opinion: Scored, margins: tuple[float, float] | None) -> bool:
    """Whether an opinion can be true. margins: by how much each seat can have won at most, if that is known.

    >>> said = (Appraised("B+9", 0, margin=9.0), Appraised("W+9", 1, margin=9.0), Appraised("B+", 0))
    >>> [is_possible(each, (8.5, 9.5)) for each in said]
    [False, True, True]
    """
    if opinion.winner is None or opinion.margin is None:
        return True
    return opinion.margin <= (margins[opinion.winner] if margins else sys.float_info.max)


def refined_outcome(said: Outcome, counted: Outcome) -> Outcome:
    """The outcome where engines differ about the score: the count, unless they agree on another winner."""
    is_open = said.points is None
    return counted if is_open or said.winner == counted.winner else said


def unscored_outcome(scorer: str) -> Outcome:
    """The outcome of a game that was played out, and that somebody without a seat will score."""
    detail = WAITING if scorer == "judge" else NOT_SCORED
    return Outcome(points=None, ending=Ending.SCORE, detail=detail)
