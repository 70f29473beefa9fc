"""Checks of a relay: is its runner there, and does it play a game to a result that can be read?"""

from gyoji.core.describe import describe_result
from gyoji.core.plugins import GAMES
from gyoji.core.spec import GameSpec
from gyoji.executors.local import wrong_with
from gyoji.play.game import play
from gyoji.play.order import Order


def runner_problem(spec: GameSpec) -> str:
    """Return the reason, in a line, why the runner of a game cannot be started; "" if it can."""
    assert spec.umpire is not None, "the game of a relay"
    problem = wrong_with(spec.umpire.command[0])
    return f"relay: {problem}" if problem else ""


def trial_game(spec: GameSpec) -> tuple[str, str]:
    """Play a game by its runner, and return (its result in words, why it is void); one of them is "" ."""
    report = play(Order(spec=spec))
    if report.record is None:
        return "", report.void.reason if report.void is not None else "the game had no end"
    return describe_result(report.record.result, GAMES.find(spec.game).result_words), ""
