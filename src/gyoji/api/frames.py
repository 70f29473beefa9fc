"""Results and moves of a competition as DataFrames of pandas, an optional dependency."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from gyoji.api.games import Game
from gyoji.core.plugins import GAMES
from gyoji.core.record import GameResult
from gyoji.tables.one_game import moves_table, result_facts

if TYPE_CHECKING:
    from pandas import DataFrame

_LISTS = {"players": "player", "teams": "team", "sides": "side", "points": "points", "totals": "total"}


def games_frame(results: Iterable[GameResult], game: str) -> "DataFrame":
    """Return a DataFrame with one row for each game: see `Event.to_pandas`."""
    words = GAMES.find(game).result_words
    return _frame(_flat(result_facts(result, words)) for result in results)


def _flat(values: dict[str, Any]) -> dict[str, Any]:
    """Return a result as a dict without lists. Each item of a list gets its own key, which ends in the item's
    number from 0.

    Of each engine only the times are kept, and of the warnings only their number.
    """
    row: dict[str, Any] = {}
    for key, value in values.items():
        if key == "engines":
            for seat, engine in enumerate(value):
                row |= {f"{name}_{seat}": engine[name] for name in ("think_s", "slowest_s", "cpu_s")}
        elif key in _LISTS:
            row |= {f"{_LISTS[key]}_{number}": item for number, item in enumerate(value or ())}
        else:
            row[key] = len(value) if key == "warnings" else value
    return row


def moves_frame(games: Iterable[Game]) -> "DataFrame":
    """Return a DataFrame with one row for each move: see `Event.to_pandas`."""
    rows = []
    for _, record in games:
        for move in moves_table(record).records():
            opinion = move["opinion"] or {}
            row = {"game": record.result.id, "turn": move["move_number"]}
            row |= {key: move[key] for key in ("seat", "player", "move")}
            row |= {"seconds": move["charged_ns"] / 1e9, "phase": move["phase"], "comment": move["comment"]}
            rows.append(row | {key: opinion.get(key) for key in ("score", "win", "depth", "nodes")})
    return _frame(rows)


def _frame(rows: Iterable[dict[str, Any]]) -> "DataFrame":
    try:
        import pandas  # noqa: PLC0415
    except ImportError as error:
        raise ImportError("to_pandas needs pandas: pip install 'gyoji[pandas]'") from error
    frame = pandas.DataFrame(list(rows))
    if "started" in frame:
        frame["started"] = pandas.to_datetime(frame["started"], errors="coerce", utc=True)
    return frame
