"""Folders as an engine may leave them: deep, odd, locked, moved, linked. They are removed, and measured."""

import os
import subprocess
import sys
import tempfile

import pytest

from gyoji.store.trees import FILE_BYTES, remove_tree, tree_size

DEEP = 1_500


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
    assert remove_tree(tmp_path / "top") == ""
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
from gyoji.store.trees import remove_tree
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

    monkeypatch.setattr("gyoji.store.trees.os.unlink", refuse)
    assert remove_tree(top) == f"cannot remove {top}: Operation not permitted"
    assert [os.path.relpath(where, top) for where, *_ in os.walk(top)] == [".", "a"]


def test_a_removal_that_has_no_end_is_given_up(tmp_path, monkeypatch):
    (tmp_path / "top").mkdir()
    scandir = os.scandir

    def breed(here):
        """Somebody makes a new folder wherever we look."""
        os.mkdir("more", dir_fd=here)
        return scandir(here)

    monkeypatch.setattr("gyoji.store.trees.os.scandir", breed)
    assert remove_tree(tmp_path / "top", 0.05) == f"cannot remove {tmp_path / 'top'}: it takes too long"
    monkeypatch.undo()
    assert remove_tree(tmp_path / "top") == ""


def test_a_folder_that_is_moved_away_meanwhile_leads_nowhere_else(tmp_path, monkeypatch):
    top, elsewhere = tmp_path / "top", tmp_path / "elsewhere"
    (top / "a" / "b").mkdir(parents=True)
    (elsewhere / "kept").mkdir(parents=True)
    fstat, seen = os.fstat, []

    def move(descriptor):
        """Just before we would go back up from `b`, it is moved to another folder."""
        if not seen and os.readlink(f"/proc/self/fd/{descriptor}").endswith("/b"):
            seen.append(descriptor)
            os.rename(top / "a" / "b", elsewhere / "b")
        return fstat(descriptor)

    monkeypatch.setattr("gyoji.store.trees.os.fstat", move)
    assert "a folder was moved meanwhile" in remove_tree(top)
    assert (elsewhere / "kept").is_dir()


@pytest.mark.parametrize("work", [remove_tree, lambda path: tree_size(str(path), 1 << 40)])
def test_no_descriptor_is_left_open(tmp_path, work):
    make_deep(tmp_path / "top", 40)
    before = os.listdir("/proc/self/fd")
    work(tmp_path / "top")
    assert os.listdir("/proc/self/fd") == before
