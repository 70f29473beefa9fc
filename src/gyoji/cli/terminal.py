"""A person's terminal, shared by the seats that the person has in a game.

Each seat is a conversation of its own over a socket. Here its text is shown. What is typed goes to the seat
that asks: the one whose text ended in a prompt, without a line end. What is typed before that waits.
"""

import os
import socket
import sys
from codecs import getincrementaldecoder
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial

from gyoji.cli.exits import forget_stdout, say
from gyoji.core.spec import Player
from gyoji.executors.held import HeldChannel
from gyoji.play.loop import Loop

_CHUNK = 1 << 16
_LONGEST = 4000  # bytes of a line; what is more is cut off
LEAVING = ("quit", "exit")
"""Words that leave a game."""
LEFT = "left by the person"
"""The reason to end a game then, and at the end of all that is typed (Ctrl-D)."""
GONE = "the terminal has gone"


class _Seat:
    """Our end of the conversation with one seat. is_asked: whether it waits for a line."""

    def __init__(self, end: socket.socket) -> None:
        self.end = end
        self.is_asked = False
        self.decoder = getincrementaldecoder("utf-8")("replace")


class Terminal:
    """Standard input and output as the port `EngineStarter`: each start is a seat of the person's.

    leave: called with the reason when the person wants no more.
    """

    def __init__(self, loop: Loop, leave: Callable[[str], None]) -> None:
        self._loop = loop
        self._leave = leave
        self._seats: list[_Seat] = []
        self._typed: deque[bytes] = deque()  # lines that no seat has got yet
        self._rest = b""
        self._has_ended = False
        self._input = sys.stdin.fileno()
        self._is_terminal = os.isatty(self._input)
        self._is_watched = False

    # Seats

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> HeldChannel:
        """See the port."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        seat = _Seat(ours)
        self._seats.append(seat)
        self._loop.watch(ours.fileno(), partial(self._on_text, seat))
        descriptor = theirs.detach()
        return HeldChannel(player, descriptor, descriptor)

    @property
    def pids(self) -> frozenset[int]:
        return frozenset()

    def close(self) -> None:
        """Let go of the terminal."""
        self._stop_listening()
        for seat in list(self._seats):
            self._end(seat)

    def _end(self, seat: _Seat) -> None:
        """The game is over for a seat, or for us; what is shown next begins a line."""
        self._loop.forget(seat.end.fileno())
        seat.end.close()
        self._seats.remove(seat)
        if seat.is_asked:
            self._say("\n")

    def _on_text(self, seat: _Seat, _now: int) -> None:
        """Show what a seat says, after what the others have said until now: it may be a question."""
        for each in (*[other for other in self._seats if other is not seat], seat):
            self._show(each)
        self._answer()

    def _show(self, seat: _Seat) -> None:
        try:
            data = seat.end.recv(_CHUNK)
        except BlockingIOError:
            return
        except ConnectionError:
            data = b""
        if data:
            self._say(seat.decoder.decode(data))
            seat.is_asked = not data.endswith(b"\n")
        else:
            self._end(seat)

    def _say(self, text: str) -> None:
        """Show a text; when nobody can see it any more the game is over."""
        try:
            say(text, nl=False)
        except OSError:
            forget_stdout()
            self._leave(GONE)

    # What is typed

    def _listen(self) -> None:
        """Wait for what is typed next; a file, which epoll does not know, is read at once."""
        if self._is_watched:
            return
        try:
            self._loop.watch(self._input, self._on_input)
            self._is_watched = True
        except PermissionError:
            self._on_input(0)

    def _on_input(self, _now: int) -> None:
        self._stop_listening()
        try:
            data = os.read(self._input, _CHUNK)
        except OSError:  # the terminal has gone
            data = b""
        *lines, self._rest = (self._rest + data).split(b"\n")
        self._typed += lines
        self._has_ended = not data
        if self._rest and (self._has_ended or len(self._rest) > _LONGEST):
            self._typed.append(self._rest)
            self._rest = b""
        self._answer()

    def _stop_listening(self) -> None:
        if self._is_watched:
            self._loop.forget(self._input)
            self._is_watched = False

    def _answer(self) -> None:
        """Give the seat that asks what has been typed. More is read when that has been given."""
        asked = next((seat for seat in self._seats if seat.is_asked), None)
        if self._typed:
            if asked is not None:
                self._give(asked, self._typed.popleft()[:_LONGEST])
        elif not self._has_ended:
            self._listen()
        elif asked is not None or self._is_terminal:
            self._leave(LEFT)

    def _give(self, seat: _Seat, line: bytes) -> None:
        text = line.decode("utf-8", "replace")
        if not self._is_terminal:
            self._say(f"{text}\n")  # what would be there had it been typed
        seat.is_asked = False
        if text.strip().lower() in LEAVING:
            self._leave(LEFT)
            return
        seat.end.send(line + b"\n")
        self._answer()
