"""Functions as players: called directly, or each in a thread behind a channel."""

import sys
import threading

import pytest

from gyoji import api
from gyoji.cli.checking import check_player
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import Breakdown
from gyoji.core.outcome import Ending
from gyoji.core.spec import Budgets, Containment, GameSpec, Player
from gyoji.executors.functions import EXECUTOR, FunctionExecutor
from gyoji.play.context import WorkerContext
from gyoji.play.game import Game, play
from gyoji.play.order import Order


def through_channels(game, functions, *, budgets=Budgets(), **settings):  # noqa: B008 (it is a value)
    """Play as `api.play` does, but in an event loop. Return (the report, the executor of the functions)."""
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
    starter = FunctionExecutor(lambda player: functions[int(player.command[0])])
    return play(Order(spec=spec), starters={"function": starter}), starter


class Talker:
    """A Go player that agrees to every request, has a hint, and answers from a list."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.notices = []
        self.asked = []

    def __call__(self, question):
        if question.notice:
            self.notices.append(question.notice)
        return self.answers.pop(0)

    def consent(self, request, seat):
        self.asked.append((request, seat))
        return request == "take-back"

    def hint(self, question):
        return "c3" if question.seat == 0 else "nonsense"


def talkers():
    good = api.Evaluation(score=3.5, win=0.7, pv=("c3", "d4"))
    return (
        Talker(
            api.Answer("c3", "a fine move", good),
            api.WantsTakeBack(),
            api.WantsHint(),
            "b2",
            api.Resigned(),
        ),
        Talker("d4", api.OffersDraw(), api.WantsHint(), api.Answer("e5")),
    )


def facts(record):
    """Return a record without durations and without how engines ended."""
    moves = [[(each.seat, each.move, each.comment) for each in turn] for turn in record.turns]
    taken = [(each.seat, each.turn, len(each.moves)) for each in record.taken_back]
    return moves, taken, record.opinions, record.result.outcome, record.result.warnings, record.result.late


def test_a_game_of_functions_is_the_same_called_in_turn_or_through_channels():
    first, second = talkers(), talkers()
    requests = {"take_backs": "ask", "draw_offers": True, "hints": True}
    options = {"board_size": 5, "komi": 0.5}
    record = api.play("go", first, requests=["take-back", "draw", "hint"], **options)
    report, _ = through_channels("go", second, options=options, **requests)
    assert facts(record) == facts(report.record)
    assert [[each.notices, each.asked] for each in first] == [[each.notices, each.asked] for each in second]
    assert first[0].notices == ["hint: C3"]
    assert first[1].notices == [
        "player 1 declines the draw",
        "no hint: it gave no hint",
    ]
    assert first[1].asked == [("take-back", 0)]
    assert record.result.outcome.ending is Ending.RESIGNATION
    assert [turn[0].move for turn in record.turns] == ["B2", "E5"]


def test_a_long_game_of_functions_needs_no_deep_stack():
    report, _ = through_channels("gomoku", [api.first_legal] * 2, options={"board_size": 20}, move_limit=399)
    straight = api.play("gomoku", [api.first_legal] * 2, board_size=20, move_limit=399)
    assert facts(straight) == facts(report.record)


def test_a_forgotten_return_costs_a_competition_s_game_and_the_result_says_where_it_is():
    def forgets(question):
        question.legal()

    report, _ = through_channels("gomoku", [forgets, api.first_legal])
    outcome = report.record.result.outcome
    assert (outcome.winner, outcome.ending) == (1, Ending.FAULT)
    assert "forgets (test_functions.py:" in outcome.detail
    assert (
        "returned None for its move in seat 0: is there a way through it without a return?" in outcome.detail
    )


def test_what_a_function_raises_behind_a_channel_is_its_fault_and_is_kept():
    def fails(_question):
        return 1 // 0

    report, starter = through_channels("gomoku", [fails, api.first_legal])
    outcome = report.record.result.outcome
    assert (outcome.winner, outcome.ending) == (1, Ending.FAULT)
    assert (
        "raised ZeroDivisionError: integer division or modulo by zero (test_functions.py:" in outcome.detail
    )
    assert [type(error) for error in starter.raised] == [ZeroDivisionError]


NONSENSE = (3.5, [1], {}, (1, [2]), object(), b"d4", ("a1",), 10**12, -(10**12))


@pytest.mark.parametrize(
    ("game", "options"), [("go", {"board_size": 9, "komi": 7.5}), ("gomoku", {}), ("dighere", {"steps": 3})]
)
@pytest.mark.parametrize("nonsense", NONSENSE, ids=lambda each: type(each).__name__)
def test_what_is_no_move_is_the_fault_of_who_returns_it(game, options, nonsense):
    functions = [lambda _: nonsense] + [lambda _: -1] * (3 if game == "dighere" else 1)
    called = api.play(game, functions, **options).result
    through = through_channels(game, functions, options=options)[0].record.result
    assert [called.outcome, called.warnings] == [through.outcome, through.warnings]
    if game == "dighere":  # where the others go on, and any number is an order
        assert type(nonsense) is int or called.left_out == (0,)
    else:
        assert called.outcome.ending in (Ending.ILL_FORMED_MOVE, Ending.ILLEGAL_MOVE)
        assert called.outcome.winner == 1


def test_an_opinion_that_is_none_is_the_fault_of_who_has_it():
    odd = api.Answer("a1", evaluation=api.Evaluation(score="high"))
    with pytest.raises(ValueError, match="got `str`"):
        api.play("gomoku", [lambda _: odd] * 2)
    report, _ = through_channels("gomoku", [lambda _: odd] * 2)
    assert "raised ValidationError" in report.record.result.outcome.detail


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
        [waits, api.first_legal],
        clock=TimeControl.parse(clock),
        budgets=Budgets(move=200_000_000, close=50_000_000),
    )
    held.set()
    outcome = report.record.result.outcome
    assert (outcome.winner, outcome.ending) == (1, ending)


def test_a_function_that_goes_on_after_its_loss_disturbs_no_later_game():
    threads = []

    def goes_on(_question):
        threads.append(threading.current_thread())
        while True:
            len(threads)

    report, starter = through_channels("gomoku", [goes_on, api.first_legal], clock=TimeControl.parse("0.1s"))
    assert report.record.result.outcome.ending is Ending.TIME
    threads[0].join(60)
    assert not threads[0].is_alive()
    assert starter.raised == []


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
    context = WorkerContext(starters={"function": FunctionExecutor(lambda _: notes)})
    for _ in range(2):
        reports = []
        Game(context, Order(spec=spec), reports.append).begin()
        context.loop.run(lambda reports=reports: reports)
        assert [engine.status for engine in reports[0].record.result.engines] == ["stays", "stays"]
    context.close()
    assert len(threads) == 2


BOTS = """
from dataclasses import dataclass

