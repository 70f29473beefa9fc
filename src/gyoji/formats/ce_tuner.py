"""The cross-entropy tuner, gomill's. Each generation of candidates is drawn around the best of the last one.

The method: draw a generation, keep its best candidates, move the distribution towards them, repeat. Sources:
Rubinstein 1999; for engines Chaslot, Winands, Szita, van den Herik, "Cross-Entropy for Monte-Carlo Tree
Search" (ICGA Journal 31, 2008), section 3.

The pairing id of a game is the point of its candidate, so the distributions are computed again from the
records. If `elite_proportion` or `step_size` is changed between two runs, the distributions are computed as
if the new value had been used from the start with the same points. The number of generations and the batches
may be increased at any time, even after the end.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, sqrt
from statistics import fmean
from types import MappingProxyType
from typing import Any, NamedTuple

from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings, Identifier, check_least
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Block, Chart, Line, count
from gyoji.core.text import quote
from gyoji.pairing.schedule import Schedule
from gyoji.results.game_ids import plain
from gyoji.tuning.games import OpponentSettings, OpponentTuner, check_share, score
from gyoji.tuning.observations import Point
from gyoji.tuning.parameters import CODE, check_format, told, values_at, with_format
from gyoji.tuning.scales import Axis, rounded
from gyoji.tuning.series import format_point, normal, recorded_points
from gyoji.tuning.tables import TunerTables, values_by_code
from gyoji.tuning.tuner_report import tuner_format

NAMED: Mapping[str, Callable[[float], float]] = MappingProxyType(
    {"none": float, "exp": exp, "exp2": lambda x: 2.0**x, "exp10": lambda x: 10.0**x}
)
"""The named transforms, for control files in TOML, which cannot define functions."""


@dataclass(frozen=True, slots=True)
class Transform:
    """A function from a number drawn from the distribution to the engine's value."""

    function: Callable[[float], Any]

    @classmethod
    def convert(cls, plain: Any) -> "Transform":
        """Return the transform for a setting: a name, or a function. Raise ValueError for anything else."""
        if callable(plain):
            return cls(plain)
        if isinstance(plain, str) and plain in NAMED:
            return cls(NAMED[plain])
        there_are = ", ".join(f'"{name}"' for name in NAMED)
        raise ValueError(f"expected a function or one of {there_are}, got {quote(str(plain))}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter, with the distribution that the search begins with.

    Attributes:
        transform: Makes the engine's value from a number drawn from the distribution.
        min: The smallest value, None for no bound.
        max: The largest value, None for no bound.
        integer: Whether the value is then rounded to the nearest whole number.
    """

    code: Identifier = field(metadata=CODE)
    initial_mean: float
    initial_variance: float
    transform: Transform = field(default_factory=lambda: Transform(float))
    min: float | None = None
    max: float | None = None
    integer: bool = False
    format: str

    @classmethod
    def complete(cls, table: Mapping[str, Any], index: int) -> dict[str, Any]:
        """Return the control file's table of a parameter, with the default format if it has none."""
        return with_format(table)

    def __post_init__(self) -> None:
        check_least(0, initial_variance=self.initial_variance)
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"max: expected {self.min:g} or more, which is min, got {self.max:g}")
        try:
            value = self.value(self.initial_mean)
        except Exception as error:  # noqa: BLE001 - a function of the user's raises what it likes
            raise ValueError(f"transform: it fails at initial_mean: {told(error)}") from None
        check_format(self.format, value)

    @property
    def reach(self) -> tuple[float, float]:
        """The lowest and highest number within three standard deviations of the initial mean."""
        width = 3 * sqrt(self.initial_variance) or 1.0
        return self.initial_mean - width, self.initial_mean + width

    @property
    def axis(self) -> Axis:
        return Axis()

    def place(self, value: Any) -> float:
        raise ValueError("a transform has no way back from a value to its number")

    def value(self, coordinate: float) -> Any:
        value = self.transform.function(coordinate)
        if self.min is not None:
            value = max(value, self.min)
        if self.max is not None:
            value = min(value, self.max)
        return rounded(value, self.integer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(OpponentSettings):
    """The settings of a cross-entropy tuner, besides those of its games.

    Attributes:
        batch_size: Number of games of each candidate.
        elite_proportion: The part of a generation that is its elite, between 0 and 1: its best candidates,
            towards which the distribution moves.
        step_size: How far the distribution moves towards that of the elite, between 0 (not at all) and 1 (all
            the way).
    """

    parameters: tuple[Parameter, ...]
    number_of_generations: int
    samples_per_generation: int
    batch_size: int
    elite_proportion: float
    step_size: float

    def __post_init__(self) -> None:
        GameSettings.__post_init__(self)
        self.check_tuning(self.parameters)
        check_least(
            1,
            number_of_generations=self.number_of_generations,
            samples_per_generation=self.samples_per_generation,
            batch_size=self.batch_size,
        )
        check_share(elite_proportion=self.elite_proportion, step_size=self.step_size)


class Spread(NamedTuple):
    """A normal distribution. One coordinate of the candidates is drawn from it."""

    mean: float
    variance: float


class Scored(NamedTuple):
    """A candidate with its results.

    Attributes:
        number: Number of the candidate in its generation, from 0.
        point: The candidate's coordinates.
        score: The sum of its points in all games.
        games: The number of its games.
    """

    number: int
    point: Point
    score: float
    games: int


class GameName(NamedTuple):
    """The name of a game: its generation, candidate and round, each numbered from 0.

    >>> GameName(0, 12, 3).id, GameName(0, 12, 3).code
    ('g0#12r3', 'g0#12')
    """

    generation: int
    candidate: int
    round: int

    @property
    def code(self) -> str:
        """The name of the candidate as a player, such as "g0#12"."""
        return f"g{self.generation}#{self.candidate}"

    @property
    def id(self) -> str:
        return f"{self.code}r{self.round}"

    @classmethod
    def of(cls, result: GameResult) -> "GameName":
        """Parse the id of a stored game.

        Raises:
            ConfigError: The id is not of the form "g0#12r3".
        """
        generation, _, rest = result.id.removeprefix("g").partition("#")
        candidate, _, round_ = rest.partition("r")
        numbers = [int(word) for word in (generation, candidate, round_) if word.isascii() and word.isdigit()]
        if len(numbers) != len(cls._fields) or cls(*numbers).id != result.id:
            raise ConfigError(
                f"stored game {quote(result.id)} is not a game of a generation: expected g0#0r0"
            )
        return cls(*numbers)


class CrossEntropy:
    """The distributions from which the candidates of each generation are drawn.

    Attributes:
        spreads: For each coordinate, the distribution from which the present generation was drawn. After the
            last generation, the final distribution.
        closed: For each generation that is over, its distribution and its candidates, the best first.
    """

    def __init__(
        self, spreads: Sequence[Spread], *, samples: int, elite: float, step: float, seed: int
    ) -> None:
        self.spreads = tuple(spreads)
        self.closed: list[tuple[tuple[Spread, ...], list[Scored]]] = []
        self._samples = samples
        self._elite = elite
        self._step = step
        self._seed = seed

    @property
    def trail(self) -> list[Point]:
        spreads = [*(before for before, _ in self.closed), self.spreads]
        return [tuple(spread.mean for spread in each) for each in spreads]

    def draw(self, generation: int) -> list[Point]:
        """Return the points of a generation's candidates. Call this after `learn` for all earlier
        generations.
        """
        return [
            tuple(
                spread.mean + sqrt(spread.variance) * normal(self._seed, "draw", generation, number, axis)
                for axis, spread in enumerate(self.spreads)
            )
            for number in range(self._samples)
        ]

    # Of equal scores the later candidate is ranked first.
    def learn(self, candidates: Sequence[Scored]) -> None:
        """Move the distribution towards the best candidates of a generation that is over."""
        ranked = sorted(candidates, key=lambda each: (each.score, each.number), reverse=True)
        self.closed.append((self.spreads, ranked))
        elite = [each.point for each in ranked[: self.elite_count(len(ranked))]]
        if elite:
            self.spreads = tuple(map(self._moved, self.spreads, zip(*elite, strict=True)))

    def elite_count(self, candidates: int) -> int:
        """Return the number of candidates in the elite: their share of a generation, rounded, and at least 1.

        Args:
            candidates: Number of candidates in the generation.
        """
        return max(1, int(self._elite * candidates + 0.5))

    def _moved(self, spread: Spread, elite: Sequence[float]) -> Spread:
        mean = fmean(elite)
        variance = fmean((each - mean) ** 2 for each in elite)
        step = self._step
        return Spread(step * mean + (1 - step) * spread.mean, step * variance + (1 - step) * spread.variance)


class _Generation:
    """One generation of candidates: their points and scores, and the schedule of its games."""

    def __init__(self, points: Sequence[Point], batch: int, block: int) -> None:
        self.points = list(points)
        self.scores: list[float] = [0] * len(points)
        self.games = [0] * len(points)
        self._batch = batch
        self._lacking = len(points) * batch
        self.schedule = Schedule([batch] * len(points), [block] * len(points))

    # The record has the candidate's point, which may have been drawn with other settings than the present
    # ones.
    def add(self, name: GameName, point: Point, score: float) -> None:
        """Count a result, once.

        Args:
            point: The candidate's point in the record. It replaces the point that was drawn.
        """
        if self.schedule.finish(name.candidate, name.round):
            self.points[name.candidate] = point
            self.scores[name.candidate] += score
            self.games[name.candidate] += 1
            self._lacking -= name.round < self._batch

    @property
    def is_over(self) -> bool:
        return self._lacking == 0


class Generations:
    """The sequence of generations. When all candidates of a generation have played, the next is drawn.

    A generation gets games only when all earlier generations are complete. So a stored result of a later
    generation shows that they were complete. They get no more games, even if the batch size has been
    increased since.

    Attributes:
        number: Number of the present generation, from 0; `limit` after the end.
        limit: Number of all generations.
    """

    def __init__(self, learner: CrossEntropy, *, limit: int, batch: int, block: int) -> None:
        self.number = 0
        self.limit = limit
        self._learner = learner
        self._batch = batch
        self._block = block
        self._current = self._drawn()

    # A result of a later generation closes the earlier ones even if games seem to be missing: the batch may
    # have been increased since then.
    def add(self, name: GameName, point: Point, score: float) -> None:
        """Count a result, unless its generation is over or beyond the last generation of the settings.

        A result of a later generation ends all generations before it.

        Raises:
            ConfigError: The result's generation has no such candidate.
        """
        while self.number < min(name.generation, self.limit):
            self._close()
        if name.generation != self.number or self.is_over:
            return  # of a closed generation, or of one that the control file has no longer
        if name.candidate >= len(self._current.points):
            raise ConfigError(
                f"stored game {name.id} is of a candidate that generation {name.generation} does not have: "
                "give generations the size that they had, or reset the competition"
            )
        self._current.add(name, point, score)
        if self._current.is_over:
            self._close()

    def next(self) -> tuple[GameName, Point] | None:
        """Issue the next game. Return the game's name and its candidate's point, or None if there is no game
        now.
        """
        if self.is_over:
            return None
        found = self._current.schedule.next()
        if found is None:
            return None
        return GameName(self.number, *found), self._current.points[found[0]]

    @property
    def is_over(self) -> bool:
        """Whether no generation is left to play."""
        return self.number >= self.limit

    @property
    def remaining(self) -> int:
        """The number of games still to be issued, later generations included."""
        if self.is_over:
            return 0
        later = (self.limit - self.number - 1) * len(self._current.points) * self._batch
        return later + (self._current.schedule.remaining or 0)

    @property
    def last(self) -> list[Scored]:
        """The candidates of the present generation. After the end, the candidates of the last generation."""
        current = self._current
        rows = zip(current.points, current.scores, current.games, strict=True)
        return [Scored(number, *row) for number, row in enumerate(rows)]

    def _close(self) -> None:
        """Learn from the present generation, and draw the next if any is left."""
        self._learner.learn([each for each in self.last if each.games])
        self.number += 1
        if not self.is_over:
            self._current = self._drawn()

    def _drawn(self) -> _Generation:
        return _Generation(self._learner.draw(self.number), self._batch, self._block)


class CeTuner(OpponentTuner):
    """A cross-entropy tuner: the competition of its candidates.

    Attributes:
        learner: The distributions from which generations are drawn.
        generations: The candidates and their scores.
    """

    def __init__(self, setup: CompetitionSetup) -> None:
        settings = setup.settings_as(Settings)
        self.learner = CrossEntropy(
            [Spread(each.initial_mean, each.initial_variance) for each in settings.parameters],
            samples=settings.samples_per_generation,
            elite=settings.elite_proportion,
            step=settings.step_size,
            seed=setup.seed,
        )
        self.start = self.learner.trail[0]
        self.generations = Generations(
            self.learner,
            limit=settings.number_of_generations,
            batch=settings.batch_size,
            block=settings.block,
        )
        super().__init__(setup, settings.parameters, self.generations.last[0].point)

    @property
    def best(self) -> Point:
        """The mean of the newest distribution."""
        return self.learner.trail[-1]

    def where(self, result: GameResult) -> tuple[Point, None]:
        """Return the coordinates of a stored game's candidate, and None: no second candidate plays in it.

        Raises:
            ConfigError: The game's pairing id does not have the coordinates of one candidate.
        """
        return recorded_points(result, len(self.parameters), 1)[0], None

    def add(self, result: GameResult) -> None:
        """Count a finished game, once.

        Raises:
            ConfigError: The game does not belong to this tuner.
        """
        name, (point, _) = GameName.of(result), self.where(result)
        self.generations.add(name, point, score(result))
        self._note_engine(result)

    def next_game(self) -> GameSpec | None:
        """Issue the next game. Return None at the end, and while a generation's last games are in
        progress."""
        found = self.generations.next()
        if found is None:
            return None
        name, point = found
        return self._spec(name.id, format_point(point), name.code, point, name.round)

    def remaining(self) -> int:
        return self.generations.remaining


class CrossEntropyTables(TunerTables[CeTuner]):
    """The report of a cross-entropy tuner: the generation, its candidates' scores, and its distribution."""

    method = "CEM"

    def screen(self) -> Iterator[Block]:
        generations = self.event.generations
        yield f"generation {generations.number}"
        yield ""
        yield "wins from current samples:"
        yield f"[{', '.join(count(each.score) for each in generations.last)}]"
        yield ""
        of = f"distribution for generation {generations.number}:"
        yield "final distribution:" if generations.is_over else of
        yield from _distribution(self.event, self.event.learner.spreads)

    def body(self) -> Iterator[Block]:
        return self.screen()

    def facts(self) -> dict[str, Any]:
        """Return the values for JSON: all generations so far with their candidates, and the distribution."""
        event, number = self.event, self.event.generations.number
        found = [*event.learner.closed]
        if not event.generations.is_over:
            found.append((event.learner.spreads, event.generations.last))
        generations = [
            {
                "generation": index,
                "distribution": spreads,
                "candidates": [
                    {
                        "code": GameName(index, each.number, 0).code,
                        "parameters": values_by_code(event.parameters, each.point),
                        "games": each.games,
                        "score": each.score,
                    }
                    for each in candidates
                ],
            }
            for index, (spreads, candidates) in enumerate(found)
        ]
        return {
            "generation": number,
            "distribution": event.learner.spreads,
            "generations": generations,
        }

    def charts(self) -> tuple[Chart, ...]:
        """Return for each parameter with numeric values a chart of the distribution's mean, by generation."""
        parameters = self.event.parameters
        rows = [values_at(parameters, point) for point in self.event.learner.trail]
        return tuple(
            Chart(
                title=f"Where {parameter.code} goes",
                lines=(Line(parameter.code, tuple(enumerate(values))),),
                x="generations",
                note="The middle of what the candidates are drawn from.",
            )
            for parameter, values in zip(parameters, zip(*rows, strict=True), strict=True)
            if all(isinstance(value, int | float) for value in values)
        )

    def history(self, result: GameResult) -> Iterator[str]:
        """Yield lines about a game's generation if it is over: the candidates, the best first, the elite
        marked.
        """
        event, number = self.event, GameName.of(plain(result)).generation
        if number >= event.generations.number:
            return
        spreads, ranked = event.learner.closed[number]
        yield f"Generation {number}"
        yield "Distribution"
        yield from _distribution(event, spreads)
        elite = event.learner.elite_count(len(ranked))
        for rank, candidate in enumerate(ranked):
            code = GameName(number, candidate.number, 0).code
            mark = "*" if rank < elite else " "
            yield f"{code}{mark} {event.describe(candidate.point)} {count(candidate.score):>3}"
        yield ""


def _distribution(event: CeTuner, spreads: Sequence[Spread]) -> Iterator[str]:
    """Yield two lines about the distribution from which parameters are drawn.

    The first has its mean as the values that an engine gets. The second has mean and variance of each
    parameter on the scale of the tuner.
    """
    yield event.describe([spread.mean for spread in spreads])
    yield " ".join(f"{spread.mean:5.2f}~{spread.variance:4.2f}" for spread in spreads)


FORMAT = tuner_format(name="ce_tuner", settings=Settings, tuner=CeTuner, tables=CrossEntropyTables)
