r"""Helpers for writing an agent of Dig Here. They hold the conversation with the game manager and call a
function that chooses a plan.

The function takes a `State`, which holds everything that the agent is told before a step, and returns a plan:
-1 to stay, 0 to 7 to move, 8 to 15 to dig, 16 to 23 to plug. A samurai and a dog are two processes of the
same program; `state.is_dog` says which one this is.

>>> def greedy(state):
...     dug = [plan for plan in state.operable() if state.target(plan) in state.treasure and plan >= 8]
...     return dug[0] if dug else STAY
>>> agent = Agent(greedy)
>>> question = b"0\n6\n0\n100\n0\n1 3 1 8\n0\n3 2 5 5 0 0 5 0\n-1 -1 -1 -1\n-1 -1 -1 -1\n0 0\n8\n10000\n"
>>> [agent.answer(line) for line in question.splitlines()][-1]
b'12\n'

`Agent(greedy).run()` talks to the manager that started the program.
"""

import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from gyoji.engines.session import Session, current_traceback
from gyoji.games.dighere.plans import (
    DIRECTIONS,
    FIRST_DIG,
    FIRST_PLUG,
    PLANS,
    SAMURAI,
    STAY,
    Cell,
    Treasure,
    is_valid,
    target,
)

__all__ = ["STAY", "Agent", "Cell", "State", "Think", "Treasure", "read_state"]

LINES = 13
"""Number of lines that an agent is sent before each step ("Game State Information" in the rules of 2019)."""


class State(NamedTuple):
    """Everything that an agent of Dig Here is told before a step.

    Attributes:
        agent: The agent's number: 0 and 1 are the samurai of teams 0 and 1, 2 and 3 their dogs.
        size: Width and height of the field in cells.
        step: Number of the step, from 0.
        steps: Number of steps of the game.
        holes: Cells with a hole.
        known: Treasures that all agents know of.
        sensed: Hidden treasures beside a dog; empty for a samurai.
        agents: Cells of the four agents.
        plans: The plans that the four agents answered in the last step.
        actions: The plan that each agent carried out in that step; -1 if it did nothing.
        scores: Scores of teams 0 and 1.
        buried: Total of all remaining treasure, hidden included.
        left: Remaining think time in ms, before this step.
    """

    agent: int
    size: int
    step: int
    steps: int
    holes: tuple[Cell, ...]
    known: tuple[Treasure, ...]
    sensed: tuple[Treasure, ...]
    agents: tuple[Cell, ...]
    plans: tuple[int, ...]
    actions: tuple[int, ...]
    scores: tuple[int, ...]
    buried: int
    left: int

    @property
    def is_dog(self) -> bool:
        return self.agent not in SAMURAI

    @property
    def cell(self) -> Cell:
        """The agent's own cell."""
        return self.agents[self.agent]

    @property
    def treasure(self) -> dict[Cell, int]:
        """Amounts of treasure that the agent knows of, by cell; for a dog, sensed treasure included."""
        return {each.cell: each.amount for each in (*self.known, *self.sensed)}

    def target(self, plan: int) -> Cell:
        """Return the cell that a plan moves to, digs or plugs. For plan -1, to stay, it is the agent's own
        cell.
        """
        return target(self.cell, plan)

    def operable(self) -> list[int]:
        """Return the plans that the agent can carry out if no other agent interferes, starting with -1."""
        return [plan for plan in range(STAY, PLANS) if self.is_operable(plan)]

    def is_operable(self, plan: int) -> bool:
        """Return whether this agent can carry out a plan now, if no other agent interferes."""
        if plan == STAY or not is_valid(self.agent, plan):
            return plan == STAY
        cell = self.target(plan)
        if cell in self.agents or not (0 <= cell.x < self.size and 0 <= cell.y < self.size):
            return False
        return (cell in self.holes) == (plan >= FIRST_PLUG)

    def move(self, cell: Cell) -> int:
        """Return the plan that moves to a neighbouring cell. Raises ValueError if the cell is no
        neighbour.
        """
        return DIRECTIONS.index((cell.x - self.cell.x, cell.y - self.cell.y))

    def dig(self, cell: Cell) -> int:
        """Return the plan that digs in a neighbouring cell. Raises ValueError if the cell is no neighbour."""
        return FIRST_DIG + self.move(cell)

    def plug(self, cell: Cell) -> int:
        """Return the plan that plugs the hole in a neighbouring cell. Raises ValueError if it is no
        neighbour.
        """
        return FIRST_PLUG + self.move(cell)


Think: TypeAlias = Callable[[State], int]


class Agent(Session):
    """An agent of Dig Here whose plans a function chooses. If the function raises an exception, the plan is
    -1 and the traceback goes to standard error.
    """

    def __init__(self, think: Think) -> None:
        self.think = think
        self._lines: list[bytes] = []

    def _reply(self, line: bytes) -> tuple[bytes, bool]:
        self._lines.append(line)
        if len(self._lines) < LINES:
            return b"", False
        lines, self._lines = self._lines, []
        try:
            state = read_state(lines)
        except ValueError as error:
            sys.stderr.write(f"this is no question of Dig Here: {error}\n")
            return b"", True
        try:
            plan = int(self.think(state))
        except Exception:  # noqa: BLE001  a bug in one step must not cost all the others
            sys.stderr.write(f"no plan in step {state.step}: {current_traceback()}")
            plan = STAY
        return b"%d\n" % plan, False


def read_state(lines: Sequence[bytes]) -> State:
    """Parse the 13 lines that an agent is sent before a step.

    Raises:
        ValueError: A line is malformed. The message names the line.
    """
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            rows.append([int(word) for word in line.split()])
        except ValueError:
            raise ValueError(f"line {number}: expected whole numbers, got {line!r:.80}") from None
    counts = (1, 1, 1, 1, _listed(rows, 4, 2), _listed(rows, 5, 3), _listed(rows, 6, 3), 8, 4, 4, 2, 1, 1)
    for number, (row, count) in enumerate(zip(rows, counts, strict=True), 1):
        if len(row) != count:
            raise ValueError(f"line {number}: expected {count} numbers, got {len(row)}")
    (agent,), (size,), (step,), (steps,), holes, known, sensed, agents, plans, actions, scores = rows[:11]
    return State(
        agent=agent,
        size=size,
        step=step,
        steps=steps,
        holes=_cells(holes[1:]),
        known=_treasures(known[1:]),
        sensed=_treasures(sensed[1:]),
        agents=_cells(agents),
        plans=tuple(plans),
        actions=tuple(actions),
        scores=tuple(scores),
        buried=rows[11][0],
        left=rows[12][0],
    )


def _listed(rows: Sequence[Sequence[int]], index: int, width: int) -> int:
    """Return how many integers a line with a list must have: the number of items, then the items.

    Args:
        rows: The integers of all lines.
        index: Index of the line in `rows`.
        width: Number of integers of each item.
    """
    return 1 + width * (rows[index][0] if rows[index] else 0)


def _cells(numbers: Sequence[int]) -> tuple[Cell, ...]:
    return tuple(map(Cell, numbers[::2], numbers[1::2]))


def _treasures(numbers: Sequence[int]) -> tuple[Treasure, ...]:
    return tuple(map(Treasure, numbers[::3], numbers[1::3], numbers[2::3]))
