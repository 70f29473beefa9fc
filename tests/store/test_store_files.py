"""One competition, one set of files, one run at a time."""

import os
import socket
import sqlite3
import subprocess
import sys

import pytest

from gyoji.core.faults import ConfigError
from gyoji.store.files import SOCKET_NAME_LIMIT, CompetitionFiles, RunLock, reset
from gyoji.store.filesystem import remove_tree
from gyoji.store.store import Store


@pytest.fixture
def files(tmp_path):
    return CompetitionFiles(tmp_path / "event.toml")


def test_every_output_lies_beside_the_control_file(files):
    names = {
        "database": "event.db",
        "log": "event.log",
        "history": "event.hist",
        "report": "event.report",
        "games": "event.games",
        "voids": "event.void",
        "transcripts": "event.gtplogs",
        "lock": "event.lock",
        "socket": "event.sock",
    }
    for attribute, name in names.items():
        assert getattr(files, attribute) == files.folder / name
    assert files.code == "event"


@pytest.mark.parametrize("name", ["a.db", "a.log", "a.hist", "a.report", "a.games", "a.lock", "a.sock"])
def test_a_control_file_cannot_be_named_like_an_output(name):
    with pytest.raises(ConfigError, match="the name of an output"):
        CompetitionFiles(name)


def test_a_relative_control_file_stays_where_it_was(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = CompetitionFiles("x.y.ctl")
    monkeypatch.chdir("/")
    assert files.database == tmp_path / "x.y.db"


def test_a_socket_of_any_competition_has_a_name_that_fits(tmp_path):
    names = {CompetitionFiles(tmp_path / f"{'long' * n}.ctl").socket.name for n in range(1, 60)}
    assert len(names) == 59
    assert max(map(len, names)) <= SOCKET_NAME_LIMIT


def test_a_second_run_is_refused_and_told_who_runs(files):
    with RunLock(files), pytest.raises(ConfigError, match=rf"running already \(process {os.getpid()}\)"):
        RunLock(files).__enter__()
    with RunLock(files):
        pass
    assert not files.lock.exists()


def test_a_lock_whose_holder_is_gone_is_free(files):
    files.lock.write_text("4711\n")
    with RunLock(files):
        assert files.lock.read_text() == f"{os.getpid()}\n"


def test_no_child_keeps_the_lock(files):
    with RunLock(files):
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, close_fds=False)
    with RunLock(files):
        assert child.poll() is None
    child.communicate(b"\n")


def test_a_lock_in_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="cannot be written"):
        RunLock(CompetitionFiles(tmp_path / "none" / "event.toml")).__enter__()


def test_reset_deletes_the_outputs_and_nothing_else(files):
    files.control_file.touch()
    kept = files.folder / "event.db.txt"
    kept.touch()
    (files.folder / "elsewhere").mkdir()
    (files.folder / "elsewhere" / "kept").touch()
    for path in (files.database, files.log, files.history, files.report):
        path.touch()
    with socket.socket(socket.AF_UNIX) as left_over:
        left_over.bind(str(files.socket))
    (files.folder / "event.db-wal").touch()
    files.games.mkdir()
    (files.games / "0_1.sgf").touch()
    files.voids.symlink_to(files.folder / "elsewhere")
    removed = reset(files)
    assert len(removed) == 8
    assert sorted(path.name for path in files.folder.iterdir()) == ["elsewhere", "event.db.txt", "event.toml"]
    assert (files.folder / "elsewhere" / "kept").exists()
    assert reset(files) == []


def test_reset_is_refused_while_a_run_goes_on(files):
    files.database.touch()
    with RunLock(files), pytest.raises(ConfigError, match="running already"):
        reset(files)
    assert files.database.exists()


def test_reset_names_what_it_could_not_delete_and_deletes_the_rest(files, monkeypatch):
    files.games.mkdir()
    for path in (files.database, files.report):
        path.touch()

    def refuse(path):
        return f"cannot remove {path}: Permission denied" if path == files.games else remove_tree(path)

    monkeypatch.setattr("gyoji.store.files.remove_tree", refuse)
    with pytest.raises(ConfigError, match=r"event\.games: Permission denied"):
        reset(files)
    assert not files.report.exists()


def with_a_database_of_another_program(files):
    connection = sqlite3.connect(files.database)
    connection.execute("CREATE TABLE mine (a)")
    connection.close()


def with_a_log_of_another_program(files):
    files.log.write_text("This is pdfTeX")
    Store.open(files.database, "event", create=True).close()


def with_a_file_of_somebody(files):
    Store.open(files.database, "event", create=True).close()
    files.games.mkdir()
    (files.games / "0_1.sgf").touch()
    (files.games / "my notes.txt").touch()


def with_a_folder_in_a_folder(files):
    Store.open(files.database, "event", create=True).close()
    (files.transcripts / "0_1.log").mkdir(parents=True)


STRANGERS = [
    (with_a_database_of_another_program, r"event\.db is a database of another program"),
    (lambda files: files.database.write_bytes(b"garbage" * 99), r"event\.db is not a database of gyoji"),
    (lambda files: files.database.write_bytes(b"x"), r"event\.db is not a database of gyoji"),
    (lambda files: files.database.mkdir(), r"event\.db is a folder"),
    (lambda files: files.log.write_text("a diary"), r"event\.log is not known to be ours"),
    (with_a_log_of_another_program, r"event\.log was there before the competition"),
    (with_a_file_of_somebody, r"event\.games/my notes\.txt is not the record of a game"),
    (with_a_folder_in_a_folder, r"event\.gtplogs/0_1\.log is not the record of a game"),
    (lambda files: [files.database.touch(), files.report.mkdir()], r"event\.report is no file"),
    (lambda files: [files.database.touch(), files.games.touch()], r"event\.games is no folder"),
    (lambda files: [files.database.touch(), files.socket.touch()], r"event\.sock is no socket"),
    (lambda files: files.lock.write_text("[packages]"), r"event\.lock: is not a lock file of gyoji"),
]


@pytest.mark.parametrize(("strangers", "message"), STRANGERS)
def test_reset_deletes_nothing_at_all_where_something_is_not_ours(files, strangers, message):
    strangers(files)
    files.history.touch()
    before = sorted((str(path), path.is_file() and path.read_bytes()) for path in files.folder.rglob("*"))
    with pytest.raises(ConfigError, match=message):
        reset(files)
    after = sorted((str(path), path.is_file() and path.read_bytes()) for path in files.folder.rglob("*"))
    assert after == before


@pytest.mark.parametrize("length", [0, 1000, 4096])
def test_reset_deletes_a_damaged_database_that_was_ours(files, length):
    Store.open(files.database, "event", create=True).close()
    os.truncate(files.database, length)
    assert reset(files) == [files.database]


def test_a_lock_of_another_program_is_left_as_it_is(files):
    files.lock.write_text("version = 1\n")
    with pytest.raises(ConfigError, match="is not a lock file of gyoji"):
        RunLock(files).__enter__()
    assert files.lock.read_text() == "version = 1\n"
