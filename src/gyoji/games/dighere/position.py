"""The state of a game of Dig Here, its drawing as text, and the effects of digging, plugging and barking.

The lists of holes and treasure have the order in which they are sent to agents. A new item comes last. An
item that is dug out or plugged is replaced by the last of its list. A treasure that a dog barks at is
removed, and the others keep their order. A field that violates the rules may have several holes or treasures
in a cell: the first one counts.

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

    Attributes:
        step: Number of steps played so far.
        known: Known treasures that are still in the ground.
        agents: The cells of the four agents.
        plans: The plans of the last step in the form shown to all agents.
        actions: The actions carried out in the last step.
        scores: The scores of the two teams.
        buried: The sum of all treasure in the ground, hidden included.
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

    Attributes:
        hidden: Hidden treasures.
        directions: The directions in which the agents look; only for display.
        acting: The seats that are still in the game; () when it is over.
        hole_bits: The set of the holes' cells.
        hidden_bits: The set of the hidden treasures' cells.
    """

    public: Public
    hidden: tuple[Treasure, ...]
    directions: tuple[int, ...]
    acting: tuple[int, ...]
    hole_bits: int
    hidden_bits: int


class View(NamedTuple):
    """What the agent in `seat` knows of a position.

    Attributes:
        sensed: The hidden treasures beside a dog, by direction.
    """

    seat: int
    public: Public
    sensed: tuple[Treasure, ...]


SIGNS = "ABab"


def draw(size: int, public: Public, hidden: Sequence[Treasure]) -> str:
    """Draw a field with coordinates, without a final newline. Objects outside the field are omitted."""
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
    """Yield lines with what a drawn field does not show: step, scores, and the amounts of treasure.

    Args:
        view: What an agent knows.
        steps: Maximum number of steps of the game.
    """
    _, public, sensed = view
    first, second = public.scores
    yield f"step {public.step} of {steps}; team 0 has {first}, team 1 has {second}, {public.buried} is buried"
    for word, treasures in (("known", public.known), ("sensed", sensed)):
        if treasures:
            yield f"{word}: {', '.join(f'{each.amount} at {each.cell}' for each in treasures)}"


T = TypeVar("T")


class Ground:
    """The holes, treasure and scores of a position, as a mutable copy.

    See `Position` and `Public` for the fields.
    """

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
        """Make a samurai of `team` dig in a cell: it gets a treasure there, if any, and leaves a hole.

        Args:
            bit: The cell's bit in the sets of cells.
            is_shared: Whether the other samurai digs in the same cell, so that both get half.
        """
        found: Treasure | None = None
        if (index := index_of(self.known, cell)) >= 0:
            found, self.known = self.known[index], _without(self.known, index)
        elif bit & self.hidden_bits:
            index = index_of(self.hidden, cell)
            found, self.hidden = self.hidden[index], _without(self.hidden, index)
            self._forget(cell, bit)
        if found is not None:
            amount, (first, second) = found.amount, self.scores
            self.buried -= amount
            if is_shared:
                self.scores = first + amount // 2, second + amount // 2
            else:
                self.scores = (first, second + amount) if team else (first + amount, second)
        if not bit & self.hole_bits:
            self.holes += (cell,)
            self.hole_bits |= bit

    def plug(self, cell: Cell, bit: int) -> None:
        """Remove a hole in the cell that a samurai plugs. Nothing changes if the other samurai has just
        plugged the last one.

        Args:
            bit: The cell's bit in the set of holes.
        """
        if bit & self.hole_bits:
            self.holes = _without(self.holes, self.holes.index(cell))
            if cell not in self.holes:
                self.hole_bits ^= bit

    def bark(self, cell: Cell, bit: int) -> None:
        """Make a dog in a cell bark at hidden treasure there, so that all agents know the treasure.

        Args:
            bit: The cell's bit in the sets of cells.
        """
        index = index_of(self.hidden, cell)
        self.known += (self.hidden[index],)
        self.hidden = self.hidden[:index] + self.hidden[index + 1 :]
        self._forget(cell, bit)

    def _forget(self, cell: Cell, bit: int) -> None:
        """Clear a cell's bit in `hidden_bits` if no hidden treasure is left in the cell."""
        if index_of(self.hidden, cell) < 0:
            self.hidden_bits ^= bit


def index_of(treasures: Sequence[Treasure], cell: Cell) -> int:
    """Return the index of the first treasure in a cell; -1 if there is none."""
    x, y = cell
    for index, each in enumerate(treasures):
        if each[0] == x and each[1] == y:
            return index
    return -1


def _without(items: tuple[T, ...], index: int) -> tuple[T, ...]:
    """Return the items without the one at `index`, which the last one replaces.

    >>> _without((1, 2, 3, 4), 1), _without((1, 2), 1)
    ((1, 4, 3), (1,))
    """
    last = len(items) - 1
    return items[:last] if index == last else items[:index] + items[last:] + items[index + 1 : last]


def worked(position: Position, actions: Sequence[int], targets: Sequence[Target]) -> Ground:
    """Return the holes, treasure and scores after the digging, plugging and barking of a step.

    Args:
        position: The position before the step.
        actions: The plan that each agent carried out; -1 for none.
        targets: For each agent, the target of its plan: see `Resolution.targets`.
    """
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
