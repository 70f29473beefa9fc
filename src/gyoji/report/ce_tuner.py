"""The reports of a cross-entropy tuner, as gomill has them: the generation, its wins, the distribution."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gyoji.competitions.ce_tuner import CeTuner
from gyoji.competitions.ce_tuner.distribution import Spread
from gyoji.core.record import GameResult
from gyoji.pairing.cross import Cross
from gyoji.report.numbers import count
from gyoji.report.parts import head_values
from gyoji.report.tuning import candidate_values, title_lines
from gyoji.tuning.generations import GameName, Scored


def screen_lines(event: CeTuner) -> Iterator[str]:
    """The generation, what its candidates have scored, the distribution it was drawn from."""
    generations = event.generations
    yield f"generation {generations.number}"
    yield ""
    yield "wins from current samples:"
    yield f"[{', '.join(count(each.score) for each in generations.last)}]"
    yield ""
    of = f"distribution for generation {generations.number}:"
    yield "final distribution:" if generations.is_over else of
    yield from distribution_lines(event, event.learner.spreads)


def report_lines(event: CeTuner) -> list[str]:
    """The whole report: title, and the same."""
    return [*title_lines(event.setup, "CEM"), *screen_lines(event)]


def values(event: CeTuner, endings: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """The generations as JSON-ready values, the running one last."""
    generations = [
        _generation(event, number, spreads, ranked)
        for number, (spreads, ranked) in enumerate(event.learner.closed)
    ]
    if not event.generations.is_over:
        number, last = event.generations.number, event.generations.last
        generations.append(_generation(event, number, event.learner.spreads, last))
    return {
        **head_values(event.setup, event.remaining(), event.engines),
        "generation": event.generations.number,
        "distribution": _spreads(event.learner.spreads),
        "best": candidate_values(event.parameters, _means(event.learner.spreads)),
        "generations": generations,
    }


def crosses(event: CeTuner) -> dict[str, Cross]:
    """None: candidates do not play each other."""
    return {}


def history_lines(event: CeTuner, result: GameResult) -> Iterator[str]:
    """The generation that a result was the last of, ranked, its elite marked; nothing for other results."""
    number = GameName.of(result).generation
    if number >= event.generations.number:
        return
    spreads, ranked = event.learner.closed[number]
    yield f"Generation {number}"
    yield "Distribution"
    yield from distribution_lines(event, spreads)
    elite = event.learner.elite_count(len(ranked))
    for rank, candidate in enumerate(ranked):
        code = GameName(number, candidate.number, 0).code
        mark = "*" if rank < elite else " "
        yield f"{code}{mark} {event.describe(candidate.point)} {count(candidate.score):>3}"
    yield ""


def distribution_lines(event: CeTuner, spreads: Sequence[Spread]) -> Iterator[str]:
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
