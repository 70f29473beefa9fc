"""Charts of a tuner's landscape, which is the modelled strength of all candidates.

There is a chart along each parameter, and a map over each pair of parameters. In each of them, the parameters
that are not shown have their best values.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import combinations
from math import ceil, floor, log10
from typing import TYPE_CHECKING

from gyoji.core.tables import Chart, Drawing, Line, Map, Mark
from gyoji.tuning.parameters import Valued, values_at
from gyoji.tuning.tables import shown

if TYPE_CHECKING:
    from gyoji.tuning.estimate import Estimate, Survey

_CELLS = 32
"""Number of cells of a map along a parameter, unless it has a list of values."""

_POINTS = 64
_TICKS = 6
_ONE_SIDED = 1.645  # standard deviations below which 95 % lie


def landscape_charts(survey: "Survey", estimate: "Estimate") -> Iterator[Drawing]:
    """Yield a chart for each parameter, and a map for each pair of them."""
    parameters = survey.observations.parameters
    for column in range(len(parameters)):
        yield _profile(survey, estimate, column)
    for pair in combinations(range(len(parameters)), 2):
        yield _map(survey, estimate, *pair)


def _profile(survey: "Survey", estimate: "Estimate", column: int) -> Chart:
    """Return a chart of the strength along one parameter with 95 % bounds. `column` is the parameter's
    number.
    """
    parameters = survey.observations.parameters
    places = _places(parameters[column], _POINTS)
    means, errors = _strengths(survey, estimate, {column: places})
    drawn = list(zip(places, means, errors, strict=True))
    if parameters[column].axis.levels:  # a step for each value
        half = 0.5 / len(places)
        drawn = [(x + side, mean, error) for x, mean, error in drawn for side in (-half, half)]
    lines = (
        Line("estimate", tuple((x, mean) for x, mean, _ in drawn)),
        Line("lower bound", tuple((x, mean - 1.96 * error) for x, mean, error in drawn)),
        Line("upper bound", tuple((x, mean + 1.96 * error) for x, mean, error in drawn)),
    )
    best, code = estimate.best[column], parameters[column].code
    return Chart(
        title=f"What {code} is worth",
        lines=lines,
        x=code,
        y="Elo points above the best parameters",
        ticks=ticks(parameters[column]),
        note=f"{_others(parameters, (column,))}the best {code} is {_shown(parameters[column], best)}. "
        "The bounds are those of 95 %.",
    )


def _map(survey: "Survey", estimate: "Estimate", across: int, up: int) -> Map:
    """Return a map of the strength over two parameters. `across` and `up` are the parameters' numbers."""
    parameters = survey.observations.parameters
    columns, rows = (_places(parameters[each], _CELLS) for each in (across, up))
    cells = {across: [x for _ in rows for x in columns], up: [y for y in rows for _ in columns]}
    means, errors = _strengths(survey, estimate, cells)
    inside = [mean + _ONE_SIDED * error >= 0 for mean, error in zip(means, errors, strict=True)]
    width = len(columns)
    starts = range(0, len(means), width)
    points = {"best": estimate.best, "start": estimate.start}
    places = {name: survey.observations.positions(point) for name, point in points.items()}
    codes = parameters[across].code, parameters[up].code
    return Map(
        title=f"{codes[0]} and {codes[1]}",
        x=codes[0],
        y=codes[1],
        rows=tuple(tuple(means[start : start + width]) for start in starts),
        inside=tuple(tuple(inside[start : start + width]) for start in starts),
        across=ticks(parameters[across]),
        up=ticks(parameters[up]),
        marks=tuple(Mark(name, place[across], place[up]) for name, place in places.items()),
        key="Elo points above the best parameters",
        region="not worse than the best, as far as is known (95 %)",
        note=f"{_others(parameters, (across, up))}colours say how strong candidates are.",
    )


def _others(parameters: Sequence[Valued], columns: Sequence[int]) -> str:
    """Return the words in a chart's note about the parameters that it does not show; "" if it shows all.

    Args:
        parameters: All parameters.
        columns: The numbers of the parameters that the chart shows.
    """
    return "With all other parameters at their best, " if len(parameters) > len(columns) else ""


def _places(parameter: Valued, most: int) -> list[float]:
    """Return the positions, from 0 to 1, at which a chart shows a parameter.

    A list of at most `most` values has one position for each value. Any other parameter has `most` positions
    at equal distances.
    """
    levels = parameter.axis.levels
    count = levels if 0 < levels <= most else most
    return [(number + 0.5) / count for number in range(count)]


def _strengths(
    survey: "Survey", estimate: "Estimate", columns: dict[int, list[float]]
) -> tuple[list[float], list[float]]:
    """Return strengths in Elo, relative to the best point, and their standard deviations.

    Args:
        survey: The landscape.
        estimate: The estimate, which has the best point.
        columns: For each parameter that varies, by number, its positions from 0 to 1, one for each strength.
            All other parameters have their best values.
    """
    import numpy as np  # noqa: PLC0415 - many commands do without

    best = np.array(survey.observations.positions(estimate.best))
    points = np.repeat(best[None], len(next(iter(columns.values()))), axis=0)
    for column, places in columns.items():
        points[:, column] = places
    means, errors = survey.elo(points, estimate.best)
    return means.tolist(), errors.tolist()


def ticks(parameter: Valued) -> tuple[tuple[float, str], ...]:
    """Return the labels of an axis: the position of each, from 0 to 1, and its text.

    They are all values of a short list, round numbers, or the values at equal distances.
    """
    low, high = parameter.reach
    levels = parameter.axis.levels
    places = [number / 4 for number in range(5)]
    if 0 < levels <= 2 * _TICKS:
        places = _places(parameter, levels)
    else:
        ends = [values_at((parameter,), (low + share * (high - low),))[0] for share in (0, 0.5, 1)]
        if all(isinstance(end, int | float) and not isinstance(end, bool) for end in ends):
            with suppress(ValueError):  # a function of the control file has no way back from a value
                found = [(parameter.place(number), number) for number in _round_numbers(*ends)]
                return tuple(((place - low) / (high - low), f"{number:g}") for place, number in found)
    return tuple((place, _shown(parameter, low + place * (high - low))) for place in places)


def _shown(parameter: Valued, coordinate: float) -> str:
    return shown(values_at((parameter,), (coordinate,))[0])


def _round_numbers(low: float, middle: float, high: float) -> list[float]:
    """Return round numbers between the ends of a scale, such as 1, 10, 100 if the scale is logarithmic.

    A scale counts as logarithmic if its middle value is near its low end.
    """
    if high <= low:
        return [low]
    if low > 0 and middle < low + (high - low) / 3:
        powers = range(floor(log10(low)), ceil(log10(high)) + 1)
        found = [
            digit * 10.0**power for power in powers for digit in ((1, 2, 5) if len(powers) <= 3 else (1,))
        ]
        return [min(max(each, low), high) for each in found if low * (1 - 1e-9) <= each <= high * (1 + 1e-9)]
    rough = (high - low) / _TICKS
    power = 10.0 ** floor(log10(rough))
    step = next(power * each for each in (1, 2, 5, 10) if power * each >= rough * (1 - 1e-9))
    return [
        round(number * step, 10) for number in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)
    ]
