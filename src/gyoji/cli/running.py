"""`gyoji run`: an event is taken, its players are checked, what is left is played and shown, and reported."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path

from gyoji.cli.checking import check_before_run
from gyoji.cli.exits import complain
from gyoji.cli.files import open_event
from gyoji.cli.gathering import gathered_part
from gyoji.cli.screen import Screen
from gyoji.cli.showing import Audience, Display, PlainDisplay, QuietDisplay, say_end
from gyoji.cli.standing import write_report
from gyoji.report.text import text_lines
from gyoji.runner.loop import Loop
from gyoji.scheduler.event import Event
from gyoji.scheduler.reload import Reload, read_again
from gyoji.scheduler.run import RunOptions, taking
from gyoji.scheduler.status import ExitStatus
from gyoji.tables.apart import apart_part
from gyoji.tables.aside import aside_part


def run_file(
    path: Path, *, parallel: int | None, max_games: int | None, retry: bool, quiet: bool, transcripts: bool
) -> ExitStatus:
    """The whole command, for a control file."""
    event = open_event(path)
    options = RunOptions(parallel=parallel, max_games=max_games, retry=retry, transcripts=transcripts)

    def tables() -> Iterable[str]:
        lines = text_lines(event.tables().screen())
        parts = (gathered_part(event), apart_part(event.comparison), aside_part(event.failures))
        return chain(lines, *parts)

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
) -> Iterator[Audience]:
    """The listener of a run in `loop`, which is shown as stdout can show it."""
    screen = Screen(
        report=lambda: text_lines(event.tables().screen()),
        clock=time.monotonic_ns,
        keys=_has_terminal(),
        most=options.max_games,
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
