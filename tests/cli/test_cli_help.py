"""The help of commands names the values that it speaks of."""

import re

import pytest
from click.testing import CliRunner

from gyoji.cli.app import app
from gyoji.core.plugins import GAMES


def help_of(command):
    text = CliRunner().invoke(app, [command, "--help"], terminal_width=200).stdout
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("command", ["match", "play"])
def test_the_defaults_of_a_board_are_in_the_help_in_figures(command):
    text = help_of(command)
    go = GAMES.find("go").match_defaults
    assert f"Size of the board. [default: {go['board_size']} in go, else the game's]" in text
    assert f"Points for White. [default: {go['komi']}]" in text
    assert "Name of the game. [default: go]" in text


def test_a_run_and_a_match_say_how_they_stand_equally_often():
    every = re.compile(r"--every N\|TIME .*?\]")
    assert every.search(help_of("match"))[0] == every.search(help_of("run"))[0]


def test_the_formats_of_samples_are_in_the_help():
    assert all(form in help_of("export") for form in GAMES.find("gomoku").samples())
