"""Commands to a run in progress: `gyoji stop`, `control` and `purge`, which also works between runs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from gyoji.cli.exits import complain, say
from gyoji.core.faults import ConfigError
from gyoji.core.text import counted, legible_json
from gyoji.pairing.shards import Shard
from gyoji.scheduler.control_client import ANSWER_SECONDS, NotRunning, send_command
from gyoji.scheduler.event import Event
from gyoji.scheduler.shards_file import shard_files
from gyoji.scheduler.status import ExitStatus
from gyoji.store.files import CompetitionFiles

RELOAD_SECONDS = 600.0
"""Seconds that a run may take to count all its games again."""


def _files(path: Path, shard: Shard | None = None) -> CompetitionFiles:
    """Return the files of a competition, or of one of its shards.

    The control file is not read, so that a run can be stopped while the file is being edited.

    Raises:
        ConfigError: There is no control file.
    """
    if not path.exists():
        raise ConfigError(f"{path}: there is no such control file")
    return shard_files(path, shard) if shard else CompetitionFiles(path)


def stop_file(path: Path, shard: Shard | None = None) -> ExitStatus:
    """Carry out `gyoji stop`: running games finish, and no more are started."""
    files = _files(path, shard)
    try:
        answer = send_command(files, {"do": "stop"})
    except NotRunning as error:
        complain(f"{error}: there is nothing to stop")
        return ExitStatus.COMPLETE
    waiting = answer.get("games", [])
    click.echo("stopping" + (f"; in progress: {' '.join(game['id'] for game in waiting)}" if waiting else ""))
    return ExitStatus.COMPLETE


def run_status(files: CompetitionFiles) -> dict[str, Any] | None:
    """Return the status of the run in progress; None if there is none or it does not answer."""
    try:
        answer = send_command(files, {"do": "status"})
    except ConfigError:
        return None
    return {key: value for key, value in answer.items() if key != "ok"}


# The order matters: nothing starts between --pause and the other changes, and --resume comes last.
def control_file(
    path: Path,
    *,
    shard: Shard | None,
    parallel: int | None,
    pause: bool,
    resume: bool,
    reload: bool,
    retry: bool,
    status: bool,
) -> ExitStatus:
    """Carry out the options of `gyoji control` in a fixed order, and print the state of the run."""
    if not (parallel or pause or resume or reload or retry or status):
        raise click.UsageError("say what to do: --parallel, --pause, --resume, --reload, --retry or --status")
    if pause and resume:
        raise click.UsageError("--pause and --resume contradict each other")
    files = _files(path, shard)
    answer = _ask(files, {"do": "pause" if pause else "status"})
    if reload:
        from gyoji.cli.checking import check_newcomers  # noqa: PLC0415 - nothing else here starts engines

        event = Event.open(path, complain)
        if answer.get("hosts"):
            click.echo("new players are tried on each host, before they play there")
        elif not check_newcomers(event, answer["players"]):
            complain(f"{path}: reload failed: the competition goes on unchanged")
            return ExitStatus.HALTED
        answer = _ask(files, {"do": "reload"}, RELOAD_SECONDS)
    if retry:
        answer = _ask(files, {"do": "retry"}, RELOAD_SECONDS)
    if parallel:
        answer = _ask(files, {"do": "parallel", "games": parallel})
    if resume:
        answer = _ask(files, {"do": "resume"})
    click.echo(legible_json(answer, indent=2) if status else state_line(answer))
    return ExitStatus.COMPLETE


def rule_running(
    path: Path, shard: Shard | None, *, game: str, player: str | None, reason: str | None
) -> ExitStatus:
    """End a running game: `player` loses it, or the game is played again if `player` is None.

    Args:
        reason: The organiser's reason, for the record. None is a usage error.
    """
    if reason is None:
        raise click.UsageError("give a --reason: it goes into the record")
    decision = {"decision": "restart"} if player is None else {"decision": "forfeit", "player": player}
    answer = _ask(_files(path, shard), {"do": "rule", "game": game, "reason": reason, **decision})
    click.echo(state_line(answer))
    return ExitStatus.COMPLETE


def purge_file(path: Path, host: str, *, because: str, who: str) -> ExitStatus:
    """Carry out `gyoji purge`: invalidate all games of a host, so that they are played again.

    Args:
        because: The organiser's reason.
        who: Name of the organiser.

    Raises:
        ConfigError: The host has no games that count, the reason is empty, or the run refuses the command.
    """
    from gyoji.play.loop import time_of_day  # noqa: PLC0415
    from gyoji.scheduler.ruling import between_runs, purge  # noqa: PLC0415 - imports the referee

    event = Event.open(path, complain)
    if run_status(event.files) is not None:
        command = {"do": "purge", "host": host, "because": because, "who": who}
        click.echo(state_line(_ask(event.files, command, RELOAD_SECONDS)))
        return ExitStatus.COMPLETE
    with between_runs(event) as store:
        taken_back = purge(store, host, because=because, who=who, when=time_of_day())
    games = counted(len(taken_back.games), "game")
    say(f"{games} of host {host} taken back: `gyoji run {path}` plays them again")
    return ExitStatus.COMPLETE


def _ask(files: CompetitionFiles, command: Mapping[str, Any], seconds: float = ANSWER_SECONDS) -> Any:
    """Send a command to the run, and return its answer. Raise ConfigError if it refuses or is silent."""
    answer = send_command(files, command, seconds=seconds)
    if not answer.pop("ok"):
        raise ConfigError(answer["error"])
    return answer


def state_line(status: Mapping[str, Any]) -> str:
    """Return the state of a run in one line.

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
