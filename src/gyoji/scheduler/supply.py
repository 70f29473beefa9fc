"""Where a run gets its games from: its competition, and void games that are to be played again.

A game that keeps failing is set aside, and so is one with a player that is suspended: the competition goes on
without.

A competition says which games there are, in an order of its own; which of them is started when depends on
what they need (`gyoji.scheduler.resources`) as well.

A competition may be replaced by what its control file says by now. The new one does not know of the games
that are being played: they are left out when it issues them.
"""

from collections.abc import Callable, Collection, Mapping
from itertools import count
from typing import NamedTuple

from msgspec.structs import replace

from gyoji.core.ports import Competition, adapts
from gyoji.core.record import GameResult, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.pairing.failures import NOT_TRIED, Failures, SetAside, Suspensions
from gyoji.pairing.games import plain_id
from gyoji.pairing.variants import Refusals, fitted
from gyoji.scheduler.event import take
from gyoji.scheduler.games import IssuedGame, Waiting
from gyoji.scheduler.reload import unpadded
from gyoji.scheduler.resources import ReadyQueue

LOOKAHEAD = 1000
"""The largest number of issued games that cannot start yet, while one that can is sought. A competition that
adapts has one at most, because later results may decide who plays the games after it."""

SKIPPED_AT_ONCE = 1000
"""How many games are skipped at most before somebody has to take note of them."""


class Skipped(NamedTuple):
    """A game that is not tried, as it is stored."""

    spec: GameSpec
    void: VoidGame


