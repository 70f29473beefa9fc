"""The pool of this machine: worker processes, each a place to play one game at a time.

What the pools of `concurrent.futures` lack: a worker that dies costs its own game and nothing else; running
games can be ended; there may be more or fewer places at any time; nothing is left running, whatever happens
to whom; nothing is pickled.

There is no thread in it. A worker is a socket and a pidfd in the pool's event loop, and whoever waits in that
has the pool work meanwhile. Workers are started when they are first needed (the first one may be started
ahead), in the thread that does so, which must be the main thread: a process that wants to die with its parent
dies with the *thread* that started it. When a worker has gone, what it has left behind is ended first.
"""

import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable, quote
from gyoji.executors.scratch import scratch_folder
from gyoji.play.loop import READ, WRITE, Loop
from gyoji.play.order import ALIVE, Files, Order, Progress, Report
from gyoji.play.order_lines import OrderWriter
from gyoji.play.seats import Words
from gyoji.play.speed import measure
from gyoji.play.workspace import remove_abandoned
from gyoji.scheduler import warden
from gyoji.scheduler.place import Worker
from gyoji.scheduler.pool import Host, OrderFuture, WorkerDied
from gyoji.scheduler.resources import THREADS, processors
from gyoji.store.stored import SpecSplitter

_SCRIPT = "import gc; gc.disable(); from gyoji.play.worker import main; main()"
WORKER = (sys.executable, "-P", "-c", _SCRIPT)
"""The command of a worker; -P: no module of ours is to be found in the folder of a competition. It looks for
no garbage among what it imports."""


class _Message(Struct, frozen=True):
    progress: Progress


_read_progress = wire.reader(_Message)
_REPORT = '{"report":'
_LIVE = '{"live":'
_SEAT = '{"seat":'
_LOOKS = 3  # at a worker, in the time that it may be silent

LEAVE_SECONDS = 1.5
"""How long a worker that has been told to leave may take to end its engines."""

SILENCE_SECONDS = 60.0
"""How long a worker that plays a game may say nothing at all; it is killed at most a third of that later. It
gives a sign of life every few seconds."""


def _one_of_each_kind(specs: Iterable[GameSpec]) -> Sequence[GameSpec]:
    """Specs that need all that these need: of those with the same game and kinds of players, one."""
    kinds = {
        (spec.game, *((each.protocol, each.executor, each.containment.level) for each in spec.players)): spec
        for spec in specs
    }
    return tuple(kinds.values())


Share = Callable[[int], Sequence[frozenset[int]]]
"""For each of so many slots the processors that are its own; () if it has none. Raises ConfigError."""


