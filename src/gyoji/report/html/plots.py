"""Plots as SVG. Places are in percent and text in pixels: a plot fits any screen, and can be read on it."""

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10

from gyoji.core.progress import Chart, Line
from gyoji.report.html.markup import element, inline

MOST_POINTS = 600
"""Of a longer line the lowest and highest points of as many stretches are drawn."""

_HEIGHT = 270
_FEW = 4  # ticks of a scale in a column of a table
_COLOURS = 5


_NOTHING = 1e-9
"""Numbers that differ by a smaller part of themselves are one."""


class Scale:
    """Numbers from low to high as percent of a length, with ticks at round numbers."""

    def __init__(self, low: float, high: float) -> None:
        if high - low < _NOTHING * max(abs(low), abs(high), 1):
            low, high = low - 1, high + 1
        self.low, self.high = low, high

    def percent(self, value: float) -> float:
        """Where a number stands, 0 at the low end, rounded to hundredths."""
        return round(100 * (value - self.low) / (self.high - self.low), 2)

    def ticks(self, most: int = 6) -> list[float]:
        """Round numbers in the scale: multiples of 1, 2 or 5 times a power of ten.

        >>> Scale(-130, 240).ticks(), Scale(0, 1).ticks()
        ([-100.0, 0.0, 100.0, 200.0], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
        """
        rough = (self.high - self.low) / most
        power = 10.0 ** floor(log10(rough))
        step = next(power * each for each in (1, 2, 5, 10) if power * each >= rough * (1 - 1e-9))
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [round(number * step, 10) for number in range(first, last + 1)]


def error_bar(scale: Scale, value: float, error: float) -> str:
    """A value with its error on both sides, over the lines of the scale; text tells it elsewhere."""
    ticks = "".join(_vertical(scale, tick) for tick in scale.ticks(_FEW))
    low, high = (
        scale.percent(min(max(end, scale.low), scale.high)) for end in (value - error, value + error)
    )
    return (
        f'<svg class="plot" height="28" aria-hidden="true">{ticks}'
        f'<line class="reach" x1="{low}%" x2="{high}%" y1="50%" y2="50%"/>'
        f'<circle class="dot" cx="{scale.percent(value)}%" cy="50%" r="4"/></svg>'
    )


def tick_names(scale: Scale) -> str:
    """The numbers below the lines of a scale."""
    places = [(tick, scale.percent(tick)) for tick in scale.ticks(_FEW)]
    texts = "".join(
        f'<text x="{place}%" y="14" text-anchor="{_anchor(place)}">{tick:g}</text>' for tick, place in places
    )
    return f'<svg class="plot" height="18" aria-hidden="true">{texts}</svg>'


def _vertical(scale: Scale, tick: float) -> str:
    kind = "zero" if tick == 0 else "axis"
    place = scale.percent(tick)
    return f'<line class="{kind}" x1="{place}%" x2="{place}%" y1="0" y2="100%"/>'


def _anchor(percent: float) -> str:
    """How a text is laid at a place, so that it does not stick out at the ends."""
    return "start" if percent < 4 else "end" if percent > 96 else "middle"


def chart_plot(chart: Chart) -> Iterator[str]:
    """A chart: its lines, the levels that mean something, and which line is which."""
    points = [point for line in chart.lines for point in line.points]
    if not points:
        return
    across = Scale(min(x for x, _ in points), max(x for x, _ in points))
    levels = [y for _, y in chart.limits]
    up = Scale(min([y for _, y in points] + levels), max([y for _, y in points] + levels))
    yield f'<svg class="plot" height="{_HEIGHT}" role="img" aria-label="{inline(chart.title)}">'
    yield f'<svg x="9%" y="20" width="87%" height="{_HEIGHT - 50}" overflow="visible">'
    yield from _grid(across, up)
    for name, y in chart.limits:
        place = 100 - up.percent(y)
        yield f'<line class="limit" x1="0" x2="100%" y1="{place}%" y2="{place}%"/>'
        yield f'<text x="100%" y="{place}%" dy="-4" text-anchor="end">{inline(name)} {y:.2f}</text>'
    yield '<svg viewBox="0 0 100 100" preserveAspectRatio="none" overflow="visible">'
    for number, line in enumerate(chart.lines):
        yield f'<path class="line{number % _COLOURS}" d="{_path(line, across, up)}"/>'
    yield "</svg></svg></svg>"
    yield f'<p class="keys soft">{_keys(chart)}across: {inline(chart.x)}; up: {inline(chart.y)}</p>'


def _grid(across: Scale, up: Scale) -> Iterator[str]:
    for tick in up.ticks():
        place = round(100 - up.percent(tick), 2)
        kind = "zero" if tick == 0 else "axis"
        yield f'<line class="{kind}" x1="0" x2="100%" y1="{place}%" y2="{place}%"/>'
        yield f'<text x="-6" y="{place}%" dy="4" text-anchor="end">{tick:g}</text>'
    for tick in across.ticks():
        place = across.percent(tick)
        yield f'<text x="{place}%" y="100%" dy="20" text-anchor="middle">{tick:g}</text>'


def _path(line: Line, across: Scale, up: Scale) -> str:
    steps = (f"{across.percent(x)} {round(100 - up.percent(y), 2)}" for x, y in thinned(line.points))
    return "M" + "L".join(steps)


def thinned(points: Sequence[tuple[float, float]], most: int = MOST_POINTS) -> list[tuple[float, float]]:
    """The points, or of many the lowest and the highest of each of `most` / 2 stretches, in their order.

    >>> thinned([(0, 0), (1, 5), (2, 1), (3, 0), (4, 9), (5, 2)], most=4)
    [(0, 0), (1, 5), (3, 0), (4, 9), (5, 2)]
    """
    if len(points) <= most:
        return list(points)
    size = ceil(len(points) / (most // 2))
    kept: list[tuple[float, float]] = [points[0]]
    for start in range(0, len(points), size):
        stretch = points[start : start + size]
        ends = {min(stretch, key=lambda point: point[1]), max(stretch, key=lambda point: point[1])}
        kept += sorted(ends - {kept[-1]})
    return kept if kept[-1] == points[-1] else [*kept, points[-1]]


def _keys(chart: Chart) -> str:
    """Which colour is which line, if there are several."""
    if len(chart.lines) < 2:
        return ""
    return "".join(
        element(
            "span",
            f'<svg viewBox="0 0 24 10"><line class="key{number % _COLOURS}" x2="24" y1="5" y2="5"/></svg>'
            + inline(line.name),
        )
        for number, line in enumerate(chart.lines)
    )
