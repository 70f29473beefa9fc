"""A dog of Horidashi: looks for treasure, barks at what is ours to have, sits on what is not.

It does not go where its samurai is about to go or to dig.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gyoji.engines.dighere import STAY, Cell
from gyoji.engines.horidashi_paths import FAR, Ways, around
from gyoji.engines.horidashi_samurai import Scene

PATIENCE = 0.9
"""The part of a goal's worth that is left a step later."""

TIE = 0.3
"""The worth of a hidden treasure to us if both samurai can have it at the same time."""

DENIAL, NEAR = 0.8, 6
"""The worth of sitting on one, and how near the other samurai has to be."""

WAITING = 0.05
"""The worth of staying near one that our samurai cannot have yet."""

ELSEWHERE = 0.5
"""The worth of looking at a cell to which the other samurai is nearer."""

STICKING = 1.5
"""By how much the goal of the last step is better than others."""


class Goal(NamedTuple):
    """A cell to go to, or to stay in, and what that is worth."""

    cell: Cell
    worth: float


class Dog:
    """A dog, which remembers what it has sensed, and where it was going."""

    def __init__(self) -> None:
        self._hidden: dict[Cell, int] = {}
        self._goal: Cell | None = None

    def plan(self, scene: Scene) -> int:
        """The dog's next plan. scene: of its state."""
        state = scene.state
        self._remember(scene)
        ways = Ways(state.cell, around(state.size), scene.holes, scene.occupied(state.agent), plugs=False)
        aim = scene.aim(state.agent - 2)
        is_waited_for = aim.treasure == state.cell and scene.dig_times(state.cell, state.agent - 2)[1] > 2
        goals = sorted(self._goals(scene, ways), key=self._rank)
        for goal in goals:
            step = next(iter(ways.path(goal.cell)), state.cell)
            if step != aim.cell and not (step == state.cell and is_waited_for):
                self._goal = goal.cell
                return STAY if step == state.cell else state.move(step)
        self._goal = None
        elsewhere = (plan for plan in state.operable() if state.target(plan) not in (state.cell, aim.cell))
        return next(elsewhere, STAY)

    def _rank(self, goal: Goal) -> float:
        return -goal.worth * (STICKING if goal.cell == self._goal else 1)

    def _remember(self, scene: Scene) -> None:
        """The treasure that it senses now, without what is gone or no secret any more."""
        state = scene.state
        for cell in (*around(state.size)[state.cell], *scene.holes, *scene.known):
            self._hidden.pop(cell, None)
        self._hidden |= {each.cell: each.amount for each in state.sensed}

    # Goals

    def _goals(self, scene: Scene, ways: Ways) -> Iterator[Goal]:
        yield Goal(ways.start, 0.0)
        yield from self._of_hidden(scene, ways)
        yield from _of_known(scene, ways)
        unfound = scene.hidden - sum(self._hidden.values())
        if unfound > 0:
            yield from _of_unseen(scene, ways, unfound)

    def _of_hidden(self, scene: Scene, ways: Ways) -> Iterator[Goal]:
        """To bark at what it has sensed; to stay beside it until our samurai is nearer than the other one."""
        for cell, amount in self._hidden.items():
            ours, theirs = scene.dig_times(cell, scene.state.agent - 2)
            if ours > theirs:
                post = min(ways.near[cell], key=ways.time)
                if (time := ways.time(post)) < FAR:
                    yield Goal(post, WAITING * amount * PATIENCE**time)
            elif (time := ways.time(cell)) < FAR and cell not in scene.state.agents:
                share = 1.0 if ours < theirs else TIE
                yield Goal(cell, share * amount * PATIENCE ** max(time + 1, ours))


def _of_known(scene: Scene, ways: Ways) -> Iterator[Goal]:
    """To sit on what the other samurai would have before ours."""
    for cell, amount in scene.known.items():
        ours, theirs = scene.dig_times(cell, scene.state.agent - 2)
        is_free = cell == ways.start or cell not in scene.state.agents
        if is_free and theirs <= ours and ways.time(cell) <= theirs < NEAR:
            yield Goal(cell, DENIAL * amount * PATIENCE**theirs)


def _of_unseen(scene: Scene, ways: Ways, unfound: int) -> Iterator[Goal]:
    """To cells beside which nobody of us has been. unfound: the treasure that may be there."""
    state = scene.state
    density = unfound / max(1, state.size**2 - len(scene.seen))
    ours, theirs = scene.ways[state.agent - 2], scene.ways[3 - state.agent]
    for cell, time in ways.times.items():
        gains = [
            1.0 if ours.time(each) <= theirs.time(each) else ELSEWHERE
            for each in ways.near[cell]
            if each not in scene.seen
        ]
        if gains and time:
            yield Goal(cell, sum(gains) * density * PATIENCE**time)
