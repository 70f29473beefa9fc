"""The extension object for the executor `contained`. The modules that start engines are imported on use."""

from gyoji.core.plugins import Executor
from gyoji.core.ports import EngineStarter


def _open() -> EngineStarter:
    from gyoji.executors.contained.engines import ContainedExecutor  # noqa: PLC0415

    return ContainedExecutor()


EXECUTOR = Executor(name="contained", open=_open)
