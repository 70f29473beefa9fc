"""The commands that need no control file. A command imports what it needs beyond click when it runs."""

from pathlib import Path
from typing import Any

import click

from gyoji.cli.options import (
    EVERY,
    GAME,
    KOMI,
    PARALLEL,
    PRESET,
    PROTOCOL,
    QUIET,
    RELAY,
    SET,
    SIZE,
    TRANSCRIPTS,
    UMPIRE,
)
from gyoji.scheduler.status import ExitStatus


@click.command()
@click.argument("commands", nargs=-1, required=True, metavar="COMMAND COMMAND...")
@click.option(
    "-n",
    "--games",
    type=click.IntRange(min=1),
    help="How many games each two players play; with --sprt, how many at most.  [default: 2; with --sprt any"
    " number]",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help="Name of a player: the first --name is for the first COMMAND.",
)
@click.option(
    "--for",
    "own",
    nargs=2,
    multiple=True,
    metavar="PLAYER KEY=VALUE",
    help="A setting of one player, as in its table of a control file: clock, protocol, max_memory ... PLAYER"
    " is its name, or 1 for the first COMMAND.",
)
@click.option(
    "--sprt",
    metavar="ELO0,ELO1[,ALPHA,BETA]",
    help="Test the first engine against the second, until it is decided: a sequential test of two Elo"
    " differences. ALPHA and BETA are its probabilities of error.",
)
@click.option(
    "--format",
    type=click.Choice(["allplayall", "gauntlet", "tables"]),
    help="All play all, or the first engine plays each of the others.  [default: all play all]",
)
@GAME
@UMPIRE
@RELAY
@PRESET
@PROTOCOL
@SIZE
@KOMI
@click.option(
    "--clock", help='Time control: "none", "10m", "8+0.08", "5m+3s", "10m + 3x30s", "40/300", "2s/move".'
)
@click.option(
    "--openings", metavar="FILE", help="Start games from these openings, each in two games in a row."
)
@click.option(
    "--move-limit", type=click.IntRange(min=1), help="Longest game, in moves.  [default: the game's, or 1000]"
)
@click.option(
    "--scorer",
    type=click.Choice(["players", "internal"]),
    help="Who counts the score.  [default: the game's: internal for Go, but players with --set ruleset=none]",
)
@SET
@click.option("--keep", type=click.Path(path_type=Path, file_okay=False), help="Folder for records and logs.")
@PARALLEL
@QUIET
@EVERY
@TRANSCRIPTS
def match(
    commands: tuple[str, ...], *, parallel: int | None, transcripts: bool, **options: Any
) -> ExitStatus:
    """Play a match between engines, without a control file.

    Prints the report. Colours alternate. Quote each COMMAND together with its options:

    \b
        gyoji match gyoji-kozo 'gyoji-kozo --random' --games 4
        gyoji match 'gnugo --mode gtp' 'python bot.py' --name gnugo --name mine
        gyoji match gyoji-kozo 'python bot.py' --for 1 clock=8+0.08 --for 2 clock=1m
        gyoji match 'python new.py' 'python old.py' --sprt 0,20 --clock 8+0.08
        gyoji match --umpire 'python nim.py' ./a ./b
    """
    from gyoji.cli.matching import play_match  # noqa: PLC0415
    from gyoji.scheduler.run import RunOptions  # noqa: PLC0415

    return play_match(commands, RunOptions(parallel=parallel, transcripts=transcripts), **options)


@click.command()
@click.argument("engine", metavar="COMMAND")
@GAME
@UMPIRE
@PRESET
@PROTOCOL
@SIZE
@KOMI
@click.option(
    "--colour", "--color", "side", metavar="SIDE", help="Your side.  [default: black, or the first]"
)
@click.option("--clock", help="Time control of both sides, as for `gyoji match`.  [default: none]")
@click.option("--untimed", is_flag=True, help="Only the engine has a clock; your time is unlimited.")
@click.option("--name", metavar="NAME", help="Your name in the record.  [default: the user who is logged in]")
@SET
@click.option(
    "--for",
    "own",
    multiple=True,
    metavar="KEY=VALUE",
    help="A setting of the engine, as in its table of a control file: suggestions=ask, max_memory ...",
)
@click.option(
    "--keep",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=".",
    show_default=True,
    help="Folder for the record of the game.",
)
@TRANSCRIPTS
def play(engine: str, **options: Any) -> ExitStatus:
    """Play a game against an engine in the terminal.

    Shows the board, asks for your moves, and writes a record of the game. Besides moves you can type undo,
    hint, play, limit, draw, resign and board; `help` says what they do. Ctrl-D leaves the game.

    \b
        gyoji play 'gnugo --mode gtp' --size 9 --colour white
        gyoji play pbrain-narabe --game gomoku
    """
    from gyoji.cli.playing import play_person  # noqa: PLC0415

    return play_person(engine, **options)


@click.command()
@click.argument(
    "folder", type=click.Path(path_type=Path, file_okay=False), default="gyoji-demo", metavar="[FOLDER]"
)
@click.option("--game", metavar="GAME", help="Game of the competition, such as chess: see the reference.")
def demo(folder: Path, game: str | None) -> ExitStatus:
    """Play a first competition, with programs that come with gyoji.

    Writes a control file, results and records into FOLDER, which is gyoji-demo if you name none. Takes less
    than 20 seconds, needs nothing but gyoji, and says what to do next.
    """
    from gyoji.cli.demo import play_demo  # noqa: PLC0415

    return play_demo(folder, game)


@click.command()
@click.argument("file", type=click.Path(path_type=Path), default="first.toml", metavar="[FILE]")
@GAME
@click.option(
    "--player",
    "commands",
    multiple=True,
    metavar="COMMAND",
    help="Command of a player, quoted together with its options; give one for each.",
)
@click.option("--name", "names", multiple=True, metavar="NAME", help="Name of a player, in the same order.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(
        ["playoff", "sprt", "allplayall", "gauntlet", "swiss", "knockout", "tables", "elimination"]
    ),
    help="Format of the competition.  [default: playoff of two players, else allplayall]",
)
@click.option(
    "-n",
    "--games",
    "number",
    type=click.IntRange(min=1),
    help="How many games; in a Swiss, how many rounds.  [default: by format]",
)
@click.option(
    "--clock", help="Time control of each player: see gyoji match --help.  [default: the game's, or 1m]"
)
def init(file: Path, **wishes: Any) -> ExitStatus:
    """Write a first control file, FILE, with comments.

    Without --player, two programs play that this machine has for the game. The file lists the others that it
    has. FILE is first.toml if you name none. A file that is there already is not overwritten.

    \b
        gyoji init
        gyoji init mine.toml --player 'python bot.py' --player gyoji-kozo --games 20
    """
    from gyoji.cli.writing import Wishes, write_first  # noqa: PLC0415

    return write_first(file, Wishes(**wishes))


BEGINNING = (demo, init)
DIRECT = (match, play)
"""Commands for games without a control file. BEGINNING has those for beginners."""
