"""The checks of players, as they are said before a run, by `gyoji check` and as JSON."""

import json
import sys

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from gyoji.cli import checking
from gyoji.cli.app import app
from gyoji.cli.check_report import Check, describe
from gyoji.cli.checking import check_before_run, check_newcomers
from gyoji.core.faults import Breakdown
from gyoji.core.game import Trial
from gyoji.core.plugins import PROTOCOLS
from gyoji.core.probe import Finding, Findings, Verdict
from gyoji.core.spec import GameSpec, Player
from gyoji.play.startup_check import StartupCheck
from gyoji.scheduler.event import Event
from gyoji.scheduler.status import ExitStatus

CUP = """
competition = "playoff"
board_size = 9
komi = 7.5
{more}
players = {{ a = {{ command = "x" }}, b = {{ command = "y" }}, idle = {{ command = "z" }} }}
matchups = [{{ players = ["a", "b"] }}]
"""
BOARD = {"board_size": 9, "komi": 7.5}
FAILED = StartupCheck(problems=("b: exited before it answered",))
PLAYER = Player(code="p", command=("x",))
FINDINGS = Findings(
    name="Toy",
    description="Toy 1",
    trials=(
        Finding(trial="START 20", verdict=Verdict.OK, took=1_530_000, said="OK"),
        Finding(trial="GYOJI", verdict=Verdict.WRONG, said="what?\x1b", remark="UNKNOWN is due"),
        Finding(trial="END", verdict=Verdict.WRONG, remark="still running"),
    ),
    supports={"sizes": ("15", "20"), "rules": ()},
    deviations=("GYOJI: UNKNOWN is due",),
    prospects=(("Renju", "can play"), ("Freestyle 15", "START: ERROR")),
)


def check_of(startup, findings=None, *, is_probed=False, player=PLAYER):
    return Check(player=player, startup=startup, findings=findings, is_probed=is_probed)


@pytest.fixture
def cup(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(CUP.format(more=""))
    return path


@pytest.mark.parametrize(
    ("check", "lines"),
    [
        (
            check_of(StartupCheck(name="GNU Go:3.8", startup_ns=52_400_000)),
            ["player p: ok: GNU Go:3.8 (ready in 0.052s)"],
        ),
        (check_of(StartupCheck(startup_ns=1)), ["player p: ok (ready in 0.001s)"]),
        (
            check_of(
                StartupCheck(
                    name="N", startup_ns=2 * 10**9, unable=("the clock",), late=("p: would not quit",)
                )
            ),
            [
                "player p: ok: N (ready in 2s)",
                "player p: cannot be told the clock; it goes by its own settings",
                "player p: after the check: would not quit",
            ],
        ),
        (
            check_of(StartupCheck(problems=("p: no such program", "and more\x1b[2J"))),
            ["player p: no such program", "player p: and more\\x1b[2J"],
        ),
        (
            check_of(StartupCheck(startup_ns=1, declines="does not know SWAP2BOARD")),
            [
                "player p: ok (ready in 0.001s)",
                "player p: does not know SWAP2BOARD; its games begin without that",
            ],
        ),
        (check_of(StartupCheck(), Findings(unfit=("BEGIN: ERROR",))), ["player p: BEGIN: ERROR"]),
        (
            check_of(None, Findings(name="Toy", dies_of=("komi seven", "undo"))),
            ["player p: ok: Toy: can play; dies of komi seven, undo"],
        ),
        (
            check_of(None, FINDINGS, is_probed=True),
            [
                "player p: ok: Toy",
                "  START 20  ok               1.5 ms  OK",
                "  GYOJI     out of protocol          what?\\x1b  (UNKNOWN is due)",
                "  END       out of protocol          still running",
                "  supports:",
                "    sizes  15 20",
                "    rules  none",
                "  out of protocol:",
                "    GYOJI: UNKNOWN is due",
                "  prospects:",
                "    Renju         can play",
                "    Freestyle 15  START: ERROR",
            ],
        ),
    ],
)
def test_what_a_check_found_in_words(check, lines):
    assert list(describe(check)) == lines


def test_check_tries_the_players_of_matchups_and_fails_if_one_fails(cup, monkeypatch):
    asked = []

    def attempt(spec, *, inherit_stderr, **_):
        asked.append((spec.players[0].code, inherit_stderr))
        return FAILED if spec.players[0].code == "b" else StartupCheck(name="A", startup_ns=10**6)

    monkeypatch.setattr(checking, "check_startup", attempt)
    result = CliRunner().invoke(app, ["check", "--quick", str(cup)])
    assert asked == [("a", True), ("b", True), ("b", False)]  # once more, for what it may have said
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "player a: ok: A (ready in 0.001s)",
        "player b: exited before it answered",
    ]
    assert result.stderr == "gyoji: 1 of 2 players failed the checks\n"


