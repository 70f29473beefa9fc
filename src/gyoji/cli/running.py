"""`gyoji run`: lock, store, checks, workers, display, report, in this order."""

import os
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path

from gyoji.cli.audience import Audience, say_end
from gyoji.cli.checking import check_before_run
from gyoji.cli.compose import Event, open_event, read_again
from gyoji.cli.displays import Display, PlainDisplay, QuietDisplay
from gyoji.cli.gathering import gathered_part
from gyoji.cli.standing import note, write_report
from gyoji.cli.watch import Watch
from gyoji.report.text import text_lines
from gyoji.scheduler.counting import count
from gyoji.scheduler.reload import Reload
from gyoji.scheduler.resources import share_out
from gyoji.scheduler.run import RunOptions, run
from gyoji.scheduler.slots import SlotPool
from gyoji.scheduler.status import ExitStatus
from gyoji.store.lock import RunLock
from gyoji.store.store import Store
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

    The lock comes first, so that a second run starts no engine; the store next, so that a folder that cannot
    be written to, or a foreign file, is noticed before anything is started. Where nothing is left to play, no
    engine is.
    """
    files = event.files
    slots = options.parallel or 1
    options = replace(options, cores=share_out(slots, event.setup.cores))
    with RunLock(files), Store.open(files.database, create=True, competition=event.setup.code) as store:
        event.take_secret(store)
        counted = count(store, event.comparison, event.competition, retry=options.retry)
        note(event, counted)
        is_over = event.competition.remaining() == 0
        if not is_over and not check_before_run(event, quiet=quiet):
            return ExitStatus.HALTED
        options = replace(options, agreeing=event.agreeing)
        display, audience = _view(event, options, quiet=quiet, closing=closing)
        with SlotPool(slots, cores=options.cores) as pool, display:
            end = run(
                event.setup,
                event.competition,
                store,
                files,
                pool,
                options=options,
                listener=audience,
                reload=reload,
                counted=counted,
            )
        event.suspended = counted.suspensions.all()
        write_report(event)
    say_end(end, event.source if event.setup.control_file else "")
    return end.status


def _view(
    event: Event, options: RunOptions, *, quiet: bool, closing: Callable[[], Iterable[str]]
) -> tuple[Display, Audience]:
    """The run as stdout can show it."""
    watch = Watch(
        report=lambda: text_lines(event.tables().screen()),
        clock=time.monotonic_ns,
        keys=_has_terminal(),
        most=options.max_games,
    )
    is_live = not quiet and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    display: Display = QuietDisplay() if quiet else PlainDisplay(closing)
    if is_live:
        from gyoji.cli.live import LiveDisplay  # noqa: PLC0415 - only a run on a terminal pays for rich

        display = LiveDisplay(watch.frame, closing)
    return display, Audience(event, watch, display, is_live=is_live)


def _has_terminal() -> bool:
    """Whether there is a terminal on which Ctrl-X can be typed."""
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY))
    except OSError:
        return False
    return True
