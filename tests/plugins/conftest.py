"""The plug-ins beside this file, as if they were installed: no file of gyoji's is edited for them."""

from importlib import import_module
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def plugins(monkeypatch):
    """`gyoji.games` and `gyoji.protocols` are searched in the folders here as well."""
    for package in ("games", "protocols"):
        module = import_module(f"gyoji.{package}")
        monkeypatch.setattr(module, "__path__", [*module.__path__, str(HERE / package)])
