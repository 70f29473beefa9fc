"""Totals gathered from the stored games of an event, where its game has something to gather."""

from typing import Any

from msgspec.structs import replace

from gyoji.core.plugins import GAMES
from gyoji.pairing.comparison import Comparison
from gyoji.pairing.games import known_names
from gyoji.pairing.gathering import Gathering
from gyoji.report.text import text_lines
from gyoji.scheduler.event import Event, comparable
from gyoji.store.store import Store
from gyoji.tables.totals import totals_blocks, totals_values


def gathered_lines(event: Event) -> list[str]:
    """The table; nothing where there is none."""
    gathering = _gathering(event)
    if gathering is None:
        return []
    return list(text_lines(totals_blocks(gathering, GAMES.find(event.setup.game))))


def gathered_part(event: Event) -> list[str]:
    """The same as a part of something longer: after a blank line, if there is any."""
    lines = gathered_lines(event)
    return ["", *lines] if lines else []


def gathered_values(event: Event) -> dict[str, Any]:
    """The same as JSON-ready values, under `totals`; nothing for a game without."""
    gathering = _gathering(event)
    return {"totals": totals_values(gathering, GAMES.find(event.setup.game))} if gathering else {}


def _gathering(event: Event) -> Gathering | None:
    """All stored results that count; None where nothing is gathered. Raises ConfigError if none is stored."""
    if not GAMES.find(event.setup.game).unit:
        return None
    gathering, known = Gathering(), event.setup.players
    with Store.read(event.files.database, competition=event.setup.code) as store:
        for result in comparable(store, Comparison(event.setup)):
            gathering.add(replace(result, players=known_names(result.players, known)))
    return gathering
