"""Generations of candidates: each plays its games, and the next generation is made of the scores.

Nothing of a generation is issued before the one before it is complete. So a result of a later generation says
that the earlier ones were complete when they were played, and they are taken as they are: to ask for more
games of each candidate changes the running generation and those after it, none that is over.
"""

from collections.abc import Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
from gyoji.core.text import quote
from gyoji.pairing.schedule import Schedule
from gyoji.tuning.games import CandidateTuner, OpponentSettings, score
from gyoji.tuning.observations import Point
from gyoji.tuning.parameters import Valued
from gyoji.tuning.series import format_point, recorded_point


class Learner(Protocol):
    """A maker of generations."""

    @property
    def trail(self) -> Sequence[Point]:
        """The middle of each generation from the first to the one that is played, or would be."""

    def draw(self, generation: int) -> Sequence[Point]:
        """The points of the candidates of a generation; all before it have been learned from."""

    def learn(self, generation: int, candidates: Sequence["Scored"]) -> None:
        """Learn from a generation that is over, in the order of its candidates."""


class Scored(NamedTuple):
    """A candidate that has played. games: how many; score: points in all of them."""

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
        """The name of a stored game. Raises ConfigError for an id that is none."""
        generation, _, rest = result.id.removeprefix("g").partition("#")
        candidate, _, round_ = rest.partition("r")
        numbers = [int(word) for word in (generation, candidate, round_) if word.isascii() and word.isdigit()]
        if len(numbers) != len(cls._fields) or cls(*numbers).id != result.id:
            raise ConfigError(
                f"stored game {quote(result.id)} is not a game of a generation: expected g0#0r0"
            )
        return cls(*numbers)


class _Generation:
    """One generation: where its candidates stand, what they have scored, what is still to be issued."""

    def __init__(self, points: Sequence[Point], batch: int, block: int) -> None:
        self.points = list(points)
        self.scores: list[float] = [0] * len(points)
        self.games = [0] * len(points)
        self._batch = batch
        self._lacking = len(points) * batch
        self.schedule = Schedule([batch] * len(points), [block] * len(points))

    def add(self, name: GameName, point: Point, score: float) -> None:
        """Count a result, once; the records know best where the candidate stands."""
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

    number      of the one that is played, or that would be next when all are over.
    limit       how many there are to be.   batch: games of each candidate.   block: how many of them are
                issued one after the other.
    last        the candidates of the generation that is played; when all are over, of the last one.
    """

    def __init__(self, learner: Learner, *, limit: int, batch: int, block: int) -> None:
        self.number = 0
        self.limit = limit
        self._learner = learner
        self._batch = batch
        self._block = block
        self._current = self._drawn()

    def add(self, name: GameName, point: Point, score: float) -> None:
        """Count a result. Raises ConfigError for a candidate that its generation cannot have."""
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
        """The next game and its candidate's point; None if there is none now."""
        if self.is_over:
            return None
        found = self._current.schedule.next()
        if found is None:
            return None
        return GameName(self.number, *found), self._current.points[found[0]]

    @property
    def is_over(self) -> bool:
        """Whether there is no generation left to play."""
        return self.number >= self.limit

    @property
    def remaining(self) -> int:
        """How many games are still to be issued, those of later generations included."""
        if self.is_over:
            return 0
        later = (self.limit - self.number - 1) * len(self._current.points) * self._batch
        return later + (self._current.schedule.remaining or 0)

    @property
    def last(self) -> list[Scored]:
        current = self._current
        rows = zip(current.points, current.scores, current.games, strict=True)
        return [Scored(number, *row) for number, row in enumerate(rows)]

    def _close(self) -> None:
        """The generation is over: learn from it, and draw the next one if there is to be one."""
        self._learner.learn(self.number, [each for each in self.last if each.games])
        self.number += 1
        if not self.is_over:
            self._current = self._drawn()

    def _drawn(self) -> _Generation:
        return _Generation(self._learner.draw(self.number), self._batch, self._block)


L = TypeVar("L", bound=Learner)


class GenerationTuner(CandidateTuner, Generic[L]):
    """Generations as far as they have been played. See `gyoji.core.ports.Competition`.

    learner      what generations are drawn from, and learned by.
    generations  who plays, and what they have scored.
    """

    def __init__(
        self, setup: CompetitionSetup, learner: L, parameters: Sequence[Valued], *, limit: int, batch: int
    ) -> None:
        """limit: how many generations there are to be. batch: games of each candidate."""
        self.learner = learner
        self.generations = Generations(
            learner, limit=limit, batch=batch, block=setup.settings_as(OpponentSettings).block
        )
        super().__init__(setup, parameters, self.generations.last[0].point)

    @property
    def best(self) -> Point:
        """The middle of the generation that is played, or would be."""
        return self.learner.trail[-1]

    @property
    def start(self) -> Point:
        return self.learner.trail[0]

    def where(self, result: GameResult) -> tuple[Point, None]:
        """Where the candidate of a game stands. Raises ConfigError."""
        return recorded_point(result, len(self.parameters)), None

    def add(self, result: GameResult) -> None:
        """Count a finished game, once. Raises ConfigError for one that is none of this tuner's."""
        name, (point, _) = GameName.of(result), self.where(result)
        self.generations.add(name, point, score(result))
        self._note_engine(result)

    def next_game(self) -> GameSpec | None:
        """The next game of the generation; None while its last games are played, and after the last one."""
        found = self.generations.next()
        if found is None:
            return None
        name, point = found
        return self._spec(name.id, format_point(point), name.code, point, name.round)

    def remaining(self) -> int:
        return self.generations.remaining
