"""The port `Rules` for Dig Here: the effects of plans, what agents may know, and the end of the game.

Seats 0 and 1 are the samurai of teams 0 and 1, seats 2 and 3 their dogs. A move is a plan, which may be any
integer (see `plans`).
"""

# Theory of operation: a step of four moves made at once
# ------------------------------------------------------
# All four agents are asked in the same position, and their plans take effect together. "Occupied" and "hole"
# always mean the state at the start of the step.
#
#    1  plans.resolve    each plan by itself: invalid, outside the field, occupied, hole or no hole
#    2                   the remaining plans against each other:
#                          of several that move to a cell none does, and a samurai that digs there succeeds;
#                          where exactly one moves to, no samurai digs or plugs;
#                          two samurai that dig or plug the same cell both succeed
#    3  DigHereRules.play      all moves are made
#    4  position.worked        the samurai dig and plug, then the dogs bark, in the order of the seats;
#                              treasure dug by two is halved, rounded down
#
# `play` builds the next position. Digging, plugging and barking go through `Ground`, a mutable copy, only if
# some agent works in this step; most steps are moves alone.
#
# What agents may know: `view` gives the public part and, to a dog, the hidden treasure beside it. An agent
# sees its own plan unchanged, and invalid plans of others as -1, unless the option `invalid_plans` shows
# them. `news` does the same for a finished turn.
#
# An agent that is dropped (a crash, no time left) leaves `acting` and plays -1 from then on; the others go
# on. The game ends when the teams have all the treasure, or after the last step. So every game ends by the
# rules, and a competition needs no move limit.
#
# State: `_last` has the reasons from the last resolution, because the referee calls `notes` for the turn that
# it has just played. `_open` is the last turn that all agents see unchanged, so that `news` returns the same
# object. Both are caches, and a miss only costs time.

from collections.abc import Sequence

from gyoji.core.faults import IllegalMove
from gyoji.core.messages import Turn
from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.core.text import quote
from gyoji.games.dighere.fields import AGENTS, Field
from gyoji.games.dighere.game_options import Options
from gyoji.games.dighere.plans import (
    FIRST_DIG,
    NOTATION,
    PLANS,
    STAY,
    VALID,
    Reason,
    Treasure,
    explain,
    parse_plan,
    places_of,
    resolve,
)
from gyoji.games.dighere.position import Position, Public, View, account, draw, index_of, worked

_SEATS = tuple(range(AGENTS))

_tuple = tuple.__new__  # a named tuple's own constructor costs twice as much


ROLES = ("samurai", "samurai", "dog", "dog")
"""The role of each seat in its team."""


