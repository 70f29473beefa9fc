"""The connection to one engine during a game: channel, codec, deadlines, byte budgets, and the process's end.

A link sends requests of the referee and reports replies. It detects faults below the level of the game: too
much output, a closed pipe, an exit, input that is not read, no answer in time, too much memory or disk, a
forbidden second process. The referee decides what follows.
"""

# Theory of operation
#
# A link has one request at a time and one alarm. The alarm is the deadline of the request, or of the next
# step of ending the engine:
#
#     running:  send --> asked -- a reply ends it --> idle --> send ...       `_alarm` is set while asked
#                          |
#                          +-- deadline --> on_expiry: the referee decides
#
#     input or output closed --> doomed -- exit status, or 50 ms --> Broken, the referee decides
#
#     dismiss --> close stdin, TERM, 200 ms, KILL -- pidfd --> buried: on_closed
#
# * Time. `asked` is taken after the request has been written, and the loop's time stamp of a reply is taken
#   right after epoll returns. Both are outside the parsing. The first request counts from the start of the
#   process. With a meter of CPU time the deadline only says when to read the meter again
#   (`gyoji.referee.seat_state.look_again`).
# * End of file is not reported at once. The exit status that explains it comes through the pidfd a moment
#   later, so `_doomed` waits `_EXIT_STATUS_DELAY` for it. A player without a process (human, socket,
#   function) has no exit status, and its end of file is the end.
# * What an engine wrote before it ended is read first (`_on_exit` drains the output): a valid last move
#   counts. Its exit ends the output, even if another process, such as its child, still holds the pipe open.
# * Output is limited: `reply` bytes for an answer, plus `rate` bytes for each second, and `line` bytes
#   without a line end. `_on_output` only compares with the smaller limit; `_check_budget` decides.
# * Writing never blocks. Bytes that the pipe does not accept wait in `_unsent` until the descriptor is
#   writable. If the deadline passes while some are left, the engine is `deaf`: it does not read.
# * An exit is the engine's fault unless `_break` finds that the system killed the engine for lack of memory
#   (`shortage`) or that a helper process of gyoji was killed (`lost`).
# * An engine that may not ponder is suspended (SIGSTOP to its tree) except while it is asked. Limits of
#   memory and disk are sampled while it is asked and when it answers (`gyoji.play.monitor`).
# * After a game, a link may `stay` and later `join` another listener. Codec and process are kept; budgets,
#   stderr and transcript start again from nothing.
# * In a relay, the runner communicates with the player, and the link is lent (`lend`): it reads and writes
#   nothing, and reports only the end of the process, failures of gyoji, and exceeded limits of memory and
#   disk.
#
# Tried and given up: a separate fast path for ordinary moves. It was only 2 % faster than the common path.

import os
import traceback
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from select import POLLIN, poll
from time import monotonic_ns
from typing import Final, Protocol

from gyoji.core.clocks import Clock, Meter
from gyoji.core.faults import FaultKind
from gyoji.core.messages import REMARKS, AskMove, Broken, More, Moved, Reply, Request
from gyoji.core.ports import AnswersItself, Channel, Codec, KnowsEnding, LimitsForks, Ponders, Stays, supports
from gyoji.core.record import Timing
from gyoji.core.spec import Player
from gyoji.play.game_files import Transcript
from gyoji.play.loop import NEVER, WRITE, Alarm, Loop
from gyoji.play.monitor import SAMPLE_PERIOD, Limits, NoProcess, StderrTail, TimeAccounting
from gyoji.referee.seat_state import Closing

_CHUNK: Final = 1 << 16
_LINE_END: Final = ord("\n")
_EXIT_STATUS_DELAY = 50_000_000  # ns to wait after an end of file for the exit status
_KILL_DELAY = 200_000_000  # ns between TERM and KILL


class LinkListener(Protocol):
    """The owner of a link, usually a game, to which the link reports its events.

    It may also implement `ListensToTiming`.
    """

    def on_reply(self, seat: int, reply: Reply, used: int) -> None: ...
    def on_expiry(self, seat: int, used: int, waited: int, *, deaf: bool) -> None: ...
    def on_closed(self, seat: int) -> None: ...
    def on_failure(self, reason: str, trace: Sequence[str], *, by_death: bool = False) -> None:
        """Handle a failure of gyoji.

        Args:
            reason: The failure in one line.
            trace: Lines for the event log, such as a traceback.
            by_death: Whether a process of gyoji was killed.
        """


class ListensToTiming(Protocol):
    """A listener that gets reports on how the time of slow and late answers was spent."""

    def on_timing(self, seat: int, timing: Timing) -> None:
        """Handle a report on how the time of a slow or late answer was spent.

        Called before a slow answer is reported, and before a loss on time. A later call for the same request
        replaces the earlier one.
        """


