"""Notes of a report: containment of engines, excluded games, changed players, skipped and void games.

A text report shows them as lines; the page, JSON and CSV have them as tables.
"""

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping

from gyoji.core.record import EngineReport
from gyoji.core.tables import Cell, Table, count, data, numbers, texts
from gyoji.core.text import counted, printable
from gyoji.results.comparison import Comparison, ExcludedGames
from gyoji.results.failures import Failures, SkippedGame

Engines = Mapping[str, EngineReport]

MOST_LINES = 20
"""Largest number of notes of one kind in a text report."""

_NUMBER = re.compile(r"(?<=worker process) [0-9]+")
"""The process id of a worker in the reason of a failed game. Reasons that differ only in it are listed
once.
"""


def remarks(comparison: Comparison, failures: Failures, *, engines: Engines | None = None) -> list[str]:
    """Return the notes as lines for a text report, with a blank line before each kind.

    Args:
        comparison: Excluded games and changed players.
        failures: Skipped and void games.
        engines: Descriptions of the players' engines; None to leave out their containment.
    """
    kinds = (
        contained_lines(engines or {}),
        excluded_lines(comparison),
        [*skipped_lines(failures), *void_lines(failures)],
    )
    return [line for lines in kinds if lines for line in ("", *lines)]


def note_tables(
    comparison: Comparison | None, failures: Failures | None, engines: Engines
) -> Iterator[Table]:
    """Yield the notes as tables, except those that would be empty.

    Args:
        comparison: Excluded games and changed players; None if they were not looked for.
        failures: Skipped and void games; None if they were not looked for.
        engines: Descriptions of the players' engines.
    """
    yield from contained_tables(engines)
    if comparison:
        yield from excluded_tables(comparison)
    if failures:
        yield from skipped_tables(failures)


# Containment


def contained_lines(engines: Engines) -> list[str]:
    """Return a list of one line that names the players of each level of containment.

    The list is empty if the level is not known of any player.
    """
    told = "; ".join(f"{how}: {', '.join(players)}" for how, players in by_containment(engines).items())
    return [printable(f"containment: {told}", 1000)] if told else []


def contained_tables(engines: Engines) -> Iterator[Table]:
    """Yield the table of players by level of containment, if any is known."""
    if found := by_containment(engines):
        players = tuple(", ".join(each) for each in found.values())
        yield Table(
            name="containment",
            title="Containment",
            note="How engines were contained, and which layers this machine lacked.",
            columns=(texts("containment", found), texts("players", map(Cell, players, found.values()))),
        )


def by_containment(engines: Engines) -> dict[str, list[str]]:
    """Return the names of the players by the containment of their engines, such as "strict".

    Players whose containment is unknown are left out.
    """
    found: dict[str, list[str]] = {}
    for code, engine in sorted(engines.items()):
        if engine.containment:
            found.setdefault(engine.containment, []).append(code)
    return found


# Games that do not count, and players whose command or other settings have changed since their games


def excluded_lines(comparison: Comparison) -> list[str]:
    """Return a line for every two players with games that do not count, and a line for each changed player.

    There are at most `MOST_LINES` of each kind. If there are more, a last line counts the rest.
    """
    lines = [
        f"excluded: {counted(each.games, 'game')} of {' v '.join(each.players)} ({_points(each)}), "
        + _settings(each)
        for each in comparison.excluded
    ]
    return [*_cut(lines), *_cut(_changed_lines(comparison))]


def excluded_tables(comparison: Comparison) -> Iterator[Table]:
    """Yield the tables of excluded games and of changed players, unless they are empty."""
    if excluded := comparison.excluded:
        yield Table(
            name="excluded",
            title="Excluded games",
            note="These games were played with other settings than today's, or have been taken back. "
            "No other table counts them.",
            columns=(
                texts("players", [Cell(" v ".join(each.players), each.players) for each in excluded]),
                numbers("games", [each.games for each in excluded]),
                texts("points", [Cell(_points(each), each.points) for each in excluded]),
                texts("settings", [Cell(_settings(each), each.differences) for each in excluded]),
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
                texts(
                    "by another",
                    [Cell(", ".join(each.settings), each.settings) for each in changed],
                    key="settings",
                ),
                texts("command then", [_command(each.was.command) for each in changed], key="was"),
                texts("command now", [_command(each.now.command) for each in changed], key="now"),
            ),
        )


