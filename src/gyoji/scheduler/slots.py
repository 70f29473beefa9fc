"""A pool of worker processes, each a place to play one game at a time, as a `concurrent.futures.Executor`.

What the standard pool lacks: a worker that dies costs its own game and nothing else; running games can be
ended; nothing is left running, whatever happens to whom; nothing is pickled.

Workers are started when they are first needed, by the thread that submits (the main thread: a process that
wants to die with its parent dies with the *thread* that started it). One thread listens to all of them. When
it learns that a worker has gone, it first ends what that worker has left behind. Nobody polls: a worker is a
socket and a pidfd under one `epoll`.
"""

import json
import os
import secrets
import select
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import fields
from typing import Any

from gyoji.core import wire
from gyoji.core.faults import Breakdown
from gyoji.core.text import printable, quote
from gyoji.runner.order import Order, Progress
from gyoji.runner.workspace import scratch_folder
from gyoji.scheduler import warden
from gyoji.scheduler.arrival import Arrival
from gyoji.scheduler.place import OrderFuture, Worker, WorkerDied
from gyoji.store.stored import SpecSplitter

WORKER = (sys.executable, "-P", "-m", "gyoji.runner.worker")
"""The command of a worker; -P: no module of ours is to be found in the folder of a competition."""

_REST_OF_ORDER = tuple(field.name for field in fields(Order) if field.name != "spec")
_REPORT = '{"report":'

LEAVE_SECONDS = 1.5
"""How long a worker that has been told to leave may take to end its engines."""


