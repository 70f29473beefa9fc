"""Control of a run in progress: commands over a Unix socket, and Ctrl-X at its terminal."""

# Theory of operation
#
# The socket. A stream socket stands beside the control file. A client sends one JSON object a line, and gets
# one back for each (`gyoji.scheduler.commands`). A client that sends {"do": "watch"} gets events, too, each a
# line of its own (`gyoji.scheduler.feed`), between the answers.
#
# Who may connect: the user of the run, and root. The file's mode keeps others out, and SO_PEERCRED is asked
# besides. An engine has the user's uid, too, so a peer in another pid namespace is refused: contained engines
# have one of their own. An engine with sandbox = "off" can do what the user can, here as everywhere.
#
# The run never waits for a client. What a client does not read is kept, up to MOST_UNREAD bytes; then it is
# disconnected. There are at most CONNECTIONS clients: the oldest makes room for a new one, so that forgotten
# ones cannot lock out `gyoji stop`.
#
# The run holds its lock when it makes the socket, so a socket of that name is a leftover and is removed.
#
# The keys. Ctrl-X is read from /dev/tty, so it works whatever stdin and stdout are. In the foreground the
# terminal is switched to single keys without echo, with IEXTEN off: on some systems it gives Ctrl-X a
# meaning. In the background the terminal is not touched: SIGTTOU or SIGTTIN would stop the run. `update` is
# called in each round of the run's loop, since no signal says that the shell has moved a job to the
# foreground without stopping it first. Foreground is a matter of process groups, so it does not matter which
# process started us.

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
from gyoji.core.wire import dump_line
from gyoji.play.connection import JsonConnection
from gyoji.play.loop import Loop
from gyoji.play.remote_talk import MOST_MESSAGE
from gyoji.scheduler.control_client import short_address
from gyoji.scheduler.feed import Feed

CONNECTIONS = 32
"""Number of clients at once."""
MOST_UNREAD = 1 << 25
"""Bytes that a client may leave unread."""

MODE = 0o600
"""Mode of the socket: only the user may connect."""

_CREDENTIALS = struct.Struct("iII")  # pid, user, group: unix(7), SO_PEERCRED

Obey = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""A function that carries out a command and returns the run's answer."""


PassOn = Callable[[Mapping[str, Any]], object]
"""A function that forwards a command that has no answer."""


def _nothing(_command: Mapping[str, Any]) -> None:
    pass


class Client:
    """A program that is connected to the control socket. It sends commands, and may watch the run.

    Attributes:
        present: Names of the remote players who are connected through this program.
    """

    def __init__(self, end: socket.socket, loop: Loop, server: "ControlServer") -> None:
        self._server = server
        self.present = set[str]()
        self._connection = JsonConnection(
            loop, end, on_line=self._obey, on_end=lambda _: self.part(), most=2 * MOST_MESSAGE
        )

    def write(self, data: bytes) -> None:
        """Send JSON lines. A program that leaves more than `MOST_UNREAD` bytes unread is disconnected."""
        self._connection.write(data)
        if self._connection.unsent > MOST_UNREAD:
            self.part()

    def part(self) -> None:
        """Close the connection."""
        if not self._connection.is_closed:
            self._connection.close()
            self._server.gone(self)

    def _obey(self, line: bytes) -> None:
        if (answer := self._server.answer(line, self)) is not None:
            self.write(dump_line(answer))


