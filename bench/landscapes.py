"""Landscapes for tuners: simulated engines whose strength is a formula, so that their best parameters are
known.

Those of one to five numbers are the functions of R. Coulom's paper ("CLOP: Confident Local Optimization
for Noisy Black-Box Parameter Tuning", ACG 13, 2011) and sums of them, and besides a bent ridge in four
numbers, a slanting quadratic and terraces. The last three have choices: lists of values without an order.
Landscapes with `kept_out` were not looked at while `auto_tuner` was made.

Coordinates go from 0 to 1. Strength is in Elo, 0 for the best point.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import cos, log, sin

ELO = 400 / log(10)
"""The Elo of a unit of log-odds."""

MARGIN = 85
"""The Elo by which the best candidate is stronger than the opponent: it scores 62 %."""

Values = Sequence[float]


@dataclass(frozen=True, slots=True)
class Landscape:
    """The strength of candidates.

    Attributes:
        strength: Returns the Elo of a point in the cube from 0 to 1.
        choices: For each coordinate, the number of values of its unordered list; 0 for a number.
        kept_out: Whether the landscape was no part of the making of `auto_tuner`.
    """

    name: str
    dimensions: int
    strength: Callable[[Values], float]
    choices: tuple[int, ...] = ()
    kept_out: bool = False

    @property
    def sizes(self) -> tuple[int, ...]:
        return self.choices or (0,) * self.dimensions

    @property
    def middle(self) -> float:
        """The Elo below the best without tuning."""
        return -self.strength([0.5] * self.dimensions)


def _logarithm(x: float) -> float:
    u = 2 * x + 1
    return 2 * log(2 * u + 2.1) - 2 * u - 1


def _flat(x: float) -> float:
    d = x + 0.6
    return 0.2 / (1 + 6 * d * d + d**3)


def _power(x: float) -> float:
    u: float = (x + 1) / 2
    return 0.2 * u * u - u**20


def _angle(x: float) -> float:
    return -2 * abs(x + 0.3)


def _step(x: float) -> float:
    u = 2 * x + 1
    return int(2 * log(2 * u + 2.1) - 2 * u - 0.35)


def _terraces(x: float) -> float:
    return -0.3 * int(5 * abs(x - 0.35) + 0.25)


def _sum(part: Callable[[float], float], point: Values) -> float:
    return sum(part(x) for x in point)


def _rosenbrock(point: Values) -> float:
    total = 0.0
    for x, y in zip(point[::2], point[1::2], strict=True):
        a, b = 4 * x, 10 * y + 4
        total -= (1 - a) ** 2 + (b - a * a) ** 2
    return 0.1 * total


def _bent(x: float) -> float:
    return x * x * (x * (1 - x) - 1)


def _correlated(point: Values) -> float:
    x, y = point
    return 0.2 * (_bent(10 * (x + y + 0.1)) + _bent(x - y + 0.9))


_AXES = tuple(tuple(cos(1.1 * (i + 1) * (j + 1)) + sin(0.7 * i - j) for j in range(4)) for i in range(4))
_CENTRE = (0.3, -0.4, 0.5, -0.1)
_STEEP = (3.0, 1.0, 0.3, 0.1)


def _slanting(point: Values) -> float:
    away = [x - centre for x, centre in zip(point, _CENTRE, strict=True)]
    along = [sum(a * b for a, b in zip(axis, away, strict=True)) for axis in _AXES]
    return -sum(steep * each * each for steep, each in zip(_STEEP, along, strict=True))


def _chosen(x: float, size: int) -> int:
    """Return which of `size` values a coordinate from -1 to 1 stands for."""
    return min(int((x + 1) / 2 * size), size - 1)


_EIGHT = (-0.9, -0.2, -1.4, -0.5, -0.7, 0.0, -0.3, -1.0)


def _of_eight(point: Values) -> float:
    return _EIGHT[_chosen(point[0], 8)]


_THREE = ((-0.5, -0.9, 0.0, -0.2), (0.0, -0.6, -0.3, -1.0), (-0.4, -0.1, -0.8, 0.0))


def _three_lists(point: Values) -> float:
    """Return the strength. The third list's best value is another one unless the second list has its own
    best value.
    """
    first, second, third = (_chosen(x, 4) for x in point)
    with_second = _THREE[2][third] if second == 0 else _THREE[2][(third + 2) % 4] - 0.1
    return _THREE[0][first] + _THREE[1][second] + with_second


_MODES = ((-0.2, 0.3, -0.3), (-0.5, -0.6, 0.1), (0.0, 0.4, 0.5), (-0.9, 0.0, 0.0), (-0.3, -0.2, 0.6))


def _modes(point: Values) -> float:
    """Return the strength of a list of five, and of two numbers whose best values depend on it."""
    base, x, y = _MODES[_chosen(point[0], 5)]
    return base - 1.5 * (point[1] - x) ** 2 - 0.8 * (point[2] - y) ** 2


def _made(
    name: str,
    best: Sequence[float],
    part: Callable[[Values], float],
    *,
    choices: tuple[int, ...] = (),
    kept_out: bool = False,
) -> Landscape:
    """Return the landscape of a function of coordinates from -1 to 1 whose best point is known."""
    top = part(best)

    def strength(point: Values) -> float:
        return ELO * (part([2 * x - 1 for x in point]) - top)

    return Landscape(name, len(best), strength, choices, kept_out)


_POWER_BEST = 2 * (2 * 0.2 / 20) ** (1 / 18) - 1

LANDSCAPES = (
    _made("log 1", (-0.525,), partial(_sum, _logarithm)),
    _made("flat 1", (-0.6,), partial(_sum, _flat), kept_out=True),
    _made("power 1", (_POWER_BEST,), partial(_sum, _power), kept_out=True),
    _made("angle 1", (-0.3,), partial(_sum, _angle)),
    _made("step 1", (-0.525,), partial(_sum, _step)),
    _made("log 2", (-0.525,) * 2, partial(_sum, _logarithm), kept_out=True),
    _made("rosenbrock 2", (0.25, -0.3), _rosenbrock),
    _made("correlated 2", (-0.5, 0.4), _correlated, kept_out=True),
    _made("terraces 2", (0.35,) * 2, partial(_sum, _terraces), kept_out=True),
    _made("angle 3", (-0.3,) * 3, partial(_sum, _angle)),
    _made("rosenbrock 4", (0.25, -0.3) * 2, _rosenbrock, kept_out=True),
    _made("slanting 4", _CENTRE, _slanting),
    _made("log 5", (-0.525,) * 5, partial(_sum, _logarithm)),
    _made("angle 5", (-0.3,) * 5, partial(_sum, _angle), kept_out=True),
    _made("one of 8", (0.3,), _of_eight, choices=(8,)),
    _made("three lists", (0.1, -0.9, 0.9), _three_lists, choices=(4, 4, 4), kept_out=True),
    _made("modes 3", (0.0, 0.4, 0.5), _modes, choices=(5, 0, 0), kept_out=True),
)
