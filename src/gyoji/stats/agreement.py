"""Whether the places where games were played agree: a chi-square test of what came of the games.

Games are compared with games of their kind (the same players on the same sides): where hosts do not matter,
each host has a sample of each kind, drawn without putting back. From that follow the mean and the variance of
what a host has, exactly, however few games of a kind there are; the sums over all kinds are what the test is
of. That is the statistic of Cochran, Mantel and Haenszel for means (J. R. Landis and others, A review of
Mantel-Haenszel tests, 1978, "mean score differences").
"""

from collections.abc import Hashable, Iterator, Mapping
from math import exp, lgamma, log
from typing import NamedTuple

from msgspec import Struct, field

_SMALL = 1e-12
_MOST_TERMS = 10_000


class Off(NamedTuple):
    """A host: by how much its sum is off that of a sample, and in standard deviations; None: it has none."""

    amount: float
    deviations: float | None


class Agreement(NamedTuple):
    """The test. chance: that samples differ by so much or more; hosts: how far each is off."""

    chi_square: float
    freedom: int
    chance: float
    hosts: Mapping[str, Off]

    @property
    def farthest(self) -> str:
        """The host that is off by most deviations."""
        return max(self.hosts, key=lambda host: abs(self.hosts[host].deviations or 0.0))


class _Kind(Struct):
    """The games of a kind. sums, games: by host; squares: of all."""

    games: dict[str, int] = field(default_factory=dict)
    sums: dict[str, float] = field(default_factory=dict)
    squares: float = 0.0

    def add(self, host: str, value: float) -> None:
        self.games[host] = self.games.get(host, 0) + 1
        self.sums[host] = self.sums.get(host, 0.0) + value
        self.squares += value * value

    def sampled(self) -> "_Sampled | None":
        """The result for samples; None if there is nothing to be compared."""
        total = sum(self.games.values())
        mean = sum(self.sums.values()) / total
        variance = (self.squares - total * mean * mean) / max(total - 1, 1)
        if len(self.games) < 2 or variance < _SMALL:
            return None
        offs = {host: self.sums[host] - games * mean for host, games in self.games.items()}
        return _Sampled(self.games, total, variance, offs)


class _Sampled(NamedTuple):
    games: Mapping[str, int]
    total: int
    variance: float
    offs: Mapping[str, float]


class Samples:
    """A fold over games: a number that came of each, by its kind and host."""

    def __init__(self) -> None:
        self._kinds: dict[Hashable, _Kind] = {}

    def add(self, kind: Hashable, host: str, value: float) -> None:
        """Count a game."""
        if (found := self._kinds.get(kind)) is None:
            found = self._kinds[kind] = _Kind()
        found.add(host, value)

    def test(self) -> Agreement | None:
        """The test of all games; None if no two hosts can be compared."""
        kinds = [sampled for kind in self._kinds.values() if (sampled := kind.sampled())]
        offs: dict[str, float] = {}
        variances: dict[str, float] = {}
        for kind in kinds:
            for host, games in kind.games.items():
                offs[host] = offs.get(host, 0.0) + kind.offs[host]
                variance = kind.variance * games * (1 - games / kind.total)
                variances[host] = variances.get(host, 0.0) + variance
        freedom = len(offs) - _groups(kinds)
        if freedom < 1:
            return None
        solved = _solved(kinds, offs, variances)
        chi_square = sum(off * solved[host] for host, off in offs.items())
        hosts = {host: Off(offs[host], offs[host] / variances[host] ** 0.5) for host in sorted(offs)}
        return Agreement(chi_square, freedom, chi_square_tail(chi_square, freedom), hosts)


def _groups(kinds: list[_Sampled]) -> int:
    """How many groups of hosts there are of which none has a kind in common with another."""
    leader: dict[str, str] = {}

    def find(host: str) -> str:
        while leader.setdefault(host, host) != host:
            leader[host] = host = leader[leader[host]]
        return host

    for kind in kinds:
        first, *others = kind.games
        for other in others:
            leader[find(other)] = find(first)
    return len({find(host) for host in list(leader)})


def _times(kinds: list[_Sampled], vector: Mapping[str, float]) -> dict[str, float]:
    """The covariances of the hosts' sums, times a vector."""
    product = dict.fromkeys(vector, 0.0)
    for kind in kinds:
        mean = sum(games * vector[host] for host, games in kind.games.items()) / kind.total
        for host, games in kind.games.items():
            product[host] += kind.variance * games * (vector[host] - mean)
    return product


def _solved(
    kinds: list[_Sampled], wanted: Mapping[str, float], scale: Mapping[str, float]
) -> Mapping[str, float]:
    """The vector that the covariances make what is wanted, by conjugate gradients."""
    solution, rest = dict.fromkeys(wanted, 0.0), dict(wanted)
    scaled = {host: each / scale[host] for host, each in rest.items()}
    direction, size = scaled, _dot(rest, scaled)
    least = size * _SMALL
    for _ in range(4 * len(wanted)):
        if size <= least:
            break
        product = _times(kinds, direction)
        curvature = _dot(direction, product)
        if curvature <= _SMALL * sum(scale[host] * each * each for host, each in direction.items()):
            break  # what is left is no more than rounding
        step = size / curvature
        for host in solution:
            solution[host] += step * direction[host]
            rest[host] -= step * product[host]
        scaled = {host: each / scale[host] for host, each in rest.items()}
        before, size = size, _dot(rest, scaled)
        direction = {host: scaled[host] + size / before * direction[host] for host in scaled}
    return solution


def _dot(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return sum(each * other[host] for host, each in one.items())


def chi_square_tail(value: float, freedom: int) -> float:
    """The chance that chi-square with so many degrees of freedom is so large or larger.

    >>> round(chi_square_tail(3.841459, 1), 6), round(chi_square_tail(18.307038, 10), 6)
    (0.05, 0.05)
    """
    half, shape = value / 2, freedom / 2
    if half <= 0:
        return 1.0
    front = exp(shape * log(half) - half - lgamma(shape))
    if half < shape + 1:
        return max(1 - front * _series(half, shape), 0.0)
    return front * _fraction(half, shape)


def _series(x: float, shape: float) -> float:
    """The lower incomplete gamma function, without its front."""
    total = term = 1 / shape
    for number in range(1, _MOST_TERMS):
        term *= x / (shape + number)
        total += term
        if term < total * _SMALL:
            break
    return total


def _fraction(x: float, shape: float) -> float:
    """The upper one, as a continued fraction (Lentz)."""
    b = x + 1 - shape
    c, d = 1 / _SMALL, 1 / b
    result = d
    for number, factor in _factors(shape):
        b += 2
        d = 1 / (factor * d + b or _SMALL)
        c = b + factor / c or _SMALL
        result *= d * c
        if abs(d * c - 1) < _SMALL or number > _MOST_TERMS:
            break
    return result


def _factors(shape: float) -> Iterator[tuple[int, float]]:
    number = 1
    while True:
        yield number, -number * (number - shape)
        number += 1
