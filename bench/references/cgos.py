"""Have clients of CGOS play an event of gyoji's, and keep what came of it for a fast test.

::

    python -m bench.references.cgos FOLDER --clients CLONE [--keep]

The clients are the Python and the Tcl one of https://github.com/zakki/cgos, commit 91bafa2, of which CLONE is
a checkout. They are not changed, and need GNU Go and tclsh. They play ten games of 7x7 against each other.

In the third game the Python client is killed and started again, in the fifth one the Tcl client, and in the
seventh one `gyoji serve`, with which both connections end. All the time somebody else sends the server
nonsense: wrong passwords, half lines, floods, binary data, and connections that say nothing.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from threading import Event, Thread
from typing import Any

KEPT = Path(__file__).parents[2] / "tests" / "data" / "references" / "cgos"
GYOJI = str(Path(sys.executable).with_name("gyoji"))
COMMIT = "91bafa2"
GAMES = 10
KILLS = {3: "python", 5: "tcl", 7: "serve"}
"""Who is killed in which game."""

MOVES_BEFORE = 5
"""Questions that the killed client has got in that game before."""

SECONDS = 600.0
_PORT, _WEB = 16_867, 18_437
_GNUGO = "gnugo --mode gtp --chinese-rules --capture-all-dead --score aftermath"

EVENT = f"""competition = "allplayall"
rounds = {GAMES}
board_size = 7
komi = 9
ruleset = "chinese-ogs"
dead_stones = "alive"
clock = "10m"

[players]
python = {{ remote = true, protocol = "cgos" }}
tcl = {{ remote = true, protocol = "cgos" }}
"""

ANALYSING = '''"""GNU Go, and the command by which CGOS asks for an evaluation. Its visits are 10, 20 ..."""

import json
import subprocess
import sys

engine = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)


def said(line):
    print(line, file=engine.stdin, flush=True)
    return list(iter(lambda: engine.stdout.readline().rstrip(), ""))


asked = 0
for line in sys.stdin:
    word, *rest = line.split()
    if word == "cgos-genmove_analyze":
        move = said(f"genmove {rest[0]}")[0].removeprefix("= ")
        asked += 1
        moves = [{"move": move, "pv": "D4 E5"}]
        told = {"winrate": 0.25, "score": -1.5, "visits": 10 * asked, "moves": moves}
        print(f"= \\n{json.dumps(told)}\\nplay {move}\\n", flush=True)
    else:
        added = ["cgos-genmove_analyze"] if word == "list_commands" else []
        print(*said(line.rstrip()), *added, "", sep="\\n", flush=True)
    if word == "clear_board":
        asked = 0
    if word == "quit":
        break
'''

PYTHON = """Common:
  KillFile = kill.txt
  LogFile = client.log
GTPEngine:
  CommandLine = {python} analysing.py {engine} --level 1
  ServerHost = 127.0.0.1
  ServerPort = {port}
  ServerUser = python
  ServerPassword = {password}
  NumberOfGames = 1000
"""

TCL = """%section server
     server 127.0.0.1
     port {port}
%section player
     name python
     password none
     invoke none
     priority 0
%section player
     name tcl
     password {password}
     invoke {engine} --level 1
     priority 1
