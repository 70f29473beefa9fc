"""The course of a run: issue -> play -> store -> tell, until nothing is left or somebody has had enough.

The only loop around games. It decides nothing about the competition (`Competition.add` and `next_game` do)
and keeps nothing that it would miss: after a crash at any point, folding what is stored gives the same
competition, which issues exactly the games that are not stored.

A game is stored before anything else happens with it, and games that end at nearly the same moment together:
a commit costs more than what is written in it. Void
games are played again, until they are set aside (`gyoji.pairing.failures` says when).
"""

from collections.abc import Iterable
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from gyoji.core.faults import ConfigError, GyojiError
from gyoji.core.ports import FixesGames, adapts, offers
from gyoji.core.record import GameResult, VoidGame
from gyoji.core.setup import CompetitionSetup
from gyoji.core.text import counted
from gyoji.pairing.comparison import Difference
from gyoji.pairing.failures import NOT_TRIED, Failures, SetAside
from gyoji.pairing.games import plain
from gyoji.play.game_files import write_records
from gyoji.play.loop import Alarm
from gyoji.play.order import Report
from gyoji.scheduler.attendance import Attendance, absence
from gyoji.scheduler.control import Keys
from gyoji.scheduler.event import Counted
from gyoji.scheduler.events import Journal, Listener
from gyoji.scheduler.games import GamesInProgress, IssuedGame, ResultWriter
from gyoji.scheduler.reload import Reloading
from gyoji.scheduler.resources import Misfit, people
from gyoji.scheduler.status import ExitStatus, RunEnd, Stopping, Streak
from gyoji.scheduler.supply import Supply
from gyoji.store.layout import StoreFailure
from gyoji.tables.event import tables_of
from gyoji.tables.remarks import apart_lines, aside_line, aside_lines

MOST_NAMED = 5
"""How many games a message names."""

TOGETHER_SECONDS = 0.02
"""How long a finished game waits for others to be stored with, at most."""


