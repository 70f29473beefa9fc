"""Real workers of dask as processes: a competition goes as on one machine, whatever dies."""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from gyoji.cluster.dasked import DaskHosts
from gyoji.cluster.keys import Keys, make_keys
from gyoji.cluster.pool import ClusterPool
from gyoji.core.faults import ConfigError
from gyoji.store.store import Store

pytestmark = [pytest.mark.process, pytest.mark.slow, pytest.mark.timeout(600)]
BIN = Path(sys.executable).parent
SECONDS = 240

GO = ("go", "gyoji-kozo --random", "board_size = 9\nkomi = 7\n")
GOMOKU = ("gomoku", "pbrain-narabe --random", "board_size = 15\n")
DIGHERE = ("dighere", "gyoji-horidashi --random", "")


def write_event(folder, game, command, settings, *, count, more=""):
    """A control file in a folder of its own."""
    folder.mkdir()
    path = folder / "event.toml"
    players = "".join(f'[players.{code}]\ncommand = "{BIN}/{command}"\n' for code in "ab")
    path.write_text(
        f'game = "{game}"\ncompetition = "playoff"\nseed = 7\nnumber_of_games = {count}\nalternating = true\n'
        f'{settings}{more}{players}[[matchups]]\nplayers = ["a", "b"]\n'
    )
    return path


