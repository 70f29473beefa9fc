"""The log of a running game: its turns, times and remarks, from which its record is made."""

from collections.abc import Iterable, Sequence
from contextlib import suppress

from msgspec.structs import replace

from gyoji.core.messages import Comment, Evaluation, Move, Turn, whole
from gyoji.core.outcome import Outcome
from gyoji.core.ports import AnyRules, ChangesSides, NotesMoves, supports
from gyoji.core.record import (
    EngineReport,
    ExtraTime,
    GameRecord,
    GameResult,
    Lag,
    Opinion,
    Played,
    TakenBack,
    VariationFlaws,
    VoidGame,
    course_digest,
    stored_teams,
)
from gyoji.core.spec import OPENING, GameSpec
from gyoji.core.text import format_size, printable
from gyoji.referee.adjudication import Adjudicator
from gyoji.referee.seat_state import Closing, SeatState, Stage
from gyoji.referee.variation_check import variation_flaws

_new = tuple.__new__  # a named tuple's own constructor costs twice as much


class GameLog:
    """The turns of a running game as the rules know them, with times, remarks and warnings.

    Attributes:
        turns: All turns.
        spent: ns charged for the moves of each turn.
        positions: The position after each turn.
        counted: Number of turns of ordinary play.
        phases: Phase of each turn outside ordinary play, by turn number.
        plain: Turns in ordinary moves, for engines that do not know all rules, by turn number. Turns that
            have no special moves are left out.
        left_out: Seats that were removed while the game went on, in order.
        notes: Comments of the rules on the moves of a turn, by turn number.
        refused: The illegal move that ended the game, or None.
        settled: Method that decided which stones are dead: "play", "agreement" or "dispute"; "" for none.
        dead: Points of the stones that were removed as dead without being captured.
        umpire: The conversation with the umpire, one line for each message.
        touched: Number of the first turn that has changed since the last call of `news_since`.
    """

    def __init__(self, spec: GameSpec, rules: AnyRules, adjudicator: Adjudicator | None = None) -> None:
        self._spec = spec
        self._rules = rules
        self._adjudicator = adjudicator
        self._format, self._told = rules.format, rules.news
        self._tells_all = rules.news is whole
        self._notes = rules.notes if supports(rules, NotesMoves) else None
        self._teams = stored_teams(rules.teams)
        self.turns: list[Turn[Move]] = []
        self.spent: list[tuple[int, ...]] = []
        self.positions: list[object] = []
        self.counted = 0
        self.phases: dict[int, str] = {}
        self.plain: dict[int, Turn[Move]] = {}
        self.notes: dict[int, Sequence[str]] = {}
        self.refused: Played | None = None
        self.warnings: list[str] = []
        self.late: list[str] = []
        self.left_out: list[int] = []
        self.settled = ""
        self.dead: tuple[str, ...] = ()
        self.opinions: list[Opinion] = []
        self.taken_back: list[TakenBack] = []
        self.umpire: list[str] = []
        self.touched = 0
        self.extra_time: list[ExtraTime] = []
        self.lags: list[Lag] = []
        self._remarks: list[tuple[int | None, int, str]] = []  # (turn, seat, text)
        self._rooms: dict[int, int] = {}  # seat -> bytes that its remarks may still have

    def news(self, state: SeatState) -> tuple[Turn[Move], ...]:
        """Return the turns that a seat does not know yet, reduced to what the rules let it see.

        An engine that does not know all rules gets ordinary moves instead of special ones.
        """
        first = state.turns_known
        if first == len(self.turns) - 2:  # the common case: its own move and the answer
            turns: tuple[Turn[Move], ...] = (self.turns[-2], self.turns[-1])
        else:
            turns = tuple(self.turns[first:])
        if self.plain and not state.ready.knows_rules:
            turns = tuple([self.plain.get(number, turn) for number, turn in enumerate(turns, first)])
        return turns if self._tells_all else tuple([self._told(turn, state.seat) for turn in turns])

    def add(
        self, before: object, phase: str, turn: Turn[Move], spent: tuple[int, ...], after: object
    ) -> None:
        """Add a turn with the positions before and after it.

        Args:
            phase: Phase in which the turn was played; "" for ordinary play.
            spent: ns charged for each move of the turn.
        """
        number = len(self.turns)
        if phase:
            self.phases[number] = phase
            plain = tuple((seat, self._rules.simplify(before, move)) for seat, move in turn)
            if plain != turn:
                self.plain[number] = plain
        else:
            self.counted += 1
        if self._notes is not None and any(notes := self._notes(before, turn)):
            self.notes[number] = notes
        self.turns.append(turn)
        self.spent.append(spent)
        self.positions.append(after)

    def take_back_phase(self, states: Iterable[SeatState]) -> None:
        """Remove the turns of a special phase, such as swap2, from the end of the game, because a seat cannot
        carry out that phase.

        Args:
            states: The states of all seats. Afterwards these know only the turns that are left.
        """
        number = len(self.turns)
        while number - 1 in self.phases:
            number -= 1
        gone = [(seat, text) for turn, seat, text in self._remarks if turn is not None and turn >= number]
        self._forget(number)
        self._remarks += [(None, seat, text) for seat, text in gone]
        for state in states:
            state.turns_known, state.last = min(state.turns_known, number), None

    def take_back(self, seat: int, number: int) -> None:
        """Remove all turns from `number` on, at a seat's request. The record lists them as taken back."""
        gone = self.annotated(number)
        self.taken_back.append(TakenBack(seat, number, gone))
        self._forget(number)

    def note_extra_time(self, state: SeatState, used: int) -> None:
        """Record the time charged for an answer that did not become a move, unless it is 0.

        The time is subtracted from the seat's thinking time, `state.think`. The clock keeps the charge.

        Args:
            used: The time charged, in ns.
        """
        state.think -= used  # it is no time for a move; the clock keeps the charge
        if used:
            self.extra_time.append(ExtraTime(len(self.turns), state.seat, used))

    def credit(self, state: SeatState, used: int) -> int:
        """Record the network delay credited to a seat for its answer, and return the ns to charge for the
        answer.

        Args:
            used: ns that the answer took, network delay included.
        """
        if credited := state.credit(used):
            self.lags.append(Lag(len(self.turns), state.seat, credited))
        return used - credited

    def _forget(self, number: int) -> None:
        """Remove all turns from `number` on, with all remarks about them."""
        del self.turns[number:], self.spent[number:], self.positions[number:]
        for each in (self.phases, self.plain, self.notes):
            for later in [turn for turn in each if turn >= number]:
                del each[later]
        self.counted = number - len(self.phases)
        self.touched = min(self.touched, number)
        self._remarks = [each for each in self._remarks if each[0] is None or each[0] < number]
        self.opinions = [each for each in self.opinions if each.turn < number]
        if self._adjudicator is not None:
            self._adjudicator.take_back(number)

    def note_refused(self, seat: int, turn: Turn[Move], spent: Sequence[int]) -> None:
        """Record the illegal move that a seat made. A move that has no notation is not recorded.

        Args:
            turn: The turn, of which the move is a part.
            spent: ns charged for each move of the turn.
        """
        move, ns = next((move, ns) for (each, move), ns in zip(turn, spent, strict=True) if each == seat)
        with suppress(ValueError):  # no notation can write it
            self.refused = Played(seat, self._format(move), ns)

    def adjudged(self, position: object) -> Outcome | None:
        """Return the outcome if the adjudicator ends the game now, else None."""
        if self._adjudicator is None or not self._rules.acting(position):
            return None
        return self._adjudicator.outcome(position, self.turns)

    def note_comment(self, state: SeatState, comment: Comment) -> None:
        """Record an engine's remark on its last answer, whether or not that became a move."""
        if state.last is not None:
            self.touched = min(self.touched, state.last)
        if comment.text and (text := self._fitting(state, comment.text)):
            self._remarks.append((state.last, state.seat, text))
        if comment.evaluation is not None and state.last is not None:
            self._add_opinion(Opinion(state.last, state.seat, comment.evaluation))

    def note_evaluations(self, turn: Turn[Move], said: Iterable[Evaluation | None]) -> None:
        """Record the evaluations that came with the moves of the last turn."""
        for (seat, _), evaluation in zip(turn, said, strict=True):
            if evaluation is not None:
                self._add_opinion(Opinion(len(self.turns) - 1, seat, evaluation, with_move=True))

    def _add_opinion(self, opinion: Opinion) -> None:
        self.opinions.append(opinion)
        if self._adjudicator is not None:
            self._adjudicator.add_opinion(*opinion)

    def _fitting(self, state: SeatState, text: str) -> str:
        """Return a seat's remark, cut to fit the seat's remaining budget of bytes for remarks."""
        budget = state.player.budgets.remarks
        room = self._rooms.get(state.seat, budget)
        data = text.encode("utf-8", "backslashreplace")
        self._rooms[state.seat] = max(room - len(data), 0)
        if len(data) <= room:
            return text
        if not room:
            return ""
        turn = len(self.turns) if state.last is None else state.last
        words = f"said more than {format_size(budget)} about its moves: no more is kept from move"
        self.note_late(state, f"{words} {turn + 1} on")
        return data[:room].decode("utf-8", "ignore") + "…"

    def note_late(self, state: SeatState | None, text: str) -> None:
        """Record a problem of one seat, or of the whole game (None), that does not change the outcome."""
        self.late.append(f"{state.name}: {printable(text)}" if state else printable(text))

    def record(
        self,
        outcome: Outcome,
        states: Sequence[SeatState],
        closings: Sequence[Closing],
        *,
        scores: tuple[str, ...],
        sides: tuple[int, ...],
        started: str,
        wall_ns: int,
    ) -> GameRecord:
        """Return the record of the decided game.

        Args:
            closings: How each seat's engine ended.
            scores: Each engine's statement of the score; () if none was asked.
            sides: The side of each seat; () if seat and side are the same.
            started: When the game began, ISO 8601.
            wall_ns: Duration of the game in ns.
        """
        spec, turns = self._spec, self.annotated()
        opinions = sorted(self.opinions, key=lambda opinion: opinion.turn)
        flaws = variation_flaws(self._rules, self.positions, self.turns, opinions)
        engines = [
            _engine_report(state, closing, flaws.get(state.seat, ()))
            for state, closing in zip(states, closings, strict=True)
        ]
        result = GameResult(
            id=spec.id,
            pairing=spec.pairing,
            players=spec.codes,
            outcome=outcome,
            turns=len(self.turns),
            engines=tuple(engines),
            started=started,
            wall_ns=wall_ns,
            scores=scores,
            warnings=tuple(self.warnings),
            late=tuple(self.late),
            sides=sides,
            left_out=tuple(self.left_out),
            settled=self.settled,
            dead=self.dead,
            teams=self._teams,
            digest=course_digest(spec.options.get(OPENING), turns, outcome),
        )
        final = [
            (seat, text) for turn, seat, text in self._remarks if turn is None or turn >= len(self.turns)
        ]
        return GameRecord(
            result=result,
            turns=turns,
            final_remarks=tuple(final),
            refused=self.refused,
            opinions=tuple(opinions),
            taken_back=tuple(self.taken_back),
            extra_time=tuple(self.extra_time),
            lags=tuple(self.lags),
            umpire=tuple(self.umpire),
        )

    def void(self, game: VoidGame, states: Sequence[SeatState]) -> VoidGame:
        """Return the void game with its moves and the players to move filled in."""
        to_move = tuple([state.player.code for state in states if state.stage is Stage.THINKING])
        late, turns = tuple(self.late), self.annotated()
        return replace(game, turns=turns, late=late, to_move=to_move, settled=self.settled)

    def news_since(
        self, told: int, settled: int
    ) -> tuple[int, tuple[tuple[Played, ...], ...], tuple[Opinion, ...]]:
        """Return what has changed in the log since the last call, for the display of the running game.

        Args:
            told: Number of turns that the display has.
            settled: Number of turns whose consequences are known. Later turns are withheld.

        Returns:
            (number of the first new or changed turn, the turns from there on, their evaluations)
        """
        first = min(told, self.touched)
        self.touched = settled
        turns = self.annotated(first)
        turns = turns if settled == len(self.turns) else turns[: max(settled - first, 0)]
        return first, turns, tuple([each for each in self.opinions if each.turn >= first])

    def annotated(self, first: int = 0) -> tuple[tuple[Played, ...], ...]:
        """Return the turns from `first` on in the form of a record: moves with time, remark and phase."""
        form, turns = self._format, zip(self.turns[first:], self.spent[first:], strict=True)
        played: list[tuple[Played, ...]]
        if max(map(len, self.turns), default=0) == 1:  # as in most games: a third of the time
            played = [
                (_new(Played, (turn[0][0], form(turn[0][1]), ns[0], "", "", "")),) for turn, ns in turns
            ]
        else:
            moves = (zip(turn, spent, strict=True) for turn, spent in turns)
            played = [tuple([Played(seat, form(move), ns) for (seat, move), ns in each]) for each in moves]
        for phased, phase in self.phases.items():
            if phased >= first:
                turn = played[phased - first]
                played[phased - first] = tuple([each._replace(phase=phase) for each in turn])
        for noted, notes in self.notes.items():
            if noted >= first:
                pairs = zip(played[noted - first], notes, strict=True)
                played[noted - first] = tuple(
                    [each._replace(note=note) if note else each for each, note in pairs]
                )
        for number, seat, text in self._remarks:
            if number is not None and first <= number < len(self.turns):
                turn = played[number - first]
                played[number - first] = tuple(
                    [each._replace(comment=text) if each.seat == seat else each for each in turn]
                )
        return tuple(played)


def sides_of(rules: AnyRules, position: object) -> tuple[int, ...]:
    """Return the side of each seat in a position, or () if side and seat are the same."""
    found = tuple(rules.sides(position)) if supports(rules, ChangesSides) else ()
    return () if found == tuple(range(len(found))) else found


def _engine_report(
    state: SeatState, closing: Closing, variations: tuple[VariationFlaws, ...]
) -> EngineReport:
    return EngineReport(
        name=state.ready.name,
        description=state.ready.description,
        cpu_ns=state.cpu_ns if state.cpu_ns is not None else closing.cpu_ns,
        think_ns=state.think,
        slowest_ns=state.slowest,
        status=closing.status,
        startup_ns=state.startup,
        containment=closing.containment,
        variations=variations,
        illegal_tries=state.illegal_tries,
    )
