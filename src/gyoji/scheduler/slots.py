"""The pool of this machine: worker processes, each of which plays one game at a time.

A worker that dies costs its own game and no other. Games in progress can be ended, the number of slots can
change at any time, and no process outlives the pool. Nothing is pickled.
"""

# Theory of operation
#
# The pool has no thread. It lives in one event loop (`gyoji.play.loop`), which its user runs: a worker is a
# socket and a pidfd in that loop. `concurrent.futures` has pools of processes, too, but there a worker that
# dies breaks the whole pool, a game in progress cannot be ended, and arguments are pickled.
#
#              submit                    _hand_out                       report
#   caller --------------> _waiting ------------------> worker.future ------------> future.set_result
#                             |                              |
#                             | abandon: cancel              | pidfd: the worker has ended
#                             v                              v
#                         cancelled                   sweep(mark), future.set_exception(WorkerDied)
#
# A worker is in one of four states:
#
#   idle      in `_idle`; it has no order
#   playing   `worker.future` is the game
#   leaving   its input is closed; it ends its engines and exits, or is killed after `leave_seconds`
#   gone      its pidfd is ready; `_bury` takes it out of `_workers`
#
# Invariants:
# * `_workers` has every process that has not been buried, leaving ones too: a leaving worker holds its slot
#   and its processors until it is gone. So no two games ever share processors.
# * A future of a worker that died fails only after everything the worker started has been killed. Whoever
#   plays the game again finds no engine of the first attempt.
# * What a worker sent before it died is read before it is buried: a report that was on its way counts.
#
# Workers are started in the main thread: PR_SET_PDEATHSIG is bound to the thread that starts a process, not
# to the process. The first one can be started ahead, for an interpreter with the modules of a game needs some
# hundred ms.
#
# A worker that stands still, because an engine stopped it or the kernel hangs, has no end that a pidfd could
# tell. So a worker that plays sends `Alive` every few seconds (`gyoji.play.worker.LIFE_PERIOD`), and is
# killed after `SILENCE_SECONDS` without any message. The silence is counted in periodic checks (`_look`), not
# by the clock alone: after a suspension of the whole machine no worker has sent anything for hours, and each
# gets time to do so.
#
# The reaper (`gyoji.scheduler.reaper`) is started with the first worker. It does the same sweep when this
# process is killed itself.

import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Self

from msgspec.structs import replace

from gyoji.core.spec import GameSpec
from gyoji.core.text import printable, quote
from gyoji.executors.scratch import scratch_folder
from gyoji.play.live_updates import Live
from gyoji.play.loop import Loop
from gyoji.play.order import Order, Progress, Report, SentReport
from gyoji.play.remote_seats import RemoteNews, RemoteWords
from gyoji.play.seats import HumanMessage, SeatNews
from gyoji.play.worker_messages import Prepare, WatchMoves, read_from_worker
from gyoji.play.workspace import remove_abandoned
from gyoji.scheduler import reaper
from gyoji.scheduler.pool import Host, OrderFuture, PoolListener, WorkerDied
from gyoji.scheduler.resources import THREADS, processors
from gyoji.scheduler.worker_process import WorkerProcess

_SCRIPT = "import gc; gc.disable(); from gyoji.play.worker import main; main()"
WORKER = (sys.executable, "-P", "-c", _SCRIPT)
"""The command of a worker.

`-P` keeps modules in the competition's folder from being imported. Garbage collection is off during
imports.
"""


_LOOKS = 3  # checks of a worker in the time that it may be silent

LEAVE_SECONDS = 1.5
"""Seconds that a leaving worker has to end its engines."""

SILENCE_SECONDS = 60.0
"""Seconds without any message after which a worker that plays is killed. It may take up to a third longer."""


def _one_of_each_kind(specs: Iterable[GameSpec]) -> tuple[GameSpec, ...]:
    """Return one game for each combination of game, protocols, executors and levels of containment."""
    kinds = {
        (spec.game, *((each.protocol, each.executor, each.containment.level) for each in spec.players)): spec
        for spec in specs
    }
    return tuple(kinds.values())


Share = Callable[[int], Sequence[frozenset[int]]]
"""A function from the number of slots to one set of processors for each, or () if slots share all of them.

Raises ConfigError if there are too few.
"""


