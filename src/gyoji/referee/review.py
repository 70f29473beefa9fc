"""Judging a finished game again from its record: every move, every clock, and the outcome.

Positions and clocks are derived from the moves. An engine's own acts (a resignation, a crash, its opinion of
the score) are taken from the record, and their consequences are derived: the winner, the seat that must have
been to move, the score of several opinions, and the end by adjudication.
"""

import re
import sys
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from gyoji.core.faults import IllegalMove
from gyoji.core.messages import Move, Ready, Scored, Turn
from gyoji.core.outcome import Ending, Outcome, lost_by, shared, won_by
from gyoji.core.ports import AnyRules, BoundsMargins, NotesMoves, SettlesDead, TakesDeclining, supports
from gyoji.core.record import GameRecord, Played, course_digest, is_waiting
from gyoji.core.replay import awaiting, counted, left_out, replaying
from gyoji.core.spec import OPENING, GameSpec
from gyoji.core.text import printable, quote, seconds_apart
from gyoji.referee.adjudication import adjudicator_of
from gyoji.referee.blame import lag_flaws
from gyoji.referee.counting import AGREEMENT, agreed_outcome, is_possible, unscored_outcome
from gyoji.referee.game_log import sides_of
from gyoji.referee.seat_requests import AGREED
from gyoji.referee.seat_state import SeatState, seat_states
from gyoji.referee.tablebases import Probe, TableVerdicts

ReadScore = Callable[[str], Scored]
"""Parses an engine's statement of the score."""

_AFTER_LOSS = (Ending.ILLEGAL_MOVE, Ending.REJECTION)
"""Forfeits after a move, by a seat that need not be to move: its move was refused, or it refused a move."""

_AT_ANY_TIME = (Ending.FAULT, Ending.FORFEIT)
"""Forfeits that do not depend on which seat is to move."""

_SPENT = re.compile(r"used ([0-9]+(?:\.([0-9]+))?)s with ([0-9.]+s) left")
_SCORED = re.compile(r"scored by [^:]*: (.*)", re.DOTALL)
_OUTCOME = ("ending", "points", "margin", "totals", "seat", "detail")
_LONGEST = 120


class Difference(NamedTuple):
    """A difference between a record and the values derived from it.

    Attributes:
        move: Number of the turn, from 1; 0 for none.
        what: Name of the value that differs.
        got: Value in the record; "" if `what` says enough.
        expected: Derived value; "" if `what` says enough.
        game: Id of the game; "" if the context says it or there is none.
    """

    what: str
    got: str = ""
    expected: str = ""
    move: int = 0
    game: str = ""

    @property
    def text(self) -> str:
        where = f"game {self.game}: " if self.game else ""
        where += f"move {self.move}: " if self.move else ""
        told = f": got {self.got}, expected {self.expected}" if self.got or self.expected else ""
        return f"{where}{self.what}{told}"


