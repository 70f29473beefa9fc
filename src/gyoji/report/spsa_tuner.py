"""The reports of an SPSA tuner: how far it is, and where each parameter has got to."""

from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.competitions.spsa_tuner import SpsaTuner
from gyoji.pairing.cross import Cross
from gyoji.report.parts import head_values
from gyoji.report.table import Align, Table
from gyoji.report.tuning import candidate_values, title_lines
from gyoji.tuning.parameters import described, values_at


def screen_lines(event: SpsaTuner) -> Iterator[str]:
    """Iterations, the parameters as they are now, and a row for each: start, change, range."""
    settings, place = event.settings, event.walk.place
    yield f"{event.iterations}/{settings.number_of_iterations} iterations, {event.played} games played"
    yield ""
    yield f"Parameters: {described(settings.parameters, values_at(settings.parameters, place))}"
    yield ""
    following = min(event.iterations + 1, settings.number_of_iterations)
    columns = {
        "now": place,
        "start": [each.start for each in settings.parameters],
        "tried up and down by": [event.walk.change(each, following) for each in settings.parameters],
        "from": [each.min for each in settings.parameters],
        "to": [each.max for each in settings.parameters],
    }
    table = Table()
    table.column([each.code for each in settings.parameters], heading="parameter", padding=2)
    for heading, numbers in columns.items():
        cells = [f"{number:.4g}" for number in numbers]
        table.column(cells, heading=heading, align=Align.RIGHT, padding=2)
    yield from table.lines()


def report_lines(event: SpsaTuner) -> list[str]:
    """The whole report: title, and the same."""
    return [*title_lines(event.setup, "SPSA"), *screen_lines(event), ""]


def values(event: SpsaTuner, endings: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """The parameters as JSON-ready values. exact: before they are rounded."""
    parameters, place = event.settings.parameters, event.walk.place
    return {
        **head_values(event.setup, event.remaining(), event.engines),
        "played": event.played,
        "iterations": event.iterations,
        "best": candidate_values(parameters, place),
        "exact": {parameter.code: value for parameter, value in zip(parameters, place, strict=True)},
    }


def crosses(event: SpsaTuner) -> dict[str, Cross]:
    """None: no candidate plays twice."""
    return {}
