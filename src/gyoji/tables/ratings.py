"""Ratings as tables, as values for JSON, and as rows for CSV."""

from collections.abc import Iterator, Sequence
from typing import Any

from gyoji.core.tables import Block, Column, Estimate, Share, Table, names, numbers, percent, ranks
from gyoji.core.text import printable
from gyoji.stats.ratings import Rating, Ratings, Results
from gyoji.tables.standings import titled

LONGEST = 60
"""Characters of a name: names come from anywhere."""


def rating_blocks(ratings: Ratings, *, seats: bool) -> Iterator[Block]:
    """A table for each group, and what is true of the field. seats: with the scores on either side."""
    for group, places in _groups(ratings):
        if group > 1:
            yield ""
        if ratings.groups > 1:
            yield f"group {group} of {ratings.groups}, which have not met: no comparison between them"
        rank, player, rating, _, games, above = _columns(places)
        anchored = [f"{place.error:.1f}" if place.error else "anchor" for place in places]
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


def rating_tables(ratings: Ratings) -> Iterator[Table]:
    """The strength of everybody in Elo, a table for each group of players that have met."""
    note = (
        "Strength in Elo relative to the average, from all games at once; +/- is a 95 % interval. A player "
        "that is 100 Elo stronger takes 64 % of the points. "
        f"In this field, {advantage_line(ratings)}; {draw_line(ratings)}."
    )
    for group, places in _groups(ratings):
        part = f"group {group} of {ratings.groups}" if ratings.groups > 1 else ""
        columns = tuple(_columns(places))
        yield Table(name="ratings", title=titled("Ratings", part), note=note, columns=columns)


def _groups(ratings: Ratings) -> Iterator[tuple[int, list[Rating]]]:
    for group in range(1, ratings.groups + 1):
        yield group, [place for place in ratings.places if place.group == group]


def _columns(places: Sequence[Rating]) -> tuple[Column, Column, Column, Column, Column, Column]:
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


def advantage_line(ratings: Ratings) -> str:
    """The advantage of the first side."""
    advantage = ratings.advantage
    if advantage is None:
        return "advantage of moving first: cannot be told from strength here; taken as 0"
    return f"advantage of moving first: {advantage.elo:+.1f} +/- {advantage.error:.1f}"


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
