"""The joint fit of a field: everybody's strength, the advantage of the first side, how frequent draws are.

**The model** (Davidson, JASA 65, 1970, 317-328; the advantage after Davidson and Beaver, Biometrics 33,
1977). With x = rating of the first - rating of the second + advantage, in nats,

    P(won) : P(drawn) : P(lost)  =  e^(x/2) : nu : e^(-x/2)

so that a draw is worth exactly as much to the fit as half a win and half a loss: the ratings are those at
which everybody's expected points are the real ones. The log likelihood is concave in ratings, advantage and
ln nu: it has one maximum, which Newton's method finds in a few steps, and its curvature there is the
inverse of the covariance of the estimates.

**The prior** keeps everything finite and costs next to nothing with a dozen games: each player has one
virtual draw against a player of its group's average strength (a draw that says nothing about nu, which
makes it 1 / (2 cosh(z/2)) ), the advantage one between equals, and between equals half a virtual game was
drawn.

**What results cannot tell.** They compare ratings only, within each group of players connected by games. A
group without an anchor has its average at 0: along "all of the group up by the same amount" the likelihood
is flat. That direction is fixed by adding it to the curvature, and taken out of the covariance again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gyoji.stats.ledger import KINDS, PAIRS, SINGLE, SINGLE_HIGH, SINGLE_LOW, Meetings, meeting_of

Floats: TypeAlias = NDArray[np.float64]
Numbers: TypeAlias = NDArray[np.int64]
Counts: TypeAlias = NDArray[np.unsignedinteger[Any]] | Numbers

_BLOCK = 1 << 18
"""Rows of games that are looked at together: a million of them need no more memory."""

_PRECISION = 1e-9
_ROUNDS = 100
_NOISE = 1e-12
"""The share of a likelihood that may be lost in adding up a million numbers."""


@dataclass(frozen=True, slots=True)
class Games:
    """Games added up by who was first and who second.

    results  a row for each: games lost, drawn and won by the first.
    sided    1.0 where first means the side, else 0.0.
    """

    first: Numbers
    second: Numbers
    results: Floats
    sided: Floats

    def blocks(self) -> Iterator["Games"]:
        """The same, some rows at a time."""
        for start in range(0, len(self.first), _BLOCK):
            rows = slice(start, start + _BLOCK)
            yield Games(self.first[rows], self.second[rows], self.results[rows], self.sided[rows])


class Met(NamedTuple):
    """Who met whom, by number, low < high; counts has a column for each kind of meeting (see `ledger`)."""

    low: Numbers
    high: Numbers
    counts: Counts


def met_in(meetings: Meetings) -> Met:
    """The meetings of a ledger as arrays."""
    codes, numbers = np.unique(np.array(meetings.codes, dtype=np.int64), return_counts=True)
    low, high, kind = meeting_of(codes)
    is_new = np.ones(len(codes), dtype=bool)
    is_new[1:] = (codes - kind)[1:] != (codes - kind)[:-1]
    smallest = np.min_scalar_type(numbers.max(initial=0))
    counts = np.zeros((np.count_nonzero(is_new), KINDS), dtype=smallest)
    counts[np.cumsum(is_new) - 1, kind] = numbers
    return Met(low[is_new], high[is_new], counts)


def games_of(met: Met) -> Games:
    """The games of the players that met."""
    low, high, counts = met
    pairs = counts[:, :PAIRS].reshape(-1, 3, 3)
    low_first = counts[:, SINGLE_LOW : SINGLE_LOW + 3] + pairs.sum(axis=2, dtype=np.int32)
    high_first = counts[:, SINGLE_HIGH : SINGLE_HIGH + 3] + pairs.sum(axis=1, dtype=np.int32)
    known = np.ones(len(low))
    results = np.concatenate((low_first, high_first, counts[:, SINGLE:]))
    played = results.any(axis=1)
    return Games(
        first=np.concatenate((low, high, low))[played],
        second=np.concatenate((high, low, high))[played],
        results=results[played].astype(np.float64),
        sided=np.concatenate((known, known, 0 * known))[played],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """The given facts about players by number, before any result.

    groups   of players connected by games.
    anchors  ratings that are given, in nats.
    sides    whether the advantage of the first side is an unknown; otherwise it is 0.
    """

    groups: Sequence[Sequence[int]]
    anchors: Mapping[int, float]
    sides: bool


@dataclass(frozen=True, slots=True)
class Fit:
    """The most likely ratings, advantage and ln nu, in this order, in nats; and their covariance."""

    values: Floats
    covariance: Floats


def fit(games: Games, field: Field, start: Floats | None = None) -> Fit:
    """The maximum of the likelihood, sought from `start`: Newton's steps, halved while they lead down."""
    players = sum(map(len, field.groups))
    values = np.zeros(players + 2) if start is None else start.copy()
    values[list(field.anchors)] = list(field.anchors.values())
    free = _free(players, field)
    height, slope, curvature = _likelihood(games, field, values)
    for _ in range(_ROUNDS):
        step = np.zeros_like(values)
        step[free] = np.linalg.solve(curvature[np.ix_(free, free)], slope[free])
        while True:
            reached = _likelihood(games, field, values + step)
            if reached[0] >= height - _NOISE * abs(height) or abs(step).max() < _PRECISION:
                break
            step /= 2
        values, (height, slope, curvature) = values + step, reached
        if abs(step).max() < _PRECISION:
            break
    covariance = np.zeros_like(curvature)
    covariance[np.ix_(free, free)] = np.linalg.inv(curvature[np.ix_(free, free)])
    return Fit(values, covariance - _flat(players, field))


