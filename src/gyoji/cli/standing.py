"""`gyoji show`: print the standings of a competition. `gyoji reset`: delete its results."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from gyoji.cli.control import run_status
from gyoji.cli.exits import complain, say
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.ports import supports
from gyoji.core.tables import HasShown
from gyoji.core.text import counted, legible_json
from gyoji.pairing.shards import Shard
from gyoji.report.text import text_lines
from gyoji.scheduler.event import Endings, Event, Fold, event_values, repeated_part, text_part, totals_part
from gyoji.scheduler.status import ExitStatus
from gyoji.store.files import reset
from gyoji.tables.digest import ResultsDigest
from gyoji.tables.host_results import hosts_table, running_table
from gyoji.tables.notes import remarks


def fold(event: Event, *others: Fold) -> int:
    """Add the stored results that count, and the skipped games, to the competition. Return the number of void
    games.

    Args:
        others: Further objects that get each result that counts, but no skipped games.

    Raises:
        ConfigError: The database is missing, damaged, of a newer gyoji or of another competition.
    """
    with event.read() as store:
        event.count(store, *others)
    return event.failures.count


def void_line(number: int) -> str:
    """Return the line that counts void games, for displays and reports."""
    return f"{counted(number, 'void game')}; see the log file."


def show_file(path: Path, *, as_json: bool, shard: Shard | None = None) -> ExitStatus:
    """Print the standings, or all values as JSON."""
    event = Event.open(path, complain, shard)
    endings, digest = Endings(counts=as_json), ResultsDigest(event.setup.players)
    voids = fold(event, endings, digest)
    if as_json:
        now = {"running": run_status(event.files), "secret_seed": event.setup.is_seed_secret}
        say(legible_json({**event_values(event, endings, digest), **now}, indent=2))
        return ExitStatus.COMPLETE
    if voids:
        click.echo(void_line(voids))
    tables = event.tables()
    shown = list(text_lines(tables.shown() if supports(tables, HasShown) else tables.screen()))
    if shown and not shown[-1]:  # what follows begins with a blank line itself
        del shown[-1]
    for line in shown if endings.games else ["no results yet"]:
        say(line)
    run = run_status(event.files) or {}
    told = (
        *text_part(running_table(run.get("hosts", ()))),
        *_attendance(run.get("there", {})),
        *totals_part(event, digest),
        *repeated_part(digest),
        *text_part(hosts_table(digest.hosts)),
        *remarks(event.comparison, event.failures),
    )
    for line in told:
        say(line)
    if endings.waiting:
        click.echo(f"waiting for the judge: {' '.join(endings.waiting)}")
    return ExitStatus.COMPLETE


def _attendance(there: Mapping[str, bool]) -> Iterator[str]:
    """Yield a line with the human and remote players who are there, and a line with those who are not.

    Args:
        there: Whether each of these players is there, by name.
    """
    for word, is_there in (("here", True), ("not here", False)):
        if players := [player for player, each in there.items() if each is is_there]:
            yield f"{word}: {', '.join(players)}"


# Without the setting `seed`, the first run draws a seed and stores it: there is none before.
def show_seed(path: Path) -> ExitStatus:
    """Print the seed of the competition. Another competition with this seed plays the same games.

    Raises:
        ConfigError: The control file has no seed, and no run has drawn one yet.
    """
    event = Event.open(path, complain)
    if event.setup.draws_seed and not event.files.database.exists():
        raise ConfigError(f"{path}: there is no seed yet: the first run draws it")
    click.echo(event.setup.seed)
    return ExitStatus.COMPLETE


def show_game(path: Path, game: str, *, timing: bool, as_json: bool) -> ExitStatus:
    """Print the moves of a stored game, or their times. Raise ConfigError for an unknown game."""
    from gyoji.tables.one_game import (  # noqa: PLC0415 - `show` without a game is lighter
        game_blocks,
        game_facts,
        runner_lines,
        timing_table,
    )

    event = Event.open(path, complain)
    with event.read() as store:
        spec, record = event.finished(store, game)
    words = GAMES.find(spec.game).result_words
    if as_json:
        told = (
            {"game": game, "moves": timing_table(record).records()} if timing else game_facts(record, words)
        )
        say(legible_json(told, indent=2))
        return ExitStatus.COMPLETE
    blocks = [timing_table(record)] if timing else [*game_blocks(record, words), *runner_lines(spec, record)]
    for line in text_lines(blocks):
        say(line)
    return ExitStatus.COMPLETE


def reset_file(path: Path) -> ExitStatus:
    """Delete everything of a competition but its control file."""
    reset(Event.open(path, complain).files)
    return ExitStatus.COMPLETE
