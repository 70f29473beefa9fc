"""Finding plug-ins by module name: one new file or folder is the whole registration."""

from difflib import get_close_matches
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from gyoji.core.faults import ConfigError
from gyoji.core.text import quote

KINDS = {
    "games": "game",
    "protocols": "protocol",
    "competitions": "competition",
    "records": "record format",
    "executors": "executor",
}


def plugin_names(package: str) -> tuple[str, ...]:
    """The names of the plug-ins of `gyoji.<package>`, sorted. Imports the package, no plug-in."""
    path = import_module(f"gyoji.{package}").__path__
    return tuple(sorted(info.name for info in iter_modules(path) if not info.name.startswith("_")))


def plugin(package: str, name: str) -> ModuleType:
    """The module `gyoji.<package>.<name>`. Raises ConfigError naming what there is."""
    if (loaded := _loaded.get((package, name))) is not None:
        return loaded
    if not name.isidentifier() or name.startswith("_") or name not in plugin_names(package):
        known = plugin_names(package)
        near = get_close_matches(name.lower(), known, n=1, cutoff=0.7)
        hint = f"did you mean {near[0]}? " if near else ""
        raise ConfigError(f"no {KINDS[package]} {quote(name)}; {hint}there are: {', '.join(known)}")
    module = _loaded[package, name] = import_module(f"gyoji.{package}.{name}")
    return module


_loaded: dict[tuple[str, str], ModuleType] = {}
"""Modules do not change once imported: looking one up again, as every game does, costs nothing."""
