"""Generations of candidates: all play their games, and the next generation is made from the scores.

No game of a generation is issued before the one before it is complete. So a stored result of a later
generation means that the earlier ones were complete, and they are taken as they are: a larger batch
changes the generation in play and those after it.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult
from gyoji.core.text import quote
from gyoji.pairing.schedule import Schedule
from gyoji.tuning.observations import Point


class Learner(Protocol):
    """A source of generations."""

    def draw(self, generation: int) -> Sequence[Point]:
        """Return the points of a generation's candidates. All earlier generations have been learned from."""

    def learn(self, generation: int, candidates: Sequence["Scored"]) -> None:
        """Learn from a generation that is over. Candidates come in their order."""


class Scored(NamedTuple):
    """A candidate that has played.

    Attributes:
        score: Its points in all games.
        games: The number of its games.
    """

    number: int
    point: Point
    score: float
    games: int


class GameName(NamedTuple):
    """A game by its generation, candidate and round, all from 0.

    >>> GameName(0, 12, 3).id, GameName(0, 12, 3).code
    ('g0#12r3', 'g0#12')
    """

    generation: int
    candidate: int
    round: int

    @property
    def code(self) -> str:
        """The code of the candidate."""
        return f"g{self.generation}#{self.candidate}"

    @property
    def id(self) -> str:
        return f"{self.code}r{self.round}"

    @classmethod
    def of(cls, result: GameResult) -> "GameName":
        """Return the name of a stored game.

        Raises:
            ConfigError: Its id is no such name.
        """
        generation, _, rest = result.id.removeprefix("g").partition("#")
        candidate, _, round_ = rest.partition("r")
        numbers = [int(word) for word in (generation, candidate, round_) if word.isascii() and word.isdigit()]
        if len(numbers) != len(cls._fields) or cls(*numbers).id != result.id:
            raise ConfigError(
                f"stored game {quote(result.id)} is not a game of a generation: expected g0#0r0"
            )
        return cls(*numbers)


class _Generation:
    """One generation: where its candidates stand, what they have scored, and its schedule."""

    def __init__(self, points: Sequence[Point], batch: int, block: int) -> None:
        self.points = list(points)
        self.scores: list[float] = [0] * len(points)
        self.games = [0] * len(points)
        self._batch = batch
        self._lacking = len(points) * batch
        self.schedule = Schedule([batch] * len(points), [block] * len(points))

    # The record says where the candidate stood, also if it was drawn with other settings than the present
    # ones.
    def add(self, name: GameName, point: Point, score: float) -> None:
        """Count a result, once. The point of the record replaces the drawn one."""
        if self.schedule.finish(name.candidate, name.round):
            self.points[name.candidate] = point
            self.scores[name.candidate] += score
            self.games[name.candidate] += 1
            self._lacking -= name.round < self._batch

    @property
    def is_over(self) -> bool:
        return self._lacking == 0


class Generations:
    """The generations as far as they have been played.

    Attributes:
        number: The number of the generation in play, or of the next one after the end.
        limit: How many generations there are to be.
    """

    def __init__(self, learner: Learner, *, limit: int, batch: int, block: int) -> None:
        self.number = 0
        self.limit = limit
        self._learner = learner
        self._batch = batch
        self._block = block
        self._current = self._drawn()

    # A result of a later generation closes the earlier ones even if games seem to be missing: the batch may
    # have been raised since, and it was complete when the later game was issued.
    def add(self, name: GameName, point: Point, score: float) -> None:
        """Count a result.

        Raises:
            ConfigError: Its generation has no such candidate.
        """
        while self.number < min(name.generation, self.limit):
            self._close()
        if name.generation != self.number or self.is_over:
            return  # too late to be learned from, or of a generation that there is not to be any more
        if name.candidate >= len(self._current.points):
            raise ConfigError(
                f"stored game {name.id} is of a candidate that generation {name.generation} does not have: "
                "give generations the size that they had, or reset the competition"
            )
        self._current.add(name, point, score)
        if self._current.is_over:
            self._close()

    def next(self) -> tuple[GameName, Point] | None:
        """Issue the next game and return it with its candidate's point, None if there is none now."""
        if self.is_over:
            return None
        found = self._current.schedule.next()
        if found is None:
            return None
        return GameName(self.number, *found), self._current.points[found[0]]

    @property
    def is_over(self) -> bool:
        """Whether no generation is left to play."""
        return self.number >= self.limit

    @property
    def remaining(self) -> int:
        """The number of games still to be issued, later generations included."""
        if self.is_over:
            return 0
        later = (self.limit - self.number - 1) * len(self._current.points) * self._batch
        return later + (self._current.schedule.remaining or 0)

    @property
    def last(self) -> list[Scored]:
        """The candidates of the generation in play; after the end, of the last one."""
        current = self._current
        rows = zip(current.points, current.scores, current.games, strict=True)
        return [Scored(number, *row) for number, row in enumerate(rows)]

    def _close(self) -> None:
        """Learn from the generation, and draw the next one if there is to be one."""
        self._learner.learn(self.number, [each for each in self.last if each.games])
        self.number += 1
        if not self.is_over:
            self._current = self._drawn()

    def _drawn(self) -> _Generation:
        return _Generation(self._learner.draw(self.number), self._batch, self._block)
