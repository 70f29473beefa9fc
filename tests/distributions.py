"""Distributions of plug-ins that exist only in tests, found as if they were installed."""

from functools import cache
from importlib import invalidate_caches
from textwrap import dedent

from gyoji.core import plugins
from gyoji.core.plugins import EXECUTORS, FORMATS, GAMES, PROTOCOLS

REGISTRIES = {each.group: each for each in (GAMES, PROTOCOLS, FORMATS, EXECUTORS)}


def lay_out(folder, modules=(), entries=(), *, name="plug-ins-of-tests"):
    """Return a distribution in a folder for `sys.path`: its modules by name, and (group, name, object) of
    entries.

    Returns the folder.
    """
    for module, source in dict(modules).items():
        (folder / f"{module}.py").write_text(dedent(source))
    info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    groups = {}
    for group, entry, value in entries:
        groups.setdefault(group, []).append(f"{entry} = {value}\n")
    lines = [f"[{group}]\n{''.join(members)}" for group, members in groups.items()]
    (info / "entry_points.txt").write_text("\n".join(lines))
    return folder


def look_again(monkeypatch):
    """What is found from now on, and what is loaded, is forgotten when the test is over."""
    invalidate_caches()
    monkeypatch.setattr(plugins, "_installed", cache(plugins._installed.__wrapped__))
    for registry in REGISTRIES.values():
        monkeypatch.setattr(registry, "_entries", {})
        monkeypatch.setattr(registry, "_loaded", {})