def test_check_probes_each_player_for_its_game(cup, monkeypatch):
    games = []

    def probe(game):
        games.append((game.width, game.komi))
        return "script"

    monkeypatch.setattr(
        checking, "check_startup", lambda _spec, **_: StartupCheck(name="A", startup_ns=10**6)
    )
    monkeypatch.setitem(PROTOCOLS._loaded, "gtp", replace(PROTOCOLS.find("gtp"), probe=probe))
    monkeypatch.setattr(checking, "carry_out", lambda _probe, _player, **_: FINDINGS)
    result = CliRunner().invoke(app, ["check", str(cup)])
    assert games == [(9, 7.5), (9, 7.5)]
    assert result.exit_code == 0
    assert result.stdout.count("START 20") == 2


def test_a_player_that_is_unfit_fails_though_it_got_ready(cup, monkeypatch):
    monkeypatch.setattr(checking, "check_startup", lambda _spec, **_: StartupCheck())
    monkeypatch.setattr(
        checking, "carry_out", lambda _probe, _player, **_: Findings(unfit=("play: answers '?'",))
    )
    result = CliRunner().invoke(app, ["check", str(cup)])
    assert result.exit_code == 1
    assert "player a: play: answers '?'" in result.stdout


def test_a_player_that_cannot_be_probed_fails(cup, monkeypatch):
    def vanished(_probe, _player, **_):
        raise Breakdown("player a: no program 'x'")

    monkeypatch.setattr(checking, "check_startup", lambda _spec, **_: StartupCheck())
    monkeypatch.setattr(checking, "carry_out", vanished)
    result = CliRunner().invoke(app, ["check", str(cup)])
    assert result.exit_code == 1
    assert "player a: no program 'x'" in result.stdout


def test_check_prints_the_same_values_as_json(cup, monkeypatch):
    ready = StartupCheck(name="A", description="A 1", startup_ns=1_500_000, unable=("the clock",))
    monkeypatch.setattr(checking, "check_startup", lambda _spec, **_: ready)
    monkeypatch.setattr(checking, "carry_out", lambda _probe, _player, **_: FINDINGS)
    result = CliRunner().invoke(app, ["check", "--json", str(cup)])
    first, second = json.loads(result.stdout)["players"]
    assert (first["player"], second["player"]) == ("a", "b")
    assert {key: first[key] for key in ("protocol", "ok", "problems", "ready_ms", "not_told")} == {
        "protocol": "gtp",
        "ok": True,
        "problems": [],
        "ready_ms": 1.5,
        "not_told": ["the clock"],
    }
    assert first["probe"]["trials"][1] == {
        "trial": "GYOJI",
        "verdict": "out of protocol",
        "ms": None,
        "said": "what?\x1b",
        "remark": "UNKNOWN is due",
    }
    assert first["probe"]["supports"] == {"sizes": ["15", "20"], "rules": []}
    assert first["probe"]["prospects"][0] == {"where": "Renju", "outcome": "can play"}


def test_a_quick_check_has_no_probe_in_its_json(cup, monkeypatch):
    monkeypatch.setattr(checking, "check_startup", lambda _spec, **_: StartupCheck(declines="cannot swap"))
    monkeypatch.setattr(checking, "try_out", lambda _spec, **_: Findings(unfit=("BEGIN: ERROR",)))
    first, _ = json.loads(CliRunner().invoke(app, ["check", "--quick", "--json", str(cup)]).stdout)["players"]
    assert first["probe"] is None
    assert (first["declines"], first["problems"]) == ("cannot swap", ["BEGIN: ERROR"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "give either FILE or --command"),
        (["--command", "x", "{cup}"], "give either FILE or --command"),
        (["--command", "x", "--quick"], "--quick and --player go with FILE only"),
        (["--command", "x", "--protocol", "usenix"], "there is no probe for the protocol usenix"),
        (["--command", "x", "--protocol", "gpt"], "no protocol 'gpt'; there are: "),
        (["--command", "'x", "--protocol", "gtp"], "no closing quotation"),
        (["--command", " ", "--protocol", "gtp"], "expected a program"),
    ],
)
def test_what_cannot_be_checked_is_a_mistake_of_the_command_line(cup, arguments, said):
    arguments = [argument.format(cup=cup) for argument in arguments]
    result = CliRunner().invoke(app, ["check", *arguments], standalone_mode=False)
    status = result.return_value if result.exception is None else 2
    assert status == 2
    assert said in result.stderr + str(result.exception)


