"""What every run needs, and a short way to run."""

import pytest
from fakes import Diary, InstantPool, make_setup

from gyoji.scheduler.run import RunOptions, run
from gyoji.store.files import CompetitionFiles
from gyoji.store.store import Store


@pytest.fixture
def files(tmp_path):
    return CompetitionFiles(tmp_path / "event.toml")


@pytest.fixture
def start(files):
    """Run a competition in `files`; the end, and what the listener heard."""

    def start(competition, pool=None, *, diary=None, setup=None, **options):
        diary = diary or Diary()
        with Store.open(files.database, "event", create=True) as store:
            end = run(
                setup or make_setup(),
                competition,
                store,
                files,
                pool or InstantPool(),
                options=RunOptions(**options),
                listener=diary,
            )
        return end, diary

    return start
