"""What is told of games that are set aside or not tried, and of void games by the player to move."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.core.tables import Table, numbers, texts
from gyoji.core.text import printable
from gyoji.pairing.failures import Failures, SetAside

_NUMBER = re.compile(r"(?<=worker process) [0-9]+")
"""Which process it was the event log says; without it the same thing is the same each time."""

MOST_LINES = 20
"""More games are not told one by one in a text."""


def aside_line(game: SetAside) -> str:
    """What happened to a game that is set aside, in one line."""
    players = " v ".join(game.players)
    if game.suspended:
        return f"not played: game {game.id}, {players}: {game.last.reason}"
    return printable(f"set aside: game {game.id}, {players}, void {_times(game)}: {_account(game)}", 1000)


def aside_lines(failures: Failures) -> list[str]:
    """A line for each game that was tried and is set aside; those not tried, by player."""
    games = failures.set_aside.values()
    tried = [aside_line(game) for game in games if not game.suspended]
    more = len(tried) - MOST_LINES
    lines = tried if more <= 0 else [*tried[:MOST_LINES], f"and {more} more games are set aside"]
    not_tried = Counter(game.suspended for game in games if game.suspended)
    reasons = {game.suspended: game.last.reason for game in games if game.suspended}
    lines += [f"not played: {_games(number)}: {reasons[player]}" for player, number in not_tried.items()]
    return lines


def void_lines(failures: Failures) -> list[str]:
    """How many games were void while somebody was to move; nothing if that is known of none."""
    told = [f"{player} {number}" for player, number in failures.to_move.most_common(MOST_LINES)]
    return [f"void games by the player to move: {', '.join(told)}"] if told else []


def aside_part(failures: Failures) -> list[str]:
    """All of it as a part of something longer: after a blank line, if there is any."""
    lines = [*aside_lines(failures), *void_lines(failures)]
    return ["", *lines] if lines else []


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
            note="These games came to nothing each time, or have a player that is suspended: they have no "
            "result and are not played any more, unless the competition is run with --retry.",
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
    """What happened each time; the same thing is said once."""
    told = Counter(_event(game, number) for number in range(len(game.voids)))
    return "; ".join(f"{what} ({times} times)" if times > 1 else what for what, times in told.items())


def _event(game: SetAside, number: int) -> str:
    void = game.voids[number]
    reason = _NUMBER.sub("", void.reason)
    return f"{reason}, {' and '.join(void.to_move)} to move" if void.to_move else reason


def _times(game: SetAside) -> str:
    return f"{len(game.voids)} times"


def _games(number: int) -> str:
    return f"{number} game{'s' * (number != 1)}"
