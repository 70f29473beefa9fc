"""`gyoji control`, with a run that remembers what it was told."""

import json

import pytest
from click.testing import CliRunner

from gyoji.cli import checking, control
from gyoji.cli.app import app
from gyoji.cli.check_report import Check
from gyoji.play.startup_check import StartupCheck

CUP = """
competition = "playoff"
board_size = 9
komi = 7.5
players = { a = { command = "x" }, b = { command = "y" }, c = { command = "z" } }
matchups = [{ players = ["a", "b"] }, { players = ["a", "c"] }]
"""
STATUS = {
    "players": ["a", "b"],
    "parallel": 1,
    "paused": False,
    "games": [],
    "remaining": 3,
    "stopping": None,
}


class Told(list):
    def __init__(self):
        self.refusals = {}
        self.status = STATUS


class Tried(list):
    bad = ()


@pytest.fixture
def cup(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(CUP)
    return path


@pytest.fixture
def told(monkeypatch):
    """The commands that the run was given. What `refusals` names by its command it does not do."""
    told = Told()

    def answer(files, command, seconds):
        told.append((files.control_file.name, *command.values()))
        error = told.refusals.get(command["do"])
        return {"ok": False, "error": error} if error else {"ok": True, **told.status}

    monkeypatch.setattr(control, "send_command", answer)
    return told


@pytest.fixture
def tried(monkeypatch):
    """The players that were tried; those in `bad` fail."""
    codes = Tried()

    def attempt(spec, **_):
        code = spec.players[0].code
        codes.append(code)
        problems = ("it exited",) if code in codes.bad else ()
        return Check(player=spec.players[0], startup=StartupCheck(problems=problems))

    monkeypatch.setattr(checking, "check_player", attempt)
    return codes


def gyoji(*words):
    return CliRunner().invoke(app, ["control", *map(str, words)])


@pytest.mark.parametrize(
    ("words", "commands"),
    [
        (["--status"], [("status",)]),
        (["--pause"], [("pause",)]),
        (["--resume"], [("status",), ("resume",)]),
        (["-j", "3"], [("status",), ("parallel", 3)]),
        (["--parallel", "3", "--pause"], [("pause",), ("parallel", 3)]),
        (["--resume", "--parallel", "3"], [("status",), ("parallel", 3), ("resume",)]),
        (["--reload", "--pause"], [("pause",), ("reload",)]),
        (["--reload", "--resume"], [("status",), ("reload",), ("resume",)]),
    ],
)
def test_what_is_asked_for_is_done_in_order(cup, told, tried, words, commands):
    result = gyoji(cup, *words)
    assert (result.exit_code, result.stderr) == (0, "")
    assert told == [("cup.toml", *command) for command in commands]


def test_how_the_run_is_then_is_one_line(cup, told):
    assert gyoji(cup, "--pause").stdout == "1 at once, 3 to be started\n"


def test_the_status_is_json(cup, told):
    assert json.loads(gyoji(cup, "--status").stdout) == STATUS


def test_only_players_that_are_new_to_the_run_are_tried(cup, told, tried):
    result = gyoji(cup, "--reload")
    assert tried == ["c"]
    assert result.stdout == "checking 1 player\n1 at once, 3 to be started\n"


def test_a_new_player_that_does_not_work_keeps_the_file_out(cup, told, tried):
    tried.bad = ("c",)
    result = gyoji(cup, "--reload")
    assert result.exit_code == 1
    assert told == [("cup.toml", "status")]
    assert result.stderr.splitlines() == [
        "gyoji: player c: it exited",
        f"gyoji: {cup}: reload failed: the competition goes on unchanged",
    ]


def test_players_are_not_tried_where_the_file_says_so(cup, told, tried):
    cup.write_text("skip_player_checks = true\n" + CUP)
    assert gyoji(cup, "--reload").exit_code == 0
    assert tried == []


def test_players_are_not_tried_here_where_hosts_try_them(cup, told, tried):
    told.status = {**STATUS, "hosts": [{"name": "lab1"}]}
    result = gyoji(cup, "--reload")
    assert tried == []
    assert result.stdout.startswith("new players are tried on each host, before they play there\n")
    assert told == [("cup.toml", "status"), ("cup.toml", "reload")]


def test_a_file_with_mistakes_does_not_reach_the_run(cup, told):
    cup.write_text(CUP.replace("komi", "komy"))
    result = gyoji(cup, "--reload")
    assert result.exit_code == 2
    assert "cup.toml:4: komy: there is no such setting" in result.stderr
    assert told == [("cup.toml", "status")]


def test_what_the_run_refuses_is_said(cup, told, tried):
    told.refusals["reload"] = "one reason\nanother reason"
    result = gyoji(cup, "--reload", "--parallel", "2")
    assert result.exit_code == 2
    assert result.stderr == "gyoji: one reason\ngyoji: another reason\n"
    assert told[-1] == ("cup.toml", "reload")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "say what to do"),
        (["--pause", "--resume"], "contradict"),
        (["--parallel", "0"], "1<=x<=1023"),
        (["--parallel", "many"], "is no number"),
    ],
)
def test_what_makes_no_sense_is_refused(cup, told, words, message):
    result = gyoji(cup, *words)
    assert result.exit_code == 2
    assert message in result.output
    assert told == []


def test_a_missing_control_file_is_one_line(tmp_path):
    result = gyoji(tmp_path / "cup.toml", "--pause")
    assert (result.exit_code, "there is no such control file" in result.stderr) == (2, True)


def test_it_says_when_nothing_runs(cup):
    result = gyoji(cup, "--pause")
    assert (result.exit_code, result.stderr) == (2, f"gyoji: {cup}: this competition is not running\n")
