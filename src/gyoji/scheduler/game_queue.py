"""The queue of a run's games: new games of the competition, and failed ones that are played again."""

# Theory of operation
#
#   competition.next_game()
#         |  _fresh: leaves out games of other shards, and games in progress after a reload
#         v
#   issued + ReadyQueue  --- next() ---> in progress --- settle() ---> finished
#         ^                                  |
#         +------- fail(): void, again ------+------- fail(): void too often ---> skipped
#
# The competition decides which games there are, in an order of its own. The ReadyQueue
# (`gyoji.scheduler.resources`) decides which of the issued games starts first: one that has to wait for a
# GPU, say, may be overtaken. So up to LOOKAHEAD games are issued ahead of the one that starts. A competition
# that adapts to its results gets no lookahead: the game after this one is not known before this one has
# ended.
#
# Invariants:
# * `issued` has exactly the games that were issued and have no result: waiting or in progress. An id is
#   issued once; a second time is a bug of the format, and raises ValueError.
# * A game that fails keeps its number, and so its place before all games that were issued later.
# * A skipped game is a result to the competition (`Ending.SKIPPED`), so that no format waits for it.
#
# When the control file is read again, another competition takes the place of this one. Everything that waits
# is dropped, for the new one issues it again. Games in progress go on: `_overlap` has their ids, without the
# padding of numbers, which depends on how many games there are; the new competition's copies are left out.

from collections.abc import Callable, Collection, Mapping
from itertools import count
from typing import NamedTuple

from msgspec.structs import replace

from gyoji.core.ports import Competition, adapts
from gyoji.core.record import GameResult, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.results.failures import NOT_TRIED, Failures, SkippedGame, Suspensions
from gyoji.results.game_ids import plain_id
from gyoji.results.variants import Refusals, fitted
from gyoji.scheduler.event import take
from gyoji.scheduler.issued_games import IssuedGame
from gyoji.scheduler.reload import unpadded
from gyoji.scheduler.resources import ReadyQueue

LOOKAHEAD = 1000
"""Number of games that may be issued ahead of a game that can start. An adapting competition gets 1."""

SKIPPED_AT_ONCE = 1000
"""Number of skipped games after which `next` returns, so that they can be stored."""


class NewlySkipped(NamedTuple):
    """A game that is not played because one of its players is suspended after too many crashes.

    Attributes:
        spec: The game.
        void: The void game to store in its place, with the reason.
    """

    spec: GameSpec
    void: VoidGame


