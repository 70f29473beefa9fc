"""formats.md says what is so: its examples load, and every setting of a format is in a table."""

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from gyoji.config.competition import load
from gyoji.core.plugins import FORMATS
from gyoji.core.setup import GameSettings
from gyoji.formats.contest import Phase
from gyoji.formats.groups import Group
from gyoji.games.dighere.fields import draw_field
from gyoji.games.dighere.files import json_field

DOC = (Path(__file__).parents[2] / "docs/reference/formats.md").read_text()


@pytest.mark.parametrize(("language", "name"), [("toml", "event.toml"), ("python", "event.ctl")])
def test_its_examples_load(tmp_path, language, name):
    examples = re.findall(rf"```{language}\n(.*?)```", DOC, re.DOTALL)
    assert examples
    (tmp_path / "fields.jsonl").write_text(json.dumps(json_field(draw_field(1))))
    for text in examples:
        path = tmp_path / name
        path.write_text(text)
        setup = load(path)
        assert setup.warnings == ()
        assert FORMATS.find(setup.kind).competition(setup).next_game() is not None


def test_every_setting_of_a_format_is_in_a_table():
    cells = {
        word for line in DOC.splitlines() if line.startswith("|") for word in re.findall(r"`(\w+)`", line)
    }
    of_games = {field.name for field in fields(GameSettings)}
    flat = ("allplayall", "gauntlet", "knockout", "ladder", "sprt", "stages", "swiss")
    for kind in (*(FORMATS.find(name).settings for name in flat), Group, Phase):
        assert {field.name for field in fields(kind)} - of_games - cells == set()


def test_every_format_is_named():
    for name in FORMATS.names:
        assert f"* `{name}`:" in DOC
