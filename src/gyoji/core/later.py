"""Lazy imports: functions that import a module only when they are called, so that extensions load quickly."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def later(module: str, name: str = "") -> Callable[[], Any]:
    """Return a function that imports a module when called, and returns it or one of its values.

    Args:
        name: Name of the module's value to return; "" for the module itself.
    """

    def load() -> Any:
        found = import_module(module)
        return getattr(found, name) if name else found

    return load


def forwarding(module: str, name: str) -> Callable[..., Any]:
    """Return a function that imports a module when called and then calls the module's function or class
    `name`.
    """

    def call(*args: Any, **options: Any) -> Any:
        return getattr(import_module(module), name)(*args, **options)

    return call
