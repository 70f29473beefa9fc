"""Tables of the players of a field, two by two: who is stronger, what they played, who should play next."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from gyoji.core.tables import Block, Column, Share, Table, names, numbers, ranks
from gyoji.core.text import printable
from gyoji.stats.comparisons import head_to_head, next_games, superiority
from gyoji.stats.ratings import Ratings
from gyoji.tables.ratings import LONGEST, MODEL, results_values

NEXT = 10
"""How many games are proposed."""


def _superiority_blocks(ratings: Ratings) -> Iterator[Block]:
    """A matrix for each group."""
    rows = list(superiority(ratings))
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
        yield from [""] if group > 1 else []
        yield Table(columns=tuple(columns))
    yield ""
    yield "the likelihood that the player of the row is stronger than that of the column"


def _superiority_rows(ratings: Ratings) -> list[dict[str, Any]]:
    return [
        {"player": place.player, "opponent": other.player, "superiority": value}
        for place, row in zip(ratings.places, superiority(ratings), strict=True)
        for other, value in zip(ratings.places, row, strict=True)
        if value is not None
    ]


def _head_to_head_blocks(ratings: Ratings) -> Iterator[Block]:
    met = list(head_to_head(ratings))
    yield Table(
        columns=(
            names("player", [printable(each.player, LONGEST) for each in met]),
            names("opponent", [printable(each.opponent, LONGEST) for each in met]),
            numbers("games", [each.results.games for each in met]),
            numbers("won", [each.results.won for each in met]),
            numbers("drawn", [each.results.drawn for each in met]),
            numbers("lost", [each.results.lost for each in met]),
            numbers("score", [Share(each.results.points, each.results.games) for each in met]),
            numbers("expected", [Share(each.expected, 1) for each in met]),
            numbers("Elo", [each.elo for each in met], digits=1),
            numbers("+/-", [each.error for each in met], digits=1),
            numbers("stronger", [Share(each.superiority, 1) for each in met]),
        )
    )
    yield ""
    yield f"expected, Elo and +/- are by the ratings of the whole field; model: {MODEL}"


def _head_to_head_rows(ratings: Ratings) -> list[dict[str, Any]]:
    return [
        {
            "player": each.player,
            "opponent": each.opponent,
            **results_values(each.results),
            "expected": each.expected,
            "elo": each.elo,
            "error_95": each.error,
            "superiority": each.superiority,
            "model": MODEL,
        }
        for each in head_to_head(ratings)
    ]


def _next_blocks(ratings: Ratings) -> Iterator[Block]:
    found = next_games(ratings, NEXT)
    yield Table(
        columns=(
            names("first", [printable(each.first, LONGEST) for each in found]),
            names("second", [printable(each.second, LONGEST) for each in found]),
            numbers("Elo", [each.apart and each.apart[0] for each in found], digits=1),
            numbers("+/-", [each.apart and each.apart[1] for each in found], digits=1),
            numbers(
                "gain", ["connects" if each.gain is None else f"{100 * each.gain:.3g}%" for each in found]
            ),
        )
    )
    yield ""
    yield "gain: the part of the variance of all ratings that one such game takes away;"
    yield "a game that connects players who could not be compared goes before all"


def _next_rows(ratings: Ratings) -> list[dict[str, Any]]:
    return [
        {
            "first": each.first,
            "second": each.second,
            "gain": each.gain,
            "elo": each.apart and each.apart[0],
            "error_95": each.apart and each.apart[1],
            "model": MODEL,
        }
        for each in next_games(ratings, NEXT)
    ]


BLOCKS: Mapping[str, Callable[[Ratings], Iterator[Block]]] = MappingProxyType(
    {"superiority": _superiority_blocks, "head-to-head": _head_to_head_blocks, "next": _next_blocks}
)
"""The text of each table."""

ROWS: Mapping[str, Callable[[Ratings], list[dict[str, Any]]]] = MappingProxyType(
    {"superiority": _superiority_rows, "head-to-head": _head_to_head_rows, "next": _next_rows}
)
"""The values of each table, for JSON and CSV."""
