"""Databases of older layouts are brought to that of today; each competition has a secret, drawn once."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from gyoji.core.faults import ConfigError
from gyoji.core.record import course_digest
from gyoji.store import migrations
from gyoji.store.layout import SCHEMA
from gyoji.store.opening import read_secret
from gyoji.store.store import Store

OLD = Path(__file__).with_name("layout_2")
"""An event as the gyoji before layout 3 left it: half played, and finished from there."""

HALF = ["0_0", "large_0", "0_1"]
ALL = [*HALF, "large_1", "0_2", "0_3"]


@pytest.fixture(params=["half", "finished"])
def old(request, tmp_path):
    return Path(shutil.copy(OLD / f"{request.param}.db", tmp_path / "cup.db"))


def layout(path):
    connection = sqlite3.connect(path)
    (number,) = connection.execute("PRAGMA user_version").fetchone()
    schema = connection.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY name").fetchall()
    connection.close()
    return number, schema


def games_of(store):
    return [store.record(result.id) for result in store.results()]


def test_an_older_database_is_read_and_left_as_it_is(old):
    before = old.read_bytes()
    with Store.read(old, competition="cup") as store:
        found = [result.id for result in store.results()]
        assert found in (HALF, ALL)
        spec, record = store.record("0_1")
    assert (spec.seed, spec.options["board_size"], record.result.turns) == (8283319867467313038, 5, 34)
    assert old.read_bytes() == before


def test_an_older_database_gets_the_layout_of_today_when_it_is_written_to(old, tmp_path):
    with Store.read(old, competition="cup") as store:
        games = games_of(store)
    with Store.open(old, "cup") as store:
        assert games_of(store) == games
        store.check()
    fresh = tmp_path / "fresh.db"
    Store.open(fresh, "cup", create=True).close()
    assert layout(old) == layout(fresh)
    with Store.read(old, competition="cup") as store:
        assert games_of(store) == games


def test_games_of_an_older_database_get_digests(old):
    with Store.read(old, competition="cup") as store:
        games = games_of(store)
    assert all(
        record.result.digest
        == course_digest(spec.options.get("opening"), record.turns, record.result.outcome)
        for spec, record in games
    )
    assert len({record.result.digest for _, record in games}) > 1


def test_a_row_that_is_damaged_is_so_in_the_layout_of_today_too(old):
    Store.open(old, "cup").close()
    change(old, "UPDATE games SET result = replace(result, '\"digest\"', '\"digesf\"') WHERE number = 2")
    change(old, "PRAGMA user_version = 4")
    with Store.open(old, "cup") as store, pytest.raises(ConfigError, match="row 2 of games is not as it was"):
        list(store.results())


def test_a_step_that_fails_leaves_the_old_file_with_all_that_was_in_it(old, monkeypatch):
    before = layout(old)

    def fail(connection):
        migrations._to_3(connection)
        connection.execute("INSERT INTO nowhere VALUES (1)")

    with monkeypatch.context() as patch:
        patch.setattr(migrations, "STEPS", {2: fail})
        with pytest.raises(
            ConfigError, match=r"cup\.db .*could not be brought to layout 6, and is left as it was"
        ):
            Store.open(old, "cup")
    assert layout(old) == before
    with Store.open(old, "cup") as store:
        assert store.count in (len(HALF), len(ALL))


def test_an_older_database_with_rows_missing_is_damaged_and_left_as_it_is(old):
    connection = sqlite3.connect(old)
    connection.execute("DELETE FROM moves WHERE number = 2")
    connection.commit()
    connection.close()
    before = layout(old)
    for opening in (Store.open, Store.read):
        with pytest.raises(ConfigError, match="is damaged"):
            opening(old, competition="cup")
    assert layout(old) == before


def test_there_is_a_step_from_every_layout_since_the_oldest_that_can_be_read():
    assert sorted(migrations.STEPS) == list(range(2, SCHEMA))


def made(path):
    with Store.open(path, "cup", create=True) as store:
        return store.secret


def change(path, *statements):
    connection = sqlite3.connect(path)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def test_a_new_database_draws_a_secret_of_its_own_and_keeps_it(tmp_path):
    drawn = [made(tmp_path / f"{number}.db") for number in range(20)]
    assert len(set(drawn)) == 20
    assert max(drawn).bit_length() > 120
    path = tmp_path / "7.db"
    assert made(path) == read_secret(path) == drawn[7]
    with Store.read(path, competition="cup") as store:
        assert store.secret == drawn[7]


def test_a_database_of_an_older_layout_has_none(tmp_path):
    path = tmp_path / "cup.db"
    made(path)
    change(path, "DELETE FROM about WHERE key = 'secret'", "PRAGMA user_version = 3")
    assert read_secret(path) == 0
    with Store.read(path, competition="cup") as store:
        assert store.secret == 0
    assert made(path) == 0
    assert read_secret(path) == 0


@pytest.mark.parametrize("value", ["", "-1", "12a", "9" * 41, "٣"])
def test_a_secret_that_is_none_is_damage(tmp_path, value):
    path = tmp_path / "cup.db"
    made(path)
    change(path, f"UPDATE about SET value = '{value}' WHERE key = 'secret'")
    for opening in (Store.open, Store.read):
        with pytest.raises(ConfigError, match="about says nothing that could be the secret"):
            opening(path, competition="cup")
    assert read_secret(path) == 0


def test_a_file_that_is_no_database_of_ours_has_none(tmp_path):
    foreign, folder = tmp_path / "foreign.db", tmp_path / "folder.db"
    foreign.write_bytes(b"something else, and long enough for a header of a hundred bytes" * 9)
    folder.mkdir()
    for path in (foreign, folder, tmp_path / "missing.db"):
        assert read_secret(path) == 0
