"""The executor of contained engines, for all tests of it."""

import pytest

from gyoji.executors.contained.engines import ContainedExecutor


@pytest.fixture
def executor():
    executor = ContainedExecutor()
    yield executor
    executor.close()
