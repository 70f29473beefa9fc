"""docs/command-line.md has every command once, and every option of the commands that it describes."""

import re
from collections import Counter
from pathlib import Path

import click
import pytest

from gyoji.cli.app import app

DOCUMENT = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text(encoding="utf-8")
(TABLE,) = re.findall(r"\| command \| what it does \|\n(.*?)\n\n", DOCUMENT, re.S)
CONTEXT = click.Context(app)
COMMANDS = {name: app.get_command(CONTEXT, name) for name in app.list_commands(CONTEXT)}
SECTIONS = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", DOCUMENT, re.M | re.S))


def test_the_table_has_each_command_once_and_no_other():
    listed = Counter(re.findall(r"^\| `(\w+)` \|", TABLE, re.M))
    assert listed == Counter(COMMANDS.keys())


@pytest.mark.parametrize("name", [name for name in COMMANDS if name in SECTIONS])
def test_a_section_has_every_option_of_its_command(name):
    options = [param for param in COMMANDS[name].params if isinstance(param, click.Option)]
    assert [
        option.opts for option in options if not any(word in SECTIONS[name] for word in option.opts)
    ] == []


def test_what_has_no_section_has_a_page_of_its_own():
    rows = {name: row for row in TABLE.splitlines() for name in re.findall(r"^\| `(\w+)`", row)}
    for name in COMMANDS.keys() - SECTIONS.keys():
        assert ".md" in rows[name], name
