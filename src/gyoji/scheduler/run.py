"""A run of a competition, put together from its parts. `gyoji.scheduler.run_loop` has the loop."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from signal import SIGHUP, SIGINT, SIGTERM

from msgspec import Struct, field
from msgspec.structs import replace

from gyoji.core.ports import Competition
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
from gyoji.play.context import GOMILL_ID
from gyoji.play.loop import Loop
from gyoji.results.comparison import Comparison
from gyoji.results.game_ids import player_of
from gyoji.results.variants import Refusals
from gyoji.scheduler.attendance import Attendance
from gyoji.scheduler.commands import Commands
from gyoji.scheduler.control import listening, serving
from gyoji.scheduler.event import Counted, Event, Fold, Warn, count
from gyoji.scheduler.events import Journal, Listener, Listeners
from gyoji.scheduler.feed import Feed
from gyoji.scheduler.game_queue import GameQueue
from gyoji.scheduler.hooks import GameHook, Hook, check_commands
from gyoji.scheduler.issued_games import GameFiles, GamesInProgress, ResultWriter
from gyoji.scheduler.pool import Pool
from gyoji.scheduler.reload import Reload, Reloading
from gyoji.scheduler.resources import people, share_out
from gyoji.scheduler.run_loop import RunLoop
from gyoji.scheduler.slots import SlotPool
from gyoji.scheduler.status import RunEnd, Stopping
from gyoji.store.files import CompetitionFiles, RunLock
from gyoji.store.store import Store

_REQUESTS = {
    SIGINT: "interrupted",
    SIGTERM: "asked to end (SIGTERM)",
    SIGHUP: "the terminal has gone (SIGHUP)",
}


class RunOptions(Struct, frozen=True, kw_only=True):
    """Options that may differ between the runs of one competition.

    Attributes:
        parallel: Number of games at once. None: one on this machine, as many as its hosts can play on a
            cluster. If it is given, or the pool has several slots, engines get the number (from 0) of the
            slot in which their game is played.
        max_games: Largest number of games to start, without those played again; None for no limit.
        retry: Whether to play the skipped games again, and those of suspended players.
        transcripts: Whether to write every line of the conversations with engines to files.
        agreeing: Players whose engines have no clean-up phase for dead stones. If `without_cleanup` is
            "players", the engines that play a game with such a player score it.
        found: By player: protocol settings that its engine needs, as the check before the run found.
        refusals: By player: the sets of game options, such as a board size, that its engine refuses. Games of
            this player get other options.
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


