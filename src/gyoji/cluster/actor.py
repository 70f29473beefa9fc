"""The dask actor of a host: it starts the agent, the process that plays games there, and passes lines to and
from it.

An actor is an object in a dask worker whose methods other processes call, here the run. This module does not
import dask. All methods run in the event loop of the dask worker.
"""

# Dask may lose the answer to a call, so the run repeats calls. Lines are therefore numbered in both
# directions: `give` ignores lines that the agent has already, and the argument of `take` is the first line
# that the run still lacks, so that the actor can forget all lines before it. Thus a repeated call has no
# further effect.

import asyncio
import os
import sys
from asyncio.subprocess import Process
from collections import deque
from collections.abc import Sequence
from contextlib import suppress

AGENT = (sys.executable, "-P", "-m", "gyoji.cluster.agent")

WAIT_SECONDS = 5.0
"""Seconds that `take` waits for a line."""

MOST_LINES = 1000
"""Largest number of lines that `take` returns."""

_LINE_LIMIT = 1 << 28
_OF_DASK = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MALLOC_TRIM_THRESHOLD_")
"""Variables that dask sets for its own workers, and that engines would inherit."""


def plain_environ() -> dict[str, str]:
    """Return the environment variables of this process without those that dask has set."""
    return {
        name: value
        for name, value in os.environ.items()
        if name not in (*_OF_DASK, "PYTHONHASHSEED") and not name.startswith("DASK_")
    }


class HostActor:
    """An actor that starts the agent of its host at the first call, and passes lines to and from it."""

    def __init__(self, slots: int, words: Sequence[str] = ()) -> None:
        """Prepare the command of the agent.

        Args:
            slots: Number of games that the agent plays at once.
            words: Further options of the agent.
        """
        from gyoji.cluster.dask_hosts import key_files_here  # noqa: PLC0415 - which knows dask

        hidden = [word for path in key_files_here() for word in ("--hide", path)]
        self._command = (*AGENT, "--slots", str(slots), *hidden, *words)
        self._process: Process | None = None
        self._starting = asyncio.Lock()
        self._lines: deque[bytes] = deque()  # lines of the agent, from number `_first` on
        self._first = 0
        self._given = 0
        self._is_over = False
        self._news = asyncio.Event()

    async def _agent(self) -> Process:
        async with self._starting:
            if self._process is None:
                pipe = asyncio.subprocess.PIPE
                self._process = await asyncio.create_subprocess_exec(
                    *self._command, stdin=pipe, stdout=pipe, limit=_LINE_LIMIT, env=plain_environ()
                )
                self._reading = asyncio.create_task(self._read(self._process))
            return self._process

    async def _read(self, process: Process) -> None:
        assert process.stdout is not None
        with suppress(ValueError):  # a line over the limit is the end
            while line := await process.stdout.readline():
                self._lines.append(line.rstrip(b"\n"))
                self._news.set()
        self._is_over = True
        self._news.set()

    async def give(self, first: int, lines: Sequence[bytes]) -> int:
        """Send lines to the agent. Lines that an earlier call has sent are left out.

        Args:
            first: Number of the first line in `lines`; the run numbers all its lines from 0.
            lines: The lines, each with its line end.

        Returns:
            The number of lines sent to the agent in all calls. Lines are counted even if the agent has ended.
        """
        process = await self._agent()
        fresh = lines[max(self._given - first, 0) :]
        self._given += len(fresh)
        if process.stdin is not None:
            with suppress(ConnectionError):
                process.stdin.write(b"".join(fresh))
                await process.stdin.drain()
        return self._given

    async def take(self, after: int) -> list[bytes] | None:
        """Return the next lines of the agent, or None if the agent has ended and there are no more.

        At most MOST_LINES are returned. Without a line, wait up to WAIT_SECONDS for one, then return [].

        Args:
            after: Number of the first line to return. Lines before it are forgotten.
        """
        await self._agent()
        while self._lines and self._first < after:
            self._lines.popleft()
            self._first += 1
        if not self._lines and not self._is_over:
            self._news.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), WAIT_SECONDS)
        if not self._lines and self._is_over:
            return None
        return [line for line, _ in zip(self._lines, range(MOST_LINES), strict=False)]

    async def end(self) -> None:
        """End the agent and all games that it plays."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            await self._process.wait()

    def __del__(self) -> None:
        if (process := self.__dict__.get("_process")) is not None and process.returncode is None:
            with suppress(ProcessLookupError, RuntimeError):  # all that the agent has started ends with it
                process.kill()
