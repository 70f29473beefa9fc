"""docs/reference/control-files.md says what is so: its examples load, and every setting is in a table."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from gyoji.config.competition import COMMON_KEYS, load
from gyoji.config.format_settings import Layout
from gyoji.config.kinds import BUDGET_KINDS, CLOCK_KINDS, OPENING_KINDS
from gyoji.config.players import KEYS
from gyoji.core.plugins import FORMATS, GAMES, PROTOCOLS
from gyoji.core.setup import GameSettings
from gyoji.formats.playoff import Matchup

DOC = (Path(__file__).parents[2] / "docs/reference/control-files.md").read_text()


OURS = ("go", "gomoku", "dighere")


def examples(language):
    return re.findall(rf"```{language}\n(.*?)```", DOC, re.DOTALL)


@pytest.mark.parametrize(("language", "name"), [("toml", "event.toml"), ("python", "event.ctl")])
def test_its_examples_load(write, tmp_path, language, name):
    (tmp_path / "openings.txt").write_text("0,0, 1,-2\n")
    for text in examples(language):
        assert load(write(text, name)).warnings == ()


def test_every_setting_is_in_a_table():
    known = [*COMMON_KEYS, *Layout.of(FORMATS.find("playoff").settings).keys, *KEYS]
    known += [*BUDGET_KINDS, *CLOCK_KINDS, *OPENING_KINDS]
    for kind in (
        Matchup,
        *(PROTOCOLS.find(name).options for name in ("gtp", "gomocup", "dighere")),
        *(GAMES.find(name).options for name in OURS),
    ):
        known += [field.name for field in fields(kind)]
    known = set(known) - {"options"}
    assert {field.name for field in fields(GameSettings)} - {"options"} <= known
    cells = {
        word for line in DOC.splitlines() if line.startswith("|") for word in re.findall(r"`(\w+)`", line)
    }
    assert known - cells == set()


def test_every_preset_is_named():
    presets = {name for game in OURS for name in GAMES.find(game).presets}
    named = set(re.findall(r'`"((?:gomocup|samurai)-[\w-]+)"`', DOC))
    assert presets == named - set(PROTOCOLS.names)
