"""Games that an umpire decides, with real programs: who loses, what is void, and what is left behind."""

import os
import re
import sys

import pytest
from msgspec.structs import replace

from gyoji.cli.verification import judged_again
from gyoji.core.clocks import TimeControl
from gyoji.core.outcome import Ending
from gyoji.core.plugins import GAMES
from gyoji.core.spec import Budgets, GameSpec, Player
from gyoji.core.text import parse_duration
from gyoji.play.context import borrowed
from gyoji.play.umpire_talk import Talk, ask_again, begin_problem
from gyoji.testing.umpire_kit import UMPIRES, game_of, problem_with
from processes import MARK, left_behind
from standstill import play_through

pytestmark = pytest.mark.process

PYTHON = (sys.executable, "-I", "-S", "-c")
BEGIN = """
import json, sys, time, os
def say(**message): print(json.dumps(message), flush=True)
def hear(): return json.loads(sys.stdin.readline())
begin = hear()["begin"]
seats, seed = begin["seats"], begin["seed"]
def ask(*who, **more):
    say(ask=[{"seat": seat, "say": "go", **more} for seat in who])
    return hear()["answers"]
"""
ROUNDS = """
points = [0] * seats
for number in range(3):
    for seat, answer in ask(*range(seats)).items():
        points[int(seat)] += int(answer.get("say", -1))
say(end={"points": points, "reason": "three rounds"})
"""
ECHO = "import sys\nfor line in sys.stdin: print({}, flush=True)"
BUDGETS = Budgets(startup=parse_duration("20s"), move=parse_duration("20s"), close=parse_duration("300ms"))


def program(script, code, token, **settings):
    return Player(
        code=code,
        command=(*PYTHON, script),
        environ={MARK: token},
        protocol="umpire-program" if code == "umpire" else "umpire",
        budgets=settings.pop("budgets", BUDGETS),
        stderr="discard",
        **settings,
    )


def spec_of(umpire, *players, token, clock="20s", budgets=BUDGETS, **options):
    settings = {"seats": len(players), **options}
    rules = GAMES.find("umpire").make_rules(settings, 5)
    return GameSpec(
        id="0_0",
        pairing="0",
        game="umpire",
        players=tuple(
            each if isinstance(each, Player) else program(each, "abcd"[seat], token)
            for seat, each in enumerate(players)
        ),
        options={"teams": rules.teams, **settings},
        clock=TimeControl.parse(clock),
        move_limit=100,
        umpire=program(BEGIN + umpire, "umpire", token, budgets=budgets),
        seed=5,
    )


@pytest.fixture
def token(request):
    made = f"umpire-{os.getpid()}-{request.node.name}"
    yield made
    assert left_behind(made) == {}


def test_four_seats_that_answer_at_once_are_ranked_and_the_record_stands(token):
    players = [ECHO.format(number) for number in (3, 1, 2, 1)]
    spec = spec_of(ROUNDS, *players, token=token)
    record = play_through(spec).record
    outcome = record.result.outcome
    assert (outcome.places, outcome.totals) == ((1, 3, 2, 3), (9.0, 3.0, 6.0, 3.0))
    assert [len(turn) for turn in record.turns] == [4, 4, 4]
    assert judged_again(spec, record) == []
    assert ask_again(spec, record.umpire) is None


