"""One running game: it connects the referee with a link to the engine of each seat."""

# Theory of operation
#
# A `Game` connects two things that do not know each other. The referee is pure: it gets events and returns
# actions. A link does I/O with one engine and reports events to its listener, the game.
#
#     set_up -> Game -- begin --> engines prepared --> moves --> engines gone --> done(report)
#
#     the link reports                    the referee returns
#       reply: on_reply                     Send:    Link.send
#       deadline: on_expiry   ---->         Wait:    Link.wait
#       process ended: on_closed            Dismiss: Link.dismiss, or the pool keeps the engine
#
# * Everything runs in one thread, in the callbacks of one event loop. A new game does nothing until `begin`
#   is called and the loop runs. It ends by calling `done` exactly once: with a report, or with None after
#   `abandon`.
# * A game ends when every seat is in `_closings`: its engine has ended, or stays in the pool for the next
#   game.
# * `_to_move` is memory shared with the scheduler. If the worker dies, it still says which seats were to
#   move. If only one player was, the death is blamed on that player.
# * A failure of gyoji, of the machine or of a helper process goes through `on_failure`. Before the decision
#   it makes the game void; afterwards it becomes a `late` line. No failure in `_finish` keeps the game from
#   ending, because the worker would wait for ever.
# * `_stayed` holds the seats whose engine has played before. If such an engine cannot be prepared again and
#   its player's `restart` is "auto", a new engine takes the seat. With "off" the failure is its fault.
# * The referee's `account` callback is a lambda that holds the list of engines and not the game: a reference
#   cycle would keep each finished game in memory until a garbage collection, which workers run only now and
#   then.

import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from types import MappingProxyType
from typing import Final

from msgspec.structs import replace

from gyoji.core.faults import Breakdown, GyojiError, ProcessLost
from gyoji.core.messages import REMARKS, AskMove, ImposeMove, NewGame, Ready, Reply, Scored
from gyoji.core.plugins import GAMES
from gyoji.core.ports import EngineStarter
from gyoji.core.record import GameRecord, Timing, VoidGame
from gyoji.core.spec import game_token
from gyoji.core.text import printable
from gyoji.play.context import Lease, WorkerContext, engine_environ
from gyoji.play.engine_scoring import EngineScoring, is_unscored, scored
from gyoji.play.game_files import Transcript, write_records, write_void_records
from gyoji.play.live_updates import Live
from gyoji.play.loop import time_of_day
from gyoji.play.order import Order, Progress, Report
from gyoji.play.relay import Relay
from gyoji.play.seats import HumanMessage
from gyoji.play.tablebases import probe_of
from gyoji.play.umpire import Umpire
from gyoji.play.workspace import Cleanup
from gyoji.referee.adjudication import Adjudicator
from gyoji.referee.game_log import sides_of
from gyoji.referee.referee import Referee
from gyoji.referee.seat_state import Action, Closing, Consult, Dismiss, Ponder, Send

_FOR_A_MOVE: Final = (AskMove, ImposeMove)

Done = Callable[[Report | None], None]

Attend = Callable[[WorkerContext, Callable[[str], None]], AbstractContextManager[object]]
"""Makes a context manager that is open while a game is played. It gets the worker's context, and a function
that ends the game without a result for a given reason.
"""


def play(
    order: Order,
    *,
    starters: Mapping[str, EngineStarter] = MappingProxyType({}),
    adjudicator: Adjudicator | None = None,
    attend: Attend = lambda _context, _leave: nullcontext(),
) -> Report:
    """Play one game in this process and return its report. Must be called from the main thread.

    The kernel kills engines when the thread that started them ends, and another thread could end too early.

    Args:
        starters: Engine starters for executors that are not installed, by name.
        adjudicator: Replaces the adjudicator of the game spec.
        attend: Called with the worker's context, and a function that ends the game for a given reason.
            Returns a context manager that is entered before the game begins and left after it has ended.
    """
    context = WorkerContext(starters=dict(starters))
    reports: list[Report | None] = []
    game = set_up(context, order, reports.append, adjudicator)

    def leave(reason: str) -> None:
        if game is not None and not reports:
            game.on_failure(reason)

    try:
        if game is not None:
            with attend(context, leave):
                game.begin()
                context.loop.run(lambda: reports)
    finally:
        if game is not None and not reports:
            game.abandon()
            context.loop.run(lambda: reports)
        context.close()
    report = reports[0]
    assert report is not None, "nobody abandons this game"
    return report


