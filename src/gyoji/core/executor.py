"""A way to start engines as an extension, in one frozen object.

A distribution registers the object under the entry point group `gyoji.executors`, by the executor's name.
"""

from collections.abc import Callable
from dataclasses import dataclass

from gyoji.core.ports import EngineStarter


@dataclass(frozen=True, slots=True, kw_only=True)
class Executor:
    """A way to start engines.

    name   as control files name it; that of its entry point.
    open   what starts the engines of one worker, which closes it at its end.
    """

    name: str
    open: Callable[[], EngineStarter]
