"""What every run needs, and a short way to run."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from fakes import Diary, InstantPool, make_setup

from gyoji.scheduler.run import RunOptions, run
from gyoji.store.files import CompetitionFiles
from gyoji.store.store import Store


@pytest.fixture(autouse=True)
def no_terminal(monkeypatch):
    """The terminal that the tests were started from is left alone."""
    monkeypatch.setattr("gyoji.scheduler.control.TERMINAL", "/dev/null/none")


@pytest.fixture
def files(tmp_path):
    """In memory where that is possible: a disk that takes its time would be most of these tests."""
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(dir=memory)) if os.access(memory, os.W_OK) else tmp_path
    yield CompetitionFiles(folder / "event.toml")
    shutil.rmtree(folder)


@pytest.fixture
def start(files):
    """Run a competition in `files`; the end, and what the listener heard."""

    def start(competition, pool=None, *, diary=None, setup=None, reload=None, **options):
        diary, pool = diary or Diary(), pool or InstantPool()
        if options.get("parallel"):
            pool.resize(options["parallel"])
        with Store.open(files.database, "event", create=True) as store:
            end = run(
                setup or make_setup(),
                competition,
                store,
                files,
                pool,
                options=RunOptions(**options),
                listener=diary,
                reload=reload,
            )
        return end, diary

    return start
