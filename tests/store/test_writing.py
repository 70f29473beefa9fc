"""Our files are written through no symbolic link, and what is refused loses nothing."""

import os

import pytest

from gyoji.cli.files import write_text
from gyoji.core.faults import ConfigError
from gyoji.play.game_files import Transcript
from gyoji.scheduler.events import Journal
from gyoji.store.files import CompetitionFiles
from gyoji.store.lock import RunLock
from gyoji.store.store import Store
from gyoji.store.writing import create_file, make_folder, open_file, write_file


@pytest.fixture
def victim(tmp_path):
    """A file of the user's, which has nothing to do with us."""
    file = tmp_path / "victim"
    file.write_text("precious")
    yield file
    assert file.read_text() == "precious"
    assert not file.is_symlink()


@pytest.fixture
def place(tmp_path):
    folder = tmp_path / "e.games"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("name", ["0_0.sgf", "0_0.sgf.new"])
def test_a_link_in_the_place_of_a_new_file_is_replaced(victim, place, name):
    (place / name).symlink_to(victim)
    write_file(place / "0_0.sgf", b"game", in_our_folder=True)
    assert [entry.name for entry in place.iterdir()] == ["0_0.sgf"]
    assert (place / "0_0.sgf").read_bytes() == b"game"
    assert not (place / "0_0.sgf").is_symlink()


def test_a_folder_of_ours_that_is_a_link_is_refused_in_words(tmp_path, place):
    (tmp_path / "elsewhere").symlink_to(place)
    for write in (
        lambda path: write_file(path, b"game", in_our_folder=True),
        create_file,
        lambda path: make_folder(path.parent),
    ):
        with pytest.raises(OSError, match="it is a symbolic link, and nothing is written through it"):
            write(tmp_path / "elsewhere" / "0_0.sgf")
    assert not list(place.iterdir())


def test_a_folder_of_ours_is_made_and_one_of_the_user_s_may_be_a_link(tmp_path, place):
    write_file(tmp_path / "f.games" / "g.sgf", b"1", in_our_folder=True)
    assert (tmp_path / "f.games" / "g.sgf").read_bytes() == b"1"
    (tmp_path / "mine").symlink_to(place)
    write_file(tmp_path / "mine" / "e.report", b"2")
    assert (place / "e.report").read_bytes() == b"2"
    with pytest.raises(FileNotFoundError):
        write_file(tmp_path / "nowhere" / "e.report", b"3")


def test_what_cannot_be_replaced_stays_and_nothing_is_left_beside_it(place):
    (place / "0_0.sgf").mkdir()
    with pytest.raises(IsADirectoryError):
        write_file(place / "0_0.sgf", b"game", in_our_folder=True)
    assert [entry.name for entry in place.iterdir()] == ["0_0.sgf"]


def test_the_longest_name_can_be_written(place):
    write_file(place / ("x" * 255), b"game")
    assert [len(entry.name) for entry in place.iterdir()] == [255]


def test_a_new_file_has_the_mode_of_any_other(place):
    before = os.umask(0o027)
    try:
        write_file(place / "f", b"")
    finally:
        os.umask(before)
    assert (place / "f").stat().st_mode & 0o777 == 0o640


def test_a_file_that_is_added_to_is_a_plain_file(victim, tmp_path):
    (tmp_path / "link").symlink_to(victim)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "dangling").symlink_to(tmp_path / "made")
    for name in ("link", "pipe", "dangling"):
        with pytest.raises(OSError, match=r"symbolic link|No such device"):
            open_file(tmp_path / name, os.O_WRONLY)
    assert not (tmp_path / "made").exists()


# Each file of a competition


def test_reports_and_pages_replace_a_link(victim, tmp_path):
    for name in (".e.report.new", "e.report.new", "e.report"):
        (tmp_path / name).symlink_to(victim)
    write_text(tmp_path / "e.report", "text\n")
    assert (tmp_path / "e.report").read_text() == "text\n"


@pytest.mark.parametrize("name", ["e.log", "e.hist"])
def test_the_log_and_the_history_are_not_written_through_a_link_and_the_organiser_is_told(
    victim, tmp_path, name
):
    (tmp_path / name).symlink_to(victim)
    warnings: list[str] = []
    journal = Journal(tmp_path / "e.log", tmp_path / "e.hist", warnings.append)
    journal.log("a line")
    journal.close()
    (warning,) = warnings
    assert warning.startswith(f"{tmp_path / name}: cannot be written: it is a symbolic link")


def test_a_transcript_replaces_a_link_and_says_when_its_folder_is_one(victim, tmp_path, place):
    (place / "g.log").symlink_to(victim)
    transcript = Transcript(str(place / "g.log"), 0)
    transcript.note(">>", "a", b"quit\n", 0)
    transcript.close(0)
    assert "quit" in (place / "g.log").read_text()
    (tmp_path / "e.gtplogs").symlink_to(place)
    transcript = Transcript(str(tmp_path / "e.gtplogs" / "h.log"), 0)
    assert "it is a symbolic link" in transcript.trouble
    assert not (place / "h.log").exists()


def test_the_lock_and_the_database_are_refused_where_they_are_links(victim, tmp_path):
    files = CompetitionFiles(tmp_path / "e.toml")
    files.lock.symlink_to(victim)
    with (
        pytest.raises(ConfigError, match=r"e\.lock: cannot be written: it is a symbolic link"),
        RunLock(files),
    ):
        pass
    for part in ("", "-wal", "-journal"):
        link = tmp_path / f"e.db{part}"
        link.symlink_to(victim)
        with pytest.raises(ConfigError, match="it is a symbolic link, and nothing is written through it"):
            Store.open(files.database, "e", create=True)
        link.unlink()
