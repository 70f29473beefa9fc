"""How others steer a run while it goes on: commands as plain objects; the socket is that of `control`.

``{"do": "status"}``, ``{"do": "stop"}``, ``{"do": "pause"}``, ``{"do": "resume"}``, ``{"do": "reload"}``,
``{"do": "parallel", "games": 3}``. The answer to each says how the run is afterwards.
"""

import os
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from gyoji.core.faults import ConfigError
from gyoji.core.setup import CompetitionSetup
from gyoji.core.text import quote
from gyoji.scheduler.course import Course
from gyoji.scheduler.resources import THREADS, processors, share_out
from gyoji.scheduler.status import ExitStatus

MOST_AT_ONCE = 1023


class Steered(Protocol):
    """A run as others can steer it. Its methods raise ConfigError for what cannot be done."""

    def request_stop(self) -> None: ...
    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def reload(self) -> None: ...
    def set_parallel(self, slots: int) -> None: ...
    def status(self) -> Mapping[str, Any]: ...


def obey(run: Steered, command: Mapping[str, Any]) -> Mapping[str, Any]:
    """Do what a command says, and the answer to it: has "ok", and "error" where that is false."""
    actions: dict[str, Callable[[], None]] = {
        "status": _nothing,
        "stop": run.request_stop,
        "pause": run.pause,
        "resume": run.resume,
        "reload": run.reload,
        "parallel": lambda: run.set_parallel(_slots(command.get("games"))),
    }
    what = command.get("do")
    action = actions.get(what) if isinstance(what, str) else None
    if action is None:
        return {"ok": False, "error": f"no command {quote(str(what))}; there are: {', '.join(actions)}"}
    try:
        action()
    except ConfigError as error:
        return {"ok": False, "error": str(error)}
    return {"ok": True, **run.status()}


def _nothing() -> None:
    """Status is told with every answer."""


def _slots(given: Any) -> int:
    if type(given) is not int or not 1 <= given <= MOST_AT_ONCE:
        raise ConfigError(f"games: expected a number from 1 to {MOST_AT_ONCE}, got {quote(str(given))}")
    return given


class Steering:
    """A run, for those who steer it."""

    def __init__(self, course: Course) -> None:
        self._course = course

    def request_stop(self) -> None:
        """Let running games finish, and start no others."""
        self._course.stopping.stop(ExitStatus.STOPPED, "stop command")

    def pause(self) -> None:
        """Start nothing more until `resume`. A run that is paused does not end, but can be stopped."""
        if not self._course.is_paused:
            self._course.is_paused = True
            self._course.tell("paused")

    def resume(self) -> None:
        """Start games again."""
        if self._course.is_paused:
            self._course.is_paused = False
            self._course.tell("resumed")

    def set_parallel(self, slots: int) -> None:
        """Play so many games at once; those in progress finish. Raises ConfigError for too few processors."""
        course = self._course
        if slots != course.games.slots:
            course.games.resize(slots, share_out(slots, course.setup.cores))
            self._provide()
            course.tell(f"{slots} game{'s' * (slots != 1)} at once")

    def reload(self) -> None:
        """Go on with the competition as the control file describes it now; with all of it, or not at all."""
        if self._course.stopping:
            raise ConfigError("the run is stopping: it will read the control file when it is run again")
        self._course.renew()
        self._provide()

    def status(self) -> Mapping[str, Any]:
        """How the run goes, JSON-ready."""
        course, stopping = self._course, self._course.stopping
        return {
            "pid": os.getpid(),
            "games": course.games.describe(),
            "players": sorted(course.setup.players),
            "parallel": course.games.slots,
            "paused": course.is_paused,
            "finished": course.results.finished,
            "voids": course.results.voids,
            "set_aside": len(course.supply.set_aside),
            "remaining": course.supply.remaining,
            "free": course.supply.free,
            "stopping": stopping.reason[1] if stopping.reason else None,
        }

    def _provide(self) -> None:
        self._course.supply.provide(there_is(self._course.setup, self._course.games.slots))


def there_is(setup: CompetitionSetup, slots: int) -> dict[str, int]:
    """The amount of each resource that all games in progress share.

    Threads are not counted where games have processors of their own. There are as many as processors, or as
    slots if these are more.
    """
    threads = {} if setup.cores else {THREADS: max(processors(), slots)}
    return threads | dict(setup.resources)
