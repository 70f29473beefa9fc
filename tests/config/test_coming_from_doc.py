"""The page for those who come from other tools: its settings, formats and options are ours."""

import re
import tomllib
from pathlib import Path

import pytest

from gyoji.cli.app import app
from gyoji.config.competition import load
from gyoji.core.plugins import FORMATS

PAGE = (Path(__file__).parents[2] / "docs/how-to/coming-from.md").read_text()
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ")]
OURS = [
    word
    for row in ROWS
    for cell in row.strip("| ").split(" | ")[1:]
    for word in re.findall(r"`([^`]*)`", cell)
]

ABOVE_THE_PLAYERS = (
    "adjudication",
    "clock",
    "cores",
    "max_memory",
    "ponder",
    "preset",
    "record_formats",
    "rule",
)
SETTINGS = sorted({word for word in OURS if word.split(" = ")[0] in ABOVE_THE_PLAYERS and " = " in word})
OPTIONS = sorted({option for word in OURS for option in re.findall(r"(?<![\w-])--\w[\w-]*", word)})
OF_MATCHES = sorted({pair for word in OURS for pair in re.findall(r"--set (\w+)=", word)})

FILE = """
competition = "playoff"
game = "gomoku"
{setting}
players = {{ a = {{ command = "pbrain-narabe" }}, b = {{ command = "pbrain-narabe" }} }}
matchups = [{{ players = ["a", "b"] }}]
"""


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_setting_of_the_page_is_one_of_control_files(setting, tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(FILE.format(setting=setting))
    assert load(path).warnings == ()


@pytest.mark.parametrize("setting", ["alternating=false", "cores=1", "ponder=false", "seed=7"])
def test_a_setting_of_all_players_of_a_match_is_one(setting, tmp_path):
    key, _, value = setting.partition("=")
    assert key in OF_MATCHES
    path = tmp_path / "cup.toml"
    path.write_text(FILE.format(setting=f"{key} = {value}"))
    assert load(path).warnings == ()


def test_the_formats_of_the_page_are_there():
    named = {tomllib.loads(word)["competition"] for word in OURS if word.startswith("competition = ")}
    assert len(named) > 5
    for name in named:
        assert FORMATS.find(name)


def test_the_options_of_the_page_are_there():
    commands = [app.get_command(None, name) for name in ("match", "run", "report", "export", "check")]
    known = {option for command in commands for each in command.params for option in each.opts}
    assert len(OPTIONS) > 15
    assert set(OPTIONS) <= known
