"""The Unix socket from which the seat programs of a relay get the pipes of the players."""

# A runner starts its players by commands. Here these commands are small programs that gyoji writes into the
# runner's temporary folder: seat1, seat2 ... Each runs `seat_program` with a token that cannot be guessed:
#
#     runner --starts--> seat1 --connects, token--> server (socket in the same folder)
#                             <--"+", and the descriptors of the player's input and output--
#                             --"p" or "r": who ended first; or the end of the connection-->
#                             <--the player's exit status, a byte--
#
# * A token is valid once. If it is sent again, or anything else is sent, the connection is closed.
# * The connection stays open while the seat program runs, so its end is noticed. The program tells who closed
#   a pipe first: the player or the runner.
# * gyoji passes the descriptors and copies no data. It keeps its own descriptor of the player's output, so
#   that SIGPIPE does not kill a player whose runner has ended. It closes its own descriptor of the player's
#   input, so that the player reads the end of its input when the seat program ends.

import os
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Protocol

from gyoji.play import seat_program
from gyoji.play.loop import Loop
from gyoji.play.seat_program import PLAYER_ENDED, SOCKET, TAKEN

PROGRAM = (sys.executable, "-I", "-S", str(Path(seat_program.__file__)))
"""The command of a seat program, without its arguments."""

_TOKEN = 32  # characters
_MOST_CALLERS = 64
"""The maximum number of connections at a time. More are refused, because no runner needs them."""


class Seats(Protocol):
    """The owner of a `PipeServer`: it has the players' pipes and handles the events of the server."""

    def pipes(self, seat: int) -> tuple[int, int] | None:
        """Return the descriptors of the pipes of a seat's player: first its input, then its output.

        Return None if the player is out of the game.
        """

    def on_taken(self, seat: int) -> None:
        """Handle that the seat program of a seat has connected and has been sent the player's pipes."""

    def on_taken_again(self, seat: int) -> None:
        """Handle that a second program has sent the token of the same seat. It gets no pipes."""

    def on_pipes_failure(self) -> None:
        """Report the exception that is being handled as a failure of gyoji."""


class PipeServer:
    """The socket of one game, and its connections with seat programs."""

    def __init__(self, loop: Loop, owner: Seats, seats: int) -> None:
        self._loop = loop
        self._owner = owner
        self._tokens = [os.urandom(_TOKEN // 2).hex() for _ in range(seats)]
        self._listener: socket.socket | None = None
        self._callers: dict[int, socket.socket] = {}  # by descriptor, with or without a seat
        self._seats: dict[int, socket.socket] = {}  # by seat: the connection of its program
        self._ended_first: dict[int, bool] = {}  # by seat: whether the player was first

    @property
    def taken(self) -> frozenset[int]:
        """The seats whose programs have connected."""
        return frozenset(self._seats)

    def open(self, folder: str) -> Sequence[str]:
        """Create the socket and the seat programs in a folder. Return the paths of the programs.

        Raises:
            OSError: The socket or a program cannot be made.
        """
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        at = os.open(folder, os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            self._listener.bind(f"/proc/self/fd/{at}/{SOCKET}")  # the path of a socket may not be long
        finally:
            os.close(at)
        self._listener.listen(_MOST_CALLERS)
        self._loop.watch(self._listener.fileno(), self._on_call, self._owner.on_pipes_failure)
        paths = []
        for number, token in enumerate(self._tokens, 1):
            path = Path(folder, f"seat{number}")
            words = " ".join(f"'{word}'" for word in (*PROGRAM, folder, token))
            path.write_text(f"#!/bin/sh\nexec {words}\n", encoding="utf-8")
            path.chmod(0o755)
            paths.append(str(path))
        return paths

    def has_player_ended(self, seat: int) -> bool:
        """Return whether a player is known to have closed its output before the runner closed the player's
        pipes.
        """
        if seat in self._seats and seat not in self._ended_first:
            self._listen(seat)
        return self._ended_first.get(seat, False)

    def player_ended_first(self, seat: int) -> bool:
        """Return whether a player that has ended did so before the runner closed the player's pipes.

        The result is also True if it is not known which of the two came first.
        """
        return self.has_player_ended(seat) or seat not in self._ended_first

    def tell_status(self, seat: int, status: int) -> None:
        """Send the exit status of a player to the program of its seat, which exits with it."""
        if (caller := self._seats.get(seat)) is not None and caller.fileno() >= 0:
            with suppress(OSError):  # the program has ended
                caller.send(bytes((status,)))

    def close(self) -> None:
        for descriptor, caller in self._callers.items():
            self._loop.forget(descriptor)
            caller.close()
        self._callers.clear()
        if self._listener is not None:
            self._loop.forget(self._listener.fileno())
            self._listener.close()
            self._listener = None

    def _on_call(self, _now: int) -> None:
        assert self._listener is not None
        with suppress(BlockingIOError, ConnectionError):
            caller, _ = self._listener.accept()
            if len(self._callers) >= _MOST_CALLERS:
                caller.close()
                return
            caller.setblocking(False)
            self._callers[caller.fileno()] = caller
            self._loop.watch(caller.fileno(), partial(self._on_token, caller), self._owner.on_pipes_failure)

    def _on_token(self, caller: socket.socket, _now: int) -> None:
        """Send a seat program the pipes of the seat that its token stands for.

        Instead, the connection is closed if the token is unknown, incomplete or used before, or if the seat's
        player is out of the game.
        """
        try:
            token = caller.recv(_TOKEN).decode("ascii", "replace")
        except BlockingIOError:
            return
        except OSError:
            token = ""
        seat = self._tokens.index(token) if token in self._tokens else None
        if seat is None or seat in self._seats:
            self._hang_up(caller)
            if seat is not None:
                self._owner.on_taken_again(seat)
            return
        self._seats[seat] = caller
        pipes = self._owner.pipes(seat)
        try:
            is_taken = pipes is not None and socket.send_fds(caller, [TAKEN], pipes) > 0
        except ConnectionError:  # it has ended already
            is_taken = False
        if not is_taken:
            self._hang_up(caller)
            self._ended_first[seat] = False
        else:
            self._loop.forget(caller.fileno())
            self._loop.watch(caller.fileno(), lambda _now: self._listen(seat), self._owner.on_pipes_failure)
        self._owner.on_taken(seat)

    def _listen(self, seat: int) -> None:
        """Read the message of a seat program which says that its player has closed its output.

        If the program closes the connection without this message, the runner has closed the pipes before the
        player.
        """
        caller = self._seats[seat]
        if caller.fileno() < 0:
            return
        try:
            word = caller.recv(1)
        except BlockingIOError:
            return
        except OSError:
            word = b""
        self._ended_first.setdefault(seat, word == PLAYER_ENDED)
        if not word:
            self._hang_up(caller)

    def _hang_up(self, caller: socket.socket) -> None:
        self._loop.forget(caller.fileno())
        self._callers.pop(caller.fileno(), None)
        caller.close()
