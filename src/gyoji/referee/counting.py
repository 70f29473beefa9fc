"""How a game that was played out comes to its outcome: which stones are dead, and who counts.

Once both sides have passed, rules that can do so (the port `SettlesDead`) have it settled which stones are
dead before they count: play goes on so that these can be taken off, or the engines are asked for them, and
play goes on, or a person rules, where they do not name the same ones. Where engines count, an opinion that
cannot be is left out; if the others differ, the stones that both call dead decide, and after that whoever the
event names.
"""

import sys
from collections.abc import Callable, Sequence

from gyoji.core import messages as m
from gyoji.core.messages import Scored
from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.core.ports import AnyRules, BoundsMargins, SettlesDead, offers
from gyoji.core.record import WAITING
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable, quote
from gyoji.referee.closing import moves_unheard
from gyoji.referee.game_log import GameLog
from gyoji.referee.seat_state import Action, Say, SeatState, Stage

PLAY, AGREEMENT, DISPUTE = "play", "agreement", "dispute"
"""The values of `GameResult.settled`, "" aside."""

_AUTO = "auto"
"""The value of `SettlesDead.dead_stones` that leaves the way to us."""

_DEAD = m.AskScore(wants_dead=True, wants_score=False)
_SCORE = m.AskScore()


class Counting:
    """The count of one game. After `begin`, `replied` and `go_on`: `outcome` is there, or `resumed`, or more
    replies are awaited.

    resumed    the position in which play goes on.
    last_turn  the number of turns at which play that was resumed ends.
    position   the final one.
    asks_scores  whether engines were asked for the score, so that it stands in the record.
    """

    def __init__(self, spec: GameSpec, rules: AnyRules, states: Sequence[SeatState], log: GameLog) -> None:
        self._spec = spec
        self._rules = rules
        self._states = states
        self._log = log
        self._dead_rules = rules if offers(rules, SettlesDead) else None
        self._is_settled = False  # no more asking or playing on
        self._is_disputed = False  # lists differed, and play went on
        self._undisputed = 0  # the stones that all called dead when the lists differed
        self._asked: m.AskScore | None = None  # of every seat, and not answered by all of them
        self._said: Outcome | None = None  # by the engines that count
        self._then: Callable[[], list[Action]] = list  # what to do with the answers
        self.position: object = None
        self.resumed: object = None
        self.outcome: Outcome | None = None
        self.last_turn = sys.maxsize
        self.asks_scores = False

    @property
    def is_asking(self) -> bool:
        return self._asked is not None

    def stops(self, position: object) -> bool:
        """Whether play, which the rules have go on in another phase, is to be counted or settled first."""
        dead_rules = self._dead_rules
        if dead_rules is None or self._is_settled or not dead_rules.stopped(position):
            return False
        return self._spec.scorer != "internal" or not self._can_resume or self._way(position) == AGREEMENT

    def begin(self, position: object) -> list[Action]:
        """Both sides have passed, the rules say that the game is over, or resumed play was long enough."""
        self.position, self.resumed = position, None
        is_stopped = self._dead_rules is not None and self._dead_rules.stopped(position)
        if self._log.count >= self.last_turn:
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
        """The actions that follow once every seat has answered, or has broken down and has no opinion."""
        if self._asked is None or any(state.stage not in (Stage.IDLE, Stage.GONE) for state in self._states):
            return []
        self._asked = None
        then, self._then = self._then, list  # not kept: as a rule it is a method of ours
        return then()

    def _ask(self, request: m.AskScore, then: Callable[[], list[Action]]) -> list[Action]:
        """Put a question to every seat that can answer it, and do `then` when all have."""
        self._asked, self._then = request, then
        actions: list[Action] = []
        for state in self._states:
            if request.wants_dead:
                state.dead = None
            is_able = state.ready.tells_dead if request.wants_dead else state.ready.can_score
            if state.stage is Stage.IDLE and is_able:
                told = moves_unheard(state, self._log, self._rules, self.position)
                actions.append(told or self._put(request, state))
        return actions + self.go_on()

    def _put(self, request: m.AskScore, state: SeatState) -> Say:
        state.stage = _stage(request)
        return Say(state.seat, request, state.player.budgets.score)

    # Which stones are dead

    @property
    def _settling(self) -> SettlesDead[object]:
        """The rules, where there are stones to be settled."""
        assert self._dead_rules is not None, "asked of a game without dead stones"
        return self._dead_rules

    def _way(self, position: object) -> str:
        """How dead stones are settled at a stopped position: one of the rules' ways, but never auto.

        Auto asks first under rules with phases of their own: a move of the first one may cost a point, and
        engines that agree need none. Rules without them lose nothing by play that goes on.
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
        """The seats have named what they call dead."""
        dead, is_agreed = self._common()
        is_final = self._is_disputed or not self._can_resume or any(map(_is_gone, self._states))
        has_to_show = not is_final and self._has_to_show()
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

    def _has_to_show(self) -> bool:
        """Whether a seat that cannot tell which stones are dead is to show it in the phases of the rules.

        The setting leaves the choice to us then, and what the other seat says is one opinion of two.
        """
        is_free = self._settling.dead_stones == _AUTO and bool(self._rules.acting(self.position))
        return is_free and any(state.dead is None for state in self._states)

    def _still_there(self) -> int:
        """The stones that both called dead before the phases, and that are as they were; 0 if one is not.

        Where neither side takes stones off, nothing else would.
        """
        groups = self._settling.dead_groups(self.position, self._settling.names_of(self._undisputed))
        return 0 if groups & ~self._undisputed else groups

    def _common(self) -> tuple[int, bool]:
        """(the stones that all call dead, whether nobody calls another one dead).

        A seat that cannot tell is taken to call dead what the other gives up of its own, and all that the
        other names if it has gone.
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
        """The groups that a seat calls dead."""
        if state.dead is None:
            return None
        return self._settling.dead_groups(self.position, state.dead)

    def _resume(self, way: str) -> list[Action]:
        self._is_disputed = way == DISPUTE
        self._is_settled = way == PLAY or bool(self._rules.acting(self.position))
        self._log.settled = way
        self.resumed = self._settling.resume(self.position)
        self.last_turn = self._log.count + self._settling.longest_cleanup
        return []

    def _close(self, dead: int) -> list[Action]:
        """The game is over, without the stones that are dead."""
        if (rules := self._dead_rules) is not None:
            self._log.dead = rules.names_of(dead)
            self.position = rules.close(self.position, dead)
        return self._finish()

    # Who counts

    def _finish(self) -> list[Action]:
        """The position is final."""
        outcome = self._rules.outcome(self.position)
        if outcome.ending is not Ending.SCORE or self._spec.scorer == "internal":
            self.outcome = outcome
            return []
        self.asks_scores = True  # whoever decides, what the players think is in the record
        return self._ask(_SCORE, self._score)

    def _score(self) -> list[Action]:
        """The seats have said what they think of the score."""
        scorer, disputed = self._spec.scorer, self._spec.disputed_score
        rules = self._rules
        margins = rules.greatest_margins(self.position) if offers(rules, BoundsMargins) else None
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
        """A seat's opinion; none in place of one that cannot be, of which a warning tells."""
        if is_possible(state.opinion, margins):
            return state.opinion
        text = (
            f"{state.player.code}: final_score {quote(state.opinion.text)} is impossible here, and left out"
        )
        self._log.warnings.append(printable(text))
        return m.Scored(state.opinion.text)

    def _settle_score(self) -> list[Action]:
        """The seats count differently, and have named what they call dead."""
        said, disputed = self._said, self._spec.disputed_score
        assert said is not None
        dead, is_agreed = self._common()
        if is_agreed and all(state.dead is not None for state in self._states):
            counted = self._rules.outcome(self._settling.close(self.position, dead))
            self.outcome = refined_outcome(said, counted)
            if self.outcome is counted:
                self._log.settled, self._log.dead = AGREEMENT, self._settling.names_of(dead)
        elif said.points is None and disputed in ("engine", "judge"):
            self.outcome = unscored_outcome(disputed)
        else:
            self.outcome = said
        return []


