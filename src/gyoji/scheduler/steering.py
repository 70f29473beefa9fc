"""What other processes may do to a run while it goes on: see `gyoji.scheduler.commands`."""

import os
from collections.abc import Mapping
from typing import Any

from gyoji.core.faults import ConfigError
from gyoji.core.setup import CompetitionSetup
from gyoji.scheduler.cores import processors
from gyoji.scheduler.course import Course
from gyoji.scheduler.line import THREADS
from gyoji.scheduler.status import ExitStatus


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
            course.games.resize(slots)
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
            "finished": course.keeper.finished,
            "voids": course.keeper.voids,
            "set_aside": len(course.supply.set_aside),
            "remaining": course.supply.remaining,
            "free": course.supply.free,
            "stopping": stopping.reason[1] if stopping.reason else None,
        }

    def _provide(self) -> None:
        self._course.supply.provide(there_is(self._course.setup, self._course.games.slots))


def there_is(setup: CompetitionSetup, slots: int) -> dict[str, int]:
    """What games have together, of each resource.

    Games with processors of their own need no others. Who wants more games at once than there are processors
    has been heard.
    """
    threads = {} if setup.cores else {THREADS: max(processors(), slots)}
    return threads | dict(setup.resources)
