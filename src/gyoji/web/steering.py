"""The organiser's actions on the page: start, pause, stop, how many games at once, read the file again.

All of it stands behind a token that is drawn when the server starts, and shown where that was done. The runs
obey; this passes on what somebody asked for, and says what they answered.
"""

import hmac
import secrets
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request

from gyoji.core.faults import ConfigError
from gyoji.core.text import printable
from gyoji.scheduler.asking import send_command
from gyoji.web.following import Followed

COMMANDS = ("pause", "resume", "stop", "reload", "retry", "parallel", "rule")
"""Commands that a run is told as they are."""

_GIVEN = {"parallel": ("games",), "rule": ("decision", "game", "player", "reason")}
"""Keys that are passed on with a command."""


RELOAD_SECONDS = 300
"""Within which players that are new are tried."""

MOST_SAID = 2000
"""Characters of what is said of them."""


class Steering:
    """The organiser's access to the runs of a server.

    token: what has to be shown. ticket: what shows it where a browser sends no header, in the address of a
    stream of events; it is good for listening alone.
    """

    def __init__(self) -> None:
        self.token = secrets.token_urlsafe(24)
        self.ticket = secrets.token_urlsafe(24)
        self._runs: list[subprocess.Popen[bytes]] = []

    def check(self, request: Request) -> None:
        """Raise HTTPException for a request without the token."""
        if not self.is_organiser(request):
            raise HTTPException(403, "this is for the organiser: open the link that `gyoji serve` prints")

    def is_organiser(self, request: Request) -> bool:
        """Whether a request has the token."""
        kind, _, told = request.headers.get("authorization", "").partition(" ")
        return kind == "Steer" and hmac.compare_digest(told.encode(), self.token.encode())

    def is_listening(self, ticket: str) -> bool:
        """Whether that is the ticket."""
        return hmac.compare_digest(ticket.encode(), self.ticket.encode())

    def obey(self, followed: Followed, command: Mapping[str, Any]) -> dict[str, Any]:
        """Do what is asked of a competition's run; what it answers. Call it in a thread.

        Raises HTTPException for what is not known, ConfigError for what cannot be done.
        """
        match command.get("do"):
            case "start":
                return self._start(followed, retries=command.get("retry") is True)
            case "retry" if followed.run is None:
                return self._start(followed, retries=True)
            case "reload" if followed.run is not None:
                return _reload(followed.path)
            case str() as what if what in COMMANDS and followed.event is not None:
                given = {key: command[key] for key in _GIVEN.get(what, ()) if key in command}
                answer = send_command(followed.event.files, {"do": what, **given})
                if not answer.get("ok"):
                    raise ConfigError(str(answer.get("error")))
                return {"ok": True}
        raise HTTPException(400, f"do: expected start or one of {', '.join(COMMANDS)}")

    def _start(self, followed: Followed, *, retries: bool) -> dict[str, Any]:
        if followed.run is not None:
            raise ConfigError("it is running already")
        self.start(followed.path, retries=retries)
        return {"ok": True}

    def start(self, control_file: Path, *, retries: bool = False) -> subprocess.Popen[bytes]:
        """Begin a run, which goes on when the server ends. Its words go to a file beside the control file.

        Raises ConfigError.
        """
        words = [
            sys.executable,
            "-m",
            "gyoji",
            "run",
            str(control_file),
            "-q",
            *(["--retry"] if retries else []),
        ]
        log = output_of(control_file)
        try:
            with log.open("ab") as output:
                run = subprocess.Popen(
                    words,
                    cwd=control_file.parent,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
        except OSError as error:
            raise ConfigError(f"{log}: cannot be written: {error.strerror}") from None
        self._runs = [each for each in self._runs if each.poll() is None] + [run]
        return run


def _reload(control_file: Path) -> dict[str, Any]:
    """Have a run read its control file again; players that are new are tried before. Raises ConfigError."""
    words = [sys.executable, "-m", "gyoji", "control", "--reload", "--", str(control_file)]
    try:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, timeout=RELOAD_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise ConfigError(f"not read again: the new players are tried for {RELOAD_SECONDS} s") from None
    if done.returncode:
        said = (done.stdout + done.stderr).decode("utf-8", "replace").strip()
        raise ConfigError(printable(said, MOST_SAID) or "not read again: the check has failed")
    return {"ok": True}


def output_of(control_file: Path) -> Path:
    """The file with the words of runs that were begun on the page."""
    return control_file.with_suffix(".out")
