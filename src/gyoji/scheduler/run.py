"""A run of a competition put together; `gyoji.scheduler.course` is how it goes."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from signal import SIGHUP, SIGINT, SIGTERM

from msgspec import Struct, field
from msgspec.structs import replace

from gyoji.core.ports import Competition
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
from gyoji.pairing.comparison import Comparison
from gyoji.pairing.games import player_of
from gyoji.pairing.variants import Refusals
from gyoji.play.loop import Loop
from gyoji.scheduler.attendance import Attendance
from gyoji.scheduler.commands import Commands
from gyoji.scheduler.control import listening, serving
from gyoji.scheduler.course import Course
from gyoji.scheduler.event import Counted, Event, Fold, Warn, count
from gyoji.scheduler.events import Journal, Listener, Listeners
from gyoji.scheduler.feed import Feed
from gyoji.scheduler.games import GameFiles, GamesInProgress, ResultWriter, id_variables
from gyoji.scheduler.hooks import GameHook, Hook, check_commands
from gyoji.scheduler.pool import Pool
from gyoji.scheduler.reload import Reload, Reloading
from gyoji.scheduler.resources import people, share_out
from gyoji.scheduler.slots import SlotPool
from gyoji.scheduler.status import RunEnd, Stopping
from gyoji.scheduler.supply import Supply
from gyoji.store.files import CompetitionFiles, RunLock
from gyoji.store.store import Store

_REQUESTS = {
    SIGINT: "interrupted",
    SIGTERM: "asked to end (SIGTERM)",
    SIGHUP: "the terminal has gone (SIGHUP)",
}


class RunOptions(Struct, frozen=True, kw_only=True):
    """The options that may differ between the runs of one competition.

    parallel     games at the same time; None: one, and it is not told its slot.
    max_games    games to start at most, those played again not counted; None: no limit.
    retry        whether games that are set aside are tried again, and suspended players play.
    transcripts  whether to keep every line between us and the engines.
    agreeing, refusals  players that do not play the clean-up phases, or variants of games: see `Supply`.
    found        by player, settings of its protocol that the check before the run found it to need.
    """

    parallel: int | None = None
    max_games: int | None = None
    retry: bool = False
    transcripts: bool = False
    agreeing: frozenset[str] = frozenset()
    found: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    refusals: Refusals = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.parallel is not None and self.parallel < 1:
            raise ValueError(f"parallel: expected 1 or more games at once, or None, got {self.parallel}")
        if self.max_games is not None and self.max_games < 0:
            raise ValueError(f"max_games: expected 0 or more, or None, got {self.max_games}")


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
    counted: Counted | None = None,
    share: Collection[str] | None = None,
) -> RunEnd:
    """Play what is left of a competition; `store` holds what was played before. The caller holds the lock.

    counted: what came of counting that for `competition` (`gyoji.scheduler.event.count`); None: it is fresh.
    share: the games of this shard, as `Supply` has it; None: all.

    Returns when no game is being played any more: all are stored, or abandoned and to be played again. The
    pool is left to the caller. reload: how to read the control file again when somebody asks for it. Raises
    ConfigError if the stored results do not fit the competition, or a folder cannot be made.
    """
    options = options or RunOptions()
    listener = listener or Listener()
    if counted is None:
        counted = count(store, Comparison(setup), competition, retry=options.retry)
    files_of = partial(GameFiles, files, transcripts=options.transcripts)
    reloading = Reloading(reload, setup, store, files_of)
    with ExitStack() as stack:
        journal = Journal(files.log, files.history, listener.warning)
        stack.callback(journal.close)
        supply = Supply(
            competition,
            max_games=options.max_games,
            share=share,
            there_is={**pool.shared(setup.resources), **people(setup)},
            rename=lambda spec: _with_found(counted.comparison.renamed(spec), options.found),
            agreeing=options.agreeing,
            refusals=options.refusals,
            failures=counted.failures,
            suspensions=counted.suspensions,
        )
        games = GamesInProgress(
            pool,
            is_parallel=options.parallel is not None or pool.slots != 1,
            id_in=id_variables(names_games=setup.names_games, has_secret=store.secret != 0),
        )
        feed = Feed(games.now, pool.tell_moves)
        feed.hosts, feed.call_later = (lambda: pool.hosts), pool.loop.call_later
        pool.on_live, pool.on_seat = feed.live, feed.seat
        attendance = Attendance(supply.waiting, lambda: feed.has_watchers, feed.awaited)
        feed.awaits = attendance.awaited
        hook = GameHook(
            setup,
            Hook("on_game", str(files.folder), pool.loop, log=journal.log, warn=listener.warning),
        )
        stack.callback(hook.close)
        shown, listener = listener, Listeners(listener, feed, hook)
        stopping = Stopping(partial(_tell_of_stop, games, journal, listener), games.abandon)
        current = Course(
            supply=supply,
            games=games,
            results=ResultWriter(store),
            journal=journal,
            listener=listener,
            reloading=reloading,
            counted=counted,
            stopping=stopping,
            attendance=attendance,
        )
        pool.on_change, pool.on_warning = partial(_follow, current, feed), current.warn
        requests = {number: partial(stopping.abandon, reason) for number, reason in _REQUESTS.items()}
        stack.enter_context(pool.loop.catching(requests))
        terminal = stack.enter_context(listening(pool.loop, stopping.on_key))
        with serving(files.socket, pool.loop, Commands(current).obey, listener.warning, feed):
            voids, remaining = counted.failures.count, supply.remaining
            listener.began(stored=store.count, voids=voids, remaining=remaining, playing=games.now)
            journal.began(options.max_games, options.parallel, pool.lines())
            current.tell_of_before()
            end = current.play(terminal)
            feed.ended(end)
        shown.ended(end)
        hook.finish()
        return end


def _with_found(spec: GameSpec, found: Mapping[str, Mapping[str, object]]) -> GameSpec:
    """Return the game with the settings that its players were found to need."""
    needed = [found.get(player_of(player.code)) for player in spec.players]
    if not any(needed):
        return spec
    players = [
        replace(player, found=own) if own else player
        for player, own in zip(spec.players, needed, strict=True)
    ]
    return replace(spec, players=tuple(players))


def _follow(current: Course, feed: Feed) -> None:
    """The pool has other slots or hosts."""
    current.follow()
    feed.tell_of_hosts()


def _tell_of_stop(
    games: GamesInProgress, journal: Journal, listener: Listener, reason: str, finishes: bool
) -> None:
    journal.halting(reason)
    listener.stopping(reason, games.ids if finishes else ())


Show = Callable[[Loop], AbstractContextManager[Listener | None]]
"""Makes the listener of a run that waits in this loop."""


class TakenEvent(Struct, frozen=True):
    """An event that this process alone plays; all that is stored has been counted in it."""

    event: Event
    store: Store
    counted: Counted
    options: RunOptions
    pool: Pool
    share: Collection[str] | None

    @property
    def remaining(self) -> int | None:
        """How many games are left to be played; None for endless."""
        return self.event.competition.remaining() if self.share is None else len(self.share)

    def play(self, show: Show, reload: Reload | None = None) -> RunEnd:
        """Play what is left. reload: how to read the control file again. Raises ConfigError."""
        event = self.event
        options = replace(self.options, agreeing=event.agreeing, found=event.found, refusals=event.refusals)
        with self.pool as pool, show(pool.loop) as listener:
            end = run(
                event.setup,
                event.competition,
                self.store,
                event.files,
                pool,
                options=options,
                listener=listener,
                reload=reload,
                counted=self.counted,
                share=self.share,
            )
            pool.wind_up()  # it does so while the listener tells of the end
        event.suspended = self.counted.suspensions.all()
        return end


OpenPool = Callable[[Event, RunOptions], Pool]
"""Makes the pool of a run. Raises ConfigError."""


def slot_pool(event: Event, options: RunOptions) -> Pool:
    """The pool of this machine. Raises ConfigError for too few processors."""
    share = partial(share_out, cores=event.setup.cores)
    return SlotPool(options.parallel or 1, share=share, folder=event.files.folder)


def _idle_pool(event: Event, _options: RunOptions) -> Pool:
    """The pool of a run for which nothing is left: it starts nothing, and connects to nobody."""
    return SlotPool(1, folder=event.files.folder)


@contextmanager
def taking(
    event: Event,
    options: RunOptions,
    warn: Warn,
    open_pool: OpenPool = slot_pool,
    *,
    folds: Iterable[Fold] = (),
) -> Iterator[TakenEvent]:
    """Take an event, whose competition is fresh, to play it; warn: as `Event.take_secret`.

    folds: others than the competition that the stored games are added to.

    The lock comes first, so that a second run starts no engine; the store next, so that a folder that cannot
    be written to, or a foreign file, is noticed before anything is started. Raises ConfigError if another run
    goes on, there are too few processors, or what is stored does not fit the control file any more.
    """
    check_commands(event.setup)
    with (
        RunLock(event.files),
        Store.open(
            event.files.database, create=True, competition=event.setup.code, origin=event.origin
        ) as store,
    ):
        event.take_secret(store, warn)
        counted = event.count(store, *folds, retry=options.retry)
        share = event.share(store)
        is_over = (event.competition.remaining() if share is None else len(share)) == 0
        with (_idle_pool if is_over else open_pool)(event, options) as pool:
            yield TakenEvent(event, store, counted, options, pool, share)
