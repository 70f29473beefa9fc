"""The program that a relay's runner starts as a player. It connects its own input and output with the pipes
of a player that gyoji has started.

::

    python -I -S seat_program.py FOLDER TOKEN

FOLDER contains the socket of `gyoji.play.pipe_server`, and TOKEN identifies the seat. gyoji answers with two
descriptors: the input and the output of the player, which runs in its own containment. The exit status is
that of the player, or 128 plus the number of the signal that killed it; 0 if the player has not ended; 1 if
the seat is not available.
"""

# No module of gyoji is imported, so that the program starts fast and runs in the containment of any runner.
#
# There is one thread for each direction, so that a side that does not read delays only its own direction. The
# player's descriptors are non-blocking, because gyoji shares them.
#
# Whichever side ends first is reported to gyoji in one byte. If the runner kills this program, gyoji reads
# the end of the connection, which has the meaning of RUNNER_ENDED.

import os
import select
import socket
import sys
from _thread import start_new_thread
from contextlib import suppress

SOCKET = "pipes"
"""The file name of the socket."""
TAKEN = b"+"
"""The byte that gyoji sends together with the descriptors if the token is valid."""
PLAYER_ENDED = b"p"
"""The byte that reports that the player has closed its output."""
RUNNER_ENDED = b"r"
"""The byte that reports that the runner has closed a pipe."""

_CHUNK = 1 << 16
_PATIENCE = 1.0  # seconds between the end of the player's output and that of its process


def main() -> int:
    folder, token = sys.argv[1:]
    os.chdir(folder)  # the path of a socket may not be long
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(SOCKET)
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
    """Return the player's exit status as gyoji reports it; 0 if the player has not ended."""
    connection.settimeout(_PATIENCE)
    try:
        return connection.recv(1)[0]
    except (OSError, IndexError):
        return 0


def _to_the_player(to_player: int, connection: socket.socket) -> None:
    """Copy the runner's data to the player until the runner or the player closes its end."""
    try:
        while data := os.read(0, _CHUNK):
            _write(to_player, data)
    except OSError:  # the player has closed its input, so the runner finds its end closed
        os.close(0)
        return
    _tell(connection, RUNNER_ENDED)
    os.close(to_player)


def _to_the_runner(from_player: int) -> None:
    """Copy the player's data to the runner until the player closes its output. Raises OSError if the runner
    has closed its input.
    """
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
    """Write all of the data to a non-blocking descriptor. Raises OSError if its reader has gone."""
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
