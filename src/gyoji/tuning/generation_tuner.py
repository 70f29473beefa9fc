"""A tuner that works by generations, whatever it learns from them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
from gyoji.tuning.games import CandidateGames, score
from gyoji.tuning.generations import GameName, Generations, Learner
from gyoji.tuning.parameters import Valued
from gyoji.tuning.points import format_point, recorded_point

L = TypeVar("L", bound=Learner)


class GenerationTuner(Generic[L]):
    """Generations as far as they have been played. See `gyoji.core.ports.Competition`.

    learner      what generations are drawn from, and learned by.
    generations  who plays, and what they have scored.
    """

    adapts = True

    def __init__(
        self, setup: CompetitionSetup, learner: L, parameters: Sequence[Valued], *, limit: int, batch: int
    ) -> None:
        """limit: how many generations there are to be. batch: games of each candidate."""
        self.setup = setup
        self.learner = learner
        self.parameters = parameters
        self.generations = Generations(learner, limit=limit, batch=batch, block=setup.settings.block)
        self._games = CandidateGames(setup, parameters, self.generations.last[0].point)

    @property
    def engines(self) -> Mapping[str, EngineReport]:
        """What the opponent's engine said of itself in its last game."""
        return self._games.engines

    def add(self, result: GameResult) -> None:
        """Count a finished game, once. Raises ConfigError for one that is none of this tuner's."""
        name = GameName.of(result)
        point = recorded_point(result, len(self.parameters))
        self.generations.add(name, point, score(result))
        self._games.add(result)

    def next_game(self) -> GameSpec | None:
        """The next game of the generation; None while its last games are played, and after the last one."""
        found = self.generations.next()
        if found is None:
            return None
        name, point = found
        return self._games.spec(name.id, format_point(point), name.code, point, name.round)

    def remaining(self) -> int:
        """How many games are still to be issued, those of later generations included."""
        return self.generations.remaining

    def checks(self) -> Iterator[GameSpec]:
        """A game for the first candidate, and for the other players."""
        return self._games.checks()

    def describe(self, point: Sequence[float]) -> str:
        """A point as reports show it: by what the engine is given there."""
        return self._games.describe(point)
