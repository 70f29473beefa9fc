"""The tables of system calls and kernel objects are complete, true and tested."""

import re
from pathlib import Path

import kernel_table
import pytest
from attempts import ATTEMPTS, GREED
from kernel_calls import OBJECTS

from gyoji.executors import filters

TESTS = Path(__file__).parents[1]


def test_every_system_call_of_the_kernels_headers_is_judged_once():
    judged = kernel_table.judged()
    assert sorted(judged) == sorted(set(judged))
    assert set(kernel_table.numbers()) - set(judged) == set()
    assert {name for name in filters.NUMBERS if name not in judged} == set()


def test_the_filter_knows_calls_by_the_numbers_of_the_headers():
    known = kernel_table.numbers()
    assert len(known) > 370
    assert {name: number for name, (number, _) in filters.NUMBERS.items() if known[name] != number} == {}


def test_the_filter_answers_every_call_as_the_table_says():
    assert kernel_table.mistakes() == []


@pytest.mark.slow
@pytest.mark.nightly
def test_whatever_the_filter_loses_the_table_notices():
    assert kernel_table.unnoticed() == []
    assert kernel_table.mistakes() == []


def test_every_test_that_the_tables_name_is_there_and_what_is_stopped_has_one():
    text = "\n".join(path.read_text() for path in TESTS.rglob("test_*.py"))
    tests = set(re.findall(r"^def (test_\w+)", text, re.MULTILINE))
    rows = [*kernel_table.groups(), *OBJECTS]
    named = {name for row in rows for name in row.tests.split()} - {"-"}
    assert named - tests - ATTEMPTS.keys() - GREED.keys() - {"read-mem"} == set()
    idle = ("nothing", "reaches only itself", "gone from the kernel", "own uid (root); else nothing")
    assert [row for row in rows if row.tests == "-" and not row.stops.startswith(idle)] == []


def test_the_page_is_what_the_tables_say():
    assert kernel_table.PAGE.read_text() == kernel_table.page()
