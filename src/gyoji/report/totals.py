"""What players gathered per game as a table and as values, of games whose totals are known."""

from collections.abc import Iterator, Sequence
from typing import Any

from gyoji.core.game import AnyGame
from gyoji.pairing.gathering import Gathering, Sample, Thinking
from gyoji.report.numbers import Z_95
from gyoji.report.table import Align, Table


def unit(game: AnyGame) -> str:
    """What is gathered in that game, "" if nothing is."""
    return game.unit


def totals_lines(gathering: Gathering, game: AnyGame) -> list[str]:
    """A heading and a row for each player; nothing if there are none."""
    players = [player for player, _ in gathering.players()]
    if not players:
        return []
    table = Table()
    table.column(players, padding=3)
    for heading, cells in total_columns(gathering, game):
        table.column(cells, heading=heading, align=Align.RIGHT, padding=2)
    return [f"{unit(game)} per game", *table.lines()]


def total_columns(gathering: Gathering, game: AnyGame) -> Iterator[tuple[str, list[str]]]:
    """Heading and cells of each column, a cell for each of the players."""
    rows = [gathered for _, gathered in gathering.players()]
    totals = [row.total for row in rows]
    yield "games", [str(total.games) for total in totals]
    yield "mean", [_mean(total) for total in totals]
    yield "95%", ["" if total.error is None else f"± {Z_95 * total.error:.1f}" for total in totals]
    for team, name in enumerate(side_names(game)):
        yield name, [_mean(row.sides[team]) for row in rows]
    if any(sum(row.matches) for row in rows):
        for place, name in enumerate(("matches won", "level", "lost")):
            yield name, [str(row.matches[place]) for row in rows]
    for place, name in enumerate(engine_names(game)):
        yield f"{name} s/game", [_seconds(row.thinking[place]) for row in rows]
    for place, name in enumerate(engine_names(game)):
        if any(row.thinking[place].left_out for row in rows):
            yield f"{name} out", [str(row.thinking[place].left_out) for row in rows]


def totals_values(gathering: Gathering, game: AnyGame) -> dict[str, Any]:
    """The same as JSON-ready values."""
    names = engine_names(game)
    return {
        "unit": unit(game),
        "players": [
            {
                "player": player,
                **_sample(gathered.total),
                "sides": {
                    name: _sample(side) for name, side in zip(side_names(game), gathered.sides, strict=True)
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


def side_names(game: AnyGame) -> Sequence[str]:
    """What the two teams are called."""
    return game.side_names


def engine_names(game: AnyGame) -> Sequence[str]:
    """What the engines of a team are called."""
    return game.roles[::2] or ("engine",)


def _mean(sample: Sample) -> str:
    return "" if sample.mean is None else f"{sample.mean:.1f}"


def _seconds(thinking: Thinking) -> str:
    return f"{thinking.think_ns / thinking.games / 1e9:.2f}"


def _sample(sample: Sample) -> dict[str, Any]:
    mean, error = sample.mean, sample.error
    reach = None if error is None else Z_95 * error
    return {
        "games": sample.games,
        "sum": sample.sum,
        "mean": mean,
        "interval_95": None if mean is None or reach is None else [mean - reach, mean + reach],
    }
