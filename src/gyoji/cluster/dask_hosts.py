"""Connections to hosts on which dask workers run. Only this module and `gyoji.cluster.ssh_cluster` import
dask.
"""

# Theory of operation
#
#   thread of the run                         thread "dask" (asyncio)                      dask worker
#   -----------------                         -----------------------                      -----------
#   send, restart, drop  -- _call ------->    _Worker.told -- _pass_on --> actor.give --> agent's input
#   HostListener         <-- _inbox, bell --  _attend <------------------- actor.take <-- agent's output
#
# The run has gyoji's event loop and dask's client needs that of asyncio, so dask gets a thread. The threads
# share only two queues: call_soon_threadsafe to dask; from dask a deque (`_inbox`) and a pipe (`_bell`) that
# wakes the run's loop.
#
# Life of a connection: `_keep_connected` connects, and `_session` looks for workers until the connection is
# lost. Then all hosts have left, and it connects again, without end. Only the first attempt can end the run
# with an error: `open` waits for it, so that a wrong address is an error of the command line.
#
# Life of a host: `_look` finds a worker -> `joined` -> `_attend` starts its actor and passes lines on -> the
# agent ends, dask loses the worker, or a call fails -> `left`. A worker whose agent fails several times in a
# row is not used for 4, 8, 16 ... seconds, 60 at most.
#
# Dask is used only to start and reach processes: an actor is bound to its worker, retries are off, and no
# result stays in dask's memory. Games as tasks of dask were tried and rejected: finished results stayed in
# the memory of their worker, and the finished games of a killed worker were played again.

import asyncio
import logging
import os
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from gyoji.cluster.actor import HostActor
from gyoji.cluster.host_connections import HostListener
from gyoji.cluster.keys import MISSING, Keys, keys_beside
from gyoji.cluster.ssh_cluster import SshCluster, SshHost
from gyoji.core.faults import ConfigError
from gyoji.core.text import printable
from gyoji.play.loop import Loop

CONNECT_SECONDS = 15.0
_AGAIN_SECONDS = 1.0
_MOST_TRIES = 30
"""Number of attempts at a call to an actor, a second apart, before its host counts as lost."""
_LOOK_SECONDS = 10.0
"""Seconds between two checks of the list of workers. It is also checked at each event of dask."""

_MOST_REST_SECONDS = 60.0
_END_SECONDS = 5.0


@dataclass(slots=True, eq=False)
class _Worker:
    """A dask worker, and the actor in it that runs the agent of its host.

    Attributes:
        name: Name of the host.
        address: Address by which dask reaches the worker.
        slots: Number of games that the host plays at once.
        told: Lines for the agent, of which the actor has not confirmed the receipt.
        first: Number of the first line in `told`. All lines for this worker are numbered from 0.
        has_told: An event that is set while `told` has lines.
        tasks: Tasks of asyncio that serve this worker.
        actor: The actor; None until it is started.
        is_gone: Whether dask has lost the worker, or its agent has ended.
    """

    name: str
    address: str
    slots: int
    told: deque[bytes] = field(default_factory=deque)
    first: int = 0
    has_told: asyncio.Event = field(default_factory=asyncio.Event)
    tasks: list["asyncio.Task[None]"] = field(default_factory=list)
    actor: Any = None
    is_gone: bool = False


