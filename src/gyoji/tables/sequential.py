"""The state of a sequential test, as text and as values: by the mean alone, and allowing for its stopping.

Where something cannot be told there are words for it; as values it is None, as is what has no limit.
"""

from collections.abc import Iterator
from math import isfinite
from typing import Any

from gyoji.core.tables import count, percent
from gyoji.stats.scores import Scores
from gyoji.stats.sprt import Model, Sprt
from gyoji.stats.stopped import estimate, prospect

NO_CHANCE = "all results are the same, so how sure that is cannot be told"
_POINTS = ("0", "½", "1", "1½", "2")


def sprt_lines(test: Sprt, scores: Scores) -> Iterator[str]:
    """The test, what results say if there are any, and how long such a test takes."""
    unit = "nElo" if test.model is Model.NORMALIZED else "Elo"
    hypotheses = f"H0 {test.elo0:g} {unit}, H1 {test.elo1:g} {unit}"
    yield f"test      {test.model}: {hypotheses}, alpha {test.alpha:g}, beta {test.beta:g}"
    if scores.number:
        llr = test.llr(scores)
        yield f"results   {_results(scores)}"
        yield f"LLR       {llr:.3f}, bounds {test.lower:.3f} (H0) and {test.upper:.3f} (H1)"
        yield f"decision  {test.decision(llr)}"
        yield from _strength_lines(test, scores)
    middle = (test.elo0 + test.elo1) / 2
    games = [f"{prospect(test, scores, elo).games:.0f}" for elo in (test.elo0, middle, test.elo1)]
    yield f"expected  {games[0]} games if H0 is true, {games[1]} half way, {games[2]} if H1 is true"


def _results(scores: Scores) -> str:
    counts = [count(number) for number in scores.counts]
    if scores.is_of_pairs:
        each = ", ".join(f"{number} of {points}" for number, points in zip(counts, _POINTS, strict=True))
        return f"{count(scores.number)} pairs: {each} points"
    return f"{count(scores.number)} games: {counts[2]} won, {counts[1]} drawn, {counts[0]} lost"


def _strength_lines(test: Sprt, scores: Scores) -> Iterator[str]:
    """Elo in two ways, and what else the results say."""
    plain, fair, interval = scores.elo, estimate(test, scores), scores.interval
    if plain is None or fair is None or interval is None:
        yield f"Elo       {_elo(plain)}; {NO_CHANCE}"
    else:
        yield f"Elo       {_elo(plain)}, 95% {_elo(interval[0])} to {_elo(interval[1])}, by the mean alone"
        yield f"          {_elo(fair.elo)}, 95% {_elo(fair.low)} to {_elo(fair.high)}, unbiased by stopping"
        yield f"nElo      {_elo(scores.normalized_elo)}"
        plain_share, fair_share = (percent(share or 0, 1) for share in (scores.superiority, fair.superiority))
        yield f"LOS       {plain_share} by the mean alone, {fair_share} unbiased by stopping"
    ratio = scores.pairs_ratio
    pairs = "" if ratio is None else f"; {ratio:.2f} pairs won for each lost"
    yield f"draws     {percent(scores.draw_ratio or 0, 1)}{pairs}"


def _elo(elo: float | None) -> str:
    if elo is None:
        return "unknown"
    if isfinite(elo):
        return f"{elo:z.2f}"
    return "no upper limit" if elo > 0 else "no lower limit"


def sprt_values(test: Sprt, scores: Scores) -> dict[str, Any]:
    """The same as JSON-ready values; Elo on the usual scale but where it is said to be normalized."""
    llr, fair = test.llr(scores), estimate(test, scores)
    return {
        "model": test.model.value,
        "hypotheses": {"elo0": test.elo0, "elo1": test.elo1},
        "alpha": test.alpha,
        "beta": test.beta,
        "bounds": [test.lower, test.upper],
        "counts": list(scores.counts),
        "pairs": scores.is_of_pairs,
        "llr": llr,
        "decision": test.decision(llr).value,
        "mean": scores.mean,
        "elo": _finite(scores.elo),
        "margin_95": _finite(scores.margin),
        "interval_95": _limits(scores.interval),
        "superiority": scores.superiority,
        "unbiased": None
        if fair is None
        else {
            "elo": _finite(fair.elo),
            "interval_95": _limits((fair.low, fair.high)),
            "superiority": fair.superiority,
        },
        "normalized_elo": scores.normalized_elo,
        "draw_ratio": scores.draw_ratio,
        "pairs_ratio": scores.pairs_ratio,
        "expected": {
            name: prospect(test, scores, elo)._asdict()
            for name, elo in (
                ("elo0", test.elo0),
                ("middle", (test.elo0 + test.elo1) / 2),
                ("elo1", test.elo1),
            )
        },
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None


def _limits(interval: tuple[float, float] | None) -> list[float | None] | None:
    return None if interval is None else [_finite(limit) for limit in interval]
