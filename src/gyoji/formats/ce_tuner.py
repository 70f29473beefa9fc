"""The cross-entropy tuner: gomill's. Generations of candidates, each drawn around the best of the one before.

A game's pairing is the point that its candidate was drawn at, so the distributions are computed anew from
what was played. Their course depends on `elite_proportion` and `step_size`: when these are changed between
two runs it is as if they had been so from the beginning, but for the points that have been played. More
generations, and larger batches, may be asked for at any time, also when all was over.

The method: Rubinstein 1999; for engines Chaslot, Winands, Szita, van den Herik, "Cross-Entropy for
Monte-Carlo Tree Search" (ICGA Journal 31, 2008), section 3: draw a generation, keep its best, move towards
them, again.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, sqrt
from statistics import fmean
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings, Identifier
from gyoji.core.tables import Block, Chart, Endings, count
from gyoji.core.text import quote
from gyoji.pairing.field import check_least
from gyoji.pairing.games import plain
from gyoji.tuning.around import tuner_format
from gyoji.tuning.games import OpponentSettings, check_share
from gyoji.tuning.generations import GameName, GenerationTuner, Scored
from gyoji.tuning.observations import Point
from gyoji.tuning.parameters import CODE, check_format, told, with_format
from gyoji.tuning.scales import Axis, rounded
from gyoji.tuning.series import normal
from gyoji.tuning.tables import TunerTables, candidate_values, generation_charts, scored_values

NAMED: Mapping[str, Callable[[float], float]] = MappingProxyType(
    {"none": float, "exp": exp, "exp2": lambda x: 2.0**x, "exp10": lambda x: 10.0**x}
)
"""The transforms that have a name, for files that hold no functions."""


@dataclass(frozen=True, slots=True)
class Transform:
    """From a number of the distribution to the value an engine is given."""

    function: Callable[[float], Any]

    @classmethod
    def convert(cls, plain: Any) -> "Transform":
        """The transform that a control file gives, by its name or as a function."""
        if callable(plain):
            return cls(plain)
        if isinstance(plain, str) and plain in NAMED:
            return cls(NAMED[plain])
        there_are = ", ".join(f'"{name}"' for name in NAMED)
        raise ValueError(f"expected a function or one of {there_are}, got {quote(str(plain))}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter, and where the search for it begins.

    transform    makes the engine's value of a number of the distribution.
    min, max     what the value is held between, None for no bound.
    integer      whether it is then rounded to the nearest whole number.
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
        """The format that a parameter has if none is given."""
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
        """Three standard deviations to both sides of the mean at first."""
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
    """A cross-entropy tuner's own settings, beside those of its games.

    batch_size        games of each candidate.
    elite_proportion  the share of a generation that the next one is drawn from.
    step_size         how far the distribution moves towards that of the elite; 1 would be all the way.
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
    """One coordinate."""

    mean: float
    variance: float


class CrossEntropy:
    """The distribution, and the generations that it has learned from. See `generations.Learner`.

    spreads  by coordinate, of the generation that is played, or would be.
    closed   each generation that is over: the distribution it was drawn from, and its candidates ranked.
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
        return [
            tuple(
                spread.mean + sqrt(spread.variance) * normal(self._seed, "draw", generation, number, axis)
                for axis, spread in enumerate(self.spreads)
            )
            for number in range(self._samples)
        ]

    def learn(self, generation: int, candidates: Sequence[Scored]) -> None:
        ranked = sorted(candidates, key=lambda each: (each.score, each.number), reverse=True)
        self.closed.append((self.spreads, ranked))
        elite = ranked[: self.elite_count(len(ranked))]
        if elite:
            self.spreads = tuple(
                self._moved(spread, [each.point[axis] for each in elite])
                for axis, spread in enumerate(self.spreads)
            )

    def elite_count(self, candidates: int) -> int:
        """How many of a generation are its elite: the share rounded, halves up, one at least."""
        return max(1, int(self._elite * candidates + 0.5))

    def _moved(self, spread: Spread, elite: Sequence[float]) -> Spread:
        mean = fmean(elite)
        variance = fmean((each - mean) ** 2 for each in elite)
        step = self._step
        return Spread(step * mean + (1 - step) * spread.mean, step * variance + (1 - step) * spread.variance)


CeTuner: TypeAlias = GenerationTuner[CrossEntropy]


class CrossEntropyTables(TunerTables[CeTuner]):
    """The generation, what its candidates have scored, the distribution it was drawn from."""

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

    def own_values(self, endings: Endings) -> dict[str, Any]:
        """The running generation is the last."""
        event = self.event
        generations = [
            _generation(event, number, spreads, ranked)
            for number, (spreads, ranked) in enumerate(event.learner.closed)
        ]
        if not event.generations.is_over:
            number, last = event.generations.number, event.generations.last
            generations.append(_generation(event, number, event.learner.spreads, last))
        return {
            "generation": event.generations.number,
            "distribution": _spreads(event.learner.spreads),
            "best": candidate_values(event.parameters, _means(event.learner.spreads)),
            "generations": generations,
        }

    def charts(self) -> tuple[Chart, ...]:
        return generation_charts(self.event)

    def history(self, result: GameResult) -> Iterator[str]:
        """The generation that a result was the last of, ranked, its elite marked; nothing for others."""
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
    """The mean as the engine is given it, and mean and variance of each coordinate."""
    yield event.describe(_means(spreads))
    yield " ".join(f"{spread.mean:5.2f}~{spread.variance:4.2f}" for spread in spreads)


def _means(spreads: Sequence[Spread]) -> tuple[float, ...]:
    return tuple(spread.mean for spread in spreads)


def _spreads(spreads: Sequence[Spread]) -> list[dict[str, float]]:
    return [spread._asdict() for spread in spreads]


def _generation(
    event: CeTuner, number: int, spreads: Sequence[Spread], candidates: Sequence[Scored]
) -> dict[str, Any]:
    return {
        "generation": number,
        "distribution": _spreads(spreads),
        "candidates": scored_values(event.parameters, number, candidates),
    }


def competition(setup: CompetitionSetup) -> CeTuner:
    """The tuner that `setup` describes, before its first game."""
    settings = setup.settings_as(Settings)
    learner = CrossEntropy(
        [Spread(each.initial_mean, each.initial_variance) for each in settings.parameters],
        samples=settings.samples_per_generation,
        elite=settings.elite_proportion,
        step=settings.step_size,
        seed=setup.seed,
    )
    return GenerationTuner(
        setup,
        learner,
        settings.parameters,
        limit=settings.number_of_generations,
        batch=settings.batch_size,
    )


FORMAT = tuner_format(name="ce_tuner", settings=Settings, tuner=competition, tables=CrossEntropyTables)
