"""The state of a game of Dig Here, drawn for people, and what digging, plugging and barking do to it.

Holes and treasure are in the order in which agents are told of them: what is new comes last. What is dug out
or plugged is replaced by the last of its list; a treasure that is barked at leaves the others as they are. A
field that the rules exclude may have several holes or treasures in a cell: the first one counts.

A drawn field has row 0 on top:

====================  ==========================================
``A`` ``B``           the samurai of teams 0 and 1
``a`` ``b``           their dogs
``o``                 a hole
``$`` ``?``           treasure, known and hidden
``.``                 nothing
====================  ==========================================
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from gyoji.games.dighere.plans import FIRST_DIG, FIRST_PLUG, Cell, Target, Treasure


class Public(NamedTuple):
    """The part of a position that all agents know.

    step     steps played until now.
    known    treasures that everybody knows of and nobody has dug out.
    agents   where the four are.
    plans    of the last step, as everybody is shown them; actions: those carried out.
    scores   of the two teams.
    buried   the sum of all treasure that is still in the ground, hidden included.
    """

    step: int
    holes: tuple[Cell, ...]
    known: tuple[Treasure, ...]
    agents: tuple[Cell, ...]
    plans: tuple[int, ...]
    actions: tuple[int, ...]
    scores: tuple[int, int]
    buried: int


class Position(NamedTuple):
    """A game in progress.

    hidden       treasures that not everybody knows of.
    directions   in which the agents look; for display alone.
    acting       the seats that are still asked; () when the game is over.
    hole_bits    the cells of the holes as a set; hidden_bits: those of the hidden treasures.
    """

    public: Public
    hidden: tuple[Treasure, ...]
    directions: tuple[int, ...]
    acting: tuple[int, ...]
    hole_bits: int
    hidden_bits: int


class View(NamedTuple):
    """The knowledge of the agent in `seat`. sensed: the hidden treasures beside a dog, by direction."""

    seat: int
    public: Public
    sensed: tuple[Treasure, ...]


SIGNS = "ABab"


def draw(size: int, public: Public, hidden: Sequence[Treasure]) -> str:
    """The field with its coordinates; no newline at the end. What is not in the field is left out."""
    signs: dict[tuple[int, int], str] = dict.fromkeys(public.holes, "o")
    signs |= dict.fromkeys([each.cell for each in hidden], "?")
    signs |= dict.fromkeys([each.cell for each in public.known], "$")
    signs |= dict(zip(public.agents, SIGNS, strict=True))
    width = len(str(size - 1))
    lines = [f"{'':{width}} {' '.join(f'{x:{width}}' for x in range(size))}"]
    for y in range(size):
        row = " ".join(f"{signs.get((x, y), '.'):>{width}}" for x in range(size))
        lines.append(f"{y:{width}} {row}")
    return "\n".join(lines)


def account(view: View, steps: int) -> Iterator[str]:
    """Lines on what a drawn field does not show: step and scores, and how much treasure is where."""
    _, public, sensed = view
    first, second = public.scores
    yield f"step {public.step} of {steps}; team 0 has {first}, team 1 has {second}, {public.buried} is buried"
    for word, treasures in (("known", public.known), ("sensed", sensed)):
        if treasures:
            yield f"{word}: {', '.join(f'{each.amount} at {each.cell}' for each in treasures)}"


T = TypeVar("T")


class Ground:
    """Holes, treasure and scores of a position, to be changed. See `Position` and `Public` for the fields."""

    __slots__ = ("buried", "hidden", "hidden_bits", "hole_bits", "holes", "known", "scores")

    def __init__(self, position: Position) -> None:
        public = position.public
        self.holes = public.holes
        self.known = public.known
        self.hidden = position.hidden
        self.scores = public.scores
        self.buried = public.buried
        self.hole_bits = position.hole_bits
        self.hidden_bits = position.hidden_bits

    def dig(self, cell: Cell, bit: int, team: int, *, is_shared: bool) -> None:
        """A samurai of `team` digs; is_shared: so does the other one, in the same cell."""
        found: Treasure | None = None
        if (index := index_of(self.known, cell)) >= 0:
            found, self.known = self.known[index], _without(self.known, index)
        elif bit & self.hidden_bits:
            index = index_of(self.hidden, cell)
            found, self.hidden = self.hidden[index], _without(self.hidden, index)
            self._forget(cell, bit)
        if found is not None:
            self.buried -= found.amount
            self._credit(found.amount, team, is_shared=is_shared)
        if not bit & self.hole_bits:
            self.holes += (cell,)
            self.hole_bits |= bit

    def _credit(self, amount: int, team: int, *, is_shared: bool) -> None:
        first, second = self.scores
        if is_shared:
            self.scores = first + amount // 2, second + amount // 2
        else:
            self.scores = (first, second + amount) if team else (first + amount, second)

    def plug(self, cell: Cell, bit: int) -> None:
        """A samurai plugs a hole, unless the other one has just done so."""
        if bit & self.hole_bits:
            self.holes = _without(self.holes, self.holes.index(cell))
            if cell not in self.holes:
                self.hole_bits ^= bit

    def bark(self, cell: Cell, bit: int) -> None:
        """A dog steps into a cell with hidden treasure."""
        index = index_of(self.hidden, cell)
        self.known += (self.hidden[index],)
        self.hidden = self.hidden[:index] + self.hidden[index + 1 :]
        self._forget(cell, bit)

    def _forget(self, cell: Cell, bit: int) -> None:
        """A hidden treasure is no longer in its cell."""
        if index_of(self.hidden, cell) < 0:
            self.hidden_bits ^= bit


def index_of(treasures: Sequence[Treasure], cell: Cell) -> int:
    """The index of the first treasure in a cell, -1 if there is none."""
    x, y = cell
    for index, each in enumerate(treasures):
        if each[0] == x and each[1] == y:
            return index
    return -1


def _without(items: tuple[T, ...], index: int) -> tuple[T, ...]:
    """The items without one, whose place the last one takes.

    >>> _without((1, 2, 3, 4), 1), _without((1, 2), 1)
    ((1, 4, 3), (1,))
    """
    last = len(items) - 1
    return items[:last] if index == last else items[:index] + items[last:] + items[index + 1 : last]


def worked(position: Position, actions: Sequence[int], targets: Sequence[Target]) -> Ground:
    """The ground after the digging, plugging and barking of a step."""
    ground = Ground(position)
    is_shared = min(actions[:2]) >= FIRST_DIG and targets[0] == targets[1]
    for seat, (action, target) in enumerate(zip(actions, targets, strict=True)):
        if target is None or action < 0:
            continue
        cell, bit = target
        if action >= FIRST_PLUG:
            ground.plug(cell, bit)
        elif action >= FIRST_DIG:
            ground.dig(cell, bit, seat, is_shared=is_shared)
        elif seat > 1 and bit & ground.hidden_bits:
            ground.bark(cell, bit)
    return ground
