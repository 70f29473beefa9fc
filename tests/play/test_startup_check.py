"""Checks before any game: start-up, trials of the rules, and settings for files that were refused."""

import resource
import sys
from itertools import count, islice
from pathlib import Path

import pytest
from msgspec.structs import replace

from descriptors import none_left_open, open_descriptors
from gyoji.core.faults import Breakdown
from gyoji.core.spec import Budgets, Containment, GameSpec, Player
from gyoji.core.text import quote_end
from gyoji.executors.local import LocalExecutor
from gyoji.play.context import WorkerContext, borrowed, make_rules
from gyoji.play.game import set_up
from gyoji.play.order import Order
from gyoji.play.startup_check import LAST_LINES, check_startup, setting_for, try_rules

SPEC = GameSpec(id="0", pairing="0", game="go", players=(), options={"board_size": 9, "komi": 7})


def refusal(program):
    with pytest.raises(Breakdown) as caught:
        LocalExecutor().start(Player(code="a", command=(str(program),)), {})
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "remedy"),
    [("e.py", ": chmod +x it, or write python e.py as its command"), ("engine", ": chmod +x it")],
)
def test_a_file_that_is_not_executable_is_not_taken_for_missing(tmp_path, name, remedy):
    (tmp_path / name).touch(mode=0o644)
    assert refusal(tmp_path / name) == f"player a: '{tmp_path / name}' is not executable{remedy}"


def test_a_path_that_leads_nowhere_or_to_a_folder_is_said_to(tmp_path):
    assert refusal(tmp_path / "x").endswith("/x': there is no such file; mend its path in command")
    assert refusal(f"{tmp_path}/").endswith(" is a folder: command names the program in it")


def test_a_bare_name_is_said_to_be_on_no_path_and_what_to_do():
    said = refusal("no-such-engine")
    assert said.startswith("player a: no program 'no-such-engine' on PATH, nor among those of gyoji")
    assert "install it, or write its path" in said


def test_the_package_of_gnu_go_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "apt-get install gnugo" in refusal("gnugo")


def startup(code, *, inherit_stderr=False, **settings):
    player = Player(code="a", command=(sys.executable, "-I", "-S", "-c", code), **settings)
    return check_startup(replace(SPEC, players=(player, player)), inherit_stderr=inherit_stderr)


@pytest.mark.process
def test_several_checks_can_be_made_in_one_place_that_stays():
    code = "import sys; sys.exit('not today')"
    player = Player(code="a", command=(sys.executable, "-I", "-S", "-c", code))
    spec = replace(SPEC, players=(player, player))
    with borrowed(None) as context:
        first, second = (check_startup(spec, context=context) for _ in range(2))
        assert len(context.starters) == 1
        assert not context.loop.is_closed
    assert first.problems == second.problems == ("a: exited (exit 1); its last words: 'not today'",)
    assert context.loop.is_closed


@pytest.mark.process
def test_the_last_words_of_an_engine_that_dies_at_its_start_are_told_whole():
    got = startup("import sys; sys.stderr.write('first\\n' * 50 + 'x' * 300 + '\\n\\n'); nonsense")
    assert got.problems == (
        "a: exited (exit 1); its last words: \"NameError: name 'nonsense' is not defined\"",
    )
    assert len(got.stderr) == LAST_LINES
    assert got.stderr[-1] == "NameError: name 'nonsense' is not defined"
    assert "x" * 300 in got.stderr


@pytest.mark.process
def test_of_a_long_last_line_the_end_is_told():
    path = "/very" * 40
    (problem,) = startup(f"import sys; sys.exit('cannot open {path}/net.bin: No such file')").problems
    assert problem.endswith("/very/net.bin: No such file'")


@pytest.mark.process
def test_an_engine_that_says_nothing_in_time_is_told_with_the_budget_and_its_words():
    budgets = Budgets(startup=1_500_000_000)
    code = "import sys, time; print('loading', file=sys.stderr, flush=True); time.sleep(60)"
    got = startup(code, budgets=budgets)
    assert "gave no answer" in got.problems[0]
    assert "budgets.startup" in got.problems[0]
    assert got.stderr == ("loading",)


def test_the_end_of_a_text_is_quoted_where_that_matters():
    assert quote_end("short") == "'short'"
    assert quote_end("0123456789", 4) == "'…6789'"


@pytest.mark.process
def test_a_machine_without_free_descriptors_makes_a_game_void_and_costs_no_worker():
    engine = Player(
        code="a", command=(sys.executable, "-I", "-S", "-c", "input()"), containment=Containment(level="off")
    )
    order = Order(spec=replace(SPEC, players=(engine, replace(engine, code="b"))))
    make_rules(order.spec)  # what is to be imported has been
    reasons = []
    with none_left_open():
        for spare in range(40):
            report = begun_with(spare, order)
            if report is None:
                break
            reasons.append(report.void.reason)
    assert len(reasons) > 5
    blamed = {reason.split(": ")[0] for reason in reasons}
    assert {"player a", "player b"} <= blamed <= {"this machine", "player a", "player b"}
    assert all(reason.endswith(": Too many open files") for reason in reasons)


def begun_with(spare, order):
    """Return the report of a game that cannot begin with `spare` free descriptors; None for one that can."""
    context, reports = WorkerContext(), []
    # The limit is on numbers, not on how many are open, and what earlier tests left open has gaps.
    taken = open_descriptors()
    free = (number for number in count() if number not in taken)
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (next(islice(free, spare, None)), before[1]))
        game = set_up(context, order, reports.append)
        game.begin()
        if not game._void:
            game.abandon()
        context.loop.run(lambda: reports)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
        context.close()
    return reports[0]


