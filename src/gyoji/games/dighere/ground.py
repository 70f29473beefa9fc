"""The ground while a step changes it: holes and treasure, in the order in which agents are told of them.

What is new comes last. What is dug out or plugged is replaced by the last of its list; a treasure that is
barked at leaves the others as they are. A field that the rules exclude may have several holes or treasures in
a cell: the first one counts.
"""

from collections.abc import Sequence
from typing import TypeVar

from gyoji.games.dighere.cells import Cell
from gyoji.games.dighere.fields import Treasure
from gyoji.games.dighere.position import Position

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
        if (index := _find(self.known, cell)) >= 0:
            found, self.known = self.known[index], _without(self.known, index)
        elif bit & self.hidden_bits:
            index = _find(self.hidden, cell)
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
        index = _find(self.hidden, cell)
        self.known += (self.hidden[index],)
        self.hidden = self.hidden[:index] + self.hidden[index + 1 :]
        self._forget(cell, bit)

    def _forget(self, cell: Cell, bit: int) -> None:
        """A hidden treasure is no longer in its cell."""
        if _find(self.hidden, cell) < 0:
            self.hidden_bits ^= bit


def _find(treasures: Sequence[Treasure], cell: Cell) -> int:
    """The index of the first treasure in a cell, -1 if there is none."""
    return next((index for index, each in enumerate(treasures) if each[:2] == cell), -1)


def _without(items: tuple[T, ...], index: int) -> tuple[T, ...]:
    """The items without one, whose place the last one takes.

    >>> _without((1, 2, 3, 4), 1), _without((1, 2), 1)
    ((1, 4, 3), (1,))
    """
    *others, last = items
    if index < len(others):
        others[index] = last
    return tuple(others)
