"""`gyoji demo`: a competition that anybody can play who has gyoji, and what it says to do next."""

import shlex

import pytest
from command_line import gyoji

from gyoji.cli.demo import FILE
from gyoji.cli.examples import examples_folder
from gyoji.config.competition import load


def test_its_control_file_needs_nothing_but_gyoji(tmp_path):
    path = tmp_path / FILE
    path.write_text((examples_folder() / FILE).read_text())
    setup = load(path)
    assert (setup.kind, setup.game, setup.warnings) == ("allplayall", "gomoku", ())
    assert {shlex.split(player.command[0])[0].split("/")[-1] for player in setup.players.values()} == {
        "pbrain-narabe"
    }


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
