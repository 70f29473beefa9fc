"""A database stays whole when other processes open and close it."""

import subprocess
import sys

from store_games import make_record, make_spec

from gyoji.store.game_texts import Finished
from gyoji.store.store import Store

ANOTHER_PROCESS = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("SELECT count(*) FROM games").fetchone()
connection.close()
"""


def test_an_open_store_keeps_its_log_while_other_processes_come_and_go(tmp_path):
    path = tmp_path / "event.db"
    with Store.open(path, "event", create=True):
        pass
    with Store.open(path, "event") as store, Store.read(path, competition="event") as reader:
        store.append_many([Finished.of(make_spec(0), make_record(0))])
        subprocess.run([sys.executable, "-c", ANOTHER_PROCESS, str(path)], check=True)
        # The last process to close a database removes its log. If opening a store lost the locks of this one,
        # the other would be the last, and what is stored from now on would be in no file.
        assert (tmp_path / "event.db-wal").exists()
        store.append_many([Finished.of(make_spec(1), make_record(1))])
        assert len(list(reader.results())) == 2
