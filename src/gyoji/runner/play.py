"""Play one game in this process and wait for it. What the slots of a scheduler are given to run."""

from gyoji.runner.game import set_up
from gyoji.runner.house import House
from gyoji.runner.order import Order, Report


def play(order: Order) -> Report:
    """The report of the game that `order` describes, played here and now.

    Must be called from the main thread: engines die with the thread that started them.
    """
    house = House()
    reports: list[Report | None] = []
    game = set_up(house, order, reports.append)
    try:
        if game is not None:
            game.begin()
            house.loop.run(lambda: reports)
    finally:
        if game is not None and not reports:
            game.abandon()
            house.loop.run(lambda: reports)
        house.close()
    report = reports[0]
    assert report is not None, "nobody abandons this game"
    return report
