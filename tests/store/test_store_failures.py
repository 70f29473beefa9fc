"""Whatever is wrong with a database is said in one line, and blamed on whom it is to be blamed on."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from store_games import make_record, make_spec

from gyoji.core.faults import ConfigError
from gyoji.store.game_texts import Finished
from gyoji.store.layout import StoreFailure, checksum
from gyoji.store.store import Store


@pytest.fixture
def path(tmp_path):
    return tmp_path / "event.db"


def fill(path, count=200):
    with Store.open(path, "event", create=True) as store:
        store.append_many([Finished.of(make_spec(n), make_record(n)) for n in range(count)])


def change(path, *statements):
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def foreign(path):
    change(path, "CREATE TABLE songs (name TEXT)")


def of_another_program(path):
    change(path, "CREATE TABLE songs (name TEXT)", "PRAGMA application_id = 77")


def newer(path):
    fill(path)
    change(path, "PRAGMA user_version = 99")


def older(path):
    fill(path)
    change(path, "PRAGMA user_version = 6")


def cut_short(path):
    fill(path)
    os.truncate(path, path.stat().st_size // 2)


def with_broken_root(path):
    fill(path)
    content = bytearray(path.read_bytes())
    content[100:4096] = b"\xff" * 3996
    path.write_bytes(content)


def without_moves(path):
    fill(path)
    change(path, "DELETE FROM moves WHERE number > 100")


def of_another_competition(path):
    Store.open(path, "other", create=True).close()


def a_folder(path):
    path.mkdir()


def a_fifo(path):
    os.mkfifo(path)


def a_fifo_for_a_journal(path):
    fill(path)
    os.mkfifo(f"{path}-journal")


def without_the_last_byte(path):
    fill(path)
    os.truncate(path, path.stat().st_size - 1)


DAMAGES = [
    (lambda path: path.write_bytes(b"hello, world, " * 50), "is not a database of gyoji"),
    (foreign, "is a database of another program"),
    (of_another_program, "is a database of another program"),
    (newer, "is of a newer gyoji (layout 99, this one knows 7)"),
    (older, "has layout 6, which no release of gyoji wrote: begin anew with `gyoji reset`, or go on"),
    (cut_short, "is damaged"),
    (with_broken_root, "is damaged"),
    (without_moves, "is damaged"),
    (of_another_competition, "holds the results of competition 'other', not of 'event'"),
    (a_folder, "is a folder"),
    (a_fifo, "is no plain file, where a database is expected"),
    (a_fifo_for_a_journal, "is no plain file, where a database is expected"),
    (without_the_last_byte, "bytes, and should have"),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGES)
def test_a_database_that_cannot_be_used_is_named_in_one_line_and_left_alone(path, damage, message):
    damage(path)
    before = path.read_bytes() if path.is_file() else b""
    for opening in (
        lambda: Store.open(path, "event", create=True),
        lambda: Store.open(path, "event"),
        lambda: Store.read(path, competition="event"),
    ):
        with pytest.raises(ConfigError) as caught:
            opening()
        text = str(caught.value)
        assert message in text
        assert str(path) in text
        assert "\n" not in text
    if path.is_file():
        assert path.read_bytes() == before


@pytest.mark.parametrize("opening", [lambda path: Store.open(path, "event"), Store.read])
def test_no_database_means_no_results(path, opening):
    with pytest.raises(ConfigError, match="no results yet"):
        opening(path)
    path.touch()
    with pytest.raises(ConfigError, match="no results yet"):
        opening(path)


def test_an_empty_file_becomes_a_database(path):
    path.touch()
    fill(path, 1)
    with Store.read(path) as store:
        assert store.count == 1


def test_damage_further_inside_is_noticed_when_it_is_read(path):
    fill(path)
    change(path, "UPDATE games SET result = '{}' WHERE number = 150", "DELETE FROM texts WHERE number = 1")
    with Store.open(path, "event") as store:
        with pytest.raises(ConfigError, match=r"is damaged.*row 150 of games"):
            list(store.results())
        with pytest.raises(ConfigError, match=r"is damaged.*text 1 is missing"):
            store.record("0_1")


@pytest.mark.parametrize("text", ["{}", "", "{", "{old},{old}", '"\\ud800"'])
def test_results_before_one_that_cannot_be_read_are_read(path, text):
    """A chunk of results is read at once: one of them that is none hides no other, and is named."""
    fill(path)
    with closing(sqlite3.connect(path)) as connection:
        (*cells, old) = connection.execute(
            "SELECT number, id, frame, players, result FROM games WHERE number = 3"
        ).fetchone()
        text = text.replace("{old}", old)
        connection.execute(
            "UPDATE games SET result = ?, checksum = ? WHERE number = 3", (text, checksum(*cells, text))
        )
        connection.commit()
    with Store.open(path, "event") as store:
        results = store.results()
        assert [next(results).id for _ in range(2)] == ["0_0", "0_1"]
        with pytest.raises(ConfigError, match=r"is damaged.*row 3 of games"):
            next(results)


def test_damaged_pages_are_noticed_when_they_are_read(path):
    fill(path, 2000)
    content = bytearray(path.read_bytes())
    for page in range(10, len(content) // 4096 - 3):
        content[page * 4096 : page * 4096 + 600] = b"\xff" * 600
    path.write_bytes(content)
    with pytest.raises(ConfigError, match="is damaged"), Store.open(path, "event") as store:
        list(store.results())


def test_a_full_disk_stores_nothing_of_a_batch_and_the_batch_can_be_tried_again(path):
    games = [Finished.of(make_spec(n), make_record(n, turns=300)) for n in range(40)]
    with Store.open(path, "event", create=True) as store:
        store.append_many(games[:2])
        pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count = {pages + 3}")
        for _ in range(2):
            with pytest.raises(StoreFailure, match="the disk is full"):
                store.append_many(games)
        assert store.count == 2
        store._connection.execute("PRAGMA max_page_count = 100000")
        assert len(store.append_many(games)) == 38
        assert store.record("0_39") == (games[39].spec, make_record(39, turns=300))


def test_a_database_that_somebody_deletes_is_missed_at_the_next_game(path):
    with Store.open(path, "event", create=True) as store:
        path.unlink()
        with pytest.raises(StoreFailure, match="is gone"):
            store.append(make_spec(1), make_record(1))
        path.touch()
        with pytest.raises(StoreFailure, match="is gone"):
            store.append(make_spec(1), make_record(1))


def run_as_nobody(code, *words):
    """Run Python code as somebody who may not write: root may write everywhere."""
    command = [sys.executable, "-c", PRELUDE + code, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


PRELUDE = """
import os, sys
from pathlib import Path
from gyoji.core.faults import ConfigError
from gyoji.store.store import Store
os.chdir("/")
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
"""
READ = """
with Store.read(Path(sys.argv[1])) as store:
    print(store.count, sum(1 for _ in store.results()))
