"""The referee of one game: a state machine that gets replies and deadlines and returns actions."""

# Theory of operation
#
# The caller (`gyoji.play.game`) does what `begin` returns, then calls `replied`, `expired` or `broken` for
# each event and does what they return, until `is_over`. Actions are `Send` (a request to a seat, with a
# deadline), `Wait` (a later deadline) and `Dismiss` (end the engine). The referee never reads a clock: `used`
# and `waited` are arguments.
#
# Each seat handles one request at a time. Its stage says which one:
#
#     PREPARING -> IDLE <-> THINKING                                while the game runs
#                  IDLE <-> CHOOSING, CONSENTING, HINTING           suggestions and requests of a seat
#                  IDLE <-> HEARING, SETTLING, APPRAISING           while it is counted
#                  IDLE -> HEARING -> APPRAISING -> PARTING -> GONE after it has stopped
#
# The game itself has three parts, each with its own object:
#
#     turns (this class) -- both passed, rules end it --> Counting -- outcome --> Shutdown
#          ^  |                                              |
#          |  +-- resigned, forfeit, adjudicated ------------)---- outcome ----> Shutdown
#          +-- play resumes ---------------------------------+
#
# * Only `_proceed` asks the seats to move for their next move. Only `_play` plays a turn.
# * Checks of an answer come in a fixed order: time first, then form, then legality. An illegal move that came
#   too late is a loss on time.
# * While the game runs, every failure of an engine is its own fault. It ends the game, unless the rules can
#   go on without the seat (`Rules.drop`). Once `_shutdown` exists the outcome is final: failures become
#   `late` lines.
# * In a game with an umpire (`Umpired`), `_proceed` first checks whether the rules have a question for it. If
#   so, it returns the action `Consult`, whose answer comes through `ruled`. Until then seats may fail, but
#   nothing else happens. An error of the umpire is a `Breakdown`.
# * If several seats move at once, `_answers` keeps their answers until all have answered. A seat that
#   answered and then broke down is in `_leaving`: its answer counts, and it leaves after the turn.
# * `Breakdown` (the machine stood still) leaves the referee through `expired` or `replied`. The caller makes
#   the game void.
# * `gyoji.referee.review` judges stored games with the same clocks and rules, but not with this class: a
#   record has moves and times, not replies.

import sys
from collections.abc import Callable, Sequence
from typing import Final

from gyoji.core import messages as m
from gyoji.core.clocks import ShownClock
from gyoji.core.faults import Breakdown, FaultKind, IllegalMove
from gyoji.core.game import PlayedOut
from gyoji.core.outcome import Ending, Outcome, lost_by, won_by
from gyoji.core.ports import AnyRules, TakesDeclining, Umpired, supports
from gyoji.core.record import GameRecord, Timing, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable, quote
from gyoji.referee.adjudication import Adjudicator, adjudicator_of
from gyoji.referee.blame import fault_text, overspent, remaining_time, ruling_on, silent, stall_credit
from gyoji.referee.closing import Shutdown
from gyoji.referee.counting import Counting
from gyoji.referee.game_log import GameLog, sides_of
from gyoji.referee.seat_requests import REQUEST_STAGES, SeatRequests
from gyoji.referee.seat_state import (
    Action,
    Closing,
    Consult,
    Dismiss,
    Ponder,
    SeatState,
    Send,
    Stage,
    Wait,
    seat_states,
)
from gyoji.referee.suggestions import Suggestions
from gyoji.referee.tablebases import Probe

# Read several times per move: a module constant is cheaper than an attribute of an enumeration.
_IDLE: Final = Stage.IDLE
_THINKING: Final = Stage.THINKING


