"""The organiser's control of runs: start, pause, stop, reload, how many games at once.

A token protects all of it. It is drawn when the server starts, and printed where that was done. The runs do
the work: this module forwards commands and returns their answers.
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
"""How long the trial of new players may take, before a run reads its control file again."""

MOST_SAID = 2000
"""Longest quote of that trial's output, in characters."""


class RunControl:
    """Control of the runs of one server.

    Attributes:
        token: Secret of the organiser, sent in a header.
        ticket: Secret that goes into the address of an event stream, to which browsers add no header. It
            lets its owner listen, nothing else.
    """

    def __init__(self) -> None:
        self.token = secrets.token_urlsafe(24)
        self.ticket = secrets.token_urlsafe(24)
        # Runs that were started here. They are asked for their status once in a while, or they stay zombies.
        self._runs: list[subprocess.Popen[bytes]] = []

    def check(self, request: Request) -> None:
        """Raise HTTPException 403 for a request without the token."""
        if not self.is_organiser(request):
            raise HTTPException(403, "this is for the organiser: open the link that `gyoji serve` prints")

    def is_organiser(self, request: Request) -> bool:
        """Return whether a request has the token."""
        kind, _, told = request.headers.get("authorization", "").partition(" ")
        return kind == "Steer" and hmac.compare_digest(told.encode(), self.token.encode())

    def is_listening(self, ticket: str) -> bool:
        """Return whether this is the organiser's ticket."""
        return hmac.compare_digest(ticket.encode(), self.ticket.encode())

    def obey(self, watched: WatchedCompetition, command: Mapping[str, Any]) -> dict[str, Any]:
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
                return {"ok": True}
            case "reload" if watched.run is not None:
                return _reload(watched.path)
            case str() as what if what in COMMANDS and watched.event is not None:
                given = {key: command[key] for key in _GIVEN.get(what, ()) if key in command}
                answer = send_command(watched.event.files, {"do": what, **given})
                if not answer.get("ok"):
                    raise ConfigError(str(answer.get("error")))
                return {"ok": True}
        raise HTTPException(400, f"do: expected start or one of {', '.join(COMMANDS)}")

    def start(self, control_file: Path, *, retries: bool = False) -> subprocess.Popen[bytes]:
        """Start a run in a session of its own: it goes on when the server ends.

        Its output goes to a file beside the control file. Raise ConfigError if that cannot be written.
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

    Commands that start engines get a process of their own: engines die with the thread that has started them,
    and threads here do not last. Raise ConfigError with `late` if the command takes longer than `seconds`.
    """
    try:
        return subprocess.run(
            [*_GYOJI, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        raise ConfigError(f"{late} within {seconds} s") from None


def _reload(control_file: Path) -> dict[str, Any]:
    """Let a run read its control file again, after a trial of new players. Raise ConfigError."""
    words = ("control", "--reload", "--", str(control_file))
    done = run_gyoji(*words, seconds=RELOAD_SECONDS, late="reload failed: the new players did not start")
    if done.returncode:
        said = (done.stdout + done.stderr).decode("utf-8", "replace").strip()
        raise ConfigError(printable(said, MOST_SAID) or f"reload failed: exit status {done.returncode}")
    return {"ok": True}


def output_of(control_file: Path) -> Path:
    """Return the file for the output of runs that the page starts."""
    return control_file.with_suffix(".out")
