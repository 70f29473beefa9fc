"""One engine in one game: its channel, its codec, its budgets, and its end.

A link carries requests of the referee to the engine and replies back. All that an engine can do wrong below
the level of the game is found here: it says too much, hangs up, exits, stops reading, says nothing. What
follows from it is the referee's business.

An end of file is not judged at once: the exit status that explains it comes a moment later, through the
pidfd. And what the engine wrote before it ended is read first: a valid last move counts. Where there is no
process, as with a person, the end of file is the end.
"""

import os
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic_ns
from typing import Protocol

from gyoji.core.clocks import Meter
from gyoji.core.faults import FaultKind
from gyoji.core.messages import AskMove, Broken, Comment, Delayed, More, Moved, Reply, Request, Warned
from gyoji.core.ports import AnswersItself, Channel, Codec, LimitsForks, offers
from gyoji.core.record import Timing
from gyoji.core.spec import Player
from gyoji.play.game_files import Transcript
from gyoji.play.loop import NEVER, WRITE, Alarm, Loop
from gyoji.play.monitor import SAMPLE_PERIOD, Evidence, Limits, NoProcess, StderrTail
from gyoji.referee.seat_state import Closing

_CHUNK = 1 << 16
_LINE_END = ord("\n")
_EXIT_STATUS_DELAY = 50_000_000  # ns between an end of file and the process's end, at most
_KILL_DELAY = 200_000_000  # ns between TERM and KILL


class LinkListener(Protocol):
    """The owner of a link, which hears of all that happens there: a game. It may be `HearsOfTime`."""

    def on_reply(self, seat: int, reply: Reply, used: int) -> None: ...
    def on_expiry(self, seat: int, used: int, waited: int, *, deaf: bool) -> None: ...
    def on_closed(self, seat: int) -> None: ...
    def on_failure(self, reason: str, trace: Sequence[str], *, by_death: bool = False) -> None:
        """We failed. by_death: a process of ours was killed."""


class HearsOfTime(Protocol):
    """A listener that wants to know of slow moves."""

    def on_timing(self, seat: int, timing: Timing) -> None:
        """How the time of a slow move was spent; called before it is told of the move."""