class Referee:
    """The referee of one game.

    Call `begin` and carry out its actions, then report events through `replied`, `expired` and `broken` and
    carry out the actions that these return, until `is_over`. Then call `record`.

    Args:
        account: Takes the number of a late seat and returns how its time was spent; None if unknown.
        adjudicator: Replaces the adjudicator of the game spec.
        probe: Looks up positions in the tablebases of the game spec; None if it names none.
    """

    def __init__(
        self,
        spec: GameSpec,
        rules: AnyRules,
        account: Callable[[int], Timing | None] = lambda _: None,
        *,
        adjudicator: Adjudicator | None = None,
        probe: Probe | None = None,
    ) -> None:
        self._account = account
        self.spec = spec
        self.rules = rules
        self.position = rules.start()
        self.outcome: Outcome | None = None
        self._states = seat_states(spec, rules)
        adjudicator = adjudicator or adjudicator_of(spec.adjudication, rules, probe)
        self._is_adjudicated = adjudicator is not None
        self.log = GameLog(spec, rules, adjudicator)
        self._teams: Sequence[int] = rules.teams
        self._team_count = len(set(rules.teams))
        self._illegal_tries = spec.illegal_tries
        self._acting: tuple[int, ...] = ()
        self.phase = ""
        # First answers of seats that move at once: (move, ns, evaluation).
        self._answers: dict[int, tuple[m.Move, int, m.Evaluation | None]] = {}
        self._leaving: list[tuple[SeatState, Ending, str]] = []  # answered and then broke down
        self._in_turn = spec.asking == "in turn"
        self._umpired: Umpired[object] | None = rules if supports(rules, Umpired) else None
        self._decider = "umpire" if spec.umpire is None else spec.umpire.code
        self._is_consulting = False
        self._declined = rules.declined if supports(rules, TakesDeclining) else None
        self._limit = spec.move_limit or sys.maxsize
        self._counting = Counting(spec, rules, self._states, self.log)
        self._requests = SeatRequests(spec, rules, self._states, self.log)
        self._suggestions = Suggestions(rules, self._states, self.log)
        self._clocks = tuple([state.clock for state in self._states])
        self._is_timed = any(state.is_timed for state in self._states)
        self._ponderers: list[SeatState] = []  # who think on the opponent's time
        self._shutdown: Shutdown | None = None  # exists once the game is decided

    @property
    def is_over(self) -> bool:
        """Whether the game is decided and every seat has been dismissed."""
        return self._shutdown is not None and all(state.stage is Stage.GONE for state in self._states)

    @property
    def turns(self) -> int:
        return len(self.log.turns)

    @property
    def settled(self) -> int:
        """Number of turns whose consequences are known: all but the last while the umpire is asked."""
        return max(len(self.log.turns) - self._is_consulting, 0)

    def time_left(self) -> tuple[int | None, ...]:
        """Return, for each seat, the ns until it loses on time; None for a seat without a time limit."""
        return tuple(state.control.allowance(state.clock) for state in self._states)

    def clocks(self) -> tuple[ShownClock | None, ...]:
        """Return the clocks for display, or () if no clock has byo-yomi or a limit per move."""
        if not any(state.control.has_parts for state in self._states):
            return ()
        return tuple(state.control.shown(state.clock) for state in self._states)

    def record(self, started: str, wall_ns: int, closings: Sequence[Closing]) -> GameRecord:
        """Return the record of the decided game.

        Args:
            started: When the game began, ISO 8601.
            wall_ns: Duration of the game in ns.
            closings: How each seat's engine ended.
        """
        assert self.outcome is not None, "the game is still running"
        is_asked = self._counting.asks_scores or (self._shutdown and self._shutdown.asks_scores)
        scores = tuple(state.opinion.text for state in self._states) if is_asked else ()
        sides = sides_of(self.rules, self.position)
        return self.log.record(
            self.outcome, self._states, closings, scores=scores, sides=sides, started=started, wall_ns=wall_ns
        )

    @property
    def played_out(self) -> PlayedOut:
        """The game with its positions, used to write its record files."""
        return PlayedOut(self.rules, self.log.positions)

    def void(self, game: VoidGame) -> VoidGame:
        """Return the void game with everything that is known of it filled in."""
        return self.log.void(game, self._states)

    # Events from the caller

    def note_late(self, seat: int | None, text: str) -> None:
        """Record a problem of one seat, or of the whole game (None), after the outcome was decided."""
        self.log.note_late(None if seat is None else self._states[seat], text)

    def begin(self) -> list[Send]:
        """Return the requests that prepare all engines."""
        controls = tuple([state.control for state in self._states])
        return [state.get_ready(self.rules, self.position, controls) for state in self._states]

    def replied(self, seat: int, reply: m.Reply, used: int) -> list[Action]:
        """Handle a seat's reply. Return the next actions.

        Args:
            used: ns on the seat's meter (wall or CPU time) since the request.
        """
        state = self._states[seat]
        stage = state.stage
        if type(reply) is m.Moved and stage is _THINKING:
            return self._moved(state, reply, used)
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
        if stage in REQUEST_STAGES:
            return self._after_request() if self._requests.replied(state, reply) else self._proceed()
        return self._after_counting(self._counting.replied(state, reply)) if self._counting.is_asking else []

    def expired(self, seat: int, used: int, waited: int, *, deaf: bool = False) -> list[Action]:
        """Handle the deadline of a seat that has not answered. Return the next actions.

        Args:
            used: ns on the seat's meter (wall or CPU time) since the request.
            waited: ns of wall time since the request.
            deaf: Whether its engine has not even read the whole request.
        """
        state = self._states[seat]
        if state.stage is Stage.CONSENTING:
            return self.replied(seat, m.Declined(), used)
        if state.stage is Stage.CHOOSING:
            state.stage = _IDLE
            return self._suggestions.let_be()
        used += state.thought
        if patience := remaining_time(state, self.turns, used, waited):
            return [Wait(seat, patience)]
        kind, text, over = silent(state, used, waited, deaf=deaf)
        timing = None if over is None else self._account(seat)
        if patience := stall_credit(state, over, timing):
            return [Wait(seat, patience)]
        return self.broken(seat, kind, fault_text(state, text, over, timing))

    def broken(self, seat: int, kind: FaultKind, detail: str) -> list[Action]:
        """Handle a fault of a seat's engine below the level of the game. Return the next actions.

        Args:
            kind: Kind of the fault, such as an exit of the engine.
            detail: Description of the fault.
        """
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
        self._requests.gone(state)
        ending = Ending.TIME if kind is FaultKind.TIME else Ending.FAULT
        if stage is Stage.PREPARING and self._umpired is None:
            return dismissal + self._forfeit(state, ending, text)
        if seat in self._answers:  # its answer counts, and it leaves after the turn
            self._leaving.append((state, ending, text))
            return dismissal
        return dismissal + self._lose(state, ending, text)

    def ruled(self, lines: Sequence[str]) -> list[Action]:
        """Handle the umpire's answer to a question (`Consult`). Return the next actions.

        Raises:
            Breakdown: The answer violates the umpire protocol.
        """
        self._is_consulting = False
        if self._umpired is None or self._shutdown is not None:
            return []
        try:
            self.position = self._umpired.ruled(self.position, lines)
        except ValueError as error:
            raise Breakdown(f"{self._decider}: {printable(str(error))}") from None
        self.log.umpire += lines
        for seat, reason in self._umpired.faults(self.position):
            self.log.warnings.append(f"fault of {self._states[seat].name}: {printable(reason)}")
        return self._proceed()

    # Before the first move, and turns

    def _prepared(self, state: SeatState, reply: m.Reply, used: int) -> list[Action]:
        if isinstance(reply, m.Unsupported):
            return self.broken(state.seat, FaultKind.STARTUP, reply.text)
        assert isinstance(reply, m.Ready), reply
        state.seat_ready(reply, used)
        if any(other.stage is Stage.PREPARING for other in self._states):
            return []
        self._ponderers = [each for each in self._states if each.ready.ponders and each.player.ponders]
        return self._proceed()

    def _proceed(self) -> list[Action]:
        """Ask every seat to move that has not been asked yet, or play the turn if all have answered."""
        rules, position, log = self.rules, self.position, self.log
        if self._umpired is not None:
            if self._is_consulting:
                return []
            if question := self._umpired.question(position, self.spec.codes):
                self._is_consulting = True
                log.umpire.append(question)
                return [Consult(question)]
        self._acting = acting = rules.acting(position)
        if not acting or len(log.turns) >= self._counting.last_turn:
            return self._after_counting(self._counting.begin(position))
        phase = rules.phase(position)
        if phase != self.phase:
            if self._counting.stops(position):
                return self._after_counting(self._counting.begin(position))
            self.phase = phase
        if not phase and log.counted >= self._limit:
            return self._decide(Outcome(points=None, ending=Ending.MOVE_LIMIT, detail="hit move limit"))
        answers = self._answers
        if answers and len(answers) == len(acting):
            return self._play_together()
        actions: list[Action] = []
        for seat in acting:
            state = self._states[seat]
            if state.stage is _IDLE and seat not in answers:
                if state.patience < 0:  # main time was spent on starting
                    return actions + self._out_of_time(state, 0)
                actions.append(self._ask(state))
            if self._in_turn and seat not in answers:
                break
        for state in self._ponderers:
            if state.stage is _IDLE and state.last is not None:
                clocks = tuple([each.clock for each in self._states]) if self._is_timed else self._clocks
                actions.append(Ponder(state.seat, state.clock, clocks))
        return actions

    def _ask(self, state: SeatState, notice: str = "", hint: m.Move | None = None) -> Send:
        state.stage = _THINKING
        seat, news, changed = state.seat, self.log.news(state), state.changed
        state.turns_known = len(self.log.turns)
        view = self.rules.view(self.position, seat)
        clocks = tuple([each.clock for each in self._states]) if self._is_timed else self._clocks
        taken_back = state.told_taken_back() if state.taken_back else 0
        if state.notice:
            notice, state.notice = notice or state.notice, ""
        if changed is not None:
            state.changed = None
        question = m.AskMove(view, news, self.phase, state.clock, clocks, taken_back, notice, hint, changed)
        return Send(seat, question, state.patience)

    def _ask_again(
        self, state: SeatState, notice: str, used: int = 0, hint: m.Move | None = None
    ) -> list[Action]:
        """Request a move again, after a request of the seat or a refused answer.

        Args:
            notice: Line that tells the seat why it is asked again.
            used: ns that the seat took for the request or answer.
            hint: The suggested move, if the seat requested a hint.
        """
        self.log.note_extra_time(state, used)
        return self._out_of_time(state, 0) if state.patience < 0 else [self._ask(state, notice, hint)]

    def _moved(self, state: SeatState, reply: m.Moved, used: int) -> list[Action]:
        seat, move = state.seat, reply.move
        if state.lagged:
            used = self.log.credit(state, used)
        if state.thought:
            used, state.thought = used + state.thought, 0
        if not state.charge(used):
            return self._out_of_time(state, used)
        state.stage = _IDLE
        if state.ready.tries_again or self._illegal_tries:
            try:
                self.rules.check(self.position, seat, move)
            except IllegalMove as illegal:
                if self._may_try_again(state):
                    state.taken_back += not state.ready.tries_again  # the engine has made its move
                    return self._ask_again(state, illegal.reason, used)
            state.tries = self._illegal_tries
        state.last = len(self.log.turns)
        if len(self._acting) == 1:
            said = reply.evaluation
            return self._play(((seat, move),), (used,), () if said is None else (said,))
        self._answers[seat] = (move, used, reply.evaluation)
        if len(self._answers) == len(self._acting):
            return self._play_together()
        return self._proceed() if self._in_turn else []

    def _may_try_again(self, state: SeatState) -> bool:
        """Return whether a seat whose answer was refused may answer again. If the number of its tries is
        limited, this call uses up one.
        """
        if state.ready.tries_again:
            return True
        if not state.tries or not state.ready.takes_back:
            return False
        state.tries -= 1
        state.illegal_tries += 1
        return True

    def _play_together(self) -> list[Action]:
        """Play the turn in which several seats move at once. All of them have answered."""
        answers = [self._answers.pop(seat) for seat in self._acting]
        turn = tuple([(seat, move) for seat, (move, _, _) in zip(self._acting, answers, strict=True)])
        spent, said = tuple([used for _, used, _ in answers]), tuple([said for _, _, said in answers])
        return self._play(turn, spent, said if any(said) else ())

    def _play(
        self, turn: m.Turn[m.Move], spent: tuple[int, ...], said: tuple[m.Evaluation | None, ...]
    ) -> list[Action]:
        """Play a turn.

        Args:
            spent: ns charged for each move.
            said: Evaluation that came with each move; () if none did.
        """
        before = self.position
        try:
            self.position = self.rules.play(before, turn)
        except IllegalMove as illegal:
            state = self._states[illegal.seat]
            state.last = None
            self.log.note_refused(illegal.seat, turn, spent)
            return self._forfeit(state, Ending.ILLEGAL_MOVE, illegal.reason)
        self.log.add(before, self.phase, turn, spent, self.position)
        if said:
            self.log.note_evaluations(turn, said)
        if self._leaving:
            return self._see_off()
        if self._is_adjudicated and (outcome := self.log.adjudged(self.position)) is not None:
            return self._decide(outcome)
        return self._proceed()

    def _answered(self, state: SeatState, reply: m.Reply, used: int) -> list[Action]:
        """Handle an answer to `AskMove` that is not a move."""
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
        if isinstance(reply, m.SeatRequest):
            return self._requests.begin(state, reply, self.position, used) + self._after_request()
        if isinstance(reply, m.Resigned):
            if (self._team_count > 2 or self._umpired) and self._leave_out(
                state, Ending.RESIGNATION, "resigned"
            ):  # the others play on
                state.stage = Stage.GONE
                return [Dismiss(state.seat, kindly=True), *self._proceed()]
            return self._lost(state, Ending.RESIGNATION)
        if isinstance(reply, m.ClaimedWin):
            points = won_by(self._teams[state.seat], self._team_count)
            return self._decide(Outcome(points=points, ending=Ending.CLAIM, detail="claim", seat=state.seat))
        if isinstance(reply, m.Malformed):
            text = "; ".join(filter(None, (f"ill-formed move {quote(reply.text)}", printable(reply.note))))
            if self._may_try_again(state):
                return self._ask_again(state, text, used)
            return self._lose(state, Ending.ILL_FORMED_MOVE, text)
        assert isinstance(reply, m.Unsupported), reply
        if self.phase and self._declined is not None:
            position = self._declined(self.position, state.seat)
            if position is not None:
                self.log.warnings.append(f"{state.name}: {printable(reply.text)}")
                self.log.take_back_phase(self._states)
                self.position = position
                return self._proceed()
        return self._lose(state, Ending.REJECTION, printable(reply.text))

    def _chosen(self, who: SeatState, reply: m.Reply) -> list[Action]:
        """Handle the answer of the human player who chooses among an engine's suggestions."""
        who.stage = _IDLE
        if isinstance(reply, m.Resigned):
            return self._lost(who, Ending.RESIGNATION)
        return self._suggestions.chosen(who, reply.move) if isinstance(reply, m.Moved) else []

    def _after_request(self) -> list[Action]:
        """Continue after a seat's request: wait for others, apply the result, or tell the seat about it."""
        requests = self._requests
        if requests.is_asking:
            return []
        if requests.outcome is not None:
            return self._decide(requests.outcome)
        if requests.turn is not None:
            self.position = requests.take_back(requests.turn)
            return self._proceed()
        return self._ask_again(self._states[requests.seat], requests.notice, hint=requests.hint)

    def _refused(self, state: SeatState, reply: m.RejectedMove) -> list[Action]:
        last = self.log.turns[-1] if self.log.turns else ()
        seat, ending, text = ruling_on(reply, state, last, spec=self.spec, rules=self.rules)
        return self._forfeit(self._states[seat], ending, text)

    def _out_of_time(self, state: SeatState, used: int) -> list[Action]:
        """Handle an answer that came too late. Raises Breakdown if the machine stood still."""
        state.last = None
        text = fault_text(state, *overspent(state, used), self._account(state.seat))
        return self.broken(state.seat, FaultKind.TIME, text)

    # The end

    def _lose(self, state: SeatState, ending: Ending, text: str) -> list[Action]:
        """Handle a seat that broke a rule: its team loses, unless the game can go on without the seat."""
        if not self._leave_out(state, ending, text):
            return self._forfeit(state, ending, text)
        before, state.stage = state.stage, Stage.GONE
        return [Dismiss(state.seat, kindly=False)] * (before is not Stage.GONE) + self._proceed()

    def _leave_out(self, state: SeatState, ending: Ending, text: str) -> bool:
        """Take a seat out of the game if the game can go on without it. If not, return False and change
        nothing.

        Args:
            ending: Why the seat leaves.
            text: The reason in words, for a warning.
        """
        if self._umpired is not None:
            position = self._umpired.failed(self.position, state.seat, ending)
        else:
            position = self.rules.drop(self.position, state.seat)
        if position is None:
            return False
        self.log.warnings.append(f"{state.name} is out of the game: {text}")
        self.log.left_out.append(state.seat)
        self.position = position
        return True

    def _see_off(self) -> list[Action]:
        """Take out of the game each seat whose engine broke down after answering for the last turn.

        Return the next actions. If the game cannot go on without such a seat, the seat forfeits the game.
        """
        if self._umpired is not None or self.rules.acting(self.position):
            leaving, self._leaving = self._leaving, []
            for state, ending, text in leaving:
                if not self._leave_out(state, ending, text):
                    return self._forfeit(state, ending, text)
        return self._proceed()

    def ruled_against(self, seat: int, reason: str) -> list[Action]:
        """Make a seat forfeit the game, as the organiser decided. Not called once the game is decided."""
        return self._forfeit(self._states[seat], Ending.FORFEIT, printable(reason))

    def _forfeit(self, state: SeatState, ending: Ending, text: str) -> list[Action]:
        detail = f"forfeit by {state.name}: {text}"
        self.log.warnings.append(detail)
        return self._lost(state, ending, detail)

    def _lost(self, state: SeatState, ending: Ending, detail: str = "") -> list[Action]:
        points = lost_by(self._teams[state.seat], self._team_count)
        return self._decide(Outcome(points=points, ending=ending, detail=detail, seat=state.seat))

    def _after_counting(self, actions: list[Action]) -> list[Action]:
        """Continue after a step of counting: resume play, decide the outcome, or wait for more answers."""
        counting = self._counting
        if counting.outcome is not None:
            return actions + self._decide(counting.outcome)
        if counting.resumed is not None:
            self.position, counting.resumed = counting.resumed, None
            return actions + self._proceed()
        return actions

    def _decide(self, outcome: Outcome) -> list[Action]:
        """Set the outcome and begin the last requests to all seats."""
        self.outcome = outcome
        self._shutdown = Shutdown(self.rules, self.position, outcome, self.log)
        for state, _, text in self._leaving:
            self.log.note_late(state, text)
        return [action for state in self._states for action in self._shutdown.begin(state)]
