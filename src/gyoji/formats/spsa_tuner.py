"""The SPSA tuner: two candidates on either side of the present parameters play, and the winner draws them.

There is no opponent. An iteration is a game of each colour from the same opening, or as many as an opening
has. It moves the parameters when all its games are in, so they depend on the order in which iterations end;
with games in parallel, an iteration may have begun from where the parameters were some iterations ago.

A game's pairing is where both candidates stand, before anything is rounded. `number_of_iterations` decides
how large all steps are: when it is changed between two runs, it is as if it had been so from the beginning.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import floor
from typing import Any, NamedTuple

from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Ending
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings, Identifier
from gyoji.core.spec import GameSpec, Player
from gyoji.core.tables import Block, Chart, Endings, Line
from gyoji.core.text import quote
from gyoji.pairing.field import check_least, trials
from gyoji.pairing.games import GameMaker, block_of
from gyoji.tuning.around import tuner_format
from gyoji.tuning.games import SAMPLE, TunerSettings, check_share
from gyoji.tuning.observations import Point
from gyoji.tuning.parameters import CODE, check_format, described, values_at, with_format
from gyoji.tuning.scales import Axis, Linear
from gyoji.tuning.series import Series, format_point, parse_point, pick, recorded_number, uniform
from gyoji.tuning.tables import TunerTables, candidate_values, parameter_table

USUAL_REACH = 10
"""Which part of its range a parameter is changed by, in the end, if the user does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter in the engine's own unit.

    start    where the search begins; the middle if the user does not say.
    min, max its range.
    c_end    by how much it is changed up and down in the last iteration; a 10th of the range if not said.
    r_end    how far it is moved in the last iteration, as a share of c_end squared.
    integer  whether the engine is given whole numbers: of the two nearest one by chance.
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
        """The start, the change and the format that a parameter has if none is given."""
        full = with_format(table)
        low, high = full.get("min"), full.get("max")
        if isinstance(low, int | float) and isinstance(high, int | float):
            full.setdefault("start", (low + high) / 2)
            full.setdefault("c_end", (high - low) / USUAL_REACH)
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
        """The value that the engine gets: itself, or the whole number below or above.

        luck: from 0 to 1; the nearer one is, the more of it leads there. At ½ it is the nearest.
        """
        return floor(coordinate + luck) if self.integer else coordinate


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(TunerSettings):
    """An SPSA tuner's own settings, beside those of its games.

    number_of_iterations  of two games each, or as many as an opening has.
    stability    A, as a share of all iterations: more, and the first ones move it less.
    alpha, gamma  how fast moves and changes shrink: by the iteration to these powers.
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
        """Games of an iteration: one of each colour, or those of an opening."""
        return max(2, block_of(self))


class Pair(NamedTuple):
    """The two candidates of an iteration: changed one way, and the other."""

    plus: Point
    minus: Point


class Walk:
    """Simultaneous perturbation stochastic approximation: a walk uphill by two games a step.

    Spall 1992, with the gains of fishtest, which tunes Stockfish: each step changes all parameters at once,
    each up or down by chance, plays the changed ones against those changed the other way, and moves towards
    the winner. How large the steps are is told by how large the last ones are to be.

    place: where the search is, by parameter, in the engine's unit; path: all places until now.
    """

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


_PLUS, _MINUS = "+", "-"
"""The ends of the codes of the two candidates of an iteration."""


class SpsaTuner:
    """An SPSA tuner as far as it has been played. See `gyoji.core.ports.Competition`.

    walk   where the parameters are.   iterations: how many are over.
    """

    adapts = True

    def __init__(self, setup: CompetitionSetup) -> None:
        self.setup = setup
        self.settings = setup.settings_as(Settings)
        self.walk = Walk(self.settings, setup.seed)
        self.iterations = 0
        self._block = self.settings.block
        self._series: Series[Pair] = Series(self.settings.number_of_iterations * self._block, self._block)
        self._maker = GameMaker(setup, self.settings)
        self._leads: dict[int, tuple[float, int]] = {}  # lead, and games without a result, by iteration
        self._sample = self.settings.candidate(SAMPLE, self.walk.values(self.walk.place, "sample"))

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return self.settings.parameters

    @property
    def best(self) -> Point:
        """Where the parameters are now."""
        return self.walk.place

    @property
    def start(self) -> Point:
        return self.walk.path[0]

    def where(self, result: GameResult) -> tuple[Point, Point]:
        """Where both candidates of a game stand, `plus` first. Raises ConfigError."""
        return self._pair(result)

    def candidate(self, code: str, point: Point) -> Player:
        """The candidate at a point."""
        return self.settings.candidate(code, values_at(self.settings.parameters, point))

    @property
    def engines(self) -> Mapping[str, EngineReport]:
        """Nobody but candidates plays."""
        return {}

    @property
    def played(self) -> int:
        """How many games have a result."""
        return self._series.played

    def add(self, result: GameResult) -> None:
        """Count a finished game, once. Raises ConfigError for one that is none of this tuner's."""
        number, pair, lead = recorded_number(result), self._pair(result), _lead(result)
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
        """The next game: the rest of an iteration, or the first one of the next."""
        found = self._series.next()
        if found is None:
            return None
        iteration, pair = found.candidate + 1, found.chosen
        if pair is None:
            pair = self.walk.pair(iteration)
            self._series.choose(found.candidate, pair)
        players, notes = [], []
        for mark, point in zip((_PLUS, _MINUS), pair, strict=True):
            values = self.walk.values(point, iteration, mark)
            players.append(self.settings.candidate(f"#{iteration}{mark}", values))
            notes.append(f"{mark} {described(self.settings.parameters, values)}")
        if found.number % 2:
            players.reverse()
        return self._maker.game(
            str(found.number),
            ";".join(map(format_point, pair)),
            (players[0], players[1]),
            found.number,
            note=f"Candidate parameters: {' | '.join(notes)}",
        )

    def remaining(self) -> int | None:
        return self._series.remaining

    def checks(self) -> Iterator[GameSpec]:
        """A game for the candidate at the start, and for the player that scores."""
        yield self._maker.check("", self._sample)
        yield from trials(self.setup, self.settings)

    def _pair(self, result: GameResult) -> Pair:
        """The candidates of a stored game."""
        dimensions = len(self.settings.parameters)
        try:
            pair = Pair(*map(parse_point, result.pairing.split(";")))
            if [len(point) for point in pair] == [dimensions, dimensions]:
                return pair
        except (ValueError, TypeError):
            pass
        raise ConfigError(
            f"stored game {quote(result.id)} was played at {quote(result.pairing)}, which is no pair of "
            f"points of {dimensions} parameters: restore the parameters, or reset the competition"
        )


class SpsaTables(TunerTables[SpsaTuner]):
    """Iterations, the parameters as they are now, and a row for each: start, change, range."""

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
        cells = {name: [f"{number:.4g}" for number in column] for name, column in columns.items()}
        yield parameter_table(parameters, cells)

    def own_values(self, endings: Endings) -> dict[str, Any]:
        """exact: before they are rounded."""
        parameters, place = self.event.settings.parameters, self.event.walk.place
        return {
            "played": self.event.played,
            "iterations": self.event.iterations,
            "best": candidate_values(parameters, place),
            "exact": {parameter.code: value for parameter, value in zip(parameters, place, strict=True)},
        }

    def charts(self) -> tuple[Chart, ...]:
        """Where each parameter has been in its range."""
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


def _lead(result: GameResult) -> float:
    """The value of the game for `plus`: 1 won, -1 lost, 0 level, or that nobody can say."""
    points = result.outcome.points
    if points is None or result.outcome.ending is Ending.NO_RESULT:
        return 0
    lead = points[0] - points[1]
    return lead if result.opponents[0].endswith(_PLUS) else -lead


FORMAT = tuner_format(name="spsa_tuner", settings=Settings, tuner=SpsaTuner, tables=SpsaTables)
