"""The SPSA tuner: two candidates on opposite sides of the present parameters play each other, and the
parameters move towards the winner.

There is no opponent. An iteration is two games with swapped seats from the same opening, or more if the
settings play an opening more often. When all games of an iteration have ended, the parameters move, so they
depend on the order in which iterations end. With games in parallel, an iteration may have begun from
parameters that are some iterations old.

The pairing id of a game has the points of both candidates before rounding. `number_of_iterations` determines
the size of all steps: if it is changed between two runs, all steps become those of the new value.

Sources: Spall 1992; the gains are those of fishtest, which tunes Stockfish.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import floor
from typing import Any, NamedTuple

from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings, Identifier, check_least
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Block, Cell, Chart, Line
from gyoji.pairing.game_maker import block_of
from gyoji.tuning.games import MARK, MINUS, PLUS, SeriesTuner, TunerSettings, check_share, score
from gyoji.tuning.observations import Point
from gyoji.tuning.parameters import CODE, check_format, described, values_at, with_format
from gyoji.tuning.scales import Axis, Linear
from gyoji.tuning.series import Series, format_point, pick, recorded_number, recorded_points, uniform
from gyoji.tuning.tables import TunerTables, parameter_table
from gyoji.tuning.tuner_report import tuner_format

DEFAULT_REACH = 10
"""The divisor of a parameter's range that gives its default `c_end`, the change in the last iteration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter in the engine's own unit.

    Attributes:
        start: The value at which the search begins, by default the middle of the range.
        c_end: The change, up and down, that is tried in the last iteration, by default a tenth of the range.
            It is at least ½ where values are whole numbers.
        r_end: The gain of the last iteration, divided by c_end squared (as in fishtest).
        integer: Whether the engine gets whole numbers: one of the two nearest, at random.
    """

    code: Identifier = field(metadata=CODE)
    min: float
    max: float
    start: float
    c_end: float
    r_end: float = 0.01
    integer: bool = False
    format: str

    @classmethod
    def complete(cls, table: Mapping[str, Any], index: int) -> dict[str, Any]:
        """Return a parameter's table with defaults for `start`, `c_end` and the format of its values."""
        full = with_format(table)
        low, high = full.get("min"), full.get("max")
        if isinstance(low, int | float) and isinstance(high, int | float):
            full.setdefault("start", (low + high) / 2)
            full.setdefault("c_end", (high - low) / DEFAULT_REACH)
        return full

    def __post_init__(self) -> None:
        if self.min >= self.max:
            raise ValueError(f"max: expected more than min, which is {self.min:g}, got {self.max:g}")
        if not self.min <= self.start <= self.max:
            raise ValueError(f"start: expected {self.min:g} to {self.max:g}, got {self.start:g}")
        for key in ("c_end", "r_end"):
            if getattr(self, key) <= 0:
                raise ValueError(f"{key}: expected more than 0, got {getattr(self, key):g}")
        for key in ("min", "max") if self.integer else ():
            if getattr(self, key) != int(getattr(self, key)):
                raise ValueError(f"{key}: expected a whole number, got {getattr(self, key):g}")
        check_format(self.format, self.value(self.start))

    @property
    def reach(self) -> tuple[float, float]:
        return self.min, self.max

    @property
    def axis(self) -> Axis:
        return Axis()

    def place(self, value: Any) -> float:
        return Linear(self.min, self.max).place(value) * (self.max - self.min) + self.min

    def value(self, coordinate: float, luck: float = 0.5) -> float:
        """Return the value that the engine gets: the coordinate, or the whole number below or above it.

        Args:
            luck: A random number from 0 to 1 that chooses the whole number. The nearer one is more probable;
                ½ always gives the nearest.
        """
        return floor(coordinate + luck) if self.integer else coordinate


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(TunerSettings):
    """The settings of an SPSA tuner, besides those of its games.

    Attributes:
        number_of_iterations: Number of iterations. Each has two games, or all games of an opening.
        stability: The constant A of the method, divided by the number of iterations. A larger one makes the
            first steps smaller.
        alpha: The exponent with which gains decrease by iteration.
        gamma: The exponent with which changes decrease by iteration.
    """

    parameters: tuple[Parameter, ...]
    number_of_iterations: int
    stability: float = 0.1
    alpha: float = 0.602
    gamma: float = 0.101

    def __post_init__(self) -> None:
        GameSettings.__post_init__(self)
        self.check_tuning(self.parameters)
        check_least(1, number_of_iterations=self.number_of_iterations)
        check_least(0, stability=self.stability)
        check_share(alpha=self.alpha, gamma=self.gamma)

    @property
    def block(self) -> int:
        """Number of games of an iteration: two, or more if an opening has more."""
        return max(2, block_of(self))


