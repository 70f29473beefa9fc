"""The organiser's control of runs: start, pause, stop, reload, how many games at once.

All of it needs the organiser's token, which is drawn at random when the server starts and printed on its
terminal. This module forwards commands to the runs and returns their answers.
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
from gyoji.scheduler.control_client import send_command
from gyoji.web.watched import WatchedCompetition

COMMANDS = ("pause", "resume", "stop", "reload", "retry", "parallel", "rule")
"""Commands that are forwarded to a run."""

_GIVEN = {"parallel": ("games",), "rule": ("decision", "game", "player", "reason")}
"""Keys that are forwarded with a command."""

RELOAD_SECONDS = 300
"""Seconds that `gyoji control --reload` may take, which checks new players first."""
MOST_SAID = 2000
"""Longest quote of the output of `gyoji control --reload`, in characters."""


class RunControl:
    """Control of the runs of one server, for the organiser.

    Attributes:
        token: Secret of the organiser, which scripts and pages send in a header.
        ticket: Second secret, for the address of an event stream, because browsers send no header for that.
            Its holder can only listen.
    """

    def __init__(self) -> None:
        self.token = secrets.token_urlsafe(24)
        self.ticket = secrets.token_urlsafe(24)
        # Runs that were started here. `start` polls those that have ended, which would stay zombies
        # otherwise.
        self._runs: list[subprocess.Popen[bytes]] = []

    def check(self, request: Request) -> None:
        """Raise HTTPException 403 if a request does not have the organiser's token."""
        if not self.is_organiser(request):
            raise HTTPException(403, "this is for the organiser: open the link that `gyoji serve` prints")

    def is_organiser(self, request: Request) -> bool:
        """Return whether a request has the organiser's token."""
        kind, _, told = request.headers.get("authorization", "").partition(" ")
        return kind == "Steer" and hmac.compare_digest(told.encode(), self.token.encode())

    def is_ticket(self, ticket: str) -> bool:
        """Return whether a text is the organiser's ticket, the secret in the address of an event stream."""
        return hmac.compare_digest(ticket.encode(), self.ticket.encode())

    def obey(self, watched: WatchedCompetition, command: Mapping[str, Any]) -> None:
        """Carry out a command about the run of a competition. Call it in a thread.

        Raises:
            HTTPException: The command is unknown (status 400).
            ConfigError: The run refuses it, or does not answer.
        """
        match command.get("do"):
            case "start" | "retry" as what if what == "start" or watched.run is None:
                if watched.run is not None:
                    raise ConfigError("it is running already")
                self.start(watched.path, retries=what == "retry" or command.get("retry") is True)
            case "reload" if watched.run is not None:
                _reload(watched.path)
            case str() as what if what in COMMANDS and watched.event is not None:
                given = {key: command[key] for key in _GIVEN.get(what, ()) if key in command}
                answer = send_command(watched.event.files, {"do": what, **given})
                if not answer.get("ok"):
                    raise ConfigError(str(answer.get("error")))
            case _:
                raise HTTPException(400, f"do: expected start or one of {', '.join(COMMANDS)}")

    def start(self, control_file: Path, *, retries: bool = False) -> subprocess.Popen[bytes]:
        """Start a run of a control file, which goes on when the server ends.

        Its output is appended to a file beside the control file.

        Args:
            retries: Whether it plays skipped games again.

        Raises:
            ConfigError: The file for the output cannot be written.
        """
        log = output_of(control_file)
        try:
            with log.open("ab") as output:
                run = subprocess.Popen(
                    [*_GYOJI, "run", str(control_file), "-q", *(["--retry"] if retries else [])],
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


_GYOJI = (sys.executable, "-m", "gyoji")


def run_gyoji(*words: str, seconds: int, late: str) -> subprocess.CompletedProcess[bytes]:
    """Run a gyoji command to its end, and return its output. Call it in a thread.

    A command that starts engines needs a process of its own: engines die with the thread that has started
    them, and the server's threads may end at any time.

    Args:
        words: The words of the command line after "gyoji".
        seconds: Longest time that the command may take.
        late: Beginning of the error message for a command that took too long; " within N s" is added.

    Raises:
        ConfigError: The command took too long.
    """
    try:
        return subprocess.run(
            [*_GYOJI, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        raise ConfigError(f"{late} within {seconds} s") from None


def _reload(control_file: Path) -> None:
    """Let a run read its control file again, after a check of its new players.

    Raises:
        ConfigError: A new player does not work, or the run refuses the file.
    """
    words = ("control", "--reload", "--", str(control_file))
    done = run_gyoji(*words, seconds=RELOAD_SECONDS, late="reload failed: the new players did not start")
    if done.returncode:
        said = (done.stdout + done.stderr).decode("utf-8", "replace").strip()
        raise ConfigError(printable(said, MOST_SAID) or f"reload failed: exit status {done.returncode}")


def output_of(control_file: Path) -> Path:
    """Return the path of the file with the output of runs that were started on the page."""
    return control_file.with_suffix(".out")
