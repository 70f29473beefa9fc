"""`gyoji demo`: a competition that anybody can play who has gyoji, and what it says to do next."""

import shlex

import pytest
from command_line import gyoji

from gyoji.cli.demo import DEMOS
from gyoji.cli.examples import examples_folder
from gyoji.config.competition import load


@pytest.mark.parametrize("game", DEMOS)
def test_its_control_file_needs_nothing_but_gyoji(tmp_path, game):
    path = tmp_path / DEMOS[game].file
    path.write_text((examples_folder() / path.name).read_text())
    setup = load(path)
    assert (setup.kind, setup.game, setup.warnings) == ("allplayall", game, ())
    assert {shlex.split(player.command[0])[0].split("/")[-1] for player in setup.players.values()} == {
        DEMOS[game].engine
    }


def test_a_game_without_a_demo_is_told_with_those_that_have_one(tmp_path):
    told = gyoji("demo", tmp_path, "--game", "ches")
    assert told.exit_code == 2
    assert "--game: got 'ches', expected gomoku or chess; did you mean chess?" in told.stderr


def test_a_folder_that_cannot_be_made_is_told_with_a_remedy(tmp_path):
    (tmp_path / "file").touch()
    told = gyoji("demo", tmp_path / "file" / "inside")
    assert told.exit_code == 2
    assert (
        "demo.toml: cannot be written: Not a directory; name another folder: gyoji demo FOLDER" in told.stderr
    )


@pytest.mark.slow
def test_it_plays_says_what_to_do_next_and_shows_its_results_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first = gyoji("demo")
    assert first.exit_code == 0
    assert first.stdout.count("game ") >= 12
    assert "12/12 games played" in first.stdout
    next_commands = [line.split()[1] for line in first.stdout.splitlines() if line.startswith("  gyoji ")]
    assert next_commands == ["report", "play", "init"]
    assert gyoji("report", "--format", "html", "gyoji-demo/demo.toml").exit_code == 0
    assert (tmp_path / "gyoji-demo" / "demo.html").stat().st_size > 10_000
    again = gyoji("demo")
    assert "is there already" in again.stdout
    assert "12/12 games played" in again.stdout


@pytest.mark.slow
def test_it_plays_chess_if_that_is_asked_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = gyoji("demo", "--game", "chess")
    assert done.exit_code == 0
    assert "6/6 games played" in done.stdout
    assert "gyoji play gyoji-koma --game chess" in done.stdout