class Link:
    """The connection to the engine of one seat: it sends requests and reports replies and faults."""

    # Python 3.11 looks attributes up in a dict if an object has more than 30 and no slots. The slots of this
    # class, of the codec of GTP and of the rules of Go save 4 % of the instructions of a move of Go.
    # fmt: off
    __slots__ = (
        "_accounting", "_accumulates", "_alarm", "_answers_itself", "_asked_meter", "_born",
        "_budgets", "_channel", "_codec", "_cpu_before", "_deadline", "_dismissed", "_doom",
        "_forks", "_inspection", "_is_asked_for_move", "_is_lent", "_least_budget", "_limits",
        "_line", "_loop", "_meter", "_process", "_received", "_seat", "_suspends", "_table",
        "_unsent", "_waited_for", "asked", "closing", "errors", "exit_delay", "pid", "player",
        "transcript",
    )
    # fmt: on

    __deletable__ = ("_table",)  # mypyc forbids `del` of other attributes

    def __init__(
        self, loop: Loop, table: LinkListener, seat: int, *, channel: Channel, codec: Codec, meter: Meter
    ) -> None:
        self._loop = loop
        self._table = table
        self._seat = seat
        self._channel = channel
        self._process = process = channel.process or NoProcess(channel)
        self.player: Player = channel.player
        self.pid = 0  # set once the engine stays for another game
        self._codec = codec
        self._budgets = channel.player.budgets
        self._least_budget = min(self._budgets.reply, self._budgets.line)
        self._forks = codec.forks if supports(codec, LimitsForks) else None  # None: processes are not limited
        self._answers_itself = supports(codec, AnswersItself) and codec.answers_itself
        self._waited_for: int | None = None  # the counter of `offspring` at the first answer
        self._accumulates = is_user = meter is Meter.USER
        cpu_time = process.cpu_ns if self._forks is False else process.tree_ns
        self._meter = None if meter is Meter.WALL else partial(cpu_time, user_only=is_user)
        self._alarm = Alarm(loop, self._rang, self._report_failure)
        self._accounting = TimeAccounting(loop, process, self._report_failure)
        self._is_asked_for_move = False
        self._suspends = not channel.player.ponders
        self._limits = Limits(channel.player, process) if self._budgets.memory or self._budgets.disk else None
        self._inspection = Alarm(loop, self._inspect, self._report_failure)
        self._born: int | None = monotonic_ns()  # the first request's time starts with the process
        self._cpu_before = 0  # ns of CPU used in earlier games
        self.asked = self._asked_meter = 0  # time and meter when the last request had been written
        self._unsent = b""
        self._received = 0  # bytes since the last request or answer
        self._line = 0  # bytes since the last line end
        self._doom = ""  # why the conversation is over; judged when the exit status is known
        self._dismissed = self._is_lent = False
        self._deadline = NEVER  # for KILL, once dismissed
        self.exit_delay = _EXIT_STATUS_DELAY  # ns to wait after an end of output for the end of the process
        self.transcript: Transcript | None = None
        self.closing: Closing | None = None
        loop.watch(channel.stdout, self._on_output, self._report_failure)
        if process.pidfd >= 0:
            loop.watch(process.pidfd, self._on_exit, self._report_failure)
        self.errors = StderrTail(loop, process.stderr, self._report_failure)

    # Requests

    def send(self, request: Request, patience: int) -> None:
        """Write a request to the engine and start its time.

        Args:
            patience: ns after which `on_expiry` is called if no answer came.
        """
        self._received = self._line = 0
        if self._doom:
            return
        data = self._codec.send(request)
        self._is_asked_for_move = type(request) is AskMove
        self._accounting.begin(patience)
        if self._meter is not None and not self._accumulates:
            self._asked_meter = self._meter()  # before the engine can have read the request
        if data:
            self._write(data)
        if self._suspends:
            self._process.resume()
        self.asked = now = monotonic_ns()
        self._accounting.await_answer(now)
        if self._limits is not None:
            self._inspection.set(now + SAMPLE_PERIOD)
        if self._born is not None:
            self.asked, self._born = self._born, None
        if not self._doom:
            self._alarm.set(now + patience)
        if self._answers_itself:
            for reply in self._codec.receive(b""):
                self._take(reply, now)

    def ponder(self, clock: Clock, clocks: tuple[Clock, ...]) -> None:
        """Let the engine think while other seats are to move. No answer is expected, and no clock runs."""
        if not self._doom and supports(self._codec, Ponders) and (data := self._codec.ponder(clock, clocks)):
            self._write(data)

    def wait(self, patience: int) -> None:
        self._alarm.set(monotonic_ns() + patience)

    def lend(self) -> None:
        """Stop reading the player's output for good. From now on another program reads it through
        `descriptors`.

        The codec must then answer all requests itself.
        """
        self._is_lent = True
        self._suspends = False  # gyoji no longer knows when the player is to move
        self._loop.forget(self._channel.stdout)
        if self._limits is not None:
            self._inspection.set(monotonic_ns() + SAMPLE_PERIOD)

    def notice_end(self) -> None:
        """Check whether the player's process has ended, and if so, handle its end now. Used while its pipes
        are lent.
        """
        ended = poll()
        ended.register(self._process.pidfd, POLLIN)
        if ended.poll(0):
            self._on_exit(monotonic_ns())

    @property
    def has_process(self) -> bool:
        """Whether gyoji has started a process for the player."""
        return self._process.pidfd >= 0

    @property
    def descriptors(self) -> tuple[int, int]:
        """The descriptors of the pipes to and from the player: first the player's input, then its output."""
        return self._channel.stdin, self._channel.stdout

    def close_input(self) -> None:
        """Close gyoji's end of the player's input."""
        self._channel.close_stdin()

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

    # Output of the engine

    def _on_output(self, now: int) -> bool:
        """Read and handle output of the engine. Return False if there is nothing to read, or at the end of
        the output.
        """
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
        if self._line or data[-1] != _LINE_END:  # count the bytes that no line end has followed yet
            cut = data.rfind(b"\n")
            self._line = self._line + len(data) if cut < 0 else len(data) - 1 - cut
        for reply in self._codec.receive(data):
            if self._dismissed:
                return True
            self._take(reply, now)
        if self._received > self._least_budget or self._line > self._least_budget:
            self._check_budget(now)
        return True

    def _take(self, reply: Reply, now: int) -> None:
        kind = type(reply)
        if kind is More:
            self._write(reply.data)  # type: ignore[union-attr]
            return
        if self._forks is False and kind is Moved and self._has_forked():
            return
        if self._meter is None:
            used = now - self.asked  # negative if it was asked after the loop's time stamp
        else:
            used = (reading := self._meter()) - self._asked_meter
            if self._accumulates and kind is Moved:
                self._asked_meter = reading
        if kind not in REMARKS:
            self._received = 0  # remarks on the answer may follow, before or after the next question
            if (timing := self._accounting.end(now)) is not None:
                self._tell(timing)
            if not self._doom:
                self._alarm.when = NEVER
            if self._suspends:
                self._process.suspend()
            if self._limits is not None and self._is_over_limit(now):
                return
        self._table.on_reply(self._seat, reply, used if used > 0 else 0)

    def _tell(self, timing: Timing) -> None:
        if self._is_asked_for_move and supports(self._table, ListensToTiming):
            self._table.on_timing(self._seat, timing)

    def account(self) -> Timing:
        """Return how the time from the last request to its answer, or until now, was spent."""
        timing = self._accounting.account(monotonic_ns())
        self._tell(timing)
        return timing

    def _inspect(self, now: int) -> None:
        """Compare memory and disk use of a thinking engine with its limits, and schedule the next check."""
        assert self._limits is not None
        if (self._alarm.when != NEVER or self._is_lent) and not self._is_over_limit(now):
            self._inspection.set(now + SAMPLE_PERIOD)

    def _is_over_limit(self, now: int) -> bool:
        """Return whether the engine exceeds its memory or disk limit. If so, report a fault of the engine."""
        assert self._limits is not None
        excess = self._limits.excess(now, at_once=not self._is_asked_for_move)
        if excess and not self._dismissed:
            self._break(FaultKind.LIMIT, excess)
        return bool(excess)

    def _has_forked(self) -> bool:
        """Return whether the engine has or had a second process. If so, report a fault of the engine.

        Processes that ended before the first answer do not count: a shell or wrapper may have started the
        engine.
        """
        has_children, waited_for = self._process.offspring()
        if self._waited_for is None:
            self._waited_for = waited_for
        if not has_children and waited_for == self._waited_for:
            return False
        self._break(FaultKind.PROTOCOL, "started a second process")
        return True

    def _check_budget(self, now: int) -> None:
        """Report a fault if the engine's output exceeds its budget: too long a line, or too many bytes."""
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
        ending = self._channel.ending if supports(self._channel, KnowsEnding) else ""
        self._doomed(ending or "closed its output", now)

    # Ending

    def _on_exit(self, now: int) -> None:
        """Handle the end of the engine's process. Its children may still hold the pipes open."""
        if self._dismissed:
            self._buried()
            return
        self._loop.forget(self._process.pidfd)
        while not (self._dismissed or self._doom or self._is_lent) and self._on_output(now):
            pass
        if not (self._dismissed or self._doom or self._is_lent):  # another process holds the output open
            self._on_end_of_output(now)
        if not self._dismissed:
            end = self._process.reap()
            if end is not None:
                self._inspection.clear()  # the pid may soon be another process's
            status = end[0] if end else "?"
            self._break(FaultKind.EXIT, f"exited ({status}){self.errors.last_words()}", status)

    def _doomed(self, why: str, now: int) -> None:
        """Mark the conversation as over, for the reason `why`.

        The fault is reported at most `exit_delay` later. If the process exits before, its exit status is
        reported instead, which explains the fault better.
        """
        if not (self._doom or self._dismissed):
            self._doom = why
            delay = self.exit_delay if self._process.pidfd >= 0 else 0
            self._alarm.set(min(self._alarm.when, now + delay))

    def _rang(self, now: int) -> None:
        if self._dismissed:
            self._hasten(now)
        elif self._doom:
            self._break(FaultKind.EXIT, self._doom)
        elif self._waited_for is None or not self._has_forked():
            used = now - self.asked if self._meter is None else self._meter() - self._asked_meter
            self._table.on_expiry(self._seat, used, now - self.asked, deaf=bool(self._unsent))

    def _break(self, kind: FaultKind, detail: str, status: str = "") -> None:
        if kind is FaultKind.EXIT and (shortage := self._process.shortage()) is not None:
            if not shortage.own:
                self._table.on_failure(f"player {self.player.code}: {detail}: {shortage.text}", ())
                return
            kind, detail = FaultKind.LIMIT, f"{shortage.text}; {detail}"
        elif kind is FaultKind.EXIT and self._is_outage(detail):
            self._table.on_failure(
                f"player {self.player.code}: a service that it needs has failed: {detail}", ()
            )
            return
        elif kind is FaultKind.EXIT and (loss := self._process.lost()):
            self._table.on_failure(f"player {self.player.code}: {detail}: {loss}", (), by_death=True)
            return
        self._table.on_reply(self._seat, Broken(kind, detail, status), 0)

    def _is_outage(self, detail: str) -> bool:
        """Return whether the engine exited with the status that means an outage (`Player.outage_status`)."""
        status = self.player.outage_status
        return bool(status) and detail.startswith(f"exited (exit {status})")

    def _report_failure(self) -> None:
        """Report the exception being handled as a failure of gyoji, with its traceback."""
        *_, last = (trace := traceback.format_exc().splitlines())
        self._table.on_failure(f"internal error: {last}", trace)

    def dismiss(self, *, kindly: bool) -> None:
        """End the engine.

        Args:
            kindly: Whether the engine was told to quit. It then has time to exit (`Budgets.close`). If not,
                its process is terminated at once.
        """
        if self._dismissed:
            return
        self._dismissed = True
        self._accounting.rest()
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

    def let_go(self) -> None:
        """End the conversation with an engine on another computer, and let it live on there for the next
        game.
        """
        if supports(self._channel, Stays):
            self._channel.stays = True
        self.dismiss(kindly=True)

    def stay(self, table: LinkListener, seat: int) -> Closing:
        """Hand the engine over to another listener after a game.

        Args:
            table: The new listener.
            seat: The number by which the new listener knows the engine.

        Returns:
            The CPU time that the engine used in the game, and how it was contained.
        """
        used, self.pid = self._process.tree_ns(), self._process.pid
        closing = self._closing("stays", used)
        self._cpu_before = used
        self.errors.clear()
        self.transcript = None
        self.join(table, seat)
        return closing

    def join(self, table: LinkListener, seat: int) -> None:
        """Set the listener that all further events are reported to, as events of `seat`."""
        self._table, self._seat = table, seat

    def _hasten(self, now: int) -> None:
        if now >= self._deadline:
            self._process.kill()
        else:
            self._process.terminate()
            self._alarm.set(self._deadline)
        if self._process.pidfd < 0:  # no pidfd reports its end
            self._buried()

    def _buried(self) -> None:
        """Reap the process of the dismissed engine and close all descriptors."""
        end = self._process.reap()
        if end is None:
            return
        with suppress(OSError):  # a failure to close must not keep the game from ending
            self.errors.close()
            for descriptor in (self._channel.stdout, self._process.pidfd):
                self._loop.forget(descriptor)
            self._channel.close()
        for alarm in (self._alarm, self._accounting, self._inspection):
            alarm.retire()
        self.closing = self._closing(*end)
        self._table.on_closed(self._seat)
        del self._table  # else a cycle would keep the game until the next garbage collection

    def _closing(self, status: str, cpu_ns: int) -> Closing:
        used = None if self._channel.process is None else cpu_ns - self._cpu_before
        return Closing(status, used, self._process.containment)
