"""The order of play where one candidate comes after the other, the points they stand at, and chance.

Games are numbered from 0; each candidate has a block of them. Which comes next only its tuner knows, and what
a candidate is to it. Where it is a point, the pairing of a game says it as text, exactly.

>>> format_point((0.1, -3.0)), parse_point("0.1,-3.0")
('0.1,-3.0', (0.1, -3.0))

Chance is a function: a draw depends on what it is for, and on nothing that was drawn before. Its parts are
the competition's seed and whatever names the draw, so that a resumed tuner goes on as it would have gone on.

>>> uniform(7, "first") == uniform(7, "first") != uniform(7, "second")
True
"""

from collections.abc import Sequence
from math import isfinite
from statistics import NormalDist
from typing import Generic, NamedTuple, TypeVar

from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult
from gyoji.core.spec import derive_seed
from gyoji.core.text import quote
from gyoji.pairing.schedule import Schedule

_STANDARD = NormalDist()


def uniform(*parts: object) -> float:
    """A number between 0 and 1, neither of them."""
    return ((derive_seed(*parts) >> 11) + 0.5) / 2**52


def normal(*parts: object) -> float:
    """A number of the standard normal distribution."""
    return _STANDARD.inv_cdf(uniform(*parts))


def pick(count: int, *parts: object) -> int:
    """A whole number from 0, less than `count`."""
    return derive_seed(*parts) % count


T = TypeVar("T")


class NextGame(NamedTuple, Generic[T]):
    """The next game. candidate: its number; chosen: what it is, None if that is still to be chosen."""

    number: int
    candidate: int
    chosen: T | None


class Series(Generic[T]):
    """Which games are taken, and what the candidates are whose block is not finished.

    limit: how many games there are to be, None for endless. block: games of each candidate.
    """

    def __init__(self, limit: int | None, block: int) -> None:
        self.played = 0
        self._block = block
        self._schedule = Schedule([limit], [1])
        self._open: dict[int, tuple[T, int]] = {}  # what it is, and games without a result, by candidate

    def add(self, number: int, chosen: T) -> bool:
        """Count a result of a candidate; whether this game had none."""
        if not self._schedule.finish(0, number):
            return False
        self.played += 1
        candidate = number // self._block
        left = self._open[candidate][1] if candidate in self._open else self._block
        self._open[candidate] = chosen, left - 1
        if left == 1:
            del self._open[candidate]
        return True

    def next(self) -> NextGame[T] | None:
        """The next game, which is taken then; None if there is none."""
        found = self._schedule.next()
        if found is None:
            return None
        candidate = found[1] // self._block
        known = self._open.get(candidate)
        return NextGame(found[1], candidate, known[0] if known else None)

    def choose(self, candidate: int, chosen: T) -> None:
        """Note which candidate was chosen."""
        self._open[candidate] = chosen, self._block

    @property
    def remaining(self) -> int | None:
        """How many games are still to be issued; None when it is endless."""
        return self._schedule.remaining


def format_point(point: Sequence[float]) -> str:
    return ",".join(repr(float(coordinate)) for coordinate in point)


def parse_point(text: str) -> tuple[float, ...]:
    """The point that `format_point` wrote. Raises ValueError."""
    point = tuple(map(float, text.split(",")))
    if not all(map(isfinite, point)):
        raise ValueError(f"{quote(text)} is no point")
    return point


def recorded_point(result: GameResult, dimensions: int) -> tuple[float, ...]:
    """Where the candidate of a stored game stands. Raises ConfigError for what is no such point."""
    try:
        point = parse_point(result.pairing)
    except ValueError:
        point = ()
    if len(point) != dimensions:
        raise ConfigError(
            f"stored game {quote(result.id)} was played at {quote(result.pairing)}, which is no point of "
            f"{dimensions} parameter{'s' * (dimensions != 1)}: give the parameters as they were, "
            "or reset the competition"
        )
    return point


def recorded_number(result: GameResult) -> int:
    """The number of a stored game whose id is nothing else. Raises ConfigError for another id."""
    if not (result.id.isascii() and result.id.isdigit()):
        raise ConfigError(f"stored game {quote(result.id)} is not a game of this tuner")
    return int(result.id)
