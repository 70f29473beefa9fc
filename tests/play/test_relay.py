"""Games of a relay, with real programs: who wins, what is void, and what is left behind."""

import os
import re

import pytest

from gyoji.cli.verification import judged_again
from gyoji.core.outcome import Ending
from gyoji.testing.relay_kit import PLAYERS, RUNNERS, game_of, limit_of
from gyoji.testing.umpire_kit import problem_with
from processes import MARK, left_behind
from standstill import play_through

pytestmark = pytest.mark.process


@pytest.fixture
def token(request):
    made = f"relay-{os.getpid()}-{request.node.name}"
    yield made
    assert left_behind(made) == {}


def test_the_result_is_that_of_the_runner_and_the_record_stands(token):
    spec = game_of("play()", {MARK: token}, "input(); print(1, flush=True); input(); print(2, flush=True)")
    record = play_through(spec).record
    outcome = record.result.outcome
    assert (outcome.ending, outcome.points, outcome.totals) == (Ending.SCORE, (0.0, 1.0), (1.0, 3.0))
    assert record.umpire[1:] == (
        '{"picture":{"text":"{\\"points\\": [1, 3]}"}}',
        '{"end":{"points":[1,3]}}',
    )
    assert (record.turns, record.result.warnings) == ((), ())
    assert judged_again(spec, record) == []
    seats = record.result.engines
    assert all(engine.cpu_ns > 0 for engine in seats)


SLOW = {"hangs", "stands still", "ignores TERM", "floods stderr", "closes its input"}
QUICK = [name for name, bad in RUNNERS.items() if not bad.is_slow]


@pytest.mark.parametrize("name", [*QUICK[::3], "goes on after the result"])
def test_what_a_runner_does_wrong_makes_the_game_void(name, token):
    """`python -m bench.misbehaving --only relays` tries all."""
    bad = RUNNERS[name]
    report = play_through(game_of(bad.script, {MARK: token}, seconds=limit_of(bad)))
    assert problem_with(report, bad.reason) == ""


@pytest.mark.parametrize("name", [name for name in PLAYERS if name not in SLOW][::2])
def test_what_a_player_does_costs_what_its_runner_says(name, token):
    script, told = PLAYERS[name]
    report = play_through(game_of("play(1)", {MARK: token}, script))
    assert report.void is None, report.void
    record = report.record
    assert record.result.outcome.totals == (0.0, 3.0)
    assert bool(record.result.warnings) == bool(told), record.result.warnings
    assert re.search(told, " ".join(record.result.warnings))
