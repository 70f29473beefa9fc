"""The reports of a CMA-ES tuner: the generation, its candidates, the middle of the distribution."""

from collections.abc import Iterator, Mapping
from statistics import pstdev
from typing import Any

from gyoji.competitions.cmaes_tuner import CmaesTuner
from gyoji.pairing.cross import Cross
from gyoji.report.numbers import count
from gyoji.report.parts import head_values
from gyoji.report.table import Align, Table
from gyoji.report.tuning import candidate_values, opponent_lines, shown, title_lines
from gyoji.tuning.generations import GameName
from gyoji.tuning.parameters import values_at


def screen_lines(event: CmaesTuner) -> Iterator[str]:
    """The generation, the best parameters, and how the candidates of the generation have done."""
    generations, parameters = event.generations, event.parameters
    yield f"generation {generations.number}/{generations.limit}"
    yield ""
    mean = event.learner.mean
    yield f"Best parameters: {event.describe(mean)}"
    yield ""
    table = Table()
    table.column([each.code for each in parameters], heading="parameter", padding=2)
    cells = [shown(value) for value in values_at(parameters, mean)]
    table.column(cells, heading="best", align=Align.RIGHT, padding=2)
    cells = [f"{spread:.3f}" for spread in _spreads(event)]
    table.column(cells, heading="spread", align=Align.RIGHT, padding=2)
    yield from table.lines()
    yield ""
    yield "wins from current samples:"
    yield f"[{', '.join(count(each.score) for each in generations.last)}]"


def report_lines(event: CmaesTuner) -> list[str]:
    """The whole report: title, the same, and the opponent."""
    lines = [*title_lines(event.setup, "CMA-ES"), *screen_lines(event), ""]
    return [*lines, *opponent_lines(event.setup.settings.opponent, event.engines), ""]


def values(event: CmaesTuner, endings: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """The distribution as JSON-ready values. position, spread: in parts of the scales."""
    generations, parameters = event.generations, event.parameters
    return {
        **head_values(event.setup, event.remaining(), event.engines),
        "generation": generations.number,
        "best": candidate_values(parameters, event.learner.mean),
        "position": list(event.learner.mean),
        "spread": _spreads(event),
        "candidates": [
            {
                "code": GameName(generations.number - generations.is_over, each.number, 0).code,
                "parameters": candidate_values(parameters, each.point),
                "games": each.games,
                "score": each.score,
            }
            for each in generations.last
        ],
    }


def crosses(event: CmaesTuner) -> dict[str, Cross]:
    """None: candidates do not play each other."""
    return {}


def _spreads(event: CmaesTuner) -> list[float]:
    """How far along each axis the candidates of the generation are from each other: standard deviations."""
    return [pstdev(axis) for axis in zip(*(each.point for each in event.generations.last), strict=True)]
