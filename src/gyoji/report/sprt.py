"""The reports of a test that stops by itself: what it asks, how far it is, what it says, and all games.

Where results do not tell a number (there are none, or they are all the same) a report says so; never NaN.
"""

from collections.abc import Iterator, Mapping
from math import isinf
from typing import Any

from gyoji.competitions.sprt import SequentialTest
from gyoji.pairing.cross import Cross
from gyoji.report.matchup import block_lines, pair_values
from gyoji.report.numbers import percent
from gyoji.report.parts import head_values, player_lines, title_lines
from gyoji.stats.sprt import Decision
from gyoji.stats.stopped import Estimate, estimate, prospect

_OUTCOMES = {3: ("lost", "level", "won"), 5: ("0", "½", "1", "1½", "2 points")}
_MODELS = {"normalized": "normalized Elo", "logistic": "Elo", "bayeselo": "BayesElo"}


def screen_lines(event: SequentialTest) -> Iterator[str]:
    """What is tested, the likelihoods, the estimate, and the table of the games."""
    yield question_line(event)
    yield verdict_line(event)
    yield from _evidence_lines(event)
    stats = event.stats()
    if stats.played:
        yield ""
        yield from block_lines(stats)


def report_lines(event: SequentialTest) -> list[str]:
    """The whole report."""
    return [*title_lines(event.setup), "", *screen_lines(event), "", *player_lines(event.engines), ""]


def values(event: SequentialTest, endings: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """The tables as JSON-ready values; what is not known is None. endings: as everywhere."""
    settings, trial, found = event.settings, event.trial, _estimate(event)
    return {
        **head_values(event.setup, event.remaining(), event.engines),
        "test": {
            "players": list(event.players),
            "model": settings.model,
            "elo0": settings.elo0,
            "elo1": settings.elo1,
            "alpha": settings.alpha,
            "beta": settings.beta,
            "observations": settings.observations,
            "llr": trial.llr,
            "bounds": list(trial.bounds),
            "decision": trial.decision.value,
            "counts": list(trial.scores.counts),
            "counted": event.counted,
            "left_out": event.left_out,
            "elo": found and _finite(found.elo),
            "elo_interval_95": found and [_finite(found.low), _finite(found.high)],
            "superiority": found and found.superiority,
            "raw_elo": _finite(trial.scores.elo),
        },
        "matchups": [pair_values(event.stats(), endings.get(event.pairing, {}))],
    }


def crosses(event: SequentialTest) -> dict[str, Cross]:
    """What cross tables are made of: one, without a heading."""
    return {"": event.cross}


def question_line(event: SequentialTest) -> str:
    """What is asked: the two hypotheses, and how often the answer may be wrong."""
    settings = event.settings
    first, second = event.players
    return (
        f"{first} against {second}, {_MODELS[settings.model]}: H0 {settings.elo0:+g}, H1 {settings.elo1:+g}, "
        f"alpha {settings.alpha:g}, beta {settings.beta:g}, {settings.observations}"
    )


def verdict_line(event: SequentialTest) -> str:
    """The LLR between its bounds, and what it says."""
    trial = event.trial
    lower, upper = trial.bounds
    says = {
        Decision.CONTINUE: "undecided" if event.remaining() == 0 else "goes on",
        Decision.H0: "H0 is accepted",
        Decision.H1: "H1 is accepted",
    }[trial.decision]
    return f"LLR {trial.llr:+z.2f} between {lower:+.2f} and {upper:+.2f}: {says}"


def _evidence_lines(event: SequentialTest) -> Iterator[str]:
    """What was counted and what was not, and what that says about the strength."""
    scores, settings = event.trial.scores, event.settings
    names = _OUTCOMES[len(scores.counts)]
    counts = ", ".join(f"{name}: {number:g}" for name, number in zip(names, scores.counts, strict=True))
    yield f"{scores.number:g} {settings.observations} counted ({counts})"
    if event.left_out:
        yield f"{event.left_out} games left out, of {settings.observations} that nobody can decide"
    if later := event.stats().played - event.counted:
        lacking = "one before them, or of their pair, is lacking"
        why = "they came after the decision" if event.is_decided else lacking
        yield f"{later} games not counted: {why}"
    if found := _estimate(event):
        yield (
            f"Elo {_elo(found.elo)} (95 %: {_elo(found.low)} to {_elo(found.high)}), unbiased; "
            f"{_elo(scores.elo)} by the mean; stronger with {percent(found.superiority, 1)}"
        )
    if not event.is_decided:
        games = [prospect(settings.test(), scores, elo).games for elo in (settings.elo0, settings.elo1)]
        yield f"about {games[0]:.0f} games are to be expected in all if H0 is true, {games[1]:.0f} if H1 is"


def _estimate(event: SequentialTest) -> Estimate | None:
    return estimate(event.settings.test(), event.trial.scores)


def _elo(elo: float | None) -> str:
    """Elo in words; an infinite one has no number."""
    if elo is None:
        return "unknown"
    return ("-" if elo < 0 else "+") + "∞" if isinf(elo) else f"{elo:+z.1f}"


def _finite(elo: float | None) -> float | None:
    """For JSON, which has no infinity."""
    return None if elo is None or isinf(elo) else elo
