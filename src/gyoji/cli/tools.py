"""The commands that run no competition: about results, game records, and this machine."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from gyoji.cli.options import FILE, JSON
from gyoji.core.faults import ConfigError
from gyoji.scheduler.status import ExitStatus

if TYPE_CHECKING:
    from gyoji.stats.scores import Scores


@click.command()
@FILE
@click.argument("count", type=click.IntRange(min=1), metavar="N")
def shard(file: Path, count: int) -> ExitStatus:
    """Divide a competition into N shards, which any machine can play.

    Writes a file, which every machine that plays a shard needs. The file has the secret of the competition:
    show it to nobody.

    \b
        gyoji shard cup.toml 8
        gyoji run cup.toml --shard 3/8          on any machine
        gyoji gather cup.toml cup.shards/*.db
    """
    from gyoji.cli.sharding import divide_file  # noqa: PLC0415

    return divide_file(file, count)


@click.command()
@FILE
@click.argument(
    "results", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False), metavar="DB..."
)
def gather(file: Path, results: tuple[Path, ...]) -> ExitStatus:
    """Join the results of shards in one competition.

    DB is the database of a shard, FILE the control file. Each game is taken once, however often its shard is
    given. Shards of another competition, or with other engines or settings, are refused. Exit status 3: some
    games are still missing.
    """
    from gyoji.cli.sharding import gather_files  # noqa: PLC0415

    return gather_files(file, results)


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option(
    "--anchor",
    "anchors",
    multiple=True,
    metavar="PLAYER=ELO[+-ERROR]",
    help="Fix this player's rating. With ERROR, half of a 95% interval, games may move it.",
)
@click.option("--relative-to", metavar="PLAYER", help="Print the errors of the distances to PLAYER.")
@click.option("--json", "form", flag_value="json", help="Print JSON for programs instead of text for people.")
@click.option("--csv", "form", flag_value="csv", help="Print the table as CSV.")
def ratings(files: tuple[Path, ...], *, form: str | None, **wishes: Any) -> ExitStatus:
    """Rate all players of FILEs in one Elo list, with error bars.

    Safe while competitions run. FILE is one of:

    \b
        cup.toml cup.ctl   a control file: the results stored next to it
        cup.db             a database of results
        games.csv          lines of winner,loser,draw or columns first,second,result
        games.pgn          games with the tags White, Black, Result
    """
    from gyoji.cli.rating import Wishes, rate_files  # noqa: PLC0415

    return rate_files(files, Wishes(form=form or "text", **wishes))


@click.command()
@click.argument("counts", nargs=-1, type=click.IntRange(min=0), metavar="[WON DRAWN LOST]")
@click.option("--elo0", type=float, default=0, show_default=True, help="Elo difference of hypothesis H0.")
@click.option("--elo1", type=float, default=5, show_default=True, help="Elo difference of hypothesis H1.")
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, help="Probability of accepting H1 wrongly."
)
@click.option(
    "--beta", type=float, default=0.05, show_default=True, help="Probability of accepting H0 wrongly."
)
@click.option(
    "--model",
    type=click.Choice(["normalized", "logistic", "bayesian", "cutechess"]),
    default="normalized",
    show_default=True,
    help="The Elo scale of the hypotheses.",
)
@JSON
def sprt(counts: tuple[int, ...], *, model: str, as_json: bool, **design: Any) -> ExitStatus:
    """Compute an SPRT from results, or the number of games it needs.

    Give three counts of games (won, drawn, lost), or five counts of pairs of games with sides swapped: pairs
    that brought 0, 1/2, 1, 1 1/2 and 2 points. Without counts it prints the expected number of games.

    \b
        gyoji sprt --elo0 0 --elo1 5 520 310 480
        gyoji sprt --elo0 0 --elo1 5 12 130 320 150 18
    """
    from gyoji.core.tables import json_ready  # noqa: PLC0415
    from gyoji.core.text import legible_json  # noqa: PLC0415
    from gyoji.stats.sprt import Model, Sprt  # noqa: PLC0415
    from gyoji.tables.rating_tables import sprt_facts, sprt_lines  # noqa: PLC0415

    try:
        test, scores = Sprt(model=Model(model), **design), _scores(counts)
        test.llr(scores)
    except ValueError as error:
        raise ConfigError(str(error)) from None
    if as_json:
        click.echo(legible_json(json_ready(sprt_facts(test, scores)), indent=2))
    else:
        click.echo("\n".join(sprt_lines(test, scores)))
    return ExitStatus.COMPLETE


def _scores(counts: tuple[int, ...]) -> "Scores":
    """Return the scores that typed counts stand for.

    Three counts are numbers of games: won, drawn, lost. Five are numbers of pairs of games: with 0, ½, 1, 1½
    and 2 points. Without counts the scores are empty.
    """
    from gyoji.stats.scores import GAME, PAIR, Scores  # noqa: PLC0415

    if len(counts) not in (0, GAME, PAIR):
        raise ConfigError(
            f"expected {GAME} counts, of games won, drawn and lost, or {PAIR}, of pairs from 0 to 2 points; "
            f"got {len(counts)}"
        )
    return Scores(counts[::-1] if len(counts) == GAME else counts) if counts else Scores.none(pairs=False)


@click.command()
@FILE
@click.option(
    "--check", "is_check", is_flag=True, help="Pair each round again, and print where the report differs."
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), metavar="PATH", help="Write to PATH."
)
@JSON
def pair(file: Path, *, is_check: bool, output: Path | None, as_json: bool) -> ExitStatus:
    """Pair the next round of a tournament by the Dutch system of FIDE.

    FILE is a tournament report (TRF): programs for chess tournaments write it, and `gyoji export --to trf`.
    Prints the number of pairs and, line by line, the numbers of White and Black; 0 stands for a bye.

    With --check the status is 1 if a round was not paired as the rules say.
    """
    from gyoji.cli.pairing import pair_file  # noqa: PLC0415

    if is_check and output is not None:
        raise click.UsageError("--output is of the next round, which --check does not pair")
    return pair_file(file, output=output, is_check=is_check, as_json=as_json)


@click.command()
@click.argument("records", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RECORD...")
@click.option("--rules", metavar="RULES", help="Use these rules, whatever the record says.")
@click.option("--size", metavar="N", help="Board size: 15, or columns and rows as 20x15.")
@click.option("--komi", type=float, help="Points for White, whatever the record says.")
@click.option("--score", "is_scored", is_flag=True, help="Also score games that were not played out.")
@click.option("--all", "goes_on", is_flag=True, help="Skip illegal moves and go on, to list them all.")
def replay(records: tuple[Path, ...], *, size: str | None, **wanted: Any) -> ExitStatus:
    """Replay recorded games, and check each move and the result.

    RECORD is a file, or a folder of files; with several files each game is one line. RULES is a name as in a
    control file: for Go a `ruleset`, or `none`; for gomoku a `rule`.

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
@JSON
def verify(file: Path, *, as_json: bool) -> ExitStatus:
    """Referee every stored game again, and print all differences.

    FILE is a control file or a database. Checks moves, clocks, results, who played whom, record files and
    the database itself. Prints one line per difference. Safe while the competition runs.

    The status is 0 if nothing differs, 1 if something does, 2 if there is nothing to check.
    """
    from gyoji.cli.verifying import verify_file  # noqa: PLC0415

    return verify_file(file, as_json=as_json)


@click.command()
@JSON
def doctor(*, as_json: bool) -> ExitStatus:
    """Show what this machine has and lacks to contain engines.

    docs/how-to/trouble.md says what to do about missing layers. The status is 0 if both levels, guarded and
    strict, can be had, else 1.
    """
    from gyoji.cli.containment import examine_machine  # noqa: PLC0415

    return examine_machine(as_json=as_json)


@click.command()
@FILE
@click.argument("game", required=False, metavar="[GAME]")
@click.option(
    "--as", "who", metavar="NAME", help="Name of the person who judges.  [default: the user who is logged in]"
)
@click.option("--ask", metavar="PLAYER", help="Print the opinion of this player about GAME; give no ruling.")
@click.option("--json", "as_json", is_flag=True, help="With --ask: print it as JSON.")
def judge(file: Path, game: str | None, *, who: str | None, ask: str | None, as_json: bool) -> ExitStatus:
    """Decide games that wait for a person: list them, or rule on GAME.

    Without GAME, lists the games that wait. With GAME, shows that game and reads commands from standard
    input, one per line. Nothing is stored before `accept`. A later ruling replaces an earlier one, and all
    rulings are kept. Refused while the competition runs.
    """
    from gyoji.cli.judging import ask_player, judge_file  # noqa: PLC0415

    if ask is not None and game is not None:
        return ask_player(file, game, ask, as_json=as_json)
    if ask is not None or as_json:
        raise click.UsageError("--ask goes with GAME, and --json with --ask")
    return judge_file(file, game, who=who)


@click.command()
@FILE
@click.option("--host", required=True, metavar="NAME", help="The host, as `gyoji show` names it.")
@click.option("--because", required=True, metavar="TEXT", help="The reason, which goes into the record.")
@click.option("--as", "who", metavar="NAME", help="Who does it.  [default: the user who is logged in]")
def purge(file: Path, host: str, *, because: str, who: str | None) -> ExitStatus:
    """Take back all games that were played on a host.

    The games stay on record, but do not count any more. They are played again: at once if a run goes on,
    else in the next run.
    """
    from gyoji.cli.control import purge_file  # noqa: PLC0415
    from gyoji.cli.judging import login  # noqa: PLC0415

    return purge_file(file, host, because=because, who=who or login() or "somebody")


@click.command()
@click.argument("to", required=False, type=click.Path(path_type=Path, file_okay=False), metavar="[FOLDER]")
def examples(to: Path | None) -> ExitStatus:
    """List the examples of gyoji, or copy them into FOLDER.

    They are control files, each with a comment that says what it is for.

    \b
        gyoji examples
        gyoji examples first && gyoji run first/quickstart.toml
    """
    from gyoji.cli.examples import copy_examples, list_examples  # noqa: PLC0415

    return copy_examples(to) if to else list_examples()


@click.command()
@FILE
@click.argument("game", metavar="GAME")
@click.option("--player", metavar="NAME", help="The engine.  [default: the first player that can analyse]")
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(0.01, 3600),
    default=1.0,
    show_default=True,
    metavar="SECONDS",
    help="How long it thinks about each position.",
)
@click.option(
    "--lines",
    type=click.IntRange(1, 20),
    default=3,
    show_default=True,
    metavar="N",
    help="Variations of each position.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each position.")
def analyse(
    file: Path, game: str, *, player: str | None, seconds: float, lines: int, as_json: bool
) -> ExitStatus:
    """Have an engine analyse a finished game.

    For each position it tells its evaluation and the best variations. It is started and contained as in a
    game. Nothing is stored. GTP engines need `kata-analyze` or `lz-analyze`; any UCI engine can analyse.
    """
    from gyoji.cli.analysing import analyse_file  # noqa: PLC0415

    return analyse_file(file, game, code=player, ns=round(seconds * 1e9), lines=lines, as_json=as_json)


@click.command(context_settings={"allow_interspersed_args": False})
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED, metavar="[--] COMMAND...")
@click.option(
    "--sandbox",
    type=click.Choice(("guarded", "strict")),
    default="guarded",
    show_default=True,
    help="Level of containment, as in a control file.",
)
@click.option("--memory", metavar="SIZE", help="Limit on all that it starts together, such as 1GB.")
@click.option("--network", is_flag=True, help="Give it the machine's network.")
@click.option(
    "--readable",
    multiple=True,
    type=click.Path(exists=True, resolve_path=True),
    metavar="PATH",
    help="Let it read this file or folder at strict.",
)
@click.option(
    "--writable",
    multiple=True,
    type=click.Path(exists=True, resolve_path=True),
    metavar="PATH",
    help="Let it change this file or folder.",
)
def contain(
    command: tuple[str, ...],
    *,
    sandbox: "Literal['guarded', 'strict']",
    memory: str | None,
    network: bool,
    readable: tuple[str, ...],
    writable: tuple[str, ...],
) -> int:
    """Start an engine contained, for a manager such as fastchess.

    The engine has the standard files, the working folder and the environment of this command, but for
    secrets. What it writes is gone with it, except to PATH of --writable. Signals are passed on to it. It
    ends with this command, however that ends.

    \b
        fastchess -engine cmd=gyoji args="contain --sandbox strict -- ./engine" name=new ...

    The status is the engine's; 128+N if signal N ended it, 127 if there is no such program, 126 if it cannot
    be executed, 125 if it cannot be contained, 2 for a wrong command line.
    """
    from gyoji.cli.containing import contain as contain_engine  # noqa: PLC0415
    from gyoji.core.spec import Containment  # noqa: PLC0415
    from gyoji.core.text import parse_size  # noqa: PLC0415

    try:
        most = parse_size(memory) if memory else 0
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--memory") from None
    wanted = Containment(level=sandbox, readable=readable, writable=writable, network=network)
    return contain_engine(command, wanted, most)


TOOLS = (examples, shard, gather, ratings, sprt, pair, replay, verify, doctor, contain, judge, analyse, purge)
