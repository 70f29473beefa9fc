"""Players that are not played with any more: whose engines crash too often, or whose games keep failing.

A fold over results and games set aside, in the order in which they were stored. A player is suspended as long
as the newest of them say so.
"""

from collections import Counter, deque
from collections.abc import Iterable

from gyoji.core.outcome import Ending
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.pairing.failures import SetAside


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
            crashed = {_known(result.players[seat]) for seat in _crashed(result)}
            for player in dict.fromkeys(map(_known, result.players)):
                newest = self._newest.setdefault(player, deque())
                newest.append(player in crashed)
                self._crashes[player] += newest[-1]
                if len(newest) > self._games:
                    self._crashes[player] -= newest.popleft()

    def set_aside(self, game: SetAside) -> None:
        """Take a game into account that is not played any more."""
        self._failures[_known(game.against)] += 1

    def reason(self, player: str) -> str:
        """Why a player is suspended, "" if it is not."""
        name = _known(player)
        if not name:  # a tuner's candidate plays a game or two
            return ""
        if self._most_crashes and self._crashes[name] >= self._most_crashes:
            return f"it lost {self._crashes[name]} of its last {len(self._newest[name])} games by a fault"
        if self._most_failures and self._failures[name] >= self._most_failures:
            return f"{self._failures[name]} games set aside count against it"
        return ""

    def first(self, players: Iterable[str]) -> tuple[str, str]:
        """The first of these players that is suspended, and why; ("", "") if none is."""
        return next(((player, why) for player in players if (why := self.reason(player))), ("", ""))

    def all(self) -> dict[str, str]:
        """Everybody who is suspended, and why."""
        names = sorted({*self._newest, *self._failures})
        return {name: why for name in names if (why := self.reason(name))}


def _crashed(result: GameResult) -> set[int]:
    """The seats whose engines broke down in a game."""
    seat, is_fault = result.outcome.seat, result.outcome.ending is Ending.FAULT
    return {*result.left_out, *((seat,) if is_fault and seat is not None else ())}


def _known(code: str) -> str:
    """The player that a code stands for: its own, or that of its clone; "" for a candidate."""
    return code.partition("#")[0]
