"""A run: issue -> play -> store -> tell, until nothing is left or somebody has had enough.

The only loop around games. It decides nothing about the competition (`Competition.add` and `next_game` do)
and keeps nothing that it would miss: after a crash at any point, folding what is stored gives the same
competition, which issues exactly the games that are not stored.

A game is stored before anything else happens with it, and games that end at the same moment together. Void
games are played again (`gyoji.scheduler.attempts` says how often). The caller holds the run's lock.
"""

import os
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from signal import SIGHUP, SIGINT, SIGTERM
from typing import Any

from gyoji.core.conditions import Difference
from gyoji.core.faults import ConfigError, GyojiError
from gyoji.core.ports import Competition
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
from gyoji.pairing.comparison import Comparison
from gyoji.pairing.repeats import plain
from gyoji.report.apart import apart_lines
from gyoji.report.layouts import history_lines
from gyoji.scheduler import keys
from gyoji.scheduler.commands import obey
from gyoji.scheduler.control import serving
from gyoji.scheduler.cores import processors
from gyoji.scheduler.counting import count
from gyoji.scheduler.inflight import InFlight, Pool, id_variables
from gyoji.scheduler.journal import Journal
from gyoji.scheduler.line import THREADS, Misfit
from gyoji.scheduler.listener import Listener, Silence
from gyoji.scheduler.outputs import GameFiles
from gyoji.scheduler.reload import Reload, Reloading
from gyoji.scheduler.results import Batch, Keeper, sort_out
from gyoji.scheduler.status import ExitStatus, RunEnd
from gyoji.scheduler.supply import Supply
from gyoji.store.failures import StoreFailure
from gyoji.store.files import CompetitionFiles
from gyoji.store.store import Store

