"""Files where engines may have been are written through no symbolic link, and what is refused loses nothing.
Folders as an engine may leave them (deep, odd, locked, moved, linked) are removed, and measured."""

import os
import stat
import subprocess
import sys
import tempfile

import pytest

from descriptors import none_left_open
from gyoji.cli.reporting import write_text
from gyoji.core.faults import ConfigError
from gyoji.play.game_files import Transcript
from gyoji.scheduler.events import Journal
from gyoji.store.files import CompetitionFiles, RunLock
from gyoji.store.filesystem import (
    FILE_BYTES,
    create_file,
    make_folder,
    open_file,
    open_plain,
    remove_tree,
    take_rights,
    tree_size,
    write_file,
    write_pieces,
)
from gyoji.store.store import Store

DEEP = 1_500


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


def test_data_that_cannot_all_be_made_leave_what_was_there(place):
    def pieces():
        yield b"new"
        raise LookupError

    write_pieces(place / "all", iter([b"of ", b"before"]))
    with pytest.raises(LookupError):
        write_pieces(place / "all", pieces())
    assert {entry.name: entry.read_bytes() for entry in place.iterdir()} == {"all": b"of before"}


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


def make_deep(top, depth=DEEP, *, size=0):
    """Nested folders, made as an engine would: no path is ever long. A file of `size` bytes at the bottom."""
    top.mkdir()
    here = os.open(top, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    bottom = os.open("file", os.O_WRONLY | os.O_CREAT, dir_fd=here)
    os.truncate(bottom, size)
    os.close(bottom)
    os.close(here)


def test_a_tree_deeper_than_any_stack_and_any_path_is_removed(tmp_path):
    make_deep(tmp_path / "top")
    assert remove_tree(tmp_path / "top", seconds=600) == ""  # a busy disk can take longer than our limit
    assert os.listdir(tmp_path) == []


def test_a_tree_deeper_than_any_stack_and_any_path_is_measured(tmp_path):
    make_deep(tmp_path / "top", size=12_345)
    (tmp_path / "top" / "more").write_bytes(bytes(10))
    allocated = (tmp_path / "top" / "more").stat().st_blocks * 512
    rest = tree_size(str(tmp_path / "top"), 1 << 40) - DEEP * FILE_BYTES - max(allocated, FILE_BYTES)
    assert 12_345 <= rest <= 12_345 + 64 * FILE_BYTES  # a file system gives out whole blocks
    remove_tree(tmp_path / "top")


def test_measuring_ends_where_it_is_too_much_already(tmp_path):
    make_deep(tmp_path / "top", 3, size=50_000)
    (tmp_path / "top" / "more").write_bytes(bytes(10))
    assert FILE_BYTES < tree_size(str(tmp_path / "top"), 9) < 50_000
    assert tree_size(str(tmp_path / "gone"), 9) == 0


def test_a_file_counts_its_length_or_the_space_it_takes_and_something_in_any_case(tmp_path):
    def size(name, fill):
        (tmp_path / name).mkdir()
        fill(tmp_path / name)
        return tree_size(str(tmp_path / name), 1 << 60)

    def many(folder):
        for number in range(100):
            (folder / str(number)).touch()

    def hole(folder):
        with open(folder / "hole", "wb") as file:
            file.truncate(1 << 40)

    def reserved(folder):
        with open(folder / "reserved", "wb") as file:
            os.posix_fallocate(file.fileno(), 0, 1 << 20)

    assert size("empty", many) == 100 * FILE_BYTES
    assert size("sparse", hole) == 1 << 40
    assert size("full", reserved) >= 1 << 20


def test_wide_trees_with_odd_names_are_removed(tmp_path):
    names = [b"\xff\xfe", b"new\nline", b"-rf", b" ", "碁".encode(), b"x" * 255, b"*"]
    for name in names:
        folder = os.path.join(os.fsencode(tmp_path), b"top", name)
        os.makedirs(os.path.join(folder, name))
        with open(os.path.join(folder, b"file"), "wb"):
            pass
        os.mkfifo(os.path.join(folder, b"pipe"))
    assert remove_tree(tmp_path / "top") == ""
    assert os.listdir(tmp_path) == []


def test_no_link_is_followed_neither_in_removing_nor_in_measuring(tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_bytes(bytes(1 << 20))
    top = tmp_path / "top"
    top.mkdir()
    (top / "folder").symlink_to(kept)
    (top / "file").symlink_to(kept / "file")
    (top / "nowhere").symlink_to("/no/such/thing")
    (top / "round").symlink_to(top)
    assert tree_size(str(top), 1 << 40) < 1 << 20
    assert remove_tree(top) == ""
    assert (kept / "file").stat().st_size == 1 << 20


def test_of_a_link_where_the_folder_was_only_the_link_goes(tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").touch()
    (tmp_path / "top").symlink_to(kept)
    assert remove_tree(tmp_path / "top") == ""
    assert os.listdir(tmp_path) == ["kept"]
    assert os.listdir(kept) == ["file"]


LOCKED = """
import os, sys
from pathlib import Path
from gyoji.store.filesystem import remove_tree
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
top = Path("top")
for mode in (0o000, 0o100, 0o400, 0o500, 0o600):
    folder = top / str(mode) / "below"
    folder.mkdir(parents=True)
    (folder / "file").touch()
    folder.chmod(mode)
    folder.parent.chmod(mode)
top.chmod(0)
print(remove_tree(top) or "gone")
"""


@pytest.mark.process
def test_folders_that_nobody_may_read_are_removed_by_their_owner():
    with tempfile.TemporaryDirectory() as place:  # pytest's own folders are for one user only
        os.chmod(place, 0o777)
        words = [sys.executable, "-c", LOCKED]
        done = subprocess.run(words, cwd=place, capture_output=True, text=True, check=False)
        assert (done.stdout, done.stderr) == ("gone\n", "")
        assert os.listdir(place) == []


def test_what_is_not_there_is_removed_without_a_word(tmp_path):
    assert remove_tree(tmp_path / "gone") == ""
    assert remove_tree(tmp_path / "gone" / "too") == ""


def test_a_single_file_is_removed_too(tmp_path):
    (tmp_path / "file").touch()
    assert remove_tree(tmp_path / "file") == ""
    assert os.listdir(tmp_path) == []


def test_what_cannot_be_removed_is_said_and_the_rest_goes(tmp_path, monkeypatch):
    top = tmp_path / "top"
    (top / "a").mkdir(parents=True)
    (top / "a" / "stays").touch()
    (top / "b").mkdir()
    (top / "b" / "goes").touch()
    unlink = os.unlink

    def refuse(name, **where):
        if name == "stays":
            raise PermissionError(1, "Operation not permitted")
        unlink(name, **where)

    monkeypatch.setattr("gyoji.store.filesystem.os.unlink", refuse)
    assert remove_tree(top) == f"cannot remove {top}: Operation not permitted"
    assert [os.path.relpath(where, top) for where, *_ in os.walk(top)] == [".", "a"]


def test_a_removal_that_has_no_end_is_given_up(tmp_path, monkeypatch):
    (tmp_path / "top").mkdir()
    (tmp_path / "top" / "file").touch()
    scandir = os.scandir

    def breed(here):
        """Somebody makes a new folder wherever we look."""
        os.mkdir("more", dir_fd=here)
        return scandir(here)

    monkeypatch.setattr("gyoji.store.filesystem.os.scandir", breed)
    assert remove_tree(tmp_path / "top", 0.05) == f"cannot remove {tmp_path / 'top'}: it takes too long"
    monkeypatch.undo()
    assert remove_tree(tmp_path / "top") == ""


def test_a_folder_that_is_moved_away_meanwhile_leads_nowhere_else(tmp_path, monkeypatch):
    top, elsewhere = tmp_path / "top", tmp_path / "elsewhere"
    (top / "a" / "b").mkdir(parents=True)
    (elsewhere / "kept").mkdir(parents=True)
    fstat, seen = os.fstat, []

    def move(descriptor):
        """Just before `b` would be moved up to `top`, it is moved to another folder."""
        if not seen and os.readlink(f"/proc/self/fd/{descriptor}").endswith("/b"):
            seen.append(descriptor)
            os.rename(top / "a" / "b", elsewhere / "b")
        return fstat(descriptor)

    monkeypatch.setattr("gyoji.store.filesystem.os.fstat", move)
    assert remove_tree(top) == ""
    assert seen
    assert sorted(os.listdir(elsewhere)) == ["b", "kept"]


@pytest.mark.parametrize("work", [remove_tree, lambda path: tree_size(str(path), 1 << 40)])
def test_no_descriptor_is_left_open(tmp_path, work):
    make_deep(tmp_path / "top", 40)
    with none_left_open():
        work(tmp_path / "top")


def make_program(path, mode):
    path.write_text("#!/bin/sh\n")
    path.chmod(mode)
    return path


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("mode", [0o4755, 0o2755, 0o6777])
def test_programs_that_give_rights_lose_them_if_they_have_changed_since(tmp_path, mode):
    (tmp_path / "in").mkdir()
    program = make_program(tmp_path / "in/program", mode)
    os.utime(program, ns=(1, 1))  # which any program may say of its files
    changed = program.stat().st_ctime_ns
    take_rights(str(tmp_path), changed + 1)
    assert mode_of(program) == mode
    take_rights(str(tmp_path), changed)
    assert mode_of(program) == mode & 0o777


def test_no_link_leads_a_look_for_rights_outside_and_folders_keep_their_group(tmp_path):
    outside = make_program(tmp_path / "outside", 0o4755)
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    inside = make_program(folder / "program", 0o4755)
    top = tmp_path / "top"
    (top / "shared").mkdir(parents=True)
    (top / "shared").chmod(0o2775)
    (top / "link").symlink_to(outside)
    (top / "folder").symlink_to(folder)
    os.mkfifo(top / "pipe")
    (top / "pipe").chmod(0o4755)
    take_rights(str(top), 0)
    assert [mode_of(each) for each in (outside, inside, top / "shared")] == [0o4755, 0o4755, 0o2775]


def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="it is not a plain file"):
        open_plain(tmp_path / "pipe")
    (tmp_path / "file").write_text("x")
    with open(open_plain(tmp_path / "file")) as file:
        assert file.read() == "x"
