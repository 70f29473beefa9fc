"""Requests that a seat makes instead of a move: a take-back, a draw, a hint, or a time limit for an engine.

Seats that must agree are asked. A seat whose engine does not answer such questions accepts a take-back that
the event allows, and declines a draw. Then the seat is asked for its move again, with a notice of the result.
"""

# No clock runs while a request is considered: the seat that made it has been charged for the time before it,
# and the other seats are not to move. If several seats are asked, the first one that declines decides. The
# others may still answer, and get no other request until they do.

from collections.abc import Sequence
from typing import Literal

from gyoji.core import messages as m
from gyoji.core.outcome import Ending, Outcome, shared
from gyoji.core.ports import AnyRules
from gyoji.core.spec import PERSON, GameSpec
from gyoji.core.text import format_duration
from gyoji.referee.game_log import GameLog
from gyoji.referee.seat_state import Action, SeatState, Send, Stage

AGREED = "both sides agree to a draw"
"""The detail of a game that ends with an agreed draw."""

REQUEST_STAGES = frozenset((Stage.CONSENTING, Stage.HINTING))
"""The stages of a seat that answers a question about another seat's request."""


class SeatRequests:
    """Handles the requests of seats, one at a time.

    After `begin`, `replied` and `gone`, either answers are awaited (`is_asking`) or the request is settled.

    Attributes:
        seat: The seat that made the request.
        outcome: Outcome of the game, if the request ended it.
        turn: Number of the first turn to take back, or None.
        notice: Line that tells the seat the result of its request. It is not shown if the game ended or turns
            were taken back.
        hint: The suggested move, if there is one.
    """

    def __init__(self, spec: GameSpec, rules: AnyRules, states: Sequence[SeatState], log: GameLog) -> None:
        self._spec = spec
        self._rules = rules
        self._states = states
        self._log = log
        self._asked: list[SeatState] = []
        self._request: Literal["take-back", "draw"] = "draw"
        self.seat = 0
        self._own = 0  # number of the turn of its last move
        self.outcome: Outcome | None = None
        self.turn: int | None = None
        self.notice = ""
        self.hint: m.Move | None = None

    @property
    def is_asking(self) -> bool:
        return bool(self._asked)

    def begin(self, state: SeatState, reply: m.SeatRequest, position: object, used: int) -> list[Action]:
        """Handle a request that a seat made instead of a move. Return the messages to other seats.

        Args:
            used: ns that the seat took to make the request.
        """
        self._log.note_extra_time(state, used)
        self.seat, self.turn, self.notice, self.hint = state.seat, None, "", None
        if late := [each.name for each in self._states if each.stage in REQUEST_STAGES]:
            self.notice = f"{late[0]} has not answered an earlier request yet"
        elif len(self._rules.acting(position)) > 1 or any(len(turn) > 1 for turn in self._log.turns):
            self.notice = "there are no requests in games in which several move at once"
        elif isinstance(reply, m.WantsHint):
            return self._ask_for_hint(state, position)
        elif isinstance(reply, m.OffersDraw):
            return self._offer_draw(state)
        elif isinstance(reply, m.WantsLimit):
            return self._change_limit(state, reply.ns)
        else:
            return self._ask_to_take_back(state)
        return []

    def replied(self, state: SeatState, reply: m.Reply) -> bool:
        """Handle the answer of a seat that was asked. Return False if the request was already settled."""
        state.stage = Stage.IDLE
        if state not in self._asked:
            return False
        if isinstance(reply, m.Hint | m.Unsupported):
            self._asked, self.notice = [], f"no hint: {reply.text or 'there is none'}"
            if isinstance(reply, m.Hint) and reply.move is not None:
                self.hint, self.notice = reply.move, f"hint: {self._rules.format(reply.move)}"
        else:
            self._answered(state, agrees=isinstance(reply, m.Agreed))
        return True

    def gone(self, state: SeatState) -> None:
        """Handle a seat whose engine ended. If it was asked for consent, it declines."""
        if state in self._asked:
            self._answered(state, agrees=False)

    def _answered(self, state: SeatState, *, agrees: bool) -> None:
        self._asked.remove(state)
        if not agrees:
            self._asked = []
            self.notice = f"{state.name} declines the {self._request}"
        elif not self._asked:
            self._grant()

    def _grant(self) -> None:
        if self._request == "take-back":
            self.turn = self._own
        else:
            points = shared(len(set(self._rules.teams)))
            self.outcome = Outcome(points=points, ending=Ending.AGREEMENT, detail=AGREED, seat=self.seat)

    def take_back(self, number: int) -> object:
        """Take back all turns from `number` on and return the position."""
        self._log.take_back(self.seat, number)
        for state in self._states:
            state.forget(number)
        return self._log.positions[-1] if self._log.positions else self._rules.start()

    def _others(self, state: SeatState) -> list[SeatState]:
        teams = self._rules.teams
        here = [each for each in self._states if each.stage is not Stage.GONE]
        return [each for each in here if teams[each.seat] != teams[state.seat]]

    def _ask_to_take_back(self, state: SeatState) -> list[Action]:
        self._request = "take-back"
        unable = [each.name for each in self._states if not each.ready.takes_back]
        own = [number for number, turn in enumerate(self._log.turns) if turn[0][0] == state.seat]
        if self._spec.take_backs == "never":
            self.notice = "no move can be taken back in this game"
        elif not own:
            self.notice = "there is no move of yours to take back"
        elif unable:
            self.notice = f"{unable[0]} cannot take moves back"
        elif self._log.left_out:
            self.notice = "no move can be taken back once a seat is out of the game"
        else:
            self._own = own[-1]
            asked = [each for each in self._others(state) if each.ready.consents]
            if self._spec.take_backs == "ask" and asked:
                return self._ask(asked)
            self._grant()
        return []

    def _offer_draw(self, state: SeatState) -> list[Action]:
        self._request = "draw"
        others = self._others(state)
        if not self._spec.draw_offers:
            self.notice = "no draw can be offered in this game"
        elif not all(each.ready.consents for each in others):
            self.notice = "an engine answers no offer of a draw"
        else:
            return self._ask(others)
        return []

    def _ask(self, asked: list[SeatState]) -> list[Action]:
        self._asked = asked
        for each in asked:
            each.stage = Stage.CONSENTING
        request = m.AskConsent(self.seat, self._request)
        return [Send(each.seat, request, each.player.budgets.score) for each in asked]

    def _change_limit(self, state: SeatState, ns: int) -> list[Action]:
        others = self._others(state)
        unable = [each.name for each in others if not each.ready.takes_limits]
        if state.player.protocol != PERSON:
            self.notice = "only a person changes limits"
        elif unable:
            self.notice = f"{unable[0]} cannot be told another limit in the middle of a game"
        else:
            for each in others:
                each.limit_moves(ns)
            told = f"{format_duration(ns)} for each move" if ns else "no limit for a move"
            self.notice = f"{' and '.join(each.name for each in others)}: {told} from now on"
            self._log.warnings.append(f"before move {len(self._log.turns) + 1}: {self.notice}")
        return []

    def _ask_for_hint(self, state: SeatState, position: object) -> list[Action]:
        who = next((each for each in self._others(state) if each.ready.gives_hints), None)
        if not self._spec.hints:
            self.notice = "there are no hints in this game"
        elif who is None:
            self.notice = "no player here can give a hint"
        else:
            self._asked, who.stage = [who], Stage.HINTING
            news, view = self._log.news(who), self._rules.view(position, who.seat)
            who.turns_known += len(news)
            request = m.AskHint(state.seat, view, news, state.clock, who.told_taken_back())
            return [Send(who.seat, request, who.player.budgets.move)]  # no clock runs, not even its own
        return []