class SlotPool:
    """`slots` places to play: the port `Pool` for this machine.

    share    gives out the processors.
    folder   of the competition, where games leave their files.
    command  words before the number of the socket's descriptor; for tests.
    silence_seconds  how long a worker that plays may say nothing before it is replaced.
    """

    def __init__(
        self,
        slots: int,
        *,
        share: Share = lambda slots: (),
        folder: Path = Path(),
        command: Sequence[str] = WORKER,
        leave_seconds: float = LEAVE_SECONDS,
        silence_seconds: float = SILENCE_SECONDS,
    ) -> None:
        self.mark = os.urandom(16).hex()
        self.on_progress: Callable[[Progress], object] | None = None
        self.on_live: Callable[[str], object] | None = None
        self.on_seat: Callable[[str, str], object] | None = None
        self.on_change: Callable[[], object] | None = None
        self.on_warning: Callable[[str], object] | None = None
        self._is_told = False
        self._share, self._folder = share, folder
        self._files = Files(), Files()  # of the newest order, from the folder on and from the root on
        self._command = tuple(command)
        self._leave_seconds = leave_seconds
        self._silence_seconds = silence_seconds
        self._splitter = SpecSplitter()
        self._waiting: deque[OrderFuture] = deque()
        self._workers: set[Worker] = set()
        self._idle: list[Worker] = []
        self._started = 0
        self._is_closing = False
        self._warden: subprocess.Popen[bytes] | None = None
        self.resize(slots)
        self.loop = Loop()  # last: a pool that cannot be leaves nothing open

    hosts: Sequence[Host] = ()
    ahead = 0

    def shared(self, resources: Mapping[str, int]) -> Mapping[str, int]:
        """See the port. Threads are not counted where games have processors of their own. There are as many
        as processors, or as slots if these are more."""
        threads = {} if self._cores else {THREADS: max(processors(), self.slots)}
        return {**threads, **resources}

    def lines(self) -> Sequence[str]:
        """See the port."""
        shares = "; ".join(" ".join(map(str, sorted(share))) for share in self._cores)
        return [f"each game on processors of its own: {shares}"] if shares else []

    def resize(self, slots: int) -> None:
        """See the port."""
        if slots < 1:
            raise ValueError(f"a pool has 1 slot or more, not {slots}")
        self._cores = tuple(self._share(slots))
        self.slots = slots
        self._hand_out()

    def submit(self, order: Order) -> OrderFuture:
        """See the port."""
        if self._is_closing:
            raise RuntimeError("the pool has been closed")
        if order.spec.scale_clocks and order.clock_factor is None:
            order = replace(order, clock_factor=self._factor)
        if order.files is not self._files[0]:
            self._files = order.files, order.files.below(self._folder)
        future = OrderFuture(replace(order, files=self._files[1]))
        self._waiting.append(future)
        self._hand_out()
        return future

    @cached_property
    def _factor(self) -> float:
        """How many times as long everything takes on this machine: measured once. Raises Breakdown."""
        return measure(self.slots).factor

    def tell_moves(self, wanted: bool) -> None:
        """See the port."""
        self._is_told = wanted
        for worker in self._workers:
            worker.tell(wanted)
            self._await_room(worker)

    def say(self, game_id: str, words: Words) -> bool:
        """See the port."""
        for worker in self._workers:
            if worker.future is not None and worker.future.order.spec.id == game_id:
                worker.say(words)
                self._await_room(worker)
                return True
        return False

    def start_ahead(self, specs: Iterable[GameSpec] = ()) -> None:
        """See the port: a worker takes a while to start, in which others may work."""
        with suppress(OSError):  # which is told when there is an order
            if not self._workers and not self._is_closing:
                worker = self._start()
                self._idle.append(worker)
                worker.prepare(_one_of_each_kind(specs))
                self._await_room(worker)

    def stored(self, ids: Iterable[str]) -> None:
        """See the port: reports are kept by nobody here."""

    def abandon(self) -> None:
        """See the port."""
        while self._waiting:
            self._waiting.popleft().cancel()
        for worker in self._workers:
            if worker.future is not None:
                worker.abandon()
                self._expect_leaving(worker)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def wind_up(self) -> None:
        """See the port: workers take a while to end, in which others may work."""
        self._is_closing = True
        self._hand_out()

    def close(self) -> None:
        """See the port."""
        if self.loop.is_closed:
            return
        self.wind_up()
        try:
            while self._workers:
                self.loop.wait()
        finally:
            self._end()

    def _hand_out(self) -> None:
        """Give waiting orders to idle workers, starting workers as far as there are slots."""
        self._thin_out()
        while self._waiting and (self._idle or len(self._workers) < self.slots):
            future = self._waiting.popleft()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                worker = self._idle.pop() if self._idle else self._start()
            except OSError as error:
                reason = f"a worker process cannot be started: {error.strerror}"
                future.set_exception(WorkerDied(reason))
            else:
                worker.play(future)
                self._await_room(worker)
                self._watch(worker)

    def _await_room(self, worker: Worker) -> None:
        """See to it that a worker gets the rest of what it was told."""
        if worker.has_unsent and not worker.awaits_room:
            worker.awaits_room = True
            self.loop.watch_for(worker.socket.fileno(), READ | WRITE)

    def _watch(self, worker: Worker) -> None:
        """See to it that a worker that plays a game goes on giving signs of life."""
        if not worker.is_watched:
            worker.is_watched = True
            self._look_again(worker, worker.heard_at, 0)

    def _look_again(self, worker: Worker, heard_at: float, missed: int) -> None:
        self.loop.call_later(self._silence_seconds / _LOOKS, partial(self._look, worker, heard_at, missed))

    def _look(self, worker: Worker, heard_at: float, missed: int) -> None:
        """Look whether a worker has said something since the last look; missed: in how many it had not.

        If we all stood still together, that is one look: it has time to say something before the next one.
        """
        if worker not in self._workers or worker.future is None:
            worker.is_watched = False
            return
        missed = 0 if worker.heard_at > heard_at else missed + 1
        if missed < _LOOKS:
            self._look_again(worker, worker.heard_at, missed)
        else:
            worker.kill(f"gave no sign of life for {self._silence_seconds:g}s")

    def _thin_out(self) -> None:
        """Have idle workers leave that are too many, or of no use any more."""
        wanted = 0 if self._is_closing and not self._waiting else self.slots
        while self._idle and len(self._workers) > wanted:
            if sum(not worker.is_leaving for worker in self._workers) <= wanted:
                break
            self._see_out(self._idle[-1])

    def _start(self) -> Worker:
        self._start_warden()
        self._started += 1
        mark = f"{self.mark}.{self._started}"
        taken = {worker.cores for worker in self._workers}
        cores = next((share for share in self._cores if share not in taken), frozenset[int]())
        environ = {**os.environ, warden.VARIABLE: mark}
        worker = Worker(self._command, environ, mark, cores, orders=OrderWriter(self._splitter))
        self.loop.watch(worker.socket.fileno(), partial(self._on_ready, worker))
        self.loop.watch(worker.pidfd, partial(self._bury, worker))
        self._workers.add(worker)
        if self._is_told:
            worker.tell(True)
        return worker

    def _start_warden(self) -> None:
        if self._warden is None:
            remove_abandoned()
            words = [sys.executable, "-S", "-I", warden.__file__, self.mark, str(scratch_folder(self.mark))]
            nowhere = subprocess.DEVNULL
            self._warden = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, cwd="/", start_new_session=True
            )

    def _see_out(self, worker: Worker) -> None:
        """Have a worker go that plays no game we want."""
        if worker in self._idle:
            self._idle.remove(worker)
        if not worker.is_leaving:
            worker.leave()
            self._expect_leaving(worker)

    def _expect_leaving(self, worker: Worker) -> None:
        """A worker has been told to go: it has some time."""

        def end() -> None:
            if worker in self._workers:
                worker.kill("does not leave")

        self.loop.call_later(self._leave_seconds, end)

    def _on_ready(self, worker: Worker, _now: int) -> None:
        if worker.awaits_room:
            worker.send_on()
            worker.awaits_room = worker.has_unsent
            if not worker.awaits_room:
                self.loop.watch_for(worker.socket.fileno(), READ)
        self._hear(worker)

    def _hear(self, worker: Worker) -> None:
        for message in worker.read():
            self._take(worker, message)
        if worker.has_hung_up:
            self.loop.forget(worker.socket.fileno())
            self._see_out(worker)

    def _take(self, worker: Worker, message: str) -> None:
        """One message of a worker: progress, or the report of the game it plays."""
        future = worker.future
        try:
            if message == ALIVE:
                return
            if message.startswith(_SEAT) and message.endswith("}"):
                if future is not None and self.on_seat is not None:
                    self.on_seat(future.order.spec.id, message[len(_SEAT) : -1])
                return
            if message.startswith(_LIVE) and message.endswith("}"):
                if future is not None and self.on_live is not None:
                    self.on_live(message[len(_LIVE) : -1])
                return
            if not message.startswith(_REPORT):
                progress = _read_progress(message).progress
                if self.on_progress is not None:
                    self.on_progress(progress)
                return
            if future is None:
                raise ValueError("it plays no game")
            report = Report.read(future.order.spec, message)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            worker.kill(f"makes no sense ({printable(str(error))}): {quote(message)}")
            return
        worker.future = None
        if not (worker.is_leaving or worker.has_hung_up):
            self._idle.append(worker)
        future.set_result(report)
        self._hand_out()

    def _bury(self, worker: Worker, _now: int) -> None:
        """The end of a worker: what it left is ended, its game fails, its slot is free."""
        self._hear(worker)  # its last words count
        if not worker.is_gone():
            return
        for descriptor in (worker.socket.fileno(), worker.pidfd):
            self.loop.forget(descriptor)
        self._workers.remove(worker)
        if worker in self._idle:
            self._idle.remove(worker)
        cause = worker.close()
        if worker.future is not None:
            warden.sweep(worker.mark)
            worker.future.set_exception(cause)
        self._hand_out()

    def _end(self) -> None:
        """The end of the pool: nothing is left of it."""
        for worker in self._workers:
            worker.kill("was left over")
        if self._warden is not None and self._warden.stdin is not None:
            self._warden.stdin.close()  # it sweeps, and exits
            if self._warden.wait():
                warden.sweep(self.mark)
        self.loop.close()
