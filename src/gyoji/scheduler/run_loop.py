"""The loop of a run: start games, store and report their results, until nothing is left.

The competition decides which games there are (`Competition.next_game` and `add`). The loop keeps no state
that a crash could lose: a new competition to which the stored results are added issues exactly the games that
are not stored.
"""

# Theory of operation
#
# One thread, one event loop, which belongs to the pool. `play` sleeps in it until something has happened, and
# then makes one round:
#
#      +--> games.wait()          the pool, control socket, keyboard, signals and hooks run in here
#      |    _settle(ended games)  reports become results; void games go back to the queue
#      |    _issue()              while there is room: queue -> pool
#      +--- _rule_on_absent()     human players that did not show up in time
#
# The way of a game:
#
#   competition.next_game() -> GameQueue -> GamesInProgress (a pool plays it) -> Report
#         ^                       ^                                               |
#         |                       | void: played again, or skipped                v
#      competition.add() <--- stored <------------------------------------- ResultWriter
#
# Order of steps that matters:
# * A result is stored before it counts, is logged, shown or reported to watchers. After a crash nothing has
#   been announced that is not in the database.
# * Hosts may delete their copy of a report only after the commit (`Pool.stored`).
# * Results wait up to `TOGETHER_SECONDS` for others, because a commit costs more than the rows in it, but
#   only where the next games do not depend on them (`_can_wait`): elsewhere `next_game` has to see every
#   result.
# * A void game is stored as well. How often a game has failed decides when it is skipped, and that has to
#   survive a restart.
#
# What can go wrong: a store that cannot be written (the disk is full) keeps its results in `ResultWriter` and
# halts the run; they are tried once more at the end. An exception in this loop abandons the games in
# progress, stores what has ended by then, and is raised again.
#
# The methods at the end are called from inside `games.wait()`: those of `gyoji.scheduler.commands`, and those
# of `PoolListener`. They never start games themselves: the round that follows does.

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from msgspec.structs import replace

from gyoji.core.faults import ConfigError, GyojiError
from gyoji.core.ports import FixesGames, adapts, supports
from gyoji.core.record import VoidGame
from gyoji.core.setup import CompetitionSetup
from gyoji.core.text import counted
from gyoji.play.game_files import write_records
from gyoji.play.live_updates import Live
from gyoji.play.loop import Alarm
from gyoji.play.order import Progress, Report
from gyoji.play.remote_seats import RemoteNews
from gyoji.play.seats import SeatNews
from gyoji.results.comparison import Difference
from gyoji.results.failures import NOT_TRIED, Failures, SkippedGame
from gyoji.results.game_ids import plain
from gyoji.scheduler.attendance import Attendance, absence
from gyoji.scheduler.control import Keys
from gyoji.scheduler.event import Counted
from gyoji.scheduler.events import Journal, Listener
from gyoji.scheduler.feed import Feed
from gyoji.scheduler.game_queue import GameQueue
from gyoji.scheduler.issued_games import GamesInProgress, IssuedGame, ResultWriter
from gyoji.scheduler.pool import PoolListener
from gyoji.scheduler.reload import Reloading
from gyoji.scheduler.resources import UnsatisfiableResource, people
from gyoji.scheduler.status import ExitStatus, RunEnd, Stopping, Streak
from gyoji.store.layout import StoreFailure
from gyoji.tables.event_tables import tables_of
from gyoji.tables.notes import excluded_lines, skipped_line, skipped_lines

MOST_NAMED = 5
"""Number of games that a message names."""

TOGETHER_SECONDS = 0.02
"""Seconds that a finished game waits for others, to be stored in one transaction."""


