"""Standings as a table of text and as values: rank, player, points, and what decides between equals."""

from collections.abc import Iterable
from typing import Any

from gyoji.core.setup import GameSettings
from gyoji.pairing.standings import Standing
from gyoji.report.matchup import player_values, side_names
from gyoji.report.numbers import count, percent
from gyoji.report.table import Align, Table


def standings_lines(places: Iterable[Standing]) -> list[str]:
    """A row for each player. Berger is Sonneborn-Berger; forfeits are shown if there are any."""
    rows = list(places)
    totals = [row.stats.total for row in rows]
    table = Table()
    table.column([f"{row.rank}." for row in rows], align=Align.RIGHT)
    table.column([row.player for row in rows], padding=3)
    table.column([str(total.played) for total in totals], heading="games", align=Align.RIGHT, padding=3)
    table.column([count(row.points) for row in rows], heading="points", align=Align.RIGHT)
    decided = [total.played - total.unknown for total in totals]
    shares = [percent(row.points, games) for row, games in zip(rows, decided, strict=True)]
    table.column(shares, align=Align.RIGHT, padding=3)
    table.column([f"{row.berger:.2f}" for row in rows], heading="Berger", align=Align.RIGHT, padding=3)
    table.column([str(total.wins) for total in totals], heading="won", align=Align.RIGHT, padding=2)
    table.column([str(total.levels) for total in totals], heading="level", align=Align.RIGHT, padding=2)
    table.column([str(total.losses) for total in totals], heading="lost", align=Align.RIGHT, padding=2)
    if any(total.forfeits for total in totals):
        table.column([str(total.forfeits) for total in totals], heading="forfeits", align=Align.RIGHT)
    return table.lines()


def standing_values(places: Iterable[Standing], settings: GameSettings | None) -> list[dict[str, Any]]:
    """The standings as JSON-ready values. settings: of the games, which name the sides."""
    names = side_names(settings)
    return [
        {
            "rank": place.rank,
            **player_values(place.stats, names),
            "head_to_head": place.head_to_head,
            "berger": place.berger,
        }
        for place in places
    ]