"""
WRITE = """
try:
    Store.open(Path(sys.argv[1]), "event", create=True)
except ConfigError as error:
    print(error)
"""


@pytest.fixture
def public(path):
    """A folder that everybody may read and nobody may write to, and the database's place in it."""
    folder = Path(tempfile.mkdtemp(prefix="gyoji-store-"))
    yield folder / "event.db"
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_folder_that_is_read_only_can_be_read(public):
    fill(public)
    public.parent.chmod(0o555)
    done = run_as_nobody(READ, public)
    assert (done.stdout, done.stderr) == ("200 200\n", "")
    assert sorted(path.name for path in public.parent.iterdir()) == ["event.db"]


def test_a_folder_that_is_read_only_can_be_read_while_a_run_writes(public):
    with Store.open(public, "event", create=True) as store:
        store.append(make_spec(1), make_record(1))
        public.parent.chmod(0o555)
        done = run_as_nobody(READ, public)
        assert (done.stdout, done.stderr) == ("1 1\n", "")
        public.parent.chmod(0o755)


def test_a_log_that_cannot_be_read_is_not_passed_over(public):
    with Store.open(public, "event", create=True) as store:
        store.append(make_spec(1), make_record(1))
        content = Path(f"{public}-wal").read_bytes()
    Path(f"{public}-wal").write_bytes(content)
    public.parent.chmod(0o555)
    done = run_as_nobody(READ, public)
    assert "copy it and" in done.stderr
    assert not done.stdout


@pytest.mark.parametrize("exists", [False, True])
def test_a_folder_that_cannot_be_written_to_is_noticed_at_once(public, exists):
    if exists:
        fill(public, 1)
    public.parent.chmod(0o555)
    done = run_as_nobody(WRITE, public)
    assert str(public) in done.stdout
    assert "cannot be" in done.stdout
    assert not done.stderr


def without(*statements):
    def damage(path):
        change(path, *statements)

    return damage


def with_a_bit_flipped(text):
    """Return one bit of the first place where `text` stands in the file."""

    def damage(path):
        content = bytearray(path.read_bytes())
        content[content.index(text)] ^= 4
        path.write_bytes(content)

    return damage


