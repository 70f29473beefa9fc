"""Time limit for human and remote players who do not show up: their game is then decided without play.

The time runs from the moment at which only such players are missing for a game to begin. It runs only while a
program that can call them (`gyoji serve`) watches the run. A player whom several games wait for counts as
missing only in the first of them.

A missing player loses. If both sides are missing, the game has no winner.
"""

from collections.abc import Callable, Sequence
from math import inf
from time import monotonic

from gyoji.core.outcome import Ending, Outcome, lost_by
from gyoji.core.record import EngineReport, GameRecord, GameResult, stored_teams
from gyoji.core.spec import GameSpec
from gyoji.core.text import format_duration
from gyoji.core.wire import Value
from gyoji.play.context import make_rules
from gyoji.play.loop import time_of_day
from gyoji.referee.game_log import sides_of
from gyoji.referee.seat_state import seat_states
from gyoji.scheduler.issued_games import WaitingGame

_SECOND = 1_000_000_000


class Awaited(Value, frozen=True, kw_only=True):
    """A game that waits for human or remote players, as it is reported to programs that watch the run.

    Attributes:
        id: Id of the game.
        players: Names of the players who are missing.
        seconds: Seconds until the game is decided without being played; None without a time limit.
    """

    id: str
    players: tuple[str, ...]
    seconds: float | None


class Attendance:
    """Measures how long games wait for human and remote players."""

    def __init__(
        self,
        waiting: Callable[[], Sequence[WaitingGame]],
        is_told: Callable[[], bool],
        changed: Callable[[Sequence[Awaited]], object],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Create the measurement, without waiting games.

        Args:
            waiting: Returns the games that could begin if their human and remote players were there.
            is_told: Returns whether a program that can call the players watches the run. No time runs
                otherwise.
            changed: Called with all waiting games when the set of waiting games or the time limit has
                changed.
            clock: Returns monotonic seconds.
        """
        self._waiting, self._is_told, self._changed, self._clock = waiting, is_told, changed, clock
        self._since: dict[str, float] = {}  # by id of a game
        self._now: tuple[WaitingGame, ...] = ()
        self._most = inf  # seconds

    def look(self, show_up: int, *, goes_on: bool = True) -> tuple[list[WaitingGame], float | None]:
        """Find the games that have waited too long for absent players. Call `changed` after a change.

        Args:
            show_up: The time limit in ns; 0 for none.
            goes_on: Whether the run starts games at present. If not, no time runs.

        Returns:
            (games whose time is over, seconds until this method must be called again). The seconds are None
                if no time runs for any further game.
        """
        before, most = self._now, self._most
        self._most = show_up / _SECOND if show_up else inf
        self._now = tuple(self._waiting()) if goes_on and self._is_told() else ()
        if not (self._now or before):
            return [], None
        now = self._clock()
        self._since = {each.game.id: self._since.get(each.game.id, now) for each in self._now}
        left = [self._since[each.game.id] + self._most - now for each in self._now]
        if self._now != before or (self._now and self._most != most):
            self._changed(self.awaited())
        due = [each for each, seconds in zip(self._now, left, strict=True) if seconds <= 0]
        return due, min((seconds for seconds in left if 0 < seconds < inf), default=None)

    def awaited(self) -> tuple[Awaited, ...]:
        """Return the games that waited for human or remote players at the last call of `look`."""
        now = self._clock()
        left = [self._since[each.game.id] + self._most - now for each in self._now]
        return tuple(
            Awaited(
                id=each.game.id,
                players=each.persons,
                seconds=max(seconds, 0.0) if seconds < inf else None,
            )
            for each, seconds in zip(self._now, left, strict=True)
        )


def absence(spec: GameSpec, persons: Sequence[str], show_up: int) -> GameRecord:
    """Make the record of a game that was not played because human or remote players did not come.

    The side of a missing player loses. If players of several sides are missing, the game has no winner.

    Args:
        persons: Names of the missing players.
        show_up: The time limit in ns.
    """
    rules = make_rules(spec)
    states, teams = seat_states(spec, rules), rules.teams
    missing = [seat for seat, each in enumerate(spec.players) if each.is_elsewhere and each.person in persons]
    why = f"did not show up within {format_duration(show_up)}"
    if len({teams[seat] for seat in missing}) == 1:
        detail = f"forfeit by {states[missing[0]].name}: {why}"
        points, seat = lost_by(teams[missing[0]], len(set(teams))), missing[0]
    else:
        detail, points, seat = f"{' and '.join(persons)} {why}", None, None
    result = GameResult(
        id=spec.id,
        pairing=spec.pairing,
        players=spec.codes,
        outcome=Outcome(points=points, ending=Ending.ABSENCE, detail=detail, seat=seat),
        turns=0,
        engines=(EngineReport(),) * len(spec.players),
        started=time_of_day(),
        wall_ns=0,
        warnings=(detail,),
        sides=sides_of(rules, rules.start()),
        teams=stored_teams(teams),
    )
    return GameRecord(result=result, turns=())
