"""Geometry of charts and maps: scales with ticks, and SVG paths, which `templates/charts.html` draws."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import ceil, floor, log10
from typing import NamedTuple

from gyoji.core.tables import Chart, Line, Map

MOST_POINTS = 600
"""Largest number of points of a line that are all drawn. A longer line is thinned out, see `thinned`."""

_NOTHING = 1e-9
"""Relative difference below which two numbers count as equal."""


class Scale:
    """The scale of an axis: a range of numbers with ticks at round numbers."""

    def __init__(self, low: float, high: float) -> None:
        # A range of size 0 would cause a division by zero. It becomes a range of size 2 around the value.
        if high - low < _NOTHING * max(abs(low), abs(high), 1):
            low, high = low - 1, high + 1
        self.low, self.high = low, high

    def percent(self, value: float) -> float:
        """Return the position of a number on the axis, in percent from the low end, with two decimals."""
        return round(100 * (value - self.low) / (self.high - self.low), 2)

    def downwards(self, value: float) -> float:
        """Return the position of a number on a vertical axis, in percent from the high end at the top."""
        return round(100 - self.percent(value), 2)

    def bounded(self, value: float) -> float:
        """Return the number, or the nearest end of the scale if the number is outside."""
        return min(max(value, self.low), self.high)

    def ticks(self, most: int = 6) -> list[float]:
        """Return round numbers in the scale: multiples of 1, 2 or 5 times a power of ten.

        Args:
            most: Largest number of steps between ticks.

        >>> Scale(-130, 240).ticks(), Scale(0, 1).ticks()
        ([-100.0, 0.0, 100.0, 200.0], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
        """
        step = _step((self.high - self.low) / most)
        # 1e-9: a bound that is a tick except for rounding keeps its tick.
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [round(number * step, 10) for number in range(first, last + 1)]


class Plot(NamedTuple):
    """A chart with its scales.

    Attributes:
        across: The horizontal scale.
        up: The vertical scale.
        paths: SVG paths of the lines, in percent of width and height.
    """

    across: Scale
    up: Scale
    paths: tuple[str, ...]


def plotted(chart: Chart) -> Plot | None:
    """Return a chart with scales that contain all its points; None for a chart without points."""
    points = [point for line in chart.lines for point in line.points]
    if not points:
        return None
    across = Scale(min(x for x, _ in points), max(x for x, _ in points))
    heights = [y for _, y in points] + [y for _, y in chart.limits]
    up = Scale(min(heights), max(heights))
    return Plot(across, up, tuple(_path(line, across, up) for line in chart.lines))


def _path(line: Line, across: Scale, up: Scale) -> str:
    return "M" + "L".join(f"{across.percent(x)} {up.downwards(y)}" for x, y in thinned(line.points))


def thinned(points: Sequence[tuple[float, float]], most: int = MOST_POINTS) -> list[tuple[float, float]]:
    """Return the points of a line, thinned out to about `most` points if there are more.

    A longer line is divided into `most` / 2 parts. The lowest and the highest point of each part are kept,
    and the two ends of the line.

    >>> thinned([(0, 0), (1, 5), (2, 1), (3, 0), (4, 9), (5, 2)], most=4)
    [(0, 0), (1, 5), (3, 0), (4, 9), (5, 2)]
    """
    if len(points) <= most:
        return list(points)
    size = ceil(len(points) / (most // 2))
    kept: list[tuple[float, float]] = [points[0]]
    for start in range(0, len(points), size):
        stretch = points[start : start + size]
        # Extremes and not means, so that a peak of one game stays visible
        ends = {min(stretch, key=lambda point: point[1]), max(stretch, key=lambda point: point[1])}
        kept += sorted(ends - {kept[-1]})
    return kept if kept[-1] == points[-1] else [*kept, points[-1]]


# Maps: cells of equal size, coloured by the intervals of their values (bands)

MOST_BANDS = 9


class Band(NamedTuple):
    """The cells of a map whose values are in one interval, drawn in one colour.

    Attributes:
        number: Number of the colour. It is MOST_BANDS for the band of the highest values.
        name: The interval, such as "10 to 20".
        path: SVG path that fills these cells. Each cell is 1 by 1.
    """

    number: int
    name: str
    path: str


class DrawnMap(NamedTuple):
    """A map as SVG paths.

    Attributes:
        columns: Number of cells in a row.
        rows: Number of rows.
        bands: The cells by colour, the lowest values first.
        outline: SVG path around the cells of the map's region.
    """

    columns: int
    rows: int
    bands: tuple[Band, ...]
    outline: str


def mapped(drawn: Map) -> DrawnMap:
    """Convert a map to SVG paths: at most MOST_BANDS bands of colour, and the outline of its region."""
    values = [value for row in drawn.rows for value in row]
    low, high = min(values), max(values)
    # Round steps, so that the legend has round numbers. There may be fewer bands than MOST_BANDS.
    step = _step((high - low) / (MOST_BANDS - 1)) if high - low > _NOTHING else 1.0
    first, last = floor(low / step + _NOTHING), floor(high / step + _NOTHING)
    numbers = [[min(floor(value / step + _NOTHING), last) for value in row] for row in drawn.rows]
    bands = tuple(
        Band(
            MOST_BANDS - (last - number),
            f"{number * step:g} to {(number + 1) * step:g}",
            "".join(_runs(numbers, number)),
        )
        for number in range(first, last + 1)
    )
    return DrawnMap(len(drawn.rows[0]), len(drawn.rows), bands, "".join(_edges(drawn.inside)))


def _step(least: float) -> float:
    """Return the smallest number, at least `least`, that is 1, 2 or 5 times a power of ten."""
    power = 10.0 ** floor(log10(least))
    return next(power * each for each in (1, 2, 5, 10) if power * each >= least * (1 - _NOTHING))


def _runs(rows: Sequence[Sequence[int]], number: int) -> Iterator[str]:
    """Yield an SVG path for each sequence of neighbouring cells of a band in a row.

    Args:
        rows: The number of each cell's band, the lowest row first.
        number: The number of the band.
    """
    for y, row in enumerate(reversed(rows)):
        x = 0
        for each, cells in groupby(row):
            width = len(list(cells))
            if each == number:
                yield f"M{x} {y}h{width}v1h{-width}z"
            x += width


def _edges(rows: Sequence[Sequence[bool]]) -> Iterator[str]:
    """Yield an SVG path for each edge between a cell inside a region and one outside.

    Args:
        rows: Whether each cell is inside, the lowest row first.
    """
    flags = [list(row) for row in reversed(rows)]
    height, width = len(flags), len(flags[0])

    def inside(x: int, y: int) -> bool:
        return 0 <= x < width and 0 <= y < height and flags[y][x]

    for y in range(height + 1):
        for x in range(width + 1):
            if inside(x, y) != inside(x, y - 1):
                yield f"M{x} {y}h1"
            if inside(x, y) != inside(x - 1, y):
                yield f"M{x} {y}v1"
