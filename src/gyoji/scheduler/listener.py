"""What a run tells whoever watches it: a display, quiet mode, a test. It calls from its own thread."""

from typing import Protocol

from gyoji.core.ports import Competition
from gyoji.core.record import GameResult, VoidGame
from gyoji.runner.order import Order, Progress
from gyoji.scheduler.reload import Fresh
from gyoji.scheduler.status import RunEnd


class Listener(Protocol):
    """The events of one run, in order. What is raised here ends the run as a bug would."""

    watches: bool
    """Whether `progress` is wanted: workers then report on games they play."""

    def began(self, *, stored: int, voids: int, remaining: int | None) -> None:
        """The run begins, with so many finished and void games of earlier runs, and so many games to play
        (None: endless)."""

    def started(self, order: Order) -> None:
        """A game is being played; again, after it was void."""

    def progress(self, progress: Progress) -> None: ...

    def finished(self, result: GameResult) -> None:
        """A game is stored. Its own warnings follow as `warning`."""

    def voided(self, void: VoidGame, attempt: int) -> None:
        """A game came to nothing, for the `attempt`-th time in this run. A `warning` says why."""

    def warning(self, text: str) -> None:
        """What the organiser should see, one line."""

    def steered(self, what: str, *, paused: bool) -> None:
        """Somebody has changed how the run goes on; what: in a few words. paused: no games are started."""

    def reloaded(self, fresh: Fresh, competition: Competition, *, remaining: int | None) -> None:
        """The control file was read again; this competition has taken the place of the one before."""

    def stopping(self, reason: str, waiting: tuple[str, ...]) -> None:
        """No more games will be started; these are still being played. Called again if the reason changes."""

    def ended(self, end: RunEnd) -> None: ...


class Silence:
    """A listener that has nothing to say."""

    watches = False

    def began(self, *, stored: int, voids: int, remaining: int | None) -> None: ...
    def started(self, order: Order) -> None: ...
    def progress(self, progress: Progress) -> None: ...
    def finished(self, result: GameResult) -> None: ...
    def voided(self, void: VoidGame, attempt: int) -> None: ...
    def warning(self, text: str) -> None: ...
    def steered(self, what: str, *, paused: bool) -> None: ...
    def reloaded(self, fresh: Fresh, competition: Competition, *, remaining: int | None) -> None: ...
    def stopping(self, reason: str, waiting: tuple[str, ...]) -> None: ...
    def ended(self, end: RunEnd) -> None: ...
