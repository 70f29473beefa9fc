"""The last requests to each seat after a game has stopped: its last moves, perhaps the score, and `Quit`.

The stages of a seat::

    IDLE -> HEARING -> APPRAISING -> PARTING -> GONE

HEARING sends the moves that the seat does not know yet, APPRAISING asks for the score, PARTING sends `Quit`.
A failure in these stages is not a forfeit.
"""

from collections.abc import Sequence

from gyoji.core import messages as m
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.ports import AnyRules, Umpired, supports
from gyoji.core.text import quote
from gyoji.referee.game_log import GameLog
from gyoji.referee.seat_state import Action, Dismiss, SeatState, Send, Stage


class Shutdown:
    """Sends the last requests to the seats of a stopped game.

    If the rules counted all stones on the board, engines that know the rules are still asked for the score. A
    warning names an engine that counts differently; the outcome stands. Engines are not asked if clean-up
    phases would follow, because the game is not over for them and they would only estimate (as KataGo does).
    """

    def __init__(self, rules: AnyRules, position: object, outcome: Outcome | None, log: GameLog) -> None:
        self._rules = rules
        self._position = position
        self._log = log
        is_counted = outcome is not None and outcome.ending is Ending.SCORE and outcome.points is not None
        is_open = bool(rules.acting(position))
        self._counted = outcome if is_counted and not log.dead and not is_open else None
        self.asks_scores = self._counted is not None

    def begin(self, state: SeatState) -> list[Action]:
        """Return the first of the last requests to a seat. A seat that still owes an answer is dismissed at
        once, without these requests.
        """
        if state.stage is Stage.GONE:
            return []
        if state.stage is not Stage.IDLE:
            state.stage = Stage.GONE
            return [Dismiss(state.seat, kindly=False)]
        told = unknown_moves(state, self._log, self._rules, self._position)
        return [told] if told else self._ask_score(state)

    def replied(self, state: SeatState, reply: m.Reply) -> list[Action]:
        """Handle a seat's reply to one of the last requests. Return the seat's next request or dismissal, or
        [].
        """
        if state.stage is Stage.HEARING:
            return self._ask_score(state)
        if isinstance(reply, m.Scored) and state.stage is Stage.APPRAISING:
            state.opinion = reply
            if reply.problem:
                self._log.note_late(state, reply.problem)
            if self._counted is not None and counts_otherwise(reply, self._counted, self._rules.teams):
                words = f"{state.player.code} was told the rules and says {quote(reply.text)}"
                self._log.warnings.append(words)
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
        return [Send(state.seat, m.AskScore(), state.player.budgets.score)]

    def _part(self, state: SeatState) -> list[Action]:
        state.stage = Stage.PARTING
        request = m.Quit(keep=state.player.restart != "on")
        return [Send(state.seat, request, state.player.budgets.close)]


def unknown_moves(state: SeatState, log: GameLog, rules: AnyRules, position: object) -> Send | None:
    """Return the request that sends a seat the moves it does not know, or None if there are none."""
    news = log.news(state)
    knows_all = not state.taken_back and all(seat == state.seat for turn in news for seat, _ in turn)
    if supports(rules, Umpired):
        knows_all = not rules.is_untold(position, state.seat)
    if knows_all:
        return None
    state.turns_known += len(news)
    state.stage = Stage.HEARING
    view = rules.view(position, state.seat)
    return Send(state.seat, m.TellMoves(view, news, state.told_taken_back()), state.player.budgets.score)


def counts_otherwise(opinion: m.Scored, counted: Outcome, teams: Sequence[int]) -> bool:
    """Return whether an engine's opinion contradicts the score by the rules. An unknown margin never does.

    >>> from gyoji.core.messages import Scored
    >>> counted = Outcome(points=(0.0, 1.0), ending=Ending.SCORE, margin=3.5)
    >>> said = (Scored("W+3.5", 1, margin=3.5), Scored("W+", 1), Scored("B+3.5", 0, margin=3.5))
    >>> [counts_otherwise(each, counted, (0, 1)) for each in said]
    [False, False, True]
    """
    if opinion.winner is None:
        return opinion.is_level and not counted.is_level
    margins = (opinion.margin, counted.margin)
    return teams[opinion.winner] != counted.winner or (None not in margins and margins[0] != margins[1])
