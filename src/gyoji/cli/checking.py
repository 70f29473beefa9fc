"""The startup checks: every player gets ready for a game once, before any game counts."""

import shlex
from collections.abc import Callable, Iterable
from pathlib import Path

import click

from gyoji.cli.compose import Event, open_event
from gyoji.cli.exits import complain
from gyoji.core.spec import GameSpec
from gyoji.core.text import format_duration, printable
from gyoji.runner.rehearsal import Rehearsal, rehearse
from gyoji.scheduler.status import ExitStatus

SHOWN = 500
"""Characters of a line about a player."""

Try = Callable[[GameSpec], Rehearsal]


def check_file(path: Path) -> ExitStatus:
    """`gyoji check`: a line or more a player as it goes, the engines' stderr left on ours."""
    checked = failed = 0
    for spec in open_event(path).competition.checks():
        rehearsal = rehearse(spec, inherit_stderr=True)
        checked += 1
        failed += bool(rehearsal.problems)
        for line in findings(spec.players[0].code, rehearsal):
            click.echo(line)
    if failed:
        complain(f"{failed} of {_players(checked)} failed the checks")
        return ExitStatus.HALTED
    return ExitStatus.COMPLETE


def check_before_run(event: Event, *, quiet: bool, attempt: Try = rehearse) -> bool:
    """The checks of `gyoji run`; what fails, and what a player cannot be told, goes to stderr."""
    specs = list(event.competition.checks())
    if event.setup.skip_player_checks:
        if not quiet:
            click.echo(f"checks of {_players(len(specs))} skipped: skip_player_checks is set")
        return True
    if not quiet:
        click.echo(f"checking {_players(len(specs))}")
    failed = [spec for spec in specs if not _passes(spec, attempt(spec))]
    if not failed:
        return True
    if event.setup.control_file:
        complain(f"not run; `gyoji check {shlex.quote(event.source)}` shows what the players write to stderr")
    return False


def findings(code: str, rehearsal: Rehearsal) -> Iterable[str]:
    """What a check found, a line each: that it can play, or why not; what it is not told; late trouble."""
    if rehearsal.problems:
        yield from _problems(code, rehearsal)
    else:
        called = f": {rehearsal.name}" if rehearsal.name else ""
        ready = format_duration(max(rehearsal.startup_ns // 10**6, 1) * 10**6)
        yield printable(f"player {code}: ok{called} (ready in {ready})", SHOWN)
    yield from _limits(code, rehearsal)
    for line in rehearsal.late:
        yield printable(f"player {code}: after the check: {_own(code, line)}", SHOWN)


def _passes(spec: GameSpec, rehearsal: Rehearsal) -> bool:
    code = spec.players[0].code
    for line in (*_problems(code, rehearsal), *_limits(code, rehearsal)):
        complain(line)
    return not rehearsal.problems


def _problems(code: str, rehearsal: Rehearsal) -> Iterable[str]:
    return [printable(f"player {code}: {_own(code, line)}", SHOWN) for line in rehearsal.problems]


def _limits(code: str, rehearsal: Rehearsal) -> Iterable[str]:
    return [f"player {code}: cannot be told {thing}; it must know by itself" for thing in rehearsal.unable]


def _own(code: str, line: str) -> str:
    """A line about a player without its name in front."""
    return line.removeprefix("player ").removeprefix(f"{code}: ")


def _players(number: int) -> str:
    return f"{number} player" if number == 1 else f"{number} players"
