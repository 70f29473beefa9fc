"""A competition, a listener and a pool that do as they are told."""

import contextlib
import json
import os
import socket
import sys
import time
from pathlib import Path

from fake_pool import FakePool, void_of
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import EngineReport, GameRecord, GameResult, Played, VoidGame
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec, Player
from gyoji.play.order import Report
from gyoji.scheduler.slots import SlotPool

WORKER = (sys.executable, "-S", str(Path(__file__).with_name("fake_worker.py")))
PLAYERS = tuple(Player(code=code, command=("/bin/true",)) for code in "ab")


def make_spec(number, note=""):
    return GameSpec(id=f"g{number}", pairing="0", game="go", players=PLAYERS, seed=number, note=note)


def make_setup(**changes):
    fields = {"code": "event", "kind": "playoff", "players": {}, "settings": None, "record_games": False}
    return CompetitionSetup(**(fields | changes))


def make_record(spec, **changes):
    fields = {
        "id": spec.id,
        "pairing": spec.pairing,
        "players": tuple(player.code for player in spec.players),
        "outcome": Outcome(points=(1.0, 0.0), ending=Ending.RESIGNATION),
        "turns": 1,
        "engines": (EngineReport(), EngineReport()),
        "started": "2026-11-21T01:02:03+00:00",
        "wall_ns": 5,
    }
    return GameRecord(result=GameResult(**(fields | changes)), turns=((Played(0, "D4", 5),),))


def make_void(spec, reason="no engine"):
    players = tuple(player.code for player in spec.players)
    return VoidGame(id=spec.id, pairing=spec.pairing, players=players, reason=reason, started="now")


class Games:
    """A competition of `count` games, g0 to g(count-1); notes: what they say, by number.

    barrier: games per round; a round begins when the one before is over. has_fixed_games: see `FixesGames`.
    """

    def __init__(self, count, notes=None, *, barrier=None, has_fixed_games=False):
        self.count, self.notes, self.barrier = count, notes or {}, barrier
        self.has_fixed_games = has_fixed_games
        self.setup = make_setup()
        self.added = []
        self.taken = set()
        self.issued = []

    def add(self, result):
        assert result.id not in self.added, f"{result.id} twice"
        self.added.append(result.id)
        self.taken.add(int(result.id[1:]))

    def next_game(self):
        number = next((number for number in range(self.count) if number not in self.taken), None)
        if number is None:
            return None
        if self.barrier and len(self.added) < number - number % self.barrier:
            return None
        self.taken.add(number)
        self.issued.append(f"g{number}")
        return make_spec(number, self.notes.get(number, ""))

    def remaining(self):
        return len(set(range(self.count)) - self.taken)

    def checks(self):
        return ()


class Diary:
    """A listener that remembers. on: called with the name of each event, after it was written down."""

    def __init__(self, on=lambda name: None, *, watches=False):
        self.watches = watches
        self.on = on
        self.events = []

    def _note(self, name, *values):
        self.events.append((name, *values))
        self.on(name)

    def began(self, *, stored, voids, remaining, playing):
        self.playing = playing
        self._note("began", stored, voids, remaining)

    def started(self, order):
        self._note("started", order.spec.id, order.slot)

    def progress(self, progress):
        self._note("progress", progress)

    def finished(self, result):
        self._note("finished", result.id)

    def voided(self, void, attempt):
        self._note("voided", void.id, attempt)

    def warning(self, text):
        self._note("warning", text)

    def steered(self, what, *, paused):
        self._note("steered", what, paused)

    def reloaded(self, fresh, competition, *, remaining):
        self._note("reloaded", remaining)

    def stopping(self, reason, waiting):
        self._note("stopping", reason, waiting)

    def ended(self, end):
        self._note("ended", end)

    def of(self, name):
        """Return the values of all events of this name."""
        return [event[1] if len(event) == 2 else event[1:] for event in self.events if event[0] == name]


class InstantPool(FakePool):
    """Plays in no time. outcome: spec, attempt -> Report, exception, or None for a game that goes on.

    A game that goes on ends when `finish`, `fail` or `abandon` is called.
    """

    def __init__(self, outcome=lambda spec, attempt: Report.of(spec, make_record(spec)), slots=1):
        super().__init__(slots, outcome)
        self.abandoned = False

    def fail(self, game_id):
        self.finish(game_id, void_of(next(each.spec for each in self.orders if each.spec.id == game_id)))

    def abandon(self):
        self.abandoned = True
        super().abandon()


class DrivenPool(SlotPool):
    """A pool that works while somebody waits for one of its futures."""

    def submit(self, order):
        future = super().submit(order)
        future.result = self._driven(future, future.result)
        future.exception = self._driven(future, future.exception)
        return future

    def _driven(self, future, plain):
        def wait(timeout=0):
            give_up = time.monotonic() + timeout
            while not future.done() and (left := give_up - time.monotonic()) > 0:
                self.loop.wait(left)
            return plain(0)

        return wait


def ask(files, command):
    """Put a command without waiting for the answer: who asks here is the run's own thread."""
    connection = socket.socket(socket.AF_UNIX)
    with contextlib.chdir(files.folder):
        connection.connect(files.socket.name)
    connection.sendall(json.dumps(command).encode() + b"\n")
    return connection


def answer_to(connection):
    """Return what was answered to a command that was put by `ask`."""
    with connection, connection.makefile() as lines:
        return json.loads(lines.readline())


def marked_processes(mark):
    """Return the pids of all processes that carry the mark of a pool."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if f"GYOJI_RUN={mark}".encode() in Path(f"/proc/{name}/environ").read_bytes():
                found.append(int(name))
        except OSError:
            continue
    return found