def _stage(request: m.AskScore) -> Stage:
    """The stage of a seat that thinks about a question."""
    return Stage.SETTLING if request.wants_dead else Stage.APPRAISING


def _is_gone(state: SeatState) -> bool:
    return state.stage is Stage.GONE


def _differ(opinions: Sequence[m.Scored]) -> bool:
    usable = [opinion for opinion in opinions if opinion.is_level or opinion.winner is not None]
    return len({(opinion.winner, opinion.margin) for opinion in usable}) > 1


NOT_SCORED = "not scored yet"
"""The detail of a game that an engine without a seat has to score."""


def agreed_outcome(opinions: Sequence[Scored], teams: Sequence[int]) -> Outcome:
    """The outcome that the engines' opinions add up to; `teams` is the team of each seat.

    No usable opinion, or different winners: undecided. The same winner with different margins, or with a
    margin only one of them knows: won by an unknown margin. One opinion: that one.
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
    """Whether an opinion can be true. margins: by how much each seat can have won at most, if that is known.

    >>> said = (Scored("B+9", 0, margin=9.0), Scored("W+9", 1, margin=9.0), Scored("B+", 0))
    >>> [is_possible(each, (8.5, 9.5)) for each in said]
    [False, True, True]
    """
    if opinion.winner is None or opinion.margin is None:
        return True
    return opinion.margin <= (margins[opinion.winner] if margins else sys.float_info.max)


def refined_outcome(said: Outcome, counted: Outcome) -> Outcome:
    """The outcome where engines differ about the score: the count, unless they agree on another winner."""
    is_open = said.points is None
    return counted if is_open or said.winner == counted.winner else said


def unscored_outcome(scorer: str) -> Outcome:
    """The outcome of a game that was played out, and that somebody without a seat will score."""
    detail = WAITING if scorer == "judge" else NOT_SCORED
    return Outcome(points=None, ending=Ending.SCORE, detail=detail)
