"""Games that fail: which games are skipped, and which players are suspended.

Both are folds over the stored games in their order, so a resumed run has the same counts as the run before.
Whether a failed game is skipped depends only on how often it has failed: a run with four slots skips the same
games as a run with one. The attempts at a game are numbered from 1, and again from 1 when a skipped game is
tried again.

The games of a player are skipped without an attempt while it is suspended: its engine has crashed too often
in its newest games, or too many skipped games count against it.
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

# One failure may be chance, such as a machine that ran out of memory. A second one has a lasting cause.
MOST_VOIDS = 2
"""Number of void attempts after which a game is skipped. Attempts during which the worker died do not
count.
"""

# More than MOST_VOIDS, because another process may have killed the worker, which has nothing to do with the
# game.
MOST_ATTEMPTS = 4
"""Number of failed attempts of any kind after which a game is skipped."""

NOT_TRIED = 0
"""The attempt number for a game that is skipped without an attempt because a player is suspended."""


class SkippedGame(Struct, frozen=True):
    """A game that is not played any more because too many attempts failed or a player is suspended.

    Attributes:
        voids: The failed attempts, without their moves. If the game was not tried because of a suspended
            player, one item without an attempt, which names that player.
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
        """The suspended player, if the game was not tried because of it; "" if the game was tried."""
        return self.last.suspended

    @property
    def against(self) -> str:
        """The player against whom all failed attempts count; "" if there is no such player."""
        blamed = {void.against for void in self.voids}
        return blamed.pop() if len(blamed) == 1 else ""

    def result(self) -> GameResult:
        """Return the result, of the kind `Ending.SKIPPED`, that a competition gets for the game."""
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
    """The failed attempts at games (void games) of a competition, and the games that are skipped for them.

    Attributes:
        count: The number of failed attempts.
        to_move: For each player, how many failed attempts ended while it was to move. Attempts that the
            organiser ended are left out.
    """

    def __init__(self) -> None:
        self.count = 0
        self.to_move: Counter[str] = Counter()
        self._series: dict[
            str, tuple[VoidGame, ...]
        ] = {}  # by id of a game without a result, since attempt 1
        self._skipped: dict[str, SkippedGame] = {}

    @property
    def skipped(self) -> Mapping[str, SkippedGame]:
        """The skipped games by id, in the order in which they were skipped."""
        return MappingProxyType(self._skipped)

    def attempts(self, game_id: str) -> int:
        """Return how many attempts at a game have failed in the present series.

        A new series begins with an attempt numbered 1. The number is 0 after a result, and after the
        organiser has restarted the game.
        """
        return len(self._series.get(game_id, ()))

    def add(self, void: VoidGame, attempt: int) -> None:
        """Count a failed attempt at a game, or add a game that is skipped without an attempt.

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
    """Counts each player's crashes and skipped games, and decides which players are suspended.

    The limits are settings of the competition; without them no player is suspended.
    """

    def __init__(self, setup: CompetitionSetup) -> None:
        self._most_crashes, self._games = setup.suspend_crashes, setup.suspend_games
        self._most_failures = setup.suspend_failures
        self._newest: dict[str, deque[bool]] = {}  # by player, for its newest games: whether it crashed
        self._crashes: Counter[str] = Counter()  # by player: crashes in these games
        self._failures: Counter[str] = Counter()

    def add(self, result: GameResult) -> None:
        """Count a finished game."""
        if self._most_crashes and result.outcome.ending is not Ending.SKIPPED:
            seats = {*result.left_out}  # seats whose engines broke down
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
        """Count a skipped game against the player that caused all its failures, if there is one."""
        self._failures[player_of(game.against)] += 1

    def forget(self) -> None:
        """Forget everything counted so far, so that no player is suspended."""
        self._newest.clear()
        self._crashes.clear()
        self._failures.clear()

    def reason(self, player: str) -> str:
        """Return the reason why a player is suspended; "" if it is not."""
        name = player_of(player)
        if not name:  # a tuner's candidate plays a game or two
            return ""
        if self._most_crashes and self._crashes[name] >= self._most_crashes:
            return f"it lost {self._crashes[name]} of its last {len(self._newest[name])} games by a fault"
        if self._most_failures and self._failures[name] >= self._most_failures:
            return f"{self._failures[name]} games skipped count against it"
        return ""

    def first(self, players: Iterable[str]) -> tuple[str, str]:
        """Return the first of these players that is suspended, and the reason. Return ("", "") if none is."""
        if not (self._crashes or self._failures):
            return "", ""
        return next(((player, why) for player in players if (why := self.reason(player))), ("", ""))

    def all(self) -> dict[str, str]:
        """Return the reason for each suspended player."""
        names = sorted({*self._newest, *self._failures})
        return {name: why for name in names if (why := self.reason(name))}
