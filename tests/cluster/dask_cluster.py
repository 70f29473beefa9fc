"""A cluster of dask as processes of this machine, and competitions that are played on it."""

import json
import os
import select
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from gyoji.cluster.keys import Keys, make_keys
from gyoji.core.faults import ConfigError
from gyoji.store.store import Store

BIN = Path(sys.executable).parent
SECONDS = 240
"""In which something happens that should, however busy the machine is."""


ENGINES = Path(__file__).parents[2] / "bench" / "engines"
GO = ("go", "gtp_instant.c", "--seed", "board_size = 9\nkomi = 7\n")
GOMOKU = ("gomoku", "pbrain-instant.c", "", "board_size = 15\n")
DIGHERE = ("dighere", "samurai_instant.c", "", "")

PROGRAM = """\
#!/bin/sh
case $GYOJI_GAME_TOKEN in ????????????????) token=$GYOJI_GAME_TOKEN ;; *) token=123456 ;; esac
exec "$1" %s $((0x${token%%${token#??????}}))
"""
"""Plays as its game's token says: each game is another one, and the same wherever it is played."""


@cache
def compiled(source):
    """Return the content of an engine that is there as C."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cc", "-O2", "-w", "-o", f"{folder}/engine", ENGINES / source], check=True)
        return Path(folder, "engine").read_bytes()


def write_event(folder, game, source, option, settings, *, count):
    """Return a control file in a folder of its own, with an engine beside it."""
    folder.mkdir()
    path = folder / "event.toml"
    (folder / "bot").write_text(PROGRAM % option)
    (folder / "engine").write_bytes(compiled(source))
    for program in ("bot", "engine"):
        (folder / program).chmod(0o755)
    players = "".join(f'[players.{code}]\ncommand = ["{folder}/bot", "{folder}/engine"]\n' for code in "ab")
    path.write_text(
        f'game = "{game}"\ncompetition = "playoff"\nseed = 7\nnumber_of_games = {count}\nalternating = true\n'
        f'{settings}{players}[[matchups]]\nplayers = ["a", "b"]\n'
    )
    return path


def gyoji(*words, log=None):
    """Start a gyoji command. Its output goes to the file `log`, or to a pipe if that is None."""
    with open(log or os.devnull, "a") as out:
        return subprocess.Popen(
            [BIN / "gyoji", *map(str, words)],
            stdin=subprocess.DEVNULL,
            stdout=out if log else subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


def run(path, *words):
    """Play an event to its end. Return the output."""
    with gyoji("run", path, *words) as process:
        output, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, output
    return output


def course(path):
    """Return how each game went, by id, and on which hosts; each is stored once."""
    with Store.read(path.with_suffix(".db")) as store:
        results = [result for result, _ in store.played()]
    assert len({result.id for result in results}) == len(results)
    return {result.id: (result.digest, result.turns, result.outcome.points) for result in results}, {
        result.host for result in results
    }


def stored(path):
    """Return how many games are stored."""
    try:
        with Store.read(path.with_suffix(".db")) as store:
            return store.count
    except ConfigError:  # there is none yet
        return 0


def wait_for(is_so, what):
    """Wait until something is so, which is the answer."""
    give_up = time.monotonic() + SECONDS
    while not (found := is_so()):
        assert time.monotonic() < give_up, f"{what}: not after {SECONDS} s"
        select.select([], [], [], 0.05)
    return found


def control(path, command):
    """Return the answer of a run to a command."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path.with_suffix(".sock")))
        connection.sendall(json.dumps(command).encode() + b"\n")
        with connection.makefile() as lines:
            return json.loads(lines.readline())


class Cluster:
    """A scheduler of dask and workers, each a process group of its own. host: the address of the scheduler.

    environ: variables for dask.
    """

    def __init__(self, folder, host="127.0.0.1", environ=None):
        self.folder, self.host = folder, host
        self.environ = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), **(environ or {})}
        self.file = folder / "scheduler.json"
        with socket.socket() as free:
            free.bind((host, 0))
            self.port = free.getsockname()[1]
        self.address = f"tls://{host}:{self.port}"
        self.keys = folder / "keys"
        make_keys(self.keys)
        self.processes = {}

    def tls(self, role):
        keys = Keys(self.keys, role)
        return ("--tls-ca-file", keys.authority, "--tls-cert", keys.certificate, "--tls-key", keys.key)

    def start_scheduler(self):
        self.file.unlink(missing_ok=True)
        words = ["--protocol", "tls", "--host", self.host, "--port", self.port, *self.tls("scheduler")]
        words += ["--no-dashboard", "--no-show"]
        self._start("scheduler", "scheduler", *words, "--scheduler-file", self.file)
        wait_for(lambda: self.file.exists() and self.file.stat().st_size, "dask's scheduler is there")

    def start_worker(self, name, *words, before=()):
        """before: words that have its command run elsewhere."""
        words = [
            "--name",
            name,
            "--nthreads",
            "1",
            "--no-nanny",
            "--no-dashboard",
            *self.tls("worker"),
            *words,
        ]
        words += ["--memory-limit", "0", "--local-directory", self.folder / name]
        self._start(name, "worker", self.address, *words, before=before)

    def _start(self, name, *words, before=()):
        with (self.folder / f"{name}.log").open("a") as log:
            self.processes[name] = subprocess.Popen(
                [*before, sys.executable, "-m", "dask", *map(str, words)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                env=self.environ,
            )

    def run(self, path, address=None):
        """Start a run on the cluster."""
        words = ("run", path, "--cluster", address or self.address, "--keys", self.keys)
        process = self.processes["run"] = gyoji(*words, log=self.folder / "run.log")
        return process

    def agents(self):
        """Descriptors of the processes of agents that there are on its workers."""
        found, own = [], os.fsencode(self.environ["XDG_CACHE_HOME"])
        for place in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                is_agent = b"gyoji.cluster.agent" in (place / "cmdline").read_bytes()
                if is_agent and own in (place / "environ").read_bytes():
                    found.append(os.pidfd_open(int(place.name)))
        return found

    def kill(self, name):
        if (process := self.processes.pop(name, None)) is not None:
            process.kill()
            process.wait()

    def end(self):
        left = self.agents()
        for name in list(self.processes):
            self.kill(name)
        for descriptor in left:
            assert select.select([descriptor], [], [], 30)[0], "an agent outlives its worker of dask"
            os.close(descriptor)
