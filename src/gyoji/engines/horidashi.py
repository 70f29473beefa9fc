"""Horidashi, a small team for Dig Here: a samurai and a dog that dig together, quick and repeatable.

::

    gyoji-horidashi [--seed N] [--random]

One program plays both agents; which one it is, the first line of each question says. The two have no way to
talk, but they know the same of the field, except for what the dog senses: so the dog can tell what its
samurai is about to do. A step costs a few milliseconds. Chance has a part only where agents stop each other;
it comes from the seed, or else from GYOJI_GAME_TOKEN, so that both agents have the same.

`--random` plays any plan that can be carried out as things stand.


A dog looks for treasure, barks at what is ours to have, and sits on what is not. It does not go where its
samurai is about to go or to dig.
"""

import os
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from gyoji.engines.dighere import STAY, Agent, Cell, State
from gyoji.engines.horidashi_samurai import FAR, Scene, Ways, around
from gyoji.engines.session import read_options

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


class Horidashi:
    """Either agent."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._seen: set[Cell] = set()  # where our dog would know of treasure
        self._dog = Dog()

    def __call__(self, state: State) -> int:
        """The plan of a step. The steps of a game come one after the other."""
        dog = state.agents[2 + state.agent % 2]
        self._seen.update(around(state.size)[dog], [dog], state.holes, [each.cell for each in state.known])
        scene = Scene(state, self._seen, self._seed)
        return self._dog.plan(scene) if state.is_dog else scene.aim(state.agent).plan


class Drunk:
    """Any plan that can be carried out as things stand, each as likely as the others."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def __call__(self, state: State) -> int:
        return Random(f"{self._seed} {state.step} {state.agent}").choice(state.operable())


def main() -> int:
    """Run as the command line says; the exit status."""
    options = read_options("horidashi", "--seed N", "--random")
    if options is None:
        return 2
    seed = options.get("--seed", os.environ.get("GYOJI_GAME_TOKEN", ""))
    return Agent(Drunk(seed) if "--random" in options else Horidashi(seed)).run()


if __name__ == "__main__":
    raise SystemExit(main())
