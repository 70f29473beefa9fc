"""The worker process: plays games one after the other, as told over a socket, and never outlives its master.

``python -m gyoji.play.worker FD[:FD] [CPU ...]``: the first FD is a stream socket, the second memory that
says who is to move, for whoever asks when the worker has died; CPU... are the processors that it and its
engines may run on, all if there are none. JSON lines in::

    {"play": <SentOrder>, ...}  play this game; one at a time (`gyoji.play.order_lines`)
    {"abandon": true}           end the running game now and say nothing of it
    {"prepare": [<GameSpec>]}   load what games like these need, before the first one
    {"say": <Words>}            words of a person in the running game
    {"tell": true}              tell of games move by move from now on; false: no more

JSON lines out: any number of ``{"progress": <Progress>}`` and ``{"live": <Live>}`` for a game, and of
``{"seat": <SeatNews>}`` of persons in it, ``{"alive":true}`` every few seconds of it, and at its end one
``{"report": ...}``, with the texts of a finished game behind it (`Report.line`).
End of file means: end everything and exit.
"""

import gc
import os
import signal
import socket
import sys
from mmap import mmap

from gyoji.core import wire
from gyoji.core.spec import PERSON
from gyoji.executors.kernel import adopt_orphans, die_with_parent
from gyoji.executors.local import end_orphans
from gyoji.play.context import WorkerContext
from gyoji.play.game import Game, set_up
from gyoji.play.loop import Alarm
from gyoji.play.order import ALIVE, BOARD_SIZE, Board, Order, Report
from gyoji.play.order_lines import OrderReader, read_instruction
from gyoji.play.seats import SeatNews, Seats, Words
from gyoji.play.telling import Live, Teller

_PROGRESS_PERIOD = 250_000_000  # ns
_TELLING_PERIOD = 100_000_000
_GAMES_BETWEEN_COLLECTIONS = 100

LIFE_PERIOD = 5_000_000_000
"""ns between two signs of life while a game is played."""


class Worker:
    """One socket, one loop, one game at a time."""

    def __init__(self, connection: socket.socket, to_move: Board) -> None:
        self._connection = connection
        self._context = WorkerContext(to_move=to_move)
        self._loop = self._context.loop
        self._game: Game | None = None
        self._incoming = b""
        self._orders = OrderReader()
        self._closing = False
        self._games = 0
        self._shown = -1  # the number of turns last reported
        self._alarm = Alarm(self._loop, self._show_progress)
        self._pulse = Alarm(self._loop, self._show_life)
        self._teller = Teller(self._loop, self._tell, _TELLING_PERIOD)
        self._is_told = False
        self._seats = self._context.starters[PERSON] = Seats(self._loop, self._tell_person)
        self._loop.watch(connection.fileno(), self._on_message)

    def run(self) -> None:
        self._loop.run(lambda: self._closing and self._game is None)
        self._context.close()

    def _on_message(self, now: int) -> None:
        try:
            data = self._connection.recv(1 << 16)
        except ConnectionError:
            data = b""
        if not data:
            self._close()
            return
        *lines, self._incoming = (self._incoming + data).split(b"\n")
        for line in lines:
            instruction = read_instruction(line)
            order = self._orders.order(instruction)
            if order is not None:
                self._play(order, now)
            elif instruction.prepare:
                for spec in instruction.prepare:
                    self._context.prepare(spec)
            elif instruction.say is not None:
                self._hear(instruction.say)
            elif instruction.tell is not None:
                self._is_told = instruction.tell
                self._tell_of_game(now)
            elif self._game is not None:
                self._game.abandon()

    def _play(self, order: Order, now: int) -> None:
        self._seats.prepare(order.spec)
        self._game = set_up(self._context, order, self._done)
        if self._game is None:
            return
        self._shown = -1
        self._pulse.set(now + LIFE_PERIOD)
        if order.watch:
            self._alarm.set(now + _PROGRESS_PERIOD)
        self._tell_of_game(now)
        self._game.begin()

    def _hear(self, words: Words) -> None:
        """Words of a person in the game, or about it."""
        if not words.decision:
            self._seats.say(words)
        elif self._game is not None:
            self._game.decide(words)

    def _tell_of_game(self, now: int) -> None:
        """Tell of the game if there is one and that is wanted."""
        self._teller.end()
        if self._game is not None:
            self._game.notice = self._teller.notice if self._is_told else None
            if self._is_told:
                self._teller.begin(self._game, now)

    def _tell_person(self, news: SeatNews) -> None:
        self._send(f'{{"seat":{wire.dumps(news)}}}')

    def _tell(self, live: Live) -> None:
        self._send(f'{{"live":{wire.dumps(live)}}}')

    def _done(self, report: Report | None) -> None:
        self._game = None
        self._teller.end()
        self._alarm.clear()
        self._pulse.clear()
        end_orphans(self._context.pids)
        if report is not None:
            self._send(report.line())
        self._collect()

    def _collect(self) -> None:
        """Collect garbage now and then. What the first game has loaded will stay, and is left out of it."""
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
                self._send(f'{{"progress":{wire.dumps(progress)}}}')
            self._alarm.set(now + _PROGRESS_PERIOD)

    def _show_life(self, now: int) -> None:
        self._send(ALIVE)
        self._pulse.set(now + LIFE_PERIOD)

    def _send(self, message: str) -> None:
        try:
            self._connection.sendall(f"{message}\n".encode())
        except ConnectionError:
            self._close()

    def _close(self) -> None:
        if not self._closing:
            self._closing = True
            self._loop.forget(self._connection.fileno())
            if self._game is not None:
                self._game.abandon()


def _shared(descriptor: int) -> mmap:
    """Memory that the scheduler sees."""
    memory = mmap(descriptor, BOARD_SIZE)
    os.close(descriptor)
    return memory


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
    gc.disable()  # a collection in the middle of a game would be charged to whoever is thinking
    Worker(connection, _shared(int(board)) if board else bytearray(BOARD_SIZE)).run()
    end_orphans()
    gc.freeze()  # it ends: no search for garbage


if __name__ == "__main__":
    main()
