"""The executor of contained engines, for all tests of it."""

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
    """A folder that an engine with a user of its own can work in: `tmp_path` is open to root alone."""
    with TemporaryDirectory(dir="/var/tmp") as room:
        Path(room).chmod(0o755)
        for folder in ("place/work", "place/tmp", "place/overlay/upper", "place/overlay/work"):
            Path(room, folder).mkdir(parents=True)
        yield Path(room, "place")