class Pair(NamedTuple):
    """The two candidates of an iteration.

    Attributes:
        plus: The present parameters, changed in a random direction.
        minus: The present parameters, changed in the opposite direction.
    """

    plus: Point
    minus: Point


class Walk:
    """Simultaneous perturbation stochastic approximation: the present parameters, and the steps so far.

    Each iteration changes all parameters at once, each up or down at random. The candidate with these changes
    plays the candidate with the opposite changes, and the parameters move towards the winner.

    Attributes:
        place: The present point, in the engine's units.
        path: All points so far.
    """

    def __init__(self, settings: Settings, seed: int) -> None:
        self.place: Point = tuple(parameter.start for parameter in settings.parameters)
        self.path = [self.place]
        self._settings = settings
        self._seed = seed

    def pair(self, iteration: int) -> Pair:
        """Return the candidates of an iteration (numbered from 1) around the present point."""
        plus, minus = [], []
        for axis, (parameter, centre) in enumerate(zip(self._settings.parameters, self.place, strict=True)):
            change = self.change(parameter, iteration)
            if pick(2, self._seed, "flip", iteration, axis):
                change = -change
            plus.append(_held(parameter, centre + change))
            minus.append(_held(parameter, centre - change))
        return Pair(tuple(plus), tuple(minus))

    # The direction is read from the pair that was played, not drawn again: the present settings may draw
    # another one.
    def move(self, iteration: int, pair: Pair, lead: float) -> None:
        """Move the parameters after an iteration.

        Args:
            iteration: Number of the iteration, from 1.
            pair: The candidates that played it.
            lead: Wins of the candidate `pair.plus` minus wins of `pair.minus`.
        """
        moved = []
        for axis, (parameter, place) in enumerate(zip(self._settings.parameters, self.place, strict=True)):
            up = pair.plus[axis] - pair.minus[axis]
            direction = (up > 0) - (up < 0)
            step = self._gain(parameter, iteration) / self.change(parameter, iteration)
            moved.append(_held(parameter, place + step * lead * direction))
        self.place = tuple(moved)
        self.path.append(self.place)

    # The rounding is random, so that on average a candidate plays with its exact coordinate.
    def values(self, point: Point, *parts: object) -> tuple[float, ...]:
        """Return the engine's values at a point.

        Args:
            parts: Values that seed the random rounding to whole numbers. Equal parts give equal rounding.
        """
        return tuple(
            parameter.value(coordinate, uniform(self._seed, "round", axis, *parts))
            for axis, (parameter, coordinate) in enumerate(zip(self._settings.parameters, point, strict=True))
        )

    # Below ½ both candidates could round to the same whole number, and the game would say nothing.
    def change(self, parameter: Parameter, iteration: int) -> float:
        """Return c_k, the change of a parameter in an iteration; for whole numbers at least ½."""
        settings = self._settings
        change: float = parameter.c_end * (settings.number_of_iterations / iteration) ** settings.gamma
        return max(change, 0.5) if parameter.integer else change

    def _gain(self, parameter: Parameter, iteration: int) -> float:
        """Return a_k, the gain of an iteration. In the last iteration it is r_end * c_end^2."""
        settings = self._settings
        last = settings.number_of_iterations
        stability = settings.stability * last
        shrunk: float = ((stability + last) / (stability + iteration)) ** settings.alpha
        return parameter.r_end * parameter.c_end**2 * shrunk


def _held(parameter: Parameter, value: float) -> float:
    return min(max(value, parameter.min), parameter.max)


