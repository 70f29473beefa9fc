"""The order of play of candidates, the text form of points, and random draws.

Games are numbered from 0, and each candidate has a block of them. The pairing id of a candidate's games is
its point as text, without loss.

>>> format_point((0.1, -3.0)), parse_point("0.1,-3.0")
('0.1,-3.0', (0.1, -3.0))

A random draw is a function of the competition's seed and the draw's purpose, and does not depend on earlier
draws. So a resumed tuner makes the same draws.

>>> uniform(7, "first") == uniform(7, "first") != uniform(7, "second")
True
"""

from collections.abc import Callable, Sequence
from math import isfinite
from statistics import NormalDist
from typing import Generic, NamedTuple, TypeVar

from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult
from gyoji.core.spec import derive_seed
from gyoji.core.text import counted, quote
from gyoji.pairing.schedule import Schedule

_STANDARD = NormalDist()


def uniform(*parts: object) -> float:
    """Return a random number between 0 and 1, excluding both. Equal `parts` give equal numbers."""
    return ((derive_seed(*parts) >> 11) + 0.5) / 2**52


def normal(*parts: object) -> float:
    """Return a standard normal random number. Equal `parts` give equal numbers."""
    return _STANDARD.inv_cdf(uniform(*parts))


def pick(count: int, *parts: object) -> int:
    """Return a random whole number from 0 to `count` - 1. Equal `parts` give equal numbers."""
    return derive_seed(*parts) % count


T = TypeVar("T")


class NextGame(NamedTuple, Generic[T]):
    """The next game of a tuner.

    Attributes:
        number: The number of the game.
        candidate: The number of its candidate.
        chosen: The candidate.
    """

    number: int
    candidate: int
    chosen: T


class Series(Generic[T]):
    """The games of a tuner that numbers them from 0: which are issued, and which candidates play them.

    Each candidate plays a block of consecutive games. A candidate is of type `T`: a point, or two points that
    play each other.

    Attributes:
        played: The number of games with a result.
    """

    def __init__(self, limit: int | None, block: int) -> None:
        """Begin without games.

        Args:
            limit: The number of games to issue, None for no limit.
            block: The number of games of each candidate.
        """
        self.played = 0
        self._block = block
        self._schedule = Schedule([limit], [1])
        # For each candidate whose block is not finished: (the candidate, number of its games without a
        # result)
        self._open: dict[int, tuple[T, int]] = {}

    def add(self, number: int, chosen: T) -> bool:
        """Count the result of game `number`, which the candidate `chosen` played.

        Return False, and do nothing, if the game had a result before.
        """
        if not self._schedule.finish(0, number):
            return False
        self.played += 1
        candidate = number // self._block
        left = self._open[candidate][1] if candidate in self._open else self._block
        self._open[candidate] = chosen, left - 1
        if left == 1:
            del self._open[candidate]
        return True

    def next(self, choose: Callable[[int], T]) -> NextGame[T] | None:
        """Issue the next game, or return None if there is none.

        Args:
            choose: Makes a candidate from its number, when a block begins.
        """
        found = self._schedule.next()
        if found is None:
            return None
        candidate = found[1] // self._block
        if candidate not in self._open:
            self._open[candidate] = choose(candidate), self._block
        return NextGame(found[1], candidate, self._open[candidate][0])

    @property
    def remaining(self) -> int | None:
        """Number of games still to be issued; None if the series is endless."""
        return self._schedule.remaining


def format_point(point: Sequence[float]) -> str:
    return ",".join(repr(float(coordinate)) for coordinate in point)


def parse_point(text: str) -> tuple[float, ...]:
    """Parse a point as written by `format_point`.

    Raises:
        ValueError: The text is no point.
    """
    point = tuple(map(float, text.split(",")))
    if not all(map(isfinite, point)):
        raise ValueError(f"{quote(text)} is no point")
    return point


def recorded_points(result: GameResult, dimensions: int, count: int) -> list[tuple[float, ...]]:
    """Return the points of a stored game's candidates, read from the id of its pairing.

    Args:
        dimensions: The number of parameters.
        count: The number of candidates.

    Raises:
        ConfigError: The id is not a list of points, has another number of them, or has a point with another
            number of parameters.
    """
    try:
        points = [parse_point(text) for text in result.pairing.split(";")]
    except ValueError:
        points = []
    if [len(point) for point in points] != [dimensions] * count:
        raise ConfigError(
            f"stored game {quote(result.id)} was played at {quote(result.pairing)}: expected "
            f"{counted(count, 'point')} of {counted(dimensions, 'parameter')}: give parameters and opponent "
            "as they were, or reset the competition"
        )
    return points


def recorded_number(result: GameResult) -> int:
    """Return the number of a stored game whose id is a number.

    Raises:
        ConfigError: The id is something else.
    """
    if not (result.id.isascii() and result.id.isdigit()):
        raise ConfigError(f"stored game {quote(result.id)} is not a game of this tuner")
    return int(result.id)
