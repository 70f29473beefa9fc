"""The control files in examples/: one for each format and each game, without mistakes.

`test_release` plays each of them from the wheel.
"""

import re
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from click.testing import CliRunner

from gyoji.cli.app import app
from gyoji.config.competition import load

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = sorted(path.name for path in EXAMPLES.iterdir() if path.suffix in {".toml", ".ctl"})
TOML = {name: tomllib.loads((EXAMPLES / name).read_text()) for name in FILES if name.endswith(".toml")}


def own(kind):
    """Return the names under which gyoji itself registers its games or formats."""
    return {entry.name for entry in entry_points(group=f"gyoji.{kind}") if entry.value.startswith("gyoji.")}


def test_every_format_has_an_example():
    assert own("formats") <= {settings["competition"] for settings in TOML.values()}


def test_every_game_has_an_example():
    assert own("games") <= {settings.get("game", "go") for settings in TOML.values()}


def test_the_readme_lists_every_example():
    listed = set(re.findall(r"\]\(([^)]*)\)", (EXAMPLES / "README.md").read_text()))
    assert set(FILES) <= listed
    assert [name for name in listed if not (EXAMPLES / name).exists()] == []


@pytest.mark.parametrize("name", FILES)
def test_an_example_has_no_mistakes(name):
    assert load(EXAMPLES / name).warnings == ()


@pytest.mark.process
def test_the_players_of_the_example_with_a_person_are_checked():
    done = CliRunner().invoke(app, ["check", "--quick", str(EXAMPLES / "people.toml")])
    assert done.exit_code == 0, done.output
    assert "player ann: ok: a person, who plays on the page of `gyoji serve`\nplayer kozo: ok" in done.output
