"""The program that a relay's runner starts as a player: it connects its own pipes with those of the player.

::

    python -I -S seat_program.py FOLDER TOKEN

FOLDER has the socket of `gyoji.play.seat_door`, and TOKEN says which seat this is. gyoji answers with two
descriptors: the input and the output of the player, which it has started and contains. Status: that of the
player, 128 and the signal if one killed it; 0 if it has not ended; 1 if there is no such seat.
"""

# It imports nothing of gyoji: it has to start fast, and to run in the containment of any runner.
#
# One thread for each direction, as with two pipes: who does not read makes the other one wait, and nobody
# else. The player's descriptors do not block, because gyoji has them too.
#
# What ends first is told to gyoji in one byte. If the runner kills this program, gyoji reads the end of the
# connection, which means the same as RUNNER_ENDED.

import os
import select
import socket
import sys
from _thread import start_new_thread
from contextlib import suppress

DOOR = "door"
"""The name of the socket in its folder."""
TAKEN = b"+"
"""The answer to a token, together with the descriptors."""
PLAYER_ENDED = b"p"
"""The player has closed its output."""
RUNNER_ENDED = b"r"
"""The runner has closed its end of a pipe."""

_CHUNK = 1 << 16
_PATIENCE = 1.0  # seconds between the end of the player's output and that of its process


def main() -> int:
    folder, token = sys.argv[1:]
    os.chdir(folder)  # the path of a socket is short
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(DOOR)
        connection.sendall(token.encode())
        answer, descriptors, *_ = socket.recv_fds(connection, 1, 2)
    except OSError as error:
        sys.stderr.write(f"gyoji: this seat is closed: {error.strerror}\n")
        return 1
    if answer != TAKEN or len(descriptors) != 2:
        sys.stderr.write("gyoji: this seat is taken: it can be started once in a game\n")
        return 1
    to_player, from_player = descriptors
    start_new_thread(_to_the_player, (to_player, connection))
    status = 0
    try:
        _to_the_runner(from_player)
    except OSError:
        _tell(connection, RUNNER_ENDED)
    else:
        _tell(connection, PLAYER_ENDED)
        os.close(1)
        status = _status_of_player(connection)
    os._exit(status)  # the other thread may wait for the runner


def _status_of_player(connection: socket.socket) -> int:
    """Return the exit status that gyoji reports of the player; 0 if it has not ended."""
    connection.settimeout(_PATIENCE)
    try:
        return connection.recv(1)[0]
    except (OSError, IndexError):
        return 0


def _to_the_player(to_player: int, connection: socket.socket) -> None:
    """Pass on what the runner says, up to its end."""
    try:
        while data := os.read(0, _CHUNK):
            _write(to_player, data)
    except OSError:  # the player has closed its input, so the runner finds its end closed
        os.close(0)
        return
    _tell(connection, RUNNER_ENDED)
    os.close(to_player)


def _to_the_runner(from_player: int) -> None:
    """Pass on what the player says, up to its end. Raises OSError if the runner does not read any more."""
    waiting = select.poll()
    waiting.register(from_player, select.POLLIN)
    while True:
        waiting.poll()
        try:
            data = os.read(from_player, _CHUNK)
        except BlockingIOError:
            continue
        if not data:
            return
        while data:
            data = data[os.write(1, data) :]


def _write(descriptor: int, data: bytes) -> None:
    """Write all of the data to a descriptor that does not block. Raises OSError."""
    waiting = select.poll()
    waiting.register(descriptor, select.POLLOUT)
    while data:
        try:
            data = data[os.write(descriptor, data) :]
        except BlockingIOError:
            waiting.poll()


def _tell(connection: socket.socket, word: bytes) -> None:
    with suppress(OSError):  # gyoji is gone, and all of us with it
        connection.sendall(word)


if __name__ == "__main__":
    raise SystemExit(main())
