"""Installed entry points are found as `importlib.metadata` finds them."""

import sys
from importlib import metadata

import pytest

from gyoji.core.installed import entry_points

KINDS = ("games", "protocols", "formats", "executors", "commands")
GROUPS = tuple(f"gyoji.{each}" for each in KINDS)


def lay_out(folder, info, text, name="Some.thing"):
    """A distribution with these entry points."""
    (folder / info).mkdir(parents=True)
    (folder / info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (folder / info / "entry_points.txt").write_text(text)


def found(groups):
    return sorted((each.group, each.name, each.value, each.where()) for each in entry_points(groups))


def known(groups):
    """Return the entry points as importlib.metadata finds them."""
    return sorted(
        (each.group, each.name, each.value, f"{each.value} of {each.dist.name} {each.dist.version}")
        for group in groups
        for each in metadata.entry_points(group=group)
    )


def test_what_is_installed_here_is_found_as_the_library_finds_it():
    assert ("gyoji.games", "go") in {each[:2] for each in found(GROUPS)}
    assert found(GROUPS) == known(GROUPS)


def test_what_a_file_says_is_read_as_the_library_reads_it(tmp_path, monkeypatch):
    first, second = tmp_path / "first", tmp_path / "second"
    text = "lost = x:y\n[a]\n# b = c:d\n  one=os.path : join [extra, more]\ntwo = json\n\n[b]\nthree = a=b\n"
    lay_out(first, "some_thing-1.0.dist-info", text)
    lay_out(first, "Other.EGG-INFO", "[a]\nfour = sys:path\n", "Other")
    lay_out(second, "Some.Thing-2.0.dist-info", "[a]\nhidden = by:first\n")
    (second / "file-1.0.egg-info").write_text("Name: file\n")
    monkeypatch.setattr(sys, "path", [str(first), str(second), str(tmp_path / "none")])
    assert found(("a", "b")) == known(("a", "b"))
    assert [each[1] for each in found(("a", "b"))] == ["four", "one", "two", "three"]
    loaded = {each.name: each.load() for each in entry_points(["a"])}
    assert loaded == {"one": __import__("os").path.join, "two": __import__("json"), "four": sys.path}


@pytest.mark.parametrize("value", ["os:nowhere", "no_such_module_at_all:x"])
def test_what_is_not_there_cannot_be_loaded(tmp_path, monkeypatch, value):
    lay_out(tmp_path, "some-1.0.dist-info", f"[a]\none = {value}\n")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    (entry,) = entry_points(["a"])
    with pytest.raises((AttributeError, ModuleNotFoundError)):
        entry.load()
