"""How others control a run while it goes on: by commands to its socket, and by Ctrl-X at its terminal.

The socket is a unix stream socket beside the control file. One JSON object a line, each answered by one;
`gyoji.scheduler.commands` says which there are.

Ctrl-X is read from the terminal itself, so it works whatever stdin and stdout are. While we are in the
foreground, the terminal hands over single keys without echo, and keeps Ctrl-X to us (IEXTEN off: some systems
give it a meaning). In the background it is left alone: reading or switching it would stop us. The foreground
is a matter of process groups, not of process ids, so it does not matter who started us.
"""

import json
import os
import signal
import socket
import stat
import struct
import termios
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from gyoji.core.text import quote
from gyoji.play.loop import READ, WRITE, Loop
from gyoji.scheduler.asking import LINE_LIMIT, short_address
from gyoji.scheduler.feed import Feed

CONNECTIONS = 32
MOST_UNREAD = 1 << 25
"""Bytes that a connection may have to read still."""

MODE = 0o600
"""Who may connect: the user."""

_CREDENTIALS = struct.Struct("iII")  # pid, user, group: unix(7), SO_PEERCRED

Answer = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""A function that gives a run's answer to a command."""


class Connection:
    """A connection to a program that commands or watches: lines come in, each is answered, others go out.

    It is one of `all_of_them`, by its descriptor, until it is parted with. reply: gives the answer to a line.
    gone: called when it is. Nothing here waits: who does not read `MOST_UNREAD` bytes is parted with.
    """

    def __init__(
        self,
        connection: socket.socket,
        loop: Loop,
        reply: "Callable[[bytes, Connection], Mapping[str, Any]]",
        gone: "Callable[[Connection], object]",
        all_of_them: "dict[int, Connection]",
    ) -> None:
        self._socket, self._loop, self._reply, self._gone = connection, loop, reply, gone
        self._all = all_of_them
        self._received = b""
        self._unsent = bytearray()
        connection.setblocking(False)
        self._descriptor = connection.fileno()
        all_of_them[self._descriptor] = self
        loop.watch(self._descriptor, self._on_ready)

    def write(self, data: bytes) -> None:
        """Send this as soon as there is room, after what was written before."""
        if self._socket.fileno() < 0:
            return
        had_unsent = bool(self._unsent)
        self._unsent += data
        if had_unsent and len(self._unsent) <= MOST_UNREAD:
            return  # the loop says when there is room
        self._send()
        if self._unsent and not had_unsent and self._socket.fileno() >= 0:
            self._loop.watch_for(self._descriptor, READ | WRITE)

    def part(self) -> None:
        """Have no more to do with it."""
        if self._socket.fileno() >= 0:
            self._loop.forget(self._descriptor)
            del self._all[self._descriptor]
            self._socket.close()
            self._gone(self)

    def _send(self) -> None:
        try:
            del self._unsent[: self._socket.send(self._unsent)]
        except BlockingIOError:
            pass
        except OSError:
            self.part()
        if len(self._unsent) > MOST_UNREAD:
            self.part()

    def _on_ready(self, _now: int) -> None:
        if self._unsent:
            self._send()
            if self._socket.fileno() >= 0 and not self._unsent:
                self._loop.watch_for(self._descriptor, READ)
        self._read()

    def _read(self) -> None:
        try:
            chunk = self._socket.recv(LINE_LIMIT)
        except BlockingIOError:
            return
        except OSError:  # it has gone, also when we had parted with it already
            self.part()
            return
        *lines, self._received = (self._received + chunk).split(b"\n")
        for line in lines:
            self.write(json.dumps(self._reply(line, self)).encode() + b"\n")
        if not chunk or len(self._received) > LINE_LIMIT:
            self.part()


class ControlServer:
    """The run's end. Holds no more than CONNECTIONS at a time; the oldest makes room.

    Raises OSError if there can be no socket here. The caller holds the run's lock: a socket that is there is
    a leftover.
    """

    def __init__(self, path: Path, loop: Loop, answer: Answer, feed: Feed) -> None:
        self._path, self._loop, self._answer, self._feed = path, loop, answer, feed
        self._open: dict[int, Connection] = {}  # by descriptor, the oldest first
        _clear(path)
        self._server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            os.fchmod(self._server.fileno(), MODE)  # of the file that it gets, less the umask
            with short_address(path) as address:
                self._server.bind(address)
                os.chmod(address, MODE)  # nobody can connect before it listens
            self._server.listen()
        except OSError:
            self._server.close()
            raise
        self._server.setblocking(False)
        loop.watch(self._server.fileno(), self._accept)

    def close(self) -> None:
        for connection in list(self._open.values()):
            connection.part()
        self._loop.forget(self._server.fileno())
        self._server.close()
        with suppress(OSError):
            self._path.unlink()

    def _accept(self, _now: int) -> None:
        with suppress(OSError):
            connection, _ = self._server.accept()
            process, user = _other_end(connection)
            if not may_command(user) or _is_contained(process, user):
                connection.close()
                return
            if len(self._open) >= CONNECTIONS:
                next(iter(self._open.values())).part()
            Connection(connection, self._loop, self._reply, self._gone, self._open)

    def _gone(self, connection: "Connection") -> None:
        self._feed.leave(connection)

    def _reply(self, line: bytes, connection: "Connection") -> Mapping[str, Any]:
        try:
            command = json.loads(line)
        except ValueError:
            command = None
        if not isinstance(command, dict):
            return {"ok": False, "error": f"no JSON object: {quote(line)}"}
        if command.get("do") == "watch":
            standing = self._feed.join(connection, moves=command.get("moves") is True)
            return {**self._answer({"do": "status"}), **standing}
        return self._answer(command)


