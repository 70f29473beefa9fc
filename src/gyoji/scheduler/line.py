"""Games that are to be started, in a line: which of them may start now, by what they need and what is free.

The game that was issued first goes first. While it has to wait, because something it needs is in use, later
ones may overtake it: freely if they leave it what it needs, and PATIENCE times if they do not. So nothing
stands idle for long, and nobody waits for ever: once the patience of the first is at its end, what it needs
can only become free. Pure.
"""

from collections.abc import Mapping
from heapq import heappop, heappush
from typing import TypeAlias

from gyoji.core.faults import ConfigError
from gyoji.core.spec import GameSpec

THREADS = "threads"
"""The resource that every game needs, where it is counted: processors."""

PATIENCE = 8
"""How often the first in the line lets pass games that take what it waits for."""

Needs: TypeAlias = tuple[int, ...]
"""How much a game needs of each resource of a line, in its order."""


class Misfit(ConfigError):
    """A game needs more than there is."""


class Line:
    """The games that wait, and what those in progress have. there_is: how much of each resource, in all."""

    def __init__(self, there_is: Mapping[str, int]) -> None:
        self._there_is = dict(there_is)
        self._free = list(self._there_is.values())
        self._playing: dict[str, GameSpec] = {}
        self._waiting: dict[Needs, list[tuple[int, GameSpec]]] = {}  # heaps, by number
        self._length = 0
        self._first = -1  # the number of the game whose patience is tried
        self._passed = 0  # how often it has let others pass at its cost

    def __len__(self) -> int:
        """How many games wait."""
        return self._length

    def put(self, number: int, spec: GameSpec) -> None:
        """A game joins the line; number: its place in the order of issue. Raises `Misfit`."""
        needs = self._needs(spec)
        for need, (name, total) in zip(needs, self._there_is.items(), strict=True):
            if need > total:
                raise Misfit(f"game {spec.id} needs {need} {name}, and there is only {total}")
        heappush(self._waiting.setdefault(needs, []), (number, spec))
        self._length += 1

    def take(self) -> GameSpec | None:
        """The game to start now, if one may. What it needs is in use until it is released."""
        heads = sorted((heap[0][0], needs) for needs, heap in self._waiting.items())
        for number, needs in heads:
            fits = all(need <= free for need, free in zip(needs, self._free, strict=True))
            if fits and (number == heads[0][0] or self._lets_pass(*heads[0], needs)):
                return self._start(needs)
        return None

    def _lets_pass(self, first: int, wants: Needs, needs: Needs) -> bool:
        """Whether the first in the line lets pass a game that could start."""
        if self._first != first:
            self._first, self._passed = first, 0
        rests = zip(needs, wants, self._free, strict=True)
        if all(not need or not want or free - need >= want for need, want, free in rests):
            return True
        self._passed += 1
        return self._passed <= PATIENCE

    def _start(self, needs: Needs) -> GameSpec:
        heap = self._waiting[needs]
        _, spec = heappop(heap)
        if not heap:
            del self._waiting[needs]
        self._length -= 1
        self._playing[spec.id] = spec
        self._free = [free - need for free, need in zip(self._free, needs, strict=True)]
        return spec

    def release(self, game_id: str) -> None:
        """A game is over."""
        needs = self._needs(self._playing.pop(game_id))
        self._free = [free + need for free, need in zip(self._free, needs, strict=True)]

    def clear(self) -> list[GameSpec]:
        """Send away all games that wait; which they were."""
        sent = [spec for heap in self._waiting.values() for _, spec in heap]
        self._waiting, self._length = {}, 0
        return sent

    def provide(self, there_is: Mapping[str, int]) -> None:
        """From now on there is so much. Games in progress keep what they have. Raises `Misfit`."""
        waiting = [each for heap in self._waiting.values() for each in heap]
        self.clear()
        self._there_is = dict(there_is)
        used = [self._needs(spec) for spec in self._playing.values()]
        self._free = [total - sum(uses) for total, *uses in zip(there_is.values(), *used, strict=True)]
        for number, spec in waiting:
            self.put(number, spec)

    @property
    def free(self) -> dict[str, int]:
        """What is not in use, by resource. Negative while games in progress have more than there is."""
        return dict(zip(self._there_is, self._free, strict=True))

    def _needs(self, spec: GameSpec) -> Needs:
        return tuple([self._need(name, spec) for name in self._there_is])

    def _need(self, name: str, spec: GameSpec) -> int:
        if name == THREADS:  # a game that could use more than there are is played alone
            return min(threads_of(spec), self._there_is[THREADS])
        everybody = (*spec.players, spec.scoring_player) if spec.asks_scoring_player else spec.players
        return sum(player.resources.get(name, 0) for player in everybody if player)


def threads_of(spec: GameSpec) -> int:
    """How many threads compute at the same time in a game, at most.

    Two players think one after the other; more of them, who move at once, together unless asked in turn.
    """
    threads = [player.threads for player in spec.players]
    return sum(threads) if len(threads) > 2 and spec.asking == "together" else max(threads)
