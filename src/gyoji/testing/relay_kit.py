"""Runners and players of relays that misbehave, and how each of their games must end.

`gyoji.play.game.play` plays the games of `game_of`, and `gyoji.testing.umpire_kit.problem_with` judges the
reports.
"""

import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from gyoji.core.spec import Budgets, GameSpec, Player

PREFIX = """
import json, os, select, signal, socket, sys, time
from subprocess import PIPE, Popen
seed, *seats = sys.argv[1:]
def start(seat): return Popen([seat], stdin=PIPE, stdout=PIPE, bufsize=0)
def ask(bot, patience=5):
    try: bot.stdin.write(b"go\\n")
    except OSError: return b""
    end, said = time.monotonic() + patience, b""
    while not said.endswith(b"\\n") and len(said) < 9999:
        if not select.select([bot.stdout], [], [], max(0, end - time.monotonic()))[0]: return b""
        said += (part := os.read(bot.stdout.fileno(), 4096))
        if not part: return b""
    return said
def say(*points): print(json.dumps({"points": points}), flush=True)
def play(patience=5):
    bots = [start(seat) for seat in seats]
    asked = [[ask(bot, patience) for bot in bots] for _ in range(3)]
    say(*(sum(each == b"1\\n" for each in answers) for answers in zip(*asked)))
    return bots
def call(text):
    os.chdir(os.path.dirname(seats[0]))
    caller = socket.socket(socket.AF_UNIX)
    caller.connect("pipes")
    caller.sendall(text)
    return caller
def rest(): time.sleep(60)
"""
"""What comes before each script of a runner."""


class Runner(NamedTuple):
    """One way in which a runner misbehaves.

    Attributes:
        script: Python code of what the runner does, which follows `PREFIX`.
        reason: A regular expression for the reason why the game is void; "" if it must have a result.
        is_slow: Whether the game ends only when its time is over.
    """

    script: str
    reason: str = ""
    is_slow: bool = False


_LATE = r"relay: did not end within 1\.5s"

RUNNERS: Mapping[str, Runner] = MappingProxyType(
    {
        # ends too early
        "exits at once": Runner("os._exit(3)", r"relay: exited \(exit 3\)"),
        "ends at once": Runner("say(1, 0)", "relay: ended without starting seat 1"),
        "raises in the game": Runner("start(seats[0]); 1 / 0", "relay: exited .*ZeroDivisionError"),
        "is killed": Runner("play(); os.kill(os.getpid(), 9)", r"relay: exited \(signal 9"),
        "crashes": Runner("play(); os.abort()", r"relay: exited \(signal 6"),
        "fails after the result": Runner("play(); os._exit(1)", r"relay: exited \(exit 1\)"),
        # ends too late
        "is silent": Runner("rest()", _LATE, is_slow=True),
        "closes its output and stays": Runner("play(); os.close(1); rest()", _LATE, is_slow=True),
        "goes on after the result": Runner("play(); rest()", _LATE, is_slow=True),
        "stands still": Runner("os.kill(os.getpid(), signal.SIGSTOP)", _LATE, is_slow=True),
        "ignores TERM": Runner(
            "signal.signal(signal.SIGTERM, signal.SIG_IGN); play(); rest()", _LATE, is_slow=True
        ),
        "waits for a player for ever": Runner("start(seats[0]).stdout.read()", _LATE, is_slow=True),
        # prints too much, or no result
        "prints nothing": Runner("for seat in seats: ask(start(seat))", "relay: wrote no JSON"),
        "prints nonsense": Runner("play(); print('hello')\nprint('{', flush=True)", ""),
        "prints only nonsense": Runner(
            "for seat in seats: ask(start(seat))\nprint('{hello')", "relay: wrote no JSON.*hello"
        ),
        "prints JSON of another kind": Runner(
            "play(); print(json.dumps({'score': 1}))", "relay: wrote JSON without anything at 'points'"
        ),
        "prints words for numbers": Runner("play(); say('a', 'b')", "relay: wrote 'a' at .* no number"),
        "prints no numbers": Runner("play(); say(float('nan'), 1)", "relay: wrote 'nan' at .* no number"),
        "prints a number too few": Runner("play(); say(1)", "relay: end: points: .* each of 2 teams"),
        "prints invalid UTF-8": Runner("play(); os.write(1, b'\\xff\\xfe\\n')", ""),
        "nests without end": Runner("play(); print('[' * 200000)", ""),
        "writes one line without end": Runner("while 1: os.write(1, b'x' * 65536)", "relay: sent "),
        "prints without end": Runner("while 1: os.write(1, b'x\\n' * 9999)", "relay: sent "),
        "writes much to stderr": Runner("sys.stderr.write('x' * 9999999); play()"),
        # starts players in a wrong way
        "starts one seat only": Runner(
            "ask(start(seats[0])); say(1, 0)", "relay: ended without starting seat 2"
        ),
        "starts a seat twice": Runner(
            "ask(start(seats[0])); ask(start(seats[0])); play(); rest()", "relay: started seat 1 twice"
        ),
        "starts its players again": Runner("play(); play(); rest()", "relay: started seat [12] twice"),
        "plays a seat itself": Runner(
            "open(seats[1], 'w').write('#!/bin/sh\\nwhile read x; do echo 1; done')\nplay()",
            "relay: ended without starting seat 2",
        ),
        "brings a token of its own": Runner("assert call(b'x' * 32).recv(1) == b''\nplay()"),
        "brings half a token": Runner("assert call(b'x' * 7).recv(1) == b''\nplay()"),
        "calls without end": Runner(
            "callers = [call(b'') for _ in range(200)]\nplay(1)", "relay: ended without|relay: exited"
        ),
        # leaves something behind, or harms its players
        "leaves a child": Runner("play()\nif not os.fork(): os.setsid(); rest()"),
        "leaves a child that is asked": Runner("play()\nif os.fork(): os._exit(0)\nrest()"),
        "leaves its players": Runner("play(); os._exit(0)"),
        "kills its players": Runner("for bot in play(): bot.kill()"),
        "stops its players": Runner("for bot in play(): os.kill(bot.pid, signal.SIGSTOP)"),
        "takes all memory it can": Runner("x = [b'x' * (1 << 20)]\nwhile True: x += x", "relay: "),
    }
)

