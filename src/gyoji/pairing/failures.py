"""Games that come to nothing: how often each has, and which of them are set aside because they keep failing.

A fold over void games in the order in which they were stored, so that a run that goes on knows what the one
before it knew. The answer about a game depends on how often that game has failed and on nothing else: a run
with four slots sets the same games aside as a run with one, whatever comes back first.

The attempts at a game are numbered; a game that is tried again after it was set aside begins at 1 anew.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from msgspec.structs import replace

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import EngineReport, GameResult, VoidGame, teams_of_players

MOST_VOIDS = 2
"""A game that is void so often has a reason that will not go away."""

MOST_ATTEMPTS = 4
"""The same where workers died under it, which may be the doing of somebody else."""

NOT_TRIED = 0
"""The attempt of a game that is not played because a player of it is suspended."""


@dataclass(frozen=True, slots=True)
class SetAside:
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