def _free(players: int, field: Field) -> Numbers:
    """The indexes of the unknowns."""
    is_free = np.ones(players + 2, dtype=bool)
    is_free[list(field.anchors)] = False
    is_free[players] = field.sides
    return np.flatnonzero(is_free)


def _flat(players: int, field: Field) -> Floats:
    """The projection on what results cannot tell: each group without an anchor, up or down as a whole."""
    flat = np.zeros((players + 2, players + 2))
    for group in field.groups:
        if not field.anchors.keys() & set(group):
            flat[np.ix_(group, group)] = 1 / len(group)
    return flat


def _likelihood(games: Games, field: Field, values: Floats) -> tuple[float, Floats, Floats]:
    """The log likelihood with the prior, its slope, and its curvature with the sign turned."""
    size = len(values)
    height, slope, curvature = 0.0, np.zeros(size), np.zeros((size, size))
    for block in games.blocks():
        own_height, own_slope, own_curvature = _of_games(block, values)
        height += own_height
        slope += own_slope
        curvature += own_curvature
    return height + _add_prior(field, values, slope, curvature), slope, curvature


def _of_games(games: Games, values: Floats) -> tuple[float, Floats, Floats]:
    """The same of some games, without the prior."""
    log_nu, number = values[-1], games.results.sum(axis=1)
    lost, drawn, won = games.results.T
    x = values[games.first] - values[games.second] + values[-2] * games.sided
    log_sum = np.logaddexp(np.logaddexp(x / 2, -x / 2), log_nu)
    draws = np.exp(log_nu - log_sum)
    lead = (np.exp(x / 2 - log_sum) - np.exp(-x / 2 - log_sum)) / 2
    height = float(((won - lost) * x / 2 + drawn * log_nu - number * log_sum).sum())

    slope = _gathered(games, len(values), (won - lost) / 2 - number * lead)
    slope[-1] = (drawn - number * draws).sum()
    curvature = _curvature(games, len(values), number * ((1 - draws) / 4 - lead * lead))
    curvature[-1] = curvature[:, -1] = _gathered(games, len(values), -number * draws * lead)
    curvature[-1, -1] = (number * draws * (1 - draws)).sum()
    return height, slope, curvature


def sums(where: Numbers, what: Floats, size: int) -> Floats:
    """`what`, added up for each number in `where` up to `size`."""
    return np.bincount(where, what, size).astype(np.float64, copy=False)


def _gathered(games: Games, size: int, by_x: Floats) -> Floats:
    """Derivatives by ratings and advantage, given those by the x of each row of games; the last is left 0."""
    gathered = sums(games.first, by_x, size) - sums(games.second, by_x, size)
    gathered[-2] = (by_x * games.sided).sum()
    return gathered


def _curvature(games: Games, size: int, by_xx: Floats) -> Floats:
    """Second derivatives by ratings and advantage, given those by x; the last row and column are left 0."""
    met = sums(games.first * size + games.second, by_xx, size * size).reshape(size, size)
    curvature = np.diag(met.sum(axis=0) + met.sum(axis=1)) - met - met.T
    curvature[-2] = curvature[:, -2] = _gathered(games, size, by_xx * games.sided)
    return curvature


def _add_prior(field: Field, values: Floats, slope: Floats, curvature: Floats) -> float:
    """Add the prior, and what fixes the flat directions, to slope and curvature; its height."""
    height = 0.0
    for group in field.groups:
        where = np.ix_(group, group)
        share, weight, stiffness = _virtual_draws(values[group] - values[group].mean())
        height += share
        slope[group] += weight - weight.mean()
        curvature[where] += np.diag(stiffness) - (stiffness[:, None] + stiffness - stiffness.mean()) / len(
            group
        )
    share, weight, stiffness = _virtual_draws(values[-2:-1])
    log_nu = values[-1]
    level = 1 / (1 + 2 * np.exp(-log_nu))
    slope[-2:] += weight[0], 0.5 - level
    curvature[-2:, -2:] += np.diag((stiffness[0], level * (1 - level)))
    curvature += _flat(len(values) - 2, field)
    return float(height + share + log_nu / 2 - np.logaddexp(np.log(2), log_nu))


def _virtual_draws(apart: Floats) -> tuple[float, Floats, Floats]:
    """The log likelihood of a draw, nu left aside, at each of these differences: height, slope, curvature."""
    lead = np.tanh(apart / 2)
    return -float(np.logaddexp(apart / 2, -apart / 2).sum()), -lead / 2, (1 - lead * lead) / 4
