"""The end of the conversation with a seat, once its game has stopped.

It is told what it has not heard, asked for the score where that is of interest, and told to go::

    IDLE -> HEARING -> APPRAISING -> PARTING -> GONE

Nothing here changes the result any more.
"""

from typing import Any

from gyoji.core import messages as m
from gyoji.core.outcome import Ending, Outcome
from gyoji.referee.actions import Action, Dismiss, Say
from gyoji.referee.chair import Chair, Stage
from gyoji.referee.minutes import Minutes
from gyoji.referee.scoring import counts_otherwise


class Farewell:
    """What is said to the seats of a game that stopped at `position`.

    outcome: of the game. If the rules have counted all stones on the board, engines that were told the rules
    are asked all the same: a warning names who counts otherwise, and the outcome stays.
    """

    def __init__(self, rules: Any, position: Any, outcome: Outcome | None, minutes: Minutes) -> None:
        self._rules = rules
        self._position = position
        self._minutes = minutes
        is_counted = outcome is not None and outcome.ending is Ending.SCORE and outcome.points is not None
        self._counted = outcome if is_counted and not minutes.dead else None

    @property
    def asks_scores(self) -> bool:
        return self._counted is not None

    def begin(self, chair: Chair) -> list[Action]:
        """What is said first; a seat that is busy with its question cannot be called off it, and goes."""
        if chair.stage is Stage.GONE:
            return []
        if chair.stage is not Stage.IDLE:
            chair.stage = Stage.GONE
            return [Dismiss(chair.seat, kindly=False)]
        news = self._minutes.news(chair)
        chair.heard += len(news)
        if all(seat == chair.seat for turn in news for seat, _ in turn):
            return self._appraise(chair)
        chair.stage = Stage.HEARING
        view = self._rules.view(self._position, chair.seat)
        return [Say(chair.seat, m.Tell(view, news), chair.player.budgets.score)]

    def replied(self, chair: Chair, reply: m.Reply) -> list[Action]:
        """What is said next."""
        if chair.stage is Stage.HEARING:
            return self._appraise(chair)
        if isinstance(reply, m.Appraised) and chair.stage is Stage.APPRAISING:
            chair.opinion = reply
            if reply.problem:
                self._minutes.note_late(chair, reply.problem)
            if self._counted is not None and counts_otherwise(reply, self._counted, self._rules.teams):
                self._minutes.note_other_count(chair, reply.text)
            return self._part(chair)
        if isinstance(reply, m.Parted) and chair.stage is Stage.PARTING:
            chair.stage, chair.cpu_ns = Stage.GONE, reply.cpu_ns
            if reply.problem:
                self._minutes.note_late(chair, reply.problem)
            return [Dismiss(chair.seat, kindly=True, keep=reply.stays)]
        return []

    def _appraise(self, chair: Chair) -> list[Action]:
        is_asked = self._counted is not None and chair.ready.knows_rules and chair.ready.can_score
        if not is_asked or chair.opinion.text:
            return self._part(chair)
        chair.stage = Stage.APPRAISING
        return [Say(chair.seat, m.Appraise(), chair.player.budgets.score)]

    def _part(self, chair: Chair) -> list[Action]:
        chair.stage = Stage.PARTING
        request = m.Finish(keep=chair.player.restart != "on")
        return [Say(chair.seat, request, chair.player.budgets.close)]
