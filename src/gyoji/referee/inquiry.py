"""One question to every seat of a game that has stopped, each told first what it has not heard.

::

    IDLE -> HEARING -> APPRAISING or SETTLING -> IDLE

Nothing that goes wrong here is a forfeit: a seat that breaks down has no opinion.
"""

from collections.abc import Sequence
from typing import Any

from gyoji.core import messages as m
from gyoji.referee.actions import Action, Say
from gyoji.referee.chair import Chair, Stage
from gyoji.referee.minutes import Minutes


class Inquiry:
    """What is asked at `position`, and in which stage a seat is that thinks about it."""

    def __init__(
        self, rules: Any, position: Any, minutes: Minutes, request: m.Appraise, stage: Stage
    ) -> None:
        self._rules = rules
        self._position = position
        self._minutes = minutes
        self._request = request
        self._stage = stage
        self._chairs: Sequence[Chair] = ()

    def watch(self, chairs: Sequence[Chair]) -> None:
        """These are all the seats."""
        self._chairs = chairs

    @property
    def is_complete(self) -> bool:
        return bool(self._chairs) and all(chair.stage in (Stage.IDLE, Stage.GONE) for chair in self._chairs)

    def begin(self, chair: Chair) -> list[Action]:
        """What is said first; nothing to a seat that has gone, or has no opinion."""
        if self._request.wants_dead:
            chair.dead = None
        is_asked = chair.ready.tells_dead if self._request.wants_dead else chair.ready.can_score
        if chair.stage is not Stage.IDLE or not is_asked:
            return []
        news = self._minutes.news(chair)
        if all(seat == chair.seat for turn in news for seat, _ in turn):
            return self._ask(chair)
        chair.heard += len(news)
        chair.stage = Stage.HEARING
        view = self._rules.view(self._position, chair.seat)
        return [Say(chair.seat, m.Tell(view, news), chair.player.budgets.score)]

    def replied(self, chair: Chair, reply: m.Reply) -> list[Action]:
        """What is said next."""
        if chair.stage is Stage.HEARING:
            return self._ask(chair)
        if isinstance(reply, m.Appraised) and chair.stage is self._stage:
            chair.stage = Stage.IDLE
            if self._request.wants_dead:
                chair.dead = reply.dead
            else:
                chair.opinion = reply
            if reply.problem:
                self._minutes.note_late(chair, reply.problem)
        return []

    def _ask(self, chair: Chair) -> list[Action]:
        chair.stage = self._stage
        return [Say(chair.seat, self._request, chair.player.budgets.score)]
