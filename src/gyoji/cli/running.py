"""`gyoji run`: an event is taken, its players are checked, what is left is played and shown, and reported.

Where there is no screen (`gyoji.cli.screen`, `gyoji.cli.live`), a run is a line a result, or nothing.
"""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Protocol

from gyoji.cli.checking import check_before_run
from gyoji.cli.exits import complain, forget_stdout, say
from gyoji.cli.files import open_event
from gyoji.cli.gathering import gathered_part
from gyoji.cli.screen import Screen
from gyoji.cli.standing import write_report
from gyoji.core.plugins import GAMES
from gyoji.core.ports import Competition
from gyoji.core.record import GameResult, VoidGame
from gyoji.core.text import printable
from gyoji.play.loop import Loop
from gyoji.play.order import Order, Progress
from gyoji.report.text import text_lines
from gyoji.scheduler.event import Event
from gyoji.scheduler.games import IssuedGame
from gyoji.scheduler.reload import Fresh, Reload, read_again
from gyoji.scheduler.run import RunOptions, taking
from gyoji.scheduler.status import ExitStatus, RunEnd
from gyoji.tables.remarks import remarks


def run_file(
    path: Path, *, parallel: int | None, max_games: int | None, retry: bool, quiet: bool, transcripts: bool
) -> ExitStatus:
    """The whole command, for a control file."""
    event = open_event(path)
    options = RunOptions(parallel=parallel, max_games=max_games, retry=retry, transcripts=transcripts)

    def tables() -> Iterable[str]:
        lines = text_lines(event.tables().screen())
        return chain(lines, gathered_part(event), remarks(event.comparison, event.failures))

    return run_event(event, options, quiet=quiet, closing=tables, reload=partial(read_again, path))


def run_event(
    event: Event,
    options: RunOptions,
    *,
    quiet: bool,
    closing: Callable[[], Iterable[str]],
    reload: Reload | None = None,
) -> ExitStatus:
    """Play an event whose competition is fresh. closing: what is printed at the end, unless quiet.

    reload: reads its control file again, where there is one.
    Where nothing is left to play, no engine is started.
    """
    with taking(event, options, complain) as taken:
        is_over = event.competition.remaining() == 0
        if not is_over and not check_before_run(event, quiet=quiet):
            return ExitStatus.HALTED
        show = partial(_shown, event, options, quiet=quiet, closing=closing)
        end = taken.play(show, reload)
        write_report(event)
    say_end(end, event.source if event.setup.control_file else "")
    return end.status


@contextmanager
def _shown(
    event: Event, options: RunOptions, loop: Loop, *, quiet: bool, closing: Callable[[], Iterable[str]]
) -> Iterator["Audience"]:
    """The listener of a run in `loop`, which is shown as stdout can show it."""
    screen = Screen(
        report=lambda: text_lines(event.tables().screen()),
        clock=time.monotonic_ns,
        keys=_has_terminal(),
        most=options.max_games,
        words=GAMES.find(event.setup.game).result_words,
    )
    is_live = not quiet and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    display: Display = QuietDisplay() if quiet else PlainDisplay(closing)
    if is_live:
        from gyoji.cli.live import LiveDisplay  # noqa: PLC0415 - only a run on a terminal pays for rich

        display = LiveDisplay(screen.frame, closing, loop)
    with display:
        yield Audience(event, screen, display, is_live=is_live)


def _has_terminal() -> bool:
    """Whether there is a terminal on which Ctrl-X can be typed."""
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY))
    except OSError:
        return False
    return True


_ENDS = {ExitStatus.HALTED: "halted", ExitStatus.STOPPED: "stopped"}


class Display(Protocol):
    """Where a run is shown."""

    def __enter__(self) -> "Display": ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def result(self, line: str) -> None:
        """A game ended."""

    def warning(self, line: str) -> None:
        """The organiser should see this."""

    def notice(self, line: str) -> None:
        """Whoever asked for something should see that it is being done."""


class QuietDisplay:
    """Nothing but warnings, on stderr. A wish is acknowledged where somebody may see it: on a terminal."""

    def __enter__(self) -> "QuietDisplay":
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def result(self, line: str) -> None:
        return None

    def warning(self, line: str) -> None:
        complain(printable(line, 1000))

    def notice(self, line: str) -> None:
        if sys.stderr.isatty():
            complain(printable(line, 1000))


class PlainDisplay:
    """A line for each result on stdout, warnings on stderr, and at the end what `closing` says.

    When nobody reads stdout any more the games go on.
    """

    def __init__(self, closing: Callable[[], Iterable[str]]) -> None:
        self._closing = closing
        self._deaf = False

    def __enter__(self) -> "PlainDisplay":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None and (lines := list(self._closing())):
            for line in ("", *lines):
                self._say(line)

    def result(self, line: str) -> None:
        self._say(printable(line, 1000))

    def warning(self, line: str) -> None:
        complain(printable(line, 1000))

    def notice(self, line: str) -> None:
        complain(printable(line, 1000))

    def _say(self, line: str) -> None:
        if self._deaf:
            return
        try:
            say(line)
        except BrokenPipeError:
            self._deaf = True
            forget_stdout()


class Audience:
    """See `gyoji.scheduler.events.Listener`. is_live: the display moves while games are played."""

    def __init__(self, event: Event, screen: Screen, display: Display, *, is_live: bool) -> None:
        self._event, self._screen, self._display = event, screen, display
        self.watches = is_live

    def began(
        self, *, stored: int, voids: int, remaining: int | None, playing: Callable[[], Sequence[IssuedGame]]
    ) -> None:
        self._screen.began(stored=stored, voids=voids, remaining=remaining, playing=playing)

    def started(self, order: Order) -> None:
        self._screen.started(order.spec.id)

    def progress(self, progress: Progress) -> None:
        """The games in progress have it."""

    def finished(self, result: GameResult) -> None:
        self._display.result(self._screen.finished(result))

    def voided(self, void: VoidGame, attempt: int) -> None:
        del attempt
        self._screen.voided(void.id)

    def warning(self, text: str) -> None:
        self._screen.warned(text)
        self._display.warning(text)

    def steered(self, what: str, *, paused: bool) -> None:
        self._screen.steered(paused=paused)
        self._display.notice(what)

    def reloaded(self, fresh: Fresh, competition: Competition, *, remaining: int | None) -> None:
        self._event.setup, self._event.competition = fresh.setup, competition
        self._screen.reloaded(remaining)

    def stopping(self, reason: str, waiting: tuple[str, ...]) -> None:
        self._screen.stopping(reason)
        if waiting:
            self._display.notice(f"{reason} (in progress: {' '.join(waiting)})")

    def ended(self, end: RunEnd) -> None:
        """`say_end` says it when the display has been closed."""


def say_end(end: RunEnd, file: str = "") -> None:
    """Why a run ended before its end, on stderr; nothing if all went well. file: its control file, if any."""
    if end.status is ExitStatus.SET_ASIDE:
        again = f"; `gyoji show {file}` says why, `gyoji run --retry {file}` plays again" if file else ""
        complain(f"set aside: {end.reason}{again}")
    if end.status in _ENDS:
        complain(printable(f"{_ENDS[end.status]}: {end.reason or 'no reason was given'}", 1000))
