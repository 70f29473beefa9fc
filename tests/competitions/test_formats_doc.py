"""docs/formats.md says what is so: its examples load, and every setting of a format is in a table."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from gyoji.competitions import allplayall, groups
from gyoji.config.load import load
from gyoji.core.plugins import plugin, plugin_names
from gyoji.core.setup import GameSettings

DOC = (Path(__file__).parents[2] / "docs/formats.md").read_text()


@pytest.mark.parametrize(("language", "name"), [("toml", "event.toml"), ("python", "event.ctl")])
def test_its_examples_load(tmp_path, language, name):
    examples = re.findall(rf"```{language}\n(.*?)```", DOC, re.DOTALL)
    assert examples
    for text in examples:
        path = tmp_path / name
        path.write_text(text)
        setup = load(path)
        assert setup.warnings == ()
        assert plugin("competitions", setup.kind).competition(setup).next_game() is not None


def test_every_setting_of_a_format_is_in_a_table():
    cells = {
        word for line in DOC.splitlines() if line.startswith("|") for word in re.findall(r"`(\w+)`", line)
    }
    of_games = {field.name for field in fields(GameSettings)}
    for kind in (allplayall.Settings, groups.Group):
        assert {field.name for field in fields(kind)} - of_games - cells == set()


def test_every_format_is_named():
    for name in plugin_names("competitions"):
        assert f"* `{name}`:" in DOC
