"""`gyoji run`: open an event, check its players, play its games, show them, and write the report.

A terminal gets a screen (`gyoji.cli.screen`), any other output lines (`gyoji.cli.display`).
"""

# Theory of operation
#
#     Event.open       the control file, and an empty competition of its format
#     taking           the run lock and the store; stored games are folded into the competition
#     start_ahead      workers and launchers start ...
#     check_before_run ... while the players are checked, so that the first game begins sooner
#     taken.play       the run loop: issue, play, store; its events go to the display
#     write_report     the report file, from the store
#     say_end          why the run ended early, on stderr
#     call_at_end      the organiser's `on_end` command
#
# The order of the last three is a promise: `on_end` finds the report complete, and its failure cannot hide
# why the run ended. The lock is released before it, so that `on_end` may begin the next run.
#
# `gyoji match` goes the same way from `run_event` on, with a setup that no control file has.

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import Any

from gyoji.cli.display import DEFAULT_EVERY, Every, LineDisplay
from gyoji.cli.exits import complain
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
from gyoji.tables.digest import ResultsDigest
from gyoji.tables.notes import remarks


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
    """Run the competition of a control file.

    Args:
        every: The interval at which a run without a screen prints its state; None for the default.
        shard: The part of the games to play; None for all.
        cluster: Address of the dask scheduler whose workers play, or path of its scheduler file; None for no
            such scheduler.
        hosts: Hosts, separated by commas, on which dask is started by ssh; None for none. If `cluster` is
            None too, the games are played on this machine.
        keys: Folder of the cluster's TLS keys; None for connections without TLS.
        wishes: Fields of `RunOptions`.

    Raises:
        ConfigError: `cluster` and `hosts` are both given, or `keys` without either, or the control file or
            something else that the run needs is wrong.
    """
    event = Event.open(path, complain, shard)
    options = RunOptions(**wishes)

    def tables(digest: ResultsDigest) -> Iterable[str]:
        lines = text_lines(event.tables().screen())
        told = remarks(event.comparison, event.failures)
        return chain(lines, totals_part(event, digest), repeated_part(digest), told)

    open_pool: OpenPool = slot_pool
    if cluster is not None or hosts is not None or keys is not None:
        from gyoji.cluster.keys import Keys, keys_beside  # noqa: PLC0415 - a run on this machine needs none of it
        from gyoji.cluster.open_cluster import on_cluster  # noqa: PLC0415

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
    closing: Callable[[ResultsDigest], Iterable[str]],
    every: Every | None = None,
    reload: Reload | None = None,
    open_pool: OpenPool = slot_pool,
    tells_elo: bool = False,
) -> ExitStatus:
    """Play an event whose stored games are not counted yet. If no game is left, no engine is started.

    Args:
        closing: Returns the lines that are printed at the end, unless `quiet`.
        every: The interval at which a run without a screen prints its state; None for the default, which is
            never if `quiet`.
        reload: Reads the control file again; None if there is none.
        tells_elo: Whether the screen shows Elo differences.
    """
    # The tables at the end are made from the store, once all games are played; lines during the run, from
    # `said`.
    digest = cache(event.digest)
    words = GAMES.find(event.setup.game).result_words
    has_screen = not quiet and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    every = (Every() if quiet else DEFAULT_EVERY) if every is None else every
    said = ResultsDigest(event.setup.players) if (tells_elo if has_screen else every) else None
    with taking(event, options, complain, open_pool, folds=[said] if said else []) as taken:
        if taken.remaining != 0:
            taken.pool.start_ahead(event.competition.checks())
            from gyoji.cli.checking import check_before_run  # noqa: PLC0415 - while the worker starts

            if not (_is_elsewhere(event, open_pool) or check_before_run(event, quiet=quiet)):
                return ExitStatus.HALTED

        def show(loop: Loop) -> AbstractContextManager[Listener]:
            def last() -> Iterable[str]:
                return closing(digest())

            if not has_screen:
                return LineDisplay(event, said, every, loop, closing=last, words=words, quiet=quiet)
            from gyoji.cli.screen import Screen  # noqa: PLC0415 - only a run on a terminal pays for rich

            return Screen(event, said, loop, closing=last, most=options.max_games, words=words)

        end = taken.play(show, reload)
        write_report(event, digest())
    say_end(end, event.source if event.setup.control_file else "")
    call_at_end(event, end, digest(), complain)
    return end.status


def _is_elsewhere(event: Event, open_pool: OpenPool) -> bool:
    """Return whether other machines play and a player's program is missing on this one.

    The players cannot be checked here then.
    """
    if open_pool is slot_pool:
        return False
    programs = {player.command[0] for player in event.setup.players.values() if player.command}
    missing = sorted(program for program in programs if not os.path.isfile(program))
    if missing:
        complain(f"players are checked on the hosts alone: there is no {printable(missing[0])} here")
    return bool(missing)


_ENDS = {ExitStatus.HALTED: "halted", ExitStatus.STOPPED: "stopped"}


def say_end(end: RunEnd, file: str = "") -> None:
    """Print why a run ended early, on stderr. A run that went well prints nothing.

    Args:
        file: The control file, "" if there is none.
    """
    if end.status is ExitStatus.SKIPPED:
        again = f"; `gyoji show {file}` says why, `gyoji run --retry {file}` plays again" if file else ""
        complain(f"skipped: {end.reason}{again}")
    if end.status in _ENDS:
        complain(printable(f"{_ENDS[end.status]}: {end.reason or 'no reason was given'}", 1000))
