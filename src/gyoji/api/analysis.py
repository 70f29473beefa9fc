"""Results for libraries that are extras: DataFrames of pandas, plots of matplotlib."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from gyoji.api.games import Game
from gyoji.core.plugins import GAMES
from gyoji.core.record import GameRecord, GameResult
from gyoji.core.tables import Chart
from gyoji.report.html.games import curves
from gyoji.tables.one_game import move_values, result_values

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

_LISTS = {"players": "player", "teams": "team", "sides": "side", "points": "points", "totals": "total"}


def games_frame(results: Iterable[GameResult], game: str) -> "DataFrame":
    """A row for each game: see `Event.to_pandas`."""
    words = GAMES.find(game).result_words
    return _frame(_flat(result_values(result, words)) for result in results)


def _flat(values: dict[str, Any]) -> dict[str, Any]:
    """A result without lists: their items get numbers from 0."""
    row: dict[str, Any] = {}
    for key, value in values.items():
        if key == "engines":
            for seat, engine in enumerate(value):
                row |= {f"{name}_{seat}": engine[name] for name in ("think_s", "slowest_s", "cpu_s")}
        elif key in _LISTS:
            row |= {f"{_LISTS[key]}_{number}": item for number, item in enumerate(value or ())}
        elif key == "warnings":
            row[key] = len(value)
        else:
            row[key] = value
    return row


def moves_frame(games: Iterable[Game]) -> "DataFrame":
    """A row for each move: see `Event.to_pandas`."""
    return _frame(row for game in games for row in _moves(game.record))


def _moves(record: GameRecord) -> Iterator[dict[str, Any]]:
    for move in move_values(record):
        opinion = move["opinion"] or {}
        yield {
            "game": record.result.id,
            "turn": move["move_number"],
            **{key: move[key] for key in ("seat", "player", "move")},
            "seconds": move["charged_ns"] / 1e9,
            **{key: move[key] for key in ("phase", "comment")},
            **{key: opinion.get(key) for key in ("score", "win", "depth", "nodes")},
        }


def _frame(rows: Iterable[dict[str, Any]]) -> "DataFrame":
    try:
        import pandas  # noqa: PLC0415
    except ImportError as error:
        raise ImportError("to_pandas needs pandas: pip install 'gyoji[pandas]'") from error
    frame = pandas.DataFrame(list(rows))
    if "started" in frame:
        frame["started"] = pandas.to_datetime(frame["started"], errors="coerce", utc=True)
    return frame


def plot_chart(chart: Chart, ax: "Axes | None" = None) -> "Axes":
    """Draw the lines of a chart and the levels that mean something."""
    ax = ax or _axes()
    for line in chart.lines:
        ax.plot([x for x, _ in line.points], [y for _, y in line.points], label=line.name)
    for name, height in chart.limits:
        ax.axhline(height, linestyle="--", color="grey")
        ax.annotate(name, (0, height), xycoords=("axes fraction", "data"), fontsize="small", va="bottom")
    if chart.ticks:
        ax.set_xticks([x for x, _ in chart.ticks], [text for _, text in chart.ticks])
    ax.set_title(chart.title)
    ax.set_xlabel(chart.x)
    ax.set_ylabel(chart.y)
    if chart.lines:
        ax.legend()
    return ax


def plot_opinions(record: GameRecord, ax: "Axes | None" = None) -> "Axes":
    """Draw what each side thought of a game: see `Game.plot`."""
    ax = ax or _axes()
    result = record.result
    drawn = curves(result, record.opinions, len(record.turns))
    for side, curve in enumerate(drawn):
        unit = f"score / {curve['most']:g}" if curve["most"] else "chance to win"
        team = result.sides.index(side) if result.sides else side
        points = curve["points"]
        ax.plot([x for x, _ in points], [y for _, y in points], label=f"{result.opponents[team]} ({unit})")
    ax.axhline(0, color="grey", linewidth=0.8)
    ax.set_ylim(-1.05, 1.05)
    ax.set_title(f"Opinions in game {result.id}" if drawn else f"Nobody had an opinion in game {result.id}")
    ax.set_xlabel("turn")
    if drawn:
        ax.legend()
    return ax


def _axes() -> "Axes":
    """Axes in a new figure, as pyplot makes them: a notebook shows it."""
    try:
        from matplotlib import pyplot  # noqa: PLC0415
    except ImportError as error:
        raise ImportError("plot needs matplotlib: pip install 'gyoji[plot]'") from error
    _, ax = pyplot.subplots()
    return ax
