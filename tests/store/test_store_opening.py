"""Each competition has a secret, which is drawn once."""

import sqlite3

import pytest

from gyoji.core.faults import ConfigError
from gyoji.store.connections import read_secret
from gyoji.store.store import Store


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


@pytest.mark.parametrize("value", ["", "0", "-1", "12a", "9" * 41, "٣"])
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
