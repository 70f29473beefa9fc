"""Send nonsense across the boundaries of containment: `python tests/hostile/fuzz.py --seconds N --seed N`.

Four boundaries, one after the other until the time is over:

    engines    an engine's output: a codec of each protocol replies, and never after `Broken`
    answers    a cell's answers to its worker: whatever comes, `Cell` works or raises CellBroken (OSError from
               a start), at once, and keeps no descriptor
    orders     orders to a launcher and to a cell: each ends or goes on, and a real engine plays after it
    workers    a worker's messages to the scheduler: a value or a ValueError, its report of a game likewise

The bytes are valid messages in which bytes, values, keys or line ends were changed, with descriptors that
nobody asked for. The seed of each case is printed with what was wrong; the exit status is 1 then.
"""

import argparse
import json
import os
import random
import socket
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from gyoji.core import wire
from gyoji.core.faults import Breakdown, ProcessLost
from gyoji.core.messages import Broken
from gyoji.core.spec import Containment, GameSpec, Player
from gyoji.executors import _proc
from gyoji.executors.contained import cells
from gyoji.executors.contained.engines import ContainedExecutor
from gyoji.executors.contained.machine import bare_plan
from gyoji.play.order import SentReport
from gyoji.play.worker_messages import Alive, read_from_worker
from gyoji.testing import codec_kit

ANSWERS = (
    {"ready": [], "first": 1},
    {"ready": ["own /proc: x"], "first": os.getpid()},
    {"started": [100, 200]},
    {"code": 0, "cpu": 1000, "leftovers": ""},
    {"code": -9, "cpu": 0, "leftovers": "/dev/shm/x"},
    {"error": "no such file", "file": "/x"},
    {"error": "it cannot go on: x"},
    {"out_of_reach": "/x"},
)
ORDERS = ({"start": {"A": "b"}}, {"signal": 15}, {"taken": True})
VALUES = (None, True, -1, 0, 1 << 70, 1.5, "", "x" * 300, "\ud800", [], [[]], {}, {"a": 1}, float("nan"))
SHORT = 0.2
"""Patience with a cell, in seconds, while it is likely that none will answer."""

PATIENCES = (SHORT, SHORT, 0.4, 0.8, 1.6, 3.2, 6.4, 10.0, 10.0)
"""Patience with a cell, in seconds, in each try to play after nonsense. The last is that of a real run.

With 0.2 s in each of 20 tries, an hour of fuzz at low priority on a busy machine failed in its last 18
rounds.
"""

SLOW = 10.0
"""Seconds after which nonsense counts as a hang: `answers` waits for at most three times `SHORT`."""


def changed(dice, value):
    """Return a JSON value with one part of it changed."""
    if dice.random() < 0.15:
        return dice.choice(VALUES)
    if isinstance(value, dict) and value:
        key = dice.choice([*value])
        rest = {name: each for name, each in value.items() if name != key}
        match dice.randrange(4):
            case 0:
                return rest
            case 1:
                return {**rest, key + "x": value[key]}
            case 2:
                return {**value, dice.choice(("signal", "start", "error", "launch")): dice.choice(VALUES)}
        return {**rest, key: changed(dice, value[key])}
    if isinstance(value, list) and value:
        at = dice.randrange(len(value))
        return [*value[:at], *([changed(dice, value[at])] * dice.randrange(3)), *value[at + 1 :]]
    return dice.choice(VALUES)


def bytes_of(dice, messages):
    """Return the lines of one to three messages, of which some are changed."""
    data = b""
    for _ in range(dice.randint(1, 3)):
        message = dice.choice(messages)
        for _ in range(dice.randrange(3)):
            message = changed(dice, message)
        data += json.dumps(message).encode() + b"\n"
    for _ in range(dice.choice((0, 0, 1, 3))):
        at = dice.randrange(len(data) + 1)
        piece = dice.choice((b"", b"\n", b"\0", b"\xff\xfe", b"[" * 3000, b'"', bytes([dice.randrange(256)])))
        data = data[:at] + piece + data[at + dice.randrange(3) :]
    return data


SCRIPTED = (
    *("tests/protocols/test_uci_game.py", "tests/protocols/test_uci_traps.py"),
    *("tests/protocols/test_gtp_conformance.py", "tests/protocols/test_usenix_codec.py"),
    *("tests/protocols/test_gomocup_game.py", "tests/protocols/test_gomocup_swap2.py"),
    *("tests/protocols/test_gomocup_preparation.py", "tests/protocols/test_gomocup_requests.py"),
    *("tests/protocols/test_evaluation.py", "tests/games/dighere/test_dighere_codec.py"),
)
"""Tests of codecs by conversations, which are changed here."""


