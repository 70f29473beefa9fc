"""The joint fit of a field: every player's strength, the advantage of the first side, and the frequency of
draws.

References: Davidson (JASA 65, 1970, 317-328) for draws, Wedderburn (Biometrika 61, 1974) for the
covariance.
"""

# Theory of operation
# -------------------
#
# Model. With x = rating of the first - rating of the second + advantage, in nats, the first is expected to
# score p = 1 / (1 + exp(-x)), a draw being half a point. On the Elo scale, 100 more take 64 % of the points
# and 400 more take 10 of 11, however many games are drawn. The ratings are those at which every player's
# expected points equal its real
# ones: the maximum of
#
#     sum of  s ln p + (1 - s) ln(1 - p)      s = 0, 1/2, 1: the score of the first in a game
#
# which is concave, so that Newton's method finds it in a few steps (`climbed`).
#
# Draws make a game less noisy. Their share D at an expected score p is Davidson's: D * D / (won * lost) is
# the same at any p. It is chosen so that as many draws are expected as there were, with one decided virtual
# game between equals added. The variance of a score is p(1 - p) - D/4.
#
# Covariance. That of the estimates is A^-1 J A^-1: A is the curvature of the sum above, J the variance of its
# slope. Without draws and weights both are equal, and it is the inverse of the curvature. A game of weight w
# counts w times in A, but chance struck it once: w * w times in J.
#
# Prior. It keeps all ratings finite and hardly matters after a dozen games: each player has a quarter of a
# virtual draw against a player of its group's average strength, and the advantage has the same between
# equals. A rating that is given with an error is a normal prior. The sum above is in units of games without
# draws, so a prior counts J / A times as much, with J and A of the games (`_unit`).
#
# What results cannot tell. They compare ratings only within a group of connected players. The average of a
# group without a given rating is set to 0: adding the same number to all ratings of the group changes no
# expected score. That direction is fixed by adding it to the curvature (`_hold_groups`); it has no part in J.

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from gyoji.stats.blocks import Bordered, Covariance, Floats, Layout, Numbers
from gyoji.stats.ledger import HIGH_FIRST, KINDS, UNSIDED, Meetings, meeting_of

Counts: TypeAlias = NDArray[np.unsignedinteger[Any]] | Numbers
C = TypeVar("C")

_BLOCK = 1 << 18
"""Number of rows of games that are processed at a time, which bounds the memory for a million games."""
_VIRTUAL = 0.25
"""Number of virtual draws of a player."""

_PRECISION = 1e-9
_ROUNDS = 100
_NOISE = 1e-12
"""The relative rounding error of a sum of a million numbers."""

_BINS = 1024
_HALVINGS = 50
_ALIKE = 1e-6
"""The relative change at which the unit of priors (`_unit`) has converged. It and the ratings depend on each
other.
"""


@dataclass(frozen=True, slots=True)
class Games:
    """Counts of games in rows. Games with the same first and second player, weight and `sided` share a row.

    Attributes:
        first: For each row, the number of the first player.
        second: For each row, the number of the second player.
        results: For each row, the numbers of games lost, drawn and won by the first player.
        sided: For each row, 1.0 if the first player has the first side, 0.0 if sides are unknown.
        weight: For each row, the weight of each of its games. With weight 2 a game counts like two games.
    """

    first: Numbers
    second: Numbers
    results: Floats
    sided: Floats
    weight: Floats

    def blocks(self) -> Iterator["Games"]:
        """Yield the rows in parts of at most `_BLOCK` rows."""
        for start in range(0, len(self.first), _BLOCK):
            rows = slice(start, start + _BLOCK)
            columns: tuple[Any, ...] = self.first, self.second, self.results, self.sided, self.weight
            yield Games(*(column[rows] for column in columns))


def games_in(meetings: Meetings) -> Games:
    """Return the counts of a ledger's games by players, sides and weight."""
    codes = np.array(meetings.codes, dtype=np.int64)
    if meetings.weights:
        weights, level = np.unique(np.array(meetings.weights), return_inverse=True)
        parts = [_counted(codes[level == each]) for each in range(len(weights))]
    else:
        weights, parts = np.ones(1), [_counted(codes)]
    low, high, counts = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    weight = np.repeat(weights, [len(part[0]) for part in parts])
    known = np.ones(len(low))
    results = np.concatenate((counts[:, :HIGH_FIRST], counts[:, HIGH_FIRST:UNSIDED], counts[:, UNSIDED:]))
    played = results.any(axis=1)
    return Games(
        first=np.concatenate((low, high, low))[played],
        second=np.concatenate((high, low, high))[played],
        results=results[played].astype(np.float64),
        sided=np.concatenate((known, known, 0 * known))[played],
        weight=np.concatenate((weight, weight, weight))[played],
    )


