"""The listener of a run: what the scheduler tells goes to the watch, which draws, and to the display."""

from collections.abc import Callable, Sequence

from gyoji.cli.compose import Event
from gyoji.cli.displays import Display
from gyoji.cli.exits import complain
from gyoji.cli.watch import Watch
from gyoji.core.ports import Competition
from gyoji.core.record import GameResult, VoidGame
from gyoji.core.text import printable
from gyoji.runner.order import Order, Progress
from gyoji.scheduler.games import IssuedGame
from gyoji.scheduler.reload import Fresh
from gyoji.scheduler.status import ExitStatus, RunEnd

_ENDS = {ExitStatus.HALTED: "halted", ExitStatus.STOPPED: "stopped"}


class Audience:
    """See `gyoji.scheduler.events.Listener`. is_live: the display moves while games are played.

    end: how the run ended, None before.
    """

    def __init__(self, event: Event, watch: Watch, display: Display, *, is_live: bool) -> None:
        self._event, self._watch, self._display = event, watch, display
        self.watches = is_live
        self.end: RunEnd | None = None

    def began(
        self, *, stored: int, voids: int, remaining: int | None, playing: Callable[[], Sequence[IssuedGame]]
    ) -> None:
        del playing
        self._watch.began(stored=stored, voids=voids, remaining=remaining)

    def started(self, order: Order) -> None:
        self._watch.started(order.spec)

    def progress(self, progress: Progress) -> None:
        self._watch.progress(progress.id, progress.turns, progress.left)

    def finished(self, result: GameResult) -> None:
        self._display.result(self._watch.finished(result))

    def voided(self, void: VoidGame, attempt: int) -> None:
        del attempt
        self._watch.voided(void)

    def warning(self, text: str) -> None:
        self._watch.warned(text)
        self._display.warning(text)

    def steered(self, what: str, *, paused: bool) -> None:
        self._watch.steered(paused=paused)
        self._display.notice(what)

    def reloaded(self, fresh: Fresh, competition: Competition, *, remaining: int | None) -> None:
        self._event.setup, self._event.competition = fresh.setup, competition
        self._watch.reloaded(remaining)

    def stopping(self, reason: str, waiting: tuple[str, ...]) -> None:
        self._watch.stopping(reason)
        if waiting:
            self._display.notice(f"{reason} (in progress: {' '.join(waiting)})")

    def ended(self, end: RunEnd) -> None:
        self.end = end


def say_end(end: RunEnd, file: str = "") -> None:
    """Why a run ended before its end, on stderr; nothing if all went well. file: its control file, if any."""
    if end.status is ExitStatus.SET_ASIDE:
        again = f"; `gyoji show {file}` says why, `gyoji run --retry {file}` plays again" if file else ""
        complain(f"set aside: {end.reason}{again}")
    if end.status in _ENDS:
        complain(printable(f"{_ENDS[end.status]}: {end.reason or 'no reason was given'}", 1000))