WELL = "import sys\nfor line in sys.stdin: print(1, flush=True)"

PLAYERS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        # (script, what the record says of it; "" for nothing)
        "crashes": ("import os; input(); os.abort()", "exited .signal 6"),
        "raises": ("input(); 1 / 0", "exited .exit 1.*ZeroDivisionError"),
        "is not there": ("raise SystemExit(3)", "exited .exit 3"),
        "is killed": ("import os; input(); os.kill(os.getpid(), 9)", "exited .signal 9"),
        "ends": ("input()", ""),
        "hangs": ("import time; time.sleep(60)", ""),
        "stands still": ("import os; input(); os.kill(os.getpid(), 19)", ""),
        "closes its output": ("import os, time; input(); os.close(1); time.sleep(60)", ""),
        "closes its input": ("import os, time; os.close(0); time.sleep(60)", ""),
        "floods": ("import os\nwhile 1: os.write(1, b'x' * 65536)", ""),
        "floods stderr": ("import os\nwhile 1: os.write(2, b'x' * 65536)", ""),
        "talks without end": ("import os\nwhile 1: os.write(1, b'2\\n')", ""),
        "takes memory": ("input()\nx = [b'x' * (1 << 20)]\nwhile True: x += x", "memory"),
        "leaves a child": (
            "import os, time; input()\nif not os.fork(): os.setsid(); time.sleep(60)\nprint(2)",
            "",
        ),
        "ignores TERM": (
            "import signal, time; signal.signal(15, signal.SIG_IGN); input(); time.sleep(60)",
            "",
        ),
    }
)
"""Ways in which a player misbehaves. The player then gets no points, and its opponent gets 3."""


def game_of(runner: str, environ: Mapping[str, str], first: str = WELL, *, seconds: float = 20) -> GameSpec:
    """Return a game of two players under a runner.

    Args:
        runner: Python code of what the runner does, which follows `PREFIX`.
        environ: Environment variables of all programs.
        first: Python code of the first player.
        seconds: Time limit of the game.
    """
    python = (sys.executable, "-I", "-S", "-c")
    limits = Budgets(startup=10**10, close=3 * 10**8, memory=1 << 28)
    players = [
        Player(
            code=code,
            command=(*python, script),
            environ=environ,
            protocol="relay",
            budgets=limits,
            stderr="discard" if "os.write(2" in script else "log",
        )
        for code, script in zip("ab", (first, WELL), strict=True)
    ]
    program = Player(
        code="relay",
        command=(*python, PREFIX + runner, "{seed}", "{seat1}", "{seat2}"),
        environ=environ,
        protocol="relay-program",
        options={"result": {"json": "points", "means": "points"}},
        budgets=Budgets(move=round(seconds * 1e9), line=1 << 20, reply=1 << 20, rate=0, memory=1 << 28),
        stderr="discard" if "stderr" in runner else "log",
    )
    return GameSpec(
        id="0",
        pairing="0",
        game="relay",
        players=tuple(players),
        options={"seats": 2},
        umpire=program,
        seed=1,
    )


def limit_of(bad: Runner) -> float:
    """Return the limit in seconds of a game that this runner plays."""
    return 1.5 if bad.is_slow else 20
