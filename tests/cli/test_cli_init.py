"""`gyoji init`: what it writes, and what it refuses. No engine is started."""

import os

import click
import pytest
from click.testing import CliRunner

from gyoji.cli.app import app
from gyoji.cli.writing import KINDS
from gyoji.config.competition import load


@pytest.fixture
def init(tmp_path, monkeypatch):
    """The command in its own folder, on a machine with two gomoku brains."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bin").mkdir()
    for name in ("pbrain-one", "pbrain-two", "bot"):
        (tmp_path / "bin" / name).write_text("#!/bin/sh\n")
        (tmp_path / "bin" / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")

    return lambda *words: CliRunner().invoke(app, ["init", *words])


def test_without_options_it_writes_a_match_of_the_first_two_programs(init, tmp_path):
    told = init()
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


def test_options_choose_and_the_file_lists_what_else_this_machine_has(init, tmp_path):
    words = [
        "--game",
        "gomoku",
        "--player",
        "pbrain-one",
        "--player",
        "pbrain-one",
        "--player",
        "bot --level 3",
    ]
    told = init("cup.toml", *words, "--format", "swiss", "-n", "3", "--clock", "8+0.08")
    assert told.exit_code == 0, told.output
    setup = load(tmp_path / "cup.toml")
    assert (setup.kind, setup.game, list(setup.players)) == (
        "swiss",
        "gomoku",
        ["pbrain-one-1", "pbrain-one-2", "bot"],
    )
    assert (setup.settings.rounds, setup.settings.clock.describe()) == (3, "8s + 0.08s/move")
    assert setup.players["bot"].command[1:] == ("--level", "3")
    lines = (tmp_path / "cup.toml").read_text().splitlines()
    assert {"#   pbrain-narabe --random", "#   pbrain-two"} <= set(lines)
    assert "#   pbrain-one" not in lines


def test_two_players_at_least(init):
    said = init("--game", "pebbles")
    assert (said.exit_code, said.stderr.splitlines()[0][:30]) == (2, "gyoji: no game 'pebbles'; ther")
    alone = init("--player", "bot")
    assert "a competition has two players or more, got 1: give each with --player COMMAND" in alone.stderr
    assert not os.path.exists("first.toml")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", ["go", "gomoku", "dighere"])
def test_every_format_of_every_game_is_written_as_it_is_read(init, tmp_path, kind, game):
    players = ["--player", "pbrain-one", "--player", "pbrain-one --level 2"]
    players += [] if kind in ("playoff", "sprt") else ["--player", "pbrain-one --level 3"]
    told = init("--game", game, "--format", kind, "--games", "8", *players)
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
        (["no/cup.toml"], "no/cup.toml: cannot be written: No such file or directory"),
        (["a.toml", "--yes"], "--yes: removed: leave it out"),
        (["a.toml", "--player", "a 'b", "--player", "bot"], "players.a-b.command: no closing quotation"),
        (
            ["a.toml", "--format", "sprt", *["--player", "bot"] * 3],
            "--format: sprt is for two players, and there are 3",
        ),
        (["a.toml", "--clock", "soon"], "clock: 'soon' is not a time control"),
    ],
)
def test_what_is_refused_leaves_no_file(init, tmp_path, words, message):
    (tmp_path / "here.toml").write_text("komi = 7\n")
    told = init(*words)
    assert (told.exit_code, message in told.stderr) == (2, True), told.stderr
    assert sorted(each.name for each in tmp_path.iterdir()) == ["bin", "here.toml"]
    assert (tmp_path / "here.toml").read_text() == "komi = 7\n"
