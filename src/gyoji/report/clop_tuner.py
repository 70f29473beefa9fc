"""The reports of a CLOP tuner: the estimate of the optimum, and how sure it is."""

from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.competitions.clop_tuner import ClopTuner
from gyoji.core.record import GameResult
from gyoji.pairing.cross import Cross
from gyoji.report.parts import head_values
from gyoji.report.table import Align, Table
from gyoji.report.tuning import (
    candidate_values,
    opponent_lines,
    outcome_word,
    played_line,
    shown,
    title_lines,
)
from gyoji.tuning.parameters import values_at


def screen_lines(event: ClopTuner) -> Iterator[str]:
    """How far it is; once there is an estimate: what it is, what it is worth, and which region is played."""
    yield played_line(event.played, event.settings.limit)
    yield ""
    model = event.model
    if model is None:
        yield f"no estimate before {event.regression.first_fit} games"
        return
    best = model.best
    yield f"Best parameters: {event.describe(best)}"
    worth = event.regression.expected(model, best)
    yield f"expected score: {worth:.3f}, of games that count as much as {model.weights.sum():.0f}"
    yield ""
    parameters = event.settings.parameters
    pairs = list(zip(best, model.spread, strict=True))
    columns = {
        "best": best,
        "from": [max(centre - spread, 0.0) for centre, spread in pairs],
        "to": [min(centre + spread, 1.0) for centre, spread in pairs],
    }
    table = Table()
    table.column([each.code for each in parameters], heading="parameter", padding=2)
    for heading, point in columns.items():
        cells = [shown(value) for value in values_at(parameters, point)]
        table.column(cells, heading=heading, align=Align.RIGHT, padding=2)
    yield from table.lines()


def report_lines(event: ClopTuner) -> list[str]:
    """The whole report: title, the same, and the opponent."""
    lines = [*title_lines(event.setup, "CLOP"), *screen_lines(event), ""]
    return [*lines, *opponent_lines(event.settings.opponent, event.engines), ""]


def values(event: ClopTuner, endings: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """The estimate as JSON-ready values. position: on the scales; weight: games that the model rests on."""
    head = {**head_values(event.setup, event.remaining(), event.engines), "played": event.played}
    model = event.model
    if model is None:
        return {**head, "best": None}
    return {
        **head,
        "best": candidate_values(event.settings.parameters, model.best),
        "position": list(model.best),
        "spread": list(model.spread),
        "expected_score": event.regression.expected(model, model.best),
        "weight": float(model.weights.sum()),
    }


def crosses(event: ClopTuner) -> dict[str, Cross]:
    """None: no candidate plays often."""
    return {}


def history_lines(event: ClopTuner, result: GameResult) -> Iterator[str]:
    """What was played, and what came of it."""
    yield f"{event.describe(event.point(result))} {outcome_word(result)}"
