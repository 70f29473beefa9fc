"""Games on a machine that may stand still: what is void by that is played again, as a run does."""

from gyoji.core.spec import GameSpec
from gyoji.play.game import play
from gyoji.play.order import Order, Report

MOST = 5
"""Times that a game is played: a machine that stands still so often in a row has to be looked at."""


def play_through(spec: GameSpec) -> Report:
    """Return the report of a game during which the machine did not stand still; of the last one if it always
    did.
    """
    for _ in range(MOST):
        report = play(Order(spec=spec))
        if report.void is None or "the machine stood still" not in report.void.reason:
            break
    return report
