"""Engines that are contained. This imports nothing at once: the launcher is to stay small."""

from typing import Any


def executor() -> Any:
    """The plug-in's entry: a `ContainedExecutor`."""
    from gyoji.executors.contained.engines import ContainedExecutor  # noqa: PLC0415 (see above)

    return ContainedExecutor()