class DigHereRules:
    """Dig Here on one field.

    Attributes:
        size: Cells on a side.
        think_time: Think time of each agent, set by the field, in ms.
    """

    seats = AGENTS
    teams: Sequence[int] = (0, 1, 0, 1)
    roles: Sequence[str] = ROLES
    notation = NOTATION

    def __init__(self, field: Field, *, shows_invalid: bool = False) -> None:
        """Create the rules of a field.

        Args:
            shows_invalid: Whether agents see invalid plans of others unchanged instead of as -1.
        """
        self.field = field
        self.size, self.steps, self.think_time = field.size, field.steps, field.think_time
        self._treasure = field.treasure
        self._shows_invalid = shows_invalid
        named = (*field.starts, *field.holes, *(each.cell for each in (*field.known, *field.hidden)))
        self._places = places_of(field.size, frozenset(cell for cell in named if not field.has(cell)))
        # The last turn that was played, with the reasons of failed plans, for the call of `notes` that
        # follows.
        self._last: tuple[Position | None, Turn[int], Sequence[Reason | None]] = (None, (), ())
        self._open: Turn[int] = ()  # the last turn that all are shown as it is

    def start(self) -> Position:
        field = self.field
        staying = (STAY,) * AGENTS
        public = Public(
            0, field.holes, field.known, field.starts, staying, staying, scores=(0, 0), buried=self._treasure
        )
        return Position(
            public,
            field.hidden,
            directions=tuple(agent.direction for agent in field.agents),
            acting=_SEATS if self.steps and self._treasure else (),
            hole_bits=self._places.bits(field.holes),
            hidden_bits=self._places.bits(each.cell for each in field.hidden),
        )

    # The state

    def acting(self, position: Position) -> tuple[int, ...]:
        return position.acting

    def phase(self, position: Position) -> str:
        return ""

    def view(self, position: Position, seat: int) -> View:
        public = position[0]
        sensed: tuple[Treasure, ...] = ()
        if seat > 1:
            place = self._places[public[3][seat]]
            if place[1] & position[5]:
                _, hidden, _, _, _, bits = position
                sensed = tuple([hidden[index_of(hidden, cell)] for cell, bit in place.near if bit & bits])
        return _tuple(View, (seat, public, sensed))

    def render(self, shown: Position | View, last: Turn[int] = ()) -> str:
        """Draw the field. For a `View`, which is what one agent knows, scores and treasure follow.

        Moves are not marked: the agents' new places show them.
        """
        if isinstance(shown, Position):
            return draw(self.size, shown.public, shown.hidden)
        return "\n".join((draw(self.size, shown.public, shown.sensed), *account(shown, self.steps)))

    # Moves

    def legal(self, position: Position, seat: int) -> Sequence[int]:
        """Return the numbers of the valid plans, the same for samurai and dogs.

        An agent that is out of the game has none. `check` accepts any other integer too, which then counts as
        -1.
        """
        return range(STAY, PLANS) if seat in position.acting else ()

    def check(self, position: Position, seat: int, move: int) -> None:
        if seat not in position.acting:
            raise IllegalMove(seat, "has no plan to make now")
        if type(move) is not int:
            raise IllegalMove(seat, f"no whole number: {quote(repr(move))}")

    def play(self, position: Position, turn: Turn[int]) -> Position:
        plans = self._plans(position, turn)
        public, hidden, directions, acting, hole_bits, hidden_bits = position
        step, holes, known, agents, _, _, scores, buried = public
        actions, targets, reasons = resolve(self._places, agents, hole_bits, plans)
        self._last = position, turn, reasons
        moved, looks, is_work = list(agents), list(directions), False
        for seat, target in enumerate(targets):
            if target is not None:
                looks[seat] = plans[seat] & 7
                if (action := actions[seat]) >= FIRST_DIG:
                    is_work = True
                elif action >= 0:
                    moved[seat] = target[0]
                    if seat > 1 and target[1] & hidden_bits:
                        is_work = True
        if is_work:
            ground = worked(position, actions, targets)
            holes, known, hidden = ground.holes, ground.known, ground.hidden
            hole_bits, hidden_bits = ground.hole_bits, ground.hidden_bits
            scores, buried = ground.scores, ground.buried
        if self._shows_invalid or not any(reasons) or Reason.INVALID not in reasons:
            self._open = turn
        else:
            plans = [STAY if reasons[seat] is Reason.INVALID else plan for seat, plan in enumerate(plans)]
        step += 1
        if step >= self.steps or scores[0] + scores[1] == self._treasure:
            acting = ()
        public = _tuple(
            Public, (step, holes, known, tuple(moved), tuple(plans), tuple(actions), scores, buried)
        )
        return _tuple(Position, (public, hidden, tuple(looks), acting, hole_bits, hidden_bits))

    def _plans(self, position: Position, turn: Turn[int]) -> list[int]:
        """Return the plans of all four agents; -1 for an agent that is out of the game."""
        plans, acting = [STAY] * AGENTS, position.acting
        for seat, move in turn:
            if type(move) is not int or seat not in acting:
                self.check(position, seat, move)
            plans[seat] = move
        return plans

    def reasons(self, position: Position, turn: Turn[int]) -> Sequence[Reason | None]:
        """Return, by seat, the reason why each plan of a turn failed; None for one carried out, and for -1.

        Args:
            position: The position before the turn.
        """
        before, played, reasons = self._last
        if before is position and played is turn:
            return reasons
        plans = self._plans(position, turn)
        return resolve(self._places, position.public.agents, position.hole_bits, plans).reasons

    def notes(self, position: Position, turn: Turn[int]) -> tuple[str, ...]:
        """Return, for each move of a turn, the reason in words why it failed; "" if it was carried out."""
        agents, reasons = position.public.agents, self.reasons(position, turn)
        if not any(reasons):
            return ("",) * len(turn)
        return tuple([explain(reasons[seat], seat, plan, agents) for seat, plan in turn])

    def simplify(self, position: Position, move: int) -> int:
        return move

    def news(self, turn: Turn[int], seat: int) -> Turn[int]:
        """Return a turn as an agent may see it: its own plan unchanged, invalid plans of others as -1.

        With the option `invalid_plans` = "shown", all plans are unchanged.
        """
        if turn is self._open or self._shows_invalid:
            return turn
        return tuple([(who, plan if who == seat or plan in VALID[who] else STAY) for who, plan in turn])

    def drop(self, position: Position, seat: int) -> Position:
        """Drop an agent: it plays -1 for the rest of the game."""
        return position._replace(acting=tuple(each for each in position.acting if each != seat))

    # The end

    def outcome(self, position: Position) -> Outcome:
        """Return the outcome by treasure. Raises ValueError if the game is not over."""
        if position.acting:
            raise ValueError("the game is not over")
        first, second = position.public.scores
        points = won_by(int(second > first), 2) if first != second else shared(2)
        return Outcome(
            points=points,
            ending=Ending.SCORE,
            margin=float(abs(first - second)),
            detail=f"{first} to {second}",
            totals=(float(first), float(second)),
        )

    # Text

    def parse(self, text: str) -> int:
        return parse_plan(text)

    def format(self, move: int) -> str:
        return str(move)


def rules(options: Options, seed: int = 0) -> DigHereRules:
    """Return the rules with these options.

    Args:
        seed: The seed of a random field, if the options have no field.
    """
    return DigHereRules(options.field(seed), shows_invalid=options.invalid_plans == "shown")
