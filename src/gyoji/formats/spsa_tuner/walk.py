"""Simultaneous perturbation stochastic approximation: a walk uphill by two games a step.

Spall 1992, with the gains of fishtest, which tunes Stockfish: each step changes all parameters at once, each
up or down by chance, plays the changed ones against those changed the other way, and moves towards the
winner. How large the steps are is told by how large the last ones are to be.
"""

from typing import NamedTuple

from gyoji.formats.spsa_tuner.settings import Parameter, Settings
from gyoji.tuning.chance import pick, uniform
from gyoji.tuning.generations import Point


class Pair(NamedTuple):
    """The two candidates of an iteration: changed one way, and the other."""

    plus: Point
    minus: Point


class Walk:
    """Where the search is. place: by parameter, in the engine's unit; path: all places until now."""

    def __init__(self, settings: Settings, seed: int) -> None:
        self.place: Point = tuple(parameter.start for parameter in settings.parameters)
        self.path = [self.place]
        self._settings = settings
        self._seed = seed

    def pair(self, iteration: int) -> Pair:
        """The candidates of an iteration, from 1, around the place of now."""
        plus, minus = [], []
        for axis, (parameter, centre) in enumerate(zip(self._settings.parameters, self.place, strict=True)):
            change = self.change(parameter, iteration)
            if pick(2, self._seed, "flip", iteration, axis):
                change = -change
            plus.append(_held(parameter, centre + change))
            minus.append(_held(parameter, centre - change))
        return Pair(tuple(plus), tuple(minus))

    def move(self, iteration: int, pair: Pair, lead: float) -> None:
        """Learn from an iteration. lead: the wins of `plus` less those of `minus`."""
        moved = []
        for axis, (parameter, place) in enumerate(zip(self._settings.parameters, self.place, strict=True)):
            up = pair.plus[axis] - pair.minus[axis]
            direction = (up > 0) - (up < 0)
            step = self._gain(parameter, iteration) / self.change(parameter, iteration)
            moved.append(_held(parameter, place + step * lead * direction))
        self.place = tuple(moved)
        self.path.append(self.place)

    def values(self, point: Point, *parts: object) -> tuple[float, ...]:
        """The values that the engine gets at a point. parts: what names the draw that rounds."""
        return tuple(
            parameter.value(coordinate, uniform(self._seed, "round", axis, *parts))
            for axis, (parameter, coordinate) in enumerate(zip(self._settings.parameters, point, strict=True))
        )

    def change(self, parameter: Parameter, iteration: int) -> float:
        """c_k: by how much a parameter is changed; whole numbers by half at least, to change at all."""
        settings = self._settings
        change: float = parameter.c_end * (settings.number_of_iterations / iteration) ** settings.gamma
        return max(change, 0.5) if parameter.integer else change

    def _gain(self, parameter: Parameter, iteration: int) -> float:
        """a_k, such that it is r_end c_end² in the last iteration."""
        settings = self._settings
        last = settings.number_of_iterations
        stability = settings.stability * last
        shrunk: float = ((stability + last) / (stability + iteration)) ** settings.alpha
        return parameter.r_end * parameter.c_end**2 * shrunk


def _held(parameter: Parameter, value: float) -> float:
    return min(max(value, parameter.min), parameter.max)
