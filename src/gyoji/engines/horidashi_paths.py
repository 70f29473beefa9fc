"""How long agents of Dig Here take to get somewhere: the shortest ways over a field, for engines that think.

A step into a hole costs a samurai two, for it plugs the hole first; a dog goes around holes. A step to where
an agent stands costs one more, for it may move away, and cannot be the first.
"""

from collections.abc import Container
from functools import lru_cache

from gyoji.games.dighere.plans import Cell, neighbours

FAR = 10_000
"""Steps to where nobody gets."""

MOST = 500
"""Cells that one search looks at, so that a huge field costs no more than a large one."""


class Surroundings(dict[Cell, tuple[Cell, ...]]):
    """The cells beside each cell of a field, in the order of directions; found when they are asked for."""

    def __init__(self, size: int, stride: int) -> None:
        super().__init__()
        self._size, self._stride = size, stride

    def __missing__(self, cell: Cell) -> tuple[Cell, ...]:
        size = self._size
        near = [
            each for each in neighbours(cell)[:: self._stride] if 0 <= each.x < size and 0 <= each.y < size
        ]
        self[cell] = found = tuple(near)
        return found


@lru_cache(maxsize=8)
def beside(size: int) -> Surroundings:
    """The cells that a samurai can move to, dig or plug."""
    return Surroundings(size, 2)


@lru_cache(maxsize=8)
def around(size: int) -> Surroundings:
    """The cells that a dog can move to, and senses."""
    return Surroundings(size, 1)


class Ways:
    """The shortest ways from a cell.

    near      `beside` or `around` of the field.
    holes     cells that have one.
    occupied  cells with another agent.
    plugs     whether holes can be plugged on the way.
    """

    def __init__(
        self,
        start: Cell,
        near: Surroundings,
        holes: Container[Cell],
        occupied: Container[Cell],
        *,
        plugs: bool,
    ) -> None:
        self.start = start
        self.near = near
        self.times = times = {start: 0}
        self._before: dict[Cell, Cell] = {}
        queues: list[list[Cell]] = [
            [start],
            [],
            [],
            [],
        ]  # cells by their time, modulo 4: a step costs 3 at most
        time = looked = 0
        while any(queues) and looked < MOST:
            for cell in (queue := queues[time % 4]):
                if times[cell] != time:
                    continue
                looked += 1
                for other in near[cell]:
                    is_hole, is_occupied = other in holes, other in occupied
                    if (is_hole and not plugs) or (is_occupied and not time):
                        continue
                    after = time + 1 + is_hole + is_occupied
                    if after < times.get(other, FAR):
                        times[other] = after
                        self._before[other] = cell
                        queues[after % 4].append(other)
            queue.clear()
            time += 1

    def time(self, cell: Cell) -> int:
        """Steps until it can be there."""
        return self.times.get(cell, FAR)

    def dig_time(self, cell: Cell) -> int:
        """Steps until it can have dug in a cell, from one beside it."""
        times = self.times
        return 1 + min([times.get(stand, FAR) for stand in self.near[cell]])

    def stand(self, cell: Cell) -> Cell:
        """Where it gets first of the cells from which it can dig in a cell."""
        return min(self.near[cell], key=self.time)

    def path(self, cell: Cell) -> list[Cell]:
        """The cells on the way to one that can be reached, without the start."""
        found = []
        while cell != self.start:
            found.append(cell)
            cell = self._before[cell]
        return found[::-1]
