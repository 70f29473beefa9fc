"""Games that come to nothing: which are set aside because they keep failing, and which players are suspended.

Both are folds in the order in which games were stored, so that a run that goes on knows what the one before
it knew. The answer about a game depends on how often that game has failed and on nothing else: a run with
four slots sets the same games aside as a run with one, whatever comes back first.

The attempts at a game are numbered; a game that is tried again after it was set aside begins at 1 anew.

A player is suspended, and not played with any more, as long as its newest games say so: its engine crashes
too often, or too many games set aside count against it.
"""

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import EngineReport, GameResult, VoidGame, teams_of_players
from gyoji.core.setup import CompetitionSetup
from gyoji.pairing.games import player_of

MOST_VOIDS = 2
"""A game that is void so often has a reason that will not go away."""

MOST_ATTEMPTS = 4
"""The same where workers died under it, which may be the doing of somebody else."""

NOT_TRIED = 0
"""The attempt of a game that is not played because a player of it is suspended."""


class SetAside(Struct, frozen=True):
    """A game that is not played any more, and what happened each time, without its moves."""

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
        """The player because of whom it was not tried, "" if it was."""
        return self.last.suspended

    @property
    def against(self) -> str:
        """The player that it counts against: each of its voids does; "" if there is none."""
        blamed = {void.against for void in self.voids}
        return blamed.pop() if len(blamed) == 1 else ""

    def result(self) -> GameResult:
        """The result that a competition is told for a game set aside."""
        void = self.last
        seat = void.players.index(void.suspended) if void.suspended in void.players else None
        return GameResult(
            id=void.id,
            pairing=void.pairing,
            players=void.players,
            outcome=Outcome(points=None, ending=Ending.SET_ASIDE, detail=void.reason, seat=seat),
            turns=0,
            engines=(EngineReport(),) * len(void.players),
            started=void.started,
            wall_ns=0,
            teams=teams_of_players(void.players),
        )


class Failures:
    """The void games of a competition, as far as they have been added.

    count    how many attempts came to nothing.
    to_move  by player, how many of them while it was to move, alone or with others.
    """

    def __init__(self) -> None:
        self.count = 0
        self.to_move: Counter[str] = Counter()
        self._series: dict[str, tuple[VoidGame, ...]] = {}  # of games without a result, since attempt 1
        self._set_aside: dict[str, SetAside] = {}

    @property
    def set_aside(self) -> Mapping[str, SetAside]:
        """By id, in the order in which it came to that."""
        return MappingProxyType(self._set_aside)

    def attempts(self, game_id: str) -> int:
        """The number of failed attempts at a game, one after the other."""
        return len(self._series.get(game_id, ()))

    def add(self, void: VoidGame, attempt: int) -> None:
        """Count an attempt that came to nothing, or one that was not made."""
        short = replace(void, turns=(), late=())
        if attempt == NOT_TRIED:
            self._series.pop(void.id, None)
            self._set_aside[void.id] = SetAside((short,))
            return
        self.count += 1
        if void.restarted:
            self._series.pop(void.id, None)
            return
        self.to_move.update(dict.fromkeys(void.to_move, 1))
        before = () if attempt == 1 else self._series.get(void.id, ())
        voids = self._series[void.id] = (*before, short)
        self._set_aside.pop(void.id, None)
        if len(voids) >= MOST_ATTEMPTS or sum(not each.by_death for each in voids) >= MOST_VOIDS:
            self._set_aside[void.id] = SetAside(voids)

    def settle(self, game_id: str) -> None:
        """A game has a result after all."""
        self._series.pop(game_id, None)
        self._set_aside.pop(game_id, None)

    def forget(self) -> None:
        """Every game without a result is to be tried anew."""
        self._series.clear()
        self._set_aside.clear()


class Suspensions:
    """Who is suspended by the settings of a setup; nobody, where they say nothing."""

    def __init__(self, setup: CompetitionSetup) -> None:
        self._most_crashes, self._games = setup.suspend_crashes, setup.suspend_games
        self._most_failures = setup.suspend_failures
        self._newest: dict[str, deque[bool]] = {}  # of each player's newest games, whether it crashed
        self._crashes: Counter[str] = Counter()  # in how many of them it did
        self._failures: Counter[str] = Counter()

    def add(self, result: GameResult) -> None:
        """Take a finished game into account."""
        if self._most_crashes and result.outcome.ending is not Ending.SET_ASIDE:
            crashed = {player_of(result.players[seat]) for seat in _crashed(result)}
            for player in dict.fromkeys(map(player_of, result.players)):
                newest = self._newest.setdefault(player, deque())
                newest.append(player in crashed)
                self._crashes[player] += newest[-1]
                if len(newest) > self._games:
                    self._crashes[player] -= newest.popleft()

    def set_aside(self, game: SetAside) -> None:
        """Take a game into account that is not played any more."""
        self._failures[player_of(game.against)] += 1

    def forget(self) -> None:
        """Nobody is suspended for what has been taken into account."""
        self._newest.clear()
        self._crashes.clear()
        self._failures.clear()

    def reason(self, player: str) -> str:
        """Why a player is suspended, "" if it is not."""
        name = player_of(player)
        if not name:  # a tuner's candidate plays a game or two
            return ""
        if self._most_crashes and self._crashes[name] >= self._most_crashes:
            return f"it lost {self._crashes[name]} of its last {len(self._newest[name])} games by a fault"
        if self._most_failures and self._failures[name] >= self._most_failures:
            return f"{self._failures[name]} games set aside count against it"
        return ""

    def first(self, players: Iterable[str]) -> tuple[str, str]:
        """The first of these players that is suspended, and why; ("", "") if none is."""
        if not (self._crashes or self._failures):
            return "", ""
        return next(((player, why) for player in players if (why := self.reason(player))), ("", ""))

    def all(self) -> dict[str, str]:
        """Everybody who is suspended, and why."""
        names = sorted({*self._newest, *self._failures})
        return {name: why for name in names if (why := self.reason(name))}


def _crashed(result: GameResult) -> set[int]:
    """The seats whose engines broke down in a game."""
    seat, is_fault = result.outcome.seat, result.outcome.ending is Ending.FAULT
    return {*result.left_out, *((seat,) if is_fault and seat is not None else ())}
