"""A competition as it stands (`gyoji show`), and begun anew (`gyoji reset`)."""

from pathlib import Path

import click
from msgspec.structs import replace

from gyoji.cli.exits import complain, say
from gyoji.cli.screen import void_line
from gyoji.cli.steering import run_status
from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.ports import offers
from gyoji.core.tables import HasShown
from gyoji.core.text import legible_json
from gyoji.pairing.games import known_names
from gyoji.pairing.shards import Shard
from gyoji.report.text import text_lines
from gyoji.scheduler.event import (
    Endings,
    Event,
    Fold,
    comparable,
    event_values,
    hosts_part,
    repeated_part,
    totals_part,
)
from gyoji.scheduler.status import ExitStatus
from gyoji.store.files import reset
from gyoji.tables.digest import Beside
from gyoji.tables.hosts import running_blocks
from gyoji.tables.remarks import remarks
from gyoji.tables.totals import Plans, plans_blocks, plans_values


def fold(event: Event, *others: Fold) -> int:
    """Count the stored games, here and in `others`; how many were void.

    Raises ConfigError if there is nothing stored, or it is of another competition.
    """
    with event.read() as store:
        event.count(store, *others)
    return event.failures.count


def show_file(path: Path, *, as_json: bool, shard: Shard | None = None) -> ExitStatus:
    """`gyoji show`: the short report, or all of it as JSON."""
    event = Event.open(path, complain, shard)
    endings, beside = Endings(counts=as_json), Beside(event.setup.players, pairs=as_json)
    voids = fold(event, endings, beside)
    if as_json:
        now = {"running": run_status(event.files), "secret_seed": event.setup.is_seed_secret}
        say(legible_json({**event_values(event, endings, beside), **now}, indent=2))
        return ExitStatus.COMPLETE
    if voids:
        click.echo(void_line(voids))
    for line in _shown(event) if endings.games else ["no results yet"]:
        say(line)
    for line in text_lines(running_blocks((run_status(event.files) or {}).get("hosts", ()))):
        say(line)
    told = remarks(event.comparison, event.failures)
    for line in (*totals_part(event, beside), *repeated_part(beside), *hosts_part(beside), *told):
        say(line)
    if endings.waiting:
        click.echo(f"waiting for the judge: {' '.join(endings.waiting)}")
    return ExitStatus.COMPLETE


def _shown(event: Event) -> list[str]:
    """How the competition stands: what its screen says, or more where its format has it."""
    tables = event.tables()
    lines = list(text_lines(tables.shown() if offers(tables, HasShown) else tables.screen()))
    return lines[:-1] if lines and not lines[-1] else lines  # what follows begins with a blank line itself


def show_seed(path: Path) -> ExitStatus:
    """`gyoji show --seed`: what makes another event play the same games, given as its `seed`."""
    event = Event.open(path, complain)
    if event.setup.draws_seed and not event.files.database.exists():
        raise ConfigError(f"{path}: there is no seed yet: the first run draws it")
    click.echo(event.setup.seed)
    return ExitStatus.COMPLETE


def show_game(path: Path, game: str, *, timing: bool, as_json: bool) -> ExitStatus:
    """`gyoji show --game`: its moves, or their times. Raises ConfigError for a game that is not stored."""
    from gyoji.tables.one_game import game_blocks, game_values  # noqa: PLC0415 - `show` without a game is lighter
    from gyoji.tables.timings import timing_blocks, timing_values  # noqa: PLC0415

    event = Event.open(path, complain)
    with event.read() as store:
        spec, record = event.finished(store, game)
    words = GAMES.find(spec.game).result_words
    if as_json:
        told = {"game": game, "moves": timing_values(record)} if timing else game_values(record, words)
        say(legible_json(told, indent=2))
        return ExitStatus.COMPLETE
    for line in text_lines(timing_blocks(record) if timing else game_blocks(record, words)):
        say(line)
    return ExitStatus.COMPLETE


def reset_file(path: Path) -> ExitStatus:
    """`gyoji reset`: everything but the control file goes."""
    event = Event.open(path, complain)
    reset(event.files)
    return ExitStatus.COMPLETE


def show_plans(path: Path, *, as_json: bool) -> ExitStatus:
    """`gyoji show --plans`: what became of every plan, and what was gathered on each field.

    Raises ConfigError for a game that does not account for its moves.
    """
    plans = _plans(Event.open(path, complain))
    if as_json:
        say(legible_json(plans_values(plans), indent=2))
        return ExitStatus.COMPLETE
    for line in list(text_lines(plans_blocks(plans))) or ["no results yet"]:
        say(line)
    return ExitStatus.COMPLETE


def _plans(event: Event) -> Plans:
    """All stored games counted."""
    game = GAMES.find(event.setup.game)
    if game.counts is None:
        raise ConfigError(f"{event.source}: games of {game.name} have no plans to count")
    counts = game.counts()
    plans = Plans(game)
    with event.read() as store:
        for result in comparable(store, event.comparison):
            spec, record = store.record(result.id)
            plans.add(
                replace(result, players=known_names(result.players, event.setup.players)),
                counts.moves(spec, record),
                field=wire.dumps(spec.options.get("opening")) if spec.options.get("opening") else spec.id,
                description=counts.describe(spec.options, spec.seed),
            )
    return plans
