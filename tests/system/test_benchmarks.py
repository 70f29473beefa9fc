"""The benchmarks are not timed here, but they can all be begun."""

import importlib
import sys
from pathlib import Path

import pytest
from bench import cluster
from bench.__main__ import main
from bench.compiled import BUILDERS, missing_builders
from bench.watching import Process

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in (ROOT / "bench").rglob("*.py")
    if path.name != "__main__.py" and path.parent.name != "drivers"  # those run inside other programs
)


@pytest.mark.parametrize("name", MODULES)
def test_a_benchmark_finds_all_that_it_uses(name):
    importlib.import_module(name)


def test_a_compiled_benchmark_without_what_compiles_says_what_to_install(monkeypatch, capsys):
    for name in ("hatchling", "setuptools"):
        monkeypatch.setitem(sys.modules, name, None)  # which is how an import finds that there is none
    monkeypatch.setattr(sys, "argv", ["bench", "--compiled"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("-m pip install 'hatchling>=1.27' 'setuptools>=65'")


def test_the_extra_for_developers_has_all_that_compiles(monkeypatch):
    assert missing_builders() == []
    for name in BUILDERS:
        monkeypatch.setitem(sys.modules, name, None)
    assert len(missing_builders()) == len(BUILDERS)


def test_places_that_cannot_be_shared_out_evenly_are_refused_and_not_waited_for(capsys):
    with pytest.raises(SystemExit):
        cluster.main(["--slots", "48", "--hosts", "20", "--games", "1"])
    assert "--slots: expected a multiple of --hosts 20, got 48" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "memory", "descriptors", "cells", "found"),
    [
        ("worker", [30_000] * 400, [11, 10, 11, 13] * 10, [16] * 40, []),
        ("worker", [30_000] * 400, [11] * 30 + [14] * 10, [16] * 40, ["had 11 open descriptors, then 14"]),
        ("worker", [30_000] * 400, [11] * 40, [*range(40)], ["had 34 cells without an engine"]),
        ("worker", [30_000] * 400, [11, 99] * 3, [16] * 6, []),  # hardly ever idle: nothing can be compared
        ("scheduler", [30_000] * 40, [17, 30] * 20, [], []),  # files that are open for a moment
        ("scheduler", [30_000] * 30 + [36_000] * 10, [17] * 40, [], ["grew from 30000 to 36000 KB"]),
    ],
)
def test_a_process_that_needs_more_and_more_is_found(kind, memory, descriptors, cells, found):
    process = Process(kind, 0.0, memory=memory, descriptors=descriptors, cells=cells)
    assert list(process.problems()) == found
