"""The examples in docstrings run, and every module has a docstring."""

import doctest
from importlib import import_module
from pkgutil import walk_packages

import pytest

import gyoji

MODULES = sorted(
    info.name for info in walk_packages(gyoji.__path__, "gyoji.") if not info.name.endswith("__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run_and_it_says_what_it_is_about(name):
    module = import_module(name)
    assert doctest.testmod(module).failed == 0
    assert (module.__doc__ or "").strip() or not any(
        getattr(value, "__module__", None) == name for value in vars(module).values()
    )
