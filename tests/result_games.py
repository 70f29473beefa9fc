"""Finished games in few words, for the tests of formats and what they share."""

from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.core.record import EngineReport, GameResult

WON, LOST, LEVEL = (
    Outcome(points=won_by(0, 2), ending=Ending.SCORE),
    Outcome(points=won_by(1, 2), ending=Ending.RESIGNATION, seat=0),
    Outcome(points=shared(2), ending=Ending.SCORE),
)
UNKNOWN = Outcome(points=None, ending=Ending.MOVE_LIMIT)
LATE = Outcome(points=won_by(1, 2), ending=Ending.TIME, seat=0)
ILLEGAL = Outcome(points=won_by(1, 2), ending=Ending.ILLEGAL_MOVE, seat=0)
"""Outcomes, told from the first seat."""


def game(players, outcome=WON, *, name="x_0", pairing=None, turns=10, think=0, cpu=None, sides=(), teams=()):
    """Return a finished game of these players, in seat order."""
    return GameResult(
        id=name,
        pairing=name.rpartition("_")[0] if pairing is None else pairing,
        players=tuple(players),
        outcome=outcome,
        turns=turns,
        engines=tuple(EngineReport(name=code, cpu_ns=cpu, think_ns=think) for code in players),
        started="2026-11-21T01:00:00Z",
        wall_ns=1,
        sides=sides,
        teams=teams,
    )
