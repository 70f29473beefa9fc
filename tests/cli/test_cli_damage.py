"""Whoever reads a damaged database says so, in one line, and what can be done."""

import os
import sqlite3
from contextlib import closing

import pytest
from command_line import gyoji

from finished import resigned
from gyoji.scheduler.event import Event
from gyoji.store.store import Store

CUP = """
competition = "playoff"
board_size = 9
komi = 7.5
players.a.command = "nowhere-a"
players.b.command = "nowhere-b"
matchups = [{players = ["a", "b"], number_of_games = 9, alternating = true}]
"""


@pytest.fixture
def cup(tmp_path):
    """The path of a control file with four stored games."""
    path = tmp_path / "cup.toml"
    path.write_text(CUP)
    event = Event.open(path)
    with Store.open(event.files.database, "cup", create=True) as store:
        event.take_secret(store)
        for winner in (0, 1, 1, 0):
            spec = event.competition.next_game()
            store.append(spec, resigned(spec, winner))
    return path


def without_its_last_byte(database):
    os.truncate(database, database.stat().st_size - 1)


def without_a_row_of_moves(database):
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("DELETE FROM moves WHERE number = 2")
        connection.commit()


def with_a_bit_flipped(text):
    def harm(database):
        content = bytearray(database.read_bytes())
        content[content.index(text)] ^= 4
        database.write_bytes(content)

    return harm


HARMS = {
    "its last byte": without_its_last_byte,
    "a row of moves": without_a_row_of_moves,
    "a bit of a result": with_a_bit_flipped(b'"resignation"'),
    "a bit of the settings": with_a_bit_flipped(b'"game":"go"'),
}
READERS = [
    ("show",),
    ("show", "--json"),
    ("report",),
    ("report", "--format", "csv", "--table", "standings"),
    ("report", "--format", "html"),
    ("ratings",),
]


@pytest.mark.parametrize("words", READERS, ids=" ".join)
@pytest.mark.parametrize("harm", HARMS)
def test_what_reads_a_damaged_database_says_so_in_one_line_and_verify_agrees(cup, harm, words):
    HARMS[harm](cup.with_suffix(".db"))
    told = gyoji(*words, cup)
    (line,) = told.stderr.splitlines()
    assert (told.exit_code, told.stdout) == (2, "")
    remedy = "restore a copy, or save its rows with `sqlite3 cup.db .recover`"
    assert f"{cup.with_suffix('.db')} is damaged; {remedy}" in line
    verified = gyoji("verify", cup)
    assert verified.exit_code == 1
    assert line.rpartition("(")[2].removesuffix(")") in verified.stdout + verified.stderr


OTHERS = [
    ("verify",),
    ("export", "--to", "sgf"),
    ("run",),
    ("reset",),
]


@pytest.mark.parametrize("part", ["", "-wal", "-journal"])
@pytest.mark.parametrize(
    "words",
    [*READERS, *OTHERS],
    ids=" ".join,
)
def test_a_fifo_in_the_place_of_a_database_is_refused(cup, words, part, monkeypatch):
    monkeypatch.chdir(cup.parent)
    place = cup.with_name(f"cup.db{part}")
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    told = gyoji(*words, cup)
    assert told.exit_code == 2
    assert f"{place} is " in told.stderr
    assert place.is_fifo()
