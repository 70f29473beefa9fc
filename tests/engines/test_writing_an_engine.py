"""The programs on the page about writing an engine work as printed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCUMENT = (Path(__file__).parents[2] / "docs" / "tutorials" / "writing-an-engine.md").read_text(
    encoding="utf-8"
)
PROGRAMS = re.findall(r"```python\n(.*?)```", DOCUMENT, re.S)
(SESSION,) = re.findall(r"\$ printf '(.*?)' \| python first.py\n(.*?)```", DOCUMENT, re.S)


def test_the_first_program_has_twenty_lines():
    assert len([line for line in PROGRAMS[0].splitlines() if line.strip()]) <= 20


@pytest.mark.process
def test_the_first_program_answers_as_the_document_shows():
    given, shown = SESSION
    done = subprocess.run(
        [sys.executable, "-c", PROGRAMS[0]],
        input=given.replace("\\n", "\n"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.strip(), done.stderr, done.returncode) == (shown.strip(), "", 0)


@pytest.mark.process
def test_the_first_program_plays_a_game_against_itself():
    commands = "boardsize 7\n" + "genmove b\ngenmove w\n" * 150 + "final_score\nquit\n"
    done = subprocess.run(
        [sys.executable, "-c", PROGRAMS[0]], input=commands, capture_output=True, text=True, check=True
    )
    assert "?" not in done.stdout
    assert done.stdout.count("= pass\n\n") >= 2


def test_the_second_program_adds_its_commands():
    namespace = {}
    exec(PROGRAMS[2], namespace)
    engine = namespace["Tunable"](lambda game: -1)
    assert engine.answer(b"set_width 0\n").startswith(b"? the width is")
    assert engine.answer(b"set_width 2.5\n") == b"=\n\n"
    assert engine.answer(b"get_width\n") == b"= 2.5\n\n"
    assert engine.answer(b"known_command set_width\n") == b"= true\n\n"
