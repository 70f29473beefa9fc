"""The joint fit of ratings to games of any number of sides: every player's strength, and the advantage of
seats.

References: Plackett (Applied Statistics 24, 1975, 193-202), Luce (Individual Choice Behavior, 1959), Hunter
(Annals of Statistics 32, 2004, 384-406) for the fit's existence, Turner and others (Computational Statistics
35, 2020, 1027-1057) for ties and for fields that games do not connect.
"""

# Theory of operation
# -------------------
#
# Model. A game is a race: of the sides that have no place yet, each takes the next one with a probability in
# proportion to exp(strength), where strength is rating + advantage of the seat, in nats. So A finishes ahead
# of B with the odds exp(A - B) whoever else plays, and the Elo difference of two players means the same as in
# games of two.
#
# Ties. Sides that share a place might have finished in any order. The log likelihood of a game with ties is
# the mean of those of all these orders. For two players that is half a win and half a loss each, as
# `logistic` counts a draw; with it this fit is the same as that one. A model with a parameter for ties, such
# as Davidson's, gives the same order of the likelihoods and other bars; the bars here come from the games
# themselves (see below), so that no model of ties is needed.
#
# What is summed. Over the orders of m tied sides, those still without a place are each subset of j of the m
# equally often, and those of worse places always. With lse(R) = log of the sum of exp(strength) in R,
#
#     log likelihood = sum of strengths - sum over ties, over subsets S that are not empty, of
#                      lse(S + worse) / (number of subsets of the size of S)
#
# which is concave. A set of one is its strength and cancels. All games are flattened into one list of such
# sets (`_Sets`), from which height, slope and curvature are sums.
#
# Prior, and groups that have not met: as in `logistic`. The advantage of a seat is relative to the last seat
# of games with the same number of sides.
#
# Error bars. The games of a unit share seed, opening and players, so they are one observation. The bars come
# from a bootstrap of units: units are drawn with replacement, as many as there are, and each such sample is
# rated, by one Newton step from the maximum with the slope and the curvature of the sample. The standard
# deviation of the samples' ratings, times the quantile of Student's t for that number of units, is the error.
# `python -m bench.seats` measures how often the interval contains the truth.

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gyoji.stats.blocks import Floats, Numbers
from gyoji.stats.ledger import groups
from gyoji.stats.logistic import climbed, sums, virtual_draws
from gyoji.stats.placings import Placed, Placings
from gyoji.stats.scores import Z_95

MOST_TIED = 8
"""Largest number of tied sides of which all orders are considered. Of more sides, only cyclic orders are."""
SAMPLES = 1000
"""Number of bootstrap samples of units."""

_PRECISION = 1e-10
_BLOCK = 1 << 20
_RANDOM = 20_261_124
"""The seed of the random numbers that draw units. It is fixed, so that equal games have equal errors."""


class _Sets(NamedTuple):
    """The sets of sides over which the log likelihood of all games is summed (see "What is summed" above).

    The values of the fit are indexed from 0: the ratings of players, then the advantages of seats, then a 0.
    Sets have different sizes but share an array, so the rows of small sets are padded with the index of that
    0.

    Attributes:
        player: A row for each set: for each of its sides, the index of the player's rating.
        seat: A row for each set: for each of its sides, the index of the seat's advantage.
        gap: A row for each set: 0 for each side, -inf for padding.
        weight: The weight of each set.
        unit: The number of the unit of each set.
        points: A row for each unit: how often each value occurs in the first term, the sum of strengths.
    """

    player: Numbers
    seat: Numbers
    gap: Floats
    weight: Floats
    unit: Numbers
    points: Floats


class SeatWorth(NamedTuple):
    """The advantage of a seat in nats, relative to the last seat of games with the same number of sides.

    Attributes:
        sides: The number of sides of the game.
        seat: The number of the seat, from 0.
        error: Half of the width of the 95 % interval.
    """

    sides: int
    seat: int
    value: float
    error: float


class PlacedFit(NamedTuple):
    """The ratings of a field, fitted to its games.

    Attributes:
        values: The rating of each player by number, in nats. The mean of a group without anchors is 0.
        samples: A row of ratings for each bootstrap sample.
        width: Half of a 95 % interval, in standard deviations of the samples.
        units: Number of units of the games.
        groups: The groups of connected players, the largest group first.
        seats: The advantage of each seat except the last; () if advantages cannot be distinguished from
            strength.
    """

    values: Floats
    samples: Floats
    width: float
    units: int
    groups: Sequence[Sequence[int]]
    seats: Sequence[SeatWorth]


