"""The end of the conversation with a seat, once its game has stopped.

It is told what it has not heard, asked for the score where that is of interest, and told to go::

    IDLE -> HEARING -> APPRAISING -> PARTING -> GONE

Nothing here changes the result any more.
"""

from typing import Any

from gyoji.core import messages as m
from gyoji.core.outcome import Ending, Outcome
from gyoji.referee.actions import Action, Dismiss, Say
from gyoji.referee.game_log import GameLog
from gyoji.referee.scoring import counts_otherwise
from gyoji.referee.seat_state import SeatState, Stage


class Shutdown:
    """What is said to the seats of a game that stopped at `position`.

    outcome: of the game. If the rules have counted all stones on the board, engines that were told the rules
    are asked all the same: a warning names who counts otherwise, and the outcome stays.
    """

    def __init__(self, rules: Any, position: Any, outcome: Outcome | None, log: GameLog) -> None:
        self._rules = rules
        self._position = position
        self._log = log
        is_counted = outcome is not None and outcome.ending is Ending.SCORE and outcome.points is not None
        self._counted = outcome if is_counted and not log.dead else None

    @property
    def asks_scores(self) -> bool:
        return self._counted is not None

    def begin(self, state: SeatState) -> list[Action]:
        """What is said first; a seat that is busy with its question cannot be called off it, and goes."""
        if state.stage is Stage.GONE:
            return []
        if state.stage is not Stage.IDLE:
            state.stage = Stage.GONE
            return [Dismiss(state.seat, kindly=False)]
        news = self._log.news(state)
        state.heard += len(news)
        if all(seat == state.seat for turn in news for seat, _ in turn):
            return self._ask_score(state)
        state.stage = Stage.HEARING
        view = self._rules.view(self._position, state.seat)
        return [Say(state.seat, m.TellMoves(view, news), state.player.budgets.score)]

    def replied(self, state: SeatState, reply: m.Reply) -> list[Action]:
        """What is said next."""
        if state.stage is Stage.HEARING:
            return self._ask_score(state)
        if isinstance(reply, m.Scored) and state.stage is Stage.APPRAISING:
            state.opinion = reply
            if reply.problem:
                self._log.note_late(state, reply.problem)
            if self._counted is not None and counts_otherwise(reply, self._counted, self._rules.teams):
                self._log.note_other_count(state, reply.text)
            return self._part(state)
        if isinstance(reply, m.HasQuit) and state.stage is Stage.PARTING:
            state.stage, state.cpu_ns = Stage.GONE, reply.cpu_ns
            if reply.problem:
                self._log.note_late(state, reply.problem)
            return [Dismiss(state.seat, kindly=True, keep=reply.stays)]
        return []

    def _ask_score(self, state: SeatState) -> list[Action]:
        is_asked = self._counted is not None and state.ready.knows_rules and state.ready.can_score
        if not is_asked or state.opinion.text:
            return self._part(state)
        state.stage = Stage.APPRAISING
        return [Say(state.seat, m.AskScore(), state.player.budgets.score)]

    def _part(self, state: SeatState) -> list[Action]:
        state.stage = Stage.PARTING
        request = m.Quit(keep=state.player.restart != "on")
        return [Say(state.seat, request, state.player.budgets.close)]
