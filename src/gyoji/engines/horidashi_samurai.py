"""Shortest paths on a field of Dig Here, and the choice of the plans of Horidashi's samurai.

A samurai goes from treasure to treasure, and prefers treasures that it can reach before the other samurai.
Its plans depend only on facts that all agents know. So the dog of its team can compute the samurai's next
plan.

To enter a hole costs a samurai two steps, because it plugs the hole first. A dog goes around holes.

A path may lead through the cell of another agent, because that agent may have moved away by then. It costs
one step more. The first cell of a path is never such a cell.
"""

from collections.abc import Callable, Container, Iterable, Set
from functools import cached_property, lru_cache, partial
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import NamedTuple

from gyoji.engines.dighere import STAY, Cell, State
from gyoji.games.dighere.plans import neighbours

FAR = 10_000
"""The distance that is returned for an unreachable cell."""

MOST_CELLS = 500
"""The maximum number of cells that one search visits, which limits the time on a huge field."""


@lru_cache(maxsize=1 << 14)
def beside(size: int, cell: Cell) -> tuple[Cell, ...]:
    """Return the cells that a samurai in `cell` can move to, dig or plug, on a field of `size` x `size`
    cells.
    """
    return tuple(each for each in neighbours(cell)[::2] if 0 <= each.x < size and 0 <= each.y < size)


@lru_cache(maxsize=1 << 14)
def around(size: int, cell: Cell) -> tuple[Cell, ...]:
    """Return the cells that a dog in `cell` can move to and senses, on a field of `size` x `size` cells."""
    return tuple(each for each in neighbours(cell) if 0 <= each.x < size and 0 <= each.y < size)


class Ways:
    """The shortest paths from one cell to all others.

    Attributes:
        size: Cells on a side of the field.
        near: The function that returns the neighbours of a cell: `beside` for a samurai, `around` for a dog.
        holes: Cells with a hole.
        occupied: Cells with another agent.
        plugs: Whether the agent can plug holes on its way.
        times: Number of steps to each cell that was reached.
    """

    def __init__(
        self,
        start: Cell,
        size: int,
        near: Callable[[int, Cell], tuple[Cell, ...]],
        holes: Container[Cell],
        occupied: Container[Cell],
        *,
        plugs: bool,
    ) -> None:
        self.start = start
        self.near = partial(near, size)
        self.times = times = {start: 0}
        self._before: dict[Cell, Cell] = {}
        order = count()  # among cells at one time the first that was found comes first
        heap = [(0, next(order), start)]
        looked = 0
        while heap and looked < MOST_CELLS:
            time, _, cell = heappop(heap)
            if times[cell] != time:
                continue
            looked += 1
            for other in self.near(cell):
                is_hole, is_occupied = other in holes, other in occupied
                if (is_hole and not plugs) or (is_occupied and not time):
                    continue
                after = time + 1 + is_hole + is_occupied
                if after < times.get(other, FAR):
                    times[other] = after
                    self._before[other] = cell
                    heappush(heap, (after, next(order), other))

    def time(self, cell: Cell) -> int:
        """Return the number of steps to a cell, or `FAR` if it cannot be reached."""
        return self.times.get(cell, FAR)

    def dig_time(self, cell: Cell) -> int:
        """Return the number of steps to dig in a cell: to the nearest cell beside it, and one to dig."""
        times = self.times
        return 1 + min([times.get(stand, FAR) for stand in self.near(cell)])

    def stand(self, cell: Cell) -> Cell:
        """Return the nearest of the cells from which the agent can dig in `cell`."""
        return min(self.near(cell), key=self.time)

    def path(self, cell: Cell) -> list[Cell]:
        """Return the cells on the shortest path to a reachable cell, without the start."""
        found = []
        while cell != self.start:
            found.append(cell)
            cell = self._before[cell]
        return found[::-1]


PATIENCE = 0.93
"""Discount factor of a treasure's value per step."""

TIE, LATE = 0.55, 0.4
"""Factors on a treasure's value if the other samurai can reach it at the same time, or earlier."""

PASSING, GUARDED = 0.7, 0.15
"""Factors on a treasure's value if an agent of the other team has just stepped on it, or sits there."""

DELAY = 4
"""Number of steps to wait for a treasure that an agent of the other team stands on."""

MOST, DEPTH = 8, 3
"""Number of treasures among which routes are sought, and number of treasures in a route."""

YIELD = 0.5
"""Probability that a blocked agent tries another way."""


class Aim(NamedTuple):
    """The intention of a samurai in a step.

    Attributes:
        plan: The samurai's plan for this step.
        cell: The cell that the plan acts on.
        treasure: The cell of the treasure that the samurai is going to dig, or None.
    """

    plan: int
    cell: Cell
    treasure: Cell | None = None


class Prospect(NamedTuple):
    """A treasure that a samurai may dig.

    Attributes:
        amount: Amount of the treasure, reduced if an agent of the other team stands on it.
        rival: Number of steps that the other samurai needs to dig the treasure.
        delay: Steps to wait until an agent of the other team has left the treasure; 0 if there is none on it.
    """

    amount: float
    rival: int
    delay: int

    def worth(self, time: int) -> float:
        """Return the value of the treasure if it is dug after `time` steps."""
        share = 1.0 if time < self.rival else TIE if time == self.rival else LATE
        return self.amount * share * PATIENCE**time


