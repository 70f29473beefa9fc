"""Ratings, and the state of a sequential test, as tables or lines of text and as values.

Where something cannot be told there are words for it; as values it is None, as is what has no limit.
"""

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from gyoji.core.tables import Block, Column, Estimate, Share, Table, count, names, numbers, percent, ranks
from gyoji.core.text import printable
from gyoji.stats.prospect import prospect
from gyoji.stats.scores import Scores
from gyoji.stats.sprt import Sprt
from gyoji.stats.stopped import estimate
from gyoji.tables.standings import titled

if TYPE_CHECKING:
    from gyoji.stats.ratings import Rating, Ratings, Results  # numpy, which pages without ratings do without

LONGEST = 60
"""Characters of a name: names come from anywhere."""

MODEL = "logistic"
"""The name of the model of ratings, in every output."""

MEANING = "a player 100 Elo stronger takes 64% of the points, a draw being half a point"


def rating_blocks(ratings: "Ratings", *, seats: bool) -> Iterator[Block]:
    """A table for each group, and what is true of the field. seats: with the scores on either side."""
    for group, places in _groups(ratings):
        if group > 1:
            yield ""
        if ratings.groups > 1:
            yield f"group {group} of {ratings.groups}, which have not met: no comparison between them"
        rank, player, rating, _, games, above = _columns(places)
        anchored = [
            f"{place.error:.1f}" if place.error else "--" if place.player == ratings.relative_to else "anchor"
            for place in places
        ]
        scores = {"score": [place.total for place in places]}
        if seats:
            scores |= {
                name: [place.sides[side] for place in places] for side, name in enumerate(("first", "second"))
            }
        shares = [
            numbers(name, [Share(each.points, each.games) for each in of]) for name, of in scores.items()
        ]
        draws = numbers("draws", [Share(place.total.drawn, place.total.games) for place in places])
        yield Table(
            columns=(
                rank,
                player,
                rating,
                numbers("+/-", anchored),
                games,
                shares[0],
                draws,
                *shares[1:],
                above,
            )
        )
    yield ""
    yield advantage_line(ratings)
    yield draw_line(ratings)
    yield f"model: {MODEL}; {MEANING}"


def rating_tables(ratings: "Ratings") -> Iterator[Table]:
    """The strength of everybody in Elo, a table for each group of players that have met."""
    note = (
        "Strength in Elo relative to the average, from all games at once; +/- is a 95 % interval. "
        f"The model is {MODEL}: {MEANING}. "
        f"In this field, {advantage_line(ratings)}; {draw_line(ratings)}."
    )
    for group, places in _groups(ratings):
        part = f"group {group} of {ratings.groups}" if ratings.groups > 1 else ""
        columns = tuple(_columns(places))
        yield Table(name="ratings", title=titled("Ratings", part), note=note, columns=columns)


def _groups(ratings: "Ratings") -> Iterator[tuple[int, "list[Rating]"]]:
    for group in range(1, ratings.groups + 1):
        yield group, [place for place in ratings.places if place.group == group]


def _columns(places: "Sequence[Rating]") -> tuple[Column, Column, Column, Column, Column, Column]:
    """The columns that all tables of ratings have."""
    return (
        ranks(place.rank for place in places),
        names("player", [printable(place.player, LONGEST) for place in places]),
        numbers("rating", [Estimate(place.elo, place.error) for place in places], digits=1),
        numbers("+/-", [place.error for place in places], digits=1),
        numbers("games", [place.total.games for place in places]),
        numbers(
            "above next",
            [None if place.above_next is None else Share(place.above_next, 1) for place in places],
            about="the likelihood that it is stronger than the next one",
        ),
    )


def advantage_line(ratings: "Ratings") -> str:
    """The advantage of the first side."""
    advantage = ratings.advantage
    if advantage is None:
        return "advantage of moving first: cannot be told from strength here; taken as 0"
    return f"advantage of moving first: {advantage.elo:+.1f} +/- {advantage.error:.1f}"


def draw_line(ratings: "Ratings") -> str:
    """How frequent draws are, whoever plays."""
    if not any(place.total.drawn for place in ratings.places):
        return "draws: none"
    return f"draws: {percent(ratings.draw_ratio, 1)} between equals"


