"""tuning.md says what is so: its examples load and play, and every setting of a tuner is in a table."""

import re
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest

from gyoji.config.competition import load
from gyoji.core.plugins import FORMATS
from gyoji.core.setup import GameSettings

DOC = (Path(__file__).parents[2] / "docs/reference/tuning.md").read_text()
TUNERS = [name for name in FORMATS.names if name.endswith("_tuner")]


@pytest.mark.parametrize(("language", "name"), [("toml", "tune.toml"), ("python", "tune.ctl")])
def test_its_examples_load_and_play(tmp_path, language, name):
    examples = re.findall(rf"```{language}\n(.*?)```", DOC, re.DOTALL)
    assert examples
    for text in examples:
        path = tmp_path / name
        path.write_text(text)
        setup = load(path)
        assert setup.warnings == ()
        assert FORMATS.find(setup.kind).competition(setup).next_game() is not None


@pytest.mark.parametrize("name", TUNERS)
def test_every_setting_of_a_tuner_is_in_a_table(name):
    module = import_module(f"gyoji.formats.{name}")
    words = set(re.findall(r"`(\w+)`", "\n".join(line for line in DOC.splitlines() if "|" in line)))
    of_games = {field.name for field in fields(GameSettings)}
    of_tables = {"candidate", "parameters"}
    own = {field.name for kind in (module.Settings, module.Parameter) for field in fields(kind)}
    assert own - of_games - of_tables - words == {"split", "start"} & own - words


def test_every_tuner_has_its_place():
    assert all(f"[`{name}`](#" in DOC for name in TUNERS)