@pytest.mark.parametrize("name", ["pbrain-x", "pbrain with blanks"])
def test_a_command_can_be_the_path_of_a_program(tmp_path, monkeypatch, name):
    program = tmp_path / name
    program.write_text("")
    monkeypatch.chdir(tmp_path)
    players = []

    def carry_out(_probe, player, **_):
        players.append(player)
        return FINDINGS

    monkeypatch.setattr(checking, "carry_out", carry_out)
    result = CliRunner().invoke(app, ["check", "--protocol", "gomocup", "--command", name])
    assert result.exit_code == 0
    (player,) = players
    assert (player.code, player.command, player.cwd) == (name, (str(program),), "")
    assert result.stdout.startswith(f"probing {name}: ")


BOT = """
import sys
for line in sys.stdin:
    word, *arguments = line.split() or [""]
    if not word:
        continue
    if word == "komi":
        float(arguments[0])
    if word == "genmove":
        print("= J9\\n", flush=True)
    elif word in ("boardsize", "clear_board", "komi", "play", "quit"):
        print("=\\n", flush=True)
    else:
        print("? unknown command\\n", flush=True)
    if word == "quit":
        break
"""


@pytest.mark.process
def test_a_bot_that_dies_of_nonsense_alone_passes_the_check(tmp_path):
    (tmp_path / "bot.py").write_text(BOT)
    result = CliRunner().invoke(app, ["check", "--command", f"{sys.executable} {tmp_path / 'bot.py'}"])
    assert result.exit_code == ExitStatus.COMPLETE
    assert "ok: can play; dies of komi seven\n" in result.stdout
    assert result.stdout.count("could not convert string to float") == 2  # in the table, and in the list


def test_a_command_that_is_no_engine_fails():
    command = f"{sys.executable} -c pass"
    result = CliRunner().invoke(app, ["check", "--command", command])
    assert result.exit_code == 1
    assert "protocol_version: exited (exit 0)" in result.stdout


def test_check_ignores_skip_player_checks(cup, monkeypatch):
    cup.write_text(CUP.format(more="skip_player_checks = true"))
    monkeypatch.setattr(checking, "check_startup", lambda _spec, **_: StartupCheck())
    assert CliRunner().invoke(app, ["check", "--quick", str(cup)]).stdout.count(": ok") == 2


def test_before_a_run_all_failures_are_said_and_where_to_look(cup, capsys):
    event = Event.open(cup)
    died = StartupCheck(problems=("exited; its last words: 'c'",), stderr=("a", "b\x1b", "c"))
    rehearsals = iter([died, FAILED])

    def attempt(spec):
        return check_of(next(rehearsals), player=spec.players[0])

    assert not check_before_run(event, quiet=False, attempt=attempt)
    out, err = capsys.readouterr()
    containment, *others = out.splitlines()
    assert containment.startswith("containment: guarded for 2 players")
    assert others == ["checking 2 players"]
    assert err.splitlines() == [
        "gyoji: player a: exited; its last words: 'c'",
        "gyoji:   | a",
        "gyoji:   | b\\x1b",
        "gyoji:   | c",
        "gyoji: player b: exited before it answered",
        f"gyoji: nothing was played; `gyoji check {cup}` tests the players again and shows more",
    ]


def test_before_a_quiet_run_only_what_cannot_be_told_is_said(cup, capsys):
    ready = StartupCheck(name="A", unable=("the rules",))
    assert check_before_run(
        Event.open(cup), quiet=True, attempt=lambda spec: check_of(ready, player=spec.players[0])
    )
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "gyoji: players a, b: cannot be told the rules; each goes by its own settings\n"


def test_what_a_player_declines_is_said_before_a_run_that_goes_on(cup, capsys):
    check = check_of(StartupCheck(declines="does not know SWAP2BOARD"))
    assert check_before_run(Event.open(cup), quiet=True, attempt=lambda _spec: check)
    said = "gyoji: player p: does not know SWAP2BOARD; its games begin without that\n"
    assert capsys.readouterr().err == 2 * said


def test_what_keeps_a_player_from_playing_stops_a_run(cup, capsys):
    check = check_of(StartupCheck(), Findings(unfit=("BEGIN: answers 'ERROR no Renju'",)))
    assert not check_before_run(Event.open(cup), quiet=True, attempt=lambda _spec: check)
    assert "gyoji: player p: BEGIN: answers 'ERROR no Renju'\n" in capsys.readouterr().err


def test_only_a_player_that_gets_ready_is_tried_out(monkeypatch):
    spec = GameSpec(id="0", pairing="0", game="go", players=(PLAYER, PLAYER), options=BOARD)
    monkeypatch.setattr(checking, "check_startup", lambda _spec, **_: FAILED)
    assert checking.check_player(spec).findings is None
    monkeypatch.setattr(checking, "check_startup", lambda _spec, **_: StartupCheck())
    assert checking.check_player(spec).findings == Findings()


