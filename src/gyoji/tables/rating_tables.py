"""Ratings, and the state of a sequential test (SPRT), as tables, lines of text, and JSON values."""

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from gyoji.core.tables import Cell, Estimate, Share, Table, count, data, names, numbers, percent, ranks
from gyoji.core.text import printable
from gyoji.stats.scores import Scores
from gyoji.stats.sprt import Sprt
from gyoji.stats.sprt_duration import prospect
from gyoji.stats.sprt_estimate import estimate

if TYPE_CHECKING:
    from gyoji.stats.ratings import Rating, Ratings, Results  # numpy, which pages without ratings do without

LONGEST = 60
"""Largest number of characters of a player's name: `gyoji rate` reads files of any origin."""

MODEL = "logistic"
"""Name of the rating model in all outputs."""

MEANING = "a player 100 Elo stronger takes 64% of the points, a draw being half a point"


def rating_tables(ratings: "Ratings") -> Iterator[Table]:
    """Yield a table of ratings for each group of players.

    Two players are in one group if a chain of games connects them: they met, or both met a third, and so on.
    Ratings of different groups cannot be compared.
    """
    for group in range(1, ratings.groups + 1):
        places = [place for place in ratings.places if place.group == group]
        part = f"group {group} of {ratings.groups}" if ratings.groups > 1 else ""
        yield rating_table(ratings, places, part)


def rating_table(ratings: "Ratings", places: "Sequence[Rating]", part: str = "") -> Table:
    """Return the table of some players' ratings.

    Args:
        ratings: The ratings of all players.
        places: The players, with their ratings and results.
        part: The group of players, for the heading, such as "group 1 of 2"; "" if they are all players.
    """
    # A fixed rating has no error: the player is an anchor, or the one to whom errors are relative.
    of_error = [
        f"{place.error:.1f}" if place.error else "--" if place.player == ratings.relative_to else "anchor"
        for place in places
    ]
    totals = [place.total for place in places]
    return Table(
        name="ratings",
        part=part,
        title="Ratings",
        lead=f"{part}, which have not met: no comparison between them" if part else "",
        note="Strength in Elo relative to the average, from all games at once; +/- is a 95 % interval. "
        f"The model is {MODEL}: {MEANING}. "
        f"In this field, {advantage_line(ratings)}; {draw_line(ratings)}.",
        columns=(
            ranks(place.rank for place in places),
            # Ratings of groups that have not met cannot be compared, so people get a table for
            # each group.
            data("group", [place.group for place in places]),
            names("player", [Cell(printable(place.player, LONGEST), place.player) for place in places]),
            numbers("rating", [Estimate(place.elo, place.error) for place in places], digits=1),
            numbers("+/-", map(Cell, of_error, [place.error for place in places]), key="error_95"),
            numbers("games", [total.games for total in totals]),
            *(
                data(key, [getattr(each, key) for each in totals])
                for key in ("won", "drawn", "lost", "points")
            ),
            numbers("score", [Share(total.points, total.games) for total in totals]),
            numbers("draws", [Share(total.drawn, total.games) for total in totals], key="draw_share"),
            numbers(
                "above next",
                [None if place.above_next is None else Share(place.above_next, 1) for place in places],
                about="the likelihood that it is stronger than the next one",
            ),
            data("model", [MODEL] * len(places)),
        ),
    )


def rating_remarks(ratings: "Ratings") -> list[str]:
    """Return lines that hold for all ratings: the advantage of moving first, the share of draws, and the
    model.
    """
    return [advantage_line(ratings), draw_line(ratings), f"model: {MODEL}; {MEANING}"]


def advantage_line(ratings: "Ratings") -> str:
    """Return a line with the advantage of moving first in Elo, and with half the 95 % interval.

    If the advantage cannot be distinguished from strength, the line says so.
    """
    advantage = ratings.advantage
    if advantage is None:
        return "advantage of moving first: cannot be told from strength here; taken as 0"
    return f"advantage of moving first: {advantage.elo:+.1f} +/- {advantage.error:.1f}"


def draw_line(ratings: "Ratings") -> str:
    """Return a line with the expected share of draws between equal players, or "none" if no game is drawn."""
    if not any(place.total.drawn for place in ratings.places):
        return "draws: none"
    return f"draws: {percent(ratings.draw_ratio, 1)} between equals"


def rating_facts(ratings: "Ratings") -> dict[str, Any]:
    """Return all ratings for JSON: see "For programs" in docs/explanation/ratings.md.

    All values are JSON-ready except `players`, an iterator: each player has a value for every other player,
    and a list of them may not fit into memory.
    """
    # Imported only here because it imports numpy, which most commands start without.
    from gyoji.stats.ratings import superiority  # noqa: PLC0415 - numpy

    advantage, records = ratings.advantage, rating_table(ratings, ratings.places).records()
    return {
        "model": MODEL,
        "games": ratings.games,
        "groups": ratings.groups,
        "advantage": advantage and {"elo": advantage.elo, "error_95": advantage.error},
        "draw_ratio": ratings.draw_ratio,
        "players": (
            {
                **record,
                "sides": dict(zip(("first", "second"), map(results, place.sides), strict=True)),
                "superiority": {
                    other.player: above
                    for other, above in zip(ratings.places, row, strict=True)
                    if above is not None
                },
            }
            for record, place, row in zip(records, ratings.places, superiority(ratings), strict=True)
        ),
    }


