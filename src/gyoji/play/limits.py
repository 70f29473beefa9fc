"""Memory and disk that an engine uses, looked at while it thinks and when it has answered.

Neither can be told in advance or be waited for, so it is sampled, so often that the looks take no more than
a small part of the time. Memory is that of all its processes, what they share and files that are memory
included. Disk is the files in its working folder, in the place that is its own for the game, and in its
lasting folder, and those without a name that it has open.
"""

from time import monotonic_ns

from gyoji.core.ports import Engine
from gyoji.core.text import format_size
from gyoji.store.filesystem import tree_size

PERIOD = 50_000_000
"""ns between two looks at an engine that thinks."""

_APART = 10_000_000  # ns at least between two looks, however fast it answers
_PART = 50  # of the time, one in so many is for looking


class Limits:
    """The limits of one engine. Only for those that have any."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._memory = engine.player.budgets.memory
        self._disk = engine.player.budgets.disk
        place, others = engine.place, (engine.player.cwd, engine.player.folder)
        outside = [each for each in others if each and not (place and each.startswith(f"{place}/work"))]
        self._folders = list(dict.fromkeys(filter(None, (place, *outside))))
        self._next_memory = 0
        self._next_disk = 0

    def excess(self, now: int, *, at_once: bool = False) -> str:
        """The resource that it uses too much of, with figure and limit; "" if none, or if just looked at.

        at_once: however short the last look is ago.
        """
        excess = ""
        if self._memory and (at_once or now >= self._next_memory):
            began, used = monotonic_ns(), self._engine.memory(self._memory)
            shortage = self._engine.shortage()
            self._next_memory = _next(began)
            if used > self._memory:
                excess = f"used {format_size(used)} of memory, {format_size(self._memory)} allowed"
            elif shortage is not None and shortage.own:  # it is less again, without a process that was ended
                excess = shortage.text
        if self._disk and not excess and (at_once or now >= self._next_disk):
            began, used = monotonic_ns(), self._used_disk()
            self._next_disk = _next(began)
            if used > self._disk:
                excess = f"has {format_size(used)} of files, {format_size(self._disk)} allowed"
        return excess

    def _used_disk(self) -> int:
        used = self._engine.unlinked()
        for folder in self._folders:
            used += tree_size(folder, self._disk - used)
        return used


def _next(began: int) -> int:
    """When to look again after a look that began then and is over now."""
    now = monotonic_ns()
    return now + max(_APART, (now - began) * _PART)
