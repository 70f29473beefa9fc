"""Exit statuses and error messages of commands: every error becomes one line on stderr and a status."""

# What is raised, whose mistake it is, and what the process returns:
#
#     click's exceptions    the command line                         2
#     ConfigError           the control file, an option              2
#     other GyojiError      something outside (a store, a disk)      1
#     OSError               likewise, where no module explains it    1
#     BrokenPipeError       the reader of stdout has gone (`| head`) 0
#     KeyboardInterrupt     a signal                                 3
#     anything else         a bug in gyoji                           4
#
# A run that ended has a status of its own (`ExitStatus`): halted 1, stopped 3, skipped games 5. Scripts rely
# on these numbers: docs/reference/command-line.md lists them.

import os
import re
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from gyoji.core.faults import ConfigError, GyojiError
from gyoji.core.installed import entry_points
from gyoji.core.text import legible
from gyoji.scheduler.status import ExitStatus

REPORT_BUGS = "this is a bug in gyoji: please report it with the lines above"
_COMMANDS = "gyoji.commands"
"""The entry-point group of commands of plug-ins."""
_PLUGGED_IN = {
    "serve": "Show competitions in browsers: watch, play and judge there.",
    "keys": "Make the keys with which a cluster's machines know each other.",
    "join": "Play in somebody's event with an engine that runs here.",
    "invite": "Make and revoke the addresses by which owners' engines join.",
    "adapt": "Translate between GTP and the USENIX protocol of 1984.",
    "field": "Check, draw and collect fields for games.",
}
"""Help lines of gyoji's own commands in the entry-point group `_COMMANDS`, by name. Importing these commands
would take most of the time of `--help`.
"""
FRAMES = 6
"""Number of calls of the traceback that an internal error shows."""


def say(text: str, *, nl: bool = True) -> None:
    """Print a text on stdout without its control characters.

    Args:
        nl: Whether to end the line.
    """
    click.echo(legible(text), nl=nl)


def complain(message: str) -> None:
    """Print a message on stderr, with "gyoji: " before each line. A closed stderr is ignored."""
    with suppress(OSError):
        for line in legible(message).splitlines():
            click.echo(f"gyoji: {line}", err=True)


class Application(click.Group):
    """A group of commands. Its process exits with the `ExitStatus` that the command returns, or with the
    status of the exception that the command raises.
    """

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command, and end the process with its status. A usage error is printed as one line."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, False, **extra)
        try:
            status = super().main(args, "gyoji", complete_var, False, **extra)
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            status = ExitStatus.USAGE
        except click.ClickException as error:
            complain(_usage(error, sys.argv[1:] if args is None else args))
            status = ExitStatus.USAGE
        except click.Abort as abort:
            complain(str(abort.__cause__ or "") or "interrupted")
            status = ExitStatus.STOPPED
        sys.exit(int(status or ExitStatus.COMPLETE))

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of their definition, those of plug-ins last."""
        return [*self.commands, *_further_commands()]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a help line for each command, without importing commands of plug-ins."""
        width = formatter.width - 6 - max(map(len, self.commands))
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, each.get_short_help_str(width)) for name, each in self.commands.items()]
            )
        if names := _further_commands():
            with formatter.section("Further commands"):
                formatter.write_dl(
                    [(name, _PLUGGED_IN.get(name, f"See `gyoji {name} --help`.")) for name in names]
                )

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command with this name, or None. A plug-in's command is imported now.

        Raises:
            ConfigError: The plug-in's command cannot be imported.
        """
        known = super().get_command(ctx, cmd_name)
        if known is not None or cmd_name not in _further_commands():
            return known
        from gyoji.core.plugins import Registry  # noqa: PLC0415

        return Registry(_COMMANDS, "command", click.Command).find(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command to run. Raise UsageError if the first argument is a control file."""
        if Path(args[0]).suffix in (".toml", ".ctl") and self.get_command(ctx, args[0]) is None:
            wish = args[1] if len(args) > 1 and args[1] in self.list_commands(ctx) else "run"
            raise click.UsageError(
                f"{args[0]!r} is no command; the command comes first: gyoji {wish} {args[0]}"
            )
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        return guarded(lambda: super(Application, self).invoke(ctx))


def _further_commands() -> list[str]:
    """Return the names of all commands that are registered as entry points, gyoji's own first.

    The commands are not imported.
    """
    names = {entry.name for entry in entry_points((_COMMANDS,))}
    return [*filter(names.__contains__, _PLUGGED_IN), *sorted(names - _PLUGGED_IN.keys())]


