"""The part of a report about two players: who won how often, on which side, at what cost; and as values.

The layout is gomill's, so that people's eyes and scripts find what they know. The numbers of the two sides
add up to the number of wins also when games ended level (gomill gave each cell half of every level game).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any

from gyoji.core.plugins import GAMES
from gyoji.core.setup import GameSettings
from gyoji.core.wire import encode
from gyoji.pairing.tally import PairStats, PlayerStats, SideStats
from gyoji.report.numbers import count, percent, wilson
from gyoji.report.table import Align, Table

MISSING_MATCHUP = "?? (missing from control file)"
SIDE_NAMES = ("black", "white")
"""What sides are called in games that nobody knows."""

_FIRST = ("board_size", "handicap", "komi")
_UNSHOWN = frozenset(("handicap_style", "internal_scorer_handicap_compensation"))


def blocks(pairs: Iterable[PairStats]) -> Iterator[str]:
    """The blocks of those pairs that have results, with a blank line between two. Lazy."""
    is_first = True
    for stats in pairs:
        if stats.played:
            if not is_first:
                yield ""
            is_first = False
            yield from block_lines(stats)


def block_lines(stats: PairStats) -> list[str]:
    """The whole block: heading, unknown results if there are any, settings, table."""
    of = "" if stats.limit is None else f"/{stats.limit}"
    lines = [f"{stats.name} ({stats.played}{of} games)"]
    if stats.unknown:
        lines.append(f"unknown results: {stats.unknown} {percent(stats.unknown, stats.played)}")
    lines.append(settings_line(stats.settings) if stats.settings else MISSING_MATCHUP)
    return [*lines, *table_lines(stats, side_names(stats.settings))]


def side_names(settings: GameSettings | None) -> tuple[str, str]:
    """What the sides are called in games of these settings."""
    return game_sides(settings.game) if settings else SIDE_NAMES


def game_sides(game: str) -> tuple[str, str]:
    """What the sides of that game are called."""
    return GAMES.find(game).side_names


def settings_line(settings: GameSettings) -> str:
    """The game's settings: those every game must say, and those that are not at their defaults."""
    options = dict(settings.options)
    usual = {
        field.name: field.default if field.default_factory is MISSING else field.default_factory()
        for field in fields(GAMES.find(settings.game).options)
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
    if settings.openings:
        shown.append(f"openings: {len(settings.openings.lines)}")
    return "   ".join(shown)


def table_lines(stats: PairStats, names: Sequence[str] = SIDE_NAMES) -> list[str]:
    """The table alone: a row for each player and, when both had both sides, one of the sides' totals."""
    players = stats.players
    totals = [player.total for player in players]
    both = any(all(side.played for side in player.sides) for player in players)
    table = Table()
    table.column([player.player for player in players], padding=3)
    table.column([count(total.points) for total in totals], heading="wins", align=Align.RIGHT)
    shares = [percent(total.points, stats.played) for total in totals]
    table.column(shares, align=Align.RIGHT, padding=7 if both else 3)
    if both:
        _add_side(table, stats, 0, heading=names[0], padding=5)
        _add_side(table, stats, 1, heading=names[1], padding=3)
    else:
        table.column([f"({names[_only_side(players, number)]})" for number in range(2)])
    if any(total.forfeits for total in totals):
        table.column([str(total.forfeits) for total in totals], heading="forfeits", align=Align.RIGHT)
    if any(player.cpu_s for player in players):
        cells = ["----" if player.cpu_s is None else f"{player.cpu_s:7.2f}" for player in players]
        table.column(cells, heading="avg cpu", align=Align.RIGHT, padding=2)
    return table.lines()


def _add_side(table: Table, stats: PairStats, side: int, *, heading: str, padding: int) -> None:
    """The two columns of a side, with the total of both players in a third row."""
    cells = [player.sides[side] for player in stats.players]
    total = sum(cell.points for cell in cells)
    counts = [count(cell.points) for cell in cells] + [count(total)]
    shares = [percent(cell.points, cell.played) for cell in cells] + [percent(total, stats.played)]
    table.column(counts, heading=heading, span=2)
    table.column(shares, align=Align.RIGHT, padding=padding, span=0)


def _only_side(players: tuple[PlayerStats, PlayerStats], number: int) -> int:
    """The one side a player had; of one that never played, the other player's other side."""
    sides = [side.played for side in players[number].sides]
    if any(sides):
        return 0 if sides[0] else 1
    return 1 if players[1 - number].sides[0].played else 0


def _setting(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "x".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _style(options: dict[str, Any], name: str) -> str:
    style = options.get(f"{name}_style")
    return f" ({style})" if style else ""


def pair_values(stats: PairStats, endings: Mapping[str, int]) -> dict[str, Any]:
    """The block as JSON-ready values. endings: how many games ended in which way."""
    settings = stats.settings
    return {
        "id": stats.id,
        "name": stats.name,
        "in_control_file": settings is not None,
        "settings": None
        if settings is None
        else {
            "game": settings.game,
            "options": encode(settings.options),
            "clock": settings.clock.describe(),
            "move_limit": settings.move_limit,
            "scorer": settings.scorer,
            "alternating": stats.swaps,
            "number_of_games": stats.limit,
        },
        "played": stats.played,
        "unknown": stats.unknown,
        "endings": dict(sorted(endings.items())),
        "players": [player_values(player, side_names(settings)) for player in stats.players],
    }


def player_values(player: PlayerStats, names: Sequence[str]) -> dict[str, Any]:
    """What one player did, as JSON-ready values.

    score and its 95 % interval are of the games that somebody can say the result of. names: of the sides.
    """
    total = _counts(player.total)
    decided = total["wins"] + total["losses"] + total["level"]
    interval = wilson(total["points"], decided)
    return {
        "player": player.player,
        **total,
        "score": total["points"] / decided if decided else None,
        "interval_95": list(interval) if interval else None,
        "cpu_s": player.cpu_s,
        "move_s": player.move_s,
        "game_s": player.game_s,
        "sides": {name: _counts(side) for name, side in zip(names, player.sides, strict=True)},
    }


def _counts(side: SideStats) -> dict[str, Any]:
    return {
        "played": side.played,
        "points": side.points,
        "wins": side.wins,
        "losses": side.losses,
        "level": side.levels,
        "unknown": side.unknown,
        "forfeits": side.forfeits,
        "timeouts": side.timeouts,
        "errors": side.errors,
    }
