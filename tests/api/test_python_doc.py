"""The examples of docs/how-to/python.md are what they say."""

import contextlib
import io
import re
from pathlib import Path

from gyoji import api

TEXT = (Path(__file__).parents[2] / "docs" / "how-to" / "python.md").read_text()


def test_the_game_between_functions_ends_as_the_page_says():
    (code, shown) = re.findall(r"```(?:python|text)\n(.*?)```", TEXT, re.DOTALL)[:2]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, {})
    assert out.getvalue() == shown


def test_the_examples_use_only_what_there_is():
    for name in re.findall(r"\bapi\.(\w+)", TEXT.replace("gyoji.api", "")):
        assert hasattr(api, name), name
    for name in re.findall(r"\bevent\.(\w+)", TEXT):
        assert name == "competition" or hasattr(api.Event, name), name
