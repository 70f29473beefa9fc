"""The executor of contained engines, by its name in control files. Its parts are imported when it starts."""

from gyoji.core.plugins import Executor
from gyoji.core.ports import EngineStarter


def _open() -> EngineStarter:
    from gyoji.executors.contained.engines import ContainedExecutor  # noqa: PLC0415

    return ContainedExecutor()


EXECUTOR = Executor(name="contained", open=_open)
