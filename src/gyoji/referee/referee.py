"""The referee of one game.

It is told what seats reply and how long that took, and answers with actions: what to say to whom, and how
long to wait for the answer. A seat goes through these stages, one request at a time::

    PREPARING -> IDLE <-> THINKING                                 while the game runs
                 IDLE <-> HEARING, SETTLING, APPRAISING            while it is counted
                 IDLE -> HEARING -> APPRAISING -> PARTING -> GONE  once it has stopped

While the game runs, whatever goes wrong with an engine is its fault and decides the game, or the game goes
on without that seat if the rules can (`drop`). After that it changes nothing, and is noted as late.

Order of checks for an answer: time first, then form, then legality.
"""

import sys
from collections.abc import Callable, Sequence
from typing import Any

from gyoji.core import messages as m
from gyoji.core.clocks import Meter, TimeControl
from gyoji.core.faults import FaultKind, IllegalMove
from gyoji.core.outcome import Ending, Outcome, lost_by, won_by
from gyoji.core.record import GameRecord, Timing, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable, quote
from gyoji.referee.actions import Action, Closing, Dismiss, Say, Wait
from gyoji.referee.chair import Chair, Stage
from gyoji.referee.counting import Counting
from gyoji.referee.farewell import Farewell
from gyoji.referee.lateness import held_against, look_at, overspent, owed, silent
from gyoji.referee.minutes import Minutes, sides_of
from gyoji.referee.refusals import ruling_on


