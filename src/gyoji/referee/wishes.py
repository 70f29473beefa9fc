"""Wishes of a seat instead of a move: to take its last move back, a draw, advice, a limit for an engine.

Whoever has to agree is asked, where the event says so. A seat that answers no such question agrees to a
take-back that the event allows, and to no draw. Then the question for the move is put again, with a notice of
what became of the wish. No clock runs while a wish is considered. Of several who are asked one is enough to
decline; the others may still answer, until when they are asked nothing else.
"""

from collections.abc import Sequence
from typing import Literal

from gyoji.core import messages as m
from gyoji.core.outcome import Ending, Outcome, shared
from gyoji.core.ports import AnyRules
from gyoji.core.spec import PERSON, GameSpec
from gyoji.core.text import format_duration
from gyoji.referee.game_log import GameLog
from gyoji.referee.seat_state import Action, Say, SeatState, Stage

AGREED = "both sides agree to a draw"
"""The detail of a game that ends so."""

CONSULTED = frozenset((Stage.CONSENTING, Stage.ADVISING))
"""The stages of a seat that has been asked because of a wish."""


class Wishes:
    """The wish of one seat at a time. After `begin`, `replied`, `gone` it waits for somebody (`is_asking`)
    or has been seen to.

    seat     who has wished.
    outcome  of the game, if that is over by it.
    turn     from which one on turns are to be taken back; None if none are.
    notice   what the seat is told, if neither.   advice: the move that was advised, if one was.
    """

    def __init__(self, spec: GameSpec, rules: AnyRules, states: Sequence[SeatState], log: GameLog) -> None:
        self._spec = spec
        self._rules = rules
        self._states = states
        self._log = log
        self._asked: list[SeatState] = []
        self._wish: Literal["take-back", "draw"] = "draw"
        self.seat = 0
        self._own = 0  # the turn of its last move
        self.outcome: Outcome | None = None
        self.turn: int | None = None
        self.notice = ""
        self.advice: m.Move | None = None

    @property
    def is_asking(self) -> bool:
        return bool(self._asked)

    def begin(self, state: SeatState, reply: m.Wish, position: object, used: int) -> list[Action]:
        """A seat that is to move wishes something, after `used` ns."""
        self._log.note_aside(state, used)
        self.seat, self.turn, self.notice, self.advice = state.seat, None, "", None
        if late := [each.name for each in self._states if each.stage in CONSULTED]:
            self.notice = f"{late[0]} has not answered an earlier wish yet"
            return []
        if len(self._rules.acting(position)) > 1 or any(len(turn) > 1 for turn in self._log.turns):
            self.notice = "there are no wishes in games in which several move at once"
            return []
        if isinstance(reply, m.WantsAdvice):
            return self._seek_advice(state, position)
        if isinstance(reply, m.OffersDraw):
            return self._offer_draw(state)
        if isinstance(reply, m.WantsLimit):
            return self._change_limit(state, reply.ns)
        return self._ask_to_take_back(state)

    def replied(self, state: SeatState, reply: m.Reply) -> bool:
        """Who was asked has answered. False if the wish had been seen to before."""
        state.stage = Stage.IDLE
        if state not in self._asked:
            return False
        if isinstance(reply, m.Advised):
            move = None if reply.move is None else self._rules.format(reply.move)
            self.advice = reply.move
            self.notice = f"advice: {move}" if move else f"no advice: {reply.text or 'there is none'}"
            self._asked = []
        elif isinstance(reply, m.Unsupported):
            self.notice = f"no advice: {reply.text}"
            self._asked = []
        else:
            self._answered(state, agrees=isinstance(reply, m.Agreed))
        return True

    def gone(self, state: SeatState) -> None:
        """Who was asked gives no answer."""
        if state in self._asked:
            self._answered(state, agrees=False)

    def _answered(self, state: SeatState, *, agrees: bool) -> None:
        self._asked.remove(state)
        if not agrees:
            self._asked = []
            self.notice = f"{state.name} declines the {self._wish}"
        elif not self._asked:
            self._grant()

    def _grant(self) -> None:
        if self._wish == "take-back":
            self.turn = self._own
        else:
            points = shared(len(set(self._rules.teams)))
            self.outcome = Outcome(points=points, ending=Ending.AGREEMENT, detail=AGREED, seat=self.seat)

    def take_back(self, number: int) -> object:
        """Take back the turns from this number on; the position that is left."""
        self._log.take_back(self.seat, number)
        for state in self._states:
            state.forget(number)
        return self._log.positions[-1] if self._log.positions else self._rules.start()

    def _others(self, state: SeatState) -> list[SeatState]:
        teams = self._rules.teams
        return [
            each
            for each in self._states
            if teams[each.seat] != teams[state.seat] and each.stage is not Stage.GONE
        ]

    def _ask_to_take_back(self, state: SeatState) -> list[Action]:
        self._wish = "take-back"
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
        self._wish = "draw"
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
        request = m.AskConsent(self.seat, self._wish)
        return [Say(each.seat, request, each.player.budgets.score) for each in asked]

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
            self._log.warnings.append(f"before move {self._log.count + 1}: {self.notice}")
        return []

    def _seek_advice(self, state: SeatState, position: object) -> list[Action]:
        who = next((each for each in self._others(state) if each.ready.advises), None)
        if not self._spec.advice:
            self.notice = "there is no advice in this game"
        elif who is None:
            self.notice = "nobody here can be asked for advice"
        else:
            self._asked, who.stage = [who], Stage.ADVISING
            news, view = self._log.news(who), self._rules.view(position, who.seat)
            who.heard += len(news)
            request = m.AskAdvice(state.seat, view, news, state.clock, who.told_taken_back())
            return [Say(who.seat, request, who.player.budgets.move)]  # no clock runs, its own neither
        return []
