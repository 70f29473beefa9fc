"""Ratings as a table of text, as values for JSON, and as rows for CSV."""

from collections.abc import Iterator, Sequence
from typing import Any

from gyoji.core.text import printable
from gyoji.report.numbers import percent
from gyoji.report.table import Align, Table
from gyoji.stats.ratings import Rating, Ratings, Results

LONGEST = 60
"""Characters of a name: names come from anywhere."""


def rating_lines(ratings: Ratings, *, seats: bool) -> Iterator[str]:
    """A table for each group, and what is true of the field. seats: with the scores on either side."""
    for group in range(1, ratings.groups + 1):
        if group > 1:
            yield ""
        if ratings.groups > 1:
            yield f"group {group} of {ratings.groups}, which have not met: no comparison between them"
        yield from _table([place for place in ratings.places if place.group == group], seats=seats)
    yield ""
    yield advantage_line(ratings)
    yield draw_line(ratings)


def _table(places: list[Rating], *, seats: bool) -> list[str]:
    table = Table()
    table.column([f"{place.rank}." for place in places], align=Align.RIGHT)
    table.column([printable(place.player, LONGEST) for place in places], padding=3)
    table.numbers([f"{place.elo:z.1f}" for place in places], heading="rating")
    table.numbers([f"{place.error:.1f}" if place.error else "anchor" for place in places], heading="+/-")
    table.numbers([str(place.total.games) for place in places], heading="games")
    table.numbers([_score(place.total) for place in places], heading="score")
    table.numbers([percent(place.total.drawn, place.total.games) for place in places], heading="draws")
    if seats:
        for side, name in enumerate(("first", "second")):
            table.numbers([_score(place.sides[side]) for place in places], heading=name)
    table.numbers(
        ["" if place.above_next is None else percent(place.above_next, 1) for place in places],
        heading="above next",
    )
    return table.lines()


def _score(results: Results) -> str:
    return percent(results.points, results.games)


def advantage_line(ratings: Ratings) -> str:
    """What it is worth to be first."""
    advantage = ratings.advantage
    if advantage is None:
        return "first side: results do not tell its advantage from strength; taken for 0"
    return f"first side: {advantage.elo:+.1f} +/- {advantage.error:.1f}"


def draw_line(ratings: Ratings) -> str:
    """How frequent draws are, whoever plays."""
    if not any(place.total.drawn for place in ratings.places):
        return "draws: none"
    return f"draws: {percent(ratings.draw_ratio, 1)} between equals"


def rating_values(ratings: Ratings) -> dict[str, Any]:
    """All of it as JSON-ready values."""
    advantage = ratings.advantage
    return {
        "games": ratings.games,
        "groups": ratings.groups,
        "advantage": advantage and {"elo": advantage.elo, "error_95": advantage.error},
        "draw_ratio": ratings.draw_ratio,
        "players": [
            {
                **_row(place),
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
            for place, row in zip(ratings.places, ratings.superiority, strict=True)
        ],
    }


def rating_rows(ratings: Ratings) -> Iterator[Sequence[Any]]:
    """The table for CSV: the names of the columns, then a row for each player; None is an empty cell."""
    for number, place in enumerate(ratings.places):
        row = _row(place)
        if number == 0:
            yield list(row)
        yield list(row.values())


def _row(place: Rating) -> dict[str, Any]:
    return {
        "rank": place.rank,
        "group": place.group,
        "player": place.player,
        "rating": place.elo,
        "error_95": place.error,
        **results_values(place.total),
        "above_next": place.above_next,
    }


def results_values(results: Results) -> dict[str, Any]:
    """Counts and the score, None without games."""
    return {
        "games": results.games,
        "won": results.won,
        "drawn": results.drawn,
        "lost": results.lost,
        "points": results.points,
        "score": results.score,
    }
