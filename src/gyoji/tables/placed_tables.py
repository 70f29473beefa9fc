"""Ratings from games of more than two sides, as tables and JSON values."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from gyoji.core.tables import Cell, Estimate, Share, Table, data, json_ready, names, numbers, ranks
from gyoji.core.text import printable
from gyoji.tables.rankings import ordinal
from gyoji.tables.rating_tables import LONGEST

if TYPE_CHECKING:
    from gyoji.stats.placed_ratings import PlacedRating, PlacedRatings  # numpy

PLACED_MODEL = "Plackett-Luce"
PLACED_MEANING = "a player 100 Elo stronger comes in before the other in 64% of their games"


def placed_tables(ratings: "PlacedRatings", unit: str = "") -> Iterator[Table]:
    """Yield a table of ratings for each group of players that games connect. See
    `rating_tables.rating_tables`.

    Args:
        ratings: The ratings.
        unit: Name of the amount that players collect in the game, such as "treasure"; "" if there is none.
    """
    for group in range(1, ratings.groups + 1):
        places = [place for place in ratings.places if place.group == group]
        part = f"group {group} of {ratings.groups}" if ratings.groups > 1 else ""
        yield placed_table(ratings, places, part, unit)


def placed_table(
    ratings: "PlacedRatings", places: "Sequence[PlacedRating]", part: str = "", unit: str = ""
) -> Table:
    """Return the table of some players' ratings.

    Args:
        ratings: The ratings of all players.
        places: The players, with their ratings and results.
        part: The group of players, for the heading, such as "group 1 of 2"; "" if they are all players.
        unit: Name of the amount that players collect in the game, such as "treasure"; "" if there is none.
    """
    of_error = [
        f"{place.error:.1f}" if place.error else "--" if place.player == ratings.relative_to else "anchor"
        for place in places
    ]
    known = [place.total for place in places if place.total]
    columns = [
        ranks(place.rank for place in places),
        data("group", [place.group for place in places]),
        names("player", [Cell(printable(place.player, LONGEST), place.player) for place in places]),
        numbers("rating", [Estimate(place.elo, place.error) for place in places], digits=1),
        numbers("+/-", map(Cell, of_error, [place.error for place in places]), key="error_95"),
        numbers("games", [place.games for place in places]),
        numbers("points", [place.points.value for place in places], digits=3, about="mean of a game"),
        numbers("+/- ", [place.points.error for place in places], key="points_error_95", digits=3),
    ]
    if known:
        totals = [place.total.value if place.total else None for place in places]
        errors = [place.total.error if place.total else None for place in places]
        about = f"mean of a game: {unit}" if unit else "mean of a game"
        columns += [
            numbers(unit or "total", totals, key="mean_total", digits=1, about=about),
            numbers("+/-  ", errors, key="total_error_95", digits=1),
        ]
    columns += [
        numbers(
            "above next",
            [None if place.above_next is None else Share(place.above_next, 1) for place in places],
            about="the likelihood that it is stronger than the next one",
        ),
        data("model", [PLACED_MODEL] * len(places)),
    ]
    return Table(
        name="ratings",
        part=part,
        title="Ratings",
        lead=f"{part}, which have not met: no comparison between them" if part else "",
        note="Strength in Elo relative to the average, from the places of all games at once; +/- is a 95 % "
        f"interval, from {ratings.units} units drawn again. The model is {PLACED_MODEL}: {PLACED_MEANING}. "
        f"{seats_line(ratings)}.",
        columns=tuple(columns),
    )


def seats_line(ratings: "PlacedRatings") -> str:
    """Return a line that compares each seat with the last one: its advantage in Elo, with half the 95 %
    interval.

    If the advantages cannot be distinguished from strength, the line says so.
    """
    if not ratings.seats:
        return "worth of seats: cannot be told from strength here; taken as 0"
    many = len({each.sides for each in ratings.seats}) > 1
    told = [
        f"{ordinal(each.seat + 1)}{f' of {each.sides}' if many else ''} {each.elo:+.1f} +/- {each.error:.1f}"
        for each in ratings.seats
    ]
    return f"worth of seats over the last one: {', '.join(told)}"


def placed_remarks(ratings: "PlacedRatings") -> list[str]:
    """Return lines that hold for all ratings: the advantages of the seats, and the model."""
    return [seats_line(ratings), f"model: {PLACED_MODEL}; {PLACED_MEANING}"]


def placed_facts(ratings: "PlacedRatings") -> dict[str, Any]:
    """Return all ratings, JSON-ready."""
    seats = (
        {"sides": each.sides, "seat": each.seat, "elo": each.elo, "error_95": each.error}
        for each in ratings.seats
    )
    return {
        "model": PLACED_MODEL,
        "games": ratings.games,
        "groups": ratings.groups,
        "units": ratings.units,
        "seats": list(seats),
        "players": json_ready(placed_table(ratings, ratings.places)),
    }


PLACED_KEYS = (
    *("rank", "group", "player", "rating", "error_95", "games", "points", "points_error_95", "mean_total"),
    *("total_error_95", "above_next", "model"),
)
"""Keys of the columns of these ratings in a CSV file, in this order."""
