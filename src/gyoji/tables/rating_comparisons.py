"""Tables of a rated field, two players by two: who is stronger, what they played, who should play next."""

from typing import Any

from msgspec.structs import replace

from gyoji.core.tables import Block, Cell, Column, Share, Table, data, names, numbers, ranks
from gyoji.core.text import printable
from gyoji.stats.comparisons import head_to_head, next_games, superiority
from gyoji.stats.ratings import Ratings
from gyoji.tables.rating_tables import LONGEST, MODEL

NEXT = 10
"""Number of proposed games."""


def comparison(name: str, ratings: Ratings) -> list[Block]:
    """Return the text of a comparison by its name: superiority, head-to-head or next."""
    if name == "superiority":
        return _superiority(ratings)
    table = _head_to_head(ratings) if name == "head-to-head" else _next(ratings)
    return [replace(table, remarks=()), "", *table.remarks]


def comparison_rows(name: str, ratings: Ratings) -> list[dict[str, Any]]:
    """Return the rows of a comparison for JSON and CSV."""
    if name == "superiority":
        return [
            {"player": place.player, "opponent": other.player, "superiority": value}
            for place, row in zip(ratings.places, superiority(ratings), strict=True)
            for other, value in zip(ratings.places, row, strict=True)
            if value is not None
        ]
    return (_head_to_head(ratings) if name == "head-to-head" else _next(ratings)).records()


def _superiority(ratings: Ratings) -> list[Block]:
    """Return a matrix for each group of players that have met."""
    # Programs get pairs, people a matrix: a matrix of a hundred players has no keys that a program
    # could use.
    rows = list(superiority(ratings))
    found: list[Block] = []
    for group in range(1, ratings.groups + 1):
        own = [number for number, place in enumerate(ratings.places) if place.group == group]
        places = [ratings.places[number] for number in own]
        columns: list[Column] = [
            ranks(place.rank for place in places),
            names("player", [printable(place.player, LONGEST) for place in places]),
        ]
        for position, other in enumerate(own, 1):
            shares = [None if (value := rows[row][other]) is None else Share(value, 1) for row in own]
            columns.append(numbers(f"{position}.", shares))
        found += [Table(columns=tuple(columns)), ""]
    return [*found, "the likelihood that the player of the row is stronger than that of the column"]


def _head_to_head(ratings: Ratings) -> Table:
    met = list(head_to_head(ratings))
    results = [each.results for each in met]
    return Table(
        columns=(
            names("player", [_name(each.player) for each in met]),
            names("opponent", [_name(each.opponent) for each in met]),
            numbers("games", [each.games for each in results]),
            numbers("won", [each.won for each in results]),
            numbers("drawn", [each.drawn for each in results]),
            numbers("lost", [each.lost for each in results]),
            data("points", [each.points for each in results]),
            numbers("score", [Share(each.points, each.games) for each in results]),
            numbers("expected", [Share(each.expected, 1) for each in met]),
            numbers("Elo", [each.elo for each in met], digits=1),
            numbers("+/-", [each.error for each in met], key="error_95", digits=1),
            numbers("stronger", [Share(each.superiority, 1) for each in met], key="superiority"),
            data("model", [MODEL] * len(met)),
        ),
        remarks=(f"expected, Elo and +/- are by the ratings of the whole field; model: {MODEL}",),
    )


def _next(ratings: Ratings) -> Table:
    found = next_games(ratings, NEXT)
    gains = ["connects" if each.gain is None else f"{100 * each.gain:.3g}%" for each in found]
    return Table(
        columns=(
            names("first", [_name(each.first) for each in found]),
            names("second", [_name(each.second) for each in found]),
            numbers("Elo", [each.apart and each.apart[0] for each in found], digits=1),
            numbers("+/-", [each.apart and each.apart[1] for each in found], key="error_95", digits=1),
            numbers("gain", map(Cell, gains, [each.gain for each in found])),
            data("model", [MODEL] * len(found)),
        ),
        remarks=(
            "gain: the part of the variance of all ratings that one such game takes away;",
            "a game that connects players who could not be compared goes before all",
        ),
    )


def _name(player: str) -> Cell:
    return Cell(printable(player, LONGEST), player)
