"""Horidashi, a simple team for Dig Here: a samurai and a dog.

::

    gyoji-horidashi [--seed N] [--random]

One program plays both agents; the first line that it is sent says which. A step takes a few milliseconds.
Randomness is used only where agents block each other. It is seeded by --seed or GYOJI_GAME_TOKEN, so that
both agents draw the same numbers. `--random` chooses among the possible plans at random.
"""

# The two agents cannot communicate, but both are sent the same state, except for what the dog senses. So the
# dog can compute its samurai's next plan, and does not go where the samurai is about to go or to dig. The dog
# searches for hidden treasure, shows the samurai treasure that its team can get first, and sits on treasure
# that the other team would get.

import os
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from gyoji.engines.dighere import STAY, Agent, Cell, State
from gyoji.engines.horidashi_samurai import FAR, Scene, Ways, around
from gyoji.engines.session import read_options

PATIENCE = 0.9
"""Discount factor of a goal's value per step."""

TIE = 0.3
"""Value of a hidden treasure that both samurai can reach at the same time, as a share of its amount."""

DENIAL, NEAR = 0.8, 6
"""Value of sitting on a treasure that the other samurai would get, as a share of the treasure's amount; and
the number of steps within which that samurai must be able to dig it.
"""

WAITING = 0.05
"""Value of staying near a treasure that our samurai cannot get yet, as a share of its amount."""

ELSEWHERE = 0.5
"""Factor on the value of searching a cell that is nearer to the other samurai."""

STICKING = 1.5
"""Factor on the value of the last step's goal, so that the dog tends to keep it."""


class Goal(NamedTuple):
    """A cell that the dog may go to or stay in, and the value of that, in units of treasure."""

    cell: Cell
    worth: float


class Dog:
    """The dog, which chooses one plan for each step. It remembers the treasure that it has sensed, and its
    last goal.
    """

    def __init__(self) -> None:
        self._hidden: dict[Cell, int] = {}
        self._goal: Cell | None = None

    def plan(self, scene: Scene) -> int:
        """Return the dog's plan for this step: a step towards its most valuable goal.

        Goals are left out if the step disturbs the samurai of the dog's team.
        """
        state = scene.state
        self._remember(scene)
        ways = Ways(state.cell, state.size, around, scene.holes, scene.occupied(state.agent), plugs=False)
        aim = scene.aim(state.agent - 2)
        is_waited_for = aim.treasure == state.cell and scene.dig_times(state.cell, state.agent - 2)[1] > 2
        sticking = {self._goal: STICKING}
        goals = sorted(self._goals(scene, ways), key=lambda goal: -goal.worth * sticking.get(goal.cell, 1))
        for goal in goals:
            step = next(iter(ways.path(goal.cell)), state.cell)
            if step != aim.cell and not (step == state.cell and is_waited_for):
                self._goal = goal.cell
                return STAY if step == state.cell else state.move(step)
        self._goal = None
        elsewhere = (plan for plan in state.operable() if state.target(plan) not in (state.cell, aim.cell))
        return next(elsewhere, STAY)

    def _remember(self, scene: Scene) -> None:
        """Update the memory of hidden treasure: add treasure sensed now, remove treasure that is dug or known
        to all.
        """
        state = scene.state
        for cell in (*around(state.size, state.cell), *scene.holes, *scene.known):
            self._hidden.pop(cell, None)
        self._hidden |= {each.cell: each.amount for each in state.sensed}

    # Goals

    def _goals(self, scene: Scene, ways: Ways) -> Iterator[Goal]:
        yield Goal(ways.start, 0.0)
        for cell, amount in self._hidden.items():
            ours, theirs = scene.dig_times(cell, scene.state.agent - 2)
            if ours > theirs:
                post = min(ways.near(cell), key=ways.time)
                if (time := ways.time(post)) < FAR:
                    yield Goal(post, WAITING * amount * PATIENCE**time)
            elif (time := ways.time(cell)) < FAR and cell not in scene.state.agents:
                share = 1.0 if ours < theirs else TIE
                yield Goal(cell, share * amount * PATIENCE ** max(time + 1, ours))
        for cell, amount in scene.known.items():
            ours, theirs = scene.dig_times(cell, scene.state.agent - 2)
            is_free = cell == ways.start or cell not in scene.state.agents
            if is_free and theirs <= ours and ways.time(cell) <= theirs < NEAR:
                yield Goal(cell, DENIAL * amount * PATIENCE**theirs)
        unfound = scene.hidden - sum(self._hidden.values())
        if unfound > 0:
            yield from _of_unseen(scene, ways, unfound)


def _of_unseen(scene: Scene, ways: Ways, unfound: int) -> Iterator[Goal]:
    """Yield goals at cells from which the dog would sense cells that were not searched yet.

    Args:
        ways: The dog's paths.
        unfound: Amount of treasure that may be hidden in cells not yet searched.
    """
    state = scene.state
    density = unfound / max(1, state.size**2 - len(scene.seen))
    ours, theirs = scene.ways[state.agent - 2], scene.ways[3 - state.agent]
    for cell, time in ways.times.items():
        gains = [
            1.0 if ours.time(each) <= theirs.time(each) else ELSEWHERE
            for each in ways.near(cell)
            if each not in scene.seen
        ]
        if gains and time:
            yield Goal(cell, sum(gains) * density * PATIENCE**time)


class Horidashi:
    """The function that chooses the plans of one agent, samurai or dog."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._seen: set[Cell] = set()  # where our dog would know of treasure
        self._dog = Dog()

    def __call__(self, state: State) -> int:
        """Return the agent's plan for a step. To be called for all steps of a game in order."""
        dog = state.agents[2 + state.agent % 2]
        self._seen.update(around(state.size, dog), [dog], state.holes, [each.cell for each in state.known])
        scene = Scene(state, self._seen, self._seed)
        return self._dog.plan(scene) if state.is_dog else scene.aim(state.agent).plan


class Drunk:
    """A player that chooses one of the possible plans at random."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def __call__(self, state: State) -> int:
        return Random(f"{self._seed} {state.step} {state.agent}").choice(state.operable())


def main() -> int:
    options = read_options("horidashi", "--seed N", "--random")
    if options is None:
        return 2
    seed = options.get("--seed", os.environ.get("GYOJI_GAME_TOKEN", ""))
    return Agent(Drunk(seed) if "--random" in options else Horidashi(seed)).run()


if __name__ == "__main__":
    raise SystemExit(main())
