"""The client of a run's control socket: sends one command and returns the answer."""

import json
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gyoji.core.faults import ConfigError
from gyoji.store.files import CompetitionFiles

LINE_LIMIT = 1 << 16
ANSWER_SECONDS = 5.0


class NotRunning(ConfigError):
    """The competition to which a command was sent is not being played now."""


def send_command(
    files: CompetitionFiles, command: Mapping[str, Any], *, seconds: float = ANSWER_SECONDS
) -> dict[str, Any]:
    """Send a JSON command to the run of a competition, and return the JSON answer.

    Args:
        files: The files of the competition, among them the control socket.
        seconds: Time to wait for the answer.

    Raises:
        NotRunning: The competition is not being played.
        ConfigError: The run does not answer in time, or cannot be reached.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(seconds)
        try:
            with short_address(files.socket) as address:
                connection.connect(address)
            connection.sendall(json.dumps(command).encode() + b"\n")
            answer = b""
            while not answer.endswith(b"\n"):
                if not (chunk := connection.recv(LINE_LIMIT)):
                    raise ConnectionResetError
                answer += chunk
        except (FileNotFoundError, NotADirectoryError, ConnectionError):
            raise NotRunning(f"{files.control_file}: this competition is not running") from None
        except TimeoutError:
            raise ConfigError(f"{files.control_file}: its run does not answer (is it suspended?)") from None
        except OSError as error:
            raise ConfigError(f"{files.socket}: cannot be reached: {error.strerror or error}") from None
    plain: dict[str, Any] = json.loads(answer)
    return plain


@contextmanager
def short_address(path: Path) -> Iterator[str]:
    """Yield an address of at most 108 bytes (`sun_path`, unix(7)) for a socket at a path of any length."""
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
