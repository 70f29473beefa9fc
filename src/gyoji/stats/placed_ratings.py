"""Ratings of all players from games of any number of sides, with error bars. `plackett_luce` has the
model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from gyoji.stats.blocks import Floats
from gyoji.stats.placings import Placings
from gyoji.stats.plackett_luce import SAMPLES, PlacedFit, drawn_units, fit_placings, student
from gyoji.stats.ratings import ranked_group
from gyoji.stats.scores import NAT_ELO, cdf

_SURE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """A mean over games.

    Attributes:
        error: Half of the width of the 95 % interval.
    """

    value: float
    error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedRating:
    """The rating of one player, with its place in the list.

    Attributes:
        rank: The place within the group, from 1. Players with the same rating share it.
        group: The number of the player's group of connected players, from 1, the largest group first.
        elo: The rating. A player 100 Elo stronger than another finishes ahead in 64 % of their games.
        error: Half of the width of the 95 % interval in Elo, 0 for a fixed rating.
        games: Number of the player's games.
        points: Mean points per game.
        total: Mean total per game, such as treasure; None if games have no totals.
        above_next: The likelihood that the player is stronger than the next in the group, None for the last.
    """

    rank: int
    group: int
    player: str
    elo: float
    error: float
    games: int
    points: Mean
    total: Mean | None
    above_next: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatAdvantage:
    """The advantage of a seat in Elo, relative to the last seat of games with the same number of sides."""

    sides: int
    seat: int
    elo: float
    error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedRatings:
    """The ratings of all players, group by group, the largest group first.

    Attributes:
        seats: The advantages of seats. () if they cannot be distinguished from strength: then they are
            assumed to be 0.
        units: Number of units of the games. A unit is one observation (`Placed.unit`).
        relative_to: Error bars are for the difference to this player. None: to the mean of the group, or to
            its fixed ratings.
    """

    places: tuple[PlacedRating, ...]
    seats: tuple[SeatAdvantage, ...]
    groups: int
    games: int
    units: int
    relative_to: str | None


def rate_placings(
    placings: Placings,
    *,
    anchors: Mapping[str, float] | None = None,
    relative_to: str | None = None,
    order: Sequence[str] = (),
) -> PlacedRatings:
    """Rate all players.

    Args:
        placings: The games.
        anchors: Fixed ratings in Elo.
        relative_to: Error bars are for the difference to this player. None: to the mean of the group, or to
            its fixed ratings.
        order: The order of players with the same rating. Missing players follow in the order of their first
            games.

    Raises:
        ValueError: There are no games.
        KeyError: A player in `anchors` or `relative_to` has no games.
    """
    players = placings.players
    numbers = {player: number for number, player in enumerate(players)}
    found = fit_placings(placings, {numbers[code]: elo / NAT_ELO for code, elo in (anchors or {}).items()})
    first = {player: at for at, player in enumerate(order)}
    tied = [first.get(player, len(first)) for player in players]
    beside = None if relative_to is None else numbers[relative_to]
    games, points = _means(placings, placings.points)
    totals = _means(placings, placings.totals)[1]
    places: list[PlacedRating] = []
    for number, group in enumerate(found.groups, 1):
        ranked, ranks = ranked_group(group, found.values * NAT_ELO, tied)
        errors, above = _bars(found, ranked, beside)
        places += [
            PlacedRating(
                rank=rank,
                group=number,
                player=players[player],
                elo=float(found.values[player] * NAT_ELO),
                error=error,
                games=games[player],
                points=points[player] or Mean(value=0.0, error=0.0),
                total=totals[player],
                above_next=chance,
            )
            for rank, player, error, chance in zip(ranks, ranked, errors, above, strict=True)
        ]
    return PlacedRatings(
        places=tuple(places),
        seats=tuple(
            SeatAdvantage(
                sides=each.sides, seat=each.seat, elo=each.value * NAT_ELO, error=each.error * NAT_ELO
            )
            for each in found.seats
        ),
        groups=len(found.groups),
        games=len(placings),
        units=placings.units,
        relative_to=relative_to,
    )


def _bars(
    found: PlacedFit, ranked: Sequence[int], beside: int | None
) -> tuple[list[float], list[float | None]]:
    """Return two lists with an item for each player of a group: the error bar, and the likelihood of
    superiority.

    The error bar is half of the 95 % interval in Elo. The likelihood is that of being stronger than the next
    player; None for the last.

    Args:
        found: The fitted ratings.
        ranked: The numbers of the group's players, the strongest first.
        beside: The number of a player: error bars are for the difference to it. None for the mean of the
            group.
    """
    samples: Floats = found.samples[:, ranked]
    apart = samples
    if beside is not None and beside in ranked:
        apart = samples - found.samples[:, beside, None]
    errors = found.width * NAT_ELO * apart.std(axis=0)
    above: list[float | None] = []
    normal = student(10**6)
    for at in range(len(ranked) - 1):
        lead = float(found.values[ranked[at]] - found.values[ranked[at + 1]])
        spread = float((samples[:, at] - samples[:, at + 1]).std()) * found.width / normal
        above.append(cdf(lead / max(spread, _SURE)))
    return [float(each) for each in errors], [*above, None]


def _means(placings: Placings, amounts: Sequence[float]) -> tuple[list[int], list[Mean | None]]:
    """Return two lists with an item for each player: the number of games, and the mean amount in them.

    The mean is None for a player without amounts. Its error bar comes from a bootstrap of units.

    Args:
        placings: The games.
        amounts: The points or the total of each side of each game, one game after the other; NaN for an
            amount that does not count.
    """
    players = len(placings.players)
    number, games, sums = np.zeros(players, dtype=np.int64), *np.zeros((2, placings.units, players))
    sides = ((player, game.unit) for game in placings for player in game.players)
    for (player, unit), amount in zip(sides, amounts, strict=True):
        number[player] += 1
        if not isnan(amount):
            games[unit, player] += 1
            sums[unit, player] += amount
    counted = games.sum(axis=0)
    means = sums.sum(axis=0) / counted.clip(min=1)
    sampled = np.empty((SAMPLES, players))
    for sample, drawn in zip(sampled, drawn_units(placings.units), strict=True):
        had = drawn @ games
        # A sample that lacks a player says nothing about it.
        sample[:] = np.where(had > 0, drawn @ sums / had.clip(min=1), means)
    errors = student(placings.units - 1) * sampled.std(axis=0)
    return [int(each) for each in number], [
        Mean(value=float(mean), error=float(error)) if count else None
        for mean, error, count in zip(means, errors, counted, strict=True)
    ]