class Course(Struct, kw_only=True, eq=False, dict=True):
    """The state of one run, and the answers to everything that can happen in it.

    counted    the stored games that do not count, or failed.
    is_paused  no games are started until somebody says so.
    """

    supply: Supply
    games: GamesInProgress
    results: ResultWriter
    journal: Journal
    listener: Listener
    reloading: Reloading
    counted: Counted
    stopping: Stopping
    attendance: Attendance
    is_paused: bool = False

    def __post_init__(self) -> None:
        self._streak = Streak(len(self.setup.players))
        self._outdated: dict[str, tuple[Difference, ...]] = {}  # games in progress that will not count
        self._unfinished: list[str] = []
        self._is_due = False  # what is not stored yet is to be stored now
        self._is_waiting = False  # for more to be stored with it
        self._look: Alarm | None = None  # at who has not shown up

    @property
    def setup(self) -> CompetitionSetup:
        """The setup that the control file gave when it was last read."""
        return self.reloading.setup

    def play(self, terminal: Keys) -> RunEnd:
        """The loop. What is raised here ends the running games and is passed on."""
        try:
            self._issue()
            self._rule_on_absent()
            while self.games or (self._is_waiting_for_others and not self.stopping):
                self.journal.flush()
                self.games.wait()
                terminal.update()
                for progress in self.games.news():
                    self.listener.progress(progress)
                self._settle(self.games.ended())
                self._issue()
                self._rule_on_absent()
                if self._is_due:
                    self._store()
            return self._end()
        except BaseException as error:
            how = "finished with error" if isinstance(error, GyojiError) else "finished with internal error"
            self.journal.ended(f"{how} ({error})", self.games.ids)
            self.games.abandon()
            self._rescue()
            raise

    @property
    def _is_waiting_for_others(self) -> bool:
        """Whether there may be more to play, though nothing is played now."""
        is_without_place = not self.games.slots and self.supply.remaining != 0
        return self.is_paused or self.supply.awaits_people or is_without_place

    def _issue(self) -> None:
        while self.games.has_room and (game := self._next()):
            files = self.reloading.game_files.of(game.spec)
            order = self.games.start(game, files, watch=self.listener.watches)
            self.journal.started(game.spec)
            self.listener.started(order)

    def _rule_on_absent(self) -> None:
        """Rule on the games for which persons have not shown up in time, and look again in time."""
        show_up = self.setup.show_up
        while True:
            due, seconds = self.attendance.look(show_up, goes_on=not (self.is_paused or self.stopping))
            for game, persons in due:
                self.supply.withdraw(game)
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
        self._look = None if seconds is None else self.games.call_later(seconds, lambda: None)

    def _next(self) -> IssuedGame | None:
        """The game to start now."""
        while not (self.is_paused or self.stopping):
            try:
                game = self.supply.next()
            except Misfit as error:
                self.stopping.stop(ExitStatus.HALTED, str(error))
                return None
            has_skipped = self._store_skipped()
            if game is None and self.supply.is_cut_off:
                self.stopping.stop(ExitStatus.COMPLETE, "max-games reached for this run")
            elif game is None and self.supply.is_idle:
                self.stopping.stop(ExitStatus.STOPPED, "only games of suspended players are left")
            elif game is None and has_skipped:
                continue
            return game
        return None

    def _store_skipped(self) -> bool:
        """Store which games are not tried, because of a player that is suspended; whether there were any."""
        skipped = self.supply.take_skipped()
        for spec, void in skipped:
            self.results.take_void(void, NOT_TRIED)
            self.journal.log(f"game {spec.id} is not played: {void.reason}")
        if skipped:
            self._store()
        return bool(skipped)

    def _settle(self, games: Iterable[IssuedGame]) -> None:
        """Take games that have ended, with whatever came of them."""
        given_up: list[SetAside] = []
        for game in games:
            report = game.report()
            if report is None:
                self._unfinished.append(game.id)
            elif report.void:
                self._fail(game, report.void, report.log)
                given_up += filter(None, [self.supply.set_aside.get(game.id)])
            else:
                self.supply.settle(game)
                self.results.take(report)
                self._streak.end()
        if self._can_wait:
            self._store_soon()
        else:
            self._store()
        for aside in given_up:
            self._give_up(aside)

    @property
    def _can_wait(self) -> bool:
        """Whether the next games can be started before what is not stored yet is stored and counted."""
        competition = self.supply.competition
        is_fixed = offers(competition, FixesGames) and competition.has_fixed_games
        return is_fixed and not self.setup.suspend_crashes and not self.results.has_voids

    def _store_soon(self) -> None:
        """Store what is not stored yet in a moment, with what ends until then."""
        if self.results.is_behind and not self._is_waiting:
            self._is_waiting = True
            self.games.call_later(TOGETHER_SECONDS, self._due)

    def _due(self) -> None:
        self._is_waiting, self._is_due = False, True

    def _fail(self, game: IssuedGame, void: VoidGame, log: Iterable[str]) -> None:
        """Take a game that came to nothing, which is played again; or it is set aside now."""
        if game.restarted:
            void, game.restarted = replace(void, restarted=True), False
        attempt = self.supply.fail(game, void)
        self.results.take_void(void, attempt)
        self.journal.voided(void, log)
        self.listener.voided(void, attempt)
        self.listener.warning(f"game {game.id} -- {void.reason}")

    def _give_up(self, game: SetAside) -> None:
        """A game is set aside, and stored as that."""
        self._note(aside_line(game))
        self.supply.give_up(game)
        self._streak.add(game.players)
        if self._streak.is_of_machine:
            reason = f"too many games in a row failed, whoever played: {game.last.reason}"
            self.stopping.stop(ExitStatus.HALTED, reason)

    def _store(self) -> None:
        """Store what is not stored yet, then tell everybody. A failure keeps it for the next time."""
        self._is_due = False
        try:
            stored = self.results.store()
        except StoreFailure as failure:
            kept = len(self.results.unstored)
            self.listener.warning(f"{failure}; {counted(kept, 'finished game')} not stored yet")
            self.stopping.stop(ExitStatus.HALTED, str(failure))
            return
        self.games.stored([game.spec.id for game, _, _ in stored])
        for game, log, is_new in stored:
            result = game.result
            if not is_new:
                self.listener.warning(f"game {result.id} was stored already: the first result stands")
                continue
            self._count(result)
            self.journal.finished(result, log, self._history(result))
            self.listener.finished(result)
            for warning in result.warnings:
                self.listener.warning(f"game {result.id}: {warning}")

    def _count(self, result: GameResult) -> None:
        """A result is stored: it counts, unless the settings have changed while it was played."""
        if differences := self._outdated.pop(result.id, ()):
            self.counted.comparison.set_apart(result, differences)
        else:
            self.supply.add(plain(result))

    def tell_of_before(self) -> None:
        """Tell which games of earlier runs do not count or are not played any more, and why."""
        for line in (*apart_lines(self.counted.comparison), *aside_lines(self.counted.failures)):
            self._note(line)

    def _note(self, line: str) -> None:
        """A line for the log and for the organiser."""
        self.journal.log(line)
        self.listener.warning(line)

    def _history(self, result: GameResult) -> Iterable[str]:
        return tables_of(self.setup, self.supply.competition).history(result)

    def _rescue(self) -> None:
        """After an error: what has ended by now is stored all the same."""
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
            self._check_store()
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
            set_aside=tuple(self.supply.set_aside),
            unstored=unstored,
        )

    def _outcome(self) -> tuple[ExitStatus, str]:
        """How the run has ended, and why if not all was played."""
        status, reason = self.stopping.reason or (ExitStatus.COMPLETE, "")
        if status is ExitStatus.STOPPED and not self._unfinished and self.supply.remaining == 0:
            status, reason = ExitStatus.COMPLETE, ""
        left = list(self.supply.set_aside)
        if status is ExitStatus.COMPLETE and left:
            names = " ".join((*left[:MOST_NAMED], *(["..."] if len(left) > MOST_NAMED else [])))
            return ExitStatus.SET_ASIDE, f"{counted(len(left), 'game')}: {names}"
        return status, reason

    def _check_store(self) -> None:
        """A run does not end well whose results are not there any more."""
        try:
            self.results.check()
        except StoreFailure as failure:
            self.stopping.stop(ExitStatus.HALTED, str(failure))

    # How others steer it, by `gyoji.scheduler.commands`

    def reload(self, *, retry: bool = False) -> None:
        """Go on with the competition as the control file describes it now; with all of it, or not at all.

        retry: games that are set aside are played again, also those of suspended players. Raises ConfigError.
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
        self.supply.replace(renewed.competition, renewed.overlap)
        self.counted.comparison.become(renewed.comparison)
        self._outdated = dict(renewed.outdated)
        if self.stopping.reason and not self.supply.is_cut_off:
            self.stopping.lift()
        self.listener.reloaded(renewed.fresh, renewed.competition, remaining=self.supply.remaining)
        self.tell("set-aside games are played again" if retry else "control file read again")
        self.tell_of_before()
        self.provide()

    def purge(self, host: str, *, because: str, who: str) -> None:
        """Take back the games of a host, and play them again. Raises ConfigError."""
        if adapts(self.supply.competition):
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

    def follow(self) -> None:
        """The pool has more slots now, or fewer, or other hosts."""
        self.games.follow()
        self.provide()
        names = " ".join(host.name for host in self.games.hosts if host.slots)
        self.journal.log(f"{self.games.slots} games at once, on {names or 'no host'}")

    def provide(self) -> None:
        """Have games wait for what there is now."""
        self.supply.provide({**self.games.shared(self.setup.resources), **people(self.setup)})

    def warn(self, text: str) -> None:
        """The pool has something to say to whoever runs the competition."""
        self.journal.log(text)
        self.listener.warning(text)

    def tell(self, what: str) -> None:
        """Somebody has changed how the run goes on."""
        self.journal.steered(what)
        self.listener.steered(what, paused=self.is_paused)
