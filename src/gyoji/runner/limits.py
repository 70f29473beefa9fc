"""What an engine uses of memory and disk, looked at while it thinks and when it has answered.

Neither can be told in advance or be waited for, so it is sampled: memory is the private memory of all its
processes, disk the size of the files in its working folder and its own lasting folder.
"""

from gyoji.core.ports import Engine
from gyoji.core.text import format_size
from gyoji.store.trees import tree_size

PERIOD = 50_000_000
"""ns between two looks at an engine that thinks."""

_APART = 10_000_000  # ns at least between two looks at its memory, however fast it answers
_DISK_APART = 500_000_000


class Limits:
    """The limits of one engine. Only for those that have any."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._memory = engine.player.budgets.memory
        self._disk = engine.player.budgets.disk
        self._folders = [each for each in (engine.player.cwd, engine.player.folder) if each]
        self._next = 0
        self._next_disk = 0

    def excess(self, now: int) -> str:
        """What it uses too much of, with figure and limit; "" if nothing, or if it was just looked at."""
        if now < self._next:
            return ""
        self._next = now + _APART
        if self._memory and (used := self._engine.memory()) > self._memory:
            return f"used {format_size(used)} of memory, {format_size(self._memory)} allowed"
        if self._disk and now >= self._next_disk:
            self._next_disk = now + _DISK_APART
            if (used := sum(tree_size(folder, self._disk) for folder in self._folders)) > self._disk:
                return f"has {format_size(used)} of files, {format_size(self._disk)} allowed"
        return ""
