"""Counting: deciding the outcome of a finished game from dead stones and the engines' opinions."""

# Theory of operation
#
#     both passed -- dead stones? --PLAY------> play goes on until they are captured -----------+
#                        |                                                                      |
#                        +--AGREEMENT--> ask for dead stones --same--> remove them -------------+
#                        |                        |                                             |
#                        |                        +--different--> DISPUTE: play goes on, or a judge rules
#                        |                                                                      v
#                        +--no dead stones possible ------------------------------------> final position
#                                                                                               |
#               rules count ("internal") / engines are asked ("players") / others score later --+
#
# * Only rules that implement `SettlesDead` have dead stones. Other games go straight to the final position.
# * `begin`, `replied` and `go_on` return actions. Afterwards exactly one of three things holds: `outcome` is
#   known, `resumed` holds the position in which play goes on, or further replies are awaited (`is_asking`).
# * Human players are asked for dead stones after the engines, so that their page can propose an engine's
#   list. If the lists differ, they are told why play goes on (`SeatState.notice`).
# * An engine that breaks down here does not lose the game. It has no opinion, and the others decide.
# * If engines count, impossible opinions are ignored. If the others differ, the engines are asked for dead
#   stones. If their lists are equal, the position is counted without these stones, else `disputed_score`
#   decides.

import sys
from collections.abc import Callable, Sequence
from functools import reduce
from operator import xor

from msgspec.structs import replace

from gyoji.core import messages as m
from gyoji.core.messages import Scored
from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.core.ports import AnyRules, BoundsMargins, SettlesDead, supports
from gyoji.core.record import NOT_SCORED, WAITING
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable, quote
from gyoji.referee.closing import unknown_moves
from gyoji.referee.game_log import GameLog
from gyoji.referee.seat_state import Action, SeatState, Send, Stage

PLAY, AGREEMENT, DISPUTE = "play", "agreement", "dispute"
"""The values of `GameResult.settled` for games whose dead stones were settled."""

_AUTO = "auto"
"""The value of `SettlesDead.dead_stones` that lets gyoji choose the method."""

_DEAD = m.AskScore(wants_dead=True, wants_score=False)
_SCORE = m.AskScore()


