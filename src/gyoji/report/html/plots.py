"""Positions of lines and cells in charts and maps, in percent. `templates/charts.html` draws them."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import ceil, floor, log10
from typing import NamedTuple

from gyoji.core.tables import Chart, Line, Map

MOST_POINTS = 600
"""Most points of a line that are drawn one by one. Of a longer line the extremes of each stretch are drawn.
"""

_NOTHING = 1e-9
"""Relative difference below which two numbers are taken as equal."""


class Scale:
    """A range of numbers that is drawn along a line, with ticks at round numbers."""

    def __init__(self, low: float, high: float) -> None:
        # A line of equal values would divide by zero: it is drawn in the middle of a range of 2.
        if high - low < _NOTHING * max(abs(low), abs(high), 1):
            low, high = low - 1, high + 1
        self.low, self.high = low, high

    def percent(self, value: float) -> float:
        """Return where a number is drawn: from 0 at the low end to 100 at the high end, with two decimals."""
        return round(100 * (value - self.low) / (self.high - self.low), 2)

    def downwards(self, value: float) -> float:
        """Return where a number is drawn if the scale runs from 0 at its high end to 100 at its low end."""
        return round(100 - self.percent(value), 2)

    def bounded(self, value: float) -> float:
        """Return the number, or the nearer end of the scale if the number is outside."""
        return min(max(value, self.low), self.high)

    def ticks(self, most: int = 6) -> list[float]:
        """Return round numbers in the scale: multiples of 1, 2 or 5 times a power of ten.

        >>> Scale(-130, 240).ticks(), Scale(0, 1).ticks()
        ([-100.0, 0.0, 100.0, 200.0], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
        """
        step = _step((self.high - self.low) / most)
        # 1e-9: a bound that is a tick but for rounding keeps its tick.
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [round(number * step, 10) for number in range(first, last + 1)]


class Plot(NamedTuple):
    """A chart, placed on its two scales.

    Attributes:
        across: The horizontal scale.
        up: The vertical scale.
        paths: SVG paths of the lines, in percent of width and height.
    """

    across: Scale
    up: Scale
    paths: tuple[str, ...]


def plotted(chart: Chart) -> Plot | None:
    """Place a chart on scales that hold all its points. Return None for a chart without points."""
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
    """Return the points of a line. If there are more than `most`, return about that many of them.

    A longer line is cut into `most` / 2 stretches. The lowest and the highest point of each are kept.

    >>> thinned([(0, 0), (1, 5), (2, 1), (3, 0), (4, 9), (5, 2)], most=4)
    [(0, 0), (1, 5), (3, 0), (4, 9), (5, 2)]
    """
    if len(points) <= most:
        return list(points)
    size = ceil(len(points) / (most // 2))
    kept: list[tuple[float, float]] = [points[0]]
    for start in range(0, len(points), size):
        stretch = points[start : start + size]
        # The extremes of a stretch, not its mean: a peak of one game stays visible.
        ends = {min(stretch, key=lambda point: point[1]), max(stretch, key=lambda point: point[1])}
        kept += sorted(ends - {kept[-1]})
    return kept if kept[-1] == points[-1] else [*kept, points[-1]]


# Maps: cells of equal size in bands of colour

MOST_BANDS = 9


class Band(NamedTuple):
    """The cells of a map whose values lie in one interval, which are drawn in one colour.

    Attributes:
        number: Number of the colour. The highest band has MOST_BANDS.
        name: The interval, such as "10 to 20".
        path: SVG path around these cells. Each cell is 1 by 1.
    """

    number: int
    name: str
    path: str


class DrawnMap(NamedTuple):
    """A map of cells, as SVG paths.

    Attributes:
        columns: Number of cells in a row.
        rows: Number of rows.
        bands: The cells by colour, the lowest values first.
        outline: SVG path around the cells of the region that the map outlines.
    """

    columns: int
    rows: int
    bands: tuple[Band, ...]
    outline: str


def mapped(drawn: Map) -> DrawnMap:
    """Convert a map to SVG paths: at most MOST_BANDS bands of colour, and the outline of its region."""
    values = [value for row in drawn.rows for value in row]
    low, high = min(values), max(values)
    # Round steps, so that the legend names round numbers. They may give fewer bands than the limit.
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
    """Return the smallest number of at least `least` that is 1, 2 or 5 times a power of ten."""
    power = 10.0 ** floor(log10(least))
    return next(power * each for each in (1, 2, 5, 10) if power * each >= least * (1 - _NOTHING))


def _runs(rows: Sequence[Sequence[int]], number: int) -> Iterator[str]:
    """Yield an SVG path for each run of neighbouring cells with `number` in a row.

    rows: The number of each cell's band, the lowest row first.
    """
    for y, row in enumerate(reversed(rows)):
        x = 0
        for each, cells in groupby(row):
            width = len(list(cells))
            if each == number:
                yield f"M{x} {y}h{width}v1h{-width}z"
            x += width


def _edges(rows: Sequence[Sequence[bool]]) -> Iterator[str]:
    """Yield an SVG path for each edge between a cell inside a map's region and a cell outside it.

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