def _counted(codes: Numbers) -> tuple[Numbers, Numbers, Counts]:
    """Count the games of each pair of players by kind: who had the first side, and the result.

    Args:
        codes: All games of one weight as integers; see `ledger.meeting_of`.

    Returns:
        Three arrays with an item for each pair: the lower player number, the higher one, and the numbers of
            the pair's games by kind.
    """
    codes, numbers = np.unique(codes, return_counts=True)
    low, high, kind = meeting_of(codes)
    is_new = np.ones(len(codes), dtype=bool)
    is_new[1:] = (codes - kind)[1:] != (codes - kind)[:-1]
    smallest = np.min_scalar_type(numbers.max(initial=0))
    counts = np.zeros((np.count_nonzero(is_new), KINDS), dtype=smallest)
    counts[np.cumsum(is_new) - 1, kind] = numbers
    return low[is_new], high[is_new], counts


class Belief(NamedTuple):
    """A prior for the rating of one player, in nats (1 nat is 173.7 Elo).

    Attributes:
        player: The player's number.
        elo: The mean, in nats.
        error: The standard deviation, in nats.
    """

    player: int
    elo: float
    error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of players, by number, and what is known about them without results.

    Attributes:
        groups: The groups of connected players.
        anchors: Fixed ratings, in nats.
        sides: Whether the advantage of the first side is an unknown. Otherwise it is 0.
        beliefs: Ratings that are given with an error.
    """

    groups: Sequence[Sequence[int]]
    anchors: Mapping[int, float]
    sides: bool
    beliefs: Sequence[Belief] = ()

    @property
    def players(self) -> int:
        return sum(map(len, self.groups))

    @property
    def fixed(self) -> NDArray[np.bool_]:
        """For each player, whether its rating is fixed."""
        is_fixed = np.zeros(self.players, dtype=bool)
        is_fixed[list(self.anchors)] = True
        return is_fixed


@dataclass(frozen=True, slots=True)
class Fit:
    """The ratings of a field, fitted to its games.

    Attributes:
        values: The ratings and, last, the advantage of the first side, in nats (1 nat is 173.7 Elo).
        covariance: The covariance of these values.
        draws: The share of draws between players of equal strength.
    """

    values: Floats
    covariance: Covariance
    draws: float


def fit(games: Games, field: Field) -> Fit:
    """Find the likeliest ratings.

    The priors aside, a player without a fixed rating is expected to score just the points that it scored.
    """
    values = np.zeros(field.players + 1)
    values[list(field.anchors)] = list(field.anchors.values())
    unit, layout = 1.0, Layout(field.groups)
    for _ in range(_ROUNDS):
        values = _climbed(games, field, layout, values, unit)
        draws = _draws_of(games, values)
        known, unit = unit, _unit(games, values, draws)
        if not field.beliefs or abs(unit - known) < _ALIKE * known:
            break
    own = _prior(field, layout, values, unit)[2]
    curvature, noise = own.plus(Bordered.empty(layout)), Bordered.empty(layout).plus(own, unit)
    _hold_groups(field, curvature)
    for block in games.blocks():
        spread, variance = _variances(block, values, draws)
        number = block.weight * block.results.sum(axis=1)
        curvature = curvature.plus(_curvature(block, layout, number * spread))
        noise = noise.plus(_curvature(block, layout, number * block.weight * variance))
    return Fit(values, curvature.between(noise, field.fixed, sides=field.sides), draws)


def climbed(
    values: Floats,
    measure: Callable[[Floats], tuple[float, Floats, C]],
    solve: Callable[[Floats, C], Floats],
    *,
    precision: float = _PRECISION,
) -> Floats:
    """Find the maximum of a concave function, by Newton's method. A step that leads down is halved.

    Args:
        values: The values at which the search begins.
        measure: Returns the function at given values, its slope, and its curvature with the sign reversed.
        solve: Returns the step for a slope and a curvature.
        precision: The search ends when no value changes by this much in a step.
    """
    height, slope, curvature = measure(values)
    for _ in range(_ROUNDS):
        step = solve(slope, curvature)
        while True:
            reached = measure(values + step)
            if reached[0] >= height - _NOISE * abs(height) or abs(step).max() < precision:
                break
            step /= 2
        values, (height, slope, curvature) = values + step, reached
        if abs(step).max() < precision:
            break
    return values


def _climbed(games: Games, field: Field, layout: Layout, values: Floats, unit: float) -> Floats:
    fixed = field.fixed
    return climbed(
        values,
        lambda values: _sum(games, field, layout, values, unit),
        lambda slope, curvature: curvature.solved(slope, fixed, sides=field.sides),
    )


def _hold_groups(field: Field, curvature: Bordered) -> None:
    """Change `curvature` so that the mean rating of each group without a given rating is fixed.

    Results do not determine this mean, so the curvature would be singular.
    """
    is_given = field.fixed
    is_given[[belief.player for belief in field.beliefs]] = True
    for members, block in curvature.layout.blocks(curvature.flat):
        block[~is_given[members].any(axis=1)] += 1 / members.shape[1]


def _sum(
    games: Games, field: Field, layout: Layout, values: Floats, unit: float
) -> tuple[float, Floats, Bordered]:
    """Return the penalized log likelihood of ratings, its slope, and its curvature with the sign reversed.

    Args:
        games: The games.
        field: The players and the priors.
        layout: The places of the curvature's entries.
        values: The ratings and then the advantage, in nats.
        unit: The weight of the beliefs, as `_unit` returns it.
    """
    size = len(values)
    height, slope, curvature = _prior(field, layout, values, unit)
    _hold_groups(field, curvature)
    for block in games.blocks():
        x, lead = _leads(block, values)
        number, points = block.weight * block.results.sum(axis=1), block.weight * (block.results @ _POINTS)
        height += float((points * x - number * np.logaddexp(0, x)).sum())
        slope += _gathered(block, size, points - number * (0.5 + lead))
        curvature = curvature.plus(_curvature(block, layout, number * (0.25 - lead * lead)))
    return height, slope, curvature


_POINTS = np.array([0, 0.5, 1])


def _leads(games: Games, values: Floats) -> tuple[Floats, Floats]:
    """Return two arrays with an item for each row of games, from the view of the first player.

    The first array has the difference of strength to the second player in nats, with the advantage of the
    first side. The second array has the expected score minus ½.
    """
    x = values[games.first] - values[games.second] + values[-1] * games.sided
    return x, np.tanh(x / 2) / 2


def sums(where: Numbers, what: Floats, size: int) -> Floats:
    """Return `size` sums: entry k is the sum of what[i] over all i with where[i] == k."""
    return np.bincount(where, what, size).astype(np.float64, copy=False)


def _gathered(games: Games, size: int, by_x: Floats) -> Floats:
    """Return the derivatives of a sum over games by each rating and, last, by the advantage.

    Args:
        games: The games in rows.
        size: The number of ratings, plus one for the advantage.
        by_x: For each row, the derivative of the row's term by the difference of strength in the game.
    """
    gathered = sums(games.first, by_x, size) - sums(games.second, by_x, size)
    gathered[-1] = (by_x * games.sided).sum()
    return gathered


def _curvature(games: Games, layout: Layout, by_xx: Floats) -> Bordered:
    """Return the curvature of a sum over games by the ratings and the advantage.

    Args:
        by_xx: For each row, the curvature of the row's term by the difference of strength in the game. The
            returned curvature has the same sign.
    """
    first, second, players = games.first, games.second, layout.players
    flat = -sums(layout.index(first, second), by_xx, layout.size)
    flat -= sums(layout.index(second, first), by_xx, layout.size)
    flat[layout.diagonal] += sums(first, by_xx, players) + sums(second, by_xx, players)
    *border, corner = _gathered(games, players + 1, by_xx * games.sided)
    return Bordered(layout, flat, np.array(border), float(corner))


def _prior(field: Field, layout: Layout, values: Floats, unit: float) -> tuple[float, Floats, Bordered]:
    """Return the prior's part of each of the three values that `_sum` returns.

    The prior is the log likelihood of virtual draws, which keep ratings finite, and of the beliefs in
    `field`.

    Args:
        values: The ratings and then the advantage, in nats.
        unit: The weight of the beliefs, as `_unit` returns it.

    Returns:
        The log likelihood, its slope, and its curvature with the sign reversed.
    """
    slope, curvature = np.zeros(len(values)), Bordered.empty(layout)
    height, slope[-1:], corner = virtual_draws(values[-1:])
    for members, block in layout.blocks(curvature.flat):
        own, length = values[members], members.shape[1]
        share, weight, stiffness = virtual_draws(own - own.mean(axis=1, keepdims=True))
        height += share
        slope[members] += weight - weight.mean(axis=1, keepdims=True)
        middle = stiffness.mean(axis=1)[:, None, None]
        block[:] -= (stiffness[:, :, None] + stiffness[:, None] - middle) / length
        block[:, range(length), range(length)] += stiffness
    for player, elo, error in field.beliefs:
        stiff = unit / (error * error)
        apart = float(values[player]) - elo
        height -= stiff * apart * apart / 2
        slope[player] -= stiff * apart
        curvature.flat[layout.diagonal[player]] += stiff
    return height, slope, curvature._replace(corner=float(corner[0]))


def virtual_draws(apart: Floats) -> tuple[float, Floats, Floats]:
    """Return the log likelihood of virtual draws that keep ratings finite.

    At each of the given differences of strength there are `_VIRTUAL` draws.

    Args:
        apart: Differences of strength, in nats.

    Returns:
        The log likelihood of all draws, its slope at each difference, and its curvature at each difference
            with the sign reversed.
    """
    lead = np.tanh(apart / 2)
    height = -float(np.logaddexp(apart / 2, -apart / 2).sum())
    return _VIRTUAL * height, -_VIRTUAL * lead / 2, _VIRTUAL * (1 - lead * lead) / 4


def drawn_share(spread: Floats, draws: float) -> Floats:
    """Return the expected share of draws in games with expected score p, by Davidson's model.

    Args:
        spread: p(1 - p) of each game.
        draws: The share of draws between equals.

    >>> drawn_share(np.array([0.25, 0.16]), 0.5).round(4).tolist()
    [0.5, 0.32]
    """
    if not draws:
        return np.zeros_like(spread)
    decided = ((1 - draws) / draws) ** 2
    drawn: Floats = 4 * spread / (1 + np.sqrt((1 - 4 * spread + 4 * spread * decided).clip(min=0)))
    return drawn


def _draws_of(games: Games, values: Floats) -> float:
    """Return the share of draws between equals for which as many draws are expected as were played."""
    drawn, number, spread = 0.0, np.zeros(_BINS + 1), np.zeros(_BINS + 1)
    for block in games.blocks():
        lead = _leads(block, values)[1]
        own, weighed = 0.25 - lead * lead, block.weight * block.results.sum(axis=1)
        bins = np.rint(4 * _BINS * own).astype(np.int64)
        number += sums(bins, weighed, _BINS + 1)
        spread += sums(bins, weighed * own, _BINS + 1)
        drawn += float(block.weight @ block.results[:, 1])
    spread /= number.clip(min=1e-300)
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS * (drawn > 0)):
        middle = (low + high) / 2
        is_more = number @ drawn_share(spread, middle) + middle > drawn
        low, high = (low, middle) if is_more else (middle, high)
    return low


def _variances(games: Games, values: Floats, draws: float) -> tuple[Floats, Floats]:
    """Return two arrays with an item for each row of games: p(1 - p) and the variance of a game's score.

    p is the expected score of the first player.

    Args:
        draws: The share of draws between equals.
    """
    lead = _leads(games, values)[1]
    spread = 0.25 - lead * lead
    return spread, (spread - drawn_share(spread, draws) / 4).clip(min=0)


def _unit(games: Games, values: Floats, draws: float) -> float:
    """Return the weight of the beliefs (ratings given with an error) beside the log likelihood of the games.

    It is the noise of the games relative to their curvature: J / A in the theory of this module.
    """
    noise = curved = 0.0
    for block in games.blocks():
        spread, variance = _variances(block, values, draws)
        number = block.weight * block.results.sum(axis=1)
        noise += float((block.weight * number) @ variance)
        curved += float(number @ spread)
    return noise / curved