def may_command(user: int) -> bool:
    """Whether a user, by number, may steer our runs: ourselves, and who may do anything."""
    return user in (os.geteuid(), 0)


def _is_contained(process: int, user: int) -> bool:
    """Whether a process lives in another namespace of processes than we do, as engines do."""
    if user != os.geteuid():
        return False  # an engine is of our user
    try:
        return os.readlink(f"/proc/{process}/ns/pid") != os.readlink("/proc/self/ns/pid")
    except OSError:  # it has gone, or is nobody we may look at
        return True


def _other_end(connection: socket.socket) -> tuple[int, int]:
    """(process, user) at the other end when it connected, as the kernel says."""
    packed = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    process, user, _group = _CREDENTIALS.unpack(packed)
    return process, user


def _clear(path: Path) -> None:
    """Remove a socket that was left, or a link; nothing else."""
    with suppress(FileNotFoundError):
        if stat.S_IFMT(path.lstat().st_mode) in (stat.S_IFSOCK, stat.S_IFLNK):
            path.unlink()


@contextmanager
def serving(
    path: Path, loop: Loop, answer: Answer, warn: Callable[[str], None], feed: Feed
) -> Iterator[None]:
    """The run's end for a while; where there can be no socket, a warning, and things go on without."""
    try:
        server = ControlServer(path, loop, answer, feed)
    except OSError as error:
        warn(f"{path}: cannot be made ({error.strerror or error}): `gyoji stop` and `control` will not work")
        yield
        return
    try:
        yield
    finally:
        server.close()


TERMINAL = "/dev/tty"
CTRL_X = b"\x18"
_LFLAGS = 3  # index into what tcgetattr returns


class Keys:
    """The controlling terminal, if there is one. on_stop: called for each read that brings a Ctrl-X."""

    def __init__(self, loop: Loop, on_stop: Callable[[], object]) -> None:
        self._loop = loop
        self._on_stop = on_stop
        self._saved: list[Any] | None = None
        self._terminal = -1
        with suppress(OSError):
            self._terminal = os.open(TERMINAL, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)

    @property
    def exist(self) -> bool:
        return self._terminal >= 0

    def update(self) -> None:
        """Take the terminal if we are in the foreground now; let it alone if we are not any more."""
        if self._terminal < 0:
            return
        if self._is_foreground():
            self._take()
        elif self._saved is not None:
            self._loop.forget(self._terminal)
            self._saved = None  # the shell has set the terminal to its own liking

    def _is_foreground(self) -> bool:
        try:
            return os.tcgetpgrp(self._terminal) == os.getpgrp()
        except OSError:  # the terminal is gone
            return False

    def _take(self) -> None:
        if self._saved is not None:
            return
        with suppress(termios.error, OSError), _unstoppable():
            self._saved = termios.tcgetattr(self._terminal)
            ours = termios.tcgetattr(self._terminal)
            ours[_LFLAGS] &= ~(termios.ICANON | termios.ECHO | termios.IEXTEN)
            ours[6][termios.VMIN], ours[6][termios.VTIME] = 1, 0
            termios.tcsetattr(self._terminal, termios.TCSADRAIN, ours)
            self._loop.watch(self._terminal, self._read)

    def restore(self) -> None:
        """Leave the terminal as we found it."""
        if self._saved is None:
            return
        self._loop.forget(self._terminal)
        if self._is_foreground():
            with suppress(termios.error, OSError), _unstoppable():
                termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._saved)
        self._saved = None

    def _read(self, _now: int) -> None:
        self.update()
        if self._saved is None:
            return
        try:
            keys = os.read(self._terminal, 256)
        except BlockingIOError:
            return
        except OSError:
            keys = b""
        if not keys:  # hung up
            self._loop.forget(self._terminal)
        elif CTRL_X in keys:
            self._on_stop()

    def suspend(self) -> None:
        """Ctrl-Z: stop as anybody would, with the terminal in order; go on when told to."""
        self.restore()
        previous = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, previous)
        self.update()

    def close(self) -> None:
        if self._terminal >= 0:
            self.restore()
            os.close(self._terminal)
            self._terminal = -1


@contextmanager
def listening(loop: Loop, on_stop: Callable[[], object]) -> Iterator[Keys]:
    """The keys of the terminal until the block ends, through suspensions; restored whatever happens."""
    keys = Keys(loop, on_stop)
    actions = {signal.SIGTSTP: keys.suspend, signal.SIGCONT: keys.update} if keys.exist else {}
    try:
        with loop.catching(actions):
            keys.update()
            yield keys
    finally:
        keys.close()


@contextmanager
def _unstoppable() -> Iterator[None]:
    """We may have been put into the background just now: then switching the terminal would stop us."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTTOU])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