class DaskHosts:
    """Connections to the workers of a dask scheduler as hosts. It implements `HostConnections`."""

    def __init__(
        self, where: str | Sequence[SshHost], *, keys: Keys | None = None, words: tuple[str, ...] = ()
    ) -> None:
        """Prepare the connection.

        Args:
            where: Address of dask's scheduler, or hosts on which to start scheduler and workers by ssh.
            keys: TLS keys of the run; None for a connection without TLS.
            words: Further options of agents.
        """
        self._keys, self._words = keys, words
        self._address = where if isinstance(where, str) else ""
        self._ssh = None if isinstance(where, str) else SshCluster(where, keys, self._tell)
        self._inbox: deque[Callable[[], object]] = deque()
        self._bell, self._ringer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._workers: dict[str, _Worker] = {}  # by name; used only in dask's thread
        self._dropped: set[str] = set()
        self._starts = 0
        self._failures: dict[str, int] = {}  # failed starts of an agent in a row, by worker
        self._resting: dict[str, float] = {}  # time before which a worker is not used again
        self._is_closing = False
        self._is_connected = False  # according to the messages to the organiser
        self._first_try: list[str] = []
        self._is_tried = threading.Event()
        self._thread: threading.Thread | None = None

    def open(self, loop: Loop, listener: HostListener) -> None:
        try:
            import distributed  # noqa: F401, PLC0415 - takes a quarter of a second, for clusters alone
        except ImportError:
            self._close_bell()
            raise ConfigError(MISSING.format("--cluster: dask")) from None
        self._listener = listener
        loop.watch(self._bell, self._on_bell)
        self._loop = loop
        self._asyncio = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, name="dask", daemon=True)
        self._thread.start()
        self._is_tried.wait()
        if self._first_try:
            self.close()
            where = f"--cluster {self._address}" if self._ssh is None else "--hosts"
            raise ConfigError(f"{where}: {self._first_try[0]}")

    def send(self, host: str, line: bytes) -> None:
        self._call(partial(self._send, host, line))

    def restart(self, host: str) -> None:
        self._listener.left(host, "its agent is started anew")
        self._call(partial(self._end_worker, host))

    def drop(self, host: str) -> None:
        self._listener.left(host, "it is not used any more")
        self._call(partial(self._drop, host))

    def close(self) -> None:
        if self._thread is not None and self._thread.is_alive():
            self._call(self._begin_to_close)
            self._thread.join(_END_SECONDS * 2)
        if self._bell >= 0 and not self._loop.is_closed:
            self._loop.forget(self._bell)
        self._close_bell()

    def _close_bell(self) -> None:
        if self._bell >= 0:
            os.close(self._bell)
            os.close(self._ringer)
            self._bell = self._ringer = -1

    def _call(self, action: Callable[[], object]) -> None:
        """Call a function in dask's thread, without waiting for it."""
        with suppress(RuntimeError):  # the thread has ended
            self._asyncio.call_soon_threadsafe(action)

    # All methods from here to `_on_bell` run in dask's thread.

    def _serve(self) -> None:
        asyncio.set_event_loop(self._asyncio)
        _silence_loggers()
        self._asyncio.set_exception_handler(lambda _loop, _context: None)
        try:
            self._asyncio.run_until_complete(self._keep_connected())
        finally:
            self._is_tried.set()
            self._asyncio.close()

    def _begin_to_close(self) -> None:
        self._is_closing = True
        self._wake.set()

    async def _keep_connected(self) -> None:
        self._wake = asyncio.Event()
        while not self._is_closing:
            try:
                await self._connect()
            except (ConfigError, OSError, TimeoutError, ValueError, RuntimeError) as error:
                if not self._is_tried.is_set():
                    self._first_try.append(printable(f"{error or type(error).__name__}"))
                    return
            if self._is_closing:
                return
            if self._is_connected:
                self._is_connected = False
                self._tell(
                    "dask's scheduler is gone, and its workers end: the run goes on when a scheduler is at "
                    "the same address again, with workers that have been started anew"
                )
            for worker in list(self._workers.values()):
                self._lose(worker, "dask's scheduler is gone")
            await asyncio.sleep(_AGAIN_SECONDS)

    async def _connect(self) -> None:
        """Connect to dask's scheduler and serve the connection. With `--hosts`, first start it by ssh."""
        if self._ssh is None:
            await self._session(self._address)
            return
        try:
            await self._session(await self._ssh.start())
        finally:
            await self._ssh.close()

    async def _session(self, address: str) -> None:
        """Serve one connection to dask's scheduler until it is lost."""
        from distributed import Client  # noqa: PLC0415

        connect: Any = Client
        client = await connect(
            address, asynchronous=True, security=self._security(), timeout=CONNECT_SECONDS, name="gyoji"
        )
        self._is_tried.set()
        self._is_connected = True
        try:
            client.subscribe_topic("all", lambda _event: self._wake.set())
            next_look = 0.0
            while client.status == "running" and not self._is_closing:
                if self._wake.is_set() or self._asyncio.time() >= next_look:
                    self._wake.clear()
                    next_look = await self._look(client)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), _AGAIN_SECONDS)
        finally:
            if self._is_closing:
                await self._end_all()
            with suppress(TimeoutError, OSError):
                await asyncio.wait_for(client.close(), _END_SECONDS)

    def _security(self) -> Any:
        if self._keys is None:
            return None
        from distributed.security import Security  # noqa: PLC0415

        make: Any = Security
        return make(
            tls_ca_file=str(self._keys.authority),
            tls_client_cert=str(self._keys.certificate),
            tls_client_key=str(self._keys.key),
            require_encryption=True,
        )

    async def _look(self, client: Any) -> float:
        """Handle the workers that have joined or left since the last call.

        Returns:
            The latest time for the next call, by the clock of asyncio's event loop.
        """
        now = self._asyncio.time()
        try:
            identity = await client.scheduler.identity(n_workers=-1)
        except OSError:
            return now + _AGAIN_SECONDS
        there = {_name_of(address, facts): (address, facts) for address, facts in identity["workers"].items()}
        for worker in list(self._workers.values()):
            if there.get(worker.name, ("",))[0] != worker.address:
                self._lose(worker, "dask has lost it")
        for name in there.keys() - self._workers.keys() - self._dropped:
            if self._resting.get(name, 0) <= now:
                address, facts = there[name]
                worker = self._workers[name] = _Worker(name, address, int(facts["nthreads"]))
                self._hear(partial(self._listener.joined, name))
                worker.tasks.append(asyncio.create_task(self._attend(client, worker)))
        return min([now + _LOOK_SECONDS, *[until for until in self._resting.values() if until > now]])

    async def _attend(self, client: Any, worker: _Worker) -> None:
        """Start the agent on a worker's host, and pass the agent's lines to the run until the agent ends."""
        self._starts += 1
        try:
            worker.actor = await client.submit(
                HostActor,
                worker.slots,
                self._words,
                actor=True,
                workers=[worker.address],
                allow_other_workers=False,
                pure=False,
                retries=0,
                key=f"gyoji-{os.getpid()}-{self._starts}",
            )
            worker.tasks.append(asyncio.create_task(self._pass_on(worker)))
            after = 0
            while (lines := await _insist(partial(worker.actor.take, after))) is not None:
                after += len(lines)
                if lines:
                    self._failures.pop(worker.name, None)
                    self._hear(partial(self._pass_in, worker.name, lines))
            self._rest(worker)
            self._lose(worker, "its agent has ended")
        except Exception as error:  # noqa: BLE001 - whatever dask raises, this host is gone
            self._rest(worker)
            cause = error.__cause__ or error
            if isinstance(cause, ImportError):
                self._lose(worker, f"{cause}: gyoji has to be where dask's scheduler is, and on each host")
            else:
                self._lose(worker, printable(f"{type(error).__name__}: {error}", 200))

    def _pass_in(self, host: str, lines: Sequence[bytes]) -> None:
        """Pass lines of an agent to the listener. Called in the thread of the run."""
        for line in lines:
            self._listener.heard(host, line)

    def _rest(self, worker: _Worker) -> None:
        """Count a failure of a worker.

        After a second failure in a row the worker is not used for some seconds. Each further failure doubles
        the number of seconds, up to _MOST_REST_SECONDS.
        """
        times = self._failures[worker.name] = self._failures.get(worker.name, 0) + 1
        if times > 1:
            self._resting[worker.name] = self._asyncio.time() + min(2**times, _MOST_REST_SECONDS)

    async def _pass_on(self, worker: _Worker) -> None:
        """Pass the lines of the run to an agent until its worker is gone."""
        try:
            while not worker.is_gone:
                await worker.has_told.wait()
                lines = list(worker.told)
                await _insist(partial(worker.actor.give, worker.first, lines))
                for _ in lines:
                    worker.told.popleft()
                worker.first += len(lines)
                if not worker.told:
                    worker.has_told.clear()
        except Exception as error:  # noqa: BLE001 - as above
            self._lose(worker, printable(f"{type(error).__name__}: {error}", 200))

    def _send(self, host: str, line: bytes) -> None:
        if (worker := self._workers.get(host)) is not None:
            worker.told.append(line)
            worker.has_told.set()

    def _lose(self, worker: _Worker, why: str) -> None:
        """Forget a worker, and report its loss to the run. A second call does nothing."""
        if not worker.is_gone:
            self._forget(worker)
            self._hear(partial(self._listener.left, worker.name, why))

    def _forget(self, worker: _Worker) -> None:
        worker.is_gone = True
        if self._workers.get(worker.name) is worker:
            del self._workers[worker.name]
        for task in worker.tasks:
            if task is not asyncio.current_task():
                task.cancel()
        worker.actor = None  # dask deletes the actor, which ends its agent
        self._wake.set()

    def _end_worker(self, host: str) -> None:
        if (worker := self._workers.get(host)) is not None:
            self._forget(worker)

    def _drop(self, host: str) -> None:
        self._dropped.add(host)
        self._end_worker(host)

    async def _end_all(self) -> None:
        actors = [worker.actor for worker in self._workers.values() if worker.actor is not None]
        for worker in list(self._workers.values()):
            self._forget(worker)
        ends = [actor.end() for actor in actors]
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*ends, return_exceptions=True), _END_SECONDS)

    def _tell(self, text: str) -> None:
        self._hear(partial(self._listener.told, text))

    def _hear(self, event: Callable[[], object]) -> None:
        self._inbox.append(event)
        with suppress(OSError):  # the pipe is full, so that the loop wakes anyway, or the pipe is closed
            os.write(self._ringer, b"!")

    # In the thread of the run

    def _on_bell(self, _now: int) -> None:
        with suppress(BlockingIOError):
            os.read(self._bell, 1 << 16)
        while self._inbox:
            self._inbox.popleft()()


