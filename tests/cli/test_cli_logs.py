"""How a run says where it stands when nobody looks at a screen: on a pool that plays nothing."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import gyoji
from test_cli_running import CUP, InstantPool, passed

from gyoji.cli import checking
from gyoji.cli.display import Every, LineDisplay
from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.play.loop import Loop
from gyoji.tables.digest import ResultsDigest

SPRT = """
competition = "sprt"
board_size = 9
komi = 7.5
record_games = false
players = { a = { command = "x" }, b = { command = "y" } }
elo0 = 0
elo1 = 5
rounds = 8
"""
SWISS = """
competition = "swiss"
board_size = 9
komi = 7.5
record_games = false
rounds = 2
players = { a = { command = "x" }, b = { command = "y" }, c = { command = "z" }, d = { command = "z" } }
"""
TUNER = """
competition = "auto_tuner"
board_size = 9
komi = 7.5
record_games = false
number_of_games = 44
parameters = [{ code = "level", values = ["1", "2", "3"], start = "2" }]
candidate = { command = "x {level}" }
"""


@pytest.fixture
def cup(tmp_path, monkeypatch):
    monkeypatch.setattr("gyoji.scheduler.run.SlotPool", InstantPool)
    monkeypatch.setattr(InstantPool, "answers", {})
    monkeypatch.setattr(InstantPool, "orders", [])
    monkeypatch.setattr(checking.check_before_run, "__kwdefaults__", {"attempt": passed})
    path = tmp_path / "cup.toml"
    path.write_text(CUP)
    return path


def said(*words):
    """Return the lines of a run about how it stands; the pace, which varies, is cut off."""
    result = gyoji(*words)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    starts = ("progress", "void", "standings", "rounds", "elo", "llr", "best", "estimate", "check match")
    lines = [line for line in result.stdout.splitlines() if line.startswith(starts)]
    return [line.partition(" games,")[0] if line.startswith("progress") else line for line in lines]


def test_every_two_games_a_run_says_how_far_it_is_and_who_is_ahead(cup):
    InstantPool.answers["0_1"] = Outcome(points=won_by(1, 2), ending=Ending.RESIGNATION, seat=0)
    lines = said("run", "--every", "2", cup)
    assert [line.split(": ")[0] for line in lines] == 2 * ["progress", "standings", "elo"]
    assert lines[:2] == ["progress: 2/4", "standings: a 2/2, b 0/2"]
    assert lines[3:5] == ["progress: 4/4", "standings: a 3/4, b 1/4"]
    assert lines[5].startswith("elo: a +190.8 (95 %: ")
    assert ") against b, LOS " in lines[5]


def test_a_run_that_goes_on_counts_what_was_played_before(cup):
    assert gyoji("run", "-g", "3", cup).exit_code == 0
    assert said("run", "--every", "1", cup)[:2] == ["progress: 4/4", "standings: a 2/4, b 2/4"]


def test_a_quiet_run_prints_these_lines_alone_and_the_last_ones_at_its_end(cup):
    result = gyoji("run", "--quiet", "--every", "3", cup)
    lines = result.stdout.splitlines()
    assert [line.split(":")[0] for line in lines] == 2 * ["progress", "standings", "elo"]
    assert "to go" in lines[0]
    assert "to go" not in lines[3]


@pytest.mark.parametrize("words", [["--every", "never"], ["--quiet"], []])
def test_a_short_run_says_nothing_of_the_kind_unless_it_is_asked_to(cup, words):
    assert said("run", *words, cup) == []


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        (SPRT, ["progress: 4/8", "standings: a ", "llr: ", "elo: a "]),
        (SWISS, ["progress: 8/8", "rounds: 4/4 matches over, round 2 of 2", "standings: ", "elo: "]),
        (TUNER, ["progress: 44/44", "best: level ", "estimate from 44 games: "]),
    ],
)
def test_each_kind_of_competition_says_what_matters_in_it(cup, text, starts):
    cup.write_text(text)
    number = starts[0].removeprefix("progress: ").split("/")[0]
    lines = said("run", "--every", number, cup)
    assert all(line.startswith(start) for line, start in zip(lines, starts, strict=False)), lines
    assert len(lines) >= len(starts)


@pytest.mark.parametrize("text", ["0", "-1", "soon", "0s", "1.5"])
def test_a_wrong_wish_is_refused(cup, text):
    result = gyoji("run", f"--every={text}", cup)
    assert result.exit_code == 2
    assert "expected a number of games such as 100" in " ".join(result.stderr.split())


def test_by_the_clock_a_run_in_which_no_game_ends_says_that_it_goes_on(capsys):
    loop = Loop()
    event = SimpleNamespace(tables=lambda: pytest.fail("nothing has changed"))
    with LineDisplay(event, ResultsDigest(), Every(ns=1), loop, closing=list, quiet=True) as display:
        display.began(stored=3, voids=0, remaining=7, playing=tuple)
        loop.wait()
    loop.close()
    assert capsys.readouterr().out.splitlines()[0] == "progress: 3/10 games"


# The commands that a run calls


@pytest.mark.process
def test_a_command_learns_of_each_game_and_another_one_how_the_run_has_ended(cup):
    hooks = 'on_game = ["/bin/sh", "-c", "cat >> games"]\non_end = "/bin/cp /dev/stdin end"\n'
    cup.write_text(hooks + CUP)
    result = gyoji("run", "-g", "3", cup)
    assert (result.exit_code, result.stderr) == (0, "")
    games = [json.loads(line) for line in (cup.parent / "games").read_text().splitlines()]
    assert [(each["id"], each["winner"]) for each in games] == [("0_0", "a"), ("0_1", "b"), ("0_2", "a")]
    end = json.loads((cup.parent / "end").read_text())
    assert (end["event"], end["competition"], end["status"], end["finished"]) == ("end", "cup", 0, 3)
    assert end["values"]["matchups"][0]["played"] == 3
    assert end["values"]["remaining"] == 1
    assert "player a: A" in Path(end["report"]).read_text()


@pytest.mark.process
def test_the_last_command_may_begin_the_next_run_and_its_failure_is_a_warning(cup):
    cup.write_text('on_end = ["/bin/sh", "-c", "test ! -e cup.lock || exit 9; exit 4"]\n' + CUP)
    result = gyoji("run", cup)
    assert (result.exit_code, result.stderr) == (
        0,
        "gyoji: on_end: exit status 4; the event log has what it printed\n",
    )
    assert (cup.parent / "cup.log").read_text().splitlines()[-1] == "on_end: exit status 4"


def test_a_command_that_cannot_be_started_is_a_mistake_in_the_control_file(cup):
    cup.write_text('on_end = "./tell.sh"\n' + CUP)
    result = gyoji("run", cup)
    assert result.exit_code == 2
    assert "cup.toml: on_end: no program" in result.stderr
    cup.write_text("on_game = 3\n" + CUP)
    assert (
        f"gyoji: {cup}:1: on_game: expected a string, or a list of strings, got 3" in gyoji("run", cup).stderr
    )