class _Field(NamedTuple):
    """The groups of players, and which values are unknowns of the fit.

    Attributes:
        groups: The numbers of the players of each group.
        fixed: For each value of the fit (see `_Sets`), True if the value is given, False if it is an unknown.
    """

    groups: Sequence[Numbers]
    fixed: NDArray[np.bool_]


def fit_placings(placings: Placings, anchors: Mapping[int, float] | None = None) -> PlacedFit:
    """Find the ratings that make the games likeliest.

    Args:
        placings: The games.
        anchors: Fixed ratings in nats, by number of the player.

    Raises:
        ValueError: There are no games.
    """
    games = list(placings)
    if not games:
        raise ValueError("there are no games to rate")
    players = len(placings.players)
    met = groups(players, _met(games))
    seats = _told_seats(games, players)
    size = players + len(seats)
    sets = _sets_of(games, players, {key: players + at for at, key in enumerate(seats)}, placings.units)
    values, fixed = np.zeros(size + 1), np.zeros(size + 1, dtype=np.bool_)
    fixed[size] = True
    for player, value in (anchors or {}).items():
        values[player], fixed[player] = value, True
    field = _Field([np.array(group) for group in met], fixed)
    values = _climbed(sets, values, field)
    samples, width = _sampled(sets, values, field), student(placings.units - 1)
    errors = width * samples[:, players:].std(axis=0)
    worth = [
        SeatWorth(sides, seat, float(values[players + at]), float(errors[at]))
        for at, (sides, seat) in enumerate(seats)
    ]
    return PlacedFit(values[:players], samples[:, :players], width, placings.units, met, worth)


