"""What is told of games that do not count with the others, and of players that have changed since."""

import shlex
from collections.abc import Iterator
from typing import Any

from gyoji.core.tables import Table, count, numbers, texts
from gyoji.core.text import printable
from gyoji.pairing.comparison import Apart, Changed, Comparison

MOST_LINES = 20
"""More of a kind are not told one by one in a text."""


def apart_lines(comparison: Comparison) -> list[str]:
    """A line for each kind of games; nothing if there are none."""
    return [*_cut([_apart_line(each) for each in comparison.apart]), *_cut(_changed_lines(comparison))]


def apart_part(comparison: Comparison) -> list[str]:
    """The same as a part of something longer: after a blank line, if there is any."""
    lines = apart_lines(comparison)
    return ["", *lines] if lines else []


def apart_values(comparison: Comparison) -> dict[str, Any]:
    """The same as JSON-ready values."""
    return {
        "apart": [
            {
                "players": list(each.players),
                "games": each.games,
                "points": each.points,
                "settings": [difference._asdict() for difference in each.differences],
            }
            for each in comparison.apart
        ],
        "changed_players": [
            {"player": each.player, "games": each.games, "settings": list(each.settings)}
            | ({"was": list(each.was.command), "now": list(each.now.command)} if _is_other(each) else {})
            for each in comparison.changed
        ],
    }


def apart_tables(comparison: Comparison) -> Iterator[Table]:
    """The same as tables, those that are not empty."""
    if apart := comparison.apart:
        yield Table(
            name="apart",
            title="Counted apart",
            note="These games were played by other settings than those of today: no other table has them.",
            columns=(
                texts("players", [" v ".join(each.players) for each in apart]),
                numbers("games", [each.games for each in apart]),
                texts("points", [_points(each) for each in apart]),
                texts("settings", [_settings(each) for each in apart]),
            ),
        )
    if changed := comparison.changed:
        yield Table(
            name="changed",
            title="Players that have changed",
            note="These games count: a player is who its code says. Give another program another code.",
            columns=(
                texts("player", [each.player for each in changed]),
                numbers("games", [each.games for each in changed]),
                texts("by another", [", ".join(each.settings) for each in changed]),
                texts("command then", [_command(each.was.command) for each in changed]),
                texts("command now", [_command(each.now.command) for each in changed]),
            ),
        )


def _apart_line(apart: Apart) -> str:
    players = " v ".join(apart.players)
    return f"counted apart: {_games(apart.games)} of {players} ({_points(apart)}), {_settings(apart)}"


def _changed_lines(comparison: Comparison) -> list[str]:
    lines = []
    for each in comparison.changed:
        settings = ", ".join(each.settings)
        other = f"player {each.player} has changed: {_games(each.games)} by another {settings}"
        lines.append(f"{other}: {_command(each.was.command)}" if _is_other(each) else other)
    return lines


def _cut(lines: list[str]) -> list[str]:
    more = len(lines) - MOST_LINES
    return lines if more <= 0 else [*lines[:MOST_LINES], f"and {more} more such lines"]


def _games(number: int) -> str:
    return f"{number} game{'s' * (number != 1)}"


def _points(apart: Apart) -> str:
    return ", ".join(f"{name} {count(apart.points.get(name, 0))}" for name in dict.fromkeys(apart.players))


def _settings(apart: Apart) -> str:
    return printable("; ".join(difference.text for difference in apart.differences), 400)


def _is_other(changed: Changed) -> bool:
    return changed.was.command != changed.now.command


def _command(words: tuple[str, ...]) -> str:
    return printable(shlex.join(words), 200)