RATING_KEYS = (
    *("rank", "group", "player", "rating", "error_95", "games", "won", "drawn", "lost", "points", "score"),
    *("above_next", "model"),
)
"""Keys of the columns of ratings in a CSV file, in this order."""


def results(of: "Results") -> dict[str, Any]:
    """Return the counts and the score of a player, JSON-ready. The score is None without games."""
    return {key: getattr(of, key) for key in ("games", "won", "drawn", "lost", "points", "score")}


NO_CHANCE = "all results are the same: no Elo that is unbiased by stopping can be told from them"
_POINTS = ("0", "½", "1", "1½", "2")


def sprt_lines(test: Sprt, scores: Scores) -> Iterator[str]:
    """Yield the text about a sequential test: hypotheses, state, estimates of strength, and expected length.

    Args:
        test: The test.
        scores: The results so far. Without results only hypotheses and expected length are shown.
    """
    hypotheses = f"H0 {test.elo0:g} {test.model.unit}, H1 {test.elo1:g} {test.model.unit}"
    yield f"test      {test.model}: {hypotheses}, alpha {test.alpha:g}, beta {test.beta:g}"
    if scores.number:
        llr = test.llr(scores)
        yield f"results   {_results(scores)}"
        yield f"LLR       {llr:.3f}, bounds {test.lower:.3f} (H0) and {test.upper:.3f} (H1)"
        yield f"decision  {test.decision(llr)}"
        yield from _strength_lines(test, scores)
    # The expected length is largest between the hypotheses, which is what a user who plans a test wants
    # to know.
    middle = (test.elo0 + test.elo1) / 2
    games = [f"{prospect(test, scores, elo).games:.0f}" for elo in (test.elo0, middle, test.elo1)]
    yield f"expected  {games[0]} games if H0 is true, {games[1]} half way, {games[2]} if H1 is true"


def _results(scores: Scores) -> str:
    counts = [count(number) for number in scores.counts]
    if scores.unit:
        each = f"unit of {scores.size}" if scores.size > 1 else "game"
        return f"{count(scores.games)} games, mean of each {each}: {percent(scores.mean or 0, 1)}"
    if scores.is_of_pairs:
        each = ", ".join(f"{number} of {points}" for number, points in zip(counts, _POINTS, strict=True))
        return f"{count(scores.number)} pairs: {each} points"
    return f"{count(scores.number)} games: {counts[2]} won, {counts[1]} drawn, {counts[0]} lost"


def _strength_lines(test: Sprt, scores: Scores) -> Iterator[str]:
    """Yield estimates of strength: Elo by three methods, normalized Elo, likelihood of superiority, draws.

    If all results are the same, there is only one method, and no normalized Elo.
    """
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


def sprt_facts(test: Sprt, scores: Scores) -> dict[str, Any]:
    """Return a sequential test and its state, JSON-ready. Elo is logistic unless its key says
    "normalized".
    """
    middle, fair = (test.elo0 + test.elo1) / 2, estimate(test, scores)
    return {
        "model": test.model,
        "unit": test.model.unit,
        "hypotheses": {"elo0": test.elo0, "elo1": test.elo1},
        "alpha": test.alpha,
        "beta": test.beta,
        "bounds": (test.lower, test.upper),
        "counts": scores.counts,
        "pairs": scores.is_of_pairs,
        **({"games_of_unit": scores.size} if scores.unit else {}),
        "llr": test.llr(scores),
        "decision": test.decision(test.llr(scores)),
        "mean": scores.mean,
        "elo": scores.elo,
        "margin_95": scores.margin,
        "interval_95": scores.interval,
        "method": scores.method,
        "superiority": scores.superiority,
        "wald": scores.wald_interval
        and {
            "margin_95": scores.wald_margin,
            "interval_95": scores.wald_interval,
            "superiority": scores.wald_superiority,
        },
        "unbiased": fair
        and {"elo": fair.elo, "interval_95": (fair.low, fair.high), "superiority": fair.superiority},
        "normalized_elo": scores.normalized_elo,
        "normalized_margin_95": scores.normalized_margin,
        "draw_ratio": scores.draw_ratio,
        "pairs_ratio": scores.pairs_ratio,
        "expected": {
            name: prospect(test, scores, elo)
            for name, elo in (("elo0", test.elo0), ("middle", middle), ("elo1", test.elo1))
        },
    }