def gyoji(*words, **options):
    return subprocess.Popen(
        [BIN / "gyoji", *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        **options,
    )


def run(path, *words):
    """Play it to its end; what was printed."""
    with gyoji("run", path, *words) as process:
        output, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, output
    return output


def course(path):
    """How each game went, by id, and on which hosts; each is stored once."""
    with Store.read(path.with_suffix(".db")) as store:
        results = [result for result, _ in store.played()]
    assert len({result.id for result in results}) == len(results)
    return {result.id: (result.digest, result.turns, result.outcome.points) for result in results}, {
        result.host for result in results
    }


class Cluster:
    """A scheduler of dask and workers, each a process group of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.file = folder / "scheduler.json"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"tls://127.0.0.1:{self.port}"
        self.keys = folder / "keys"
        make_keys(self.keys)
        self.processes = {}

    def tls(self, role):
        keys = Keys(self.keys, role)
        return ("--tls-ca-file", keys.authority, "--tls-cert", keys.certificate, "--tls-key", keys.key)

    def start_scheduler(self):
        self.file.unlink(missing_ok=True)
        words = ["--protocol", "tls", "--host", "127.0.0.1", "--port", self.port, *self.tls("scheduler")]
        words += ["--no-dashboard", "--no-show"]
        self._start("scheduler", "scheduler", *words, "--scheduler-file", self.file)
        give_up = time.monotonic() + SECONDS
        while not (self.file.exists() and self.file.stat().st_size):
            assert time.monotonic() < give_up
            select.select([], [], [], 0.05)

    def start_worker(self, name):
        words = ["--name", name, "--nthreads", "1", "--no-nanny", "--no-dashboard", *self.tls("worker")]
        words += ["--memory-limit", "0", "--local-directory", self.folder / name]
        self._start(name, "worker", self.address, *words)

    def _start(self, name, *words):
        with (self.folder / f"{name}.log").open("a") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, "-m", "dask", *map(str, words)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def run(self, path, address):
        """A run that goes on."""
        process = self.processes["run"] = gyoji("run", path, "--cluster", address, "--keys", self.keys)
        return process

    def kill(self, name):
        process = self.processes.pop(name)
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()

    def end(self):
        for name in list(self.processes):
            self.kill(name)


def agents():
    """The processes of agents that there are."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            if b"gyoji.cluster.agent" in Path(f"/proc/{name}/cmdline").read_bytes():
                found.append(os.pidfd_open(int(name)))
    return found


@pytest.fixture
def cluster(tmp_path):
    cluster = Cluster(tmp_path)
    cluster.start_scheduler()
    for number in range(4):
        cluster.start_worker(f"w{number}")
    yield cluster
    left = agents()
    cluster.end()
    for descriptor in left:
        assert select.select([descriptor], [], [], 30)[0], "an agent outlives its worker of dask"
        os.close(descriptor)


def test_a_competition_on_four_workers_is_that_of_one_machine_game_for_game(cluster, tmp_path):
    used = set()
    for number, event in enumerate((GO, GOMOKU, DIGHERE)):
        alone = write_event(tmp_path / f"alone{number}", *event, count=8)
        many = write_event(tmp_path / f"many{number}", *event, count=8)
        run(alone, "-j", "2")
        run(many, "--cluster", cluster.file, "--keys", cluster.keys, "--transcripts")
        games, hosts = course(many)
        assert games == course(alone)[0]
        assert len(games) == 8
        used |= hosts
        records = {path.name for path in alone.with_suffix(".games").iterdir()}
        assert {path.name for path in many.with_suffix(".games").iterdir()} == records
        assert len(list(many.with_suffix(".gtplogs").iterdir())) == 8
        with gyoji("verify", many) as verify:
            assert "no differences" in verify.communicate(timeout=SECONDS)[0]
    assert used == {"w0", "w1", "w2", "w3"}


def hear(process, count):
    """Read so many lines of results."""
    heard = 0
    for line in process.stdout:
        heard += line.startswith("game ")
        if heard >= count:
            return


def test_whatever_dies_each_game_is_stored_once_and_is_the_game_it_would_have_been(cluster, tmp_path):
    alone = write_event(tmp_path / "alone", *GO, count=24)
    many = write_event(tmp_path / "many", *GO, count=24)
    run(alone, "-j", "2")
    process = cluster.processes["run"] = gyoji(
        "run", many, "--cluster", cluster.address, "--keys", cluster.keys
    )
    hear(process, 3)
    cluster.kill("w0")  # a host
    hear(process, 3)
    for descriptor in agents()[:1]:  # an agent, while its worker of dask lives
        signal.pidfd_send_signal(descriptor, signal.SIGKILL)
        os.close(descriptor)
    cluster.start_worker("w0")  # it comes back
    hear(process, 4)
    cluster.kill("scheduler")
    for name in ("w1", "w2", "w3"):  # which leave without it
        cluster.processes.pop(name).wait(60)
    cluster.kill("w0")  # it may not have come as far as that, and waits for another one
    cluster.start_scheduler()
    for number in range(4):
        cluster.start_worker(f"w{number}")
    hear(process, 4)
    cluster.kill("run")
    before = course(many)[0]
    output = run(many, "--cluster", cluster.file, "--keys", cluster.keys)
    games, _ = course(many)
    assert before.items() <= games.items()
    assert games == course(alone)[0]
    assert "set aside" not in output


def test_a_run_on_a_cluster_is_stopped_and_resized_as_on_one_machine(cluster, tmp_path):
    event = write_event(tmp_path / "many", *GO, count=200)
    process = cluster.processes["run"] = gyoji(
        "run", event, "--cluster", cluster.file, "--keys", cluster.keys
    )
    hear(process, 2)
    status = control(event, {"do": "parallel", "games": 2})
    assert status["parallel"] == 2
    assert [host["name"] for host in sorted(status["hosts"], key=lambda host: host["name"])] == [
        "w0",
        "w1",
        "w2",
        "w3",
    ]
    assert control(event, {"do": "stop"})["ok"]
    output, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 3, output
    assert "stopped" in output
    make_keys(tmp_path / "others")  # of another authority
    with pytest.raises(ConfigError, match="--cluster tls://"):
        ClusterPool(DaskHosts(cluster.address, keys=Keys(tmp_path / "others", "run")))


def control(path, command):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path.with_suffix(".sock")))
        connection.sendall(json.dumps(command).encode() + b"\n")
        with connection.makefile() as lines:
            return json.loads(lines.readline())
