"""Cells as the worker sees them: made by a launcher process, asked over a socket to start engines.

What a cell is and what it is asked: `gyoji.executors.contained.launcher`, which is the other end.
"""

import json
import os
import resource
import select
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import gyoji
from gyoji.executors import _proc
from gyoji.executors.contained.cgroups import Group, Groups
from gyoji.executors.contained.launcher import Lines, in_words

_SCRIPT = f"""import sys
sys.path.append({str(Path(gyoji.__file__).parents[1])!r})
from gyoji.executors.contained import launcher
launcher.main()"""
COMMAND = (sys.executable, "-I", "-S", "-E", "-X", "utf8", "-c", _SCRIPT)
"""The launcher: an interpreter with nothing but the standard library and this package, which is small."""

_PATIENCE = 10.0
"""Seconds that a cell may take for an answer: it does nothing that takes long."""


class CellBroken(Exception):
    """A cell could not be made, or does not answer."""


class OutOfReach(CellBroken):
    """Engines of a cell need a file that the user whom they were to be cannot read: `path`."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} is open to root alone")
        self.path = path


class CellLost(CellBroken):
    """A cell, or the launcher, has ended without having been told to."""


def _line(message: Mapping[str, Any]) -> bytes:
    """A message as it is sent."""
    try:
        return msgspec.json.encode(message) + b"\n"
    except UnicodeEncodeError:  # what is not UTF-8: JSON has an escape for its bytes
        return json.dumps(message).encode() + b"\n"


def key_of(plan: Mapping[str, Any]) -> str:
    """What two cells have in common that were made by the same plan."""
    return json.dumps(plan, sort_keys=True)


class Started(NamedTuple):
    """An engine that was started. user, kernel: us of CPU of all that had ended in its cell before."""

    pidfd: int
    user: int
    kernel: int


class Cell:
    """One cell, as the worker sees it. key: the plan it was made by. first: its first process.

    group: the control group that all in it are in, None for none. closed_file: the file for which its
    engines have uid 0, although they were to be another user; "" if there is none.
    """

    closed_file = ""

    def __init__(self, connection: socket.socket, key: str, group: Group | None = None) -> None:
        self.key = key
        self._has_ended = False
        self._connection = connection
        self._connection.settimeout(_PATIENCE)
        self._lines = Lines(connection)
        self._launch: Mapping[str, Any] | None = None  # that it knows
        answer, descriptors = self._hear()
        self.counter = descriptors[0] if descriptors else -1
        self.missing: tuple[str, ...] = tuple(answer["ready"])
        self.first: int = answer["first"]
        self.group = group
        self.is_usable = True

    def start(
        self, launch: Mapping[str, Any], told: Mapping[str, str], descriptors: Sequence[int]
    ) -> "Started":
        """Start an engine with these as its standard files.

        launch: see `launcher`; the same object each time, or the cell is sent another. told: what is added
        to its environment this time. Raises OSError if it cannot be executed.
        """
        order = {"start": told} if launch is self._launch else {"start": told, "launch": launch}
        self._launch = launch
        self._send(order, descriptors)
        answer, received = self._hear()
        if "started" not in answer:
            raise OSError(0, answer["error"], answer["file"])
        pidfd = received[0] if received else self._take_engine()
        return Started(pidfd, *answer["started"])

    def _take_engine(self) -> int:
        """A pidfd of the engine that was started last, which the cell could not send. Raises CellBroken."""
        engine, *_ = _proc.children_of(self.first) or [-1]  # nothing else was there before it
        try:
            return os.pidfd_open(engine)
        except OSError as error:
            self.is_usable = False
            raise CellBroken(f"its engine cannot be watched: {error.strerror}") from None
        finally:
            self._send({"taken": True})

    def signal(self, number: int) -> None:
        """Send a signal to everything in the cell."""
        with suppress(CellBroken):
            self._send({"signal": number})

    def end(self) -> tuple[int, int]:
        """Wait until nothing is left of an engine that has ended.

        Its exit code, and the CPU ns of all that was started.
        """
        answer, _ = self._hear()
        if answer["leftovers"]:
            self.is_usable = False
        return answer["code"], answer["cpu"]

    def has_ended(self) -> bool:
        """Whether its first process has ended without having been told to."""
        if self._has_ended or self._connection.fileno() < 0:
            return self._has_ended
        if select.select([self._connection], [], [], 0)[0]:
            try:
                self._has_ended = not self._connection.recv(1, socket.MSG_PEEK)
            except ConnectionError:  # it had not read all that it was sent
                self._has_ended = True
        return self._has_ended

    def close(self) -> None:
        """End the cell and all in it."""
        self.is_usable = False
        self._connection.close()
        if self.group is not None:
            self.group.retire()
        if self.counter >= 0:
            os.close(self.counter)
            self.counter = -1

    def _send(self, message: Mapping[str, Any], descriptors: Sequence[int] = ()) -> None:
        data = _line(message)
        try:
            if descriptors:
                data = data[socket.send_fds(self._connection, [data], [*descriptors]) :]
            if data:
                self._connection.sendall(data)
        except ConnectionError:
            self.is_usable, self._has_ended = False, True
            raise CellLost("its cell was killed") from None
        except OSError as error:
            self.is_usable = False
            raise CellBroken(f"its cell takes no orders: {error.strerror or error}") from None

    def _hear(self) -> tuple[dict[str, Any], list[int]]:
        self.is_usable = False
        try:
            message = self._lines.next()
        except ConnectionError:  # it had not read all that it was sent
            message = None
        except OSError as error:
            raise CellBroken(f"its cell gives no answer: {in_words(error)}") from None
        if message is None:
            self._has_ended = True
            raise CellLost("its cell was killed")
        answer, descriptors = message
        if "out_of_reach" in answer:
            raise OutOfReach(answer["out_of_reach"])
        if "error" in answer and "file" not in answer:
            raise CellBroken(answer["error"])
        self.is_usable = True
        return answer, descriptors


class Launcher:
    """The launcher process, started when it is first needed."""

    def __init__(self) -> None:
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # see the limits in a plan
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [*COMMAND, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                env={},
                process_group=0,
            )
        self.pid = self._process.pid
        self._groups: list[Groups] = []

    def remove_later(self, groups: Groups) -> None:
        """Remove control groups at the end: those in which cells of it were tried, and are about to end."""
        self._groups.append(groups)

    def make(self, plan: Mapping[str, Any], group: Group | None = None) -> Cell:
        """A new cell, in a control group if there is one. Raises CellBroken if it cannot be as planned."""
        try:
            return self._make(plan, group)
        except CellBroken:
            if group is not None:
                group.retire()
            raise

    def _make(self, plan: Mapping[str, Any], group: Group | None) -> Cell:
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                joins = group.joins if group is not None else []
                data = _line({**plan, "joins": joins})
                sent = socket.send_fds(self._socket, [data], [theirs.fileno()])
                self._socket.sendall(data[sent:])
            except OSError as error:
                ours.close()
                raise CellLost(f"the launcher has ended: {error.strerror}") from None
        try:
            return Cell(ours, key_of(plan), group)
        except CellBroken:
            ours.close()
            raise

    def has_ended(self) -> bool:
        """Whether it was killed, and all its cells with it."""
        return self._process.poll() is not None

    def close(self) -> None:
        self._socket.close()
        with suppress(ProcessLookupError):  # somebody has waited for it
            ends = select.poll()
            ends.register(pidfd := os.pidfd_open(self.pid), select.POLLIN)
            if not ends.poll(_PATIENCE * 1000):
                self._process.kill()
            os.close(pidfd)
        self._process.wait()
        for groups in self._groups:
            groups.close()
