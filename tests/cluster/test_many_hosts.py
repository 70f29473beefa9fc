"""Competitions on several hosts go as on one machine."""

import re
import sys

import pytest
from hosts import (
    DIGHERE,
    GO,
    GOMOKU,
    SECONDS,
    Cluster,
    control,
    course,
    gyoji,
    run,
    stored,
    wait_for,
    write_event,
)

pytestmark = [pytest.mark.process, pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture
def cluster(tmp_path):
    cluster = Cluster(tmp_path, 4)
    yield cluster
    cluster.end()


def test_400_games_on_four_hosts_are_those_of_one_machine_game_for_game(cluster, tmp_path):
    used, total = set(), 0
    for number, (event, count) in enumerate(((GO, 150), (GOMOKU, 150), (DIGHERE, 100))):
        alone = write_event(tmp_path / f"alone{number}", *event, count=count)
        many = write_event(tmp_path / f"many{number}", *event, count=count)
        run(alone, "-j", "2")
        run(many, *cluster.words, "--transcripts")
        games, hosts = course(many)
        assert games == course(alone)[0]
        total += len(games)
        used |= hosts
        records = {path.name for path in alone.with_suffix(".games").iterdir()}
        assert {path.name for path in many.with_suffix(".games").iterdir()} == records
        assert len(list(many.with_suffix(".gtplogs").iterdir())) == count
    with gyoji("verify", many) as verify:
        assert "no differences" in verify.communicate(timeout=SECONDS)[0]
    assert used == {"w0", "w1", "w2", "w3"}
    assert total == 400


TRIES = """\
import os, sys

def attempt(what, action):
    try:
        print("tried", what, "reached" if action() else "nothing", file=sys.stderr)
    except OSError as error:
        print("tried", what, "refused", type(error).__name__, file=sys.stderr)

engine, results = (word.partition(":")[2] or word for word in sys.argv[1:])
attempt("results", lambda: os.listdir(results))
attempt("engines", lambda: open(__file__, "a"))
attempt("memory", lambda: open(f"/proc/{os.getppid()}/mem", "rb"))
os.execv(engine, [engine, "--seed", "1"])
"""


def test_an_engine_reaches_no_kept_results(cluster, tmp_path):
    event = write_event(tmp_path / "event", *GO, count=2)
    (event.parent / "tries.py").write_text(TRIES)
    results = f"results:{cluster.cache}/gyoji/results"  # a path that a command names is to be seen
    words = (sys.executable, f"{event.parent}/tries.py", f"{event.parent}/engine", results)
    command = ", ".join(f'"{word}"' for word in words)
    text = event.read_text().replace(f'["{event.parent}/bot", "{event.parent}/engine"]', f"[{command}]")
    assert text.count("tries.py") == 2
    event.write_text(text)
    run(event, *cluster.words)
    told = re.findall(r"tried (\S+) (\S+)", event.with_suffix(".log").read_text())
    assert {what for what, _ in told} == {"results", "engines", "memory"}
    assert [what for what, how in told if how == "reached"] == []


def test_a_run_on_hosts_is_stopped_and_resized_as_on_one_machine(cluster, tmp_path):
    event = write_event(tmp_path / "many", *GO, count=20000)
    process = cluster.run(event)
    wait_for(lambda: stored(event) > 2, "games are played")
    status = control(event, {"do": "parallel", "games": 2})
    assert status["parallel"] == 2
    assert sorted(host["name"] for host in status["hosts"]) == ["w0", "w1", "w2", "w3"]
    assert control(event, {"do": "stop"})["ok"]
    assert process.wait(SECONDS) == 3
    assert "stopped" in (tmp_path / "run.log").read_text()