"""


class Client:
    """One of the clients, in a folder of its own.

    Attributes:
        log: The file to which it writes all that it is told.
    """

    def __init__(self, folder: Path, words: list[str], config: str, log: str) -> None:
        folder.mkdir()
        (folder / "client.cfg").write_text(config, encoding="utf-8")
        self._folder, self._words, self.log = folder, words, folder / log
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the client. It appends to its log."""
        with (self._folder / "out.log").open("ab") as output:
            self._process = subprocess.Popen(
                self._words, cwd=self._folder, stdout=output, stderr=output, start_new_session=True
            )

    def kill(self) -> None:
        """Kill the client and its engine."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def heard(self) -> list[str]:
        """Return the server's lines of all connections.

        The Python client starts anew within its process after a connection has ended, and writes each line
        once more each time.
        """
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        lines = [line for line, _ in groupby(text.splitlines())]
        return re.findall(r"(?:Server sent: |S->C )(.*)", "\n".join(lines))

    def questions(self) -> int:
        """Return how many questions for a move it got since the last game ended."""
        heard = self.heard()
        ends = [place for place, line in enumerate(heard) if line.startswith("gameover")]
        return sum(line.startswith("genmove") for line in heard[ends[-1] + 1 if ends else 0 :])

    def finished(self) -> int:
        """Return how many games have ended, as it was told."""
        return sum(line.startswith("gameover") for line in self.heard())


class Vandal(Thread):
    """Connects to the server again and again, and sends nonsense.

    Attributes:
        visits: Number of connections.
    """

    def __init__(self, password: str) -> None:
        super().__init__(daemon=True)
        self._random, self._ended, self.visits = random.Random(1), Event(), 0
        login = b"e1 x genmove_analyze\npython\n"
        self._said = (
            b"e1 x\npython\nwrong\n", b"e1 x\nnobody\nwrong\n", b"e1 ", b"", 1_000_000 * b"x", 5000 * b"d4\n",
            bytes(range(256)) * 16, login + password[:-1].encode() + b"\n", login + password.encode(),
            b"v1 view\n",
        )  # fmt: skip

    def run(self) -> None:
        while not self._ended.wait(0.2):
            with suppress(OSError), socket.create_connection(("127.0.0.1", _PORT), 5) as connection:
                connection.settimeout(0.5)
                self.visits += 1
                connection.sendall(self._random.choice(self._said))
                connection.recv(1000)

    def stop(self) -> None:
        self._ended.set()
        self.join()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.references.cgos")
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--clients", type=Path, required=True, metavar="CLONE", help="a checkout of zakki/cgos"
    )
    parser.add_argument("--keep", action="store_true", help="keep what came of it, for tests")
    options = parser.parse_args()
    told = played(options.folder.absolute(), options.clients.absolute())
    print(json.dumps(told, indent=1))
    if options.keep:
        KEPT.mkdir(parents=True, exist_ok=True)
        (KEPT / "clients.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return int(len(told["games"]) != GAMES or not told["verified"])


def played(folder: Path, clone: Path) -> dict[str, Any]:
    """Play the event. Return what came of it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    file = folder / "cup.toml"
    file.write_text(EVENT, encoding="utf-8")
    engine = _GNUGO.replace("gnugo", shutil.which("gnugo") or "/usr/games/gnugo", 1)
    run = subprocess.Popen([GYOJI, "run", "--quiet", str(file)], start_new_session=True)
    server = Server(file)
    server.start()
    values = {"port": _PORT, "engine": engine, "python": sys.executable}
    python = Client(
        folder / "python",
        [sys.executable, str(clone / "client-python" / "src" / "cgosclient.py"), "client.cfg"],
        PYTHON.format(password=server.passwords["python"], **values),
        "client.log",
    )
    tcl = Client(
        folder / "tcl",
        ["tclsh", str(clone / "client" / "cgosGtp.tcl"), "-c", "client.cfg", "-p", "tcl"],
        TCL.format(password=server.passwords["tcl"], **values),
        "out.log",
    )
    (folder / "python" / "analysing.py").write_text(ANALYSING, encoding="utf-8")
    vandal = Vandal(server.passwords["python"])
    clients = {"python": python, "tcl": tcl}
    began = time.monotonic()
    try:
        for client in clients.values():
            client.start()
        vandal.start()
        for number, who in KILLS.items():
            disturb(number, who, clients, server)
        run.wait(SECONDS)
        until(lambda: all(client.finished() == GAMES for client in clients.values()))
        vandal.stop()
    finally:
        for client in clients.values():
            client.kill()
        server.kill()
        if run.poll() is None:
            run.terminate()
            run.wait()
    stored = [json.loads(line) for line in said("export", "--to", "jsonl", str(file)).splitlines()]
    verified = subprocess.run([GYOJI, "verify", str(file)], check=False, capture_output=True).returncode == 0
    games = [each for each in stored if each["kind"] == "game"]
    return {
        "clients": f"zakki/cgos {COMMIT}",
        "seconds": round(time.monotonic() - began),
        "verified": verified,
        "void": sum(each["kind"] == "void" for each in stored),
        "vandal": vandal.visits,
        "games": [
            [each["id"], each["players"], each["ending"], each["turns"], each["result"]] for each in games
        ],
        "opinions": sum(map(is_as_sent, games)),
        "heard": {name: counted(client.heard()) for name, client in clients.items()},
    }


def is_as_sent(game: dict[str, Any]) -> bool:
    """Return whether all moves of the Python client's engine have the evaluation that it sent, and no other.

    A client that was killed begins anew to count.
    """
    opinions = [each["opinion"] for each in game["moves"] if each["player"] == "python"]
    visits = [each and each["nodes"] for each in opinions]
    again = visits.index(10, 1) if 10 in visits[1:] else len(visits)
    return (
        all(
            each and (each["win"], each["score"], each["pv"][1:]) == (0.25, -1.5, ["D4", "E5"])
            for each in opinions
        )
        and visits[:again] == [10 * number for number in range(1, again + 1)]
        and visits[again:] == [10 * number for number in range(1, len(visits) - again + 1)]
        and not any(each["opinion"] for each in game["moves"] if each["player"] == "tcl")
    )


def counted(lines: list[str]) -> dict[str, Any]:
    """Return how often a client was told what, and the first lines of games that it took up again."""
    words = ("protocol", "setup", "genmove", "play", "gameover", "Error:")
    return {
        **{word: sum(line.startswith(word) for line in lines) for word in words},
        "again": [line for line in lines if line.startswith("setup") and len(line.split()) > 7],
        "results": [line.split()[2] for line in lines if line.startswith("gameover")],
    }


class Server:
    """`gyoji serve` of the event.

    Attributes:
        passwords: The password of each player, as the server prints them.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._process: subprocess.Popen[str] | None = None
        self.passwords: dict[str, str] = {}

    def start(self) -> None:
        """Start the server, and wait until it has printed the passwords."""
        words = ["serve", "--port", str(_WEB), "--cgos", str(_PORT), str(self._file)]
        self._process = subprocess.Popen([GYOJI, *words], stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        while not {"python", "tcl"} <= self.passwords.keys():
            line = self._process.stdout.readline()
            assert line, "gyoji serve has ended"
            if found := re.search(r"user name (\S+), password (\S+)", line):
                self.passwords[found[1]] = found[2]

    def kill(self) -> None:
        """Kill the server."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()


def disturb(number: int, who: str, clients: dict[str, Client], server: Server) -> None:
    """Wait for the middle of a game, kill a client or the server, and start it again.

    Args:
        number: Number of the game, from 1.
    """
    watched = clients.get(who, clients["python"])
    until(lambda: watched.finished() >= number - 1 and watched.questions() >= MOVES_BEFORE)
    victim = clients.get(who, server)
    victim.kill()
    time.sleep(1)
    victim.start()


def said(*words: str) -> str:
    """Return the output of a gyoji command."""
    return subprocess.run([GYOJI, *words], check=False, capture_output=True, text=True).stdout


def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < end, "nothing goes on"
        time.sleep(0.2)


if __name__ == "__main__":
    sys.exit(main())