@pytest.mark.parametrize(("quiet", "lines"), [(False, 1), (True, 0)])
def test_skipped_checks_start_nothing(cup, capsys, quiet, lines):
    cup.write_text(CUP.format(more="skip_player_checks = true"))

    def attempt(_spec):
        raise AssertionError("a player was started")

    assert check_before_run(Event.open(cup), quiet=quiet, attempt=attempt)
    assert capsys.readouterr().out.count("checks of 2 players skipped") == lines


@pytest.mark.parametrize(("delay", "is_said"), [(2_000_000_000, True), (900_000_000, False)])
def test_a_busy_machine_is_told(delay, is_said):
    findings = replace(FINDINGS, waited=10_000_000_000, delay=delay)
    lines = list(describe(check_of(None, findings, is_probed=True)))
    told = "the machine was busy: the engine had no processor for 2.0s of the 10.0s that gyoji waited for it"
    assert any(told in line for line in lines) == is_said


TRIAL = Trial(options={}, moves=(), idle="pass", failure="does not clean up", remedy="set it")


def test_a_player_that_does_not_play_by_all_of_the_rules_is_refused_with_the_remedy(cup, capsys):
    event = Event.open(cup)
    check = replace(check_of(StartupCheck()), failed=TRIAL, without_cleanup="refuse")
    assert not check_before_run(event, quiet=True, attempt=lambda _spec: check)
    said = 'player p: does not clean up; set it; or let the engines agree: without_cleanup = "agreement"\n'
    assert said in capsys.readouterr().err


def test_a_player_that_does_not_play_by_all_of_the_rules_plays_with_one_warning_that_names_the_remedy(
    cup, capsys
):
    event = Event.open(cup)
    check = replace(check_of(StartupCheck()), failed=TRIAL)
    assert check_before_run(event, quiet=True, attempt=lambda _spec: check)
    (said, _) = capsys.readouterr().err.splitlines()  # a line for each of two players
    assert said.startswith("gyoji: player p: does not clean up; its games are played")
    assert "; set it, " in said
    shown = list(describe(check))
    assert shown[0].startswith("player p: ok")
    assert "set it" in shown[1]


def test_or_its_games_are_scored_by_the_players(cup, capsys):
    event = Event.open(cup)
    check = replace(check_of(StartupCheck()), failed=TRIAL, without_cleanup="players")
    assert check_before_run(event, quiet=True, attempt=lambda _spec: check)
    said = "gyoji: player p: does not clean up; its games are scored by the players\n"
    assert capsys.readouterr().err == 2 * said
    assert event.agreeing == {"p"}


def test_a_newcomer_whose_games_would_be_scored_otherwise_waits_for_the_next_run(cup, capsys):
    check = replace(check_of(StartupCheck()), failed=TRIAL, without_cleanup="players")
    assert not check_newcomers(Event.open(cup), (), attempt=lambda _spec: check)
    assert "stop the run and start it again" in capsys.readouterr().err


def test_a_quick_check_tries_the_rules_of_a_player_that_got_ready(monkeypatch):
    spec = GameSpec(id="0", pairing="0", game="go", players=(PLAYER, PLAYER), without_cleanup="players")
    monkeypatch.setattr(checking, "try_rules", lambda _spec, **_: TRIAL)
    monkeypatch.setattr(checking, "check_startup", lambda _spec, **_: FAILED)
    assert checking.check_player(spec).failed is None
    monkeypatch.setattr(checking, "check_startup", lambda _spec, **_: StartupCheck())
    found = checking.check_player(spec)
    assert (found.failed, found.without_cleanup) == (TRIAL, "players")


@pytest.mark.process
@pytest.mark.parametrize("words", [("check", "--quick"), ("check",), ("run",)])
def test_the_setting_that_an_engine_needs_is_named_with_its_failure(tmp_path, words):
    event = tmp_path / "event"
    event.mkdir()
    (event / "e.toml").write_text(
        'competition = "playoff"\nboard_size = 9\nkomi = 7.5\n'
        f"[players.a]\ncommand = ['{sys.executable}', '-c', 'open(\"/usr/share/gyoji-log\", \"w\")']\n"
        '[[matchups]]\nplayers = ["a", "a"]\nnumber_of_games = 1\n'
    )
    result = CliRunner().invoke(app, [*words, str(event / "e.toml")])
    assert result.exit_code == ExitStatus.HALTED
    expected = 'it may not use \'/usr/share/gyoji-log\': writable = ["/usr/share"], or sandbox = "off"'
    assert expected in result.output
