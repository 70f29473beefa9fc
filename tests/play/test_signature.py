"""An engine with the right signature plays; any other is recognised, whatever it does."""

import pytest

from gyoji.core.spec import Budgets, Player, Signature
from gyoji.play.probing import signature_problem

pytestmark = pytest.mark.process

BENCH = Signature(send="bench 3", expect="nodes 4711")


def problem(script, signature=BENCH, **settings):
    player = Player(code="sh", command=("/bin/sh", "-c", script), signature=signature, **settings)
    return signature_problem(player)


@pytest.mark.parametrize(
    "script",
    [
        'read line; test "$line" = "bench 3" && echo nodes 4711; sleep 60',
        "read line; printf '= nodes 4711\\n\\n'; sleep 60",
        "read line; printf '=3 nodes 4711\\r\\n\\r\\n'; sleep 60",
        "read line; echo MESSAGE thinking; echo '  nodes 4711  '; sleep 60",
        "read line; printf '= time 12 ms\\nnodes 4711\\n\\n'; sleep 60",
        "read line; echo nodes 4711",
    ],
    ids=["a line", "GTP", "GTP with a number", "among others", "in an answer of two lines", "and it ends"],
)
def test_the_answer_is_a_line_of_what_it_says(script):
    assert problem(script) == ""


@pytest.mark.parametrize(
    ("script", "got"),
    [
        ("read line; printf '= nodes 4712\\n\\n'; sleep 60", "'nodes 4712'"),
        ("read line; printf '? unknown command\\n\\n'; sleep 60", "'unknown command'"),
        ("read line; echo nodes 47110", "'nodes 47110' and exited"),
        ("exit 3", "nothing and exited"),
    ],
    ids=["another number", "unknown", "longer", "ends at once"],
)
def test_another_answer_is_told_with_what_was_expected(script, got):
    said = problem(script)
    assert said.startswith(f"signature: expected 'nodes 4711' as the answer to 'bench 3', got {got}"), said
    assert said.endswith(": this is another engine than is meant, or a machine that computes wrongly")


def test_one_that_says_nothing_is_not_waited_for_longer_than_for_its_start():
    assert "got nothing" in problem("sleep 60", budgets=Budgets(startup=10**8))


def test_without_a_signature_nothing_is_started():
    assert problem("exit 3", signature=None) == ""


def test_a_program_that_cannot_be_started_is_a_problem_of_it():
    player = Player(code="x", command=("/nowhere/engine",), signature=BENCH)
    assert signature_problem(player).startswith("signature: ")
