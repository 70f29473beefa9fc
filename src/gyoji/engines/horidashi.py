"""Horidashi, a small team for Dig Here: a samurai and a dog that dig together, quick and repeatable.

::

    gyoji-horidashi [--seed N] [--random]

One program plays both agents; which one it is, the first line of each question says. The two have no way to
talk, but they know the same of the field, except for what the dog senses: so the dog can tell what its
samurai is about to do. A step costs a few milliseconds. Chance has a part only where agents stop each other;
it comes from the seed, or else from GYOJI_GAME_TOKEN, so that both agents have the same.

`--random` plays any plan that can be carried out as things stand.
"""

import os
import sys
from random import Random

from gyoji.engines.dighere import Agent, Cell, State
from gyoji.engines.horidashi_dog import Dog
from gyoji.engines.horidashi_paths import around
from gyoji.engines.horidashi_samurai import Scene


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
    seed, is_random = os.environ.get("GYOJI_GAME_TOKEN", ""), False
    words = iter(sys.argv[1:])
    for word in words:
        if word == "--seed":
            seed = next(words, "")
        elif word == "--random":
            is_random = True
        else:
            sys.stderr.write(f"horidashi: no option {word!r}; there are: --seed N, --random\n")
            return 2
    return Agent(Drunk(seed) if is_random else Horidashi(seed)).run()


if __name__ == "__main__":
    raise SystemExit(main())
