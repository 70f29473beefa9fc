"""The commands beside competitions: what is known of results, of records, of this machine."""

from pathlib import Path
from typing import Any

import click

from gyoji.scheduler.status import ExitStatus

FILE = click.argument("file", type=click.Path(path_type=Path), metavar="FILE")


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--anchor", "anchors", multiple=True, metavar="PLAYER=ELO", help="A rating that is given.")
@click.option(
    "--bootstrap",
    type=click.IntRange(min=20),
    metavar="N",
    help="Find the error bars by rating N draws from the pairs of games.",
)
@click.option("--seats", is_flag=True, help="Show the scores on either side.")
@click.option("--json", "form", flag_value="json", help="Print JSON for programs instead of text for people.")
@click.option("--csv", "form", flag_value="csv", help="Print the table as CSV.")
def ratings(
    files: tuple[Path, ...], *, anchors: tuple[str, ...], bootstrap: int | None, seats: bool, form: str | None
) -> ExitStatus:
    """Rate everybody in FILEs jointly, in Elo with error bars. Safe while they are being written.

    \b
        cup.toml cup.ctl   a competition: the results stored beside it
        cup.db             a store by itself
        games.csv          winner,loser,draw a line, or columns first,second,result
        games.pgn          tags White, Black, Result
    """
    from gyoji.cli.rating import rate_files  # noqa: PLC0415

    return rate_files(files, anchors=anchors, bootstrap=bootstrap, form=form or "text", seats=seats)


@click.command()
@click.argument("counts", nargs=-1, type=click.IntRange(min=0), metavar="[WON DRAWN LOST]")
@click.option("--elo0", type=float, default=0, show_default=True, help="The Elo of hypothesis H0.")
@click.option("--elo1", type=float, default=5, show_default=True, help="The Elo of hypothesis H1.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="How often H1 may be wrong.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="How often H0 may be wrong.")
@click.option(
    "--model",
    type=click.Choice(["normalized", "logistic", "bayeselo"]),
    default="normalized",
    show_default=True,
    help="What the Elo of the hypotheses means.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs instead of text for people.")
def sprt(counts: tuple[int, ...], **design: Any) -> ExitStatus:
    """Judge results by a sequential test, and tell how many games it needs.

    Three counts are of games, five of pairs of games with sides changed, from those of 0 points to those of
    2, in steps of a half; none at all ask for the number of games only.

    \b
        gyoji sprt --elo0 0 --elo1 5 520 310 480
        gyoji sprt --elo0 0 --elo1 5 12 130 320 150 18
    """
    from gyoji.cli.sprt import calculate  # noqa: PLC0415

    return calculate(counts, **design)


@click.command()
@click.argument("records", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RECORD...")
@click.option("--rules", metavar="RULES", help="Judge by these, whatever the file says.")
@click.option("--size", metavar="N", help="Columns and rows of the board: 15, or 20x15.")
@click.option("--komi", type=float, help="Points for White, whatever the file says.")
@click.option("--score", "is_scored", is_flag=True, help="Count a game that was not played out.")
@click.option("--all", "goes_on", is_flag=True, help="Leave out illegal moves and go on, to list them.")
def replay(records: tuple[Path, ...], *, size: str | None, **wanted: Any) -> ExitStatus:
    """Play recorded games over by the rules: is every move legal, is the result right?

    RECORD is a file, or a folder with all the records in it; of more than one file each game is a line.
    RULES are words of the game, as in a control file: a `ruleset` or `plain` for none, or a `rule`.

    \b
        gyoji replay --rules japanese game.sgf
        gyoji replay games/

    The status is 1 if a move is illegal, 2 if a file cannot be read.
    """
    from gyoji.cli.replaying import parse_size, replay_paths  # noqa: PLC0415
    from gyoji.core.replay import Wanted  # noqa: PLC0415

    return replay_paths(records, Wanted(size=parse_size(size) if size else None, **wanted))


@click.command()
@FILE
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs instead of text for people.")
@click.option(
    "--recover",
    "new",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="NEW.db",
    help="Save what can be read of a damaged database into a new one.",
)
def verify(file: Path, *, as_json: bool, new: Path | None) -> ExitStatus:
    """Judge every stored game again, and say what differs from what is stored.

    FILE is a control file or a database. Moves, clocks, results, who played whom, tables, record files and
    the database itself are looked at; a line for each difference. Safe while the competition runs.

    The status is 0 if nothing differs, 1 if something does, 2 if there is nothing to be looked at.
    """
    if new is not None:
        from gyoji.cli.recovering import recover_file  # noqa: PLC0415

        return recover_file(file, new, as_json=as_json)
    from gyoji.cli.verifying import verify_file  # noqa: PLC0415

    return verify_file(file, as_json=as_json)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs instead of text for people.")
def doctor(*, as_json: bool) -> ExitStatus:
    """Say what this machine has for containing engines, what it lacks, and what would mend that.

    The status is 0 if engines can be guarded and strangers' held strictly, else 1.
    """
    from gyoji.cli.doctoring import examine_machine  # noqa: PLC0415

    return examine_machine(as_json=as_json)


@click.command()
@FILE
@click.argument("game", required=False, metavar="[GAME]")
@click.option("--as", "who", metavar="NAME", help="Who is judging.  [default: who is logged in]")
def judge(file: Path, game: str | None, who: str | None) -> ExitStatus:
    """Rule games that a person decides: list them, or with GAME show that one and take commands.

    Commands come from standard input, one a line. Nothing is stored before `accept`; a ruling can be revised
    by another one, and all of them are kept. Refused while the competition runs.
    """
    from gyoji.cli.judging import judge_file  # noqa: PLC0415

    return judge_file(file, game, who=who)


TOOLS = (ratings, sprt, replay, verify, doctor, judge)