_REQUESTS = {
    SIGINT: "interrupted",
    SIGTERM: "asked to end (SIGTERM)",
    SIGHUP: "the terminal has gone (SIGHUP)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What may be different in each run of one competition.

    parallel     games at the same time; None: one, and it is not told its slot.
    max_games    games to start at most, those played again not counted; None: no limit.
    transcripts  whether to keep every line between us and the engines.
    cores        for each slot the processors that are its own; () if it has none.
    formats      names of the record formats; None: those that the game is written in.
    agreeing     players that do not play the clean-up phases: see `Supply`.
    """

    parallel: int | None = None
    max_games: int | None = None
    transcripts: bool = False
    cores: tuple[frozenset[int], ...] = ()
    formats: tuple[str, ...] | None = None
    agreeing: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if (self.parallel is not None and self.parallel < 1) or (self.max_games or 0) < 0:
            raise ValueError(f"no run has {self.parallel} slots or {self.max_games} games")


def run(  # noqa: PLR0913 - five things that belong together, and what each run may do without
    setup: CompetitionSetup,
    competition: Competition,
    store: Store,
    files: CompetitionFiles,
    pool: Pool,
    *,
    options: RunOptions | None = None,
    listener: Listener | None = None,
    reload: Reload | None = None,
    comparison: Comparison | None = None,
) -> RunEnd:
    """Play what is left of a competition; `store` holds what was played before.

    comparison: by what `competition` has counted that (`gyoji.scheduler.counting`); None: it is fresh.

    Returns when no game is being played any more: all are stored, or abandoned and to be played again. The
    pool is left to the caller. reload: how to read the control file again when somebody asks for it. Raises
    ConfigError if the stored results do not fit the competition, or a folder cannot be made.
    """
    options = options or RunOptions()
    listener = listener or Silence()
    if comparison is None:
        comparison = Comparison(setup)
        count(store, comparison, competition)
    files_of = partial(GameFiles, files, transcripts=options.transcripts, formats=options.formats)
    game_files = files_of(setup)
    slots = options.parallel or 1
    with ExitStack() as stack:
        journal = Journal(files.log, files.history, listener.warning)
        stack.callback(journal.close)
        current = _Run(
            supply=Supply(
                competition,
                max_games=options.max_games,
                there_is=_there_is(setup, slots),
                rename=comparison.renamed,
                agreeing=options.agreeing,
            ),
            games=InFlight(
                pool,
                slots,
                is_parallel=options.parallel is not None,
                cores=setup.cores,
                id_in=id_variables(names_games=setup.names_games, has_secret=store.secret != 0),
            ),
            keeper=Keeper(store),
            game_files=game_files,
            journal=journal,
            listener=listener,
            reloading=Reloading(reload, setup, store, files_of),
            comparison=comparison,
        )
        requests = {number: partial(current.abandon, reason) for number, reason in _REQUESTS.items()}
        stack.enter_context(pool.wakers.catching(requests))
        terminal = stack.enter_context(keys.listening(pool.wakers, current.on_key))
        with serving(files.socket, pool.wakers, partial(obey, current), listener.warning):
            listener.began(stored=store.count, voids=store.void_count, remaining=competition.remaining())
            journal.began(options.max_games, options.parallel, options.cores)
            current.tell_of_apart()
            end = current.play(terminal)
        listener.ended(end)
        return end


def _there_is(setup: CompetitionSetup, slots: int) -> dict[str, int]:
    """What games have together, of each resource.

    Games with processors of their own need no others. Who wants more games at once than there are processors
    has been heard.
    """
    threads = {} if setup.cores else {THREADS: max(processors(), slots)}
    return threads | dict(setup.resources)


class _Run:
    """The state of one run, and the answers to everything that can happen in it."""

    def __init__(
        self,
        *,
        supply: Supply,
        games: InFlight,
        keeper: Keeper,
        game_files: GameFiles,
        journal: Journal,
        listener: Listener,
        reloading: Reloading,
        comparison: Comparison,
    ) -> None:
        self._supply = supply
        self._games = games
        self._keeper = keeper
        self._game_files = game_files
        self._journal = journal
        self._listener = listener
        self._reloading = reloading
        self._comparison = comparison
        self._outdated: dict[str, tuple[Difference, ...]] = {}  # games in progress that will not count
        self._ending: tuple[ExitStatus, str] | None = None  # why no more games are started
        self._unfinished: list[str] = []
        self._is_paused = False
        self._is_abandoning = False
        self._has_had_key = False

    def play(self, terminal: keys.Keys) -> RunEnd:
        """The loop. What is raised here ends the running games and is passed on."""
        try:
            self._issue()
            while self._games or (self._is_paused and not self._is_stopping):
                self._games.wait()
                terminal.update()
                for progress in self._games.news():
                    self._listener.progress(progress)
                self._settle(sort_out(self._games.ended()))
                self._issue()
            return self._end()
        except BaseException as error:
            how = "finished with error" if isinstance(error, GyojiError) else "finished with internal error"
            self._journal.ended(f"{how} ({error})", self._games.ids)
            self._games.abandon()
            self._rescue()
            raise

    @property
    def _is_stopping(self) -> bool:
        """Whether something other than a limit has ended the starting of games."""
        return self._ending is not None and self._ending[0] is not ExitStatus.COMPLETE

    def _issue(self) -> None:
        while self._games.has_room and (spec := self._next()):
            order = self._games.start(spec, self._game_files.of(spec), watch=self._listener.watches)
            self._journal.started(spec)
            self._listener.started(order)

    def _next(self) -> GameSpec | None:
        """The game to start now."""
        if self._is_paused or self._is_stopping:
            return None
        try:
            spec = self._supply.next()
        except Misfit as error:
            self._stop(ExitStatus.HALTED, str(error))
            return None
        if spec is None and self._supply.is_cut_off:
            self._stop(ExitStatus.COMPLETE, "max-games reached for this run")
        return spec

    def _settle(self, batch: Batch) -> None:
        """Take games that have ended, with whatever came of them."""
        self._unfinished += batch.abandoned
        for failed in batch.voids:
            spec, void = failed.spec, failed.void
            attempt = self._supply.fail(spec, by_death=failed.by_death)
            self._keeper.take_void(failed, attempt)
            self._journal.voided(void, failed.log)
            self._listener.voided(void, attempt)
            self._listener.warning(f"game {spec.id} -- {void.reason}")
            if self._supply.is_hopeless(spec.id):
                self._stop(ExitStatus.HALTED, f"game {spec.id} was void {attempt} times: {void.reason}")
        for finished in batch.finished:
            self._supply.settle(finished.game.spec.id)
            self._keeper.take(finished)
        self._store()

    def _store(self) -> None:
        """Store what is not stored yet, then tell everybody. A failure keeps it for the next time."""
        try:
            stored = self._keeper.store()
        except StoreFailure as failure:
            kept = len(self._keeper.unstored)
            self._listener.warning(f"{failure}; {kept} finished game{'s' * (kept != 1)} not stored yet")
            self._stop(ExitStatus.HALTED, str(failure))
            return
        for game, log, is_new in stored:
            if not is_new:
                self._listener.warning(f"game {game.spec.id} was stored already: the first result stands")
                continue
            self._count(game.result)
            self._journal.finished(game.result, log, self._history(game.result))
            self._listener.finished(game.result)
            for warning in game.result.warnings:
                self._listener.warning(f"game {game.spec.id}: {warning}")

    def _count(self, result: GameResult) -> None:
        """A result is stored: it counts, unless the settings have changed while it was played."""
        if differences := self._outdated.pop(result.id, ()):
            self._comparison.set_apart(result, differences)
        else:
            self._supply.add(plain(result))

    def tell_of_apart(self) -> None:
        """Which stored games do not count, and why."""
        for line in apart_lines(self._comparison):
            self._journal.log(line)
            self._listener.warning(line)

    def _history(self, result: GameResult) -> Iterable[str]:
        return history_lines(self._reloading.setup.kind, self._supply.competition, result)

    def _stop(self, status: ExitStatus, reason: str) -> None:
        """Start nothing more. What is wrong with the run counts more than somebody's wish, and that more
        than a limit."""
        if self._ending == (status, reason):
            return
        ranks = (ExitStatus.COMPLETE, ExitStatus.STOPPED, ExitStatus.HALTED)
        if self._ending is None or ranks.index(status) > ranks.index(self._ending[0]):
            self._ending = status, reason
        self._journal.halting(reason)
        self._listener.stopping(reason, self._games.ids)

    def abandon(self, reason: str) -> None:
        """End the running games now."""
        if not self._is_abandoning:
            self._is_abandoning = True
            self._stop(ExitStatus.STOPPED, reason)
            self._games.abandon()

    def _rescue(self) -> None:
        """After an error: what has ended by now is stored all the same."""
        for finished in sort_out(self._games.ended()).finished:
            self._keeper.take(finished)
        with suppress(StoreFailure):
            self._keeper.store()

    def _end(self) -> RunEnd:
        if self._keeper.is_behind:
            self._store()
        unstored = self._keeper.unstored
        if not unstored:
            self._check_store()
        else:
            names = " ".join(unstored)
            self._journal.log(f"not stored, and to be played again: {names}")
            self._listener.warning(f"finished but not stored, and to be played again: {names}")
        status, reason = self._ending or (ExitStatus.COMPLETE, "")
        is_done = not self._unfinished and self._supply.remaining == 0
        if status is ExitStatus.STOPPED and is_done:
            status, reason = ExitStatus.COMPLETE, ""
        self._journal.ended("interrupted" if self._unfinished else "finished", self._unfinished)
        return RunEnd(
            status=status,
            reason=reason,
            finished=self._keeper.finished,
            voids=self._keeper.voids,
            unstored=unstored,
        )

    def _check_store(self) -> None:
        """A run does not end well whose results are not there any more."""
        try:
            self._keeper.check()
        except StoreFailure as failure:
            self._stop(ExitStatus.HALTED, str(failure))

    def on_key(self) -> None:
        """Ctrl-X: the first lets running games finish, the second does not."""
        if self._has_had_key:
            self.abandon("terminal request, twice")
        else:
            self._has_had_key = True
            self._stop(ExitStatus.STOPPED, "terminal request")

    # What other processes may do: see `gyoji.scheduler.commands`

    def request_stop(self) -> None:
        self._stop(ExitStatus.STOPPED, "stop command")

    def pause(self) -> None:
        """Start nothing more until `resume`. A run that is paused does not end, but can be stopped."""
        if not self._is_paused:
            self._is_paused = True
            self._tell("paused")

    def resume(self) -> None:
        if self._is_paused:
            self._is_paused = False
            self._tell("resumed")

    def set_parallel(self, slots: int) -> None:
        """Play so many games at once; those in progress finish. Raises ConfigError for too few processors."""
        if slots != self._games.slots:
            self._games.resize(slots)
            self._provide()
            self._tell(f"{slots} game{'s' * (slots != 1)} at once")

    def reload(self) -> None:
        """Go on with the competition as the control file describes it now; with all of it, or not at all."""
        if self._is_stopping:
            raise ConfigError("the run is stopping: it will read the control file when it is run again")
        renewed = self._reloading.renew(self._games.specs)
        self._supply.replace(renewed.competition, renewed.overlap)
        self._comparison.become(renewed.comparison)
        self._outdated = dict(renewed.outdated)
        self._provide()
        self._game_files = renewed.game_files
        if self._ending and not self._supply.is_cut_off:
            self._ending = None
        self._listener.reloaded(renewed.fresh, renewed.competition, remaining=self._supply.remaining)
        self._tell("control file read again")
        self.tell_of_apart()

    def _provide(self) -> None:
        self._supply.provide(_there_is(self._reloading.setup, self._games.slots))

    def _tell(self, what: str) -> None:
        self._journal.steered(what)
        self._listener.steered(what, paused=self._is_paused)

    def status(self) -> Mapping[str, Any]:
        return {
            "pid": os.getpid(),
            "games": self._games.describe(),
            "players": sorted(self._reloading.setup.players),
            "parallel": self._games.slots,
            "paused": self._is_paused,
            "finished": self._keeper.finished,
            "voids": self._keeper.voids,
            "remaining": self._supply.remaining,
            "free": self._supply.free,
            "stopping": self._ending[1] if self._ending else None,
        }
