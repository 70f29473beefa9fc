"""Whatever dies of a cluster, at whatever moment: each game is stored once, as it would have been."""

import os
import signal
from random import Random

import pytest
from dask_cluster import GOMOKU, SECONDS, Cluster, course, run, stored, wait_for, write_event

pytestmark = [pytest.mark.process, pytest.mark.slow, pytest.mark.nightly]
KILLS = {"host": 5, "agent": 5, "run": 4, "scheduler": 2}
HOSTS = ("w0", "w1", "w2")
GAMES_BETWEEN = (1, 5)
"""How many games end between two kills, at least and at most."""


def kill(cluster, part, random, event):
    """Kill a part, and start it again."""
    if part == "host":
        name = random.choice(HOSTS)
        cluster.kill(name)
        cluster.start_worker(name)
    elif part == "agent":  # while its worker of dask lives
        there = cluster.agents()
        if there:
            signal.pidfd_send_signal(random.choice(there), signal.SIGKILL)
        for descriptor in there:
            os.close(descriptor)
    elif part == "run":
        cluster.kill("run")
        cluster.run(event)
    else:
        cluster.kill("scheduler")
        cluster.start_scheduler()
        for name in HOSTS:  # which would leave by themselves, sooner or later
            cluster.kill(name)
            cluster.start_worker(name)


def test_sixteen_kills_cost_no_game_and_play_none_twice(tmp_path):
    random = Random(30)
    parts = [part for part, times in KILLS.items() for _ in range(times)]
    random.shuffle(parts)
    pauses = [random.randint(*GAMES_BETWEEN) for _ in parts]
    # Others end while a process is killed and started: on a quiet machine more than one game for each kill.
    count = sum(pauses) + 10 * len(pauses)
    alone = write_event(tmp_path / "alone", *GOMOKU, count=count)
    many = write_event(tmp_path / "many", *GOMOKU, count=count)
    run(alone, "-j", "2")
    cluster = Cluster(tmp_path)
    try:
        cluster.start_scheduler()
        for name in HOSTS:
            cluster.start_worker(name)
        cluster.run(many)
        before = {}
        for part, pause in zip(parts, pauses, strict=True):
            enough = stored(many) + pause
            wait_for(lambda enough=enough: stored(many) >= enough, f"{pause} games before a {part} is killed")
            kill(cluster, part, random, many)
            games, _ = course(many)
            assert before.items() <= games.items()
            before = games
        assert cluster.processes["run"].wait(SECONDS) == 0, (tmp_path / "run.log").read_text()
    finally:
        cluster.end()
    games, hosts = course(many)
    assert games == course(alone)[0]
    assert hosts == set(HOSTS)
