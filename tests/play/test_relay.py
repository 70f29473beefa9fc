"""Games of a relay, with real programs: who wins, what is void, and what is left behind."""

import os
import re
import time

import pytest
from msgspec.structs import replace

from gyoji.cli.verification import judged_again
from gyoji.core.faults import ProcessLost
from gyoji.core.outcome import Ending
from gyoji.play import pipe_server, relay
from gyoji.play.context import WorkerContext
from gyoji.play.game import set_up
from gyoji.play.loop import Alarm
from gyoji.play.order import Order
from gyoji.play.seats import HumanMessage
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


def test_a_player_that_may_not_ponder_runs_during_the_whole_game(token):
    spec = game_of("play()", {MARK: token})
    spec = replace(spec, players=tuple([replace(each, ponders=False) for each in spec.players]))
    report = play_through(spec)
    assert report.void is None, report.void
    assert report.record.result.outcome.totals == (3.0, 3.0)


@pytest.mark.parametrize("loser", [0, 1])
def test_a_forfeit_ends_the_game_though_a_player_has_ended_and_the_runner_goes_on(loser, token):
    spec = game_of("[start(seat) for seat in seats]; rest()", {MARK: token}, "raise SystemExit(3)")
    context, reports = WorkerContext(), []
    game = set_up(context, Order(spec=spec), reports.append)

    def look(now):
        if 0 in game._umpire._gone:
            words = {"decision": "forfeit", "reason": "late"}
            game.decide(HumanMessage(game="0", player="ab"[loser], **words))
        else:
            alarm.set(now + 10**7)

    alarm = Alarm(context.loop, look)
    alarm.set(time.monotonic_ns())
    try:
        game.begin()
        context.loop.run(lambda: reports)
    finally:
        context.close()
    (report,) = reports
    assert report.void is None, report.void
    outcome = report.record.result.outcome
    assert (outcome.ending, outcome.points[loser], outcome.seat) == (Ending.FORFEIT, 0.0, loser)


def test_the_socket_of_a_runner_that_cannot_be_started_is_closed(token, monkeypatch):
    servers = []
    monkeypatch.setattr(
        relay, "PipeServer", lambda *given: servers.append(pipe_server.PipeServer(*given)) or servers[-1]
    )
    spec = game_of("play()", {MARK: token})
    report = play_through(replace(spec, umpire=replace(spec.umpire, command=("/no/such/runner",))))
    assert re.match("relay: (?!player)", report.void.reason), report.void.reason
    assert all(server._listener is None for server in servers)
    assert servers


def test_a_runner_that_is_lost_at_its_start_is_no_failed_game(token, monkeypatch):
    start = WorkerContext.start

    def lose(context, player, *given):
        if player.code == "relay":
            raise ProcessLost("player relay: cannot be contained: its launcher was killed")
        return start(context, player, *given)

    monkeypatch.setattr(WorkerContext, "start", lose)
    void = play_through(game_of("play()", {MARK: token})).void
    assert (void.reason, void.by_death) == ("relay: cannot be contained: its launcher was killed", True)