@dataclass(kw_only=True, eq=False)
class RunLoop(PoolListener):
    """The state of one run, and its reactions to all events.

    Attributes:
        counted: Stored games that do not count, failed games, and suspended players.
        is_paused: Whether a command has paused the run, so that it starts no games.
    """

    queue: GameQueue
    games: GamesInProgress
    results: ResultWriter
    journal: Journal
    listener: Listener
    feed: Feed
    reloading: Reloading
    counted: Counted
    stopping: Stopping
    attendance: Attendance
    is_paused: bool = False
    _outdated: dict[str, tuple[Difference, ...]] = field(default_factory=dict)  # in progress, will not count
    _unfinished: list[str] = field(default_factory=list)
    _is_waiting: bool = False  # for more results to be stored together
    _look: Alarm | None = None  # for the next time limit of absent human players

    def __post_init__(self) -> None:
        self._streak = Streak(len(self.setup.players))

    @property
    def setup(self) -> CompetitionSetup:
        """Content of the control file as it was last read."""
        return self.reloading.setup

    def play(self, terminal: Keys) -> RunEnd:
        """Play until no game is left or the run is stopped.

        After an exception the games in progress are abandoned, and the exception is raised again.
        """
        try:
            self._issue()
            self._rule_on_absent()
            while self.games or (self._is_waiting_for_others and not self.stopping):
                self.journal.flush()
                self.games.wait()
                terminal.update()
                self._settle(self.games.ended())
                self._issue()
                self._rule_on_absent()
            return self._end()
        except BaseException as error:
            how = "finished with error" if isinstance(error, GyojiError) else "finished with internal error"
            self.journal.ended(f"{how} ({error})", self.games.ids)
            self.games.pool.abandon()
            self._rescue()
            raise

    @property
    def _is_waiting_for_others(self) -> bool:
        """Whether games may still come although none is in progress.

        That is so while the run is paused, and while games wait for a machine of the cluster or for a human
        or remote player.
        """
        is_without_place = not self.games.slots and self.queue.remaining != 0
        return self.is_paused or self.queue.ready.awaits_people or is_without_place

    def _issue(self) -> None:
        while self.games.has_room and (game := self._next()):
            files = self.reloading.game_files.of(game.spec)
            order = self.games.start(game, files, watch=self.listener.watches)
            self.journal.started(game.spec)
            self.listener.started(order)

    def _rule_on_absent(self) -> None:
        """Decide the games whose human or remote players did not show up in time.

        Set an alarm for the moment at which the time of a further game will be over.
        """
        show_up = self.setup.show_up
        while True:
            due, seconds = self.attendance.look(show_up, goes_on=not (self.is_paused or self.stopping))
            for game, persons in due:
                self.queue.withdraw(game)
                spec, record = game.spec, absence(game.spec, persons, show_up)
                game_files = self.reloading.game_files
                troubles = write_records(game_files.of(spec).below(game_files.folder), spec, record)
                self.results.take(Report.of(spec, record, tuple(troubles)))
            if not due:
                break
            self._store()
            self._issue()
        if self._look is not None:
            self._look.retire()
        self._look = None if seconds is None else self.games.pool.loop.call_later(seconds, lambda: None)

    def _next(self) -> IssuedGame | None:
        """Return the game to start now, or None."""
        while not (self.is_paused or self.stopping):
            try:
                game = self.queue.next()
            except UnsatisfiableResource as error:
                self.stopping.stop(ExitStatus.HALTED, str(error))
                return None
            has_skipped = self._store_newly_skipped()
            if game is None and self.queue.is_cut_off:
                self.stopping.stop(ExitStatus.COMPLETE, "max-games reached for this run")
            elif game is None and self.queue.is_idle:
                self.stopping.stop(ExitStatus.STOPPED, "only games of suspended players are left")
            elif game is None and has_skipped:
                continue
            return game
        return None

    def _store_newly_skipped(self) -> bool:
        """Store the games that are skipped because a player is suspended. Return whether there were any."""
        skipped = self.queue.take_newly_skipped()
        for spec, void in skipped:
            self.results.take_void(void, NOT_TRIED)
            self.journal.log(f"game {spec.id} is not played: {void.reason}")
        if skipped:
            self._store()
        return bool(skipped)

    def _settle(self, games: Sequence[IssuedGame]) -> None:
        """Handle games that have ended: store results now or soon, return void games to the queue.

        A void game that has failed too often is skipped instead.
        """
        if not games:  # what could not be stored is tried again with the next game, not at each event
            return
        given_up: list[SkippedGame] = []
        for game in games:
            report = game.report()
            if report is None:
                self._unfinished.append(game.id)
            elif report.void:
                self._fail(game, report.void, report.log)
                given_up += filter(None, [self.queue.skipped.get(game.id)])
            else:
                self.queue.settle(game)
                self.results.take(report)
                self._streak.end()
        if self._can_wait:
            self._store_soon()
        else:
            self._store()
        for skipped in given_up:
            self._give_up(skipped)

    @property
    def _can_wait(self) -> bool:
        """Whether storing results may wait.

        False if the next games or suspensions depend on results, or if a failed game is not stored yet.
        """
        competition = self.queue.competition
        is_fixed = supports(competition, FixesGames) and competition.has_fixed_games
        return is_fixed and not self.setup.suspend_crashes and not self.results.has_voids

    def _store_soon(self) -> None:
        """Store results after `TOGETHER_SECONDS`: those so far, and those that come in until then."""
        if self.results.is_behind and not self._is_waiting:
            self._is_waiting = True
            self.games.pool.loop.call_later(TOGETHER_SECONDS, self._store)

    def _fail(self, game: IssuedGame, void: VoidGame, log: Iterable[str]) -> None:
        """Record a failed attempt at a game. The queue decides whether the game is played again or skipped.

        Args:
            log: Lines for the event log.
        """
        if game.restarted:
            void, game.restarted = replace(void, restarted=True), False
        attempt = self.queue.fail(game, void)
        self.results.take_void(void, attempt)
        self.journal.voided(void, log)
        self.listener.voided(void, attempt)
        self.listener.warning(f"game {game.id} -- {void.reason}")

    def _give_up(self, game: SkippedGame) -> None:
        """Skip a game that keeps failing. Halt the run if the machine seems to be the cause."""
        self._note(skipped_line(game))
        self.queue.give_up(game)
        self._streak.add(game.players)
        if self._streak.is_of_machine:
            reason = f"too many games in a row failed, whoever played: {game.last.reason}"
            self.stopping.stop(ExitStatus.HALTED, reason)

    def _store(self) -> None:
        """Store the results so far, add them to the competition, and report them to listeners.

        Results that cannot be stored are kept, and the run halts.
        """
        self._is_waiting = False
        try:
            stored = self.results.store()
        except StoreFailure as failure:
            kept = len(self.results.unstored)
            self.listener.warning(f"{failure}; {counted(kept, 'finished game')} not stored yet")
            self.stopping.stop(ExitStatus.HALTED, str(failure))
            return
        self.games.pool.stored([game.spec.id for game, _, _ in stored])
        for game, log, is_new in stored:
            result = game.result
            if not is_new:
                self.listener.warning(f"game {result.id} was stored already: the first result stands")
                continue
            if differences := self._outdated.pop(result.id, ()):  # settings have changed during the game
                self.counted.comparison.exclude(result, differences)
            else:
                self.queue.add(plain(result))
            history = tables_of(self.setup, self.queue.competition).history(result)
            self.journal.finished(result, log, history)
            self.listener.finished(result)
            for warning in result.warnings:
                self.listener.warning(f"game {result.id}: {warning}")

    def tell_of_before(self) -> None:
        """Report to the organiser the stored games that do not count and the skipped games, with the
        reasons."""
        for line in (*excluded_lines(self.counted.comparison), *skipped_lines(self.counted.failures)):
            self._note(line)

    def _note(self, line: str) -> None:
        """Write a line to the event log and show it to the organiser."""
        self.journal.log(line)
        self.listener.warning(line)

    def _rescue(self) -> None:
        """Store the results that have come in, after an error in the loop."""
        for game in self.games.ended():
            if (report := game.report()) and report.finished:
                self.results.take(report)
        with suppress(StoreFailure):
            self.results.store()

    def _end(self) -> RunEnd:
        if self.results.is_behind:
            self._store()
        unstored = self.results.unstored
        if not unstored:
            try:
                self.results.check()
            except StoreFailure as failure:  # the database has lost results that were stored
                self.stopping.stop(ExitStatus.HALTED, str(failure))
        else:
            names = " ".join(unstored)
            self.journal.log(f"not stored, and to be played again: {names}")
            self.listener.warning(
                f"finished but not stored: {names}; free some space, and give the same command again: it "
                "plays these games anew, and no other that is finished"
            )
        self.journal.ended("interrupted" if self._unfinished else "finished", self._unfinished)
        status, reason = self._outcome()
        return RunEnd(
            status=status,
            reason=reason,
            finished=self.results.finished,
            voids=self.results.voids,
            skipped=tuple(self.queue.skipped),
            unstored=unstored,
        )

    def _outcome(self) -> tuple[ExitStatus, str]:
        """Return (exit status of the run, why games are left in one line or "").

        Games are left if the run ended early or has skipped some.
        """
        status, reason = self.stopping.reason or (ExitStatus.COMPLETE, "")
        if status is ExitStatus.STOPPED and not self._unfinished and self.queue.remaining == 0:
            status, reason = ExitStatus.COMPLETE, ""
        left = list(self.queue.skipped)
        if status is ExitStatus.COMPLETE and left:
            names = " ".join((*left[:MOST_NAMED], *(["..."] if len(left) > MOST_NAMED else [])))
            return ExitStatus.SKIPPED, f"{counted(len(left), 'game')}: {names}"
        return status, reason

    # Called by `gyoji.scheduler.commands`

    def reload(self, *, retry: bool = False) -> None:
        """Read the control file again and go on with the competition that it describes.

        On an error nothing changes.

        Args:
            retry: Whether to play the skipped games again, and those of suspended players.

        Raises:
            ConfigError: The run is stopping, or the file is wrong or does not fit the stored games.
        """
        if self.stopping:
            raise ConfigError("the run is stopping: it will read the control file when it is run again")
        if self.results.is_behind:
            self._store()
        playing = [game.spec for game in self.games.now()]
        renewed = self.reloading.renew(playing, Failures() if retry else self.counted.failures)
        if retry:
            self.counted.failures.forget()
            self.counted.suspensions.forget()
        self.queue.replace(renewed.competition, renewed.overlap)
        self.counted.comparison.become(renewed.comparison)
        self._outdated = dict(renewed.outdated)
        if self.stopping.reason and not self.queue.is_cut_off:
            self.stopping.lift()
        self.listener.reloaded(renewed.fresh, renewed.competition, remaining=self.queue.remaining)
        self.tell("skipped games are played again" if retry else "control file read again")
        self.tell_of_before()
        self.provide()

    def purge(self, host: str, *, because: str, who: str) -> None:
        """Invalidate the stored games of one machine, so that they are played again.

        Args:
            host: Name of the machine.
            because: The organiser's reason.
            who: Name of the organiser.

        Raises:
            ConfigError: The machine has no games that count, the reason is empty, the run is stopping, or
                later games of the competition followed from these.
        """
        if adapts(self.queue.competition):
            raise ConfigError(
                "purge: this competition has gone on from those games: stop it, and take them back then"
            )
        if self.stopping:
            raise ConfigError("purge: the run is stopping: take them back when it has ended")
        if self.results.is_behind:
            self._store()
        purge = self.results.purge(host, because=because, who=who)
        self.reload()
        self.tell(f"{counted(len(purge.games), 'game')} of host {host} taken back: {purge.because}")

    def provide(self) -> None:
        """Tell the queue how much of each resource there is now.

        Human and remote players are resources, too.
        """
        self.queue.provide({**self.games.pool.shared(self.setup.resources), **people(self.setup)})

    def tell(self, what: str) -> None:
        """Log and report a change of the run by a command. `what` is the change in words, such as
        "paused"."""
        self.journal.steered(what)
        self.listener.steered(what, paused=self.is_paused)

    # The events of the pool, as `PoolListener` defines them

    def on_progress(self, progress: Progress) -> None:
        if self.games.note(progress):
            self.listener.progress(progress)

    def on_live(self, live: Live) -> None:
        self.feed.live(live)

    def on_seat(self, news: SeatNews) -> None:
        self.feed.seat(news)

    def on_remote(self, news: RemoteNews) -> None:
        self.feed.remote(news)

    def on_change(self) -> None:
        self.games.follow()
        self.provide()
        names = " ".join(host.name for host in self.games.pool.hosts if host.slots)
        self.journal.log(f"{self.games.slots} games at once, on {names or 'no host'}")
        self.feed.tell_of_hosts()

    def on_warning(self, text: str) -> None:
        self._note(text)
