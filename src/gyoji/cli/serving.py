"""`gyoji run --serve`: start the web server of `gyoji serve` beside a run. The server goes on when the run
ends.
"""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import IO

from gyoji.cli.exits import complain
from gyoji.core.faults import ConfigError

PORT = 8437
"""Default port of `gyoji serve`."""


# The server is a process of its own with its own session: Ctrl-C in the terminal ends the run, not the pages.
@contextmanager
def served(file: Path) -> Iterator[None]:
    """Start a server for the pages of a competition, and print its address. The server goes on after the
    block.

    Do nothing if the control file does not exist.

    Raises:
        ConfigError: The server does not start.
    """
    if not file.is_file():  # which the run itself complains of
        yield
        return
    port = PORT
    try:
        socket.create_server(("127.0.0.1", PORT)).close()
    except OSError:
        port = 0  # any other
    words = [sys.executable, "-m", "gyoji", "serve", "--port", str(port), str(file)]
    server = subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert server.stdout is not None
    address = server.stdout.readline().strip()
    if not address:
        server.wait()
        raise ConfigError("the pages cannot be served, for the reason above; nothing is played")
    complain(f"the pages of the competition: {address}")
    Thread(target=_pass_on, args=(server.stdout,), daemon=True).start()
    try:
        yield
    finally:
        if server.poll() is None:
            complain(f"the pages go on at {address} until you end them: kill {server.pid}")


def _pass_on(lines: IO[str]) -> None:
    """Print each line that the server writes, such as the links for human players, on stderr."""
    for line in lines:
        complain(line.rstrip())