SLEEPS = "import sys, time\nfor line in sys.stdin: time.sleep(30)"
FAILURES = {
    "is late": (SLEEPS, "time"),
    "exits": ("import sys; sys.stdin.readline()", "fault"),
    "is not there": ("raise SystemExit(3)", "fault"),
    "floods": ("while True: print('x' * 100000, end='')", "fault"),
    "answers twice": ("import sys\nfor line in sys.stdin: print(1); print(1, flush=True)", "fault"),
    "says it before": ("print(1, flush=True)\nimport time; time.sleep(30)", "fault"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_seat_that_fails_is_out_and_the_umpire_decides_what_it_costs(name, token):
    script, word = FAILURES[name]
    # Only who has to be late has little time: programs take long to start on a busy machine.
    failing = program(script, "a", token, clock=TimeControl.parse("1s" if word == "time" else "20s"))
    spec = spec_of(ROUNDS, failing, ECHO.format(2), ECHO.format(3), token=token)
    record = play_through(spec).record
    outcome = record.result.outcome
    assert (outcome.ending, outcome.places[1:]) == (Ending.SCORE, (2, 1))
    assert outcome.totals[0] < 0
    assert record.result.left_out == (0,)
    assert any(f'"failed":"{word}"' in line for line in record.umpire)
    assert judged_again(spec, record) == []
    assert ask_again(spec, record.umpire) is None


def test_a_game_goes_on_to_its_end_when_every_seat_has_failed(token):
    spec = spec_of(ROUNDS, "", "", "", token=token)
    record = play_through(spec).record
    assert record.result.outcome.totals == (-3.0, -3.0, -3.0)
    assert set(record.result.left_out) == {0, 1, 2}
    assert judged_again(spec, record) == []


def test_a_failure_loses_the_game_if_the_settings_say_so(token):
    spec = spec_of(ROUNDS, SLEEPS, ECHO.format(1), token=token, clock="300ms", failure="loses")
    record = play_through(spec).record
    outcome = record.result.outcome
    assert (outcome.ending, outcome.seat, outcome.points) == (Ending.TIME, 0, (0.0, 1.0))
    assert judged_again(spec, record) == []


QUICK = [name for name, bad in UMPIRES.items() if not bad.is_slow]


@pytest.mark.parametrize("name", QUICK[::2])
def test_what_an_umpire_does_wrong_makes_the_game_void(name, token):
    """`python -m bench.misbehaving --only umpires` tries all."""
    bad = UMPIRES[name]
    report = play_through(game_of(bad, {MARK: token}))
    assert problem_with(report, bad.reason) == ""


def test_a_silent_umpire_is_not_waited_for_without_end(token):
    report = play_through(game_of(UMPIRES["is silent in the game"], {MARK: token}))
    assert re.fullmatch(r"umpire: gave no answer for 1(\.\d+)?s", report.void.reason)


def test_what_a_seat_hears_is_what_it_is_told_and_asked(token):
    umpire = """
say(tell={"seat": 0, "say": "for a"})
say(tell={"seat": "all", "say": {"for": "all"}})
first = ask(1, lines=2)["1"]["say"]
second = ask(0)["0"]["say"]
say(tell={"seat": 1, "say": "bye"})
say(end={"points": [0, 1], "reason": first + "; " + second})
"""
    all_heard = "import sys\nheard = sys.stdin.readline().strip() + ' ' + sys.stdin.readline().strip()\n"
    second = all_heard + "print('one'); print(heard, flush=True)\nsys.stdin.read()"
    first = all_heard + "print(heard + ' ' + sys.stdin.readline().strip(), flush=True)\nsys.stdin.read()"
    record = play_through(spec_of(umpire, first, second, token=token)).record
    assert record.result.outcome.detail == 'one {"for": "all"} go; for a {"for": "all"} go'


def test_players_of_json_are_sent_values_and_answer_with_them(token):
    umpire = 'say(end={"points": [ask(0)["0"]["say"]["x"], ask(1)["1"].get("say", 0)]})'
    first = "import sys\nfor line in sys.stdin: print('{\"x\": 4} ', flush=True)"
    players = [
        program(first, "a", token, options={"speak": "json"}),
        program(ECHO.format('"{"'), "b", token, options={"speak": "json"}),
    ]
    record = play_through(spec_of(umpire, *players, token=token)).record
    assert record.result.outcome.totals == (4.0, 0.0)
    assert [each.move for turn in record.turns for each in turn] == ['={"x":4}']
    assert "is no JSON" in record.result.warnings[0]


def test_an_umpire_that_rolls_dice_of_its_own_is_found_and_one_that_keeps_them_is_not(token):
    rolls = "import random\nrolled = {}\nsay(move={{'seat': 0, 'text': str(rolled)}})\nask(0)\nsay(end={{}})"
    own = rolls.format("random.random()")
    record = play_through(spec := spec_of(own, ECHO.format(1), ECHO.format(1), token=token)).record
    unlike = ask_again(spec, record.umpire)
    assert unlike is not None
    assert unlike.line == 2
    keeps = "(begin.get('kept') or [random.random()])[0]\nsay(keep=rolled)"
    record = play_through(
        spec := spec_of(rolls.format(keeps), ECHO.format(1), ECHO.format(1), token=token)
    ).record
    assert ask_again(spec, record.umpire) is None


def test_the_check_before_a_run_finds_an_umpire_that_cannot_decide(token):
    assert begin_problem(spec_of(ROUNDS, "", "", token=token)) == ""
    assert begin_problem(spec_of("say(refuse='no')", "", "", token=token)) == "refuses this game: no"
    assert begin_problem(spec_of("1/0", "", "", token=token)).startswith("exited (exit 1)")


def test_a_fault_is_a_warning_and_the_game_goes_on(token):
    umpire = 'say(fault={"seat": 1, "why": "slept"})\nask(0)\nsay(end={"places": [1, 2]})'
    record = play_through(spec_of(umpire, ECHO.format(1), ECHO.format(1), token=token)).record
    assert record.result.warnings == ("fault of b: slept",)
    assert record.result.outcome.winner == 0


@pytest.mark.parametrize(("last", "was_killed"), [("hear()", False), ("time.sleep(30)", True)])
def test_an_umpire_that_does_not_end_when_it_is_told_to_is_ended(last, was_killed, token):
    budgets = BUDGETS if was_killed else replace(BUDGETS, close=parse_duration("60s"))
    spec = spec_of(f"say(end={{}})\n{last}", "", "", token=token, budgets=budgets)
    with borrowed(None) as context:
        talk = Talk(context, spec, spec.umpire)
        talk.run('{"begin":{"seats":2,"seed":1}}', lambda _said: "")
    assert (talk.failure, talk.was_killed) == ("", was_killed)
