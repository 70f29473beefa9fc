"""The programs on the page about writing a brain work as printed."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from gomocup_games import end_of

from gyoji.engines.gomocup import SWAP, Brain
from gyoji.engines.narabe import Drunk
from gyoji.games.gomoku.game_options import Options, rules

DOCUMENT = (Path(__file__).parents[2] / "docs" / "tutorials" / "writing-a-brain.md").read_text(
    encoding="utf-8"
)
PROGRAM, _, LIMITED, CHOICE = re.findall(r"```python\n(.*?)```", DOCUMENT, re.S)
(SESSION,) = re.findall(r"\$ printf '(.*?)' \| python pbrain-first.py\n(.*?)```", DOCUMENT, re.S)


def names_in(program):
    """Return the definitions of a program of the page, which is not run as a program."""
    names = {}
    exec(program.replace("raise SystemExit", "brain = ").replace(".run())", ")"), names)
    return names


def test_the_program_has_twenty_lines():
    assert len([line for line in PROGRAM.splitlines() if line.strip()]) <= 20


@pytest.mark.process
def test_the_program_answers_as_the_document_shows():
    given, shown = SESSION
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=given.replace("\\n", "\n"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == (shown, "", 0)


@pytest.mark.process
def test_its_first_match_is_played_as_the_document_has_it(tmp_path):
    (tmp_path / "pbrain-first.py").write_text(PROGRAM)
    (line,) = re.findall(r"^\$ gyoji (match .*)$", DOCUMENT, re.M)
    done = subprocess.run(
        [sys.executable, "-m", "gyoji", *shlex.split(line), "--size", "7", "--games", "1"],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert "(1/1 games)" in done.stdout
    assert "pbrain-first.py" in done.stdout


@pytest.mark.parametrize("seat", [0, 1])
def test_the_program_beats_a_random_mover(seat):
    gomoku, first = rules(Options()), names_in(PROGRAM)["think"]
    for seed in "ab":
        brains = [Brain(first, name="First"), Brain(Drunk(seed), name="Drunk")]
        assert gomoku.outcome(end_of(gomoku, brains[:: 1 - 2 * seat])).winner == seat


def test_the_limits_are_kept():
    brain = eval(LIMITED, {"Brain": Brain, "think": lambda game: (7, 7), "choose": None})
    assert brain.answer(b"START 16").startswith(b"ERROR")
    assert brain.answer(b"START 15") == b"OK\n"
    brain.answer(b"INFO rule 4")
    assert brain.answer(b"BEGIN").startswith(b"ERROR")


@pytest.mark.parametrize(("count", "worth", "answer"), [(0, 0, "7,7 8,8 5,8"), (3, 1, "7,7"), (5, -1, SWAP)])
def test_the_choice_is_one_under_swap2(count, worth, answer):
    names = {"think": lambda game: (7, 7), "worth": lambda game: worth}
    exec(CHOICE, names)
    brain = Brain(names["think"], name="First", choose=names["choose"])
    stones = "".join(f"{n},0\n" for n in range(count))
    for line in f"START 15\nSWAP2BOARD\n{stones}DONE".split("\n"):
        said = brain.answer(line.encode())
    assert said.decode() == answer + "\n"
