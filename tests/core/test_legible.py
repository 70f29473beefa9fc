"""Foreign text on its way to a file or a screen."""

import json
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.core.text import legible, legible_json

TEXTS = {
    "": "",
    "plain": "plain",
    "a line\nand a\ttab\n": "a line\nand a\ttab\n",
    "Größe 漢字 👨\u200d👩 \u0645\u06cc\u200c\u062e": "Größe 漢字 👨\u200d👩 \u0645\u06cc\u200c\u062e",
    "\x1b]0;title\x07 \x1b[2J": "\\u001b]0;title\\u0007 \\u001b[2J",  # title and clear screen
    "C1: \x9b2J \x90 \x80": "C1: \\u009b2J \\u0090 \\u0080",
    "\u202egnp.exe\u202c \u2066\u2069 \u200e\u200f\u061c": (
        "\\u202egnp.exe\\u202c \\u2066\\u2069 \\u200e\\u200f\\u061c"  # marks of direction
    ),
    "blanks \xa0 \u3000 new \U0001faf9 private \ue000": "blanks \xa0 \u3000 new \U0001faf9 private \ue000",
    "1\r\n2\r3\v4\f5\x856\u20287\u20298\x1c9": "1\n2\n3\n4\n5\n6\n7\n8\n9",
    "nul \0 del \x7f bom \ufeff": "nul \\u0000 del \\u007f bom \\ufeff",
    "lone \ud800 tag \U000e0041": "lone \\ud800 tag \\udb40\\udc41",
}


@pytest.mark.parametrize(("said", "shown"), TEXTS.items())
def test_what_does_something_to_who_reads_it_is_escaped(said, shown):
    assert legible(said) == shown


ANYTHING = st.text(st.characters())


@given(ANYTHING)
def test_legible_text_is_lines_without_controls_and_stays_as_it_is(said):
    shown = legible(said)
    active = ("Cc", "Cf", "Cs", "Zl", "Zp")
    assert all(char in "\n\t\u200c\u200d" or category(char) not in active for char in shown)
    assert legible(shown) == shown


@given(st.lists(ANYTHING))
def test_json_stays_the_same_json(values):
    assert json.loads(legible(legible_json(values, indent=2))) == values
