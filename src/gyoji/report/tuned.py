"""How the candidates of a tuner score as it goes on, as a chart: whether it learns anything."""

from collections.abc import Sequence

from gyoji.core.progress import Chart, Line

MOST_POINTS = 50
LEAST_GAMES = 10
"""A point is the share of so many games in a row, at least."""


def candidate_charts(points: Sequence[float]) -> tuple[Chart, ...]:
    """points: of a candidate against somebody else, game by game. No chart of fewer than two shares."""
    size = max(LEAST_GAMES, -(-len(points) // MOST_POINTS))
    ends = range(size, len(points) + 1, size)
    shares = tuple((float(end), 100 * sum(points[end - size : end]) / size) for end in ends)
    if len(shares) < 2:
        return ()
    chart = Chart(
        title="How the candidates score",
        note=f"Their share of the points, in per cent, of each {size} games, in the order of their ends.",
        lines=(Line("candidates", shares),),
        y="per cent",
    )
    return (chart,)
