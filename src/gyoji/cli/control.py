"""`gyoji stop` and `gyoji control`: a competition that is being played is told how to go on."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from gyoji.cli.exits import complain
from gyoji.core.faults import ConfigError
from gyoji.core.text import legible_json
from gyoji.scheduler.control import ANSWER_SECONDS, send_command
from gyoji.scheduler.status import ExitStatus
from gyoji.store.files import CompetitionFiles

RELOAD_SECONDS = 600.0
"""How long a run may take to count all its games anew."""


def stop_file(path: Path) -> ExitStatus:
    """`gyoji stop`: the control file is not read, only looked for."""
    if not path.exists():
        raise ConfigError(f"{path}: there is no such control file")
    files = CompetitionFiles(path)
    try:
        answer = send_command(files, {"do": "stop"})
    except ConfigError as error:
        complain(str(error))
        return ExitStatus.COMPLETE
    waiting = answer.get("games", [])
    click.echo("stopping" + (f"; in progress: {' '.join(game['id'] for game in waiting)}" if waiting else ""))
    return ExitStatus.COMPLETE


def running(files: CompetitionFiles) -> dict[str, Any] | None:
    """The status of the run in progress, None if there is none or it does not answer."""
    try:
        answer = send_command(files, {"do": "status"})
    except ConfigError:
        return None
    return {key: value for key, value in answer.items() if key != "ok"}


def control_file(
    path: Path, *, parallel: int | None, pause: bool, resume: bool, reload: bool, status: bool
) -> ExitStatus:
    """The whole command: everything that is asked for, in an order that makes sense."""
    if not (parallel or pause or resume or reload or status):
        raise click.UsageError("say what to do: --parallel, --pause, --resume, --reload or --status")
    if pause and resume:
        raise click.UsageError("--pause and --resume contradict each other")
    if not path.exists():
        raise ConfigError(f"{path}: there is no such control file")
    files = CompetitionFiles(path)
    answer = _ask(files, {"do": "pause" if pause else "status"})
    if reload:
        from gyoji.cli.checking import check_newcomers  # noqa: PLC0415 - nothing else here starts engines
        from gyoji.cli.standing import open_event  # noqa: PLC0415

        if not check_newcomers(open_event(path), answer["players"]):
            complain(f"{path}: not read again: the competition goes on unchanged")
            return ExitStatus.HALTED
        answer = _ask(files, {"do": "reload"}, RELOAD_SECONDS)
    if parallel:
        answer = _ask(files, {"do": "parallel", "games": parallel})
    if resume:
        answer = _ask(files, {"do": "resume"})
    click.echo(legible_json(answer, indent=2) if status else state_line(answer))
    return ExitStatus.COMPLETE


def _ask(files: CompetitionFiles, command: Mapping[str, Any], seconds: float = ANSWER_SECONDS) -> Any:
    """Send a command to the run; its answer. Raises ConfigError if it refuses or does not answer."""
    answer = send_command(files, command, seconds=seconds)
    if not answer.pop("ok"):
        raise ConfigError(answer["error"])
    return answer


def state_line(status: Mapping[str, Any]) -> str:
    """How a run is, in one line.

    >>> state = {"stopping": None, "paused": False, "parallel": 2, "games": [], "remaining": 7}
    >>> state_line(state)
    '2 at once, 7 to be started'
    >>> state_line(state | {"paused": True, "games": [{"id": "0_1"}], "remaining": None})
    'paused, 2 at once, in progress: 0_1'
    """
    parts = [f"stopping: {status['stopping']}"] if status["stopping"] else []
    parts += ["paused"] if status["paused"] else []
    parts.append(f"{status['parallel']} at once")
    parts += [f"{status['remaining']} to be started"] if status["remaining"] is not None else []
    parts += [f"in progress: {' '.join(game['id'] for game in status['games'])}"] if status["games"] else []
    return ", ".join(parts)
