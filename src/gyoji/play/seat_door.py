"""The socket at which programs of a relay's runner get the pipes of the players that they stand for."""

# A runner starts "its" players itself. What it starts is a file of ours, seat1, seat2 ..., in its own
# temporary folder. Each runs `seat_program` with a token that nobody can guess:
#
#     runner --starts--> seat1 --connects, token--> door (socket in the same folder)
#                             <--"+", and the descriptors of the player's input and output--
#                             --"p" or "r": who ended first; or the end of the connection-->
#                             <--the player's exit status, a byte--
#
# * A token opens a seat once. Who brings it again, or brings anything else, finds the connection closed.
# * The connection stays open while the program runs. So it is known whether it has ended, and who was first:
#   the player, or its runner.
# * The descriptors are handed over and nothing is copied by us. We keep our copy of the player's output, so
#   that SIGPIPE does not kill a player whose runner has ended, and close that of its input, so that the
#   player sees an end there when the program ends.

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
from gyoji.play.seat_program import DOOR, PLAYER_ENDED, TAKEN

PROGRAM = (sys.executable, "-I", "-S", str(Path(seat_program.__file__)))
"""The words that start the program of a seat, without its arguments."""

_TOKEN = 32  # characters
_MOST_CALLERS = 64
"""The most connections at a time. More are refused: a runner has no use for them."""


class Seats(Protocol):
    """The owner of a door."""

    def pipes(self, seat: int) -> tuple[int, int] | None:
        """Return the descriptors of a player: (input, output); None if it is out of the game."""

    def on_taken(self, seat: int) -> None:
        """Handle that the program of a seat has got its player's pipes."""

    def on_taken_again(self, seat: int) -> None:
        """Handle that a second program wants the seat."""

    def on_door_failure(self) -> None:
        """Handle the exception that is being handled: a failure of gyoji."""


class SeatDoor:
    """The door of one game."""

    def __init__(self, loop: Loop, owner: Seats, seats: int) -> None:
        self._loop = loop
        self._owner = owner
        self._tokens = [os.urandom(_TOKEN // 2).hex() for _ in range(seats)]
        self._door: socket.socket | None = None
        self._callers: dict[int, socket.socket] = {}  # by descriptor, with or without a seat
        self._seats: dict[int, socket.socket] = {}  # by seat: the connection of its program
        self._ended_first: dict[int, bool] = {}  # by seat: whether the player was first

    @property
    def taken(self) -> frozenset[int]:
        """The seats whose programs have come."""
        return frozenset(self._seats)

    def open(self, folder: str) -> Sequence[str]:
        """Make the socket and the programs of the seats in a folder, and return the programs' paths.

        Raises OSError.
        """
        self._door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        at = os.open(folder, os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            self._door.bind(f"/proc/self/fd/{at}/{DOOR}")  # the path of a socket is short
        finally:
            os.close(at)
        self._door.listen(_MOST_CALLERS)
        self._loop.watch(self._door.fileno(), self._on_call, self._owner.on_door_failure)
        paths = []
        for number, token in enumerate(self._tokens, 1):
            path = Path(folder, f"seat{number}")
            words = " ".join(f"'{word}'" for word in (*PROGRAM, folder, token))
            path.write_text(f"#!/bin/sh\nexec {words}\n", encoding="utf-8")
            path.chmod(0o755)
            paths.append(str(path))
        return paths

    def has_player_ended(self, seat: int) -> bool:
        """Return whether the player of a seat closed its output before its runner let go of it."""
        if seat in self._seats and seat not in self._ended_first:
            self._listen(seat)
        return self._ended_first.get(seat, False)

    def player_ended_first(self, seat: int) -> bool:
        """Return whether a player, which has ended, did so before its runner let go of it."""
        return self.has_player_ended(seat) or seat not in self._ended_first

    def tell_status(self, seat: int, status: int) -> None:
        """Tell the program of a seat the exit status of its player, for the runner."""
        if (caller := self._seats.get(seat)) is not None and caller.fileno() >= 0:
            with suppress(OSError):  # the program has ended
                caller.send(bytes((status,)))

    def close(self) -> None:
        for descriptor, caller in self._callers.items():
            self._loop.forget(descriptor)
            caller.close()
        self._callers.clear()
        if self._door is not None:
            self._loop.forget(self._door.fileno())
            self._door.close()
            self._door = None

    def _on_call(self, _now: int) -> None:
        assert self._door is not None
        with suppress(BlockingIOError, ConnectionError):
            caller, _ = self._door.accept()
            if len(self._callers) >= _MOST_CALLERS:
                caller.close()
                return
            caller.setblocking(False)
            self._callers[caller.fileno()] = caller
            self._loop.watch(caller.fileno(), partial(self._on_token, caller), self._owner.on_door_failure)

    def _on_token(self, caller: socket.socket, _now: int) -> None:
        """Hand over the pipes of the seat that the token opens. It arrives in one piece, or is none."""
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
            self._loop.watch(caller.fileno(), lambda _now: self._listen(seat), self._owner.on_door_failure)
        self._owner.on_taken(seat)

    def _listen(self, seat: int) -> None:
        """Take what the program of a seat says about who ended first, or its end, which means the runner."""
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
