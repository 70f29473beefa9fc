"""Checks of a relay: whether its runner can be started, and whether it plays a game with a readable
result.
"""

from gyoji.core.describe import describe_result
from gyoji.core.plugins import GAMES
from gyoji.core.spec import GameSpec
from gyoji.executors.local import wrong_with
from gyoji.play.game import play
from gyoji.play.order import Order


def runner_problem(spec: GameSpec) -> str:
    """Return why the runner of a game cannot be started, in one line; "" if it can."""
    assert spec.umpire is not None, "the game of a relay"
    problem = wrong_with(spec.umpire.command[0])
    return f"relay: {problem}" if problem else ""


def trial_game(spec: GameSpec) -> tuple[str, str]:
    """Let the runner play a game.

    Returns:
        (the result in words, ""), or for a void game ("", the reason).
    """
    report = play(Order(spec=spec))
    if report.record is None:
        return "", report.void.reason if report.void is not None else "the game had no end"
    return describe_result(report.record.result, GAMES.find(spec.game).result_words), ""
