"""The JSON schema of an umpire's messages, beside the page that describes them."""

import json
import re
from pathlib import Path

import msgspec
import pytest

from gyoji.games.umpire.messages import Said, read

DOCS = Path(__file__).parents[3] / "docs" / "reference"
SCHEMA = DOCS / "umpire-protocol.schema.json"
PAGE = (DOCS / "umpire-protocol.md").read_text(encoding="utf-8")


def schema():
    made = msgspec.json.schema(Said)
    made["title"] = "One line of an umpire: an object with exactly one key"
    for each in made["$defs"].values():
        each.pop("description", None)  # the page describes them
    made["$defs"]["Said"] |= {"minProperties": 1, "maxProperties": 1}
    return made


def test_the_schema_is_that_of_the_messages():
    wanted = json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
    assert SCHEMA.read_text(encoding="utf-8") == wanted, (
        f"write it anew:\n{__file__}: python -c 'import test_umpire_schema as t; t.rewrite()'"
    )


def rewrite():
    SCHEMA.write_text(json.dumps(schema(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


@pytest.mark.parametrize("name", Said.__struct_fields__)
def test_the_page_has_each_message(name):
    assert f"\n| `{name}` |" in PAGE


def test_what_the_page_shows_of_an_umpire_can_be_read():
    lines = re.findall(r"^umpire  (\{.*)$", PAGE, re.M)
    assert {read(line)[0] for line in lines} == {"tell", "ask", "move", "end"}