def _changed_lines(comparison: Comparison) -> list[str]:
    lines = []
    for each in comparison.changed:
        settings = ", ".join(each.settings)
        other = f"player {each.player} has changed: {counted(each.games, 'game')} by another {settings}"
        is_other = each.was.command != each.now.command
        lines.append(f"{other}: {_command(each.was.command).text}" if is_other else other)
    return lines


def _cut(lines: list[str], what: str = "such lines") -> list[str]:
    more = len(lines) - MOST_LINES
    return lines if more <= 0 else [*lines[:MOST_LINES], f"and {more} more {what}"]


def _points(excluded: ExcludedGames) -> str:
    return ", ".join(
        f"{name} {count(excluded.points.get(name, 0))}" for name in dict.fromkeys(excluded.players)
    )


def _settings(excluded: ExcludedGames) -> str:
    return printable("; ".join(difference.text for difference in excluded.differences), 400)


def _command(words: tuple[str, ...]) -> Cell:
    return Cell(printable(shlex.join(words), 200), words)


# Skipped games, games of suspended players, and void games by the player to move


def skipped_line(game: SkippedGame) -> str:
    """Return a line about a skipped game: its players, and why each attempt failed or it was not tried."""
    players = " v ".join(game.players)
    if game.suspended:
        return f"not played: game {game.id}, {players}: {game.last.reason}"
    return printable(
        f"skipped: game {game.id}, {players}, void {len(game.voids)} times: {_account(game)}", 1000
    )


def skipped_lines(failures: Failures) -> list[str]:
    """Return a line for each game skipped after too many failures, and a line for each suspended player.

    There are at most `MOST_LINES` lines for games; if there are more games, one further line counts the rest.
    The line for a suspended player counts the games that are not played because the player is suspended.
    """
    games = failures.skipped.values()
    tried = [skipped_line(game) for game in games if not game.suspended]
    lines = _cut(tried, "games are skipped")
    # A suspended player may have thousands of games: one line each would hide all others.
    not_tried = Counter(game.suspended for game in games if game.suspended)
    reasons = {game.suspended: game.last.reason for game in games if game.suspended}
    for player, number in not_tried.items():
        lines.append(f"not played: {counted(number, 'game')}: {reasons[player]}")
    return lines


def void_lines(failures: Failures) -> list[str]:
    """Return a list of one line that says, for each player, how many void games failed while it was to move.

    The line has the `MOST_LINES` players with the highest numbers. The list is empty if no void game has a
    known player to move.
    """
    told = [f"{player} {number}" for player, number in failures.to_move.most_common(MOST_LINES)]
    return [f"void games by the player to move: {', '.join(told)}"] if told else []


def skipped_tables(failures: Failures) -> Iterator[Table]:
    """Yield the tables of skipped games and of void games by the player to move, without empty ones."""
    if games := list(failures.skipped.values()):
        yield Table(
            name="skipped",
            title="Skipped",
            note="These games were void each time, or have a suspended player. They have no result, and are "
            "not played again unless the competition is run with --retry.",
            columns=(
                texts("game", [game.id for game in games]),
                data("pairing", [game.last.pairing for game in games]),
                texts("players", [Cell(" v ".join(game.players), game.players) for game in games]),
                numbers("void", [0 if game.suspended else len(game.voids) for game in games]),
                data("suspended", [game.suspended or None for game in games]),
                texts(
                    "counts against",
                    [Cell(game.against or game.suspended, game.against or None) for game in games],
                    key="against",
                ),
                texts(
                    "what happened", [Cell(_account(game), _attempts(game)) for game in games], key="attempts"
                ),
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


def _attempts(game: SkippedGame) -> list[dict[str, object]]:
    """Return the failed attempts to play a skipped game, JSON-ready.

    The list is empty if the game was not tried because a player is suspended.
    """
    return [
        {"started": void.started, "reason": void.reason, "to_move": void.to_move}
        for void in game.voids
        if not game.suspended
    ]


def _account(game: SkippedGame) -> str:
    """Return the reasons why the attempts to play a skipped game failed, as one text.

    A reason that occurs several times is given once, followed by "(3 times)".
    """
    told = Counter(
        _NUMBER.sub("", void.reason) + (f", {' and '.join(void.to_move)} to move" if void.to_move else "")
        for void in game.voids
    )
    return "; ".join(f"{what} ({times} times)" if times > 1 else what for what, times in told.items())
