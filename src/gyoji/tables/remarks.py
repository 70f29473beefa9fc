"""Remarks beside the tables: how engines were contained, which games do not count or were not played."""

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.core.record import EngineReport
from gyoji.core.tables import Table, count, numbers, texts
from gyoji.core.text import counted, printable
from gyoji.pairing.comparison import Apart, Changed, Comparison
from gyoji.pairing.failures import Failures, SetAside

Engines = Mapping[str, EngineReport]

MOST_LINES = 20
"""More of a kind are not told one by one in a text."""

_NUMBER = re.compile(r"(?<=worker process) [0-9]+")
"""Which process it was the event log says; without it the same thing is the same each time."""


def remarks(comparison: Comparison, failures: Failures, *, engines: Engines | None = None) -> list[str]:
    """The lines of a text, a blank one before each kind. engines: whose containment is told, if it is."""
    kinds = (
        contained_lines(engines or {}),
        apart_lines(comparison),
        [*aside_lines(failures), *void_lines(failures)],
    )
    return [line for lines in kinds if lines for line in ("", *lines)]


def remark_values(
    comparison: Comparison, failures: Failures, *, engines: Engines, suspended: Mapping[str, str]
) -> dict[str, Any]:
    """The same as JSON-ready values. suspended: who is, and why."""
    contained = {"containment": by_containment(engines)}
    return contained | apart_values(comparison) | aside_values(failures, suspended)


def remark_tables(
    comparison: Comparison | None, failures: Failures | None, engines: Engines
) -> Iterator[Table]:
    """The same as tables, those that are not empty."""
    yield from contained_tables(engines)
    if comparison:
        yield from apart_tables(comparison)
    if failures:
        yield from aside_tables(failures)


# Containment


def contained_lines(engines: Engines) -> list[str]:
    """One line of who was contained how; nothing where nobody knows."""
    told = "; ".join(f"{how}: {', '.join(players)}" for how, players in by_containment(engines).items())
    return [printable(f"containment: {told}", 1000)] if told else []


def contained_tables(engines: Engines) -> Iterator[Table]:
    """The same as a table, if it is not empty."""
    if found := by_containment(engines):
        players = tuple(", ".join(each) for each in found.values())
        yield Table(
            name="containment",
            title="Containment",
            note="How engines were contained, and which layers this machine lacked.",
            columns=(
                texts("containment", found),
                texts("players", players),
            ),
        )


def by_containment(engines: Engines) -> dict[str, list[str]]:
    """Players by how the engine was contained that is told of."""
    found: dict[str, list[str]] = {}
    for code, engine in sorted(engines.items()):
        if engine.containment:
            found.setdefault(engine.containment, []).append(code)
    return found


# Games that do not count with the others, and players that have changed since


def apart_lines(comparison: Comparison) -> list[str]:
    """A line for each kind of games; nothing if there are none."""
    return [*_cut([_apart_line(each) for each in comparison.apart]), *_cut(_changed_lines(comparison))]


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
            note="These games were played with other settings than today's, or have been taken back. "
            "No other table counts them.",
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
            note="These games count: a player is known by its code. Give another program another code.",
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
    games = counted(apart.games, "game")
    return f"counted apart: {games} of {players} ({_points(apart)}), {_settings(apart)}"


def _changed_lines(comparison: Comparison) -> list[str]:
    lines = []
    for each in comparison.changed:
        settings = ", ".join(each.settings)
        other = f"player {each.player} has changed: {counted(each.games, 'game')} by another {settings}"
        lines.append(f"{other}: {_command(each.was.command)}" if _is_other(each) else other)
    return lines


def _cut(lines: list[str], what: str = "such lines") -> list[str]:
    more = len(lines) - MOST_LINES
    return lines if more <= 0 else [*lines[:MOST_LINES], f"and {more} more {what}"]


def _points(apart: Apart) -> str:
    return ", ".join(f"{name} {count(apart.points.get(name, 0))}" for name in dict.fromkeys(apart.players))


def _settings(apart: Apart) -> str:
    return printable("; ".join(difference.text for difference in apart.differences), 400)


def _is_other(changed: Changed) -> bool:
    return changed.was.command != changed.now.command


def _command(words: tuple[str, ...]) -> str:
    return printable(shlex.join(words), 200)


# Games that are set aside or not tried, and void games by the player to move


def aside_line(game: SetAside) -> str:
    """The line about a game that is set aside."""
    players = " v ".join(game.players)
    if game.suspended:
        return f"not played: game {game.id}, {players}: {game.last.reason}"
    return printable(f"set aside: game {game.id}, {players}, void {_times(game)}: {_account(game)}", 1000)


def aside_lines(failures: Failures) -> list[str]:
    """A line for each game that was tried and is set aside; those not tried, by player."""
    games = failures.set_aside.values()
    tried = [aside_line(game) for game in games if not game.suspended]
    lines = _cut(tried, "games are set aside")
    not_tried = Counter(game.suspended for game in games if game.suspended)
    reasons = {game.suspended: game.last.reason for game in games if game.suspended}
    for player, number in not_tried.items():
        lines.append(f"not played: {counted(number, 'game')}: {reasons[player]}")
    return lines


def void_lines(failures: Failures) -> list[str]:
    """How many games were void while somebody was to move; nothing if that is known of none."""
    told = [f"{player} {number}" for player, number in failures.to_move.most_common(MOST_LINES)]
    return [f"void games by the player to move: {', '.join(told)}"] if told else []


def aside_values(failures: Failures, suspended: Mapping[str, str]) -> dict[str, Any]:
    """The same as JSON-ready values. suspended: who is, and why."""
    return {
        "set_aside": [
            {
                "game": game.id,
                "pairing": game.last.pairing,
                "players": list(game.players),
                "suspended": game.suspended or None,
                "against": game.against or None,
                "attempts": [
                    {"started": void.started, "reason": void.reason, "to_move": list(void.to_move)}
                    for void in game.voids
                    if not game.suspended
                ],
            }
            for game in failures.set_aside.values()
        ],
        "suspended_players": dict(suspended),
        "voids_to_move": dict(failures.to_move),
    }


def aside_tables(failures: Failures) -> Iterator[Table]:
    """The same as tables, those that are not empty."""
    if games := list(failures.set_aside.values()):
        yield Table(
            name="aside",
            title="Set aside",
            note="These games were void each time, or have a suspended player. They have no result, and are "
            "not played again unless the competition is run with --retry.",
            columns=(
                texts("game", [game.id for game in games]),
                texts("players", [" v ".join(game.players) for game in games]),
                numbers("void", [0 if game.suspended else len(game.voids) for game in games]),
                texts("counts against", [game.against or game.suspended for game in games]),
                texts("what happened", [_account(game) for game in games]),
            ),
        )
    if players := failures.to_move.most_common():
        yield Table(
            name="voids",
            title="Void games by the player to move",
            note="A game is void when the machine or gyoji fails. It counts for nobody.",
            columns=(
                texts("player", [player for player, _ in players]),
                numbers("void", [number for _, number in players]),
            ),
        )


def _account(game: SetAside) -> str:
    """The reason of each attempt; the same one is said once."""
    told = Counter(_event(game, number) for number in range(len(game.voids)))
    return "; ".join(f"{what} ({times} times)" if times > 1 else what for what, times in told.items())


def _event(game: SetAside, number: int) -> str:
    void = game.voids[number]
    reason = _NUMBER.sub("", void.reason)
    return f"{reason}, {' and '.join(void.to_move)} to move" if void.to_move else reason


def _times(game: SetAside) -> str:
    return f"{len(game.voids)} times"
