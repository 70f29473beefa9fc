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
from typing import Final

from gyoji.core import messages as m
from gyoji.core.clocks import ShownClock, TimeControl
from gyoji.core.faults import FaultKind, IllegalMove
from gyoji.core.game import PlayedOut
from gyoji.core.outcome import Ending, Outcome, lost_by, won_by
from gyoji.core.ports import AnyRules, TakesDeclining, offers
from gyoji.core.record import GameRecord, Timing, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable, quote
from gyoji.referee.adjudication import Adjudicator, adjudicator_of
from gyoji.referee.blame import held_against, overspent, owed, ruling_on, silent, still_owed
from gyoji.referee.closing import Shutdown
from gyoji.referee.counting import Counting
from gyoji.referee.game_log import GameLog, sides_of
from gyoji.referee.seat_state import (
    Action,
    Closing,
    Dismiss,
    Say,
    SeatState,
    Stage,
    Wait,
    listed,
    seat_states,
)
from gyoji.referee.suggestions import Suggestions
from gyoji.referee.wishes import CONSULTED, Wishes

# Looked at several times a move: a member of an enumeration is looked up each time, and costs more.
_IDLE: Final = Stage.IDLE
_THINKING: Final = Stage.THINKING


class Referee:
    """Decides one game of `rules` (the port `Rules`).

    Use: do what `begin` returns, then feed `replied`, `expired` and `broken` and do what they return, until
    `is_over`; then ask for the `record`. account: tells what became of the time of a seat that is too late.
    adjudicator: may end the game; None for the one that `spec` asks for.
    """

    def __init__(
        self,
        spec: GameSpec,
        rules: AnyRules,
        account: Callable[[int], Timing | None] = lambda _: None,
        *,
        adjudicator: Adjudicator | None = None,
    ) -> None:
        self._account = account
        self.spec = spec
        self.rules = rules
        self.position = rules.start()
        self.outcome: Outcome | None = None
        self._states = seat_states(spec, rules)
        adjudicator = adjudicator or adjudicator_of(spec.adjudication, rules.teams)
        self._is_adjudicated = adjudicator is not None
        self.log = GameLog(spec, rules, adjudicator)
        self._teams: Sequence[int] = rules.teams
        self._team_count = len(set(rules.teams))
        self._acting: tuple[int, ...] = ()
        self._phase = ""
        self._answers: dict[int, tuple[m.Move, int]] = {}  # of those who move at once: (move, ns)
        self._leaving: list[tuple[SeatState, Ending, str]] = []  # of those that answered, and then broke down
        self._in_turn = spec.asking == "in turn"
        self._declined = rules.declined if offers(rules, TakesDeclining) else None
        self._limit = spec.move_limit or sys.maxsize
        self._counting = Counting(spec, rules, self._states, self.log)
        self._wishes = Wishes(spec, rules, self._states, self.log)
        self._suggestions = Suggestions(rules, self._states, self.log)
        self._clocks = tuple([state.clock for state in self._states])
        self._is_timed = any(state.is_timed for state in self._states)
        self._shutdown: Shutdown | None = None  # once there are no more moves, whatever happens

    @property
    def is_over(self) -> bool:
        """Decided, and every seat has been dismissed."""
        return self._shutdown is not None and all(state.stage is Stage.GONE for state in self._states)

    @property
    def turns(self) -> int:
        return self.log.count

    def control(self, seat: int) -> TimeControl:
        return self._states[seat].control

    def time_left(self) -> tuple[int | None, ...]:
        """ns on each seat's clock before its next move is lost on time, None without a clock."""
        return tuple(state.control.allowance(state.clock) for state in self._states)

    def clocks(self) -> tuple[ShownClock | None, ...]:
        """Each seat's clock as people see it, where one has more than one time that is left; else ()."""
        if not any(state.control.has_parts for state in self._states):
            return ()
        return tuple(state.control.shown(state.clock) for state in self._states)

    def record(self, started: str, wall_ns: int, closings: Sequence[Closing]) -> GameRecord:
        """The record of the decided game. closings: per seat, how its engine's process ended."""
        assert self.outcome is not None, "the game is still running"
        is_asked = self._counting.asks_scores or (self._shutdown and self._shutdown.asks_scores)
        scores = tuple(state.opinion.text for state in self._states) if is_asked else ()
        sides = sides_of(self.rules, self.position)
        return self.log.record(
            self.outcome, self._states, closings, scores=scores, sides=sides, started=started, wall_ns=wall_ns
        )

    @property
    def played_out(self) -> PlayedOut:
        """The positions of the game, for whoever writes its record."""
        return PlayedOut(self.rules, self.log.positions)

    def void(self, started: str, reason: str) -> VoidGame:
        """The game as far as it is known, when it cannot go on and nobody in it is to blame."""
        return self.log.void(started, reason, self._states)

    # What the runner tells

    def note_late(self, seat: int | None, text: str) -> None:
        """Something went wrong after the game, about `seat` or all of it, which changes nothing."""
        self.log.note_late(None if seat is None else self._states[seat], text)

    def begin(self) -> list[Say]:
        """Everybody gets ready at once."""
        controls = tuple([state.control for state in self._states])
        return [state.get_ready(self.rules, self.position, controls) for state in self._states]

    def replied(self, seat: int, reply: m.Reply, used: int) -> list[Action]:
        """`seat` answered `used` ns (by its meter) after it was asked."""
        state = self._states[seat]
        stage = state.stage
        if type(reply) is m.Moved and stage is _THINKING:
            return listed(self.moved(seat, reply.move, used))
        if type(reply) is m.Comment:
            self.log.note_comment(state, reply)
            return []
        if type(reply) is m.Warned:
            state.complaint = (stage, self.turns, reply.text)
            return []
        if type(reply) is m.Delayed:
            state.lagged = max(reply.ns, 0)
            return []
        if type(reply) is m.Broken:
            return self.broken(seat, reply.kind, reply.detail)
        if stage is Stage.PREPARING:
            return self._prepared(state, reply, used)
        if stage is _THINKING:
            return self._answered(state, reply, used)
        if self._shutdown is not None:
            return self._shutdown.replied(state, reply)
        if stage is Stage.CHOOSING:
            return self._chosen(state, reply)
        if stage in CONSULTED:
            return self._after_wish() if self._wishes.replied(state, reply) else self._proceed()
        return self._after_counting(self._counting.replied(state, reply)) if self._counting.is_asking else []

    def expired(self, seat: int, used: int, waited: int, *, deaf: bool = False) -> list[Action]:
        """Patience with `seat` is over: `used` ns by its meter, `waited` by the wall, since it was asked.

        deaf: it has not even read all of the question.
        """
        state = self._states[seat]
        if state.stage is Stage.CONSENTING:
            return self.replied(seat, m.Declined(), used)
        if state.stage is Stage.CHOOSING:
            state.stage = _IDLE
            return self._suggestions.let_be()
        used += state.thought
        if patience := still_owed(state, self.turns, used, waited):
            return [Wait(seat, patience)]
        kind, text, over = silent(state, used, waited, deaf=deaf)
        timing = None if over is None else self._account(seat)
        if patience := owed(state, over, timing):
            return [Wait(seat, patience)]
        return self.broken(seat, kind, held_against(state, text, over, timing))

    def broken(self, seat: int, kind: FaultKind, detail: str) -> list[Action]:
        """The conversation with `seat` cannot go on, by its own doing."""
        state = self._states[seat]
        stage, text = state.stage, state.stage.value + printable(detail)
        if stage is Stage.GONE:
            return []
        if state.complaint[:2] == (stage, self.turns):
            text += f"; it had said {quote(state.complaint[2])}"
        state.stage = Stage.GONE
        dismissal: list[Action] = [Dismiss(seat, kindly=False)]
        if self._shutdown is not None:
            self.log.note_late(state, text)
            return dismissal
        if self._counting.is_asking:
            self.log.note_late(state, text)
            return self._after_counting(dismissal + self._counting.go_on())
        self._wishes.gone(state)
        ending = Ending.TIME if kind is FaultKind.TIME else Ending.FAULT
        if stage is Stage.PREPARING:
            return dismissal + self._forfeit(state, ending, text)
        if seat in self._answers:  # which counts: it is out of the game after this turn
            self._leaving.append((state, ending, text))
            return dismissal
        return dismissal + self._lose(state, ending, text)

    # Before the first move, and turns

    def _prepared(self, state: SeatState, reply: m.Reply, used: int) -> list[Action]:
        if isinstance(reply, m.Unsupported):
            return self.broken(state.seat, FaultKind.STARTUP, reply.text)
        assert isinstance(reply, m.Ready), reply
        state.seat_ready(reply, used)
        if any(other.stage is Stage.PREPARING for other in self._states):
            return []
        return self._proceed()

    def _proceed(self) -> list[Action]:
        return listed(self._next())

    def _next(self) -> Say | list[Action]:
        """Ask every acting seat that has not been asked yet; play the turn if all have answered."""
        rules, position, log = self.rules, self.position, self.log
        self._acting = acting = rules.acting(position)
        if not acting or len(log.turns) >= self._counting.last_turn:
            return self._after_counting(self._counting.begin(position))
        phase = rules.phase(position)
        if phase != self._phase:
            self._phase = phase
            if self._counting.stops(position):
                return self._after_counting(self._counting.begin(position))
        if log.counted >= self._limit and not phase:
            return self._decide(Outcome(points=None, ending=Ending.MOVE_LIMIT, detail="hit move limit"))
        if len(acting) == 1 and not self._answers:  # as in most games at every move
            state = self._states[acting[0]]
            if state.stage is _IDLE and state.patience >= 0:
                return self._ask(state)
        return self._ask_together()

    def _ask_together(self) -> Say | list[Action]:
        """As `_next` for several seats that move at once, or of whom one is left."""
        acting, answers = self._acting, self._answers
        if len(answers) == len(acting):
            return self._play_together()
        actions: list[Action] = []
        for seat in acting:
            state = self._states[seat]
            if state.stage is _IDLE and seat not in answers:
                if state.patience < 0:  # it had overspent before the first question
                    return actions + self._out_of_time(state, 0)
                actions.append(self._ask(state))
            if self._in_turn and seat not in answers:
                break
        return actions

    def _ask(self, state: SeatState, notice: str = "", advice: m.Move | None = None) -> Say:
        state.stage = _THINKING
        seat, news = state.seat, self.log.news(state)
        state.heard = len(self.log.turns)
        view = self.rules.view(self.position, seat)
        clocks = tuple([each.clock for each in self._states]) if self._is_timed else self._clocks
        taken_back = state.told_taken_back() if state.taken_back else 0
        question = m.AskMove(
            view, news, self._phase, state.clock, clocks, taken_back, notice, advice, state.changed
        )
        state.changed = None
        return Say(seat, question, state.patience)

    def _ask_again(
        self, state: SeatState, notice: str, used: int = 0, advice: m.Move | None = None
    ) -> list[Action]:
        """Its answer, of `used` ns, was no move that can be taken, or a wish: it is asked once more."""
        self.log.note_aside(state, used)
        return self._out_of_time(state, 0) if state.patience < 0 else [self._ask(state, notice, advice)]

    def moved(self, seat: int, move: m.Move, used: int) -> Say | list[Action]:
        """As `replied`, for `Moved`: the next question as a rule, and else the list of what is to be done."""
        state = self._states[seat]
        if state.stage is not _THINKING:
            return self.replied(seat, m.Moved(move), used)
        if state.lagged:
            used = self.log.credit(state, used)
        if state.thought:
            used, state.thought = used + state.thought, 0
        if not state.charge(used):
            return self._out_of_time(state, used)
        state.stage = _IDLE
        if state.ready.tries_again:
            try:
                self.rules.check(self.position, seat, move)
            except IllegalMove as illegal:
                return self._ask_again(state, illegal.reason, used)
        state.last = len(self.log.turns)
        if len(self._acting) == 1:
            return self._play(((seat, move),), (used,))
        self._answers[seat] = (move, used)
        if len(self._answers) == len(self._acting):
            return self._play_together()
        return self._next() if self._in_turn else []

    def _play_together(self) -> Say | list[Action]:
        """The turn of several seats, now that all have answered."""
        answers = [self._answers.pop(seat) for seat in self._acting]
        turn = tuple([(seat, move) for seat, (move, _) in zip(self._acting, answers, strict=True)])
        return self._play(turn, tuple([used for _, used in answers]))

    def _play(self, turn: m.Turn[m.Move], spent: tuple[int, ...]) -> Say | list[Action]:
        before = self.position
        try:
            self.position = self.rules.play(before, turn)
        except IllegalMove as illegal:
            state = self._states[illegal.seat]
            state.last = None
            self.log.note_refused(illegal.seat, turn, spent)
            return self._forfeit(state, Ending.ILLEGAL_MOVE, illegal.reason)
        self.log.add(before, self._phase, turn, spent, self.position)
        if self._leaving:
            return self._see_off()
        if self._is_adjudicated and (outcome := self.log.adjudged(self.position)) is not None:
            return self._decide(outcome)
        return self._next()

    def _answered(self, state: SeatState, reply: m.Reply, used: int) -> list[Action]:
        """An answer to the question for a move that is not a move."""
        state.last = None
        if isinstance(reply, m.RejectedMove):
            state.stage = _IDLE
            return self._refused(state, reply)
        if state.lagged:
            used = self.log.credit(state, used)
        if state.thought:
            used, state.thought = used + state.thought, 0
        if isinstance(reply, m.Suggested) and not state.is_late(used):
            state.stage, state.thought = _IDLE, used
            return self._suggestions.begin(state, reply.move, self.position)
        if not state.charge(used):
            return self._out_of_time(state, used)
        state.stage = _IDLE
        if isinstance(reply, m.Wish):
            return self._wishes.begin(state, reply, self.position, used) + self._after_wish()
        if isinstance(reply, m.Resigned):
            if self._team_count > 2 and self._leave_out(state, "resigned"):  # the others play on
                state.stage = Stage.GONE
                return [Dismiss(state.seat, kindly=True), *self._proceed()]
            return self._lost(state, Ending.RESIGNATION)
        if isinstance(reply, m.ClaimedWin):
            points = won_by(self._teams[state.seat], self._team_count)
            return self._decide(Outcome(points=points, ending=Ending.CLAIM, detail="claim", seat=state.seat))
        if isinstance(reply, m.Malformed):
            text = "; ".join(filter(None, (f"ill-formed move {quote(reply.text)}", printable(reply.note))))
            if state.ready.tries_again:
                return self._ask_again(state, text, used)
            return self._lose(state, Ending.ILL_FORMED_MOVE, text)
        assert isinstance(reply, m.Unsupported), reply
        if self._phase and self._declined is not None:
            position = self._declined(self.position, state.seat)
            if position is not None:
                self.log.warnings.append(f"{state.name}: {printable(reply.text)}")
                self.log.take_back_phase(self._states)
                self.position = position
                return self._proceed()
        return self._lose(state, Ending.REJECTION, printable(reply.text))

    def _chosen(self, who: SeatState, reply: m.Reply) -> list[Action]:
        """Who was asked for the move of an engine that has suggested one has answered."""
        who.stage = _IDLE
        if isinstance(reply, m.Resigned):
            return self._lost(who, Ending.RESIGNATION)
        return self._suggestions.chosen(who, reply.move) if isinstance(reply, m.Moved) else []

    def _after_wish(self) -> list[Action]:
        """A wish waits for somebody, or what became of it is told or done."""
        wishes = self._wishes
        if wishes.is_asking:
            return []
        if wishes.outcome is not None:
            return self._decide(wishes.outcome)
        if wishes.turn is not None:
            self.position = wishes.take_back(wishes.turn)
            return self._proceed()
        return self._ask_again(self._states[wishes.seat], wishes.notice, advice=wishes.advice)

    def _refused(self, state: SeatState, reply: m.RejectedMove) -> list[Action]:
        last = self.log.turns[-1] if self.log.turns else ()
        seat, ending, text = ruling_on(reply, state, last, spec=self.spec, rules=self.rules)
        return self._forfeit(self._states[seat], ending, text)

    def _out_of_time(self, state: SeatState, used: int) -> list[Action]:
        """`state` answered too late. Raises Breakdown if the machine stood still."""
        state.last = None
        text = held_against(state, *overspent(state, used), self._account(state.seat))
        return self.broken(state.seat, FaultKind.TIME, text)

    # The end

    def _lose(self, state: SeatState, ending: Ending, text: str) -> list[Action]:
        """`state` broke a rule: its team has lost, unless the game goes on without it."""
        if not self._leave_out(state, text):
            return self._forfeit(state, ending, text)
        before, state.stage = state.stage, Stage.GONE
        return [Dismiss(state.seat, kindly=False)] * (before is not Stage.GONE) + self._proceed()

    def _leave_out(self, state: SeatState, text: str) -> bool:
        """Whether the game can go on without `state`, which is out of it then."""
        if (position := self.rules.drop(self.position, state.seat)) is None:
            return False
        self.log.note_left_out(state, text)
        self.position = position
        return True

    def _see_off(self) -> list[Action]:
        """The turn has been played for which seats answered that broke down afterwards."""
        if self.rules.acting(self.position):
            leaving, self._leaving = self._leaving, []
            for state, ending, text in leaving:
                if not self._leave_out(state, text):
                    return self._forfeit(state, ending, text)
        return self._proceed()

    def ruled_against(self, seat: int, reason: str) -> list[Action]:
        """A person who runs the event has a seat forfeit the game. Not once it has been decided."""
        return self._forfeit(self._states[seat], Ending.FORFEIT, printable(reason))

    def _forfeit(self, state: SeatState, ending: Ending, text: str) -> list[Action]:
        detail = f"forfeit by {state.name}: {text}"
        self.log.warnings.append(detail)
        return self._lost(state, ending, detail)

    def _lost(self, state: SeatState, ending: Ending, detail: str = "") -> list[Action]:
        points = lost_by(self._teams[state.seat], self._team_count)
        return self._decide(Outcome(points=points, ending=ending, detail=detail, seat=state.seat))

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
        """No more moves."""
        self.outcome = outcome
        self._shutdown = Shutdown(self.rules, self.position, outcome, self.log)
        for state, _, text in self._leaving:
            self.log.note_late(state, text)
        return [action for state in self._states for action in self._shutdown.begin(state)]
