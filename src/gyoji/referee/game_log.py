"""The log of a game: what was played and said, and the record it becomes."""

from collections.abc import Sequence
from contextlib import suppress

from gyoji.core.messages import Move, Turn, whole
from gyoji.core.outcome import Outcome
from gyoji.core.ports import AnyRules, ChangesSides, offers
from gyoji.core.record import EngineReport, GameRecord, GameResult, Played, VoidGame, stored_teams
from gyoji.core.spec import GameSpec
from gyoji.core.text import format_size, printable, quote
from gyoji.referee.seat_state import Closing, SeatState


class GameLog:
    """Turns as the rules know them, with their times; remarks, warnings, late trouble.

    turns    one for each turn played; spent: the ns charged for its moves, in its order.
    phases   turn number -> phase, for turns outside ordinary play.
    plain    turn number -> the turn in plain moves, for engines that do not know all rules, if it differs.
    left_out the seats without which the game went on, in their order.
    notes    turn number -> what the rules say of each of its moves, where they say anything.
    refused  the move that was against the rules, which ends a game.
    settled, dead  see `GameResult`.
    """

    def __init__(self, spec: GameSpec, rules: AnyRules) -> None:
        self._spec = spec
        self._format, self._told = rules.format, rules.news
        self._teams = stored_teams(rules.teams)
        self.turns: list[Turn[Move]] = []
        self.spent: list[tuple[int, ...]] = []
        self.phases: dict[int, str] = {}
        self.plain: dict[int, Turn[Move]] = {}
        self.notes: dict[int, Sequence[str]] = {}
        self.refused: Played | None = None
        self.warnings: list[str] = []
        self.late: list[str] = []
        self.left_out: list[int] = []
        self.settled = ""
        self.dead: tuple[str, ...] = ()
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
        first, told = state.heard, self._told
        turns = tuple(self.turns[first:])
        if self.plain and not state.ready.knows_rules:
            turns = tuple([self.plain.get(number, turn) for number, turn in enumerate(turns, first)])
        return turns if told is whole else tuple([told(turn, state.seat) for turn in turns])

    def take_back_phase(self) -> None:
        """Forget the last turns that were outside ordinary play."""
        while (number := len(self.turns) - 1) in self.phases:
            for each in (self.phases, self.plain, self.notes):
                each.pop(number, None)
            self.turns.pop()
            self.spent.pop()

    def note_refused(self, seat: int, turn: Turn[Move], spent: Sequence[int]) -> None:
        """Keep the move of that seat, which the rules refused, and the ns charged, if it is a move."""
        index = [each for each, _ in turn].index(seat)
        with suppress(ValueError):  # something that no notation has a name for
            self.refused = Played(seat, self._format(turn[index][1]), spent[index])

    def note_remark(self, state: SeatState, text: str) -> None:
        """The engine's words about its last answer, whether that became a move of the game or not."""
        if text := self._fitting(state, text):
            self._remarks.append((state.last, state.seat, text))

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

    def note_late(self, state: SeatState, text: str) -> None:
        """Trouble after the game was decided."""
        self.late.append(f"{state.name}: {printable(text)}")

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
        spec = self._spec
        result = GameResult(
            id=spec.id,
            pairing=spec.pairing,
            players=tuple(player.code for player in spec.players),
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
        )
        final = tuple((seat, text) for turn, seat, text in self._remarks if not self._was_played(turn))
        return GameRecord(
            result=result, turns=self._annotated_turns(), final_remarks=final, refused=self.refused
        )

    def void(self, started: str, reason: str, to_move: Sequence[str]) -> VoidGame:
        """A game that broke down, as far as it is known."""
        return VoidGame(
            id=self._spec.id,
            pairing=self._spec.pairing,
            players=tuple(player.code for player in self._spec.players),
            reason=printable(reason),
            started=started,
            turns=self._annotated_turns(),
            late=tuple(self.late),
            to_move=tuple(to_move),
        )

    def _was_played(self, turn: int | None) -> bool:
        return turn is not None and turn < len(self.turns)

    def _annotated_turns(self) -> tuple[tuple[Played, ...], ...]:
        """The turns as records have them, each move with its time, comment and phase."""
        form, phases = self._format, self.phases
        played = [
            tuple(
                [
                    Played(seat, form(move), used, "", phases.get(number, ""))
                    for (seat, move), used in zip(turn, spent, strict=True)
                ]
            )
            for number, (turn, spent) in enumerate(zip(self.turns, self.spent, strict=True))
        ]
        for noted, notes in self.notes.items():
            played[noted] = tuple(
                each._replace(note=note) for each, note in zip(played[noted], notes, strict=True)
            )
        for number, seat, text in self._remarks:
            if number is not None and number < len(played):
                played[number] = tuple(
                    each._replace(comment=text) if each.seat == seat else each for each in played[number]
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
