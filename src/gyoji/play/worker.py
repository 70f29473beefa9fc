"""The worker process: it plays one game after another, controlled by messages over a socket, and dies with
its parent.

``python -m gyoji.play.worker FD[:FD] [CPU ...]``: the first FD is a stream socket, the second is shared
memory that says which seats are to move. CPU is the number of a processor that the worker and its engines may
use; without any, they may use all. `gyoji.play.worker_messages` lists the messages. End of file on the socket
ends the worker.
"""

# Theory of operation
#
#     waiting -- Order --> playing -- Game calls _done --> report sent, orphans ended, garbage --> waiting
#                             |
#                             +-- Abandon --> the game ends without a report --> waiting
#
#     end of file, in any state --> the running game is abandoned --> exit
#
# * One process plays one game at a time, so a crash costs one game. Its parent runs several workers and gives
#   each its next order.
# * The worker must not outlive its parent: by `die_with_parent` the kernel kills it. It becomes the parent of
#   all orphaned processes of its engines (`adopt_orphans`) and kills them after each game.
# * Garbage is only collected between games, every _GAMES_BETWEEN_COLLECTIONS: the time of a collection during
#   a game would be charged to the thinking seat. Objects that exist after the first game stay for ever and
#   are frozen (`gc.freeze`).
# * SIGINT is ignored: only the scheduler decides what Ctrl-C means.
# * A sign of life every LIFE_PERIOD distinguishes a worker that waits for an engine from one that hangs. The
#   parent kills a silent worker and has its game played again.
# * The shared memory survives the worker. It tells the parent which seats were to move when the worker died.

import gc
import os
import signal
import socket
import sys
import time
from mmap import mmap

from gyoji.core.spec import PERSON, REMOTE
from gyoji.executors.kernel import adopt_orphans, die_with_parent
from gyoji.executors.local import end_orphans
from gyoji.play.connection import JsonConnection
from gyoji.play.context import WorkerContext
from gyoji.play.game import Game, set_up
from gyoji.play.live_updates import LiveUpdates
from gyoji.play.loop import Alarm
from gyoji.play.order import BOARD_SIZE, Board, Order, Report
from gyoji.play.remote_seats import RemoteSeats, RemoteWords
from gyoji.play.seats import HumanMessage, Seats
from gyoji.play.worker_messages import Abandon, Alive, Prepare, WatchMoves, read_to_worker

_PROGRESS_PERIOD = 250_000_000  # ns
_TELLING_PERIOD = 100_000_000
_GAMES_BETWEEN_COLLECTIONS = 100

LIFE_PERIOD = 5_000_000_000
"""The interval of signs of life during a game, in ns."""


class Worker:
    """The process that plays one game at a time, by orders that arrive over a socket."""

    def __init__(self, connection: socket.socket, to_move: Board) -> None:
        self._context = WorkerContext(to_move=to_move)
        self._loop = self._context.loop
        self._connection = JsonConnection(self._loop, connection, on_line=self._obey, on_end=self._close)
        self._game: Game | None = None
        self._games = 0
        self._shown = -1  # the number of turns last reported
        self._alarm = Alarm(self._loop, self._show_progress)
        self._pulse = Alarm(self._loop, self._show_life)
        self._live_updates = LiveUpdates(self._loop, self._connection.send, _TELLING_PERIOD)
        self._is_told = False
        self._seats = self._context.starters[PERSON] = Seats(self._loop, self._connection.send)
        self._remote = self._context.starters[REMOTE] = RemoteSeats(self._loop, self._connection.send)

    def run(self) -> None:
        connection = self._connection
        self._loop.run(lambda: connection.has_ended and self._game is None and not connection.unsent)
        connection.close()
        self._context.close()

    def _obey(self, line: bytes) -> None:
        now = time.monotonic_ns()
        match read_to_worker(line):
            case Order() as order:
                self._play(order, now)
            case Prepare(specs=specs):
                for spec in specs:
                    self._context.prepare(spec)
            case HumanMessage(decision="") as answer:
                self._seats.say(answer)
            case HumanMessage() as ruling:
                if self._game is not None:
                    self._game.decide(ruling)
            case RemoteWords() as words:
                self._remote.hear(words)
            case WatchMoves(wanted=wanted):
                self._is_told = wanted
                self._tell_of_game(now)
            case Abandon():
                if self._game is not None:
                    self._game.abandon()

    def _play(self, order: Order, now: int) -> None:
        self._seats.prepare(order.spec)
        self._remote.prepare(order.spec.id)
        self._game = set_up(self._context, order, self._done)
        if self._game is None:
            return
        self._shown = -1
        self._pulse.set(now + LIFE_PERIOD)
        if order.watch:
            self._alarm.set(now + _PROGRESS_PERIOD)
        self._tell_of_game(now)
        self._game.begin()

    def _tell_of_game(self, now: int) -> None:
        """Start or stop live updates of the running game."""
        self._live_updates.end()
        if self._game is not None:
            self._game.notice = self._live_updates.notice if self._is_told else None
            if self._is_told:
                self._live_updates.begin(self._game.live, now)

    def _done(self, report: Report | None) -> None:
        self._game = None
        self._remote.end()
        self._live_updates.end()
        self._alarm.clear()
        self._pulse.clear()
        end_orphans(self._context.pids)
        if report is not None:
            self._connection.send(report.sent())
        if self._games % _GAMES_BETWEEN_COLLECTIONS == 0:
            gc.collect()
        if self._games == 0:
            gc.freeze()
        self._games += 1

    def _show_progress(self, now: int) -> None:
        if self._game is not None:
            progress = self._game.progress()
            if progress.turns != self._shown:
                self._shown = progress.turns
                self._connection.send(progress)
            self._alarm.set(now + _PROGRESS_PERIOD)

    def _show_life(self, now: int) -> None:
        self._connection.send(Alive())
        self._pulse.set(now + LIFE_PERIOD)

    def _close(self, _why: str) -> None:
        if self._game is not None:
            self._game.abandon()


def main() -> None:
    die_with_parent()
    adopt_orphans()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    descriptor, _, board = sys.argv[1].partition(":")
    cores = list(map(int, sys.argv[2:]))
    if cores:
        os.sched_setaffinity(0, cores)
    connection = socket.socket(fileno=int(descriptor))
    connection.set_inheritable(False)
    gc.disable()  # a collection during a game would be charged to the thinking seat
    to_move: Board = bytearray(BOARD_SIZE)
    if board:
        to_move = mmap(int(board), BOARD_SIZE)
        os.close(int(board))
    Worker(connection, to_move).run()
    end_orphans()
    gc.freeze()  # the process ends: do not search for garbage


if __name__ == "__main__":
    main()
