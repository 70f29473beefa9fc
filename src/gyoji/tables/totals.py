"""Totals of players per game, as a table and as values, of games whose totals are known."""

from collections.abc import Sequence
from typing import Any

from gyoji.core.game import AnyGame
from gyoji.core.tables import Block, Column, Style, Table, Value, names, numbers
from gyoji.pairing.gathering import Gathering, Sample
from gyoji.stats.scores import Z_95


def totals_table(gathering: Gathering, game: AnyGame) -> Table:
    """A row for each player."""
    players = [player for player, _ in gathering.players()]
    return Table(
        name="totals",
        title=f"{game.unit.capitalize()} per game",
        columns=(names("player", players), *_columns(gathering, game)),
        style=Style.GOMILL,
    )


def totals_blocks(gathering: Gathering, game: AnyGame) -> list[Block]:
    """The table with a heading, as a part of a text; nothing if there are no players."""
    table = totals_table(gathering, game)
    return [] if table.is_empty else [f"{game.unit} per game", table]


def _columns(gathering: Gathering, game: AnyGame) -> list[Column]:
    rows = [gathered for _, gathered in gathering.players()]
    totals, thinking = [row.total for row in rows], [row.thinking for row in rows]
    errors: list[Value] = [None if each.error is None else f"± {Z_95 * each.error:.1f}" for each in totals]
    found = [
        numbers("games", [total.games for total in totals]),
        numbers("mean", [total.mean for total in totals], digits=1),
        numbers("95%", errors),
    ]
    for team, name in enumerate(game.side_names):
        found.append(numbers(name, [row.sides[team].mean for row in rows], digits=1))
    if any(sum(row.matches) for row in rows):
        for place, name in enumerate(("matches won", "level", "lost")):
            found.append(numbers(name, [row.matches[place] for row in rows]))
    engines = list(enumerate(engine_names(game)))
    for place, name in engines:
        seconds = [each[place].think_ns / each[place].games / 1e9 for each in thinking]
        found.append(numbers(f"{name} s/game", seconds, digits=2))
    for place, name in engines:
        if any(each[place].left_out for each in thinking):
            found.append(numbers(f"{name} out", [each[place].left_out for each in thinking]))
    return found


def totals_values(gathering: Gathering, game: AnyGame) -> dict[str, Any]:
    """The same as JSON-ready values."""
    names = engine_names(game)
    return {
        "unit": game.unit,
        "players": [
            {
                "player": player,
                **_sample(gathered.total),
                "sides": {
                    name: _sample(side) for name, side in zip(game.side_names, gathered.sides, strict=True)
                },
                "matches": dict(zip(("won", "level", "lost"), gathered.matches, strict=True)),
                "engines": {
                    name: {
                        "think_s": think / games / 1e9,
                        "slowest_s": slowest / 1e9,
                        "left_out": left_out,
                    }
                    for name, (games, think, slowest, left_out) in zip(names, gathered.thinking, strict=False)
                },
            }
            for player, gathered in gathering.players()
        ],
    }


def engine_names(game: AnyGame) -> Sequence[str]:
    """The names of the engines of a team."""
    return game.roles[::2] or ("engine",)


def _sample(sample: Sample) -> dict[str, Any]:
    mean, error = sample.mean, sample.error
    reach = None if error is None else Z_95 * error
    return {
        "games": sample.games,
        "sum": sample.sum,
        "mean": mean,
        "interval_95": None if mean is None or reach is None else [mean - reach, mean + reach],
    }
