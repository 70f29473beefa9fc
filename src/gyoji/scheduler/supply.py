"""Where a run gets its games from: its competition, and void games that are to be played again.

A competition says which games there are, in an order of its own; which of them is started when depends on
what they need (`gyoji.scheduler.line`) as well.

A competition may be replaced by what its control file says by now. The new one does not know of the games
that are being played: they are left out when it issues them.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from gyoji.core.ports import Competition
from gyoji.core.record import GameResult
from gyoji.core.spec import GameSpec
from gyoji.scheduler.attempts import Attempts
from gyoji.scheduler.line import Line
from gyoji.scheduler.reload import unpadded

LOOKAHEAD = 1000
"""How many games are issued at most that cannot start yet, in search of one that can. Of a competition that
adapts one: who plays in the others is to be decided by what is known when they can."""


class Supply:
    """The games of one run, each issued once.

    competition  the one that is played now.
    max_games    how many at most; None: no limit.
    there_is     how much of each resource, for `Line`.
    rename       gives a game that the competition has issued an id that no other game has.
    agreeing     players that do not play the clean-up phases: games with them are scored by the players.
    """

    def __init__(
        self,
        competition: Competition,
        *,
        max_games: int | None = None,
        there_is: Mapping[str, int],
        rename: Callable[[GameSpec], GameSpec] = lambda spec: spec,
        agreeing: Collection[str] = (),
    ) -> None:
        self.competition = competition
        self._agreeing = frozenset(agreeing)
        self._left = max_games
        self._rename = rename
        self._line = Line(there_is)
        self._attempts = Attempts()
        self._overlap: dict[str, bool] = {}  # by unpadded id, games being played that may be issued again

    def next(self) -> GameSpec | None:
        """The game to start now: of those that can the one that was issued first. Raises `Misfit`."""
        most = 1 if getattr(self.competition, "adapts", False) else LOOKAHEAD
        while (spec := self._line.take()) is None:
            if len(self._line) >= most or not self._issue():
                return None
        return spec

    def _issue(self) -> bool:
        """Have the competition's next game join the line; whether there is one."""
        if self._left == 0 or (spec := self._fresh()) is None:
            return False
        self._line.put(self._attempts.issue(spec), spec)
        if self._left is not None:
            self._left -= 1
        return True

    def _fresh(self) -> GameSpec | None:
        """The next game of the competition that is not being played already."""
        while (spec := self.competition.next_game()) is not None:
            if not self._overlap or self._overlap.pop(unpadded(spec.id), None) is None:
                return self._rename(self._scored_by_players(spec))
        return None

    def _scored_by_players(self, spec: GameSpec) -> GameSpec:
        """The game, with the players for a scorer if it is one of those that the setting speaks of."""
        is_meant = spec.scorer == "internal" and spec.without_cleanup == "players"
        if is_meant and any(player.code in self._agreeing for player in spec.players):
            return replace(spec, scorer="players", asks_instead=True)
        return spec

    def fail(self, spec: GameSpec, *, by_death: bool) -> int:
        """A game came to nothing and will be played again; the how-manieth time it was, from 1."""
        number = self._attempts.fail(spec.id, by_death=by_death)
        self._line.release(spec.id)
        self._line.put(number, spec)
        return self._attempts.of(spec.id)

    def is_hopeless(self, game_id: str) -> bool:
        """Whether the run should halt because of this game."""
        return self._attempts.is_hopeless(game_id)

    def settle(self, game_id: str) -> None:
        """A game is finished."""
        self._attempts.settle(game_id)
        self._line.release(game_id)

    def add(self, result: GameResult) -> None:
        """A finished game is stored, and counts from now on; result: under its plain id."""
        self._overlap.pop(unpadded(result.id), None)
        self.competition.add(result)

    def replace(self, competition: Competition, overlap: Mapping[str, bool]) -> None:
        """Another competition is played from now on, in which everything that is stored has been counted.

        overlap: the games being played by their unpadded ids, and whether they are among those that it has
        remaining.
        """
        self.competition = competition
        self._overlap = dict(overlap)
        withdrawn = self._line.clear()
        self._attempts.withdraw(withdrawn)
        if self._left is not None:
            self._left += len(withdrawn)

    def provide(self, there_is: Mapping[str, int]) -> None:
        """From now on there is so much of each resource."""
        self._line.provide(there_is)

    @property
    def free(self) -> Mapping[str, int]:
        """How much of each resource is not in use."""
        return self._line.free

    @property
    def remaining(self) -> int | None:
        """How many games are still to be started, void ones included; None for endless."""
        remaining = self.competition.remaining()
        return None if remaining is None else remaining - sum(self._overlap.values()) + len(self._line)

    @property
    def is_cut_off(self) -> bool:
        """Whether the limit of this run is reached, and there would be more."""
        return self._left == 0 and not self._line and self.remaining != 0