_ELSEWHERE: Mapping[str, str] = MappingProxyType(
    {
        "black": "a COMMAND in quotes with its own options, the first",
        "boardsize": "--size",
        "concurrency": "--parallel",
        "each": "any option without --for",
        "engine": "a COMMAND in quotes with its own options, and --name",
        "maxmoves": "--move-limit",
        "pgnout": "--keep",
        "ratinginterval": "--every",
        "rounds": "--games",
        "sgffile": "--keep",
        "srand": "--set seed=N",
        "st": "--clock 2s/move",
        "tc": "--clock",
        "time": "--clock",
        "timecontrol": "--clock",
        "variant": "--game",
        "white": "a COMMAND in quotes with its own options, the second",
    }
)
"""Options of cutechess-cli, gogui-twogtp and others, without dashes, and gyoji's option for the same."""


# A removed option is answered here, in one place: click then needs no parameter that does nothing.
REMOVED: Mapping[str, str] = MappingProxyType(
    {
        "ratings --bootstrap": "use gyoji sprt on pairs instead, which allows for the luck of openings",
        "ratings --pool-relative": "leave --anchor out instead: errors are then relative to the average",
        "ratings --relation": "use --anchor PLAYER=ELO+-ERROR for both players instead",
        "ratings --seats": "use --json instead, which has the results of each side",
        "ratings --table": "use --json instead, which has the likelihood of superiority of every two players",
        "verify --recover": "use `sqlite3 FILE.db .recover` instead",
        "show --plans": "use the record format dighere_summary instead",
        "init --yes": "leave it out: gyoji init asks nothing",
    }
)
"""Options that gyoji had once, and what to do instead."""


def _usage(error: click.ClickException, words: Sequence[str] = ()) -> str:
    """Return the message about a wrong command line as one line, with a remedy.

    Args:
        words: The command line.
    """
    message = " ".join(error.format_message().split())
    if isinstance(error, click.BadParameter):
        number = r"is not a valid (?:integer|float)(?: range)?\."
        message = re.sub(number, "is no number that fits here.", message)
    if not isinstance(error, click.MissingParameter | click.NoSuchOption) or error.ctx is None:
        return message
    ours = {option for param in error.ctx.command.params for option in param.opts}
    if isinstance(error, click.NoSuchOption):
        word = _typed(error.option_name, words)
        name = word.lstrip("-")
        if instead := REMOVED.get(f"{error.ctx.info_name} --{name}"):
            return f"{word}: removed: {instead}"
        here = f"--{name}" if f"--{name}" in ours else _ELSEWHERE.get(name, "")
        if here and (not here.startswith("--") or here.split()[0] in ours):
            return f"No such option '{word}'. Here it is {here}."
    return message if "Did you mean" in message else f"{message} See {error.ctx.command_path} --help."


def _typed(option: str, words: Sequence[str]) -> str:
    """Return an option as the user typed it in the command line `words`.

    click shortens a wrong option to its first letter: "-r" for a typed "-rounds".
    """
    typed = (
        word.partition("=")[0] for word in words if not option.startswith("--") and word.startswith(option)
    )
    return next(typed, option)


def guarded(work: Callable[[], Any]) -> Any:
    """Call `work`. Return its result, or the exit status of the error that it raised.

    click's own exceptions are raised again.
    """
    try:
        result = work()
        sys.stdout.flush()
        return result
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except ConfigError as error:
        complain(str(error))
        return ExitStatus.USAGE
    except GyojiError as error:
        complain(str(error))
        return ExitStatus.HALTED
    except BrokenPipeError:
        forget_stdout()
        return ExitStatus.COMPLETE
    except KeyboardInterrupt as interrupt:
        complain(str(interrupt) or "interrupted")
        return ExitStatus.STOPPED
    except OSError as error:
        what = error.strerror or type(error).__name__
        complain(f"{error.filename}: {what}" if error.filename else what)
        return ExitStatus.HALTED
    except Exception as error:  # noqa: BLE001 - whatever is left is a bug, and is said to be one
        for frame in traceback.extract_tb(error.__traceback__)[-FRAMES:]:
            click.echo(
                f"  {Path(frame.filename).name}:{frame.lineno} in {frame.name}: {frame.line}", err=True
            )
        click.echo(f"  {legible(''.join(traceback.format_exception_only(error)).strip())}", err=True)
        complain(REPORT_BUGS)
        return ExitStatus.INTERNAL


# Python flushes stdout once more at exit. Without this, that would fail again, with a traceback and status
# 120.
def forget_stdout() -> None:
    """Discard all further output, after the reader of stdout has gone."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