class Referee:
    """Decides one game of `rules` (the port `Rules`).

    Use: do what `begin` returns, then feed `replied`, `expired` and `broken` and do what they return, until
    `is_over`; then ask for the `record`. account: tells what became of the time of a seat that is too late.
    """

    def __init__(
        self, spec: GameSpec, rules: Any, account: Callable[[int], Timing | None] = lambda _: None
    ) -> None:
        self._account = account
        self.spec = spec
        self.rules = rules
        self.position = rules.start()
        self.outcome: Outcome | None = None
        roles = getattr(rules, "roles", ("",) * rules.seats)
        self._chairs = [Chair(seat, spec, roles[seat]) for seat in range(rules.seats)]
        self._minutes = Minutes(spec, rules)
        self._teams: Sequence[int] = rules.teams
        self._team_count = len(set(rules.teams))
        self._acting: tuple[int, ...] = ()
        self._phase = ""
        self._answers: dict[int, tuple[m.Move, int]] = {}  # of those who move at once: (move, ns)
        self._leaving: list[tuple[Chair, Ending, str]] = []  # of those that answered, and then broke down
        self._in_turn = spec.asking == "in turn"
        self._notes: Any = getattr(rules, "notes", None)
        self._declined: Any = getattr(rules, "declined", None)
        self._limit = spec.move_limit or sys.maxsize
        self._counted = 0  # turns that count towards the limit
        self._counting = Counting(spec, rules, self._chairs, self._minutes)
        self._farewell: Farewell | None = None  # once there are no more moves, whatever happens

    # What the runner asks

    @property
    def is_over(self) -> bool:
        """Decided, and every seat has been dismissed."""
        return self._farewell is not None and all(chair.stage is Stage.GONE for chair in self._chairs)

    @property
    def turns(self) -> int:
        return self._minutes.count

    def control(self, seat: int) -> TimeControl:
        return self._chairs[seat].control

    def time_left(self) -> tuple[int | None, ...]:
        """ns on each seat's clock before its next move is lost on time, None without a clock."""
        return tuple(chair.control.allowance(chair.clock) for chair in self._chairs)

    def record(self, started: str, wall_ns: int, closings: Sequence[Closing]) -> GameRecord:
        """The record of the decided game. closings: per seat, how its engine's process ended."""
        assert self.outcome is not None, "the game is still running"
        is_asked = self._counting.asks_scores or (self._farewell and self._farewell.asks_scores)
        scores = tuple(chair.opinion.text for chair in self._chairs) if is_asked else ()
        return self._minutes.record(
            self.outcome,
            self._chairs,
            closings,
            scores=scores,
            sides=sides_of(self.rules, self.position),
            started=started,
            wall_ns=wall_ns,
        )

    def void(self, started: str, reason: str) -> VoidGame:
        """What is known of the game when it cannot go on, by nobody's fault in it."""
        to_move = [chair.player.code for chair in self._chairs if chair.stage is Stage.THINKING]
        return self._minutes.void(started, reason, to_move)

    # What the runner tells

    def note_late(self, seat: int | None, text: str) -> None:
        """Something went wrong after the game, about `seat` or all of it, which changes nothing."""
        if seat is None:
            self._minutes.late.append(printable(text))
        else:
            self._minutes.note_late(self._chairs[seat], text)

    def begin(self) -> list[Say]:
        """Everybody gets ready at once."""
        actions: list[Say] = []
        for chair in self._chairs:
            view = self.rules.view(self.position, chair.seat)
            request = m.Prepare(chair.seat, self.rules, view, chair.control, chair.player)
            actions.append(Say(chair.seat, request, chair.startup_patience))
        return actions

    def replied(self, seat: int, reply: m.Reply, used: int) -> list[Action]:
        """`seat` answered `used` ns (by its meter) after it was asked."""
        chair = self._chairs[seat]
        stage, kind = chair.stage, type(reply)
        if kind is m.Moved and stage is Stage.THINKING:
            return self._moved(chair, reply.move, used)  # type: ignore[union-attr]
        if kind is m.Remark:
            self._minutes.note_remark(chair, reply.text)  # type: ignore[union-attr]
            return []
        if isinstance(reply, m.Complained):
            chair.complaint = (stage, self.turns, reply.text)
            return []
        if isinstance(reply, m.Broken):
            return self.broken(seat, reply.kind, reply.detail)
        if stage is Stage.PREPARING:
            return self._prepared(chair, reply, used)
        if stage is Stage.THINKING:
            return self._answered(chair, reply, used)
        if self._farewell is not None:
            return self._farewell.replied(chair, reply)
        return self._after_counting(self._counting.replied(chair, reply)) if self._counting.is_asking else []

    def expired(self, seat: int, used: int, waited: int, *, deaf: bool = False) -> list[Action]:
        """Patience with `seat` is over: `used` ns by its meter, `waited` by the wall, since it was asked.

        deaf: it has not even read all of the question.
        """
        chair = self._chairs[seat]
        if chair.stage is Stage.THINKING:
            allowed = chair.control.allowance(chair.clock)
            if allowed is not None and used >= max(allowed, 1):  # who has used nothing has time left
                return self._silent(chair, FaultKind.TIME, *overspent(chair, used))
            if chair.control.meter is not Meter.WALL:
                text, patience = look_at(chair, self.turns, used, waited)
                return self.broken(seat, FaultKind.SILENT, text) if text else [Wait(seat, patience)]
            left = chair.player.budgets.move - waited
            if left > 0:
                return [Wait(seat, left if allowed is None else min(left, allowed - used))]
        return self._silent(chair, *silent(chair, waited, deaf=deaf))

    def broken(self, seat: int, kind: FaultKind, detail: str) -> list[Action]:
        """The conversation with `seat` cannot go on, by its own doing."""
        chair = self._chairs[seat]
        stage, text = chair.stage, chair.stage.value + printable(detail)
        if stage is Stage.GONE:
            return []
        if chair.complaint[:2] == (stage, self.turns):
            text += f"; it had said {quote(chair.complaint[2])}"
        chair.stage = Stage.GONE
        farewell: list[Action] = [Dismiss(seat, kindly=False)]
        if self._farewell is not None:
            self._minutes.note_late(chair, text)
            return farewell
        if self._counting.is_asking:
            self._minutes.note_late(chair, text)
            return self._after_counting(farewell + self._counting.gone())
        ending = Ending.TIME if kind is FaultKind.TIME else Ending.FAULT
        if stage is Stage.PREPARING:
            return farewell + self._forfeit(chair, ending, text)
        if seat in self._answers:  # which counts: it is out of the game after this turn
            self._leaving.append((chair, ending, text))
            return farewell
        return farewell + self._lose(chair, ending, text)

    # Before the first move

    def _prepared(self, chair: Chair, reply: m.Reply, used: int) -> list[Action]:
        if isinstance(reply, m.Declined):
            return self.broken(chair.seat, FaultKind.STARTUP, reply.text)
        assert isinstance(reply, m.Ready), reply
        chair.seat_ready(reply, used)
        if any(other.stage is Stage.PREPARING for other in self._chairs):
            return []
        return self._proceed()

    # Turns

    def _proceed(self) -> list[Action]:
        """Ask every acting seat that has not been asked yet; play the turn if all have answered."""
        rules, position = self.rules, self.position
        self._acting = acting = rules.acting(position)
        if not acting or self._minutes.count >= self._counting.last_turn:
            return self._count()
        phase = rules.phase(position)
        if phase != self._phase:
            self._phase = phase
            if self._counting.stops(position):
                return self._count()
        if self._counted >= self._limit and not self._phase:
            return self._decide(Outcome(points=None, ending=Ending.MOVE_LIMIT, detail="hit move limit"))
        if len(acting) == 1 and not self._answers:  # as in most games at every move
            chair = self._chairs[acting[0]]
            if chair.stage is Stage.IDLE and chair.patience >= 0:
                return [self._ask(chair)]
        return self._ask_together()

    def _ask_together(self) -> list[Action]:
        """As `_proceed` for several seats that move at once, or of whom one is left."""
        acting, answers = self._acting, self._answers
        if len(answers) == len(acting):
            return self._play_together()
        actions: list[Action] = []
        for seat in acting:
            chair = self._chairs[seat]
            if chair.stage is Stage.IDLE and seat not in answers:
                if chair.patience < 0:  # it had overspent before the first question
                    return actions + self._out_of_time(chair, 0)
                actions.append(self._ask(chair))
            if self._in_turn and seat not in answers:
                break
        return actions

    def _ask(self, chair: Chair) -> Say:
        chair.stage = Stage.THINKING
        news = self._minutes.news(chair)
        chair.heard += len(news)
        view = self.rules.view(self.position, chair.seat)
        return Say(chair.seat, m.Ask(view, news, self._phase, chair.clock), chair.patience)

    def _moved(self, chair: Chair, move: m.Move, used: int) -> list[Action]:
        if not chair.charge(used):
            return self._out_of_time(chair, used)
        chair.stage = Stage.IDLE
        chair.last = len(self._minutes.turns)
        if len(self._acting) == 1:
            return self._play(((chair.seat, move),), (used,))
        self._answers[chair.seat] = (move, used)
        if len(self._answers) < len(self._acting):
            return self._proceed() if self._in_turn else []
        return self._play_together()

    def _play_together(self) -> list[Action]:
        """The turn of several seats, now that all have answered."""
        answers = [(seat, *self._answers[seat]) for seat in self._acting]
        self._answers.clear()
        return self._play(
            tuple((seat, move) for seat, move, _ in answers), tuple(used for *_, used in answers)
        )

    def _play(self, turn: m.Turn, spent: tuple[int, ...]) -> list[Action]:
        minutes, before = self._minutes, self.position
        try:
            self.position = self.rules.play(before, turn)
        except IllegalMove as illegal:
            chair = self._chairs[illegal.seat]
            chair.last = None
            minutes.note_refused(illegal.seat, turn, spent)
            return self._forfeit(chair, Ending.ILLEGAL_MOVE, illegal.reason)
        if self._phase:
            minutes.phases[len(minutes.turns)] = self._phase
            plain = tuple((seat, self.rules.plain(before, move)) for seat, move in turn)
            if plain != turn:
                minutes.plain[len(minutes.turns)] = plain
        else:
            self._counted += 1
        if self._notes is not None and any(notes := self._notes(before, turn)):
            minutes.notes[len(minutes.turns)] = notes
        minutes.turns.append(turn)
        minutes.spent.append(spent)
        if self._leaving:
            return self._see_off()
        return self._proceed()

    def _answered(self, chair: Chair, reply: m.Reply, used: int) -> list[Action]:
        """An answer to the question for a move that is not a move."""
        chair.last = None
        if isinstance(reply, m.Refused):
            chair.stage = Stage.IDLE
            return self._refused(chair, reply)
        if not chair.charge(used):
            return self._out_of_time(chair, used)
        chair.stage = Stage.IDLE
        team = self._teams[chair.seat]
        if isinstance(reply, m.Resigned):
            points = lost_by(team, self._team_count)
            return self._decide(Outcome(points=points, ending=Ending.RESIGNATION, seat=chair.seat))
        if isinstance(reply, m.Claimed):
            points = won_by(team, self._team_count)
            return self._decide(Outcome(points=points, ending=Ending.CLAIM, detail="claim", seat=chair.seat))
        if isinstance(reply, m.IllFormed):
            return self._lose(chair, Ending.ILL_FORMED_MOVE, f"ill-formed move {quote(reply.text)}")
        assert isinstance(reply, m.Declined), reply
        if self._phase and self._declined is not None:
            position = self._declined(self.position, chair.seat)
            if position is not None:
                self._minutes.warnings.append(f"{chair.name}: {printable(reply.text)}")
                self._take_back_phase()
                self.position = position
                return self._proceed()
        return self._lose(chair, Ending.REJECTION, printable(reply.text))

    def _take_back_phase(self) -> None:
        """What was played in the phase that a seat cannot carry out has not been."""
        self._minutes.take_back_phase()
        for chair in self._chairs:
            chair.heard = min(chair.heard, self.turns)
            chair.last = None

    def _refused(self, chair: Chair, reply: m.Refused) -> list[Action]:
        last = self._minutes.turns[-1] if self._minutes.turns else ()
        seat, ending, text = ruling_on(reply, chair, last, spec=self.spec, rules=self.rules)
        return self._forfeit(self._chairs[seat], ending, text)

    def _out_of_time(self, chair: Chair, used: int) -> list[Action]:
        """`chair` answered too late. Raises Breakdown if the machine stood still."""
        chair.last = None
        text = held_against(chair, *overspent(chair, used), self._account(chair.seat))
        return self.broken(chair.seat, FaultKind.TIME, text)

    def _silent(self, chair: Chair, kind: FaultKind, text: str, over: int | None) -> list[Action]:
        timing = self._account(chair.seat)
        if patience := owed(chair, over, timing):
            return [Wait(chair.seat, patience)]
        return self.broken(chair.seat, kind, held_against(chair, text, over, timing))

    # The end

    def _lose(self, chair: Chair, ending: Ending, text: str) -> list[Action]:
        """`chair` broke a rule: its team has lost, unless the game goes on without it."""
        if not self._leave_out(chair, text):
            return self._forfeit(chair, ending, text)
        farewell: list[Action] = []
        if chair.stage is not Stage.GONE:
            chair.stage = Stage.GONE
            farewell.append(Dismiss(chair.seat, kindly=False))
        return farewell + self._proceed()

    def _leave_out(self, chair: Chair, text: str) -> bool:
        """Whether the game can go on without `chair`, which is out of it then."""
        position = self.rules.drop(self.position, chair.seat)
        if position is None:
            return False
        self._minutes.warnings.append(f"{chair.name} is out of the game: {text}")
        self._minutes.left_out.append(chair.seat)
        self.position = position
        return True

    def _see_off(self) -> list[Action]:
        """The turn has been played for which seats answered that broke down afterwards."""
        if self.rules.acting(self.position):
            leaving, self._leaving = self._leaving, []
            for chair, ending, text in leaving:
                if not self._leave_out(chair, text):
                    return self._forfeit(chair, ending, text)
        return self._proceed()

    def _forfeit(self, chair: Chair, ending: Ending, text: str) -> list[Action]:
        detail = f"forfeit by {chair.name}: {text}"
        self._minutes.warnings.append(detail)
        points = lost_by(self._teams[chair.seat], self._team_count)
        return self._decide(Outcome(points=points, ending=ending, detail=detail, seat=chair.seat))

    def _count(self) -> list[Action]:
        """Both sides have passed, or the game is over by its rules."""
        return self._after_counting(self._counting.begin(self.position))

    def _after_counting(self, actions: list[Action]) -> list[Action]:
        """The game goes on, is decided, or waits for more answers: whatever the counting has come to."""
        counting = self._counting
        if counting.outcome is not None:
            return actions + self._decide(counting.outcome)
        if counting.resumed is not None:
            self.position, counting.resumed = counting.resumed, None
            return actions + self._proceed()
        return actions

    def _decide(self, outcome: Outcome) -> list[Action]:
        self.outcome = outcome
        return self._stop()

    def _stop(self) -> list[Action]:
        """No more moves."""
        self._farewell = Farewell(self.rules, self.position, self.outcome, self._minutes)
        for chair, _, text in self._leaving:
            self._minutes.note_late(chair, text)
        return [action for chair in self._chairs for action in self._farewell.begin(chair)]