class Counting:
    """Counts one game: settles dead stones, may ask engines for the score, and finds the outcome.

    Attributes:
        outcome: The outcome, or None until it is known.
        resumed: Position from which play resumes after both sides have passed; None if it does not resume.
        last_turn: Number of turns after which resumed play ends.
        position: The final position.
        asks_scores: Whether engines were asked for the score, so that the record has their answers.
    """

    def __init__(self, spec: GameSpec, rules: AnyRules, states: Sequence[SeatState], log: GameLog) -> None:
        self._spec = spec
        self._rules = rules
        self._states = states
        self._log = log
        self._dead_rules = rules if supports(rules, SettlesDead) else None
        self._is_settled = False  # dead stones are settled
        self._is_disputed = False  # lists differed, and play went on
        self._undisputed = 0  # the stones that all called dead when the lists differed
        self._asked: m.AskScore | None = None  # question to every seat, until all have answered
        self._people: list[SeatState] = []  # asked for dead stones when the engines have answered
        self._said: Outcome | None = None  # outcome by the engines' opinions
        self._then: Callable[[], list[Action]] = list  # called when all have answered
        self.position: object = None
        self.resumed: object = None
        self.outcome: Outcome | None = None
        self.last_turn = sys.maxsize
        self.asks_scores = False

    @property
    def is_asking(self) -> bool:
        return self._asked is not None

    def stops(self, position: object) -> bool:
        """Return whether the game stops for counting in this position, right after both sides have passed. If
        not, the rules decide how it goes on, for example with a clean-up phase.
        """
        dead_rules = self._dead_rules
        if dead_rules is None or self._is_settled or not dead_rules.stopped(position):
            return False
        return self._spec.scorer != "internal" or not self._can_resume or self._way(position) == AGREEMENT

    def begin(self, position: object) -> list[Action]:
        """Begin to count: both sides have passed, the rules ended the game, or resumed play has ended."""
        self.position, self.resumed = position, None
        is_stopped = self._dead_rules is not None and self._dead_rules.stopped(position)
        if len(self._log.turns) >= self.last_turn:
            return self._close(0)
        if is_stopped and not self._is_settled and self._spec.scorer == "internal":
            way = self._way(position)
            if way == AGREEMENT:
                return self._ask(_DEAD, self._name_dead)
            knows_rules = all(state.ready.knows_rules for state in self._states)
            if way == PLAY and self._can_resume and not knows_rules:
                return self._resume(PLAY)
        if self._undisputed and not is_stopped and (dead := self._still_there()):
            return self._close(dead)
        return self._close(0) if is_stopped and self._rules.acting(position) else self._finish()

    # What the referee tells

    def replied(self, state: SeatState, reply: m.Reply) -> list[Action]:
        request = self._asked
        assert request is not None
        if state.stage is Stage.HEARING:
            return [self._put(request, state)]
        if isinstance(reply, m.Scored) and state.stage is _stage(request):
            state.stage = Stage.IDLE
            if request.wants_dead:
                state.dead = reply.dead
            else:
                state.opinion = reply
            if reply.problem:
                self._log.note_late(state, reply.problem)
        return self.go_on()

    def go_on(self) -> list[Action]:
        """Return the next actions if all seats have answered or broken down, else []."""
        if self._asked is None or any(state.stage not in (Stage.IDLE, Stage.GONE) for state in self._states):
            return []
        if self._people and (actions := self._ask_people()):
            return actions
        self._asked = None
        then, self._then = self._then, list  # it is a bound method: kept, it would be a reference cycle
        return then()

    def _ask(self, request: m.AskScore, then: Callable[[], list[Action]]) -> list[Action]:
        """Send a request to every seat that can answer it. `then` is called when all have answered."""
        self._asked, self._then, self._people = request, then, []
        actions: list[Action] = []
        for state in self._states:
            if request.wants_dead:
                state.dead = None
            is_able = state.ready.tells_dead if request.wants_dead else state.ready.can_score
            if state.stage is Stage.IDLE and is_able:
                if request.wants_dead and state.player.is_person:
                    self._people.append(state)
                else:
                    actions.append(self._begin_with(request, state))
        return actions + self.go_on()

    def _begin_with(self, request: m.AskScore, state: SeatState) -> Send:
        """Return the next message to a seat: the moves that it does not know yet, or `request` if it knows
        all.
        """
        return unknown_moves(state, self._log, self._rules, self.position) or self._put(request, state)

    def _put(self, request: m.AskScore, state: SeatState) -> Send:
        state.stage = _stage(request)
        if request.wants_dead and state.player.is_person:
            request = replace(request, view=self._rules.view(self.position, state.seat))
        return Send(state.seat, request, state.player.budgets.score)

    def _ask_people(self) -> list[Action]:
        """Ask the human players for dead stones, after the engines have named theirs."""
        assert self._asked is not None
        people = [state for state in self._people if state.stage is Stage.IDLE]
        named = [(state.seat, self._named(state)) for state in self._states]
        claims = tuple((seat, self._settling.names_of(dead)) for seat, dead in named if dead is not None)
        self._people, self._asked = [], replace(self._asked, claims=claims)
        return [self._begin_with(self._asked, state) for state in people]

    # Which stones are dead

    @property
    def _settling(self) -> SettlesDead[object]:
        """The rules as `SettlesDead`. Only used for games in which dead stones have to be settled."""
        assert self._dead_rules is not None, "asked of a game without dead stones"
        return self._dead_rules

    # "auto" asks the engines first if the rules have clean-up phases, because a clean-up move may cost a
    # point and engines that agree need no clean-up. Without such phases, playing on costs nothing.
    def _way(self, position: object) -> str:
        """Return the method by which dead stones are decided after both sides have passed: "play",
        "agreement" or "alive", never "auto".
        """
        way = self._settling.dead_stones
        if way != _AUTO:
            return way
        has_phases = bool(self._rules.acting(position))
        cleans_up = not has_phases and all(state.ready.cleans_up for state in self._states)
        return PLAY if cleans_up else AGREEMENT

    @property
    def _can_resume(self) -> bool:
        return all(state.ready.resumes for state in self._states)

    def _name_dead(self) -> list[Action]:
        """Decide what follows from the seats' lists of dead stones, once no list is missing: the score, more
        play, or a ruling of the judge. Return the next actions.
        """
        dead, is_agreed = self._common()
        is_final = self._is_disputed or not self._can_resume or any(map(_is_gone, self._states))
        # If the choice is gyoji's, a seat that cannot name dead stones must capture them in the clean-up
        # phases: the other seat's list is one opinion of two.
        is_free = self._settling.dead_stones == _AUTO and bool(self._rules.acting(self.position))
        has_to_show = not is_final and is_free and any(state.dead is None for state in self._states)
        is_agreed = is_agreed and not has_to_show
        if not is_agreed and self._spec.disputed_score == "judge":
            self.outcome = unscored_outcome("judge")
            return []
        if is_agreed or is_final:
            if dead or self._is_disputed or any(state.dead is not None for state in self._states):
                self._log.settled = AGREEMENT if is_agreed and not self._is_disputed else DISPUTE
            return self._close(dead)
        self._undisputed = 0 if has_to_show else dead
        return self._resume(PLAY if has_to_show else DISPUTE)

    def _still_there(self) -> int:
        """Return the groups, as a bit mask, that both sides called dead before the clean-up.

        These groups are removed at the end even if neither side has captured them. If other stones have
        become part of them, the result is 0.
        """
        groups = self._settling.dead_groups(self.position, self._settling.names_of(self._undisputed))
        return 0 if groups & ~self._undisputed else groups

    def _common(self) -> tuple[int, bool]:
        """Return (stones that count as dead, as a bit mask; whether the seats agree on them).

        Stones count as dead if all seats call them dead. If only one seat has answered, there are two cases:
        if the other seat's engine has ended, all stones that were named count as dead, and otherwise only
        those of the seat that answered. If no seat has answered, the result is (0, True).
        """
        lists = [self._named(state) for state in self._states]
        known = [stones for stones in lists if stones is not None]
        if len(known) == len(lists):
            common = known[0]
            for stones in known:
                common &= stones
            return common, all(stones == common for stones in known)
        if not known:
            return 0, True
        (seat,) = [state.seat for state in self._states if lists[state.seat] is not None]
        if all(_is_gone(state) for state in self._states if state.seat != seat):
            return known[0], True
        given_up = self._settling.of_seat(self.position, seat, known[0])
        return given_up, given_up == known[0]

    def _named(self, state: SeatState) -> int | None:
        """Return the groups (a bit mask) that a seat calls dead; None if it has not answered."""
        if state.dead is None:
            return None
        return self._settling.dead_groups(self.position, state.dead)

    def _resume(self, way: str) -> list[Action]:
        if any(state.dead is not None for state in self._states):
            for state in self._states:
                state.notice = self._dispute_text(state) if state.player.is_person else ""
        self._is_disputed = way == DISPUTE
        self._is_settled = way == PLAY or bool(self._rules.acting(self.position))
        self._log.settled = way
        self.resumed = self._settling.resume(self.position)
        self.last_turn = len(self._log.turns) + self._settling.longest_cleanup
        return []

    def _dispute_text(self, to: SeatState) -> str:
        """Return the line that tells a human player why play goes on, and what that costs."""
        lists = [(state, dead) for state in self._states if (dead := self._named(state)) is not None]
        told = [
            f"{'you call' if state is to else f'{state.name} calls'} {self._heads(dead)} dead"
            for state, dead in lists
        ]
        open_groups = reduce(xor, [dead for _, dead in lists]) if len(lists) == len(self._states) else 0
        about = ", ".join(self._heads(open_groups).split())
        differ = f"You differ about {about}: " if open_groups else ""
        return f"{differ}{', '.join(told)}. {self._settling.cost_of_playing_on()}"

    def _heads(self, stones: int) -> str:
        """Return one point of each group in a set of stones (a bit mask), or "none"."""
        heads = list[str]()
        while stones:
            heads.append(self._settling.names_of(stones)[0])
            stones &= ~self._settling.dead_groups(self.position, heads[-1:])
        return " ".join(heads) or "none"

    def _close(self, dead: int) -> list[Action]:
        """Remove dead stones (a bit mask), end the game, and count it."""
        if (rules := self._dead_rules) is not None:
            self._log.dead = rules.names_of(dead)
            self.position = rules.close(self.position, dead)
        return self._finish()

    # Who counts

    def _finish(self) -> list[Action]:
        """Count the final position by the rules, or ask the engines for the score. Return the next
        actions.
        """
        outcome = self._rules.outcome(self.position)
        if outcome.ending is not Ending.SCORE or self._spec.scorer == "internal":
            self.outcome = outcome
            return []
        self.asks_scores = True  # the record has the engines' opinions even if others decide
        return self._ask(_SCORE, self._score)

    def _score(self) -> list[Action]:
        """Handle the opinions of the score, which all seats have given. Return the next actions."""
        scorer, disputed = self._spec.scorer, self._spec.disputed_score
        rules = self._rules
        margins = rules.greatest_margins(self.position) if supports(rules, BoundsMargins) else None
        opinions = [self._possible(state, margins) for state in self._states]
        self._said = agreed_outcome(opinions, rules.teams)
        if scorer != "players":
            self.outcome = unscored_outcome(scorer)
        elif _differ(opinions) and disputed != "undecided" and self._dead_rules is not None:
            return self._ask(_DEAD, self._settle_score)
        else:
            self.outcome = self._said
        return []

    def _possible(self, state: SeatState, margins: tuple[float, float] | None) -> m.Scored:
        """Return a seat's opinion of the score. An impossible one becomes an empty one, with a warning.

        Args:
            margins: Greatest margin by which each seat can have won; None if unknown.
        """
        if is_possible(state.opinion, margins):
            return state.opinion
        text = (
            f"{state.player.code}: final_score {quote(state.opinion.text)} is impossible here, and left out"
        )
        self._log.warnings.append(printable(text))
        return m.Scored(state.opinion.text)

    def _settle_score(self) -> list[Action]:
        """Decide the outcome after seats that disagree about the score have named dead stones.

        Returns [], because there are no further requests.
        """
        said, disputed = self._said, self._spec.disputed_score
        assert said is not None
        dead, is_agreed = self._common()
        if is_agreed and all(state.dead is not None for state in self._states):
            counted = self._rules.outcome(self._settling.close(self.position, dead))
            # The count stands unless the engines agree on another winner.
            self.outcome = counted if said.points is None or said.winner == counted.winner else said
            if self.outcome is counted:
                self._log.settled, self._log.dead = AGREEMENT, self._settling.names_of(dead)
        elif said.points is None and disputed in ("engine", "judge"):
            self.outcome = unscored_outcome(disputed)
        else:
            self.outcome = said
        return []