def run(  # noqa: PLR0913 - five parts of every run, and five that may be left out
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
    """Play the games of a competition that its database does not have yet.

    The caller holds the run's lock, and closes the pool. On return no game is in progress.

    Args:
        setup: Content of the control file.
        store: The database.
        files: Paths of log, records and control socket.
        pool: Plays the games.
        listener: Gets the events of the run.
        reload: Reads the control file again on command; None if that cannot be done.
        counted: The stored games that do not count, as `count` returned them; None if the stored games were
            not added to `competition` yet.
        share: Ids of the games that this part of a divided competition plays; None for all.

    Raises:
        ConfigError: The stored results do not fit the competition, or a folder cannot be made.
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
        queue = GameQueue(
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
            id_in=(GOMILL_ID,) if setup.names_games else (),  # as gomill promises
        )
        feed = Feed(pool, games.now)
        hook = GameHook(
            setup,
            Hook("on_game", str(files.folder), pool.loop, log=journal.log, warn=listener.warning),
        )
        stack.callback(hook.close)
        shown, listener = listener, Listeners(listener, feed, hook)

        def tell_of_stop(reason: str, finishes: bool) -> None:
            journal.halting(reason)
            listener.stopping(reason, games.ids if finishes else ())

        stopping = Stopping(tell_of_stop, pool.abandon)
        current = RunLoop(
            queue=queue,
            games=games,
            results=ResultWriter(store),
            journal=journal,
            listener=listener,
            feed=feed,
            reloading=reloading,
            counted=counted,
            stopping=stopping,
            attendance=Attendance(queue.ready.waiting, lambda: feed.has_watchers, listener.awaited),
        )
        pool.listener = current
        requests = {number: partial(stopping.abandon, reason) for number, reason in _REQUESTS.items()}
        stack.enter_context(pool.loop.catching(requests))
        terminal = stack.enter_context(listening(pool.loop, stopping.on_key))
        commands = Commands(current)
        with serving(files.socket, pool.loop, commands.obey, listener.warning, feed, pass_on=commands.remote):
            voids, remaining = counted.failures.count, queue.remaining
            listener.began(stored=store.count, voids=voids, remaining=remaining, playing=games.now)
            journal.began(options.max_games, options.parallel, pool.lines())
            current.tell_of_before()
            end = current.play(terminal)
            feed.ended(end)
        shown.ended(end)
        hook.finish()
        return end


def _with_found(spec: GameSpec, found: Mapping[str, Mapping[str, object]]) -> GameSpec:
    """Return the game with the protocol settings of `found` in its players."""
    needed = [found.get(player_of(player.code)) for player in spec.players]
    if not any(needed):
        return spec
    players = [
        replace(player, found=own) if own else player
        for player, own in zip(spec.players, needed, strict=True)
    ]
    return replace(spec, players=tuple(players))


Show = Callable[[Loop], AbstractContextManager[Listener | None]]
"""A function that gets the event loop of a run and returns a context manager of its listener."""


class TakenEvent(Struct, frozen=True):
    """An event that this process has locked, whose stored games are counted, and which is ready to be played.

    Attributes:
        counted: The stored games that do not count.
        pool: Plays the games.
        share: Ids of the games that this part of a divided competition has to play; None for all.
    """

    event: Event
    store: Store
    counted: Counted
    options: RunOptions
    pool: Pool
    share: Collection[str] | None

    @property
    def remaining(self) -> int | None:
        """Number of games left to play; None if endless."""
        return self.event.competition.remaining() if self.share is None else len(self.share)

    def play(self, show: Show, reload: Reload | None = None) -> RunEnd:
        """Play the games that are left.

        Args:
            show: Makes the listener that shows the run, given the event loop.
            reload: Reads the control file again on command; None if that cannot be done.

        Raises:
            ConfigError: The stored results do not fit the competition, or a folder cannot be made.
        """
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
"""A function that makes the pool of a run. Raises ConfigError."""


def slot_pool(event: Event, options: RunOptions) -> Pool:
    """Return the pool of this machine. Raises ConfigError for too few processors."""
    share = partial(share_out, cores=event.setup.cores)
    return SlotPool(options.parallel or 1, share=share, folder=event.files.folder)


def _idle_pool(event: Event, _options: RunOptions) -> Pool:
    """Return a pool that starts no process, for a competition that is over."""
    return SlotPool(1, folder=event.files.folder)


# The lock comes first, so that a second run starts no engine. The store comes next: a folder that cannot be
# written to, or a foreign file, is noticed before anything is started.
@contextmanager
def taking(
    event: Event,
    options: RunOptions,
    warn: Warn,
    open_pool: OpenPool = slot_pool,
    *,
    folds: Iterable[Fold] = (),
) -> Iterator[TakenEvent]:
    """Lock an event, add its stored games to its competition, and open a pool.

    Args:
        event: The event, whose stored games are not counted yet.
        warn: Shows the user a line.
        open_pool: Makes the pool, unless the competition is over.
        folds: Further objects that get each stored result that counts.

    Raises:
        ConfigError: Another run goes on, there are too few processors, or the stored games do not fit the
            control file any more.
    """
    check_commands(event.setup)
    with (
        RunLock(event.files),
        Store.open(
            event.files.database, create=True, competition=event.setup.code, origin=event.origin
        ) as store,
    ):
        event.take_secret(store)
        counted = event.count(store, *folds, retry=options.retry)
        share = event.share(store)
        is_over = (event.competition.remaining() if share is None else len(share)) == 0
        with (_idle_pool if is_over else open_pool)(event, options) as pool:
            yield TakenEvent(event, store, counted, options, pool, share)