class ControlServer:
    """The control socket of a run: accepts programs and answers their commands."""

    def __init__(self, path: Path, loop: Loop, obey: Obey, feed: Feed, *, pass_on: PassOn = _nothing) -> None:
        """Open the socket at `path`, in place of one that an earlier run left. Raises OSError.

        Args:
            path: Path of the socket. The caller holds the lock of the run, so no other run uses it.
            loop: Event loop in which programs are served.
            obey: Carries out a command and returns its answer.
            feed: Sends the events of the run to programs that watch it.
            pass_on: Forwards a message of a remote player's owner in a game.
        """
        self._pass_on = pass_on
        self._path, self._loop, self._obey, self._feed = path, loop, obey, feed
        self._open: list[Client] = []  # the oldest first
        with suppress(FileNotFoundError):  # what an earlier run has left, and no other file
            if stat.S_IFMT(path.lstat().st_mode) in (stat.S_IFSOCK, stat.S_IFLNK):
                path.unlink()
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
        for client in list(self._open):
            client.part()
        self._loop.forget(self._server.fileno())
        self._server.close()
        with suppress(OSError):
            self._path.unlink()

    def _accept(self, _now: int) -> None:
        with suppress(OSError):
            end, _ = self._server.accept()
            process, user = _other_end(end)
            if not may_command(user) or _is_contained(process, user):
                end.close()
                return
            if len(self._open) >= CONNECTIONS:
                self._open[0].part()
            self._open.append(Client(end, self._loop, self))

    def gone(self, client: Client) -> None:
        """Forget a program that is disconnected."""
        self._open.remove(client)
        self._feed.leave(client)
        for player in client.present:
            if not any(player in each.present for each in self._open):
                self._obey({"do": "away", "player": player})

    def answer(self, line: bytes, client: Client) -> Mapping[str, Any] | None:
        """Carry out a program's JSON command, and return the JSON-ready answer.

        Return None for a message of a remote player, which gets no answer.
        """
        try:
            command = json.loads(line)
        except (ValueError, RecursionError):
            command = None
        if not isinstance(command, dict):
            return {"ok": False, "error": f"no JSON object: {quote(line)}"}
        if command.get("do") == "remote":
            self._pass_on(command)
            return None
        if command.get("do") == "watch":
            moves, remote = (command.get(key) is True for key in ("moves", "remote"))
            standing = self._feed.join(client, moves=moves, remote=remote)
            return {**self._obey({"do": "status"}), **standing}
        if command.get("remote") is True:
            if (player := str(command.get("player"))) and command.get("do") == "ready":
                client.present.add(player)
            elif command.get("do") == "away":
                client.present.discard(player)
        return self._obey(command)


def may_command(user: int) -> bool:
    """Return whether a user (uid) may control this run: only its own user and root may."""
    return user in (os.geteuid(), 0)


def _is_contained(process: int, user: int) -> bool:
    """Return whether a process is a contained engine: it has our uid, and another pid namespace.

    Also true for a process of our uid whose namespace cannot be read.
    """
    if user != os.geteuid():
        return False  # an engine is of our user
    try:
        return os.readlink(f"/proc/{process}/ns/pid") != os.readlink("/proc/self/ns/pid")
    except OSError:  # it has gone, or is nobody we may look at
        return True


def _other_end(connection: socket.socket) -> tuple[int, int]:
    """Return (pid, uid) that the program at the other end had when it connected."""
    packed = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    process, user, _group = _CREDENTIALS.unpack(packed)
    return process, user


@contextmanager
def serving(
    path: Path,
    loop: Loop,
    obey: Obey,
    warn: Callable[[str], None],
    feed: Feed,
    *,
    pass_on: PassOn = _nothing,
) -> Iterator[None]:
    """Serve the control socket until the block ends.

    If the socket cannot be opened, the run goes on without it, and `warn` gets the reason.
    """
    try:
        server = ControlServer(path, loop, obey, feed, pass_on=pass_on)
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
    """The keyboard of the run's controlling terminal, at which Ctrl-X stops the run."""

    def __init__(self, loop: Loop, on_stop: Callable[[], object]) -> None:
        self._loop = loop
        self._on_stop = on_stop
        self._saved: list[Any] | None = None
        self._terminal = -1
        with suppress(OSError):
            self._terminal = os.open(TERMINAL, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)

    @property
    def exist(self) -> bool:
        """Whether there is a controlling terminal."""
        return self._terminal >= 0

    def update(self) -> None:
        """Read the keyboard while the run is in the foreground of its terminal, and only then."""
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
        """Give the terminal back the settings that it had before the run."""
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
        """Handle Ctrl-Z: restore the terminal and stop this process. Once continued, read keys again."""
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
    """Call `on_stop` at each Ctrl-X until the block ends, and restore the terminal after it."""
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
    """Block the signal SIGTTOU in a `with` block: changing terminal settings cannot stop a background run."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTTOU])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
