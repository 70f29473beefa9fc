"""One question to every seat of a game that has stopped, each told first what it has not heard.

::

    IDLE -> HEARING -> APPRAISING or SETTLING -> IDLE

Nothing that goes wrong here is a forfeit: a seat that breaks down has no opinion.
"""

from collections.abc import Sequence
from typing import Any

from gyoji.core import messages as m
from gyoji.referee.actions import Action, Say
from gyoji.referee.game_log import GameLog
from gyoji.referee.seat_state import SeatState, Stage


class Inquiry:
    """What is asked at `position`, and in which stage a seat is that thinks about it."""

    def __init__(self, rules: Any, position: Any, log: GameLog, request: m.AskScore, stage: Stage) -> None:
        self._rules = rules
        self._position = position
        self._log = log
        self._request = request
        self._stage = stage
        self._states: Sequence[SeatState] = ()

    def watch(self, states: Sequence[SeatState]) -> None:
        """These are all the seats."""
        self._states = states

    @property
    def is_complete(self) -> bool:
        return bool(self._states) and all(state.stage in (Stage.IDLE, Stage.GONE) for state in self._states)

    def begin(self, state: SeatState) -> list[Action]:
        """What is said first; nothing to a seat that has gone, or has no opinion."""
        if self._request.wants_dead:
            state.dead = None
        is_asked = state.ready.tells_dead if self._request.wants_dead else state.ready.can_score
        if state.stage is not Stage.IDLE or not is_asked:
            return []
        news = self._log.news(state)
        if all(seat == state.seat for turn in news for seat, _ in turn):
            return self._ask(state)
        state.heard += len(news)
        state.stage = Stage.HEARING
        view = self._rules.view(self._position, state.seat)
        return [Say(state.seat, m.TellMoves(view, news), state.player.budgets.score)]

    def replied(self, state: SeatState, reply: m.Reply) -> list[Action]:
        """What is said next."""
        if state.stage is Stage.HEARING:
            return self._ask(state)
        if isinstance(reply, m.Scored) and state.stage is self._stage:
            state.stage = Stage.IDLE
            if self._request.wants_dead:
                state.dead = reply.dead
            else:
                state.opinion = reply
            if reply.problem:
                self._log.note_late(state, reply.problem)
        return []

    def _ask(self, state: SeatState) -> list[Action]:
        state.stage = self._stage
        return [Say(state.seat, self._request, state.player.budgets.score)]
