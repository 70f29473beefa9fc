"""Hosts that are agents on this machine, and competitions that are played on them."""

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
    """The content of an engine that is there as C."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cc", "-O2", "-w", "-o", f"{folder}/engine", ENGINES / source], check=True)
        return Path(folder, "engine").read_bytes()


def write_event(folder, game, source, option, settings, *, count):
    """A control file in a folder of its own, with an engine beside it."""
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
    """A process; log: the file with what it says, None: a pipe."""
    with open(log or os.devnull, "a") as out:
        return subprocess.Popen(
            [BIN / "gyoji", *map(str, words)],
            stdin=subprocess.DEVNULL,
            stdout=out if log else subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
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


def stored(path):
    """How many games are stored."""
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
    """The answer of a run to a command."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path.with_suffix(".sock")))
        connection.sendall(json.dumps(command).encode() + b"\n")
        with connection.makefile() as lines:
            return json.loads(lines.readline())


class Cluster:
    """Hosts w0, w1 ... on this machine, with a cache of their own."""

    def __init__(self, folder, count):
        self.folder, self.cache = folder, folder / "cache"
        names = ",".join(f"w{number}" for number in range(count))
        self.words = ("--hosts", names, "--connect", f"env XDG_CACHE_HOME={self.cache} HOST={{host}}")
        self.process = None

    def run(self, path):
        """A run that goes on."""
        self.process = gyoji("run", path, *self.words, log=self.folder / "run.log")
        return self.process

    def agents(self):
        """Descriptors of the processes of agents that there are."""
        found, own = [], os.fsencode(self.cache)
        for place in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                is_agent = b"gyoji.cluster.agent" in (place / "cmdline").read_bytes()
                if is_agent and own in (place / "environ").read_bytes():
                    found.append(os.pidfd_open(int(place.name)))
        return found

    def kill(self):
        """Kill the run."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def end(self):
        left = self.agents()
        self.kill()
        for descriptor in left:
            assert select.select([descriptor], [], [], 30)[0], "an agent outlives its run"
            os.close(descriptor)
