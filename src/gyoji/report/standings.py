"""Standings as a table of text and as values: rank, player, points, and what decides between equals."""

from collections.abc import Iterable
from typing import Any

from gyoji.pairing.standings import Standing
from gyoji.report.matchup import game_sides, player_values
from gyoji.report.numbers import count, percent
from gyoji.report.table import Align, Table


def standings_lines(places: Iterable[Standing]) -> list[str]:
    """A row for each player. Berger is Sonneborn-Berger; forfeits are shown if there are any."""
    rows = list(places)
    totals = [row.stats.total for row in rows]
    table = Table()
    table.column([f"{row.rank}." for row in rows], align=Align.RIGHT)
    table.column([row.player for row in rows], padding=3)
    table.numbers([str(total.played) for total in totals], heading="games")
    table.numbers([count(row.points) for row in rows], heading="points")
    decided = [total.played - total.unknown for total in totals]
    shares = [percent(row.points, games) for row, games in zip(rows, decided, strict=True)]
    table.numbers(shares, heading="share")
    table.numbers([f"{row.berger:.2f}" for row in rows], heading="Berger")
    table.numbers([str(total.wins) for total in totals], heading="won")
    table.numbers([str(total.levels) for total in totals], heading="level")
    table.numbers([str(total.losses) for total in totals], heading="lost")
    if any(total.forfeits for total in totals):
        table.numbers([str(total.forfeits) for total in totals], heading="forfeits")
    return table.lines()


def standing_values(places: Iterable[Standing], game: str) -> list[dict[str, Any]]:
    """The standings as JSON-ready values."""
    names = game_sides(game)
    return [
        {
            "rank": place.rank,
            **player_values(place.stats, names),
            "head_to_head": place.head_to_head,
            "berger": place.berger,
        }
        for place in places
    ]
