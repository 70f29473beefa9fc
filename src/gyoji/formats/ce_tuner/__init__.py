"""The cross-entropy tuner: gomill's. Generations of candidates, each drawn around the best of the one before.

A game's pairing is the point that its candidate was drawn at, so the distributions are computed anew from
what was played. Their course depends on `elite_proportion` and `step_size`: when these are changed between
two runs it is as if they had been so from the beginning, but for the points that have been played. More
generations, and larger batches, may be asked for at any time, also when all was over.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from gyoji.core.format import Format
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.tables import Block, Chart, Endings, count
from gyoji.formats.ce_tuner.distribution import CrossEntropy, Spread
from gyoji.formats.ce_tuner.settings import Parameter, Settings
from gyoji.pairing.repeats import plain
from gyoji.tuning.generations import GameName, GenerationTuner, Scored
from gyoji.tuning.tables import TunerTables, candidate_values, generation_charts

__all__ = ["FORMAT", "CeTuner", "Parameter", "Settings", "competition"]

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
        "candidates": [
            {
                "code": GameName(number, each.number, 0).code,
                "parameters": candidate_values(event.parameters, each.point),
                "games": each.games,
                "score": each.score,
            }
            for each in candidates
        ],
    }


def competition(setup: CompetitionSetup) -> CeTuner:
    """The tuner that `setup` describes, before its first game."""
    settings: Settings = setup.settings
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


FORMAT = Format(name="ce_tuner", settings=Settings, competition=competition, tables=CrossEntropyTables)
