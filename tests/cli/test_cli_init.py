"""`gyoji init`: what it asks, what it writes, and what it refuses. No engine is started."""

import os

import click
import pytest
from click.testing import CliRunner

from gyoji.cli.app import app
from gyoji.cli.writing import KINDS
from gyoji.config.competition import load


@pytest.fixture
def init(tmp_path, monkeypatch):
    """The command in its own folder, on a machine with two gomoku brains. typed: the lines of a person."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bin").mkdir()
    for name in ("pbrain-one", "pbrain-two", "bot"):
        (tmp_path / "bin" / name).write_text("#!/bin/sh\n")
        (tmp_path / "bin" / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")

    def init(*words, typed=None):
        return CliRunner().invoke(
            app, ["init", *words], input=typed and "".join(f"{line}\n" for line in typed)
        )

    return init


def test_without_a_question_it_writes_a_match_of_the_first_two_programs(init, tmp_path):
    told = init("--yes")
    assert told.exit_code == 0
    assert told.stdout.splitlines()[1:] == [
        "first.toml is written. Next:",
        *("  gyoji check --quick first.toml", "  gyoji run first.toml", "  gyoji show first.toml"),
    ]
    setup = load(tmp_path / "first.toml")
    assert (setup.kind, setup.game, list(setup.players)) == (
        "playoff",
        "go",
        ["gyoji-kozo", "gyoji-kozo-random"],
    )
    (matchup,) = setup.settings.matchups
    assert (matchup.number_of_games, matchup.clock.describe(), matchup.options["board_size"]) == (10, "1m", 9)


def test_it_asks_for_game_players_format_games_and_clock(init, tmp_path):
    typed = ["gomoku", "pbrain-one", "4", "bot --level 3", "", "swiss", "3", "8+0.08"]
    told = init("cup.toml", typed=typed)
    assert told.exit_code == 0, told.output
    assert "narabe, random moves  pbrain-narabe --random" in told.stdout
    assert " 4  one                   pbrain-one" in told.stdout
    setup = load(tmp_path / "cup.toml")
    assert (setup.kind, setup.game, list(setup.players)) == (
        "swiss",
        "gomoku",
        ["pbrain-one-1", "pbrain-one-2", "bot"],
    )
    assert (setup.settings.rounds, setup.settings.clock.describe()) == (3, "8s + 0.08s/move")
    assert setup.players["bot"].command[1:] == ("--level", "3")


def test_a_wrong_answer_is_told_and_asked_for_again(init):
    typed = ["chess", "go", "", "pbrain-three", "", "a 'b", "", "ply", "playoff", "0", "7", "soon", "10m"]
    said = init(typed=typed).output
    for message in (
        "no game 'chess'",
        "there is no number and no program 'pbrain-three'",
        "no closing quotation",
        "no format 'ply'; there are: allplayall",
        "expected a whole number from 1, got '0'",
        "'soon' is not a time control: write 10m",
    ):
        assert f"Error: {message}" in said
    assert "first.toml is written" in said


def test_two_players_at_least(init):
    said = init("--game", "pebbles", "--yes")
    assert (said.exit_code, said.stderr.splitlines()[0][:30]) == (2, "gyoji: no game 'pebbles'; ther")
    alone = init("--player", "bot", "--yes")
    assert "a competition has two players or more, got 1: give each with --player COMMAND" in alone.stderr
    assert not os.path.exists("first.toml")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", ["go", "gomoku", "dighere"])
def test_every_format_of_every_game_is_written_as_it_is_read(init, tmp_path, kind, game):
    players = ["--player", "pbrain-one", "--player", "pbrain-one --level 2"]
    players += [] if kind in ("playoff", "sprt") else ["--player", "pbrain-one --level 3"]
    told = init("--game", game, "--format", kind, "--games", "8", *players, "--yes")
    assert told.exit_code == 0, told.stderr
    setup = load(tmp_path / "first.toml")
    assert (setup.kind, setup.game, setup.warnings) == (kind, game, ())
    assert list(setup.players)[:2] == ["pbrain-one", "pbrain-one-level-2"]


def test_the_command_line_has_its_formats():
    (option,) = (each for each in app.commands["init"].params if each.name == "kind")
    assert isinstance(option.type, click.Choice)
    assert tuple(option.type.choices) == tuple(KINDS)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["here.toml"], "here.toml: is there already, and is not overwritten: name another file"),
        (["cup.txt"], "cup.txt: a control file's name ends in .toml: gyoji init cup.toml"),
        (["no/cup.toml", "--yes"], "no/cup.toml: cannot be written: No such file or directory"),
        (["a.toml"], "gyoji init asks questions, and standard input has no answer: give --yes, or options"),
        (
            ["a.toml", "--format", "sprt", *["--player", "bot"] * 3, "--yes"],
            "--format: sprt is for two players, and there are 3",
        ),
        (["a.toml", "--clock", "soon", "--yes"], "clock: 'soon' is not a time control"),
    ],
)
def test_what_is_refused_leaves_no_file(init, tmp_path, words, message):
    (tmp_path / "here.toml").write_text("komi = 7\n")
    told = init(*words)
    assert (told.exit_code, message in told.stderr) == (2, True), told.stderr
    assert sorted(each.name for each in tmp_path.iterdir()) == ["bin", "here.toml"]
    assert (tmp_path / "here.toml").read_text() == "komi = 7\n"