class Review:
    """The review of one stored game: moves, clocks and outcome are derived again and compared with the
    record.

    Args:
        scores: For each seat, a parser of its statement of the score.
        probe: Looks up positions in the tablebases of the spec. If it is None, an end by tablebases is
            accepted wherever tablebases could have caused it.

    Attributes:
        differences: Differences in the order of the game. The review stops at an impossible move.
        outcome: The derived outcome. It is the recorded one if there are no differences.
    """

    def __init__(
        self,
        spec: GameSpec,
        rules: AnyRules,
        record: GameRecord,
        scores: Iterable[ReadScore],
        probe: Probe | None = None,
    ) -> None:
        self._spec = spec
        self._rules = rules = replaying(rules, record.umpire)
        self._record = record
        self._result = record.result
        self._scores = tuple(scores)
        self._notes = rules.notes if supports(rules, NotesMoves) else None
        self._played = 0  # turns that count towards the move limit
        self._turns: list[Turn[Move]] = []
        self._adjudged: Outcome | None = None
        self._adjudicator = adjudicator_of(spec.adjudication, rules, probe)
        tables = spec.adjudication.tablebases
        self._believed = None if tables is None or probe else TableVerdicts(tables, rules, None)
        if self._adjudicator is not None:
            for opinion in record.opinions:
                self._adjudicator.add_opinion(*opinion)
        self._extra_time = [] if record.taken_back else list(record.extra_time)  # not charged yet
        self._broken: set[int] = set()  # seats whose clock had run out
        self._states: list[SeatState] = []
        self.differences: list[Difference] = []
        self.outcome: Outcome = record.result.outcome
        if self._fits():
            self._states = seat_states(spec, rules)
            for state, engine in zip(self._states, self._result.engines, strict=True):
                state.seat_ready(Ready(), engine.startup_ns)
            for turn, got, most in lag_flaws(self._states, record):
                self._differ(turn + 1, "network time", got, most)
            self._judge()
        if self._result.digest and not self.differences:
            digest = course_digest(spec.options.get(OPENING), record.turns, self.outcome)
            self._compare("digest", self._result.digest, digest)

    def _differ(self, move: int, what: str, got: object, expected: object) -> None:
        texts = [printable(str(each), _LONGEST) for each in (got, expected)]
        self.differences.append(Difference(what, texts[0], texts[1], move))

    def _compare(self, what: str, got: object, expected: object) -> None:
        if got != expected:
            self._differ(0, what, got, expected)

    # Before the first move

    def _fits(self) -> bool:
        """Compare ids, players and numbers in result, record and spec, and report differences. Return False
        if the numbers of seats differ, so that the review cannot go on.
        """
        result, spec = self._result, self._spec
        codes = spec.codes
        self._compare("id", result.id, spec.id)
        self._compare("pairing", result.pairing, spec.pairing)
        self._compare("players", " ".join(result.players), " ".join(codes))
        self._compare("number of moves", len(self._record.turns), result.turns)
        self._compare("number of engines", len(result.engines), len(codes))
        self._compare("number of players", len(codes), self._rules.seats)
        return not self.differences or len(codes) == len(result.engines) == self._rules.seats

    # The moves

    def _judge(self) -> None:
        position = self._rules.start()
        for number, played in enumerate(self._record.turns, 1):
            after = self._play(number, position, played)
            if after is None:
                return
            position = after
        self._end(left_out(self._rules, self._result, position))

    def _play(self, number: int, position: object, played: tuple[Played, ...]) -> Any:
        """Return the position after turn `number`, from 1, or None if the turn is impossible."""
        rules = self._rules
        seats = tuple([each.seat for each in played])
        phase = played[0].phase if played else ""
        acting = rules.acting(position)
        if seats != acting or phase != rules.phase(position):
            position = awaiting(rules, self._result, position, seats, phase)
            acting = rules.acting(position)
            if seats != acting:
                return self._refuse(number, "turn", self._names(seats), self._names(acting))
            if phase != (expected := rules.phase(position)):
                self._differ(number, "phase", phase or "ordinary play", expected or "ordinary play")
        if not phase:
            self._played += 1
            if self._played > (self._spec.move_limit or sys.maxsize):
                return self._refuse(number, "move", "one more", f"the end at {self._spec.move_limit} moves")
        try:
            turn = tuple([(each.seat, rules.parse(each.move)) for each in played])
        except ValueError as error:
            return self._refuse(number, "move", f"{quote(played[0].move)}, {error}", "a move of the game")
        notes = self._notes(position, turn) if self._notes is not None else ()
        for each, note in zip(played, notes, strict=False):
            if each.note != note:
                self._differ(number, f"note on {each.move}", each.note or "none", note or "none")
        try:
            position = rules.play(position, turn)
        except IllegalMove as illegal:
            move = next((each.move for each in played if each.seat == illegal.seat), "")
            self.outcome = self._lost(illegal.seat, Ending.ILLEGAL_MOVE, illegal.reason)
            self._differ(number, "move", f"{move}, which is illegal: {illegal.reason}", "a legal move")
            return None
        for each in played:
            self._charge(number, each)
        return self._adjudicate(number, position, turn)

    def _adjudicate(self, number: int, position: object, turn: Turn[Move]) -> Any:
        """Return the position after turn `number`, from 1; None if the record goes on after adjudication."""
        self._turns.append(turn)
        if self._adjudicator is None or self._result.left_out or not self._rules.acting(position):
            return position
        self._adjudged = self._adjudicator.outcome(position, self._turns)
        if self._adjudged is not None and number < len(self._record.turns):
            return self._refuse(
                number + 1, "move", "one more", f"{self._adjudged.detail}, after move {number}"
            )
        return position

    def _refuse(self, number: int, what: str, got: str, expected: str) -> None:
        """Record a difference after which the rest of the game cannot be reviewed."""
        self._differ(number, what, got, expected)
        self.outcome = Outcome(points=None, ending=Ending.NO_RESULT, detail=f"{what} {number} does not stand")

    def _charge(self, number: int, played: Played) -> None:
        state = self._states[played.seat]
        if played.seat in self._broken:
            return
        self._charge_extra_time(number - 1, state)
        if not state.charge(played.ns):
            used, most = seconds_apart(played.ns, state.left + state.control.margin)
            self._differ(number, f"clock of {state.name}", f"a move of {used}", f"{most} at most")
            self._broken.add(played.seat)

    def _charge_extra_time(self, turn: int, state: SeatState) -> None:
        """Charge a seat's answers up to this turn that did not become moves."""
        for each in [each for each in self._extra_time if each.seat == state.seat and each.turn <= turn]:
            self._extra_time.remove(each)
            if not state.charge(each.ns):
                used, most = seconds_apart(each.ns, state.left + state.control.margin)
                self._differ(turn + 1, f"clock of {state.name}", f"{used} for no move", f"{most} at most")
                self._broken.add(state.seat)
            state.think -= each.ns

    # The end

    def _end(self, position: object) -> None:
        result = self._result
        self._compare("sides", result.sides, sides_of(self._rules, position))
        ending, acting = result.outcome.ending, self._rules.acting(position)
        rules, is_resumed = self._rules, not acting and result.settled and not ending.is_by_rules
        if is_resumed and supports(rules, SettlesDead):  # before the first move of resumed play
            position = rules.resume(position)
            acting = self._rules.acting(position)
        if ending.is_by_rules:
            final = counted(self._rules, result, position)
            if self._rules.acting(final):
                self._differ(0, "end", ending.value, "more moves: the game is not over by its rules")
                self.outcome = Outcome(points=None, ending=Ending.NO_RESULT, detail="not over")
            else:
                self._be(self._counted(position, final))
        elif self._believed is not None and self._believed.may_have_ended(position, result.outcome):
            self._be(result.outcome)
        elif ending is Ending.ADJUDICATION or self._adjudged is not None:
            goes_on = Outcome(points=None, ending=Ending.NO_RESULT, detail="not over")
            self._be(self._adjudged or goes_on)
        elif not acting:
            self._be(self._rules.outcome(position))
        elif ending is Ending.MOVE_LIMIT:
            self._compare("moves at the move limit", self._played, self._spec.move_limit)
            self._be(Outcome(points=None, ending=ending, detail="hit move limit"))
        else:
            self._be(self._caused(position, acting))
        self._look_at_engines(played_out=ending.is_by_rules)

    def _be(self, expected: Outcome) -> None:
        """Set the derived outcome, and report each field in which the recorded outcome differs."""
        self.outcome = expected
        for name in _OUTCOME:
            got, wanted = getattr(self._result.outcome, name), getattr(expected, name)
            if got != wanted:
                self._differ(0, name, _shown(got), _shown(wanted))

    def _caused(self, position: object, acting: tuple[int, ...]) -> Outcome:
        """Return the outcome that follows from the act by which a seat ended the game, such as a resignation,
        a claim or a fault.
        """
        outcome, teams = self._result.outcome, self._rules.teams
        seat, ending = outcome.seat, outcome.ending
        if ending is Ending.ABSENCE and seat is None and not self._record.turns:  # of both sides
            return Outcome(points=None, ending=ending, detail=outcome.detail)
        if seat is None or not 0 <= seat < len(self._states):
            return Outcome(points=None, ending=ending, detail="nobody has caused it")
        is_begun = bool(self._record.turns) or self._record.refused is not None
        if seat not in acting and ending not in (*_AFTER_LOSS, *_AT_ANY_TIME) and is_begun:
            self._differ(0, "seat", self._names((seat,)), f"{self._names(acting)}, to move")
        count = len(set(teams))
        if ending is Ending.RESIGNATION:
            return Outcome(points=lost_by(teams[seat], count), ending=ending, seat=seat)
        if ending is Ending.CLAIM:
            return Outcome(points=won_by(teams[seat], count), ending=ending, detail="claim", seat=seat)
        if ending is Ending.AGREEMENT and self._spec.draw_offers:
            return Outcome(points=shared(count), ending=ending, detail=AGREED, seat=seat)
        if ending is Ending.AGREEMENT:
            return Outcome(points=None, ending=Ending.NO_RESULT, detail="no draw can be offered", seat=seat)
        return self._forfeit(position, seat)

    def _forfeit(self, position: object, seat: int) -> Outcome:
        outcome, refused = self._result.outcome, self._record.refused
        begins, detail = f"forfeit by {self._states[seat].name}: ", outcome.detail
        if not detail.startswith(begins):
            detail = f"{begins}..."
        if outcome.ending is Ending.ILLEGAL_MOVE and refused is not None:
            reason = self._reason(position, refused)
            self._charge(len(self._record.turns) + 1, refused)
            if not detail.startswith(begins + reason):
                detail = begins + reason
        elif outcome.ending is Ending.TIME and (spent := _SPENT.search(detail)):
            self._look_at_time(self._states[seat], spent)
        expected = self._lost(seat, outcome.ending, "")
        return Outcome(points=expected.points, ending=expected.ending, detail=detail, seat=seat)

    def _lost(self, seat: int, ending: Ending, reason: str) -> Outcome:
        teams = self._rules.teams
        detail = f"forfeit by {self._states[seat].name}: {reason}"
        return Outcome(points=lost_by(teams[seat], len(set(teams))), ending=ending, detail=detail, seat=seat)

    def _reason(self, position: object, refused: Played) -> str:
        """Return why the rules refuse the illegal move that lost the game."""
        number = len(self._record.turns) + 1
        if refused.seat != self._result.outcome.seat:
            self._differ(number, "refused move", "of another seat", "of the seat that has lost")
        try:
            self._rules.check(position, refused.seat, self._rules.parse(refused.move))
        except IllegalMove as illegal:
            return illegal.reason
        except ValueError as error:
            return str(error)
        self._differ(number, "refused move", f"{refused.move}, which is legal", "an illegal move")
        return ""

    def _look_at_time(self, state: SeatState, spent: re.Match[str]) -> None:
        """Check the times named in the reason for a loss on time against the seat's clock after its moves.

        Args:
            spent: The match of the reason. Its groups are the seconds used, their decimals, and the time
                left.
        """
        if state.seat in self._broken or self._record.taken_back:
            return
        self._charge_extra_time(len(self._record.turns), state)
        digits = len(spent[2] or "")
        left, number = f"{state.left / 1e9:.{digits}f}s", len(self._record.turns) + 1
        if spent[3] != left:
            self._differ(number, f"clock of {state.name}", f"{spent[3]} left", f"{left} left")
        elif float(spent[1]) + 10.0**-digits < (state.left + state.control.margin) / 1e9:
            most = f"{(state.left + state.control.margin) / 1e9:.{digits}f}s"
            self._differ(number, f"clock of {state.name}", f"lost with {spent[1]}s used", f"more than {most}")

    # Who counted

    def _counted(self, position: object, final: object) -> Outcome:
        """Return the outcome of a game that the rules ended.

        Args:
            position: The last position that was played.
            final: The same position without the dead stones.
        """
        counted_: Outcome = self._rules.outcome(final)
        spec, recorded = self._spec, self._result.outcome
        if counted_.ending is not Ending.SCORE:
            return counted_
        if spec.scorer == "internal":  # what the engines called dead when they differed is not on record
            is_disputed = spec.disputed_score == "judge" and is_waiting(self._result)
            return recorded if is_disputed else counted_
        if spec.scorer != "players":
            return self._scored_elsewhere(spec.scorer)
        if self._result.settled == AGREEMENT:
            return counted_
        opinions = [self._opinion(position, seat) for seat in range(len(self._states))]
        said = agreed_outcome(opinions, self._rules.teams)
        if said.points is None and spec.disputed_score in ("engine", "judge") and recorded != said:
            return self._scored_elsewhere(spec.disputed_score)
        return said

    def _opinion(self, position: object, seat: int) -> Scored:
        """Return what a seat's engine said about the score, as parsed from the record.

        Return `Scored()`, which is no opinion, if the record has no words of this engine, or if its margin is
        impossible in this position.
        """
        texts = self._result.scores
        said = self._scores[seat](texts[seat]) if seat < len(texts) else Scored()
        rules = self._rules
        margins = rules.greatest_margins(position) if supports(rules, BoundsMargins) else None
        return said if margins is None or is_possible(said, margins) else Scored()

    def _scored_elsewhere(self, scorer: str) -> Outcome:
        """Return the outcome of a game that was scored by an engine without a seat or by a judge."""
        recorded, player = self._result.outcome, self._spec.scoring_player
        if scorer == "judge" or player is None:
            return unscored_outcome(scorer)
        if said := _SCORED.fullmatch(recorded.detail):
            found = agreed_outcome([self._scores[-1](said[1])], self._rules.teams)
            return Outcome(
                points=found.points, ending=found.ending, margin=found.margin, detail=recorded.detail
            )
        return Outcome(points=None, ending=Ending.SCORE, detail=recorded.detail)

    # What it cost

    def _look_at_engines(self, *, played_out: bool) -> None:
        """Check each engine's recorded total time and longest time against its moves, and report differences.

        Args:
            played_out: Whether the rules ended the game. If so, and the record has all times, the total must
                equal the sum of the moves' times; otherwise it must be at least that sum.
        """
        is_all = played_out and not self._result.left_out and not supports(self._rules, TakesDeclining)
        for played in (each for taken in self._record.taken_back for turn in taken.moves for each in turn):
            self._states[played.seat].think += played.ns
        for state, engine in zip(self._states, self._result.engines, strict=True):
            if state.seat in self._broken:
                continue
            if engine.think_ns < state.think or (is_all and engine.think_ns != state.think):
                self._differ(0, f"time of {state.name}", f"{engine.think_ns} ns", f"{state.think} ns")
            elif engine.slowest_ns < state.slowest:
                self._differ(
                    0, f"longest move of {state.name}", f"{engine.slowest_ns} ns", f"{state.slowest} ns"
                )

    def _names(self, seats: Iterable[int]) -> str:
        names = [self._states[seat].name for seat in seats if 0 <= seat < len(self._states)]
        return " and ".join(names) or "nobody"


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return " to ".join(f"{each:g}" for each in value) or "none"
    return "none" if value is None or value == "" else str(value)
