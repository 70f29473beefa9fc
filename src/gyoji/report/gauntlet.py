"""A gauntlet's reports: challengers, champions, what they took from each other, a block of each pair."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gyoji.competitions.gauntlet import Gauntlet
from gyoji.pairing.cross import Cross
from gyoji.pairing.standings import Standing, standings
from gyoji.report.matchup import blocks, pair_values
from gyoji.report.numbers import count, percent
from gyoji.report.parts import head_values, player_lines, title_lines
from gyoji.report.standings import standing_values
from gyoji.report.table import Align, Table


def screen_lines(event: Gauntlet) -> Iterator[str]:
    """How many games are played, the challengers from the best on, and the champions."""
    of = "" if event.total is None else f"/{event.total}"
    yield f"{event.played}{of} games played"
    for codes, others in ((event.challengers, event.champions), (event.champions, ())):
        yield ""
        yield from _table(
            event.cross, [place for place in standings(event.cross) if place.player in codes], others
        )


def report_lines(event: Gauntlet) -> list[str]:
    """The whole report: title, description, tables, blocks, and what the players say they are."""
    ids = " ".join(sorted(event.uncounted))
    return [
        *title_lines(event.setup),
        "",
        *screen_lines(event),
        "",
        *blocks(event.stats()),
        "",
        *([f"not counted, of pairs that are not in the control file: {ids}"] if ids else []),
        *player_lines(event.engines),
        "",
    ]


def values(event: Gauntlet, endings: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """The tables as JSON-ready values. endings: by pairing, how many games ended in which way."""
    return {
        **head_values(event.setup, event.remaining(), event.engines),
        "champions": list(event.champions),
        "challengers": list(event.challengers),
        "played": event.played,
        "standings": standing_values(standings(event.cross), event.setup.game),
        "matchups": [
            pair_values(stats, endings.get(stats.id, {})) for stats in event.stats() if stats.played
        ],
        "not_counted": sorted(event.uncounted),
    }


def crosses(event: Gauntlet) -> dict[str, Cross]:
    """What cross tables are made of: one, without a heading."""
    return {"": event.cross}


def _table(cross: Cross, places: Sequence[Standing], others: Sequence[str]) -> list[str]:
    """A row for each place: its share of the points, and what it took from each of the others."""
    totals = [place.stats.total for place in places]
    table = Table()
    table.column([f"{rank}." for rank, _ in enumerate(places, 1)], align=Align.RIGHT)
    table.column([place.player for place in places], padding=3)
    table.numbers([str(total.played) for total in totals], heading="games")
    table.numbers([count(total.points) for total in totals], heading="points")
    decided = [total.played - total.unknown for total in totals]
    shares = [percent(total.points, games) for total, games in zip(totals, decided, strict=True)]
    table.numbers(shares, heading="share")
    for other in others:
        cells = ["-".join(map(count, cross.score(place.player, other))) for place in places]
        table.numbers(cells, heading=other)
    if any(total.forfeits for total in totals):
        table.numbers([str(total.forfeits) for total in totals], heading="forfeits")
    return table.lines()
