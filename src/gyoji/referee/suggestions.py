"""Moves that an engine suggests to its human opponent, who chooses the move that it plays.

::

    AskMove -> engine: Suggested -> AskChoice -> human player: Moved -> ImposeMove -> engine: Moved

The human player is the engine's opponent in the game and may choose any legal move for it. If there is no
human player to ask, or no answer, the engine makes the move that it suggested.
"""

# The engine's clock runs until it has suggested a move, stops while the human player chooses, and runs again
# after `ImposeMove`. The time of the move is the sum of both parts (`SeatState.thought` keeps the first).

from collections.abc import Sequence

from gyoji.core import messages as m
from gyoji.core.faults import IllegalMove
from gyoji.core.ports import AnyRules
from gyoji.referee.game_log import GameLog
from gyoji.referee.seat_state import Action, SeatState, Send, Stage


class Suggestions:
    """Asks a human player about a suggested move and tells the engine to make the chosen one.

    Only one suggestion is open at a time.
    """

    def __init__(self, rules: AnyRules, states: Sequence[SeatState], log: GameLog) -> None:
        self._rules = rules
        self._states = states
        self._log = log
        self._state = states[0]  # the seat that suggests
        self._move: m.Move = None
        self._position: object = None

    def begin(self, state: SeatState, move: m.Move, position: object) -> list[Action]:
        """Ask the human opponent about the move that a seat suggests. Accept the move if there is no such
        opponent.

        Returns the next actions.
        """
        self._state, self._move, self._position = state, move, position
        others = [each for each in self._states if each is not state and each.stage is Stage.IDLE]
        who = next((each for each in others if each.ready.chooses), None)
        if who is None:
            return self.let_be()
        text = self._rules.format(move)
        return self._ask(who, f"{state.name} suggests {text}: play it, or choose another move for it")

    def _ask(self, who: SeatState, notice: str) -> list[Action]:
        news = self._log.news(who)
        who.stage, who.turns_known = Stage.CHOOSING, len(self._log.turns)
        view = self._rules.view(self._position, who.seat)
        request = m.AskChoice(self._state.seat, self._move, notice, view, news, who.told_taken_back())
        return [Send(who.seat, request, who.player.budgets.move)]

    def chosen(self, who: SeatState, move: m.Move) -> list[Action]:
        """Tell the engine to make the chosen move, or ask the human player again if the rules refuse it.

        Args:
            who: The human player who chose.
        """
        try:
            self._rules.check(self._position, self._state.seat, move)
        except IllegalMove as illegal:
            return self._ask(who, illegal.reason)
        if move != self._move:
            texts = self._rules.format(self._move), self._rules.format(move)
            said = f"{self._state.name} suggests {texts[0]}, {who.name} chooses {texts[1]}"
            self._log.warnings.append(f"move {len(self._log.turns) + 1}: {said}")
        return self._impose(move)

    def let_be(self) -> list[Action]:
        """Tell the engine to make the move that it suggested."""
        return self._impose(self._move)

    def _impose(self, move: m.Move) -> list[Action]:
        state = self._state
        state.stage = Stage.THINKING
        return [Send(state.seat, m.ImposeMove(move), max(state.patience - state.thought, 1))]