class Supply:
    """The games of one run, each issued once.

    competition  the one that is played now.
    issued       the games without a result, by id: those that wait, and those that are played.
    max_games    how many at most; None: no limit.
    there_is     how much of each resource, for `ReadyQueue`.
    rename       gives a game that the competition has issued an id that no other game has.
    share        the plain ids of the games of this shard that are left to be issued; None: all games are.
    agreeing     players that do not play the clean-up phases: games with them are scored by the players.
    refusals     the variants of games that players refuse: theirs are played in others.
    failures     the void games of earlier runs.   suspensions: who is not played with.
    """

    def __init__(  # noqa: PLR0913 - a run has one supply, of all that is known when it begins
        self,
        competition: Competition,
        *,
        max_games: int | None = None,
        share: Collection[str] | None = None,
        there_is: Mapping[str, int],
        rename: Callable[[GameSpec], GameSpec] = lambda spec: spec,
        agreeing: Collection[str] = (),
        refusals: Refusals | None = None,
        failures: Failures,
        suspensions: Suspensions,
    ) -> None:
        self.competition = competition
        self._agreeing = frozenset(agreeing)
        self._refusals = refusals or {}
        self._left = max_games
        self._share = None if share is None else set(share)
        self._rename = rename
        self.issued: dict[str, IssuedGame] = {}
        self._numbers = count()
        self._queue = ReadyQueue(there_is)
        self._failures = failures
        self._suspensions = suspensions
        self._skipped: list[Skipped] = []
        self._idle_skips = 0  # since a game was found that can be played
        self._overlap: dict[str, bool] = {}  # by unpadded id, games being played that may be issued again

    def next(self) -> IssuedGame | None:
        """The game to start now: of those that can the one that was issued first. Raises `Misfit`.

        None too when many have been skipped: see `take_skipped`.
        """
        while len(self._skipped) < SKIPPED_AT_ONCE and (game := self._first()) is not None:
            player, why = self._suspensions.first(game.spec.codes)
            if not player:
                self._idle_skips = 0
                return game
            self._skip(game, player, why)
        return None

    def _first(self) -> IssuedGame | None:
        """The first game that has what it needs."""
        most = 1 if adapts(self.competition) else LOOKAHEAD
        while (game := self._queue.take()) is None:
            if len(self._queue) >= most or not self._issue():
                return None
        return game

    def _skip(self, game: IssuedGame, player: str, why: str) -> None:
        spec = game.spec
        void = VoidGame(
            id=spec.id,
            pairing=spec.pairing,
            players=spec.codes,
            reason=f"{player} is suspended: {why}",
            started="",
            suspended=player,
        )
        self._queue.release(game)
        if self._left is not None:
            self._left += 1
        self._idle_skips += 1
        self._skipped.append(Skipped(spec, void))
        del self.issued[spec.id]
        self._failures.add(void, NOT_TRIED)
        take(self.competition, self.set_aside[spec.id])

    def take_skipped(self) -> list[Skipped]:
        """The games that have been skipped since the last time: they are to be stored."""
        skipped, self._skipped = self._skipped, []
        return skipped

    @property
    def is_idle(self) -> bool:
        """Whether an endless competition seems to have no other games than those that are skipped."""
        return self._idle_skips >= 10 * SKIPPED_AT_ONCE and self.competition.remaining() is None

    def _issue(self) -> bool:
        """Have the competition's next game join the queue; whether there is one.

        Raises ValueError if it has issued that already.
        """
        if self._left == 0 or (spec := self._fresh()) is None:
            return False
        if spec.id in self.issued:
            raise ValueError(f"game {spec.id} was issued twice")
        game = self.issued[spec.id] = IssuedGame(spec, next(self._numbers))
        self._queue.put(game)
        if self._left is not None:
            self._left -= 1
        return True

    def _fresh(self) -> GameSpec | None:
        """The next game of the competition that is not being played already."""
        while (spec := self.competition.next_game()) is not None:
            if self._share is not None:
                if plain_id(spec.id) not in self._share:
                    continue
                self._share.remove(plain_id(spec.id))
            if not self._overlap or self._overlap.pop(unpadded(spec.id), None) is None:
                return self._rename(self._scored_by_players(fitted(spec, self._refusals)))
        return None

    def _scored_by_players(self, spec: GameSpec) -> GameSpec:
        """The game, with the players for a scorer if it is one of those that the setting speaks of."""
        is_meant = spec.scorer == "internal" and spec.without_cleanup == "players"
        if is_meant and any(player.code in self._agreeing for player in spec.players):
            return replace(spec, scorer="players", asks_instead=True)
        return spec

    def fail(self, game: IssuedGame, void: VoidGame) -> int:
        """A game came to nothing; the number of that attempt, from 1.

        It will be played again, before all that were issued later, unless it is set aside.
        """
        attempt = self._failures.attempts(void.id) + 1
        self._failures.add(void, attempt)
        self._queue.release(game)
        if game.id in self.set_aside:
            del self.issued[game.id]
        else:
            self._queue.put(game)
        return attempt

    @property
    def set_aside(self) -> Mapping[str, SetAside]:
        """The games that are not played any more, by id."""
        return self._failures.set_aside

    def give_up(self, game: SetAside) -> None:
        """A game is set aside, and that is stored: the competition goes on without it."""
        self._overlap.pop(unpadded(plain_id(game.id)), None)
        self._suspensions.set_aside(game)
        take(self.competition, game)

    def settle(self, game: IssuedGame) -> None:
        """A game is finished."""
        del self.issued[game.id]
        self._failures.settle(game.id)
        self._queue.release(game)

    def add(self, result: GameResult) -> None:
        """A finished game is stored, and counts from now on; result: under its plain id."""
        self._suspensions.add(result)
        if self._overlap:
            self._overlap.pop(unpadded(result.id), None)
        self.competition.add(result)

    def replace(self, competition: Competition, overlap: Mapping[str, bool]) -> None:
        """Another competition is played from now on, in which everything that is stored has been counted.

        overlap: the games being played by their unpadded ids, and whether they are among those that it has
        remaining.
        """
        self.competition = competition
        self._overlap = dict(overlap)
        withdrawn = self._queue.clear()
        for game in withdrawn:  # how often they failed stays
            del self.issued[game.id]
        if self._left is not None:
            self._left += len(withdrawn)

    def provide(self, there_is: Mapping[str, int]) -> None:
        """From now on there is so much of each resource."""
        self._queue.provide(there_is, self.issued.values())

    def appear(self, person: str, *, is_there: bool) -> None:
        """A person is ready to play from now on, or not any more."""
        self._queue.appear(person, is_there=is_there)

    def waiting(self) -> list[Waiting]:
        """The games that could start but for persons who are not there."""
        return self._queue.waiting()

    def withdraw(self, game: IssuedGame) -> None:
        """A game that waits for somebody is ruled on, and not played."""
        self._queue.withdraw(game)
        del self.issued[game.id]
        self._failures.settle(game.id)

    @property
    def awaits_people(self) -> bool:
        """Whether a game waits for somebody who is not there."""
        return self._queue.awaits_people

    @property
    def free(self) -> Mapping[str, int]:
        """How much of each resource is not in use."""
        return self._queue.free

    @property
    def remaining(self) -> int | None:
        """How many games are still to be started, void ones included; None for endless."""
        if self._share is not None:
            return len(self._share) + len(self._queue)
        remaining = self.competition.remaining()
        return None if remaining is None else remaining - sum(self._overlap.values()) + len(self._queue)

    @property
    def is_cut_off(self) -> bool:
        """Whether the limit of this run is reached, and there would be more."""
        return self._left == 0 and not self._queue and self.remaining != 0
