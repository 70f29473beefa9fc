"""The commands and their options. A command imports what it needs beyond click when it runs."""

# `gyoji --help` and completion in a shell import this module and need 70 ms in all. That is why commands
# import inside functions, and why some types are in quotes. tests/cli/test_cli_app.py has what may not be
# loaded.

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import gyoji
from gyoji.cli.direct import BEGINNING, DIRECT
from gyoji.cli.exits import Application
from gyoji.cli.options import EVERY, FILE, JSON, PARALLEL, QUIET, SET, SHARD, TRANSCRIPTS
from gyoji.cli.tools import TOOLS
from gyoji.scheduler.status import ExitStatus

if TYPE_CHECKING:
    from gyoji.pairing.shards import Shard

TABLES = (
    *("standings", "bracket", "matches", "cross", "ratings", "pairs", "totals", "sides", "endings", "losses"),
    *("thinking", "variations", "hosts", "games", "containment", "excluded", "changed", "skipped", "voids"),
)
"""Names of the tables of a report that `--table` takes."""

EPILOG = (
    "Exit status: 0 done, 1 halted or failed, 2 wrong command line or control file, "
    "3 stopped before the end, 4 internal error, 5 some games are skipped."
)


@click.group(
    cls=Application,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EPILOG,
)
@click.version_option(gyoji.__version__, prog_name="gyoji", message="%(prog)s %(version)s")
def app() -> None:
    """Run matches and competitions between programs that play games.

    FILE is a control file, in TOML or as gomill's .ctl. Results and records are written next to FILE. To
    begin, type: gyoji demo
    """


for command in BEGINNING:
    app.add_command(command)


@app.command()
@FILE
@PARALLEL
@click.option("-g", "--max-games", type=click.IntRange(min=1), metavar="N", help="Start at most N games.")
@click.option(
    "--retry", is_flag=True, help="Play again the games that were skipped, also those of suspended players."
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on all workers of the dask scheduler at ADDRESS, or of that scheduler file"
    " (docs/how-to/cluster.md).",
)
@click.option(
    "--hosts",
    metavar="HOST,...",
    help="Play on these hosts: a dask scheduler is started on the first and a worker on each, by ssh.",
)
@click.option(
    "--keys",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="With --cluster tls://... or --hosts: the keys of the cluster, as `gyoji keys` has made them.",
)
@QUIET
@EVERY
@TRANSCRIPTS
@SHARD
@click.option("--serve", is_flag=True, help="Show it in browsers as well, as `gyoji serve FILE` does.")
def run(file: Path, *, serve: bool, **options: Any) -> ExitStatus:
    """Play the competition of FILE, or continue it.

    Ctrl-X or `gyoji stop FILE` starts no more games and lets running games finish. A second Ctrl-X, or
    Ctrl-C, ends running games at once. The next run plays whatever is not finished.
    """
    from gyoji.cli.running import run_file  # noqa: PLC0415
    from gyoji.cli.serving import served  # noqa: PLC0415

    with served(file) if serve else nullcontext():
        return run_file(file, **options)


@app.command()
@FILE
@JSON
@click.option(
    "--seed", is_flag=True, help="Print only the seed. Anybody who has it can compute everything hidden."
)
@SHARD
@click.option("--game", metavar="ID", help="Show one game: its moves, and what engines thought of them.")
@click.option(
    "--timing",
    is_flag=True,
    help="With --game: show whether the time of each move was the engine's or gyoji's.",
)
def show(
    file: Path, *, shard: "Shard | None", as_json: bool, seed: bool, game: str | None, timing: bool
) -> ExitStatus:
    """Print the current standings. Safe while the competition runs."""
    if timing and game is None:
        raise click.UsageError("--timing is of one game: say which, with --game ID")
    from gyoji.cli.standing import show_file, show_game, show_seed  # noqa: PLC0415

    if game is not None:
        return show_game(file, game, timing=timing, as_json=as_json)
    return show_seed(file) if seed else show_file(file, as_json=as_json, shard=shard)


@app.command()
@FILE
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "bbcode", "csv", "json", "html"]),
    default="text",
    show_default=True,
    help="Format of the report. html is a page on which every game can be replayed.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    metavar="PATH",
    help="Write to PATH; - is standard output.  [default: next to FILE as .report or .html, else -]",
)
@click.option(
    "--games", metavar="N", default="200", show_default=True, help="List the newest N games, or all."
)
@click.option("--table", type=click.Choice(TABLES), help="Write only this table. Not for text and html.")
def report(file: Path, *, form: str, output: Path | None, games: str, table: str | None) -> ExitStatus:
    """Write the full report. Safe while the competition runs."""
    from gyoji.cli.reporting import report_file  # noqa: PLC0415

    return report_file(file, form=form, output=output, games=games, table=table)