def student(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t, by Fisher's expansion.

    It is exact to 1 % from 4 degrees of freedom on.

    >>> round(student(10), 2), round(student(1000), 2)
    (2.23, 1.96)
    """
    z, n = Z_95, max(freedom, 1)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum([term / n**power for power, term in enumerate(terms, 1)], 0.0)


# One at a time: a thousand samples of a hundred thousand units would take 800 MB.
def drawn_units(units: int) -> Iterator[Floats]:
    """Yield an array for each bootstrap sample: how often the sample contains each unit.

    The random numbers have a fixed seed, so that the same number of units always gives the same samples.
    """
    random = np.random.default_rng(_RANDOM)
    for _ in range(SAMPLES):
        yield random.multinomial(units, np.full(units, 1 / units)).astype(np.float64)


def _met(games: Iterable[Placed]) -> Iterator[tuple[int, int]]:
    """Yield pairs of players that have met: the player of a game's first side, and each other player."""
    for seated in {game.players for game in games}:
        for player in seated[1:]:
            yield seated[0], player


# If every player always has the same seat, its strength and the seat's advantage cannot be distinguished.
def _told_seats(games: Iterable[Placed], players: int) -> list[tuple[int, int]]:
    """Return the number of sides and the number of the seat, for each seat except the last.

    Return [] if the advantage of seats cannot be distinguished from strength.
    """
    seatings = {game.players for game in games}
    seats = [(sides, seat) for sides in sorted({*map(len, seatings)}) for seat in range(sides - 1)]
    size = players + len(seats)
    columns = {key: players + at for at, key in enumerate(seats)}
    design = np.zeros((size, size))
    for seated in seatings:
        sides = len(seated)
        rows = np.zeros((sides, size))
        for seat, player in enumerate(seated):
            rows[seat, player] += 1
            if seat < sides - 1:
                rows[seat, columns[sides, seat]] += 1
        involved = np.flatnonzero(rows.any(axis=0))
        part = rows[:, involved] - rows[:, involved].mean(axis=0)
        design[np.ix_(involved, involved)] += part.T @ part
    rank = np.linalg.matrix_rank
    return (
        seats
        if rank(design, hermitian=True) == rank(design[:players, :players], hermitian=True) + len(seats)
        else []
    )


def _sets_of(
    games: Sequence[Placed], players: int, seats: Mapping[tuple[int, int], int], units: int
) -> _Sets:
    """Divide each game into sets of sides: for each place, the sides that share it and all sides behind them.

    Args:
        games: The games.
        players: The number of players.
        seats: For each number of sides and seat, the index of the seat's advantage in the fit.
        units: The number of units, which are games that the bootstrap draws together.
    """
    nothing = players + len(seats)
    most = max(len(game.players) for game in games)
    counts: dict[tuple[int, tuple[int, ...], tuple[int, ...]], float] = {}
    points = np.zeros((units, nothing + 1))
    for seated, places, unit in games:
        sides = len(seated)
        mine = [seats.get((sides, seat), nothing) for seat in range(sides)]
        for place in sorted(set(places)):
            tied = [seat for seat in range(sides) if places[seat] == place]
            worse = [seat for seat in range(sides) if places[seat] > place]
            for seat in tied:
                points[unit, seated[seat]] += 1
                points[unit, mine[seat]] += 1
            for among, weight in _subsets(tied):
                group = (*among, *worse)
                key = unit, tuple([seated[seat] for seat in group]), tuple([mine[seat] for seat in group])
                counts[key] = counts.get(key, 0.0) + weight
    points[:, nothing] = 0

    def filled(rows: Iterable[tuple[int, ...]]) -> Numbers:
        return np.array([row + (nothing,) * (most - len(row)) for row in rows], dtype=np.int64)

    lengths = np.array([len(key[1]) for key in counts])
    return _Sets(
        player=filled(key[1] for key in counts),
        seat=filled(key[2] for key in counts),
        gap=np.where(np.arange(most) < lengths[:, None], 0.0, -np.inf),
        weight=np.array(list(counts.values())),
        unit=np.array([key[0] for key in counts]),
        points=points,
    )


def _subsets(tied: Sequence[int]) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield subsets of the sides of a tie, each with its weight: 1 / the number of subsets of that size.

    Of more than `MOST_TIED` sides, only runs of neighbours in a circle are taken. See "What is summed" above.
    """
    count = len(tied)
    for size in range(1, count + 1):
        if count <= MOST_TIED:
            for among in combinations(tied, size):
                yield among, 1 / comb(count, size)
        else:
            for first in range(count):
                yield tuple([tied[(first + at) % count] for at in range(size)]), 1 / count


def _shares(sets: _Sets, values: Floats) -> tuple[Floats, Floats]:
    """Return two arrays with a row for each set.

    The first has the logarithm of the sum of exp(strength) over the set's sides. The second has the share of
    each side in that sum.
    """
    strength = values[sets.player] + values[sets.seat] + sets.gap
    highest = strength.max(axis=1, keepdims=True)
    odds = np.exp(strength - highest)
    total = odds.sum(axis=1, keepdims=True)
    return (highest + np.log(total))[:, 0], odds / total


def _climbed(sets: _Sets, values: Floats, field: _Field) -> Floats:
    free = ~field.fixed

    def solve(slope: Floats, curvature: Floats) -> Floats:
        step = np.zeros(len(slope))
        step[free] = np.linalg.solve(curvature[np.ix_(free, free)], slope[free])
        return step

    return climbed(values, lambda values: _sum(sets, values, field), solve, precision=_PRECISION)


def _sum(sets: _Sets, values: Floats, field: _Field) -> tuple[float, Floats, Floats]:
    """Return the penalized log likelihood of values, its slope, and its curvature with the sign reversed."""
    size = len(values)
    height, slope, curvature = _prior(values, field)
    logs, shares = _shares(sets, values)
    weighed = sets.weight[:, None] * shares
    points = sets.points.sum(axis=0)
    height += float(points @ values - sets.weight @ logs)
    slope += points - _gathered(sets, weighed, size)
    curvature += _curved(sets, shares, size)
    return height, slope, curvature


def _gathered(sets: _Sets, by_side: Floats, size: int) -> Floats:
    """Return, for each value of the fit, the sum of `by_side` over the sides that have this player or seat.

    Args:
        sets: The sets.
        by_side: A number for each side of each set.
        size: Number of values, as in `_Sets`.
    """
    flat = by_side.ravel()
    by_player = np.bincount(sets.player.ravel(), flat, size)
    return np.asarray(by_player + np.bincount(sets.seat.ravel(), flat, size), dtype=np.float64)


def _curved(sets: _Sets, shares: Floats, size: int) -> Floats:
    """Return the curvature of the log likelihood of all sets, with the sign reversed, as a square matrix.

    Args:
        sets: The sets.
        shares: The result of `_shares`: each side's share of the sum of its set.
        size: The number of rows of the matrix, one for each value of the fit.
    """
    curvature = np.zeros(size * size)
    for rows in _slices(len(shares), sets.player.shape[1]):
        for index, amount in _entries(sets, shares, rows, size):
            curvature += np.bincount(index, amount, size * size)
    return curvature.reshape(size, size)


def _entries(sets: _Sets, shares: Floats, rows: slice, size: int) -> Iterator[tuple[Numbers, Floats]]:
    """Yield contributions of some sets to the curvature (sign reversed): indices in the flattened matrix, and
    amounts.

    An amount is to be added at its index. An index may occur several times.

    Args:
        sets: The sets.
        shares: The result of `_shares` for all sets.
        rows: The slice of the sets to use.
        size: The number of rows of the curvature matrix, one for each value of the fit.
    """
    own = sets.weight[rows, None] * shares[rows]
    both = -own[:, :, None] * shares[rows, None, :]
    sides = range(shares.shape[1])
    both[:, sides, sides] += own
    kinds = sets.player[rows], sets.seat[rows]
    for one, other in product(kinds, kinds):
        yield (one[:, :, None] * size + other[:, None, :]).ravel(), both.ravel()


def _slices(rows: int, width: int) -> Iterator[slice]:
    """Divide the rows of an array into slices, so that the outer products of the rows in a slice fit into
    memory.

    Args:
        rows: The number of rows.
        width: The number of items of a row.
    """
    step = max(_BLOCK // width**2, 1)
    for start in range(0, rows, step):
        yield slice(start, start + step)


def _by_unit(sets: _Sets, shares: Floats, size: int) -> tuple[Numbers, Numbers, Floats]:
    """Return the curvature matrix (sign reversed) of each unit, as entries for a sparse matrix.

    Args:
        sets: The sets.
        shares: The result of `_shares`.
        size: The number of rows of a unit's matrix, one for each value of the fit.

    Returns:
        Three arrays with an item for each entry: number of the unit, index in the flattened matrix, value.
        Entries with the same unit and index are to be added.
    """
    keys: list[Numbers] = []
    amounts: list[Floats] = []
    for rows in _slices(len(shares), sets.player.shape[1]):
        units = np.repeat(sets.unit[rows], sets.player.shape[1] ** 2)
        entries = [
            (units * (size * size) + index, amount) for index, amount in _entries(sets, shares, rows, size)
        ]
        key, at = np.unique(np.concatenate([each for each, _ in entries]), return_inverse=True)
        keys.append(key)
        amounts.append(sums(at, np.concatenate([amount for _, amount in entries]), len(key)))
    key, amount = np.concatenate(keys), np.concatenate(amounts)
    return key // (size * size), key % (size * size), amount


def _prior(values: Floats, field: _Field) -> tuple[float, Floats, Floats]:
    """Return the prior's part of each of the three values that `_sum` returns.

    The prior is virtual draws. Each player has draws against the mean of the group, and each seat against the
    last seat. In a group without a given rating, the curvature also fixes the mean, which results do not
    determine.
    """
    size = len(values)
    slope, curvature, height = np.zeros(size), np.zeros((size, size)), 0.0
    players = sum(map(len, field.groups))
    for group in field.groups:
        own = values[group]
        share, weight, stiffness = virtual_draws(own - own.mean())
        height += share
        slope[group] += weight - weight.mean()
        block = np.diag(stiffness) - (stiffness[:, None] + stiffness - stiffness.mean()) / len(group)
        if not field.fixed[group].any():
            block += 1 / len(group)
        curvature[np.ix_(group, group)] += block
    seats = np.arange(players, size - 1)
    share, weight, stiffness = virtual_draws(values[seats])
    slope[seats] += weight
    curvature[seats, seats] += stiffness
    return height + share, slope, curvature


def _sampled(sets: _Sets, values: Floats, field: _Field) -> Floats:
    """Return a row of fitted values for each bootstrap sample, without the last value, which is always 0."""
    size, units = len(values), len(sets.points)
    free = ~field.fixed
    _, shares = _shares(sets, values)
    weighed = (sets.weight[:, None] * shares).ravel()
    spent = np.zeros(units * size)
    for index in (sets.player, sets.seat):
        spent += np.bincount((sets.unit[:, None] * size + index).ravel(), weighed, units * size)
    slopes = sets.points - spent.reshape(units, size)
    _, of_prior, curvature = _prior(values, field)
    unit, index, amount = _by_unit(sets, shares, size)
    found = np.tile(values, (SAMPLES, 1))
    for sample, drawn in zip(found, drawn_units(units), strict=True):
        slope = drawn @ slopes + of_prior
        curved = np.bincount(index, amount * drawn[unit], size * size).reshape(size, size) + curvature
        sample[free] += np.linalg.solve(curved[np.ix_(free, free)], slope[free])
    return found[:, :-1]
