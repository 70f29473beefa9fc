"""Where a run gets its games from: its competition, and void games that are to be played again.

A competition may be replaced by what its control file says by now. The new one does not know of the games
that are being played: they are left out when it issues them.
"""

from collections.abc import Mapping

from gyoji.core.ports import Competition
from gyoji.core.record import GameResult
from gyoji.core.spec import GameSpec
from gyoji.scheduler.attempts import Attempts
from gyoji.scheduler.reload import unpadded


class Supply:
    """The games of one run, each issued once. max_games: how many at most; None: no limit.

    competition: the one that is played now.
    """

    def __init__(self, competition: Competition, max_games: int | None) -> None:
        self.competition = competition
        self._left = max_games
        self._attempts = Attempts()
        self._overlap: dict[str, bool] = {}  # by unpadded id, games being played that may be issued again

    def next(self) -> GameSpec | None:
        """The game to start now: one that was void before a new one."""
        if again := self._attempts.next():
            return again
        if self._left == 0:
            return None
        spec = self._fresh()
        if spec is not None:
            self._attempts.issue(spec)
            if self._left is not None:
                self._left -= 1
        return spec

    def _fresh(self) -> GameSpec | None:
        """The next game of the competition that is not being played already."""
        while (spec := self.competition.next_game()) is not None:
            if not self._overlap or self._overlap.pop(unpadded(spec.id), None) is None:
                return spec
        return None

    def fail(self, spec: GameSpec, *, by_death: bool) -> int:
        """A game came to nothing and will be played again; the how-manieth time it was, from 1."""
        return self._attempts.fail(spec, by_death=by_death)

    def is_hopeless(self, game_id: str) -> bool:
        """Whether the run should halt because of this game."""
        return self._attempts.is_hopeless(game_id)

    def settle(self, game_id: str) -> None:
        """A game is finished."""
        self._attempts.settle(game_id)

    def add(self, result: GameResult) -> None:
        """A finished game is stored: now it counts."""
        self._overlap.pop(unpadded(result.id), None)
        self.competition.add(result)

    def replace(self, competition: Competition, overlap: Mapping[str, bool]) -> None:
        """Another competition is played from now on, in which everything that is stored has been counted.

        overlap: the games being played by their unpadded ids, and whether they are among those that it has
        remaining.
        """
        self.competition = competition
        self._overlap = dict(overlap)
        withdrawn = self._attempts.withdraw()
        if self._left is not None:
            self._left += withdrawn

    @property
    def remaining(self) -> int | None:
        """How many games are still to be issued; None for endless."""
        remaining = self.competition.remaining()
        return None if remaining is None else remaining - sum(self._overlap.values())

    @property
    def waiting(self) -> int:
        """How many games wait to be played again."""
        return self._attempts.waiting

    @property
    def is_cut_off(self) -> bool:
        """Whether the limit of this run is reached, and there would be more."""
        return self._left == 0 and self.remaining != 0
