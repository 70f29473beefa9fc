r"""Writing an agent of Dig Here: the conversation around a function that makes a plan.

The function takes a `State`, all that the agent is told before a step, and returns a plan: -1 to stay, 0 to 7
to move, 8 to 15 to dig, 16 to 23 to plug. A samurai and a dog are two processes of the same program;
`state.is_dog` says which one this is.

>>> def greedy(state):
...     dug = [plan for plan in state.operable() if state.target(plan) in state.treasure and plan >= 8]
...     return dug[0] if dug else STAY
>>> agent = Agent(greedy)
>>> question = b"0\n6\n0\n100\n0\n1 3 1 8\n0\n3 2 5 5 0 0 5 0\n-1 -1 -1 -1\n-1 -1 -1 -1\n0 0\n8\n10000\n"
>>> [agent.answer(line) for line in question.splitlines()][-1]
b'12\n'

`Agent(greedy).run()` then talks to whoever started the program.
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
"""Of a question: "Game State Information" in the rules of 2019."""


class State(NamedTuple):
    """The input of an agent before a step.

    agent    which one it is: 0 and 1 are samurai, 2 and 3 the dogs of their teams.
    size     cells on a side; step from 0 of steps.
    holes, known   where holes are; the treasures that all know of.
    sensed   the hidden treasures beside a dog, () for a samurai.
    agents   where the four are; plans of their last step, and actions: what became of them.
    scores   of teams 0 and 1; buried: all treasure that is left, hidden included.
    left     ms of think time, before this step.
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
        """Where the agent is."""
        return self.agents[self.agent]

    @property
    def treasure(self) -> dict[Cell, int]:
        """The amounts that are known to be in a cell, to all or to this dog."""
        return {each.cell: each.amount for each in (*self.known, *self.sensed)}

    def target(self, plan: int) -> Cell:
        """The cell that a plan of the agent is about; its own for -1."""
        return target(self.cell, plan)

    def operable(self) -> list[int]:
        """The plans that can be carried out, if no other agent comes between; -1 is the first."""
        return [plan for plan in range(STAY, PLANS) if self.is_operable(plan)]

    def is_operable(self, plan: int) -> bool:
        """Whether it is the agent's kind of plan, and possible as things stand."""
        if plan == STAY or not is_valid(self.agent, plan):
            return plan == STAY
        cell = self.target(plan)
        if cell in self.agents or not (0 <= cell.x < self.size and 0 <= cell.y < self.size):
            return False
        return (cell in self.holes) == (plan >= FIRST_PLUG)

    def move(self, cell: Cell) -> int:
        """The plan to move to a cell beside the agent. Raises ValueError for any other cell."""
        return DIRECTIONS.index((cell.x - self.cell.x, cell.y - self.cell.y))

    def dig(self, cell: Cell) -> int:
        """The plan to dig in a cell beside the agent. Raises ValueError for any other cell."""
        return FIRST_DIG + self.move(cell)

    def plug(self, cell: Cell) -> int:
        """The plan to plug the hole in a cell beside the agent. Raises ValueError for any other cell."""
        return FIRST_PLUG + self.move(cell)


Think: TypeAlias = Callable[[State], int]


class Agent(Session):
    """A program that plays by `think`. A plan that it fails to make is -1, and told on standard error."""

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
        return b"%d\n" % self._plan(state), False

    def _plan(self, state: State) -> int:
        try:
            return int(self.think(state))
        except Exception:  # noqa: BLE001  a bug in one step must not cost all the others
            sys.stderr.write(f"no plan in step {state.step}: {current_traceback()}")
            return STAY


def read_state(lines: Sequence[bytes]) -> State:
    """The state that the lines of a question tell. Raises ValueError, naming the line."""
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
    """How many numbers a list has to have that says how many items of `width` numbers are in it."""
    return 1 + width * (rows[index][0] if rows[index] else 0)


def _cells(numbers: Sequence[int]) -> tuple[Cell, ...]:
    return tuple(map(Cell, numbers[::2], numbers[1::2]))


def _treasures(numbers: Sequence[int]) -> tuple[Treasure, ...]:
    return tuple(map(Treasure, numbers[::3], numbers[1::3], numbers[2::3]))