class SpsaTuner(SeriesTuner[Pair]):
    """An SPSA tuner: the competition of its candidates.

    Attributes:
        walk: The present parameters, and the steps so far.
        iterations: Number of iterations that are over.
    """

    def __init__(self, setup: CompetitionSetup) -> None:
        self.settings = setup.settings_as(Settings)
        self.walk = Walk(self.settings, setup.seed)
        self.start = self.walk.place
        super().__init__(setup, self.settings, self.settings.parameters, self.walk.place)
        self.iterations = 0
        self._block = self.settings.block
        self._series = Series(self.settings.number_of_iterations * self._block, self._block)
        self._leads: dict[int, tuple[float, int]] = {}  # lead, and games without a result, by iteration

    @property
    def best(self) -> Point:
        """The present parameters."""
        return self.walk.place

    def where(self, result: GameResult) -> Pair:
        """Return the parameter values of both candidates of a stored game, before rounding.

        Raises:
            ConfigError: The game has other parameters.
        """
        return Pair(*recorded_points(result, len(self.parameters), 2))

    def add(self, result: GameResult) -> None:
        """Count a finished game, once.

        Raises:
            ConfigError: The game does not belong to this tuner.
        """
        number, pair, lead = recorded_number(result), self.where(result), 2 * score(result) - 1
        if not self._series.add(number, pair):
            return
        iteration = number // self._block + 1
        so_far, left = self._leads.pop(iteration, (0.0, self._block))
        if left > 1:
            self._leads[iteration] = so_far + lead, left - 1
            return
        self.iterations += 1
        self.walk.move(iteration, pair, so_far + lead)

    def next_game(self) -> GameSpec | None:
        """Issue the next game: of an iteration that has begun, or the first one of the next iteration."""
        found = self._series.next(lambda candidate: self.walk.pair(candidate + 1))
        if found is None:
            return None
        number, iteration, pair = found.number, found.candidate + 1, found.chosen
        players, notes = [], []
        for mark, point in zip((PLUS, MINUS), pair, strict=True):
            values = self.walk.values(point, iteration, mark)
            players.append(self.settings.candidate(f"{MARK}{iteration}{mark}", values))
            notes.append(f"{mark} {described(self.settings.parameters, values)}")
        pairing, note = ";".join(map(format_point, pair)), " | ".join(notes)
        return self._game(str(number), pairing, players, number, first=number % 2, note=note)


class SpsaTables(TunerTables[SpsaTuner]):
    """The report of an SPSA tuner: number of iterations, and for each parameter its value, start, change and
    range.
    """

    method = "SPSA"

    def screen(self) -> Iterator[Block]:
        event, settings, place = self.event, self.event.settings, self.event.walk.place
        parameters = settings.parameters
        yield f"{event.iterations}/{settings.number_of_iterations} iterations, {event.played} games played"
        yield ""
        yield f"Parameters: {described(parameters, values_at(parameters, place))}"
        yield ""
        following = min(event.iterations + 1, settings.number_of_iterations)
        columns = {
            "now": place,
            "start": [each.start for each in parameters],
            "tried up and down by": [event.walk.change(each, following) for each in parameters],
            "min": [each.min for each in parameters],
            "max": [each.max for each in parameters],
        }
        cells = {
            name: [Cell(f"{number:.4g}", number) for number in column] for name, column in columns.items()
        }
        yield parameter_table(parameters, cells)

    def facts(self) -> dict[str, Any]:
        """Return the values for JSON: numbers of games and iterations, and the parameters before rounding."""
        parameters, place = self.event.settings.parameters, self.event.walk.place
        return {
            "played": self.event.played,
            "iterations": self.event.iterations,
            "exact": {parameter.code: value for parameter, value in zip(parameters, place, strict=True)},
        }

    def charts(self) -> tuple[Chart, ...]:
        """Return a chart with a line for each parameter: its position in its range, by iteration."""
        lines = tuple(
            Line(
                parameter.code,
                tuple(
                    (number, (place[axis] - parameter.min) / (parameter.max - parameter.min))
                    for number, place in enumerate(self.event.walk.path)
                ),
            )
            for axis, parameter in enumerate(self.event.settings.parameters)
        )
        note = "Each parameter in its range: 0 is its min, 1 its max."
        return (Chart(title="Where the parameters go", lines=lines, x="iterations", y="place", note=note),)


FORMAT = tuner_format(name="spsa_tuner", settings=Settings, tuner=SpsaTuner, tables=SpsaTables)