class SlotPool:
    """The pool of this machine. It implements `gyoji.scheduler.pool.Pool` with worker processes."""

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
        """Open the pool. No process is started yet.

        Args:
            slots: Number of games at once.
            share: Returns the processors of each game's worker, given the number of games at once; () if all
                workers share all processors.
            folder: Folder of the competition, where games leave their files.
            command: Command of a worker process, to which the number of its socket is added; tests replace
                it.
            leave_seconds: Seconds that a worker has to end its engines when it was told to end.
            silence_seconds: Seconds without any message after which a worker that plays a game is killed.
        """
        self.mark = os.urandom(16).hex()
        self.listener = PoolListener()
        self._is_told = False
        self._share, self._folder = share, folder
        self._command = tuple(command)
        self._leave_seconds = leave_seconds
        self._silence_seconds = silence_seconds
        self._waiting: deque[OrderFuture] = deque()
        self._workers: set[WorkerProcess] = set()
        self._idle: list[WorkerProcess] = []
        self._started = 0
        self._is_closing = False
        self._reaper: subprocess.Popen[bytes] | None = None
        self.resize(slots)
        self.loop = Loop()  # last, so that a constructor that fails leaves nothing open

    hosts: Sequence[Host] = ()
    ahead = 0

    def shared(self, resources: Mapping[str, int]) -> Mapping[str, int]:
        """Return the resources of this machine, which the caller has to share among the games in progress.

        The resource "threads" is among them, unless each slot has processors of its own. Its amount is the
        number of processors, or of slots if that is larger.
        """
        threads = {} if self._cores else {THREADS: max(processors(), self.slots)}
        return {**threads, **resources}

    def lines(self) -> Sequence[str]:
        shares = "; ".join(" ".join(map(str, sorted(share))) for share in self._cores)
        return [f"each game on processors of its own: {shares}"] if shares else []

    def resize(self, slots: int) -> None:
        if slots < 1:
            raise ValueError(f"a pool has 1 slot or more, not {slots}")
        self._cores = tuple(self._share(slots))
        self.slots = slots
        self._hand_out()

    def submit(self, order: Order) -> OrderFuture:
        if self._is_closing:
            raise RuntimeError("the pool has been closed")
        future = OrderFuture(replace(order, files=order.files.below(self._folder)))
        self._waiting.append(future)
        self._hand_out()
        return future

    def tell_moves(self, wanted: bool) -> None:
        self._is_told = wanted
        for worker in self._workers:
            worker.send(WatchMoves(wanted=wanted))

    def say(self, words: HumanMessage | RemoteWords) -> bool:
        for worker in self._workers:
            if worker.order is not None and worker.order.spec.id == words.game:
                worker.send(words)
                return True
        return False

    def start_ahead(self, specs: Iterable[GameSpec] = ()) -> None:
        """Start one worker process if there is none. The worker loads the modules for games like `specs`."""
        with suppress(OSError):  # which is told when there is an order
            if not self._workers and not self._is_closing:
                worker = self._start()
                self._idle.append(worker)
                worker.send(Prepare(specs=_one_of_each_kind(specs)))

    def stored(self, ids: Iterable[str]) -> None:
        """Do nothing: this pool keeps no reports."""

    def abandon(self) -> None:
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
        """Tell idle workers to end. The caller goes on; `close` waits for their end."""
        self._is_closing = True
        self._hand_out()

    def close(self) -> None:
        if self.loop.is_closed:
            return
        self.wind_up()
        try:
            while self._workers:
                self.loop.wait()
        finally:
            self._end()

    def _hand_out(self) -> None:
        """Give waiting orders to idle workers, and start workers while fewer than `slots` are running."""
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

    def _look(self) -> None:
        """Kill each worker that plays a game and has sent nothing during the last `_LOOKS` checks.

        A suspension of this whole process counts as one check, so that workers have time to send something.
        """
        for worker in self._workers:
            worker.missed += 1
            if worker.missed > _LOOKS and worker.future is not None:
                worker.kill(f"gave no sign of life for {self._silence_seconds:g}s")
        self._look_later()

    def _look_later(self) -> None:
        self.loop.call_later(self._silence_seconds / _LOOKS, self._look)

    def _thin_out(self) -> None:
        """Tell idle workers to end if there are more workers than games at once, or the pool is closing."""
        wanted = 0 if self._is_closing and not self._waiting else self.slots
        while self._idle and len(self._workers) > wanted:
            if sum(not worker.is_leaving for worker in self._workers) <= wanted:
                break
            self._see_out(self._idle[-1])

    def _start(self) -> WorkerProcess:
        self._start_reaper()
        self._started += 1
        mark = f"{self.mark}.{self._started}"
        taken = {worker.cores for worker in self._workers}
        cores = next((share for share in self._cores if share not in taken), frozenset[int]())
        environ = {**os.environ, reaper.VARIABLE: mark}
        worker = WorkerProcess(
            self.loop,
            self._command,
            environ,
            mark=mark,
            cores=cores,
            on_line=self._take,
            on_hang_up=self._see_out,
        )
        self.loop.watch(worker.pidfd, partial(self._bury, worker))
        self._workers.add(worker)
        if self._is_told:
            worker.send(WatchMoves(wanted=True))
        return worker

    def _start_reaper(self) -> None:
        """Start the reaper process and the periodic check of workers (`_look`), once, with the first
        worker."""
        if self._reaper is None:
            self._look_later()
            remove_abandoned()
            words = [sys.executable, "-S", "-I", reaper.__file__, self.mark, str(scratch_folder(self.mark))]
            nowhere = subprocess.DEVNULL
            self._reaper = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, cwd="/", start_new_session=True
            )

    def _see_out(self, worker: WorkerProcess) -> None:
        """Tell a worker to end, because it has hung up or is not needed any more."""
        if worker in self._idle:
            self._idle.remove(worker)
        if not worker.is_leaving:
            worker.leave()
            self._expect_leaving(worker)

    def _expect_leaving(self, worker: WorkerProcess) -> None:
        """Kill a worker that was told to end, unless it ends in time."""

        def end() -> None:
            if worker in self._workers:
                worker.kill("does not leave")

        self.loop.call_later(self._leave_seconds, end)

    def _take(self, worker: WorkerProcess, line: bytes) -> None:
        """Handle one message of a worker. A worker whose message cannot be read is killed."""
        order = worker.order
        report = None
        try:
            message = read_from_worker(line)
            if isinstance(message, SentReport):
                if order is None:
                    raise ValueError("it plays no game")
                report = message.report(order.spec)
        except (ValueError, TypeError) as error:
            worker.kill(f"makes no sense ({printable(str(error))}): {quote(line)}")
            return
        if report is not None:
            self._settle(worker, report)
        elif order is not None:
            match message:
                case Progress():
                    self.listener.on_progress(message)
                case Live():
                    self.listener.on_live(message)
                case SeatNews(game=order.spec.id):
                    self.listener.on_seat(message)
                case RemoteNews(game=order.spec.id):
                    self.listener.on_remote(message)

    def _settle(self, worker: WorkerProcess, report: Report) -> None:
        """Set the result of a game's future to its report, and hand out the next waiting order.

        The worker becomes idle, unless it was told to end or has hung up.
        """
        future, worker.future = worker.future, None
        assert future is not None
        if not (worker.is_leaving or worker.has_hung_up):
            self._idle.append(worker)
        future.set_result(report)
        self._hand_out()

    def _bury(self, worker: WorkerProcess, _now: int) -> None:
        """Handle the end of a worker process: kill the processes it left, fail its game, hand out other
        games."""
        worker.read_all()  # its last words count
        if not worker.is_gone():
            return
        self.loop.forget(worker.pidfd)
        self._workers.remove(worker)
        if worker in self._idle:
            self._idle.remove(worker)
        cause = worker.close()
        if worker.future is not None:
            reaper.sweep(worker.mark)
            worker.future.set_exception(cause)
        self._hand_out()

    def _end(self) -> None:
        """End the reaper process and close the loop. Workers that are left are killed."""
        for worker in self._workers:
            worker.kill("was left over")
        if self._reaper is not None and self._reaper.stdin is not None:
            self._reaper.stdin.close()  # it sweeps, and exits
            if self._reaper.wait():
                reaper.sweep(self.mark)
        self.loop.close()
