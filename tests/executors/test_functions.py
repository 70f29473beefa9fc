"""Functions as players: called one after the other, or each in a thread behind a channel."""

import threading

import pytest

from gyoji import api
from gyoji.core.clocks import TimeControl
from gyoji.core.outcome import Ending
from gyoji.core.spec import Budgets, Containment, GameSpec, Player
from gyoji.executors.functions import FunctionExecutor
from gyoji.play.context import WorkerContext
from gyoji.play.game import Game, play
from gyoji.play.order import Order


def through_channels(game, functions, *, budgets=Budgets(), **settings):  # noqa: B008 (it is a value)
    """(the report of a game, what starts the functions): as `api.play` plays, but in a loop."""
    players = tuple(
        Player(
            code=f"player {seat + 1}",
            command=(str(seat),),
            executor="function",
            containment=Containment(level="off"),
            budgets=budgets,
        )
        for seat in range(len(functions))
    )
    spec = GameSpec(id="game", pairing="", game=game, players=players, **settings)
    starter = FunctionExecutor({str(seat): function for seat, function in enumerate(functions)})
    return play(Order(spec=spec), starters={"function": starter}), starter


class Talker:
    """A player of Go that agrees to everything, knows a move, and says what is on its list."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.notices = []
        self.asked = []

    def __call__(self, question):
        if question.notice:
            self.notices.append(question.notice)
        return self.answers.pop(0)

    def consent(self, wish, seat):
        self.asked.append((wish, seat))
        return wish == "take-back"

    def advise(self, question):
        return "c3" if question.seat == 0 else "nonsense"


def talkers():
    good = api.Evaluation(score=3.5, win=0.7, pv=("c3", "d4"))
    return (
        Talker(api.Answer("c3", "a fine move", good), api.WantsTakeBack(), api.WantsAdvice(), "b2", None),
        Talker("d4", api.OffersDraw(), api.WantsAdvice(), api.Answer("e5")),
    )


def facts(record):
    """All of a record but how long things took, and how engines ended."""
    moves = [[(each.seat, each.move, each.comment) for each in turn] for turn in record.turns]
    taken = [(each.seat, each.turn, len(each.moves)) for each in record.taken_back]
    return moves, taken, record.opinions, record.result.outcome, record.result.warnings, record.result.late


def test_a_game_of_functions_is_the_same_called_in_turn_or_through_channels():
    first, second = talkers(), talkers()
    wishes = {"take_backs": "ask", "draw_offers": True, "advice": True}
    options = {"board_size": 5, "komi": 0.5}
    record = api.play("go", first, wishes=["take-back", "draw", "advice"], **options)
    report, _ = through_channels("go", second, options=options, **wishes)
    assert facts(record) == facts(report.record)
    assert [[each.notices, each.asked] for each in first] == [[each.notices, each.asked] for each in second]
    assert first[0].notices == ["advice: C3"]
    assert first[1].notices == [
        "player 1 declines the draw",
        "no advice: it advises no move",
    ]
    assert first[1].asked == [("take-back", 0)]
    assert record.result.outcome.ending is Ending.RESIGNATION
    assert [turn[0].move for turn in record.turns] == ["B2", "E5"]


def test_a_long_game_of_functions_needs_no_deep_stack():
    report, _ = through_channels("gomoku", [api.first_legal] * 2, options={"board_size": 20}, move_limit=399)
    straight = api.play("gomoku", [api.first_legal] * 2, board_size=20, move_limit=399)
    assert facts(straight) == facts(report.record)


def test_what_a_function_raises_behind_a_channel_is_its_fault_and_is_kept():
    def fails(_question):
        return 1 // 0

    report, starter = through_channels("gomoku", [fails, api.first_legal])
    outcome = report.record.result.outcome
    assert (outcome.winner, outcome.ending) == (1, Ending.FAULT)
    assert "raised ZeroDivisionError: integer division or modulo by zero" in outcome.detail
    assert [type(error) for error in starter.raised] == [ZeroDivisionError]


def test_a_function_that_leaves_the_interpreter_is_heard_of():
    def leaves(_question):
        raise SystemExit(3)

    report, _ = through_channels("gomoku", [leaves, api.first_legal])
    assert "raised SystemExit: 3" in report.record.result.outcome.detail


@pytest.mark.parametrize(("clock", "ending"), [("0.2s", Ending.TIME), ("none", Ending.FAULT)])
def test_a_function_that_does_not_return_loses_and_hangs_nobody(clock, ending):
    held = threading.Event()

    def waits(question):
        held.wait(60)
        return api.first_legal(question)

    report, _ = through_channels(
        "gomoku",
        [api.first_legal, waits],
        clock=TimeControl.parse(clock),
        budgets=Budgets(move=200_000_000, close=50_000_000),
    )
    held.set()
    outcome = report.record.result.outcome
    assert (outcome.winner, outcome.ending) == (0, ending)


def test_a_function_has_no_processor_time_and_hangs_up_by_itself():
    report, _ = through_channels("gomoku", [api.first_legal] * 2, options={"board_size": 5})
    engines = report.record.result.engines
    assert [(engine.status, engine.cpu_ns) for engine in engines] == [("hung up", None)] * 2


def test_a_function_may_stay_for_another_game():
    threads = set()

    def notes(question):
        threads.add(threading.get_ident())
        return api.first_legal(question)

    players = tuple(
        Player(code=code, command=("f",), executor="function", restart="off") for code in ("a", "b")
    )
    spec = GameSpec(id="0", pairing="0", game="gomoku", players=players, options={"board_size": 5})
    context = WorkerContext(starters={"function": FunctionExecutor({"f": notes})})
    for _ in range(2):
        reports = []
        Game(context, Order(spec=spec), reports.append).begin()
        context.loop.run(lambda reports=reports: reports)
        assert [engine.status for engine in reports[0].record.result.engines] == ["stays", "stays"]
    context.close()
    assert len(threads) == 2
