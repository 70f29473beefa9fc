"""Real workers of dask as processes: a competition goes as on one machine."""

import re
import sys

import pytest
from dask_cluster import (
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

from gyoji.cluster.cluster_pool import ClusterPool
from gyoji.cluster.dask_hosts import DaskHosts
from gyoji.cluster.keys import Keys, make_keys
from gyoji.core.faults import ConfigError

pytestmark = [pytest.mark.process, pytest.mark.slow]


@pytest.fixture
def cluster(tmp_path):
    cluster = Cluster(tmp_path)
    cluster.start_scheduler()
    for number in range(4):
        cluster.start_worker(f"w{number}")
    yield cluster
    cluster.end()


@pytest.mark.nightly
def test_200_games_on_four_workers_are_those_of_one_machine_game_for_game(cluster, tmp_path):
    used, total = set(), 0
    for number, (event, count) in enumerate(((GO, 75), (GOMOKU, 75), (DIGHERE, 50))):
        alone = write_event(tmp_path / f"alone{number}", *event, count=count)
        many = write_event(tmp_path / f"many{number}", *event, count=count)
        run(alone, "-j", "2")
        run(many, "--cluster", cluster.file, "--keys", cluster.keys, "--transcripts")
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
    assert total == 200


TRIES = """\
import os, socket, ssl, sys

def attempt(what, action):
    try:
        print("tried", what, "reached" if action() else "nothing", file=sys.stderr)
    except OSError as error:
        print("tried", what, "refused", type(error).__name__, file=sys.stderr)

def speak(port):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", port), 5) as plain, context.wrap_socket(plain) as secret:
        secret.settimeout(5)
        secret.sendall(bytes(8))
        return secret.recv(1)

engine, keys, results, *ports = (word.partition(":")[2] or word for word in sys.argv[1:])
for number, port in enumerate(ports):
    attempt(f"port{number}", lambda: speak(int(port)))
for name in ("authority", "run", "run-key", "worker-key", "scheduler-key"):
    attempt(name, lambda: open(f"{keys}/{name}.pem").read())
attempt("results", lambda: os.listdir(results))
attempt("engines", lambda: open(__file__, "a"))
attempt("memory", lambda: open(f"/proc/{os.getppid()}/mem", "rb"))
os.execv(engine, [engine, "--seed", "1"])
"""


def test_an_engine_reaches_neither_keys_nor_ports_nor_kept_results(cluster, tmp_path):
    event = write_event(tmp_path / "event", *GO, count=2)
    (event.parent / "tries.py").write_text(TRIES)
    port = wait_for(
        lambda: re.search(r"Start worker at:\s+tls://127.0.0.1:([0-9]+)", (tmp_path / "w0.log").read_text()),
        "a worker of dask listens",
    )[1]
    results = f"{cluster.environ['XDG_CACHE_HOME']}/gyoji/results"
    hidden = (f"keys:{cluster.keys}", f"results:{results}")  # a path that a command names is to be seen
    words = (f"{event.parent}/engine", *hidden, cluster.port, port)
    command = ", ".join(f'"{word}"' for word in (sys.executable, f"{event.parent}/tries.py", *words))
    text = event.read_text().replace(f'["{event.parent}/bot", "{event.parent}/engine"]', f"[{command}]")
    assert text.count("tries.py") == 2
    event.write_text(text)
    run(event, "--cluster", cluster.address, "--keys", cluster.keys)
    told = re.findall(r"tried (\S+) (\S+)", event.with_suffix(".log").read_text())
    assert {what for what, _ in told} == {
        *("port0", "port1", "authority", "run", "run-key", "worker-key", "scheduler-key"),
        *("results", "engines", "memory"),
    }
    assert [what for what, how in told if how == "reached"] == []


def test_a_run_on_a_cluster_is_stopped_and_resized_as_on_one_machine(cluster, tmp_path):
    event = write_event(tmp_path / "many", *GO, count=20000)
    process = cluster.run(event, cluster.file)
    wait_for(lambda: stored(event) > 2, "games are played")
    status = control(event, {"do": "parallel", "games": 2})
    assert status["parallel"] == 2
    assert sorted(host["name"] for host in status["hosts"]) == ["w0", "w1", "w2", "w3"]
    assert control(event, {"do": "stop"})["ok"]
    assert process.wait(SECONDS) == 3
    assert "stopped" in (tmp_path / "run.log").read_text()
    make_keys(tmp_path / "others")  # of another authority
    with pytest.raises(ConfigError, match="--cluster tls://"):
        ClusterPool(DaskHosts(cluster.address, keys=Keys(tmp_path / "others", "run")))


def test_a_scheduler_that_dies_is_told_of_in_one_line_and_no_traceback(cluster, tmp_path):
    path, log = write_event(tmp_path / "cup", *GOMOKU, count=20_000), tmp_path / "run.log"
    cluster.processes["run"] = gyoji(
        "run", "-q", path, "--cluster", cluster.address, "--keys", cluster.keys, log=log
    )
    wait_for(lambda: stored(path) > 20, "games are played")
    cluster.kill("scheduler")
    wait_for(lambda: "host w3 is gone" in log.read_text(), "the hosts are told to be gone")
    before = stored(path)
    cluster.start_scheduler()
    cluster.start_worker("w4")
    wait_for(lambda: stored(path) > before + 20, "the games go on")
    lines = log.read_text().splitlines()
    # On a slow machine the run also says that it waits for a host before the new worker is there.
    told = [line for line in lines if "host w" not in line and "no host is there" not in line]
    assert told == [
        "gyoji: dask's scheduler is gone, and its workers end: the run goes on when a scheduler is at the "
        "same address again, with workers that have been started anew"
    ]
