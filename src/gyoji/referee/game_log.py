"""The log of a game: what was played and said, and the record it becomes."""

from collections.abc import Iterable, Sequence
from contextlib import suppress

from gyoji.core.messages import Comment, Move, Turn, whole
from gyoji.core.outcome import Outcome
from gyoji.core.ports import AnyRules, ChangesSides, NotesMoves, offers
from gyoji.core.record import (
    Aside,
    EngineReport,
    GameRecord,
    GameResult,
    Lag,
    Opinion,
    Played,
    TakenBack,
    VoidGame,
    course_digest,
    stored_teams,
)
from gyoji.core.spec import OPENING, GameSpec
from gyoji.core.text import format_size, printable, quote
from gyoji.referee.adjudication import Adjudicator
from gyoji.referee.seat_state import Closing, SeatState, Stage

_tuple = tuple.__new__  # a named tuple's own constructor costs twice as much


def _is_single(turn: Turn[Move]) -> bool:
    return len(turn) == 1


class GameLog:
    """Turns as the rules know them, with their times; remarks, warnings, late trouble.

    turns    one for each turn played; spent: the ns charged for its moves, in its order.
    positions  the position after each turn.
    counted  how many of them were ordinary play.
    phases   turn number -> phase, for turns outside ordinary play.
    plain    turn number -> the turn in plain moves, for engines that do not know all rules, if it differs.
    left_out the seats without which the game went on, in their order.
    notes    turn number -> what the rules say of each of its moves, where they say anything.
    refused  the move that was against the rules, which ends a game.
    settled, dead  see `GameResult`.
    touched  the number of the first turn that is not as it was when somebody last looked.
    """

    def __init__(self, spec: GameSpec, rules: AnyRules, adjudicator: Adjudicator | None = None) -> None:
        self._spec = spec
        self._rules = rules
        self._adjudicator = adjudicator
        self._format, self._told = rules.format, rules.news
        self._tells_all = rules.news is whole
        self._notes = rules.notes if offers(rules, NotesMoves) else None
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
        self.touched = 0
        self.aside: list[Aside] = []
        self.lags: list[Lag] = []
        self._remarks: list[tuple[int | None, int, str]] = []  # (turn, seat, text)
        self._rooms: dict[int, int] = {}  # seat -> bytes that its remarks may still have

    @property
    def count(self) -> int:
        """How many turns have been played."""
        return len(self.turns)

    def news(self, state: SeatState) -> tuple[Turn[Move], ...]:
        """The turns that a seat has not been told of. Of each it is told what the rules let it know.

        An engine that does not know all the rules is told plain moves.
        """
        first = state.heard
        if first == len(self.turns) - 2:  # as nearly always
            turns: tuple[Turn[Move], ...] = (self.turns[-2], self.turns[-1])
        else:
            turns = tuple(self.turns[first:])
        if self.plain and not state.ready.knows_rules:
            turns = tuple([self.plain.get(number, turn) for number, turn in enumerate(turns, first)])
        return turns if self._tells_all else tuple([self._told(turn, state.seat) for turn in turns])

    def add(
        self, before: object, phase: str, turn: Turn[Move], spent: tuple[int, ...], after: object
    ) -> None:
        """A turn has been played in the position `before`, in that phase."""
        number = len(self.turns)
        if phase:
            self.phases[number] = phase
            plain = tuple((seat, self._rules.plain(before, move)) for seat, move in turn)
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
        """Forget the last turns, those outside ordinary play, which a seat cannot carry out."""
        number = len(self.turns)
        while number - 1 in self.phases:
            number -= 1
        gone = [(seat, text) for turn, seat, text in self._remarks if turn is not None and turn >= number]
        self._forget(number)
        self._remarks += [(None, seat, text) for seat, text in gone]
        for state in states:
            state.heard, state.last = min(state.heard, number), None

    def take_back(self, seat: int, number: int) -> None:
        """Forget all turns from this number on, as that seat wished; the record tells of them apart."""
        gone = self.annotated(number)
        self.taken_back.append(TakenBack(seat, number, gone))
        self._forget(number)

    def note_aside(self, state: SeatState, used: int) -> None:
        """An answer that was charged has become no move: its time is gone, and is that of no move."""
        state.forgo(used)
        if used:
            self.aside.append(Aside(len(self.turns), state.seat, used))

    def credit(self, state: SeatState, used: int) -> int:
        """The ns that are charged for an answer of which the network has taken some."""
        if credited := state.credit(used):
            self.lags.append(Lag(len(self.turns), state.seat, credited))
        return used - credited

    def _forget(self, number: int) -> None:
        """Forget all turns from this number on, and what was said of them."""
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
        """Keep the move of that seat, which the rules refused, and the ns charged, if it is a move."""
        index = [each for each, _ in turn].index(seat)
        with suppress(ValueError):  # something that no notation has a name for
            self.refused = Played(seat, self._format(turn[index][1]), spent[index])

    def adjudged(self, position: object) -> Outcome | None:
        """The outcome if somebody ends the game now; None if it goes on, or is over in any case."""
        outcome = self._adjudicator and self._adjudicator.outcome(position, self.turns)
        return outcome if outcome and self._rules.acting(position) else None

    def note_comment(self, state: SeatState, comment: Comment) -> None:
        """The engine's words about its last answer, whether that became a move of the game or not."""
        if state.last is not None:
            self.touched = min(self.touched, state.last)
        if comment.text and (text := self._fitting(state, comment.text)):
            self._remarks.append((state.last, state.seat, text))
        if comment.evaluation is not None and state.last is not None:
            self.opinions.append(Opinion(state.last, state.seat, comment.evaluation))
            if self._adjudicator is not None:
                self._adjudicator.heard(state.last, state.seat, comment.evaluation)

    def _fitting(self, state: SeatState, text: str) -> str:
        """As much of a remark as its seat has room for in this game."""
        budget = state.player.budgets.remarks
        room = self._rooms.get(state.seat, budget)
        data = text.encode("utf-8", "backslashreplace")
        self._rooms[state.seat] = max(room - len(data), 0)
        if len(data) <= room:
            return text
        if not room:
            return ""
        turn = len(self.turns) if state.last is None else state.last
        self.note_late(
            state,
            f"said more than {format_size(budget)} about its moves: no more is kept from move {turn + 1} on",
        )
        return data[:room].decode("utf-8", "ignore") + "…"

    def note_late(self, state: SeatState | None, text: str) -> None:
        """Trouble after the game was decided, with a seat or with all of it."""
        self.late.append(f"{state.name}: {printable(text)}" if state else printable(text))

    def note_left_out(self, state: SeatState, text: str) -> None:
        """The game goes on without a seat."""
        self.warnings.append(f"{state.name} is out of the game: {text}")
        self.left_out.append(state.seat)

    def note_other_count(self, state: SeatState, text: str) -> None:
        """An engine that was told the rules counts otherwise than they do."""
        self.warnings.append(f"{state.player.code} was told the rules and says {quote(text)}")

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
        """The record of the decided game. closings: per seat, how its engine's process ended."""
        spec, turns = self._spec, self.annotated()
        result = GameResult(
            id=spec.id,
            pairing=spec.pairing,
            players=spec.codes,
            outcome=outcome,
            turns=len(self.turns),
            engines=tuple(map(_engine_report, states, closings)),
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
            clock_factor=spec.clock_factor,
        )
        final = tuple((seat, text) for turn, seat, text in self._remarks if not self._was_played(turn))
        return GameRecord(
            result=result,
            turns=turns,
            final_remarks=final,
            refused=self.refused,
            opinions=tuple(sorted(self.opinions, key=lambda opinion: opinion.turn)),
            taken_back=tuple(self.taken_back),
            aside=tuple(self.aside),
            lags=tuple(self.lags),
        )

    def void(self, started: str, reason: str, states: Sequence[SeatState]) -> VoidGame:
        """A game that broke down, as far as it is known."""
        to_move = [state.player.code for state in states if state.stage is Stage.THINKING]
        return VoidGame(
            id=self._spec.id,
            pairing=self._spec.pairing,
            players=self._spec.codes,
            reason=printable(reason),
            started=started,
            turns=self.annotated(),
            late=tuple(self.late),
            to_move=tuple(to_move),
            settled=self.settled,
        )

    def _was_played(self, turn: int | None) -> bool:
        return turn is not None and turn < len(self.turns)

    def news_since(self, told: int) -> tuple[int, tuple[tuple[Played, ...], ...], tuple[Opinion, ...]]:
        """For a watcher who knows the first `told` turns as they were: what was played or said since.

        (Number of the first turn that is new or has changed, the turns from there on, opinions of them.)
        There is one watcher.
        """
        first = min(told, self.touched)
        self.touched = self.count
        return first, self.annotated(first), tuple([each for each in self.opinions if each.turn >= first])

    def annotated(self, first: int = 0) -> tuple[tuple[Played, ...], ...]:
        """The turns from number `first` on as records have them, each move with its time, comment, phase."""
        form, own = self._format, self.turns[first:] if first else self.turns
        turns = zip(own, self.spent[first:] if first else self.spent, strict=True)
        played: list[tuple[Played, ...]]
        if all(map(_is_single, own)):  # as in most games
            played = [
                (_tuple(Played, (turn[0][0], form(turn[0][1]), spent[0], "", "", "")),)
                for turn, spent in turns
            ]
        else:
            played = [
                tuple(
                    [
                        _tuple(Played, (seat, form(move), used, "", "", ""))
                        for (seat, move), used in zip(turn, spent, strict=True)
                    ]
                )
                for turn, spent in turns
            ]
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
                played[number - first] = tuple(
                    each._replace(comment=text) if each.seat == seat else each
                    for each in played[number - first]
                )
        return tuple(played)


def sides_of(rules: AnyRules, position: object) -> tuple[int, ...]:
    """The side of each seat, () if that is the seat itself."""
    found = tuple(rules.sides(position)) if offers(rules, ChangesSides) else ()
    return () if found == tuple(range(len(found))) else found


def _engine_report(state: SeatState, closing: Closing) -> EngineReport:
    return EngineReport(
        name=state.ready.name,
        description=state.ready.description,
        cpu_ns=state.cpu_ns if state.cpu_ns is not None else closing.cpu_ns,
        think_ns=state.think,
        slowest_ns=state.slowest,
        status=closing.status,
        startup_ns=state.startup,
        containment=closing.containment,
    )
