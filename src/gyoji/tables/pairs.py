"""The part of a report about two players: who won how often, on which side, at what cost; and as values.

The layout is gomill's, so that people's eyes and scripts find what they know. The numbers of the two sides
add up to the number of wins also when games ended level (gomill gave each cell half of every level game).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any

from msgspec.structs import replace

from gyoji.core.game import usual_options
from gyoji.core.plugins import GAMES
from gyoji.core.setup import GameSettings
from gyoji.core.spec import Adjudication
from gyoji.core.tables import Block, Column, Share, Style, Table, count, names, numbers, percent, texts
from gyoji.core.wire import encode
from gyoji.pairing.tally import PairStats, PlayerStats, SideStats
from gyoji.stats.scores import Scores

MISSING_MATCHUP = "?? (missing from control file)"
SIDE_NAMES = ("black", "white")
"""The names of the sides in games that nobody knows."""

_FIRST = ("board_size", "handicap", "komi")
_TOLD = ("ruleset",)
"""Settings that are shown at their default too: readers of a report cannot know it, and it decides games."""
_UNSHOWN = frozenset(("handicap_style", "internal_scorer_handicap_compensation"))


def blocks(pairs: Iterable[PairStats]) -> Iterator[Block]:
    """The blocks of those pairs that have results, with a blank line between two. Lazy."""
    is_first = True
    for stats in pairs:
        if stats.played:
            if not is_first:
                yield ""
            is_first = False
            yield from block(stats)


def heading(stats: PairStats) -> str:
    """Who meets whom, and how many games are played."""
    of = "" if stats.limit is None else f"/{stats.limit}"
    return f"{stats.name} ({stats.played}{of} games)"


def block(stats: PairStats) -> Iterator[Block]:
    """The whole block: heading, unknown results if there are any, settings, table."""
    yield heading(stats)
    if stats.unknown:
        yield f"unknown results: {stats.unknown} {percent(stats.unknown, stats.played)}"
    yield settings_line(stats.settings) if stats.settings else MISSING_MATCHUP
    yield pair_table(stats, side_names(stats.settings))


def side_names(settings: GameSettings | None) -> tuple[str, ...]:
    """The names of the sides in games of these settings."""
    return game_sides(settings.game) if settings else SIDE_NAMES


def game_sides(game: str) -> tuple[str, ...]:
    """The names of the sides of that game."""
    return GAMES.find(game).side_names


def settings_line(settings: GameSettings) -> str:
    """The game's settings: those every game must say, the rules, and those that are not at their defaults."""
    options = dict(settings.options)
    kind = GAMES.find(settings.game).options
    usual = encode(usual_options(kind))
    others = [each.name for each in fields(kind) if each.name not in _UNSHOWN]
    named = [name for name in dict.fromkeys((*_FIRST, *others)) if name in options]
    shown = [
        f"{name.replace('_', ' ')}: {_setting(name, options[name])}{_style(options, name)}"
        for name in named
        if options[name] != "" and (name in _TOLD or encode(options[name]) != usual.get(name, MISSING))
    ]
    if not settings.clock.is_unlimited:
        shown.append(f"clock: {settings.clock.describe()}")
    if settings.adjudication != Adjudication():
        shown.append(f"adjudication: {settings.adjudication.describe()}")
    if settings.openings:
        shown.append(f"openings: {len(settings.openings.lines)}")
    return "   ".join(shown)


def pair_table(stats: PairStats, sides: Sequence[str] = SIDE_NAMES) -> Table:
    """The table alone: a row for each player and, when both had both sides, one of the sides' totals."""
    players = stats.players
    totals = [player.total for player in players]
    both = any(all(side.played for side in player.sides) for player in players)
    columns = [
        names("", [player.player for player in players]),
        numbers("wins", [total.points for total in totals], gap=1),
        numbers("", [Share(total.points, stats.played) for total in totals], gap=7 if both else 3),
    ]
    if both:
        columns += _side_columns(stats, 0, heading=sides[0], gap=5)
        columns += _side_columns(stats, 1, heading=sides[1], gap=3)
    else:
        columns.append(texts("", [f"({sides[_only_side(players, number)]})" for number in range(2)], gap=1))
    if any(total.forfeits for total in totals):
        columns.append(numbers("forfeits", [total.forfeits for total in totals], gap=1))
    if any(player.cpu_s for player in players):
        times = ["----" if player.cpu_s is None else f"{player.cpu_s:7.2f}" for player in players]
        columns.append(numbers("avg cpu", times))
    rows = 3 if both else 2
    filled = (replace(each, values=(*each.values, None)[:rows]) for each in columns)
    return Table(columns=tuple(filled), style=Style.GOMILL)


def _side_columns(stats: PairStats, side: int, *, heading: str, gap: int) -> Iterator[Column]:
    """The two columns of a side, with the total of both players in a third row."""
    cells = [player.sides[side] for player in stats.players]
    total = sum(cell.points for cell in cells)
    points = [*(cell.points for cell in cells), total]
    shares = [*(Share(cell.points, cell.played) for cell in cells), Share(total, stats.played)]
    yield replace(texts(heading, map(count, points), gap=1), span=2)
    yield replace(numbers("", shares, gap=gap), span=0)


def _only_side(players: tuple[PlayerStats, PlayerStats], number: int) -> int:
    """The one side a player had; of one that never played, the other player's other side."""
    sides = [side.played for side in players[number].sides]
    if any(sides):
        return 0 if sides[0] else 1
    return 1 if players[1 - number].sides[0].played else 0


def _setting(name: str, value: Any) -> str:
    """A setting in words. What is as large as a field is not shown: it may say what is hidden, too."""
    if isinstance(value, Mapping):
        return "given"
    if isinstance(value, list | tuple):
        if name == "board_size":
            return "x".join(map(str, value))
        return ", ".join(_setting("board_size", each) for each in value)
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
            "adjudication": settings.adjudication.describe(),
            "alternating": stats.swaps,
            "number_of_games": stats.limit,
        },
        "played": stats.played,
        "unknown": stats.unknown,
        "endings": dict(sorted(endings.items())),
        "players": [player_values(player, side_names(settings)) for player in stats.players],
    }


def player_values(player: PlayerStats, sides: Sequence[str]) -> dict[str, Any]:
    """The results of one player as JSON-ready values.

    score and its 95 % interval are of the games that somebody can say the result of.   sides: their names.
    """
    total = _counts(player.total)
    decided = total["wins"] + total["losses"] + total["level"]
    interval = share_bounds(player.total)
    return {
        "player": player.player,
        **total,
        "score": total["points"] / decided if decided else None,
        "interval_95": list(interval) if interval else None,
        "cpu_s": player.cpu_s,
        "move_s": player.move_s,
        "game_s": player.game_s,
        "sides": {name: _counts(side) for name, side in zip(sides, player.sides, strict=True)},
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


def share_bounds(side: SideStats) -> tuple[float, float] | None:
    """95 % bounds of the true share of the points, None without a decided game: see `gyoji.stats.likeliest`.

    >>> low, high = share_bounds(SideStats(wins=15, losses=5))
    >>> f"{low:.3f} {high:.3f}"
    '0.531 0.888'
    """
    return Scores(side.observations).share_interval