class SlotPool(Executor):
    """`slots` places to play. Use it as a context manager: at its end no process of it is left.

    cores        for each slot the processors that are its own; () if it has none.
    command      words before the number of the socket's descriptor; for tests.
    on_progress  called, in the listening thread, with what workers say of games in progress.
    """

    def __init__(
        self,
        slots: int,
        *,
        cores: Sequence[frozenset[int]] = (),
        command: Sequence[str] = WORKER,
        on_progress: Callable[[Progress], None] | None = None,
        leave_seconds: float = LEAVE_SECONDS,
    ) -> None:
        if slots < 1:
            raise ValueError(f"a pool has 1 slot or more, not {slots}")
        self.slots = slots
        self.mark = secrets.token_hex(16)
        self.on_progress = on_progress
        self._command = tuple(command)
        self._cores = list(cores)  # those of slots that have no worker
        self._leave_seconds = leave_seconds
        self._splitter = SpecSplitter()
        self._lock = threading.RLock()  # guards all below
        self._waiting: deque[OrderFuture] = deque()
        self._workers: dict[int, Worker] = {}  # by descriptor: each worker has two
        self._idle: list[Worker] = []
        self._alive = 0
        self._started = 0
        self._is_closing = False
        self._epoll = select.epoll()
        self._wake = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._epoll.register(self._wake, select.EPOLLIN)
        self._thread: threading.Thread | None = None
        self._warden: subprocess.Popen[bytes] | None = None

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Play the order that is the only argument; `fn` is `gyoji.runner.play.play`, wherever it runs.

        The future's result is an `Arrival`. It fails with `WorkerDied` or, after `abandon`, `Abandoned`.
        """
        (order,) = args
        if not isinstance(order, Order) or kwargs:
            raise TypeError(f"a slot plays orders, not {quote(repr(args))}")
        future = OrderFuture(order)
        with self._lock:
            if self._is_closing:
                raise RuntimeError("the pool has been shut down")
            self._start_listening()
            self._waiting.append(future)
        self._hand_out()
        return future

    def abandon(self) -> None:
        """End every running game at once, unfinished; what waits for a slot is cancelled."""
        with self._lock:
            waiting, self._waiting = list(self._waiting), deque()
            for worker in set(self._workers.values()):
                if worker.future is not None:
                    worker.abandon(self._leave_seconds)
        for future in waiting:
            future.cancel()
        self._interrupt()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more orders; when the games that were ordered are over, have all workers leave."""
        with self._lock:
            self._is_closing = True
            cancelled = list(self._waiting) if cancel_futures else []
            if cancel_futures:
                self._waiting.clear()
            if self._thread is None:
                self._close()
        for future in cancelled:
            future.cancel()
        self._interrupt()
        if wait and self._thread is not None:
            self._thread.join()

    def _interrupt(self) -> None:
        """Have the listening thread look at what has changed."""
        with self._lock:
            if self._wake >= 0:
                os.eventfd_write(self._wake, 1)

    def _start_listening(self) -> None:
        if self._thread is None:
            words = [sys.executable, "-S", "-I", warden.__file__, self.mark, str(scratch_folder(self.mark))]
            nowhere = subprocess.DEVNULL
            self._warden = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, cwd="/", start_new_session=True
            )
            self._thread = threading.Thread(target=self._listen, name="gyoji-slots", daemon=True)
            self._thread.start()

    def _hand_out(self) -> None:
        """Give waiting orders to idle workers, starting workers as far as there are slots."""
        while True:
            failed: tuple[OrderFuture, Breakdown] | None = None
            with self._lock:
                if not self._waiting or not (self._idle or self._alive < self.slots):
                    return
                future = self._waiting.popleft()
                if not future.set_running_or_notify_cancel():
                    continue
                try:
                    worker = self._idle.pop() if self._idle else self._start()
                    worker.play(future, self._text_of(future.order))
                except OSError as error:
                    failed = future, WorkerDied(f"a worker process cannot be started: {error.strerror}")
            if failed:
                failed[0].set_exception(failed[1])

    def _text_of(self, order: Order) -> str:
        """The order's JSON, made of texts that most orders share."""
        rest = wire.dumps({name: getattr(order, name) for name in _REST_OF_ORDER})
        return f'{{"spec":{self._splitter.split(order.spec).text()},{rest[1:]}'

    def _start(self) -> Worker:
        self._started += 1
        mark = f"{self.mark}.{self._started}"
        cores = self._cores.pop() if self._cores else frozenset()
        worker = Worker(self._command, {**os.environ, warden.VARIABLE: mark}, mark, cores)
        for descriptor in (worker.socket.fileno(), worker.pidfd):
            self._workers[descriptor] = worker
            self._epoll.register(descriptor, select.EPOLLIN)
        self._alive += 1
        return worker

    def _listen(self) -> None:
        """The listening thread. An error here is a bug: it fails all games rather than leave them waiting."""
        try:
            while not self._is_over():
                for descriptor, _ in self._epoll.poll(self._patience()):
                    if descriptor == self._wake:
                        os.eventfd_read(self._wake)
                    elif worker := self._workers.get(descriptor):
                        self._hear(worker, is_death=descriptor == worker.pidfd)
                self._kill_overdue()
        except BaseException as error:
            self._fail_all(error)
            raise
        finally:
            self._close()

    def _is_over(self) -> bool:
        with self._lock:
            if self._is_closing and not self._waiting:
                for worker in self._idle:
                    worker.leave(self._leave_seconds)
                self._idle.clear()
                return not self._workers
            return False

    def _patience(self) -> float | None:
        """Seconds until the next worker is overdue, None if none will be."""
        with self._lock:
            due = [worker.due for worker in self._workers.values() if worker.due is not None]
        return max(min(due) - time.monotonic(), 0) if due else None

    def _kill_overdue(self) -> None:
        now = time.monotonic()
        with self._lock:
            for worker in self._workers.values():
                if worker.due is not None and worker.due <= now:
                    worker.kill("does not leave")
                    worker.due = now + self._leave_seconds

    def _hear(self, worker: Worker, *, is_death: bool) -> None:
        for message in worker.read():
            self._take(worker, message)
        if is_death and worker.is_gone():
            self._bury(worker)
        elif worker.has_hung_up and worker.socket.fileno() in self._workers:
            del self._workers[worker.socket.fileno()]
            self._epoll.unregister(worker.socket)
            with self._lock:
                if worker in self._idle:
                    self._idle.remove(worker)
                worker.leave(self._leave_seconds)

    def _take(self, worker: Worker, message: str) -> None:
        """One message of a worker: progress, or the report of the game it plays."""
        future = worker.future
        try:
            if not message.startswith(_REPORT):
                progress = wire.decode(Progress, json.loads(message)["progress"])
                if self.on_progress is not None:
                    self.on_progress(progress)
                return
            if future is None:
                raise ValueError("it plays no game")
            arrival = Arrival(future.order.spec, message[len(_REPORT) : -1])
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            worker.kill(f"makes no sense ({printable(str(error))}): {quote(message)}")
            return
        with self._lock:
            worker.future = None
            if worker.due is None and not worker.has_hung_up:
                self._idle.append(worker)
        future.set_result(arrival)
        self._hand_out()

    def _bury(self, worker: Worker) -> None:
        """The end of a worker: what it left is ended, its game fails, its slot is free."""
        with self._lock:
            for descriptor in (worker.socket.fileno(), worker.pidfd):
                if descriptor in self._workers:
                    del self._workers[descriptor]
                    self._epoll.unregister(descriptor)
            if worker in self._idle:
                self._idle.remove(worker)
            cause = worker.close()
            self._alive -= 1
            if worker.cores:
                self._cores.append(worker.cores)
        if worker.future is not None:
            warden.sweep(worker.mark)
            worker.future.set_exception(cause)
        self._hand_out()

    def _fail_all(self, error: BaseException) -> None:
        with self._lock:
            self._is_closing = True
            running = {worker.future for worker in self._workers.values() if worker.future}
            futures = [*running, *self._waiting]
            self._waiting.clear()
        for future in futures:
            if not future.done():
                future.set_exception(error)

    def _close(self) -> None:
        """The end of the pool: nothing is left of it."""
        with self._lock:
            for worker in set(self._workers.values()):
                worker.kill("was left over")
            if self._warden is not None and self._warden.stdin is not None:
                self._warden.stdin.close()  # it sweeps, and exits
                if self._warden.wait():
                    warden.sweep(self.mark)
                self._warden = None
            if self._wake >= 0:
                os.close(self._wake)
                self._epoll.close()
                self._wake = -1
