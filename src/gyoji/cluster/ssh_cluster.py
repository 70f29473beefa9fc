"""A dask cluster that a run starts by ssh: dask's scheduler on the first host, and a worker on each host."""
# This uses the parts of dask's SSHCluster, `distributed.deploy.ssh.Scheduler` and `Worker`.
# SSHCluster itself was tried with real ssh servers (distributed 2026.8) and has these faults:
#
# * If one host cannot be reached, the whole cluster fails with a traceback. Here the others play, and the
# host is
#   tried again every AGAIN_SECONDS.
# * A worker that ends is not started again.
# * If the process that started the cluster is killed, scheduler and workers go on on the hosts (still after
#   100 s). Here `gyoji.cluster.attached` runs on each host and ends them when the ssh connection ends.
# * All workers get the same options, so their names are address and port instead of the host's name.
# * It needs a Python program with twelve settings for TLS.
#
# The command `dask ssh` has no option for TLS, and accepts the key of any ssh server.
#
# Everything runs in the asyncio loop of `gyoji.cluster.dask_hosts`. dask writes why a start failed only into
# its log. `_Said` collects that log in a context variable, one for each host, since several are started at
# once.

import asyncio
import logging
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import ContextVar
from typing import Any

from msgspec import Struct

from gyoji.cluster.keys import MISSING, Keys
from gyoji.core.faults import ConfigError
from gyoji.core.text import printable, quote

AGAIN_SECONDS = 10.0
"""Seconds after which the start of a worker is tried again."""

START_SECONDS = 60.0
"""Seconds that a host has to start a scheduler or worker."""

REMOTE_PYTHON = f"{sys.executable} -P -m gyoji.cluster.attached {sys.executable}"
_NAME = re.compile(r"(?:([\w.-]+)@)?([\w.-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?", re.ASCII)
_MOST_SAID = 5


class SshHost(Struct, frozen=True):
    """A host for ssh, written as [USER@]HOST[:PORT].

    Attributes:
        name: HOST.
        user: USER; None for the user named in ~/.ssh/config.
        port: PORT; None for the port named in ~/.ssh/config.
    """

    name: str
    user: str | None = None
    port: int | None = None

    @classmethod
    def read(cls, text: str) -> "SshHost":
        """Parse the text of a host, such as "me@lab1:2222". Raises ConfigError for other texts."""
        if (found := _NAME.fullmatch(text)) is None:
            raise ConfigError(f"--hosts: expected hosts such as lab1,me@lab2,lab3:2222, got {quote(text)}")
        user, name, port = found.groups()
        return cls(name.strip("[]"), user, int(port) if port else None)

    @property
    def options(self) -> dict[str, Any]:
        """User and port, as far as they are given, as keyword arguments for asyncssh."""
        options = {"username": self.user, "port": self.port}
        return {name: value for name, value in options.items() if value is not None}


def read_hosts(text: str) -> list[SshHost]:
    """Parse the texts of hosts, separated by commas. Raises ConfigError if one is wrong or is there twice."""
    hosts = [SshHost.read(word.strip()) for word in text.split(",")]
    names = [host.name for host in hosts]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ConfigError(f"--hosts: {twice} is there twice")
    return hosts


_said: ContextVar[list[str]] = ContextVar("said")


class _Said(logging.Handler):
    """A handler that collects dask's log, with the host's output, while a process is started on a host."""

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(LookupError):
            _said.get().append(record.getMessage())


