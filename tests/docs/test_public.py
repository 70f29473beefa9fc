"""Examples, pages and the example plug-in import only what the page of public modules lists."""

import re
from importlib import import_module
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PAGE = (REPOSITORY / "docs/reference/public.md").read_text()
ROWS = re.findall(r"^\| (`gyoji.*?) \|", PAGE, re.M)
PACKAGES = {name for row in ROWS if "all modules" in row for name in re.findall(r"`([\w.]+)`", row)}
MODULES = {name for row in ROWS for name in re.findall(r"`([\w.]+)`", row)}
IMPORT = re.compile(r"^\s*(?:from (gyoji(?:\.[\w.]+)?) import (\w+)|import (gyoji(?:\.[\w.]+)?)\b)", re.M)
SHOWN = [
    *(REPOSITORY / "examples").rglob("*.py"),
    *(path for path in (REPOSITORY / "docs").rglob("*.md") if "adr" not in path.parts),
]


def is_public(module: str) -> bool:
    return module in MODULES | {"gyoji"} or module.rpartition(".")[0] in PACKAGES


@pytest.mark.parametrize("module", sorted(MODULES))
def test_each_module_of_the_list_is_there_and_says_what_it_is(module):
    assert import_module(module).__doc__


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_what_others_are_shown_to_import_is_public(path):
    tests_of_the_plug_in = "plugins" in path.parts and "tests" in path.parts
    for package, name, whole in IMPORT.findall(path.read_text()):
        module = whole or (f"{package}.{name}" if package in ("gyoji", *PACKAGES) else package)
        if name and not is_public(module):
            module = package
        assert is_public(module) or tests_of_the_plug_in, module