def conversations():
    """Return (function that makes a codec, conversation) for all conversations of the tests of codecs."""
    found = []

    def record(make_codec, scripted, **_):
        found.extend((make_codec, [*each]) for each in scripted)

    codec_kit.check_codec = record
    root = Path(__file__).parents[2]
    pytest.main(["-q", "-p", "no:cacheprovider", *(str(root / each) for each in SCRIPTED)])
    return found


class Engines:
    """Engines that speak with changes what those of the tests speak."""

    def __init__(self):
        self._conversations = conversations()

    def speak(self, dice):
        """Play a conversation in which the engine's output is changed. Return what was wrong, or ""."""
        make_codec, exchanges = dice.choice(self._conversations)
        try:
            return _spoken(dice, make_codec(), exchanges)
        except Exception as error:  # noqa: BLE001
            return f"{type(error).__name__}: {error}"


def _spoken(dice, codec, exchanges):
    is_over = False
    for exchange in exchanges:
        if exchange.request is not None:
            if is_over:
                return ""
            codec.send(exchange.request)
        heard = spoilt(dice, exchange.heard)
        at = dice.randrange(len(heard) + 1)
        for piece in (heard[:at], heard[at:]):
            replies = codec.receive(piece) if piece else ()
            if is_over and replies:
                return f"replies {replies!r} after Broken"
            is_over = is_over or any(type(each) is Broken for each in replies)
    codec.finish()
    return ""


def spoilt(dice, data):
    """Return bytes with up to four changes."""
    for _ in range(dice.randrange(5)):
        at = dice.randrange(len(data) + 1)
        piece = dice.choice(PIECES) if dice.random() < 0.7 else data[at : at + dice.randrange(40)] * 2
        data = data[:at] + piece + data[at + dice.choice((0, 0, 1, 2, len(piece))) :]
    return data


PIECES = (
    *(
        b"",
        b"\n",
        b"\n\n",
        b"\r",
        b"\t",
        b"\0",
        b" ",
        b"=",
        b"?",
        b"-",
        b"\xff\xfe",
        b"\xe2\x80\xae",
        b"\xed\xa0\x80",
    ),
    *(b"9" * 400, b"-1", b"1e999", b"nan", b"inf", b"0x1F", b"\xd9\xa1", b"\xc2\xb2", b"1_0", b"a" * 5000),
    *(
        b"bestmove ",
        b"info depth ",
        b"score cp ",
        b"score mate ",
        b"pv ",
        b"option name ",
        b"MESSAGE ",
        b"ERROR ",
    ),
    *(b'name="', b"OK", b"swap", b"resign", b"pass", b"D4", b"e2e4", b"0,0", b"%", b"{", b"\\"),
)


def open_descriptors():
    return len(os.listdir("/proc/self/fd"))


def send(dice, end, data):
    """Send bytes in up to three pieces, with up to four descriptors."""
    cuts = sorted(dice.randrange(len(data) + 1) for _ in range(dice.randrange(3)))
    for first, last in zip([0, *cuts], [*cuts, len(data)], strict=True):
        held = [os.open(os.devnull, os.O_RDONLY) for _ in range(dice.choice((0, 0, 0, 1, 2, 4)))]
        with suppress(OSError):
            if data[first:last]:
                socket.send_fds(end, [data[first:last]], held)
        for each in held:
            os.close(each)


def answers(dice):
    """Have a cell answer nonsense. Return what was wrong, or ""."""
    cells._PATIENCE = SHORT
    before = open_descriptors()
    ours, theirs = socket.socketpair()
    first = ANSWERS[0] if dice.random() < 0.7 else None
    send(dice, theirs, (json.dumps(first).encode() + b"\n" if first else b"") + bytes_of(dice, ANSWERS))
    if dice.random() < 0.8:
        theirs.close()
    began, wrong = time.monotonic(), ""
    cell = None
    try:
        cell = cells.Cell(ours, "key")
        started = None
        with suppress(OSError):
            started = cell.start({"program": "/x", "argv": ["x"], "environ": {}, "cwd": "/"}, {}, [0, 1, 2])
        if started is not None:
            os.close(started.pidfd)
        cell.end()
        cell.has_ended()
    except cells.CellBroken:
        pass
    except Exception as error:  # noqa: BLE001 - this is what is looked for
        wrong = f"{type(error).__name__}: {error}"
    if cell is not None:
        cell.close()
    ours.close()
    theirs.close()
    if not wrong and open_descriptors() != before:
        wrong = f"{open_descriptors() - before} descriptors are left"
    if not wrong and time.monotonic() - began > SLOW:
        wrong = f"took {time.monotonic() - began:.1f} s"
    return wrong


