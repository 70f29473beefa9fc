"""Points as text, exactly: what a game's pairing says of the candidate that plays it.

>>> format_point((0.1, -3.0)), parse_point("0.1,-3.0")
('0.1,-3.0', (0.1, -3.0))
"""

from collections.abc import Sequence
from math import isfinite

from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult
from gyoji.core.text import quote


def format_point(point: Sequence[float]) -> str:
    return ",".join(repr(float(coordinate)) for coordinate in point)


def parse_point(text: str) -> tuple[float, ...]:
    """The point that `format_point` wrote. Raises ValueError."""
    point = tuple(map(float, text.split(",")))
    if not all(map(isfinite, point)):
        raise ValueError(f"{quote(text)} is no point")
    return point


def recorded_point(result: GameResult, dimensions: int) -> tuple[float, ...]:
    """Where the candidate of a stored game stands. Raises ConfigError for what is no such point."""
    try:
        point = parse_point(result.pairing)
    except ValueError:
        point = ()
    if len(point) != dimensions:
        raise ConfigError(
            f"stored game {quote(result.id)} was played at {quote(result.pairing)}, which is no point of "
            f"{dimensions} parameter{'s' * (dimensions != 1)}: give the parameters as they were, "
            "or reset the competition"
        )
    return point


def recorded_number(result: GameResult) -> int:
    """The number of a stored game whose id is nothing else. Raises ConfigError for another id."""
    if not (result.id.isascii() and result.id.isdigit()):
        raise ConfigError(f"stored game {quote(result.id)} is none of a tuner whose games have numbers")
    return int(result.id)
