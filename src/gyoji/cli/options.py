"""Options and arguments that several commands share."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from gyoji.core.installed import entry_points

JSON = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON for programs instead of text for people."
)
FILE = click.argument("file", type=click.Path(path_type=Path), metavar="FILE")


# click would want the class when the command is defined; it is imported when a value is parsed.
def _parsed_by(module: str, name: str) -> Callable[[click.Context, click.Parameter, str | None], Any]:
    """Return a click callback that parses the text of an option by the class method `parse` of a class.

    Args:
        module: The module of the class. It is imported when the option is given.
        name: The name of the class.
    """

    def parse(context: click.Context, param: click.Parameter, value: str | None) -> Any:
        try:
            return None if value is None else getattr(import_module(module), name).parse(value)
        except ValueError as error:
            raise click.BadParameter(str(error), context, param) from None

    return parse


SHARD = click.option(
    "--shard",
    callback=_parsed_by("gyoji.pairing.shards", "Shard"),
    metavar="N/M",
    help="Part N of the M that `gyoji shard` has made.",
)


EVERY = click.option(
    "--every",
    callback=_parsed_by("gyoji.cli.display", "Every"),
    metavar="N|TIME",
    help="Where stdout is no terminal: print progress, standings, Elo, LLR, a tuner's estimate every N"
    " games or every TIME such as 5m; never: not at all.  [default: 10m, with --quiet never]",
)


def _names_of(group: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Return a function with which click completes names of entry points in the group "gyoji.GROUP".

    The objects behind the names are not imported.
    """

    def complete(context: click.Context, param: click.Parameter, begun: str) -> list[str]:
        del context, param
        names = {entry.name for entry in entry_points((f"gyoji.{group}",))}
        return sorted(name for name in names if name.startswith(begun))

    return complete


GAME_NAMES, PROTOCOL_NAMES = _names_of("games"), _names_of("protocols")
"""Completions of names for shells."""

GAME = click.option("--game", help="Name of the game.  [default: go]", shell_complete=GAME_NAMES)
UMPIRE = click.option(
    "--umpire",
    metavar="COMMAND",
    help="Play the game that this program decides (docs/reference/umpire-protocol.md). Its settings:"
    " --set umpire.seats=2, --set umpire.settings.KEY=VALUE.",
)
RELAY = click.option(
    "--relay",
    metavar="COMMAND",
    help="Play games that this program runs: it starts the players itself, as {seat1}, {seat2} ... Where the"
    " result is: --set relay.result.json=PATH, or pattern, or status.",
)
PRESET = click.option("--preset", metavar="NAME", help="Use this preset of the game: a set of settings.")
SIZE = click.option(
    "--size", "board_size", type=int, help="Size of the board.  [default: 9 in go, else the game's]"
)
KOMI = click.option("--komi", type=float, help="Points for White.  [default: 7.5]")
PARALLEL = click.option(
    "-j",
    "--parallel",
    type=click.IntRange(1, 1023),
    metavar="N",
    help="Play N games at once, each in its own worker process.",
)
TRANSCRIPTS = click.option(
    "--transcripts",
    "--log-gtp",
    is_flag=True,
    help="Keep every line between gyoji and the engines, with direction and time, in one file per game.",
)
QUIET = click.option("-q", "--quiet", is_flag=True, help="Print nothing but warnings and errors, on stderr.")
PROTOCOL = click.option(
    "--protocol",
    help="Protocol of the engines.  [default: the game's, or gtp]",
    shell_complete=PROTOCOL_NAMES,
)
SET = click.option(
    "--set",
    "extra",
    multiple=True,
    metavar="KEY=VALUE",
    help="Set any other setting of a control file, such as ruleset=japanese.",
)
