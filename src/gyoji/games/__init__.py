"""The games that come with gyoji, a package each."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def later(module: str, name: str = "") -> Callable[[], Any]:
    """Return a function that imports a module when it is called, so that a game's object is quick to import.

    Args:
        name: The value of the module to return; "" for the module itself.
    """

    def load() -> Any:
        found = import_module(f"{__name__}.{module}")
        return getattr(found, name) if name else found

    return load


def forwarding(module: str, name: str) -> Callable[..., Any]:
    """Return a function that imports a module when it is called, and calls its function `name`."""

    def call(*args: Any, **options: Any) -> Any:
        return later(module, name)()(*args, **options)

    return call
