"""Play one game in this process and wait for it. What the slots of a scheduler are given to run."""

from gyoji.runner.context import WorkerContext
from gyoji.runner.game import set_up
from gyoji.runner.order import Order, Report


def play(order: Order) -> Report:
    """The report of the game that `order` describes, played here and now.

    Must be called from the main thread: engines die with the thread that started them.
    """
    context = WorkerContext()
    reports: list[Report | None] = []
    game = set_up(context, order, reports.append)
    try:
        if game is not None:
            game.begin()
            context.loop.run(lambda: reports)
    finally:
        if game is not None and not reports:
            game.abandon()
            context.loop.run(lambda: reports)
        context.close()
    report = reports[0]
    assert report is not None, "nobody abandons this game"
    return report
