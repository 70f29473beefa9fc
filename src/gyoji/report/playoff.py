"""A playoff's reports: the tables on the screen, the whole report, and the same as values for JSON."""

from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.competitions.playoff import Playoff
from gyoji.pairing.cross import Cross
from gyoji.report.matchup import blocks, pair_values
from gyoji.report.parts import head_values, player_lines, title_lines


def screen_lines(playoff: Playoff) -> Iterator[str]:
    """The blocks of the matchups that have results, with a blank line between two. No ghosts."""
    return blocks(playoff.stats(matchup.id) for matchup in playoff.matchups)


def report_lines(playoff: Playoff) -> list[str]:
    """The whole report: title, description, blocks, ghosts, and what the players say they are."""
    stats = map(playoff.stats, _ids(playoff))
    return [*title_lines(playoff.setup), "", *blocks(stats), "", *player_lines(playoff.engines), ""]


def values(playoff: Playoff, endings: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """The tables as JSON-ready values. endings: by matchup id, how many games ended in which way."""
    return {
        **head_values(playoff.setup, playoff.remaining(), playoff.engines),
        "matchups": [pair_values(playoff.stats(name), endings.get(name, {})) for name in _ids(playoff)],
    }


def crosses(playoff: Playoff) -> dict[str, Cross]:
    """What cross tables are made of: one of all matchups together, without a heading."""
    return {"": playoff.cross()}


def _ids(playoff: Playoff) -> tuple[str, ...]:
    return *(matchup.id for matchup in playoff.matchups), *playoff.ghosts()