class SshCluster:
    """Dask's scheduler and workers on several hosts, which are restarted if they end during a run."""

    def __init__(self, hosts: Sequence[SshHost], keys: Keys | None, told: Callable[[str], object]) -> None:
        """Prepare the cluster, which `start` starts.

        Args:
            hosts: The hosts. The first one gets the scheduler.
            keys: TLS keys of the run; None for connections without TLS.
            told: Called with lines to show to the organiser.
        """
        self._hosts, self._keys, self._told = hosts, keys, told
        self._scheduler: Any = None
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> str:
        """Start the scheduler, and begin to start workers.

        Returns:
            The scheduler's address.

        Raises:
            OSError: The scheduler cannot be started.
        """
        from distributed.deploy.ssh import Scheduler  # noqa: PLC0415 - takes its time, and is for clusters alone

        _prepare(self._keys)
        first = self._hosts[0]
        protocol = "tls" if self._keys is not None else "tcp"
        options = {"protocol": protocol, "port": 0, "dashboard": False}
        make: Any = Scheduler
        self._scheduler = make(first.name, first.options, options, remote_python=REMOTE_PYTHON)
        await _started(first, self._scheduler)
        self._tasks = [asyncio.create_task(_drain(self._scheduler))]
        address = str(self._scheduler.address)
        self._tasks += [asyncio.create_task(self._keep(host, address)) for host in self._hosts]
        return address

    async def close(self) -> None:
        """End all workers, and the scheduler."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        if self._scheduler is not None:
            await _ended(self._scheduler)
            self._scheduler = None

    async def _keep(self, host: SshHost, scheduler: str) -> None:
        """Keep a worker running on a host: start it again whenever it ends or could not be started."""
        last = ""
        while True:
            try:
                await self._work(host, scheduler)
                last = ""
            except OSError as error:
                if str(error) != last:  # a repeated error is shown once
                    self._told(f"{error}; it is tried again every {AGAIN_SECONDS:.0f}s")
                last = str(error)
            await asyncio.sleep(AGAIN_SECONDS)

    async def _work(self, host: SshHost, scheduler: str) -> None:
        """Start a worker on a host, and wait until it ends. Raises OSError if it cannot be started."""
        from distributed.deploy.ssh import Worker  # noqa: PLC0415

        options = {"name": host.name, "memory_limit": 0, "dashboard": False}
        make: Any = Worker
        worker = make(
            scheduler,
            host.name,
            host.options,
            options,
            worker_class="distributed.Worker",
            remote_python=REMOTE_PYTHON,
        )
        try:
            await _started(host, worker)
            await _drain(worker)
        finally:
            await _ended(worker)


def _prepare(keys: Keys | None) -> None:
    """Collect dask's log of starting processes, and put the TLS keys into dask's configuration.

    dask sends this configuration to the hosts. For this reason key files must have the same paths on all
    machines.

    Args:
        keys: TLS keys of the run; None for connections without TLS.
    """
    import dask  # noqa: PLC0415

    logger = logging.getLogger("distributed.deploy.ssh")
    if not any(isinstance(handler, _Said) for handler in logger.handlers):
        logger.addHandler(_Said())
        logger.setLevel(logging.INFO)
        logger.propagate = False
    if keys is None:
        return
    folder: dict[str, Any] = {"distributed.comm.require-encryption": True}
    folder["distributed.comm.tls.ca-file"] = str(keys.authority)
    for role in ("scheduler", "worker"):
        own = Keys(keys.folder, role)
        folder[f"distributed.comm.tls.{role}.cert"] = str(own.certificate)
        folder[f"distributed.comm.tls.{role}.key"] = str(own.key)
    dask.config.set(folder)


async def _started(host: SshHost, process: Any) -> None:
    """Start a scheduler or worker on a host.

    Args:
        process: dask's object for the process that is to be started.

    Raises:
        OSError: The process was not started in time, or the start failed. The message has the host's output.
        ConfigError: The package asyncssh is missing.
    """
    said: list[str] = []
    _said.set(said)
    try:
        await asyncio.wait_for(process, START_SECONDS)
    except ImportError:
        raise ConfigError(MISSING.format("--hosts: asyncssh")) from None
    except TimeoutError:
        raise OSError(f"host {host.name}: nothing was started there within {START_SECONDS:.0f}s") from None
    except Exception as error:  # noqa: BLE001 - whatever dask and asyncssh raise, it was not started
        why = " ".join(" ".join(said[-_MOST_SAID:]).split()) or str(error) or type(error).__name__
        raise OSError(f"host {host.name}: {printable(why, 500)}") from None


async def _drain(process: Any) -> None:
    """Read and drop the output of a process until it ends. A full pipe would stop the process."""
    while await process.proc.stderr.read(1 << 16):
        pass


async def _ended(process: Any) -> None:
    with suppress(Exception):  # it may be gone already
        await asyncio.wait_for(process.close(), START_SECONDS)
