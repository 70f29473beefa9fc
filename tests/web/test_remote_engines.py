"""Engines at their owners': kept from game to game, contained there, and in an event on several hosts."""

import os
import signal

import pytest

pytest.importorskip("starlette", reason="gyoji[web] is not installed: pip install -e '.[dev]'")
from bench.agent_processes import AGENT, ProcessHosts
from elsewhere import ELSEWHERE, HERE, PASSES, Elsewhere, command, paced
from served import Moves, until

from gyoji.cluster.cluster_pool import ClusterPool
from gyoji.core.outcome import Ending

pytestmark = [pytest.mark.process, pytest.mark.slow]


def playoff(*players, games=1):
    return (
        'competition = "playoff"',
        "[[matchups]]",
        f"players = {list(players)}",
        f"number_of_games = {games}",
        "alternating = false",
    )


@pytest.mark.parametrize(("restart", "processes"), [("on", 2), ("off", 1)])
def test_an_engine_is_kept_from_game_to_game_if_the_event_says_so(tmp_path, restart, processes):
    player = f'{ELSEWHERE}\nrestart = "{restart}"'
    with (
        Elsewhere(tmp_path, *playoff("x", "here", games=2), here=HERE, x=player) as event,
        event.running() as run,
        event.join("x"),
    ):
        run.join()
    names = {result.engines[0].name for result in event.results()}  # of each process another one
    assert len(names) == processes


@pytest.mark.parametrize(("sandbox", "is_written"), [("off", True), ("guarded", False)])
def test_an_engine_is_contained_at_its_owner_s_as_the_owner_wants_it(tmp_path, sandbox, is_written):
    target = tmp_path / "written"
    tries = f"import contextlib\nwith contextlib.suppress(OSError): open({str(target)!r}, 'w').close()"
    engine = (*PASSES, "--on", "genmove", tries)
    with (
        Elsewhere(tmp_path, *playoff("x", "here"), here=HERE, x=ELSEWHERE) as event,
        event.running() as run,
        event.join("x", engine, sandbox=sandbox),
    ):
        run.join()
    assert [result.outcome.ending for result in event.results()] == [Ending.SCORE]
    assert target.exists() is is_written


def test_a_game_whose_host_is_lost_begins_anew_at_the_owner_s(tmp_path):
    hosts = ProcessHosts(dict.fromkeys(("one", "two"), (*AGENT, "--slots", "1", "--try")))
    moves = Moves(tmp_path, ["x", "slow"])
    players = {"slow": paced(tmp_path, "slow"), "x": ELSEWHERE}
    with (
        Elsewhere(tmp_path, *playoff("x", "slow"), **players) as event,
        event.running(lambda event, _: ClusterPool(hosts, folder=event.files.folder)) as run,
        event.join("x", command(tmp_path, "x")),
    ):
        event.playing("0_0")
        moves.play("x", "C3")
        until(lambda: moves.is_taken("x"), "the first move")
        (first,) = [host["name"] for host in event.hosts() if host["playing"]]
        os.kill(hosts.pids()[first], signal.SIGKILL)
        moves.play("x", "D4")
        until(lambda: moves.is_taken("x"), "the first move on the other host")
        moves.play("slow", "pass")
        moves.play("x", "pass")
        run.join()
    moves.close()
    (result,) = event.results()
    assert (result.outcome.ending, result.turns) == (Ending.SCORE, 3)