def _silence_loggers() -> None:
    """Keep dask and tornado from printing a traceback for every lost host. The run prints one line instead.

    On import dask gives some loggers their own handler and level (`logging` in its configuration), so it is
    not enough to set the level of their parents.
    """
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in _LOGGERS]
    for name in (*_LOGGERS, *names):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


_LOGGERS = ("distributed", "tornado")


def key_files_here() -> list[str]:
    """Return the paths of TLS key files on this machine, which no engine may see.

    They are the key files that the dask worker of this process uses, and all others in the same folders.
    """
    from distributed import get_worker  # noqa: PLC0415 - as above

    worker: Any = get_worker()
    security = worker.security
    files = (security.tls_ca_file, security.tls_worker_cert, security.tls_worker_key)
    return sorted({path for file in files if file and os.path.isfile(file) for path in keys_beside(file)})


def _name_of(address: str, facts: Mapping[str, Any]) -> str:
    """Return the name of a dask worker, or its host and port if it was not given a name."""
    name = str(facts.get("name", ""))
    return name if name and "://" not in name else address.rpartition("/")[2]


async def _insist(call: Callable[[], Any]) -> Any:
    """Call a remote function, repeatedly while the network fails, and return its answer.

    Two calls of the function must have the same effect as one.

    Raises:
        OSError: The network fails for too long.
    """
    for _ in range(_MOST_TRIES):
        try:
            return await call()
        except OSError:
            await asyncio.sleep(_AGAIN_SECONDS)
    raise OSError("it is not to be reached")