class Scene:
    """The facts of a game that all agents of a team know. All of them compute the same plans from these
    facts.

    Treasure that only a dog has sensed is in `state`, but is not used for plans.

    Attributes:
        state: The state that the agent was told.
        seen: Cells of which the team knows whether they have treasure: cells with a hole or with known
            treasure, and all cells that the team's dog has been in or beside.
        holes: Cells with a hole.
        known: Amounts of known treasure by cell.
        hidden: Total of the treasure that is not known.
    """

    def __init__(self, state: State, seen: Set[Cell], seed: str) -> None:
        self.state = state
        self.seen = seen
        self.holes = frozenset(state.holes)
        self.known = {each.cell: each.amount for each in state.known}
        self.hidden = state.buried - sum(self.known.values())
        self._seed = seed

    @cached_property
    def ways(self) -> tuple[Ways, Ways]:
        """The paths of samurai 0 and of samurai 1."""
        return self._ways(0), self._ways(1)

    def _ways(self, seat: int) -> Ways:
        state = self.state
        return Ways(state.agents[seat], state.size, beside, self.holes, self.occupied(seat), plugs=True)

    def occupied(self, seat: int) -> set[Cell]:
        """Return the cells that an agent does not try to enter.

        These are the cells of the other agents. If the agent's last plan failed, the plan's target may be
        added, at random.

        Args:
            seat: The agent's number.
        """
        state = self.state._replace(agent=seat)
        occupied = {cell for cell in state.agents if cell != state.cell}
        if (plan := state.plans[seat]) != state.actions[seat] and self._luck(seat) < YIELD:
            occupied.add(state.target(plan))
        return occupied

    def _luck(self, seat: int) -> float:
        """Return a random number from 0 to 1 for this step and agent. It is the same in all processes of a
        team.
        """
        return Random(f"{self._seed} {self.state.step} {seat}").random()

    def dig_times(self, cell: Cell, team: int) -> tuple[int, int]:
        """Return how many steps the samurai of `team` needs to dig in a cell, and how many the other samurai
        needs.
        """
        return self.ways[team].dig_time(cell), self.ways[1 - team].dig_time(cell)

    def aim(self, seat: int) -> Aim:
        """Return the intention of samurai `seat` in this step."""
        treasure = self._next_treasure(seat)
        if treasure is None:
            ways, state = self.ways[seat], self.state
            dog = state.agents[seat + 2]
            barrier = self._barrier(dog)
            stand = ways.stand(barrier or dog)
            time = ways.time(stand)
            if barrier and not time:
                return self._step(seat, barrier)
            if time == FAR or time <= (0 if barrier else 1):
                return Aim(STAY, state.agents[seat])
            return self._step(seat, ways.path(stand)[0])
        ways, state = self.ways[seat], self.state._replace(agent=seat)
        stand = ways.stand(treasure)
        if stand != state.cell:
            return self._step(seat, ways.path(stand)[0], treasure)
        if treasure in state.agents:
            return Aim(STAY, state.cell, treasure)
        return Aim(state.dig(treasure), treasure, treasure)

    def _step(self, seat: int, cell: Cell, treasure: Cell | None = None) -> Aim:
        """Return the aim of a samurai that enters a neighbouring cell, or plugs the hole there first.

        Args:
            seat: The samurai.
            cell: The neighbouring cell.
            treasure: The cell of the treasure that the samurai is going to dig, or None.
        """
        state = self.state._replace(agent=seat)
        return Aim(state.plug(cell) if cell in self.holes else state.move(cell), cell, treasure)

    # Treasure

    def _next_treasure(self, seat: int) -> Cell | None:
        """Return the cell of the first treasure on a samurai's best route, or None if it can reach no
        treasure.
        """
        ways, left = self.ways[seat], self.state.steps - self.state.step
        prospects = self._prospects(seat)
        times = {cell: ways.dig_time(cell) + each.delay for cell, each in prospects.items()}
        within = [cell for cell, time in times.items() if time <= left]
        best = sorted(within, key=lambda cell: -prospects[cell].worth(times[cell]))[:MOST]
        onward = {
            cell: Ways(ways.stand(cell), self.state.size, beside, self.holes, (), plugs=True) for cell in best
        }

        def value(cell: Cell, time: int, others: Iterable[Cell], depth: int) -> float:
            """Return the value of digging in a cell after `time` steps, and then following the best route
            from there.

            Args:
                others: Cells that the route may go to.
                depth: Number of treasures in the route, the one in this cell included.
            """
            found, rest = 0.0, [each for each in others if each != cell]
            for each in rest if depth > 1 else ():
                after = time + onward[cell].dig_time(each) + prospects[each].delay
                if after <= left:
                    found = max(found, value(each, after, rest, depth - 1))
            return prospects[cell].worth(time) + found

        return max(best, key=lambda cell: value(cell, times[cell], best, DEPTH), default=None)

    def _prospects(self, seat: int) -> dict[Cell, Prospect]:
        """Return the known treasures that a samurai may dig, by cell.

        While hidden treasure is left, treasure on which an agent of the other team stays is left out.
        """
        state, rival = self.state, self.ways[1 - seat]
        found = {}
        for cell, amount in self.known.items():
            share, delay = 1.0, 0
            if cell in state.agents and (who := state.agents.index(cell)) not in (seat, seat + 2):
                share = GUARDED if state.actions[who] == STAY and state.step else PASSING
                delay = DELAY
            if share != GUARDED or self.hidden <= 0:
                found[cell] = Prospect(amount * share, rival.dig_time(cell), delay)
        return found

    # Without treasure

    def _barrier(self, dog: Cell) -> Cell | None:
        """Return the first hole on the dog's shortest path to the nearest cell that the team has not
        searched.

        Return None if no hole is on the path, if all cells were searched, or if no treasure is hidden.
        """
        if self.hidden <= 0:
            return None
        ways = Ways(dog, self.state.size, around, self.holes, (), plugs=True)
        unseen = [cell for cell in ways.times if cell not in self.seen]
        if not unseen:
            return None
        return next((cell for cell in ways.path(min(unseen, key=ways.time)) if cell in self.holes), None)