def set_up(
    context: WorkerContext, order: Order, done: Done, adjudicator: Adjudicator | None = None
) -> "Game | None":
    """Return the game of an order. The caller has to call its `begin`.

    If the game cannot be created, call `done` with a report of the reason, and return None.
    """
    began = time_of_day()
    try:
        return Game(context, order, done, adjudicator)
    except Exception as error:  # noqa: BLE001 (whatever rules make of the options they were given)
        reason, trace = _account_of(error)
        done(Report(void=_void(order, reason, began), log=trace))
        return None


class Game:
    """Plays the game of `order` and then calls `done` with its report, or with None after `abandon`.

    If gyoji fails during the game, the game is void, and the report has the reason. After the outcome is
    decided, the result stands, and the record only notes the failure (`late`).

    Attributes:
        notice: Called with the time after each event that spectators see; None without spectators.
    """

    def __init__(
        self, context: WorkerContext, order: Order, done: Done, adjudicator: Adjudicator | None = None
    ) -> None:
        self.order = order
        self._context = context
        self._done = done
        self._engines: list[Lease] = []  # by seat
        self._closings: dict[int, Closing] = {}  # seats whose engine has ended or went back to the pool
        self._leaves: dict[int, Cleanup] = {}  # removes the folders of ended engines
        self._spilled: list[str] = []
        self._stayed: dict[int, Send] = {}  # seats whose engine has played before, with its first request
        self._void: str | None = None
        self._log: list[str] = []
        self._abandoned = self._is_over = self._is_by_death = False
        self._to_move = context.to_move
        self._began = self._ended = time.monotonic_ns()
        self._started = time_of_day()
        self._transcript: Transcript | None = None
        self._scoring: EngineScoring | None = None
        self._umpire = _decider(context, order)
        self._lines_told = 0  # lines of the conversation with the umpire that spectators know
        self._timings: dict[tuple[int, int], Timing] = {}  # by turn and seat
        self.notice: Callable[[int], object] | None = None
        rules, engines = context.rules(order.spec), self._engines
        self.referee = Referee(
            order.spec,
            rules,
            lambda seat: engines[seat][0].account(),  # a method of the game would be a reference cycle
            adjudicator=adjudicator,
            probe=probe_of(order.spec),
        )

    def begin(self) -> None:
        """Start the engines and the game."""
        try:
            self._begin()
        except Exception as error:  # noqa: BLE001 (the game is void, and the next one is played)
            self.on_failure(*_account_of(error), by_death=isinstance(error, ProcessLost))

    def _begin(self) -> None:
        self._to_move[: len(self.order.spec.players)] = bytes(len(self.order.spec.players))
        if self.order.files.transcript is not None:
            self._transcript = Transcript(self.order.files.transcript, self._began)
            self._spilled += filter(None, [self._transcript.trouble])
        if self._umpire is not None:  # first: programs take their time to start
            self._umpire.start(self, self._transcript)
        pool = self._context.pool
        stayed = []
        for seat, player in enumerate(self.order.spec.players):
            if (kept := pool.take(player)) is not None:
                stayed.append(seat)
                kept[0].join(self, seat)
            self._engines.append(kept or self._start(seat))
            self._engines[seat][0].transcript = self._transcript
            if self._umpire is not None:
                self._umpire.seat_started(seat, self._engines[seat][0])
        pool.dismiss_all()
        preparations = self.referee.begin()
        self._stayed = {send.seat: send for send in preparations if send.seat in stayed}
        for send in preparations:
            self._prepare(send)

    def _start(self, seat: int) -> Lease:
        """Start the engine of a seat, with this game's environment variables.

        Raises:
            Breakdown: The engine cannot be started.
        """
        spec = self.order.spec
        environ = engine_environ(game_token(spec, self.referee.rules.teams[seat]), self.order.slot)
        environ |= dict.fromkeys(self.order.id_in, spec.id)
        player = spec.players[seat]
        return self._context.connect(self, seat, player, environ, meter=(player.clock or spec.clock).meter)

    def _prepare(self, send: Send) -> None:
        """Send an engine its first request, in which the player has the folders that the engine got."""
        link, _ = self._engines[send.seat]
        assert isinstance(send.request, NewGame), send
        link.send(replace(send.request, player=link.player), send.patience)

    def _start_afresh(self, seat: int) -> None:
        """Start a new engine for a seat whose previous engine cannot be prepared for another game."""
        send = self._stayed.pop(seat)
        self._context.pool.end(*self._engines[seat])
        try:
            self._engines[seat] = self._start(seat)
        except Breakdown as breakdown:
            self.on_failure(str(breakdown), by_death=isinstance(breakdown, ProcessLost))
            return
        self._engines[seat][0].transcript = self._transcript
        self._prepare(send)

    def progress(self) -> Progress:
        return Progress(id=self.order.spec.id, turns=self.referee.turns, left=self.referee.time_left())

    def live(self, told: int, now: int) -> Live:
        """Return what is new in the game for spectators.

        Args:
            told: Number of turns that the spectators know.
            now: Monotonic time in ns.
        """
        first, turns, opinions = self.referee.log.news_since(told, self.referee.settled)
        lines, known = self.referee.log.umpire, self._lines_told if told else 0
        self._lines_told = len(lines)
        acting = tuple([seat for seat in range(len(self._engines)) if self._to_move[seat]])
        return Live(
            id=self.order.spec.id,
            first=first,
            turns=turns,
            opinions=opinions,
            left=self.referee.time_left(),
            clocks=self.referee.clocks(),
            acting=acting,
            phase=self.referee.phase,
            left_out=tuple(self.referee.log.left_out),
            sides=sides_of(self.referee.rules, self.referee.position),
            heard=known,
            umpire=tuple(lines[known:]),
            waited=max((now - self._engines[seat][0].asked for seat in acting), default=0),
        )

    def abandon(self) -> None:
        """End the game without a result or a report."""
        self._abandoned = True
        if self._scoring is not None:
            self._scoring.abandon()
        else:
            self._clear_table()

    # Events from the links

    def on_reply(self, seat: int, reply: Reply, used: int) -> None:
        if type(reply) not in REMARKS:
            if seat in self._stayed:
                if not isinstance(reply, Ready) and self.order.spec.players[seat].restart == "auto":
                    self._start_afresh(seat)
                    return
                del self._stayed[seat]
            self._to_move[seat] = 0
        try:
            actions = self.referee.replied(seat, reply, used)
        except Breakdown as breakdown:
            self.on_failure(str(breakdown))
        else:
            self._act(actions)
        if self.notice is not None:
            self.notice(time.monotonic_ns())

    def on_expiry(self, seat: int, used: int, waited: int, *, deaf: bool) -> None:
        if seat in self._stayed and self.order.spec.players[seat].restart == "auto":
            self._start_afresh(seat)
            return
        try:
            actions = self.referee.expired(seat, used, waited, deaf=deaf)
        except Breakdown as breakdown:
            self.on_failure(str(breakdown))
        else:
            self._act(actions)
        if self.notice is not None:
            self.notice(time.monotonic_ns())

    def on_timing(self, seat: int, timing: Timing) -> None:
        """Store how the time of a slow or late answer was spent. A later report on a request replaces the
        earlier one.
        """
        turn = self.referee.turns
        self._timings[turn, seat] = timing._replace(turn=turn, seat=seat)

    def on_failure(self, reason: str, trace: Sequence[str] = (), *, by_death: bool = False) -> None:
        """Handle a failure of gyoji. The game becomes void, but an outcome that is already decided stands.

        Raises:
            Breakdown: The game is over, so the worker itself has failed.
        """
        if self._is_over:
            raise Breakdown(f"after game {self.order.spec.id}: {reason}")
        if self.referee.outcome is None:
            if self._void is None:
                self._void, self._is_by_death = reason, by_death
        else:
            self.referee.note_late(None, reason)
        self._log += trace
        self._clear_table()

    def decide(self, words: HumanMessage) -> None:
        """Carry out a decision of the organiser.

        A decided outcome stands: then a forfeit is ignored, and a restart is only noted in the record.
        """
        players = self.order.spec.codes
        if words.decision == "restart":
            self.on_failure(f"to be played again: {words.reason}")
        elif words.player in players and self.referee.outcome is None:
            if isinstance(self._umpire, Relay):  # first: it has the links of the players
                self._umpire.dismiss(kindly=False)
            self._act(self.referee.ruled_against(players.index(words.player), words.reason))

    def on_ruled(self, lines: Sequence[str]) -> None:
        """Handle the umpire's answer."""
        try:
            actions = self.referee.ruled(lines)
        except Breakdown as breakdown:
            self.on_failure(str(breakdown))
        else:
            self._act(actions)
            if self._umpire is not None and self.referee.outcome is not None:
                self._umpire.dismiss(kindly=True)
        if self.notice is not None:
            self.notice(time.monotonic_ns())

    def on_umpire_closed(self) -> None:
        self._finish_when_alone()

    def on_closed(self, seat: int) -> None:
        link, cleanup = self._engines[seat]
        self._closings[seat] = link.closing or Closing()
        self._leaves[seat] = cleanup
        self._attempt(seat, partial(self._spill, seat))
        self._finish_when_alone()

    def _act(self, actions: list[Action]) -> None:
        for action in actions:
            if type(action) is Send:  # first, as nearly all are
                seat, request = action.seat, action.request
                self._to_move[seat] = type(request) in _FOR_A_MOVE
                self._engines[seat][0].send(request, action.patience)
            elif isinstance(action, Dismiss):
                self._dismiss(action)
            elif isinstance(action, Consult):
                if self._umpire is None:
                    raise Breakdown("the game has no umpire")
                self._umpire.ask(action.line)
            elif isinstance(action, Ponder):
                self._engines[action.seat][0].ponder(action.clock, action.clocks)
            else:
                self._engines[action.seat][0].wait(action.patience)

    def _dismiss(self, action: Dismiss) -> None:
        """End an engine, or keep it for another game."""
        link, cleanup = self._engines[action.seat]
        self._ended = time.monotonic_ns()
        self._to_move[action.seat] = 0
        player = self.order.spec.players[action.seat]
        if action.keep and player.is_remote:
            link.let_go()
        elif action.keep:
            self._attempt(action.seat, partial(self._spill, action.seat))
            self._closings[action.seat] = self._context.pool.keep(player, link, cleanup)
            self._finish_when_alone()
        else:
            link.dismiss(kindly=action.kindly)

    def _finish_when_alone(self) -> None:
        """Finish the game if no engine is left in it: each has ended or gone back to the pool.

        If the umpire still runs, the game is finished after the umpire's end.
        """
        if len(self._closings) == len(self._engines):
            if self._umpire is None or self._umpire.is_closed:
                self._finish()
            elif self.referee.outcome is not None:  # else it goes on with nobody left, to the umpire's end
                self._umpire.dismiss(kindly=True)

    def _clear_table(self) -> None:
        self._ended = time.monotonic_ns()
        here = [link for seat, (link, _) in enumerate(self._engines) if seat not in self._closings]
        for link in here:
            link.dismiss(kindly=False)
        if self._umpire is not None:
            self._umpire.dismiss(kindly=False)
        if not here and (self._umpire is None or self._umpire.is_closed):
            self._finish()

    # The end

    def _finish(self) -> None:
        """Make the report and call `done`. The game ends even if a part of the report fails."""
        if self._is_over:
            return
        if self._umpire is not None:
            self._spill_lines(f"the {self._umpire.title}", *self._umpire.last_words())
        for seat, cleanup in sorted(self._leaves.items()):
            self._attempt(seat, cleanup)
        if self._transcript is not None:
            self._transcript.close(time.monotonic_ns())
        record = self._record() if not self._abandoned else None
        self._is_over = True
        if self._abandoned:
            self._done(None)
        elif record is None:
            self._done(self._void_report())
        else:
            self._recorded(record)

    def _attempt(self, seat: int, work: Callable[[], str]) -> None:
        """Do work for a seat after the game. The record notes an error, which does not change the outcome.

        Args:
            work: Returns an error line, or "" for success.
        """
        try:
            trouble = work()
        except Exception as error:  # noqa: BLE001 (a game that cannot end would keep its place for ever)
            trouble, trace = _account_of(error)
            self._log += trace
        if trouble:
            self.referee.note_late(seat, trouble)

    def _record(self) -> GameRecord | None:
        """Return the record of the game, or None if it is void."""
        if self._void is not None or self.referee.outcome is None:
            return None
        closings = [self._closings[seat] for seat in range(len(self._engines))]
        try:
            record = self.referee.record(self._started, self._ended - self._began, closings)
            return replace(record, timings=tuple(self._timings.values()))
        except Exception as error:  # noqa: BLE001 (a result that cannot be told is none)
            self._void, trace = _account_of(error)
            self._log += trace
            return None

    def _recorded(self, record: GameRecord) -> None:
        """Report a finished game. If its spec names a scoring engine, that engine scores the game first."""
        spec = self.order.spec
        if not is_unscored(spec, record):
            self._done(self._report(record))
            return

        def score(score: Scored) -> None:
            self._done(None if self._abandoned else self._report(scored(spec, record, score)))

        self._scoring = EngineScoring(self._context, spec, record, score)
        self._scoring.begin()

    def _report(self, record: GameRecord) -> Report:
        troubles = write_records(self.order.files, self.order.spec, record, self.referee.played_out)
        return Report.of(self.order.spec, record, (*troubles, *self._log, *self._spilled))

    def _void_report(self) -> Report:
        void = _void(self.order, self._void or "the game ended without an outcome", self._started)
        with suppress(Exception):  # rules with a bug: then it has no moves
            void = self.referee.void(void)
        void = replace(void, by_death=self._is_by_death)
        troubles = write_void_records(self.order.files, self.order.spec, void)
        return Report(void=void, log=(*troubles, *self._log, *self._spilled))

    def _spill(self, seat: int) -> str:
        """Add the last lines of an engine's stderr to the report's log. Return "" for success, as `_attempt`
        needs.
        """
        self._spill_lines(self.order.spec.players[seat].code, *self._engines[seat][0].errors.last())
        return ""

    def _spill_lines(self, name: str, size: int, lines: Sequence[str]) -> None:
        if lines:
            note = f" (the last of {size} bytes)" if size > sum(len(line) + 1 for line in lines) else ""
            self._spilled.append(f"{name} wrote to stderr{note}:")
            self._spilled += [f"    {line}" for line in lines]


def _decider(context: WorkerContext, order: Order) -> Umpire | Relay | None:
    """Return the umpire or the relay's runner that decides the game, not started yet; None if the rules
    decide it.
    """
    spec = order.spec
    if spec.umpire is None:
        return None
    kind = Relay if GAMES.find(spec.game).decider == "relay" else Umpire
    return kind(context, spec, spec.umpire, order.slot)


def _account_of(error: Exception) -> tuple[str, tuple[str, ...]]:
    """Return an exception as one line, and its traceback for the event log.

    There is no traceback of a `GyojiError`, because it is not a bug.
    """
    if isinstance(error, GyojiError):
        return str(error), ()
    lines = tuple(map(printable, "".join(traceback.format_exception(error)).splitlines()))
    if isinstance(error, OSError) and error.strerror:  # the machine: no descriptors, no space
        return f"this machine: {f'{error.filename}: ' if error.filename else ''}{error.strerror}", lines
    return f"internal error: {type(error).__name__}: {error}", lines


def _void(order: Order, reason: str, started: str) -> VoidGame:
    """Return the void game of an order, without moves."""
    spec, why = order.spec, printable(reason)
    return VoidGame(id=spec.id, pairing=spec.pairing, players=spec.codes, reason=why, started=started)