def reports(dice):
    """Have a worker send nonsense. Return what was wrong, or ""."""
    spec = GameSpec(id="0_0", pairing="0", game="go", players=(Player(code="a", command=("a",)),) * 2)
    messages = [wire.encode(each) for each in (Alive(), SentReport(log=("a line",)))]
    messages += [{"type": "report", "result": {"id": "0_0"}, "rest": {}}, {"type": "progress", "game": "0_0"}]
    for line in bytes_of(dice, messages).split(b"\n"):
        try:
            message = read_from_worker(line)
            if isinstance(message, SentReport):
                message.report(spec)
        except (ValueError, TypeError):
            continue
        except Exception as error:  # noqa: BLE001
            return f"{type(error).__name__}: {error}"
    return ""


class Real:
    """A real launcher with cells, to which nonsense is sent."""

    def __init__(self, folder):
        self._executor = ContainedExecutor()
        _ = self._executor.machine  # examined with the patience of a real run
        self._place = folder / "place"
        for name in ("work", "tmp", "overlay/upper", "overlay/work"):
            (self._place / name).mkdir(parents=True)
        self._player = Player(
            code="a", command=("/bin/echo", "alive"), cwd=str(self._place / "work"), stderr="discard",
            containment=Containment(),
        )  # fmt: skip

    def orders(self, dice):
        """Send nonsense to the launcher or to an idle cell. Return what was wrong, or ""."""
        executor = self._executor
        if dice.random() < 0.4:
            plan = {**bare_plan(0), "joins": []}
            send(dice, executor.launcher._socket, bytes_of(dice, (plan,)))
        elif executor._idle:
            send(dice, executor._idle[-1]._connection, bytes_of(dice, ORDERS))
        return self._plays()

    def _plays(self):
        """Play with a real engine, again if the nonsense has ended its cell or the launcher.

        Each try waits longer, so that only a launcher that stays unusable is wrong, not a starved one.
        """
        for cells._PATIENCE in PATIENCES:
            try:
                engine = self._executor.start(self._player, {}, place=str(self._place))
            except (Breakdown, ProcessLost) as error:
                said = str(error)
                time.sleep(cells._PATIENCE / 10)  # the launcher may be about to end
                continue
            os.set_blocking(engine.stdout, True)
            heard = os.read(engine.stdout, 100)
            while engine.reap() is None:
                time.sleep(0.001)
            engine.close()
            if heard == b"alive\n":
                return ""
            said = f"an engine said {heard!r}"  # the nonsense was an order to signal it
        return said

    def close(self):
        """End all. Return what was wrong, or ""."""
        self._executor.close()
        left = [each for each in _proc.children_of(os.getpid()) if not _proc.has_ended(each)]
        return f"processes are left: {left}" if left else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60, help="how long (60)")
    parser.add_argument("--seed", type=int, default=0, help="of the first case (0)")
    parser.add_argument("--only", default="", help="only this boundary, such as orders")
    options = parser.parse_args()
    engines = Engines()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # a launcher that ends so says it on stderr
    done, wrong = Counter(), 0
    end = time.monotonic() + options.seconds
    with TemporaryDirectory(dir="/var/tmp") as name:
        Path(name).chmod(0o755)
        real = Real(Path(name))
        kinds = {
            "answers": (answers, 40),
            "orders": (real.orders, 1),
            "workers": (reports, 40),
            "engines": (engines.speak, 400),
        }
        seed = options.seed
        while time.monotonic() < end:
            for kind, (target, times) in kinds.items():
                if options.only not in ("", kind):
                    continue
                for _ in range(times):
                    seed += 1
                    done[kind] += 1
                    if said := target(random.Random(seed)):
                        wrong += 1
                        print(f"{kind}, seed {seed}: {said}", flush=True)
        if said := real.close():
            wrong += 1
            print(said)
    print(", ".join(f"{kind} {count}" for kind, count in done.items()), f"cases; {wrong} were wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