def _stage(request: m.AskScore) -> Stage:
    return Stage.SETTLING if request.wants_dead else Stage.APPRAISING


def _is_gone(state: SeatState) -> bool:
    return state.stage is Stage.GONE


def _differ(opinions: Sequence[m.Scored]) -> bool:
    usable = [opinion for opinion in opinions if opinion.is_level or opinion.winner is not None]
    return len({(opinion.winner, opinion.margin) for opinion in usable}) > 1


def agreed_outcome(opinions: Sequence[Scored], teams: Sequence[int]) -> Outcome:
    """Return the outcome that follows from the engines' opinions of the score.

    Without a usable opinion, or with different winners, the result is unknown. With the same winner but
    different margins, or a margin from only one of several engines, the margin is unknown. A single opinion
    decides.

    Args:
        teams: The team of each seat.
    """
    usable = [opinion for opinion in opinions if opinion.is_level or opinion.winner is not None]
    if not usable:
        return Outcome(points=None, ending=Ending.SCORE, detail="no score reported")
    winners = {None if opinion.winner is None else teams[opinion.winner] for opinion in usable}
    if len(winners) > 1:
        return Outcome(points=None, ending=Ending.SCORE, detail="players disagreed")
    winner = winners.pop()
    count = len(set(teams))
    if winner is None:
        return Outcome(points=shared(count), ending=Ending.SCORE, margin=0.0)
    margins = {opinion.margin for opinion in usable}
    margin = margins.pop() if len(margins) == 1 else None
    detail = "" if margin is not None else "unknown margin"
    return Outcome(points=won_by(winner, count), ending=Ending.SCORE, margin=margin, detail=detail)


def is_possible(opinion: Scored, margins: tuple[float, float] | None) -> bool:
    """Return whether an engine's opinion of the score is possible, that is, its margin is not too large.

    Args:
        margins: Greatest margin by which each seat can have won; None if unknown.

    >>> said = (Scored("B+9", 0, margin=9.0), Scored("W+9", 1, margin=9.0), Scored("B+", 0))
    >>> [is_possible(each, (8.5, 9.5)) for each in said]
    [False, True, True]
    """
    if opinion.winner is None or opinion.margin is None:
        return True
    return opinion.margin <= (margins[opinion.winner] if margins else sys.float_info.max)


def unscored_outcome(scorer: str) -> Outcome:
    """Return the outcome of a finished game that is not scored yet.

    Args:
        scorer: "judge", or "engine" for an engine without a seat.
    """
    detail = WAITING if scorer == "judge" else NOT_SCORED
    return Outcome(points=None, ending=Ending.SCORE, detail=detail)
