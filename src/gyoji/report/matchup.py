"""The block of a report about one matchup: who won how often, from which seat, at what cost.

The layout is gomill's, so that people's eyes and scripts find what they know. The numbers of the two seats
add up to the number of wins also when games ended level (gomill gave each cell half of every level game).
"""

from collections.abc import Sequence
from dataclasses import MISSING, fields
from typing import Any

from gyoji.competitions.playoff import MatchupStats, PlayerStats
from gyoji.core.plugins import plugin
from gyoji.core.setup import GameSettings
from gyoji.report.numbers import count, percent
from gyoji.report.table import Align, Table

MISSING_MATCHUP = "?? (missing from control file)"
SEAT_NAMES = ("black", "white")
"""What seats are called in games whose module does not say otherwise, in `SEAT_NAMES`."""

_FIRST = ("board_size", "handicap", "komi")
_UNSHOWN = frozenset(("handicap_style", "internal_scorer_handicap_compensation"))


def block_lines(stats: MatchupStats) -> list[str]:
    """The whole block: heading, unknown results if there are any, settings, table."""
    limit = stats.matchup.number_of_games if stats.matchup else None
    of = "" if limit is None else f"/{limit}"
    lines = [f"{stats.name} ({stats.total}{of} games)"]
    if stats.unknown:
        lines.append(f"unknown results: {stats.unknown} {percent(stats.unknown, stats.total)}")
    lines.append(settings_line(stats.matchup) if stats.matchup else MISSING_MATCHUP)
    return [*lines, *table_lines(stats, seat_names(stats.matchup))]


def seat_names(settings: GameSettings | None) -> tuple[str, ...]:
    """What the seats of that game are called."""
    module = plugin("games", settings.game) if settings else None
    names: tuple[str, ...] = getattr(module, "SEAT_NAMES", SEAT_NAMES)
    return names


def settings_line(settings: GameSettings) -> str:
    """The game's settings: those every game must say, and those that are not at their defaults."""
    options = dict(settings.options)
    usual = {
        field.name: field.default if field.default_factory is MISSING else field.default_factory()
        for field in fields(plugin("games", settings.game).Options)
    }
    named = [name for name in _FIRST if name in options]
    named += [name for name in usual if name in options and name not in _FIRST and name not in _UNSHOWN]
    shown = [
        f"{name.replace('_', ' ')}: {_setting(options[name])}{_style(options, name)}"
        for name in named
        if options[name] != usual.get(name, MISSING)
    ]
    if not settings.clock.is_unlimited:
        shown.append(f"clock: {settings.clock.describe()}")
    return "   ".join(shown)


def table_lines(stats: MatchupStats, names: Sequence[str] = SEAT_NAMES) -> list[str]:
    """The table alone: a row for each player and, when both seats were used, one of the seats' totals."""
    players = stats.players
    both = any(all(seat.played for seat in player.seats) for player in players)
    table = Table()
    table.column([player.player for player in players], padding=3)
    table.column([count(player.points) for player in players], heading="wins", align=Align.RIGHT)
    shares = [percent(player.points, stats.total) for player in players]
    table.column(shares, align=Align.RIGHT, padding=7 if both else 3)
    if both:
        _add_seat(table, stats, 0, heading=names[0], padding=5)
        _add_seat(table, stats, 1, heading=names[1], padding=3)
    else:
        table.column([f"({names[_only_seat(players, number)]})" for number in range(2)])
    if any(player.forfeits for player in players):
        table.column([str(player.forfeits) for player in players], heading="forfeits", align=Align.RIGHT)
    if any(player.cpu_s for player in players):
        cells = ["----" if player.cpu_s is None else f"{player.cpu_s:7.2f}" for player in players]
        table.column(cells, heading="avg cpu", align=Align.RIGHT, padding=2)
    return table.lines()


def _add_seat(table: Table, stats: MatchupStats, seat: int, *, heading: str, padding: int) -> None:
    """The two columns of a seat, with the total of both players in a third row."""
    cells = [player.seats[seat] for player in stats.players]
    total = sum(cell.points for cell in cells)
    counts = [count(cell.points) for cell in cells] + [count(total)]
    shares = [percent(cell.points, cell.played) for cell in cells] + [percent(total, stats.total)]
    table.column(counts, heading=heading, span=2)
    table.column(shares, align=Align.RIGHT, padding=padding, span=0)


def _only_seat(players: tuple[PlayerStats, PlayerStats], number: int) -> int:
    """The one seat a player had; of one that never played, the other player's other seat."""
    seats = [seat.played for seat in players[number].seats]
    if any(seats):
        return 0 if seats[0] else 1
    return 1 if players[1 - number].seats[0].played else 0


def _setting(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "x".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _style(options: dict[str, Any], name: str) -> str:
    style = options.get(f"{name}_style")
    return f" ({style})" if style else ""
