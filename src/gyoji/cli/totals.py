"""What games count for each team, from the stored games of an event: totals, and the plans of its players."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from gyoji.cli.exits import say
from gyoji.cli.files import open_event
from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.text import legible_json
from gyoji.pairing.comparison import Comparison
from gyoji.pairing.games import known_names
from gyoji.report.text import text_lines
from gyoji.scheduler.event import Event, comparable
from gyoji.scheduler.status import ExitStatus
from gyoji.store.store import Store
from gyoji.tables.totals import Plans, Totals, plans_blocks, plans_values, totals_blocks, totals_values


def totals_lines(event: Event) -> list[str]:
    """The table of totals; nothing where there is none."""
    totals = _totals(event)
    return list(text_lines(totals_blocks(totals, GAMES.find(event.setup.game)))) if totals else []


def totals_part(event: Event) -> list[str]:
    """The same as a part of something longer: after a blank line, if there is any."""
    lines = totals_lines(event)
    return ["", *lines] if lines else []


def event_totals(event: Event) -> dict[str, Any]:
    """The same as JSON-ready values, under `totals`; nothing for a game without."""
    totals = _totals(event)
    return {"totals": totals_values(totals, GAMES.find(event.setup.game))} if totals else {}


def _totals(event: Event) -> Totals | None:
    """All stored results that count; None where games count nothing. Raises ConfigError if none is stored."""
    if not GAMES.find(event.setup.game).unit:
        return None
    totals, known = Totals(), event.setup.players
    with Store.read(event.files.database, competition=event.setup.code) as store:
        for result in comparable(store, Comparison(event.setup)):
            totals.add(replace(result, players=known_names(result.players, known)))
    return totals


def show_plans(path: Path, *, as_json: bool) -> ExitStatus:
    """`gyoji show --plans`: what became of every plan, and what was gathered on each field.

    Raises ConfigError for a game that does not account for its moves.
    """
    plans = _plans(open_event(path))
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
        raise ConfigError(f"{event.source}: games of {game.name} have no plans to be counted")
    counts = game.counts()
    plans = Plans(game)
    with Store.read(event.files.database, competition=event.setup.code) as store:
        for result in comparable(store, event.comparison):
            spec, record = store.record(result.id)
            plans.add(
                replace(result, players=known_names(result.players, event.setup.players)),
                counts.moves(spec, record),
                field=wire.dumps(spec.options.get("opening")) if spec.options.get("opening") else spec.id,
                description=counts.describe(spec.options, spec.seed),
            )
    return plans
