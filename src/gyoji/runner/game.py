"""One game being played: a referee, and a link to the engine of each seat."""

import time
from collections.abc import Callable, Mapping, Sequence

from gyoji.core.faults import Breakdown
from gyoji.core.messages import Reply
from gyoji.core.ports import Executor
from gyoji.core.record import GameRecord
from gyoji.core.spec import Player
from gyoji.referee import Action, Closing, Dismiss, Referee, Say
from gyoji.runner.appraisal import Appraisal, Verdict, is_unscored, scored
from gyoji.runner.leavings import leave_record, leave_void
from gyoji.runner.link import Link
from gyoji.runner.loop import Loop
from gyoji.runner.order import Order, Progress, Report
from gyoji.runner.setting import engine_environ, make_codec, make_rules
from gyoji.runner.transcript import Transcript


class Game:
    """Plays `order` in `loop`; calls `done` with the report, or with None if the game was abandoned.

    Whatever of ours fails in it makes it void: the report says why.
    """

    def __init__(
        self, loop: Loop, order: Order, executor: Executor, done: Callable[[Report | None], None]
    ) -> None:
        self.order = order
        self._loop = loop
        self._executor = executor
        self._done = done
        self._links: list[Link] = []
        self._open = 0
        self._void: str | None = None
        self._log: list[str] = []
        self._abandoned = False
        self._began = time.monotonic_ns()
        self._ended = self._began
        self._started = time.strftime("%Y-%m-%dT%H:%M:%S%z")
        self._transcript: Transcript | None = None
        self._appraisal: Appraisal | None = None
        self.referee = Referee(order.spec, make_rules(order.spec))

    def begin(self) -> None:
        """Start the engines and the game."""
        spec = self.order.spec
        if self.order.files.transcript is not None:
            self._transcript = Transcript(self.order.files.transcript, self._began)
        environ = engine_environ(spec.id, self.order.slot)
        try:
            for seat, player in enumerate(spec.players):
                self._links.append(self._link(seat, player, environ))
                self._open += 1
            self._act(self.referee.begin())
        except Breakdown as breakdown:
            self.on_failure(str(breakdown))

    def _link(self, seat: int, player: Player, environ: Mapping[str, str]) -> Link:
        codec = make_codec(player)
        engine = self._executor.start(player, environ)
        meter = self.referee.control(seat).meter
        link = Link(self._loop, self, seat, engine=engine, codec=codec, meter=meter)
        link.transcript = self._transcript
        return link

    def progress(self) -> Progress:
        return Progress(self.order.spec.id, self.referee.turns, self.referee.time_left())

    def abandon(self) -> None:
        """End the game now, without a result."""
        self._abandoned = True
        if self._appraisal is not None:
            self._appraisal.abandon()
        else:
            self._clear_table()

    # What the links report

    def on_reply(self, seat: int, reply: Reply, used: int) -> None:
        self._act(self.referee.replied(seat, reply, used))

    def on_expiry(self, seat: int, used: int, waited: int, *, deaf: bool) -> None:
        self._act(self.referee.expired(seat, used, waited, deaf=deaf))

    def on_failure(self, reason: str, trace: Sequence[str] = ()) -> None:
        """We failed: the game is void."""
        self._void = self._void or reason
        self._log += trace
        self._clear_table()

    def on_closed(self, seat: int) -> None:
        self._open -= 1
        if not self._open:
            self._finish()

    def _act(self, actions: list[Action]) -> None:
        for action in actions:
            if isinstance(action, Say):
                self._links[action.seat].say(action.request, action.patience)
            elif isinstance(action, Dismiss):
                self._ended = time.monotonic_ns()
                self._links[action.seat].dismiss(kindly=action.kindly)
            else:
                self._links[action.seat].wait(action.patience)

    def _clear_table(self) -> None:
        self._ended = time.monotonic_ns()
        for link in self._links:
            link.dismiss(kindly=False)
        if not self._open:
            self._finish()

    # The end

    def _finish(self) -> None:
        if self._transcript is not None:
            self._transcript.close(time.monotonic_ns())
        if self._abandoned:
            self._done(None)
        elif self._void is not None or self.referee.outcome is None:
            self._done(self._void_report())
        else:
            closings = [link.closing or Closing() for link in self._links]
            self._recorded(self.referee.record(self._started, self._ended - self._began, closings))

    def _recorded(self, record: GameRecord) -> None:
        """The game is over and its engines are gone; an engine without a seat may have to score it."""
        spec = self.order.spec
        if not is_unscored(spec, record):
            self._done(self._report(record))
            return

        def score(verdict: Verdict) -> None:
            self._done(None if self._abandoned else self._report(scored(spec, record, verdict)))

        self._appraisal = Appraisal(self._loop, self._executor, spec, record, score)
        self._appraisal.begin()

    def _report(self, record: GameRecord) -> Report:
        troubles = leave_record(self.order.files, self.order.spec, record)
        return Report(record=record, log=(*troubles, *self._spilled()))

    def _void_report(self) -> Report:
        void = self.referee.void(self._started, self._void or "the game ended without an outcome")
        troubles = leave_void(self.order.files, self.order.spec, void)
        return Report(void=void, log=(*troubles, *self._log, *self._spilled()))

    def _spilled(self) -> list[str]:
        """What the engines wrote to stderr, for the event log."""
        log: list[str] = []
        for player, link in zip(self.order.spec.players, self._links, strict=False):
            size, lines = link.last_words()
            if lines:
                note = f" (the last of {size} bytes)" if size > sum(len(line) + 1 for line in lines) else ""
                log.append(f"{player.code} wrote to stderr{note}:")
                log += [f"    {line}" for line in lines]
        return log
