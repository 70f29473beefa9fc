"""Moves that an engine suggests instead of making them, and the person who chooses the move that it makes.

::

    AskMove -> engine: Suggested -> AskChoice -> a person: Moved -> ImposeMove -> engine: Moved

The person plays in the game too, against the engine, and chooses any move for it that the rules allow. Where
no person can be asked, or the person gives no answer, the engine is told to make the move that it suggests.
Its clock runs until it has suggested a move, stands still while the person chooses, and goes on when it is
told: both parts are the time of that move.
"""

from collections.abc import Sequence

from gyoji.core import messages as m
from gyoji.core.faults import IllegalMove
from gyoji.core.ports import AnyRules
from gyoji.referee.game_log import GameLog
from gyoji.referee.seat_state import Action, Say, SeatState, Stage


class Suggestions:
    """The suggestion of one seat at a time."""

    def __init__(self, rules: AnyRules, states: Sequence[SeatState], log: GameLog) -> None:
        self._rules = rules
        self._states = states
        self._log = log
        self._state = states[0]  # who suggests
        self._move: m.Move = None
        self._position: object = None

    def begin(self, state: SeatState, move: m.Move, position: object) -> list[Action]:
        """Ask a person about the move that a seat suggests, or let it be."""
        self._state, self._move, self._position = state, move, position
        others = [each for each in self._states if each is not state and each.stage is Stage.IDLE]
        who = next((each for each in others if each.ready.chooses), None)
        if who is None:
            return self.let_be()
        text = self._rules.format(move)
        return self._ask(who, f"{state.name} suggests {text}: play it, or choose another move for it")

    def _ask(self, who: SeatState, notice: str) -> list[Action]:
        news = self._log.news(who)
        who.stage, who.heard = Stage.CHOOSING, len(self._log.turns)
        view = self._rules.view(self._position, who.seat)
        request = m.AskChoice(self._state.seat, self._move, notice, view, news, who.told_taken_back())
        return [Say(who.seat, request, who.player.budgets.move)]

    def chosen(self, who: SeatState, move: m.Move) -> list[Action]:
        """Impose the move that `who` has chosen, or ask again if the rules refuse it."""
        try:
            self._rules.check(self._position, self._state.seat, move)
        except IllegalMove as illegal:
            return self._ask(who, illegal.reason)
        if move != self._move:
            texts = self._rules.format(self._move), self._rules.format(move)
            said = f"{self._state.name} suggests {texts[0]}, {who.name} chooses {texts[1]}"
            self._log.warnings.append(f"move {self._log.count + 1}: {said}")
        return self._impose(move)

    def let_be(self) -> list[Action]:
        """Have the engine make the move that it suggests: no person chooses."""
        return self._impose(self._move)

    def _impose(self, move: m.Move) -> list[Action]:
        state = self._state
        state.stage = Stage.THINKING
        return [Say(state.seat, m.ImposeMove(move), max(state.patience - state.thought, 1))]