ENGINE = Path(__file__).with_name("small_engine.py")
KNOWS = "answer = 'true' if line.split()[1] in ('kata-set-rules', 'kgs-genmove_cleanup') else 'false'"
UNTOLD = "answer = 'true' if line.split()[1] == 'kgs-rules' else 'false'"
LATE = "answer = 'B1'"
OTHERWISE = "answer = 'resign'"
ODD = "answer = 'A1'"
GONE = "sys.exit(3)"


def tried(known, genmove, **changes):
    """Return the check of an engine that knows these commands and answers so to a clean-up request."""
    words = ("--on", "known_command", known, "--on", "kgs-genmove_cleanup", genmove)
    command = (sys.executable, str(ENGINE), *words)
    player = Player(code="p", command=command, budgets=Budgets(startup=20 * 10**9))
    options = {"board_size": 13, "komi": 0.5, "ruleset": "japanese"}
    spec = GameSpec(id="0", pairing="0", game="go", players=(player, player), options=options | changes)
    return try_rules(spec)


PASSES = "answer = 'pass'"


@pytest.mark.process
def test_an_engine_that_passes_to_the_end_of_the_clean_up_fails():
    found = tried(KNOWS, PASSES)
    assert found is not None
    assert found.failure.startswith("does not play the clean-up phases")
    assert "preventCleanupPhase = false" in found.remedy


@pytest.mark.process
@pytest.mark.parametrize(
    ("known", "genmove"),
    [(KNOWS, LATE), (UNTOLD, PASSES), (KNOWS, OTHERWISE), (KNOWS, ODD), (KNOWS, GONE)],
    ids=["takes it in the second phase", "was not told the rules", "resigns", "plays illegally", "exits"],
)
def test_only_what_it_was_seen_to_do_is_held_against_an_engine(known, genmove):
    assert tried(known, genmove) is None


@pytest.mark.process
def test_nothing_is_started_for_rules_without_clean_up():
    assert tried(KNOWS, PASSES, ruleset="chinese") is None


@pytest.mark.process
def test_nothing_is_started_where_the_engines_are_to_agree():
    assert tried(KNOWS, PASSES, dead_stones="agreement") is None


def contained(*, cwd="/", **settings):
    return Player(code="a", command=("/bin/x",), cwd=cwd, containment=Containment(**settings))


@pytest.mark.parametrize(
    ("level", "line", "path", "setting"),
    [
        ("guarded", "OSError: [Errno 30] Read-only file system: '{0}/log.txt'", "log.txt", "writable"),
        ("guarded", "cannot open {0}/log.txt: Permission denied", "log.txt", "writable"),
        ("guarded", 'open("{0}/a b"): EACCES', "a b", "writable"),
        ("strict", "cannot open {0}/net.bin: Permission denied", "net.bin", "readable"),
        ("strict", "cannot write {0}/log: Permission denied", "log", "writable"),
        ("strict", "mkdir {0}/x: Read-only file system", "x", "writable"),
    ],
)
def test_the_setting_names_what_there_is_of_a_path_that_was_refused(tmp_path, level, line, path, setting):
    advice = setting_for(["first", line.format(tmp_path), "last"], contained(level=level))
    assert advice == f'it may not use \'{tmp_path}/{path}\': {setting} = ["{tmp_path}"], or sandbox = "off"'


def test_at_strict_a_file_that_is_there_for_us_is_one_to_be_read(tmp_path):
    (tmp_path / "net.bin").write_text("x")
    line = f"FileNotFoundError: [Errno 2] No such file or directory: '{tmp_path}/net.bin'"
    advice = setting_for([line], contained(level="strict"))
    assert f'readable = ["{tmp_path}/net.bin"]' in advice
    assert setting_for([line], contained(level="guarded")) == ""
    assert setting_for([line.replace("net.bin", "gone")], contained(level="strict")) == ""


@pytest.mark.parametrize(
    "line", ["cannot open nets/a.bin: No such file or directory", "No such file or directory: 'nets/a.bin'"]
)
def test_a_file_of_the_folder_that_is_out_of_sight_is_one_to_be_read(tmp_path, line):
    (tmp_path / "nets").mkdir()
    (tmp_path / "nets/a.bin").write_text("x")
    path, cwd = str(tmp_path / "nets/a.bin"), str(tmp_path)
    foreign = (str(tmp_path / "nets"),)
    for player in (contained(cwd=cwd, level="strict"), contained(cwd=cwd, foreign=foreign)):
        assert f'readable = ["{path}"], or sandbox = "off"' in setting_for([line], player)
    assert setting_for([line], contained(cwd=cwd)) == ""
    assert setting_for([line], contained(cwd=cwd, level="strict", hidden=(path,))) == ""


@pytest.mark.parametrize(
    "line",
    [
        "ssh: Could not resolve hostname gpubox: Temporary failure in name resolution",
        "OSError: [Errno 101] Network is unreachable",
        "connect: Connection refused",
    ],
)
def test_who_fails_for_want_of_a_network_is_told_of_the_setting(line):
    told = "it has no network: network = true gives this player the machine's"
    assert setting_for([line, "giving up"], contained()) == told
    assert setting_for([line], contained(network=True)) == ""
    assert setting_for([line], contained(level="off")) == ""


@pytest.mark.parametrize("line", ["Permission denied", "it failed", "open /x: Input/output error"])
def test_nothing_is_said_where_no_file_was_refused(line):
    assert setting_for([line], contained()) == ""
    assert setting_for(["/x: Permission denied"], contained(level="off")) == ""
