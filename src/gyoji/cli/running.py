"""`gyoji run`: an event is taken, its players are checked, what is left is played and shown, and reported.

On a terminal it is shown on a screen (`gyoji.cli.live`), else as lines (`gyoji.cli.plain`).
"""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

from gyoji.cli.exits import complain
from gyoji.cli.pace import Earlier, GameCount
from gyoji.cli.plain import MOST_DISTANCES, USUAL, Every, LoggedDisplay, PlainDisplay, QuietDisplay
from gyoji.cli.reporting import write_report
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.text import printable
from gyoji.pairing.shards import Shard
from gyoji.play.loop import Loop
from gyoji.report.text import text_lines
from gyoji.scheduler.event import Event, repeated_part, totals_part
from gyoji.scheduler.events import Listener
from gyoji.scheduler.hooks import call_at_end
from gyoji.scheduler.reload import Fresh, Reload, read_again
from gyoji.scheduler.run import OpenPool, RunOptions, slot_pool, taking
from gyoji.scheduler.status import ExitStatus, RunEnd
from gyoji.tables.brief import elo_lines
from gyoji.tables.digest import Beside
from gyoji.tables.remarks import remarks


def run_file(
    path: Path,
    *,
    quiet: bool,
    every: Every | None = None,
    shard: Shard | None = None,
    cluster: str | None = None,
    hosts: str | None = None,
    keys: Path | None = None,
    **wishes: Any,
) -> ExitStatus:
    """The whole command, for a control file. shard: the part of its games that is played; None: all.

    every: as in `run_event`.
    cluster: where the scheduler of dask is whose workers play, None: this machine plays; keys: the folder of
    the cluster's keys. wishes: those of `RunOptions`.
    """
    event = Event.open(path, complain, shard)
    options = RunOptions(**wishes)

    def tables(beside: Beside) -> Iterable[str]:
        lines = text_lines(event.tables().screen())
        told = remarks(event.comparison, event.failures)
        return chain(lines, totals_part(event, beside), repeated_part(beside), told)

    open_pool: OpenPool = slot_pool
    if cluster is not None or hosts is not None or keys is not None:
        from gyoji.cluster.keys import Keys, keys_beside  # noqa: PLC0415 - a run on this machine needs none of it
        from gyoji.cluster.opening import on_cluster  # noqa: PLC0415

        open_pool = on_cluster(cluster, hosts=hosts, keys=keys)
        event.hidden = tuple(keys_beside(Keys(keys, "run").key)) if keys is not None else ()
    reload = _no_reload if shard else partial(read_again, path)
    return run_event(
        event, options, quiet=quiet, every=every, closing=tables, reload=reload, open_pool=open_pool
    )


def _no_reload() -> Fresh:
    raise ConfigError("a shard plays by the control file that it began with, as the other shards do")


def run_event(
    event: Event,
    options: RunOptions,
    *,
    quiet: bool,
    closing: Callable[[Beside], Iterable[str]],
    every: Every | None = None,
    reload: Reload | None = None,
    open_pool: OpenPool = slot_pool,
    tells_elo: bool = False,
) -> ExitStatus:
    """Play an event whose competition is fresh. closing: what is printed at the end, unless quiet.

    every: how often a run without a screen says how it stands; None: as usual, and never if it is quiet.
    reload: reads its control file again, where there is one. tells_elo: whether the screen says how far
    players are apart.
    Where nothing is left to play, no engine is started.
    """
    beside = cache(event.beside)  # which is read from the store, once all games are played
    words = GAMES.find(event.setup.game).result_words
    has_screen = not quiet and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    every = (Every() if quiet else USUAL) if every is None else every
    said = Beside(event.setup.players)  # of what lines are made while games are played
    is_folded, earlier = tells_elo if has_screen else every, Earlier()
    folds = [*([said] if is_folded else ()), *([earlier] if has_screen else ())]
    with taking(event, options, complain, open_pool, folds=folds) as taken:
        if taken.remaining != 0:
            taken.pool.start_ahead(event.competition.checks())
            from gyoji.cli.checking import check_before_run  # noqa: PLC0415 - while the worker starts

            if not (_is_elsewhere(event, open_pool) or check_before_run(event, quiet=quiet)):
                return ExitStatus.HALTED

        def show(loop: Loop) -> AbstractContextManager[Listener]:
            if has_screen:
                told = said if tells_elo else None
                return _screen(event, options, loop, told, earlier, closing=lambda: closing(beside()))
            if quiet:
                return LoggedDisplay(event, said, every, loop) if every else QuietDisplay(event)
            return PlainDisplay(event, said, every, loop, closing=lambda: closing(beside()), words=words)

        end = taken.play(show, reload)
        write_report(event, beside())
    say_end(end, event.source if event.setup.control_file else "")
    call_at_end(event, end, beside(), complain)
    return end.status


def _is_elsewhere(event: Event, open_pool: OpenPool) -> bool:
    """Whether players cannot be checked here too, because their programs are on other machines alone."""
    if open_pool is slot_pool:
        return False
    programs = {player.command[0] for player in event.setup.players.values() if player.command}
    missing = sorted(program for program in programs if not os.path.isfile(program))
    if missing:
        complain(f"players are checked on the hosts alone: there is no {printable(missing[0])} here")
    return bool(missing)


@contextmanager
def _screen(
    event: Event,
    options: RunOptions,
    loop: Loop,
    told: Beside | None,
    earlier: Earlier,
    *,
    closing: Callable[[], Iterable[str]],
) -> Iterator[Listener]:
    """The listener of a run in `loop` that is shown on a terminal.

    told: what was stored before, where the screen says how far players are apart.
    """
    from gyoji.cli.live import LiveDisplay, Screen  # noqa: PLC0415 - only a run on a terminal pays for rich

    def report() -> Iterable[str]:
        distances = list(islice(elo_lines(told.versus), MOST_DISTANCES)) if told else []
        return chain([*distances, ""] if distances else [], text_lines(event.tables().screen()))

    screen = Screen(
        event,
        report=report,
        beside=told,
        count=GameCount(time.monotonic_ns, earlier),
        keys=_has_terminal(),
        most=options.max_games,
        words=GAMES.find(event.setup.game).result_words,
        is_read=sys.stderr.isatty(),
    )
    with LiveDisplay(screen.frame, closing, loop):
        yield screen


def _has_terminal() -> bool:
    """Whether there is a terminal on which Ctrl-X can be typed."""
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY))
    except OSError:
        return False
    return True


_ENDS = {ExitStatus.HALTED: "halted", ExitStatus.STOPPED: "stopped"}


def say_end(end: RunEnd, file: str = "") -> None:
    """Why a run ended before its end, on stderr; nothing if all went well. file: its control file, if any."""
    if end.status is ExitStatus.SET_ASIDE:
        again = f"; `gyoji show {file}` says why, `gyoji run --retry {file}` plays again" if file else ""
        complain(f"set aside: {end.reason}{again}")
    if end.status in _ENDS:
        complain(printable(f"{_ENDS[end.status]}: {end.reason or 'no reason was given'}", 1000))