class GameQueue:
    """The games of one run. Each is taken from the competition once, and played until it has a result.

    Attributes:
        competition: The competition that is played now.
        issued: Games taken from the competition that have no result yet, by id. They wait or are in progress.
        ready: The issued games that wait to be started: for resources such as a GPU, or for absent players.
    """

    def __init__(  # noqa: PLR0913 - a run has one queue, of all that is known when it begins
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
        """Begin with an empty queue.

        Args:
            max_games: Largest number of games to take from the competition; None for no limit.
            share: Ids of the games that this part of a divided competition has still to play; None for all
                games.
            there_is: Total amount of each resource.
            rename: Returns a game with an id that no stored game has.
            agreeing: Players whose engines have no clean-up phase for dead stones. If `without_cleanup`
                is "players", the engines that play a game with such a player score it.
            refusals: By player: the sets of game options, such as a board size, that its engine refuses.
                Games of this player get other options.
            failures: Games of earlier runs that ended without a result.
            suspensions: Players whose games are skipped after too many crashes.
        """
        self.competition = competition
        self._agreeing = frozenset(agreeing)
        self._refusals = refusals or {}
        self._left = max_games
        self._share = None if share is None else set(share)
        self._rename = rename
        self.issued: dict[str, IssuedGame] = {}
        self._numbers = count()
        self.ready = ReadyQueue(there_is)
        self._failures = failures
        self._suspensions = suspensions
        self._newly_skipped: list[NewlySkipped] = []
        self._idle_skips = 0  # since a game was found that can be played
        self._overlap: dict[str, bool] = {}  # by unpadded id, games being played that may be issued again

    def next(self) -> IssuedGame | None:
        """Return the game to start now: the oldest one whose resources are free.

        None means that no game can start now, or that `SKIPPED_AT_ONCE` skipped games must be stored first
        (`take_newly_skipped`).

        Raises:
            UnsatisfiableResource: A game needs more of a resource than there is.
        """
        while len(self._newly_skipped) < SKIPPED_AT_ONCE and (game := self._first()) is not None:
            player, why = self._suspensions.first(game.spec.codes)
            if not player:
                self._idle_skips = 0
                return game
            self._skip(game, player, why)
        return None

    def _first(self) -> IssuedGame | None:
        """Return the first game whose resources are free, taking games from the competition until there is
        one.
        """
        most = 1 if adapts(self.competition) else LOOKAHEAD
        while (game := self.ready.take()) is None:
            if len(self.ready) >= most or not self._issue():
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
        self.ready.release(game)
        if self._left is not None:
            self._left += 1
        self._idle_skips += 1
        self._newly_skipped.append(NewlySkipped(spec, void))
        del self.issued[spec.id]
        self._failures.add(void, NOT_TRIED)
        take(self.competition, self.skipped[spec.id])

    def take_newly_skipped(self) -> list[NewlySkipped]:
        """Return the games skipped since the last call. The caller stores them."""
        skipped, self._newly_skipped = self._newly_skipped, []
        return skipped

    @property
    def is_idle(self) -> bool:
        """Whether an endless competition issues only games of suspended players. The run ends then.

        True once 10 * `SKIPPED_AT_ONCE` games in a row were skipped.
        """
        return self._idle_skips >= 10 * SKIPPED_AT_ONCE and self.competition.remaining() is None

    def _issue(self) -> bool:
        """Take the next game from the competition. Return False if it has none now, or if the run has issued
        its maximum number of games.

        Raises:
            ValueError: The competition has named a game that is waiting or in progress already.
            UnsatisfiableResource: The game needs more of a resource than there is.
        """
        if self._left == 0 or (spec := self._fresh()) is None:
            return False
        if spec.id in self.issued:
            raise ValueError(f"game {spec.id} was issued twice")
        game = self.issued[spec.id] = IssuedGame(spec, next(self._numbers))
        self.ready.put(game)
        if self._left is not None:
            self._left -= 1
        return True

    def _fresh(self) -> GameSpec | None:
        """Return the competition's next game that belongs to this shard and is not in progress already.

        The game gets a free id, and options and scoring that the engines of its players can do. None if the
        competition issues no game now.
        """
        while (spec := self.competition.next_game()) is not None:
            if self._share is not None:
                if plain_id(spec.id) not in self._share:
                    continue
                self._share.remove(plain_id(spec.id))
            if not self._overlap or self._overlap.pop(unpadded(spec.id), None) is None:
                return self._rename(self._scored_by_players(fitted(spec, self._refusals)))
        return None

    def _scored_by_players(self, spec: GameSpec) -> GameSpec:
        """Return the game as it is to be scored: by its engines, if one of them has no clean-up phase.

        A game stays as it is if its settings do not allow that.
        """
        is_meant = spec.scorer == "internal" and spec.without_cleanup == "players"
        if is_meant and any(player.code in self._agreeing for player in spec.players):
            return replace(spec, scorer="players", asks_instead=True)
        return spec

    def fail(self, game: IssuedGame, void: VoidGame) -> int:
        """Return a game that ended without a result to the queue, or skip it if it failed too often.

        Returns:
            The number of the attempt that failed, from 1.
        """
        attempt = self._failures.attempts(void.id) + 1
        self._failures.add(void, attempt)
        self.ready.release(game)
        if game.id in self.skipped:
            del self.issued[game.id]
        else:
            self.ready.put(game)
        return attempt

    @property
    def skipped(self) -> Mapping[str, SkippedGame]:
        """The games, by id, that are not played any more, because they failed too often or a player is
        suspended."""
        return self._failures.skipped

    def give_up(self, game: SkippedGame) -> None:
        """Add a skipped game to the competition. Call this after the database has stored it as skipped."""
        self._overlap.pop(unpadded(plain_id(game.id)), None)
        self._suspensions.count_skipped(game)
        take(self.competition, game)

    def settle(self, game: IssuedGame) -> None:
        """Remove a game that has a result, and free its resources."""
        del self.issued[game.id]
        self._failures.settle(game.id)
        self.ready.release(game)

    def add(self, result: GameResult) -> None:
        """Add a stored result to the competition. The result has the id that the competition gave the
        game."""
        self._suspensions.add(result)
        if self._overlap:
            self._overlap.pop(unpadded(result.id), None)
        self.competition.add(result)

    def replace(self, competition: Competition, overlap: Mapping[str, bool]) -> None:
        """Go on with another competition, after the control file was read again.

        Args:
            competition: The new one, which knows all stored results.
            overlap: The games in progress that still count, which are not issued again. For each, by its id
                without zero padding: whether it is among the `remaining` games of the new competition.
        """
        self.competition = competition
        self._overlap = dict(overlap)
        withdrawn = self.ready.clear()
        for game in withdrawn:  # how often they failed stays
            del self.issued[game.id]
        if self._left is not None:
            self._left += len(withdrawn)

    def provide(self, there_is: Mapping[str, int]) -> None:
        """Change the total amount of each resource.

        Raises:
            UnsatisfiableResource: A waiting game needs more than the new amount.
        """
        self.ready.provide(there_is, self.issued.values())

    def withdraw(self, game: IssuedGame) -> None:
        """Remove a waiting game that got its result without being played."""
        self.ready.withdraw(game)
        del self.issued[game.id]
        self._failures.settle(game.id)

    @property
    def remaining(self) -> int | None:
        """Number of games that the competition still has to start; None if it is endless.

        Failed games that are played again are included. A maximum number of games of the run is not
        considered.
        """
        if self._share is not None:
            return len(self._share) + len(self.ready)
        remaining = self.competition.remaining()
        return None if remaining is None else remaining - sum(self._overlap.values()) + len(self.ready)

    @property
    def is_cut_off(self) -> bool:
        """Whether there are more games, and `max_games` keeps them from being started."""
        return self._left == 0 and not self.ready and self.remaining != 0