def rating_values(ratings: "Ratings") -> dict[str, Any]:
    """All of it as JSON-ready values; the players are an iterator, for each has a figure for every other."""
    from gyoji.stats.comparisons import superiority  # noqa: PLC0415 - numpy

    advantage = ratings.advantage
    return {
        "model": MODEL,
        "games": ratings.games,
        "groups": ratings.groups,
        "advantage": advantage and {"elo": advantage.elo, "error_95": advantage.error},
        "draw_ratio": ratings.draw_ratio,
        "players": (
            {
                **{key: value for key, value in _row(place).items() if key != "model"},
                "sides": {
                    name: results_values(results)
                    for name, results in zip(("first", "second"), place.sides, strict=True)
                },
                "superiority": {
                    other.player: above
                    for other, above in zip(ratings.places, row, strict=True)
                    if above is not None
                },
            }
            for place, row in zip(ratings.places, superiority(ratings), strict=True)
        ),
    }


def rating_rows(ratings: "Ratings") -> list[dict[str, Any]]:
    """The table for CSV, a row for each player; None is an empty cell."""
    return [_row(place) for place in ratings.places]


def _row(place: "Rating") -> dict[str, Any]:
    return {
        "rank": place.rank,
        "group": place.group,
        "player": place.player,
        "rating": place.elo,
        "error_95": place.error,
        **results_values(place.total),
        "above_next": place.above_next,
        "model": MODEL,
    }


def results_values(results: "Results") -> dict[str, Any]:
    """Counts and the score, None without games."""
    return {
        "games": results.games,
        "won": results.won,
        "drawn": results.drawn,
        "lost": results.lost,
        "points": results.points,
        "score": results.score,
    }


NO_CHANCE = "all results are the same: no Elo that is unbiased by stopping can be told from them"
_POINTS = ("0", "½", "1", "1½", "2")


def sprt_lines(test: Sprt, scores: Scores) -> Iterator[str]:
    """The test, what results say if there are any, and how long such a test takes."""
    hypotheses = f"H0 {test.elo0:g} {test.model.unit}, H1 {test.elo1:g} {test.model.unit}"
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
    """Elo in three ways, and what else the results say."""
    fair, method = estimate(test, scores), scores.method
    los = [f"{percent(scores.superiority or 0, 1)} by the {method}"]
    yield f"Elo       {_elo(scores.elo)}, {_bounds(scores.interval)}, by the {method}"
    if fair is None:
        yield f"          {NO_CHANCE}"
    else:
        plain = f"{_elo(scores.elo)}, {_bounds(scores.wald_interval)}"
        yield f"          {plain}, by Wald's method, as fishtest and fastchess"
        yield f"          {_elo(fair.elo)}, {_bounds((fair.low, fair.high))}, unbiased by stopping"
        yield f"nElo      {_elo(scores.normalized_elo)} +/- {_elo(scores.normalized_margin)}"
        los.append(f"{percent(scores.wald_superiority or 0, 1)} by Wald's")
        los.append(f"{percent(fair.superiority, 1)} unbiased by stopping")
    yield f"LOS       {', '.join(los)}"
    ratio = scores.pairs_ratio
    pairs = "" if ratio is None else f"; {ratio:.2f} pairs won for each lost"
    yield f"draws     {percent(scores.draw_ratio or 0, 1)}{pairs}"


def _bounds(interval: tuple[float, float] | None) -> str:
    return "" if interval is None else f"95% {_elo(interval[0])} to {_elo(interval[1])}"


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
        "unit": test.model.unit,
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
        "method": scores.method,
        "superiority": scores.superiority,
        "wald": None
        if scores.wald_interval is None
        else {
            "margin_95": _finite(scores.wald_margin),
            "interval_95": _limits(scores.wald_interval),
            "superiority": scores.wald_superiority,
        },
        "unbiased": None
        if fair is None
        else {
            "elo": _finite(fair.elo),
            "interval_95": _limits((fair.low, fair.high)),
            "superiority": fair.superiority,
        },
        "normalized_elo": scores.normalized_elo,
        "normalized_margin_95": scores.normalized_margin,
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
