"""The benchmarks are not timed here, but they can all be begun."""

import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in (ROOT / "bench").rglob("*.py")
    if path.name != "__main__.py" and path.parent.name != "drivers"  # those run inside other programs
)


@pytest.mark.parametrize("name", MODULES)
def test_a_benchmark_finds_all_that_it_uses(name):
    importlib.import_module(name)
