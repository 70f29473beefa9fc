"""Umpires that misbehave, and how each of their games must end, at every level of containment.

`gyoji.play.game.play` plays the games of `game_of`, and `problem_with` judges the reports.
"""

import re
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from gyoji.core.spec import Budgets, GameSpec, Player
from gyoji.play.order import Report

PREFIX = """
import json, os, signal, sys, time
def say(**message): print(json.dumps(message), flush=True)
def hear(): return json.loads(sys.stdin.readline())
def ask(*seats, **more):
    say(ask=[{"seat": seat, "say": "go", **more} for seat in seats])
    return hear()["answers"]
def write(text): os.write(1, text if isinstance(text, bytes) else text.encode())
def rest(): time.sleep(60)
begin = hear()["begin"]
"""
"""What comes before each script: the umpire has been told that the game begins."""


class Umpire(NamedTuple):
    """One way in which an umpire misbehaves.

    Attributes:
        script: Python code of what the umpire does, which follows `PREFIX`.
        reason: A regular expression for the reason why the game is void; "" if it must have a result.
        is_slow: Whether the game ends only when a budget is used up.
    """

    script: str
    reason: str = ""
    is_slow: bool = False


_SILENT = "umpire: gave no answer for"

UMPIRES: Mapping[str, Umpire] = MappingProxyType(
    {
        # ends too early
        "exits at once": Umpire("os._exit(3)", r"umpire: exited \(exit 3\)"),
        "exits with 0 in the game": Umpire("ask(0, 1); os._exit(0)", r"umpire: exited \(exit 0\)"),
        "raises in the game": Umpire("ask(0); 1 / 0", "umpire: exited .*ZeroDivisionError"),
        "is killed": Umpire("ask(0); os.kill(os.getpid(), 9)", r"umpire: exited \(signal 9"),
        "crashes": Umpire("ask(0); os.abort()", r"umpire: exited \(signal 6"),
        "closes its output": Umpire("ask(0); os.close(1); rest()", "umpire: closed its output"),
        "ends in the middle of a line": Umpire("ask(0); write('{\"end\"'); os._exit(0)", "umpire: "),
        "leaves a child with its pipes": Umpire(
            "ask(0)\nif os.fork(): os._exit(0)\nrest()", r"umpire: exited \(exit 0\)"
        ),
        # says too little or too late
        "is silent at first": Umpire("rest()", _SILENT, is_slow=True),
        "is silent in the game": Umpire("ask(0, 1); rest()", _SILENT, is_slow=True),
        "stops reading": Umpire("ask(0); os.close(0); rest()", "umpire: ", is_slow=True),
        "stands still": Umpire("ask(0); os.kill(os.getpid(), signal.SIGSTOP)", _SILENT, is_slow=True),
        "never finishes a line": Umpire("ask(0); write('{\"ask\":[{'); rest()", _SILENT, is_slow=True),
        "tells without asking": Umpire(
            "ask(0); say(tell={'seat': 0, 'say': 'x'}); rest()", _SILENT, is_slow=True
        ),
        # says too much
        "writes one line without end": Umpire(
            "while True: write('x' * 65536)", "umpire: sent a line of more than"
        ),
        "writes garbage without end": Umpire("while True: write('x\\n' * 9999)", "umpire: said 'x'"),
        "tells without end": Umpire(
            "while True: say(tell={'seat': 0, 'say': 'x' * 9999})", "umpire: sent more than"
        ),
        "asks twice": Umpire(
            "ask(0)\nfor _ in '12': say(ask=[{'seat': 0, 'say': ''}])\nrest()", "before it got an answer"
        ),
        "asks only those who are out": Umpire(
            "while True: ask(2)", "asked only seats that are out of the game, 1000 times"
        ),
        # says what it may not
        "prints": Umpire("print('hello', flush=True); rest()", "which is no JSON"),
        "says invalid UTF-8": Umpire("write(b'\\xff\\xfe\\n'); rest()", "umpire: "),
        "says NaN": Umpire('write(\'{"end":{"points":[NaN,1,2]}}\\n\'); rest()', "which is no JSON"),
        "nests without end": Umpire("write('[' * 100000 + '\\n'); rest()", "umpire: "),
        "says a message of its own": Umpire("say(hello=1); rest()", "unknown field hello"),
        "asks nobody": Umpire("say(ask=[]); rest()", "umpire: ask: expected a question"),
        "asks a seat that is not there": Umpire("ask(7); rest()", "there is no seat 7"),
        "names a place too few": Umpire(
            "say(end={'places': [1, 2]}); rest()", "a number for each of 3 teams"
        ),
        "ends in a way that is none": Umpire("say(end={'ending': 'skipped'}); rest()", "umpire: end: ending"),
        "draws a board of another size": Umpire(
            "for n in (2, 3): say(picture={'grid': [[''] * n]})\nask(0)", "picture: grid"
        ),
        "refuses": Umpire("say(refuse='4 seats only'); rest()", "refuses this game: 4 seats only"),
        "takes all memory it can": Umpire("ask(0)\nx = [b'x' * (1 << 20)]\nwhile True: x += x", "umpire: "),
        # is odd, and does no harm
        "writes much to stderr": Umpire("sys.stderr.write('x' * 9999999); ask(0); say(end={}); hear()"),
        "ignores stop and TERM": Umpire(
            "signal.signal(signal.SIGTERM, signal.SIG_IGN); ask(0); say(end={}); rest()", is_slow=True
        ),
        "goes on after the end": Umpire("ask(0); say(end={}); say(ask=[{'seat': 0, 'say': ''}]); hear()"),
        "forks": Umpire("ask(0)\nif not os.fork(): os.setsid(); rest()\nsay(end={}); hear()"),
    }
)


def game_of(bad: Umpire, environ: Mapping[str, str]) -> GameSpec:
    """Return a game with the umpire `bad`. Players 0 and 1 answer; player 2 ends when it is first asked.

    Args:
        environ: Environment variables of all programs.
    """
    budgets = Budgets(startup=10**10, move=10**9, line=1 << 20, close=3 * 10**8, memory=1 << 28)
    scripts = ["import sys\nfor line in sys.stdin: print(1, flush=True)"] * 2 + [
        "import sys; sys.stdin.readline()"
    ]
    python = (sys.executable, "-I", "-S", "-c")
    players = [
        Player(code=code, command=(*python, script), environ=environ, protocol="umpire", stderr="discard")
        for code, script in zip("abc", scripts, strict=True)
    ]
    program = Player(
        code="umpire",
        command=(*python, PREFIX + bad.script),
        environ=environ,
        protocol="umpire-program",
        budgets=budgets,
        stderr="discard" if "stderr" in bad.script else "log",
    )
    return GameSpec(
        id="0",
        pairing="0",
        game="umpire",
        players=tuple(players),
        options={"seats": 3},
        move_limit=5000,
        umpire=program,
        seed=1,
    )


def problem_with(report: Report, reason: str) -> str:
    """Return how a game ended if it should have ended otherwise; "" if it ended as it must.

    Args:
        reason: A regular expression for the reason why the game must be void; "" if it must have a result.
    """
    found = "" if report.void is None else report.void.reason
    if not reason:
        return found
    return "" if re.search(reason, found) else found or "it has a result"
