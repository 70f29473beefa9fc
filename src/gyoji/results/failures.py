"""Games that come to nothing: which games are skipped, and which players are suspended.

Both are folds over the stored games in their order, so a resumed run knows what the run before it knew.
The verdict on a game depends only on how often that game has failed: a run with four slots skips the same
games as a run with one.

The attempts at a game are numbered. A game that is tried again after it was skipped begins at 1.

A player is suspended, and not issued any games, as long as its newest games say so: its engine crashes too
often, or too many games that were skipped count against it.
"""

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import EngineReport, GameResult, VoidGame, teams_of_players
from gyoji.core.setup import CompetitionSetup
from gyoji.results.game_ids import player_of

# Once may be chance, such as a machine that runs out of memory. Twice has a reason that will not go away.
MOST_VOIDS = 2
"""The number of void attempts after which a game is skipped. Attempts that a dying worker ended do not
count.
"""

# More than MOST_VOIDS, because another process may have killed the worker: that says little about the game.
MOST_ATTEMPTS = 4
"""The number of failed attempts after which a game is skipped, whatever ended them."""

NOT_TRIED = 0
"""The attempt number of a game that is not played because one of its players is suspended."""


class SkippedGame(Struct, frozen=True):
    """A game that is not played any more because too many attempts failed or a player is suspended.

    Attributes:
        voids: The failed attempts, without their moves.
    """

    voids: tuple[VoidGame, ...]

    @property
    def last(self) -> VoidGame:
        return self.voids[-1]

    @property
    def id(self) -> str:
        return self.last.id

    @property
    def players(self) -> tuple[str, ...]:
        return self.last.players

    @property
    def suspended(self) -> str:
        """The suspended player because of whom the game was not tried, "" if it was tried."""
        return self.last.suspended

    @property
    def against(self) -> str:
        """The player against whom all attempts count, "" if there is no such player."""
        blamed = {void.against for void in self.voids}
        return blamed.pop() if len(blamed) == 1 else ""

    def result(self) -> GameResult:
        """Return the result that a competition counts for the game."""
        void = self.last
        seat = void.players.index(void.suspended) if void.suspended in void.players else None
        return GameResult(
            id=void.id,
            pairing=void.pairing,
            players=void.players,
            outcome=Outcome(points=None, ending=Ending.SKIPPED, detail=void.reason, seat=seat),
            turns=0,
            engines=(EngineReport(),) * len(void.players),
            started=void.started,
            wall_ns=0,
            teams=teams_of_players(void.players),
        )


class Failures:
    """The void games of a competition.

    Attributes:
        count: The number of failed attempts.
        to_move: By player, how many of these attempts ended while it was to move.
    """

    def __init__(self) -> None:
        self.count = 0
        self.to_move: Counter[str] = Counter()
        self._series: dict[str, tuple[VoidGame, ...]] = {}  # of games without a result, since attempt 1
        self._skipped: dict[str, SkippedGame] = {}

    @property
    def skipped(self) -> Mapping[str, SkippedGame]:
        """The games that are skipped, by id, in the order in which that happened."""
        return MappingProxyType(self._skipped)

    def attempts(self, game_id: str) -> int:
        """Return how many attempts at a game have failed in its newest series, which began with attempt 1."""
        return len(self._series.get(game_id, ()))

    def add(self, void: VoidGame, attempt: int) -> None:
        """Count a failed attempt at a game, or note a game that was not tried.

        Args:
            void: The attempt: its game, and why it failed.
            attempt: The number of the attempt, from 1, or `NOT_TRIED`.
        """
        short = replace(void, turns=(), late=())
        if attempt == NOT_TRIED:
            self._series.pop(void.id, None)
            self._skipped[void.id] = SkippedGame((short,))
            return
        self.count += 1
        if void.restarted:
            self._series.pop(void.id, None)
            return
        self.to_move.update(dict.fromkeys(void.to_move, 1))
        before = () if attempt == 1 else self._series.get(void.id, ())
        voids = self._series[void.id] = (*before, short)
        self._skipped.pop(void.id, None)
        if len(voids) >= MOST_ATTEMPTS or sum(not each.by_death for each in voids) >= MOST_VOIDS:
            self._skipped[void.id] = SkippedGame(voids)

    def settle(self, game_id: str) -> None:
        """Forget the failures of a game that has got a result."""
        self._series.pop(game_id, None)
        self._skipped.pop(game_id, None)

    def forget(self) -> None:
        """Forget all failures, so that every game without a result is tried again."""
        self._series.clear()
        self._skipped.clear()


class Suspensions:
    """The counts of crashes and failed games from which follows which players are suspended.

    No player is suspended if the settings of the competition do not ask for it.
    """

    def __init__(self, setup: CompetitionSetup) -> None:
        self._most_crashes, self._games = setup.suspend_crashes, setup.suspend_games
        self._most_failures = setup.suspend_failures
        self._newest: dict[str, deque[bool]] = {}  # of each player's newest games, whether it crashed
        self._crashes: Counter[str] = Counter()  # in how many of them it did
        self._failures: Counter[str] = Counter()

    def add(self, result: GameResult) -> None:
        """Count a finished game."""
        if self._most_crashes and result.outcome.ending is not Ending.SKIPPED:
            seats = {*result.left_out}  # whose engines broke down
            if result.outcome.ending is Ending.FAULT and result.outcome.seat is not None:
                seats.add(result.outcome.seat)
            crashed = {player_of(result.players[seat]) for seat in seats}
            for player in dict.fromkeys(map(player_of, result.players)):
                newest = self._newest.setdefault(player, deque())
                newest.append(player in crashed)
                self._crashes[player] += newest[-1]
                if len(newest) > self._games:
                    self._crashes[player] -= newest.popleft()

    def count_skipped(self, game: SkippedGame) -> None:
        """Count a skipped game against the player that its failures count against."""
        self._failures[player_of(game.against)] += 1

    def forget(self) -> None:
        """Forget everything counted so far, so that no player is suspended."""
        self._newest.clear()
        self._crashes.clear()
        self._failures.clear()

    def reason(self, player: str) -> str:
        """Return why a player is suspended, "" if it is not."""
        name = player_of(player)
        if not name:  # a tuner's candidate plays a game or two
            return ""
        if self._most_crashes and self._crashes[name] >= self._most_crashes:
            return f"it lost {self._crashes[name]} of its last {len(self._newest[name])} games by a fault"
        if self._most_failures and self._failures[name] >= self._most_failures:
            return f"{self._failures[name]} games skipped count against it"
        return ""

    def first(self, players: Iterable[str]) -> tuple[str, str]:
        """Return the first of these players that is suspended, and why; ("", "") if none is."""
        if not (self._crashes or self._failures):
            return "", ""
        return next(((player, why) for player in players if (why := self.reason(player))), ("", ""))

    def all(self) -> dict[str, str]:
        """Return all suspended players with the reason of each."""
        names = sorted({*self._newest, *self._failures})
        return {name: why for name in names if (why := self.reason(name))}