HARMS = {
    "texts dropped": without("DROP TABLE texts"),
    "voids dropped": without("DROP TABLE voids"),
    "a trigger": without("CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM games; END"),
    "a row in the middle": without(
        "DELETE FROM games WHERE number = 7", "DELETE FROM moves WHERE number = 7"
    ),
    "the last rows": without("DELETE FROM games WHERE number > 190", "DELETE FROM moves WHERE number > 190"),
    "all rows": without("DELETE FROM games", "DELETE FROM moves"),
    "another result": without("UPDATE games SET result = replace(result, '7.5', '8.5')"),
    "another id": without("UPDATE games SET id = '0_999' WHERE number = 3"),
    "another number": without(
        "UPDATE games SET number = 1000 WHERE number = 3",
        "UPDATE games SET number = 3 WHERE number = 4",
        "UPDATE games SET number = 4 WHERE number = 1000",
    ),
    "a bit of a result": with_a_bit_flipped(b'"0_77"'),
    "a bit of a player": with_a_bit_flipped(b"/bin/engine"),
    "half of it": cut_short,
}


@pytest.mark.parametrize("harm", HARMS)
def test_harm_done_to_results_is_noticed_when_they_are_read(path, harm):
    fill(path)
    HARMS[harm](path)
    with pytest.raises(ConfigError, match=r"event\.db is damaged"), Store.read(path) as store:
        [store.record(result.id) for result in store.results()]


@pytest.mark.parametrize("number", [1, 7, 200])
def test_a_result_whose_moves_are_gone_is_not_counted(path, number):
    """The rows of moves are counted where results are read, so that who shows a table learns of it."""
    fill(path)
    change(path, f"DELETE FROM moves WHERE number = {number}")
    message = (
        "row 200 of moves is missing|moves ends with row 199" if number == 200 else f"row {number} of moves"
    )
    with pytest.raises(ConfigError, match=message), Store.read(path) as store:
        list(store.results())
    with Store.read(path, is_doubted=True) as store:  # for `gyoji verify`, which tells of all there is
        assert sum(1 for _ in store.results()) == 200


def test_a_new_result_is_counted_while_another_process_writes(path):
    with Store.open(path, "event", create=True) as store, Store.read(path) as reader:
        for number in range(9):
            store.append(make_spec(number), make_record(number))
            assert [each.id for each in reader.results(skip=number)] == [f"0_{number}"]


def test_a_file_that_lags_behind_its_log_is_read(path):
    """The header that a checkpoint has written counts pages that are in the log alone."""
    with Store.open(path, "event", create=True) as store:
        store.append(make_spec(0), make_record(0))
        store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        before = path.stat().st_size
        store.append_many([Finished.of(make_spec(n), make_record(n)) for n in range(1, 200)])
        assert path.stat().st_size == before
        with Store.read(path) as reader:
            assert reader.count == 200


@pytest.mark.parametrize("harm", HARMS)
def test_harm_done_during_a_run_is_noticed_at_its_end(path, harm):
    with Store.open(path, "event", create=True) as store:
        store.append_many([Finished.of(make_spec(n), make_record(n)) for n in range(200)])
        store.check()
        store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        if harm == "half of it":
            os.truncate(path, path.stat().st_size // 2)
        else:
            HARMS[harm](path)
        with pytest.raises(StoreFailure, match=r"event\.db is damaged"):
            store.check()


def test_a_bit_of_the_moves_that_were_stored_in_this_run_is_noticed_at_its_end(path):
    with Store.open(path, "event", create=True) as store:
        store.append(make_spec(1), make_record(1))
        store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with_a_bit_flipped(b"ein Zug")(path)
        with pytest.raises(StoreFailure, match="row 1 of moves is not as it was written"):
            store.check()


def test_nothing_is_stored_behind_rows_that_are_missing(path):
    with Store.open(path, "event", create=True) as store:
        store.append_many([Finished.of(make_spec(n), make_record(n)) for n in range(9)])
        change(path, "DELETE FROM games WHERE number > 5")
        with pytest.raises(StoreFailure, match="games ends with row 5, and should have 9"):
            store.append(make_spec(10), make_record(10))


def test_somebody_s_own_index_and_view_do_no_harm(path):
    fill(path)
    change(path, "CREATE INDEX mine ON games (result)", "CREATE VIEW yours AS SELECT id FROM games")
    with Store.open(path, "event") as store:
        store.append(make_spec(900), make_record(900))
        store.check()