from tenuki import far_away

def choose(question):
    return next(iter(question.legal()))

@dataclass
class Counts:
    moves: int = 0

    def __call__(self, question):
        self.moves += 1
        return far_away(question)

class Fails:
    def __init__(self):
        raise OSError("no network file")

unfit = 3
"""
CONTROL = """
competition = "allplayall"
game = "gomoku"
board_size = 6
rounds = 2
executor = "function"

[players]
a = { command = "./bots.py choose" }
b = { command = ["./bots.py", "Counts"], restart = "off" }
"""


@pytest.fixture
def bots(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "tenuki.py").write_text("def far_away(question):\n    return list(question.legal())[-1]\n")
    path = tmp_path / "bots.py"
    path.write_text(BOTS)
    return path


@pytest.mark.process
def test_functions_of_a_file_play_in_a_competition(bots):
    path = bots.with_name("cup.toml")
    path.write_text(CONTROL)
    event = api.open_event(path)
    checks = [check_player(spec) for spec in event.competition.checks()]
    assert [check.problems for check in checks] == [(), ()]
    assert event.run().finished == 2
    games = list(event.games())
    assert {game.record.result.outcome.ending for game in games} == {Ending("five")}
    for game in games:
        by_first, by_last = ([turn[0].move for turn in game.record.turns][seat::2] for seat in (0, 1))
        assert {by_first[0], by_last[0]} == {"a1", "f6"}


def start(*words):
    EXECUTOR.open().start(Player(code="x", command=tuple(map(str, words))), {})


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "nothing",
            "no function 'nothing' in '{bots}'; there are: choose, Counts, Fails",
        ),
        ("unfit", "no function 'unfit' in"),
        ("Fails", "'{bots}' cannot be used: OSError: no network file"),
    ],
)
def test_a_name_that_is_no_function_is_told(bots, name, message):
    with pytest.raises(Breakdown) as caught:
        start(bots, name)
    assert message.format(bots=bots) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "cannot be used: FileNotFoundError"),
        ("1 +", "cannot be used: SyntaxError: invalid syntax"),
        ("import nonexistent_module", "cannot be used: ModuleNotFoundError: No module named"),
        ("raise SystemExit(4)", "cannot be used: SystemExit: 4"),
    ],
)
def test_a_file_that_cannot_be_imported_is_told(bots, text, message):
    path = bots.with_name("bad.py")
    if text is not None:
        path.write_text(text)
    with pytest.raises(Breakdown) as caught:
        start(path, "choose")
    assert str(caught.value).startswith("player x: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("words", [["./bots.py"], ["python", "./bots.py", "choose"], ["README", "choose"]])
def test_a_command_that_names_no_function_is_told(words):
    with pytest.raises(Breakdown, match=r"such as \./bots\.py choose|it is no file of Python"):
        start(*words)