@app.command()
@FILE
@click.option(
    "--to",
    "form",
    type=click.Choice(
        ["jsonl", "sgf", "pgn", "records", "told", "bayeselo", "candidates", "crosstable", "trf"]
    ),
    help="Games with moves: jsonl is JSON, a game per line; sgf is one collection; pgn has moves in comments;"
    " records is a file per game. told: everything that each seat was told (in games that support it)."
    " Results: bayeselo is PGN for BayesElo; candidates is CSV of a tuner's games; crosstable; trf is the"
    " report of a Swiss tournament.",
)
@click.option(
    "--samples",
    metavar="FORM",
    help="Instead of --to: training samples, csv or binpack, of a game that has them.",
)
@click.option("--game", metavar="ID", help="With --to jsonl, sgf, pgn, records or told: only this game.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Write to this file; with --to told: the prefix of the file names; with --to records: the folder"
    " (if not given, that of the competition's games).  [default: standard output]",
)
def export(file: Path, form: str | None, **wishes: Any) -> ExitStatus:
    """Print the games or results in another format. Safe while the competition runs."""
    from gyoji.cli.exporting import export_file  # noqa: PLC0415

    return export_file(file, form, **wishes)


@app.command()
@click.argument("file", type=click.Path(path_type=Path), metavar="[FILE]", required=False)
@click.option("--command", metavar="COMMAND", help="Probe this engine, without a control file.")
@click.option("--protocol", default="gtp", show_default=True, help="Protocol of COMMAND.")
@click.option("--umpire", metavar="COMMAND", help="Try this umpire, without a control file.")
@click.option("--quick", is_flag=True, help="Do only the check that `gyoji run` does.")
@click.option("--player", metavar="NAME", help="Test this player of FILE alone.")
@SET
@JSON
def check(
    file: Path | None,
    command: str | None,
    *,
    protocol: str,
    umpire: str | None,
    quick: bool,
    player: str | None,
    extra: tuple[str, ...],
    as_json: bool,
) -> ExitStatus:
    """Test the players of FILE, or one engine, against their protocol.

    Starts each player, sets up a game and probes it: every command of its protocol, what it supports, and
    what would lose it games. Plays no game. Shows what players write to stderr while a game is set up.

    An umpire is a program that decides games. It decides some in which the players answer at random, and
    each rule of the umpire's protocol is tested.

    \b
        gyoji check cup.toml
        gyoji check --protocol gomocup --command ./pbrain-mine
        gyoji check --umpire 'python nim.py' --set umpire.settings.heap=9
    """
    from gyoji.cli.checking import check_command, check_file  # noqa: PLC0415

    if [file, command, umpire].count(None) != 2:
        raise click.UsageError("give either FILE or --command or --umpire")
    if (file is None and (quick or player)) or (umpire is None and extra):
        raise click.UsageError("--quick and --player go with FILE only, --set with --umpire")
    if umpire is not None:
        from gyoji.cli.umpire_checking import try_umpire  # noqa: PLC0415

        return try_umpire(umpire, extra=extra, as_json=as_json)
    if file is not None:
        return check_file(file, quick=quick, player=player, as_json=as_json)
    assert command is not None, "one of the three is given"
    return check_command(command, protocol, as_json=as_json)


@app.command()
@FILE
def reset(file: Path) -> ExitStatus:
    """Delete all results and records of the competition.

    Does not ask for confirmation. Refused while the competition runs.
    """
    from gyoji.cli.standing import reset_file  # noqa: PLC0415

    return reset_file(file)


@app.command()
@FILE
@SHARD
def stop(file: Path, shard: "Shard | None") -> ExitStatus:
    """Stop a running competition once its running games have finished."""
    from gyoji.cli.control import stop_file  # noqa: PLC0415

    return stop_file(file, shard)


@app.command()
@FILE
@click.option("-j", "--parallel", type=click.IntRange(1, 1023), metavar="N", help="Play N games at once.")
@click.option("--pause", is_flag=True, help="Start no more games until --resume. Running games finish.")
@click.option("--resume", is_flag=True, help="Start games again.")
@click.option("--reload", is_flag=True, help="Read FILE again, for new players, new matchups or more games.")
@click.option("--retry", is_flag=True, help="Play again the games that were skipped.")
@click.option("--forfeit", nargs=2, metavar="GAME PLAYER", help="Have PLAYER lose a running game.")
@click.option("--restart", metavar="GAME", help="Play a running game again from its start.")
@click.option("--reason", metavar="TEXT", help="The reason of --forfeit or --restart, for the record.")
@click.option("--status", is_flag=True, help="Print running games and remaining work as JSON.")
@SHARD
def control(
    file: Path, *, forfeit: tuple[str, str] | None, restart: str | None, reason: str | None, **wishes: Any
) -> ExitStatus:
    """Change the running competition of FILE. Running games go on."""
    from gyoji.cli.control import control_file, rule_running  # noqa: PLC0415

    if forfeit or restart:
        if any(value for key, value in wishes.items() if key != "shard") or (forfeit and restart):
            raise click.UsageError("--forfeit and --restart stand alone, each with its --reason")
        game, player = forfeit or (restart, None)
        return rule_running(file, wishes["shard"], game=str(game), player=player, reason=reason)
    return control_file(file, **wishes)


for command in (*DIRECT, *TOOLS):
    app.add_command(command)
