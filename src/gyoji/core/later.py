"""Values of modules that are imported when they are first needed, so that an extension is quick to import."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def later(module: str, name: str = "") -> Callable[[], Any]:
    """Return a function that imports a module when it is called.

    Args:
        name: The value of the module to return; "" for the module itself.
    """

    def load() -> Any:
        found = import_module(module)
        return getattr(found, name) if name else found

    return load


def forwarding(module: str, name: str) -> Callable[..., Any]:
    """Return a function that imports a module when it is called, and calls its function or class `name`."""

    def call(*args: Any, **options: Any) -> Any:
        return getattr(import_module(module), name)(*args, **options)

    return call
