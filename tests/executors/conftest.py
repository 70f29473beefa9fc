"""Fixtures of all tests of containment."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from gyoji.executors.contained.engines import ContainedExecutor


@pytest.fixture
def executor():
    executor = ContainedExecutor()
    yield executor
    executor.close()


@pytest.fixture
def place():
    """A folder for an engine with a user of its own, who cannot enter `tmp_path`: that is open to root
    alone.
    """
    with TemporaryDirectory(dir="/var/tmp") as room:
        Path(room).chmod(0o755)
        for folder in ("place/work", "place/tmp", "place/overlay/upper", "place/overlay/work"):
            Path(room, folder).mkdir(parents=True)
        yield Path(room, "place")
