"""The table of guards is true, and nonsense across the boundaries of containment is borne."""

import random
import re
from pathlib import Path

import fuzz
import pytest
import take_away
from guards import GUARDS

from gyoji.core import wire
from gyoji.executors.contained import cells

TESTS = Path(__file__).parents[1]


def test_the_page_names_the_lines_of_the_sources():
    assert take_away.PAGE.read_text() == take_away.page(), "run: python tests/hostile/take_away.py --write"


def test_every_guard_names_a_test_and_something_in_its_place():
    assert len(GUARDS) > 40
    for guard in GUARDS:
        file, name = guard.test.split("::")
        assert re.search(rf"^def {name}\(", (TESTS.parent / file).read_text(), re.MULTILINE), guard.test
        assert guard.without != guard.line


@pytest.mark.parametrize("target", [fuzz.answers, fuzz.reports])
def test_nonsense_across_a_boundary_is_refused_and_leaves_no_descriptor(target, monkeypatch):
    monkeypatch.setattr(cells, "_PATIENCE", 0.05)
    wrong = {seed: said for seed in range(150) if (said := target(random.Random(seed)))}
    assert wrong == {}


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000])
def test_brackets_in_each_other_without_end_are_a_wrong_value(text):
    with pytest.raises(ValueError, match="brackets"):
        wire.loads(object, text)