class Link:
    """The conversation with the engine of `seat`."""

    __deletable__ = ("_table",)  # for mypyc, which must be told

    def __init__(
        self, loop: Loop, table: LinkListener, seat: int, *, channel: Channel, codec: Codec, meter: Meter
    ) -> None:
        self._loop = loop
        self._table = table
        self._seat = seat
        self._channel = channel
        self._process = process = channel.process or NoProcess(channel)
        self.player: Player = channel.player
        self.pid = 0  # of an engine that stays, once it does
        self._codec = codec
        self._budgets = channel.player.budgets
        self._least_budget = min(self._budgets.reply, self._budgets.line)
        self._forks = codec.forks if offers(codec, LimitsForks) else None  # None: it does not matter
        self._answers_itself = offers(codec, AnswersItself) and codec.answers_itself
        self._waited_for: int | None = None  # of `offspring`, at the first answer
        self._accumulates = meter is Meter.USER
        self._meter = self._cpu_meter(meter)
        self._alarm = Alarm(loop, self._rang, self._report_failure)
        self._evidence = Evidence(loop, process, self._report_failure)
        self._is_asked_for_move = False
        self._suspends = not channel.player.ponders
        self._limits = Limits(channel.player, process) if self._budgets.memory or self._budgets.disk else None
        self._inspection = Alarm(loop, self._inspect, self._report_failure)
        # Whether a move of its needs nothing but to be passed on
        self._is_plain = (
            self._meter is None and not self._suspends and self._limits is None and self._forks is not False
        )
        self._born: int | None = monotonic_ns()  # the first request's time starts with the process
        self._cpu_before = 0  # ns of CPU it used in games before this one
        self.asked = self._asked_meter = 0  # when the last request had been written; its meter then
        self._unsent = b""
        self._received = 0  # bytes since the last request or answer
        self._line = 0  # of them, bytes that no line end has followed
        self._doom = ""  # why the conversation is over, once it is; judged when the exit status is known
        self._dismissed = False
        self._deadline = NEVER  # for KILL, once dismissed
        self.transcript: Transcript | None = None
        self.closing: Closing | None = None
        loop.watch(channel.stdout, self._on_output, self._report_failure)
        if process.pidfd >= 0:
            loop.watch(process.pidfd, self._on_exit, self._report_failure)
        self.errors = StderrTail(loop, process.stderr, self._report_failure)

    def _cpu_meter(self, meter: Meter) -> Callable[[], int] | None:
        if meter is Meter.WALL:
            return None
        measure = self._process.cpu_ns if self._forks is False else self._process.tree_ns
        return lambda: measure(user_only=meter is Meter.USER)

    # Asking

    def say(self, request: Request, patience: int) -> None:
        """Put a request; its time starts when it has been written."""
        self._received = self._line = 0
        if self._doom:
            return
        data = self._codec.send(request)
        self._is_asked_for_move = type(request) is AskMove
        self._evidence.begin(patience)
        if self._meter is not None and not self._accumulates:
            self._asked_meter = self._meter()  # before it can have read the question
        if data:
            self._write(data)
        if self._suspends:
            self._process.resume()
        self.asked = now = monotonic_ns()
        self._evidence.await_answer(now)
        if self._limits is not None:
            self._inspection.set(now + SAMPLE_PERIOD)
        if self._born is not None:
            self.asked, self._born = self._born, None
        if not self._doom:
            self._alarm.set(now + patience)
        if self._answers_itself:
            for reply in self._codec.receive(b""):
                self._take(reply, now)

    def wait(self, patience: int) -> None:
        self._alarm.set(monotonic_ns() + patience)

    def _write(self, data: bytes) -> None:
        if self.transcript is not None:
            self.transcript.note(">>", self.player.code, data, monotonic_ns())
        if self._unsent:
            self._unsent += data
            return
        try:
            sent = os.write(self._channel.stdin, data)
        except BlockingIOError:
            sent = 0
        except OSError:
            self._doomed("closed its input", monotonic_ns())
            return
        if sent < len(data):
            self._unsent = data[sent:]
            self._loop.watch(self._channel.stdin, self._on_room, self._report_failure, mask=WRITE)

    def _on_room(self, now: int) -> None:
        try:
            sent = os.write(self._channel.stdin, self._unsent)
        except BlockingIOError:
            return
        except OSError:
            self._loop.forget(self._channel.stdin)
            self._unsent = b""
            self._doomed("closed its input", now)
            return
        self._unsent = self._unsent[sent:]
        if not self._unsent:
            self._loop.forget(self._channel.stdin)

    # Hearing

    def _on_output(self, now: int) -> bool:
        """Take what is there; False if that was nothing, or the end of it."""
        try:
            data = os.read(self._channel.stdout, _CHUNK)
        except BlockingIOError:
            return False
        except OSError:  # a socket or a terminal whose other end is gone
            data = b""
        if not data:
            self._on_end_of_output(now)
            return False
        if self.transcript is not None:
            self.transcript.note("<<", self.player.code, data, now)
        self._received += len(data)
        if self._line or data[-1] != _LINE_END:
            self._count_line(data)
        for reply in self._codec.receive(data):
            if self._dismissed:
                return True
            self._take(reply, now)
        if self._received > self._least_budget or self._line > self._least_budget:
            self._check_budget(now)
        return True

    def _take(self, reply: Reply, now: int) -> None:
        kind = type(reply)
        if kind is Moved and self._is_plain and not self._doom:
            self._alarm.when = NEVER
            self._end_question(now)
            used = now - self.asked  # below 0 if it was asked after what the loop takes for now
            self._table.on_reply(self._seat, reply, used if used > 0 else 0)
        elif kind is More:
            self._write(reply.data)  # type: ignore[union-attr]
        else:
            self._take_with_care(reply, now)

    def _take_with_care(self, reply: Reply, now: int) -> None:
        """As `_take`, for all that is no plain move of a plain engine."""
        kind = type(reply)
        if self._forks is False and kind is Moved and self._has_forked():
            return
        if self._meter is None:
            used = max(now - self.asked, 0)
        else:
            used = (reading := self._meter()) - self._asked_meter
            if self._accumulates and kind is Moved:
                self._asked_meter = reading
        if kind is not Comment and kind is not Warned and kind is not Delayed:
            self._end_question(now)
            if not self._doom:
                self._alarm.when = NEVER
            if self._suspends:
                self._process.suspend()
            if self._limits is not None and self._is_over_limit(now):
                return
        self._table.on_reply(self._seat, reply, used)

    def _end_question(self, now: int) -> None:
        """The last question is answered. Its remarks may follow, before or after the next one is asked."""
        self._received = 0
        timing = self._evidence.end(now)
        if timing is not None:
            self._tell(timing)

    def _tell(self, timing: Timing) -> None:
        if self._is_asked_for_move and offers(self._table, HearsOfTime):
            self._table.on_timing(self._seat, timing)

    def account(self) -> Timing:
        """How the time of the last question was spent, until now if it is not answered."""
        timing = self._evidence.account(monotonic_ns())
        self._tell(timing)
        return timing

    def _inspect(self, now: int) -> None:
        """The engine is still thinking: look at what it uses, and again later."""
        assert self._limits is not None
        if self._alarm.when != NEVER and not self._is_over_limit(now):
            self._inspection.set(now + SAMPLE_PERIOD)

    def _is_over_limit(self, now: int) -> bool:
        """Whether it uses more than it may; it is held against the engine."""
        assert self._limits is not None
        excess = self._limits.excess(now, at_once=not self._is_asked_for_move)
        if excess and not self._dismissed:
            self._break(FaultKind.LIMIT, excess)
        return bool(excess)

    def _has_forked(self) -> bool:
        """Whether there is a second process, or was since the first answer; it is held against the engine.

        What starts the engine may have had one: before the first answer those that are gone do not count.
        """
        has_children, waited_for = self._process.offspring()
        if self._waited_for is None:
            self._waited_for = waited_for
        if not has_children and waited_for == self._waited_for:
            return False
        self._break(FaultKind.PROTOCOL, "started a second process")
        return True

    def _count_line(self, data: bytes) -> None:
        """Count how much of what was said has no line end yet."""
        cut = data.rfind(b"\n")
        self._line = self._line + len(data) if cut < 0 else len(data) - 1 - cut

    def _check_budget(self, now: int) -> None:
        """It has said more than the least of its budgets: whether that is too much, by what it has said."""
        budgets = self._budgets
        if self._dismissed:
            return
        if self._line > budgets.line:
            self._break(FaultKind.FLOOD, f"sent a line of more than {budgets.line} bytes")
        elif self._received > budgets.reply + budgets.rate * (now - self.asked) // 10**9:
            text = f"sent more than {budgets.reply} bytes for one answer, and {budgets.rate} a second"
            self._break(FaultKind.FLOOD, text)

    def _on_end_of_output(self, now: int) -> None:
        self._loop.forget(self._channel.stdout)
        for reply in self._codec.finish():
            if not self._dismissed:
                self._take(reply, now)
        self._doomed("closed its output", now)

    # Ending

    def _on_exit(self, now: int) -> None:
        """The process has ended, even if a child of it keeps its pipes."""
        if self._dismissed:
            self._buried()
            return
        self._loop.forget(self._process.pidfd)
        while not (self._dismissed or self._doom) and self._on_output(now):
            pass
        if not self._dismissed:
            end = self._process.reap()
            self._break(FaultKind.EXIT, f"exited ({end[0] if end else '?'}){self.errors.last_words()}")

    def _doomed(self, why: str, now: int) -> None:
        """The conversation is over; wait a moment for the exit that explains it."""
        if not (self._doom or self._dismissed):
            self._doom = why
            delay = _EXIT_STATUS_DELAY if self._process.pidfd >= 0 else 0
            self._alarm.set(min(self._alarm.when, now + delay))

    def _rang(self, now: int) -> None:
        if self._dismissed:
            self._hasten(now)
        elif self._doom:
            self._break(FaultKind.EXIT, self._doom)
        elif self._waited_for is None or not self._has_forked():
            used = now - self.asked if self._meter is None else self._meter() - self._asked_meter
            self._table.on_expiry(self._seat, used, now - self.asked, deaf=bool(self._unsent))

    def _break(self, kind: FaultKind, detail: str) -> None:
        if kind is FaultKind.EXIT and (shortage := self._process.shortage()) is not None:
            if not shortage.own:
                self._table.on_failure(f"player {self.player.code}: {detail}: {shortage.text}", ())
                return
            kind, detail = FaultKind.LIMIT, f"{shortage.text}; {detail}"
        elif kind is FaultKind.EXIT and (loss := self._process.lost()):
            self._table.on_failure(f"player {self.player.code}: {detail}: {loss}", (), by_death=True)
            return
        self._table.on_reply(self._seat, Broken(kind, detail), 0)

    def _report_failure(self) -> None:
        """The exception being handled ends the game: what it is on one line, and all of it for the log."""
        *_, last = (trace := traceback.format_exc().splitlines())
        self._table.on_failure(f"internal error: {last}", trace)

    def dismiss(self, *, kindly: bool) -> None:
        """End the engine: with the time of its `close` budget when told kindly, else at once."""
        if self._dismissed:
            return
        self._dismissed = True
        self._evidence.rest()
        channel, process, now = self._channel, self._process, monotonic_ns()
        if self._suspends:
            process.resume()
        self._loop.forget(channel.stdin)
        self._loop.forget(channel.stdout)
        self._loop.forget(process.pidfd)
        self._inspection.clear()
        end = process.pidfd if process.pidfd >= 0 else channel.stdout
        self._loop.watch(end, self._on_exit, self._report_failure)
        channel.close_stdin()
        if kindly:
            self._deadline = now + max(self._budgets.close, 2 * _KILL_DELAY)
            self._alarm.set(self._deadline - _KILL_DELAY)
        else:
            process.terminate()
            self._deadline = now + _KILL_DELAY
            self._alarm.set(self._deadline)

    def stay(self, table: LinkListener, seat: int) -> Closing:
        """The game is over for the engine, which goes on with `table`; what it used in the game."""
        used, self.pid = self._process.tree_ns(), self._process.pid
        closing = self._closing("stays", used)
        self._cpu_before = used
        self.errors.clear()
        self.transcript = None
        self.join(table, seat)
        return closing

    def join(self, table: LinkListener, seat: int) -> None:
        """From now on what the engine does concerns `seat` of `table`."""
        self._table, self._seat = table, seat

    def _hasten(self, now: int) -> None:
        if now >= self._deadline:
            self._process.kill()
        else:
            self._process.terminate()
            self._alarm.set(self._deadline)
        if self._process.pidfd < 0:  # nothing tells us that it has gone
            self._buried()

    def _buried(self) -> None:
        """The dismissed engine's process has ended: reap it and give back all descriptors."""
        end = self._process.reap()
        if end is None:
            return
        with suppress(OSError):  # it is gone, whatever becomes of the descriptors
            self.errors.close()
            for descriptor in (self._channel.stdout, self._process.pidfd):
                self._loop.forget(descriptor)
            self._channel.close()
        for alarm in (self._alarm, self._evidence, self._inspection):
            alarm.retire()
        self.closing = self._closing(*end)
        self._table.on_closed(self._seat)
        del self._table  # or the whole game would stay until the next collection of garbage

    def _closing(self, status: str, cpu_ns: int) -> Closing:
        used = None if self._channel.process is None else cpu_ns - self._cpu_before
        return Closing(status, used, self._process.containment)
