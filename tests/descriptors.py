"""The descriptors of this process, whatever the tests before have left open."""

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress


def open_descriptors() -> dict[int, str]:
    """Return the number and the file of each open descriptor, except that of this very question."""
    found = {}
    for number in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):
            found[int(number)] = os.readlink(f"/proc/self/fd/{number}")
    return found


@contextmanager
def none_left_open() -> Iterator[None]:
    """Check that the block leaves no descriptor open. One that was open before may be closed in it."""
    # What is garbage by now would be closed at any moment. Afterwards nothing is collected: a worker, which
    # has no collector, would keep what the block has left.
    gc.collect()
    before = open_descriptors()
    yield
    after = open_descriptors()
    assert after.items() <= before.items(), f"left open: {dict(after.items() - before.items())}"
