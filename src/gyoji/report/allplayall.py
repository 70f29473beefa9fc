"""An all-play-all's reports: how much is played, a grid of everybody against everybody, a block of each pair.

The layout is gomill's. With more competitors than a grid is of use for, the standings take its place, and the
blocks, of which there would be thousands, are left out.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from gyoji.competitions.allplayall import Allplayall
from gyoji.pairing.cross import Cross
from gyoji.pairing.standings import standings
from gyoji.report.matchup import blocks, pair_values
from gyoji.report.numbers import count
from gyoji.report.parts import head_values, player_lines, title_lines
from gyoji.report.standings import standing_values, standings_lines
from gyoji.report.table import Table

MOST_IN_GRID = 50
MOST_ON_SCREEN = 50
"""How many of the standings are shown on the screen: who reads on will want the report."""


def screen_lines(event: Allplayall) -> Iterator[str]:
    """How many games are played, and the grid."""
    yield played_line(event)
    yield ""
    yield from _table(event, MOST_ON_SCREEN)


def report_lines(event: Allplayall) -> list[str]:
    """The whole report: title, description, grid, blocks, and what the players say they are."""
    lines = [*title_lines(event.setup), "", played_line(event), "", *_table(event, None), ""]
    if _has_grid(event):
        lines += [*blocks(event.stats()), ""]
    return [*lines, *player_lines(event.engines), ""]


def values(event: Allplayall, endings: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """The tables as JSON-ready values. endings: by pairing, how many games ended in which way.

    Of the matchups those that have results.
    """
    return {
        **head_values(event.setup, event.remaining(), event.engines),
        "competitors": dict(zip(event.letters, event.competitors, strict=True)),
        "played": event.robin.played,
        "standings": standing_values(standings(event.robin.cross), event.setup.game),
        "matchups": [
            pair_values(stats, endings.get(stats.id, {})) for stats in event.stats() if stats.played
        ],
    }


def crosses(event: Allplayall) -> dict[str, Cross]:
    """What cross tables are made of: one, without a heading."""
    return {"": event.robin.cross}


def played_line(event: Allplayall) -> str:
    """How many games have results, of how many."""
    total = event.robin.total
    of = "" if total is None else f"/{total}"
    return f"{event.robin.played}{of} games played"


def grid_lines(event: Allplayall) -> list[str]:
    """Each competitor's row: its points and theirs against every other."""
    table = Table()
    table.column(event.letters)
    table.column(event.competitors)
    for letter, other in zip(event.letters, event.competitors, strict=True):
        cells = ["" if code == other else _cell(event, code, other) for code in event.competitors]
        table.column(cells, heading=f" {letter}")
    return table.lines()


def _cell(event: Allplayall, code: str, other: str) -> str:
    mine, theirs = event.robin.cross.score(code, other)
    return f"{count(mine)}-{count(theirs)}"


def _table(event: Allplayall, most: int | None) -> list[str]:
    """The grid or, of a large field, the standings, `most` of them."""
    if _has_grid(event):
        return grid_lines(event)
    lines = standings_lines(islice(standings(event.robin.cross), most))
    hidden = 0 if most is None else len(event.competitors) - most
    return [*lines, f"… and {hidden} more"] if hidden > 0 else lines


def _has_grid(event: Allplayall) -> bool:
    return len(event.competitors) <= MOST_IN_GRID
