"""Temporary folders of runs: folders in use stay, abandoned ones are removed."""

import fcntl
import os
import subprocess
import sys
import tempfile

import pytest

from gyoji.core.faults import Breakdown
from gyoji.core.spec import Containment, Player
from gyoji.executors import scratch
from gyoji.executors.contained import machine
from gyoji.executors.contained.cells import CellBroken
from gyoji.executors.scratch import claim, scratch_folder, take_lock
from gyoji.play import workspace
from gyoji.play.workspace import Workspace, remove_abandoned
from gyoji.scheduler import slots
from gyoji.store.filesystem import remove_tree

TOKEN = "0123456789abcdef"
HOLDER = """
import sys
from pathlib import Path
from gyoji.executors.scratch import claim
held = claim(Path(sys.argv[1]))
print("claimed", flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    folder = tmp_path / "place"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    remove_tree(str(folder), 60)  # pytest itself could not remove a deep one


def names(place):
    return sorted(entry.name for entry in place.iterdir())


def test_what_nobody_uses_goes_however_deep_it_is(place):
    for purpose in ("work", "match"):
        folder = scratch_folder(TOKEN, purpose)
        os.close(claim(folder))
        inner = os.open(folder, os.O_RDONLY)
        for _ in range(1500):
            os.mkdir("deeper", dir_fd=inner)
            outer, inner = inner, os.open("deeper", os.O_RDONLY, dir_fd=inner)
            os.close(outer)
        os.close(inner)
    remove_abandoned(60)
    assert names(place) == []


def test_a_folder_of_a_run_is_open_to_its_user_alone_whatever_the_umask(place):
    before = os.umask(0)
    try:
        os.close(claim(scratch_folder(TOKEN, "work")))
    finally:
        os.umask(before)
    (made,) = place.iterdir()
    assert made.stat().st_mode & 0o777 == 0o700


def test_what_a_run_uses_stays_until_it_has_ended(place):
    first, second = claim(scratch_folder(TOKEN)), claim(scratch_folder(TOKEN))
    for descriptor in (first, second):
        remove_abandoned()
        assert names(place) == [f"gyoji-work-{TOKEN}"]
        os.close(descriptor)
    remove_abandoned()
    assert names(place) == []


class Tries:
    """A launcher that notes which folders there are when layers are tried, and makes no cell."""

    pid = 1

    def __init__(self, place):
        self._place = place
        self.seen = []

    def make(self, *_):
        self.seen.append(names(self._place))
        raise CellBroken("not here")


def test_folders_in_which_layers_are_tried_go_with_their_process(place):
    """Those of a killed process are left, and a later run removes them: nobody holds their lock."""
    tries = Tries(place)
    examination = machine._Examination(tries)
    examination._can_overlay()
    examination._can_change_user()
    assert names(place) == []
    for (name,) in tries.seen:
        inside = place / name / "work"
        inside.mkdir(parents=True)  # as if its process had been killed
        remove_abandoned()
        assert names(place) == []


KILLED = """
import os, signal, sys, tempfile
from gyoji.executors.scratch import temporary_folder
tempfile.tempdir = sys.argv[1]
with temporary_folder(sys.argv[2]):
    print(flush=True)
    sys.stdin.read()
"""


@pytest.mark.process
@pytest.mark.parametrize("purpose", ["try", "host"])
def test_a_temporary_folder_stays_while_its_process_lives_and_no_longer(place, purpose):
    words = [sys.executable, "-c", KILLED, str(place), purpose]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        remove_abandoned()
        assert len(names(place)) == 1
        process.kill()
        process.wait()
    remove_abandoned()
    assert names(place) == []


def test_what_is_not_ours_stays(place, tmp_path, monkeypatch):
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("x")
    (place / f"gyoji-work-{TOKEN}").symlink_to(precious)
    (place / f"gyoji-work-{TOKEN}0").write_text("a file")
    for name in ("gyoji-work-", "gyoji-notes", f"x-gyoji-work-{TOKEN}", f"gyoji-work-{TOKEN}.bak"):
        (place / name).mkdir()
    before = names(place)
    remove_abandoned()
    assert names(place) == before
    assert (precious / "file").read_text() == "x"
    os.close(claim(scratch_folder("f" * 16)))
    monkeypatch.setattr(workspace.os, "geteuid", lambda: os.getuid() + 1)
    remove_abandoned()
    assert f"gyoji-work-{'f' * 16}" in names(place)


def test_a_link_inside_is_removed_and_not_what_it_leads_to(place, tmp_path):
    (tmp_path / "precious").write_text("x")
    folder = scratch_folder(TOKEN)
    os.close(claim(folder))
    (folder / "link").symlink_to(tmp_path / "precious")
    (folder / "folder").symlink_to(tmp_path)
    remove_abandoned()
    assert names(place) == []
    assert (tmp_path / "precious").read_text() == "x"


def test_a_workspace_keeps_its_folder_as_long_as_it_is_open(place):
    workspace = Workspace()
    furnished = workspace.make_folders(Player(code="p", command=("/p",), cwd=""))
    remove_abandoned()
    assert os.path.isdir(furnished.player.cwd)
    workspace.close()
    assert names(place) == []


def _replace(folder):
    os.rename(folder, f"{folder}.old")
    os.symlink(f"{folder}.old", folder)


@pytest.mark.parametrize(
    ("does", "stays"),
    [
        (lambda _: None, True),
        (lambda folder: open(f"{folder}/file", "w").close(), False),
        (lambda folder: os.symlink("/", f"{folder}/link"), False),
        (lambda folder: os.chmod(folder, 0o755), False),
        (lambda folder: os.setxattr(folder, "user.note", b"x"), False),
        (os.rmdir, False),
        (_replace, False),
    ],
    ids=["nothing", "a file", "a link", "another mode", "an attribute", "none", "a link for it"],
)
def test_each_game_finds_folders_as_new_ones_are_and_empty_ones_stay(place, does, stays):
    workspace = Workspace()
    player = Player(code="p", command=("/p",), cwd="", folder=str(place / "a lasting one"))
    first = workspace.make_folders(player)
    held = os.open(first.player.cwd, os.O_RDONLY)  # or its number could be given again
    does(first.player.cwd)
    assert first.cleanup() == ""
    second = workspace.make_folders(player)
    status = os.lstat(second.player.cwd)
    assert second.player == first.player
    assert os.path.samestat(status, os.fstat(held)) == stays
    assert (status.st_mode, os.listdir(second.player.cwd)) == (os.fstat(held).st_mode & 0o170000 | 0o700, [])
    assert os.listxattr(second.player.cwd) == []
    os.close(held)
    workspace.close()


def test_a_run_removes_what_an_earlier_one_has_left(place, monkeypatch):
    os.close(claim(scratch_folder(TOKEN)))
    monkeypatch.setattr(slots.subprocess, "Popen", lambda *_, **__: None)
    with slots.SlotPool(1) as pool:
        pool._start_reaper()
        assert names(place) == []


@pytest.mark.process
def test_who_is_killed_uses_nothing_any_more(place):
    command = [sys.executable, "-c", HOLDER, str(scratch_folder(TOKEN))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"claimed\n"
        remove_abandoned()
        assert names(place) == [f"gyoji-work-{TOKEN}"]
        process.kill()
    remove_abandoned()
    assert names(place) == []


@pytest.mark.parametrize(("level", "mode"), [("guarded", 0o755), ("strict", 0o755), ("off", 0o4755)])
def test_what_contained_engines_leave_gives_nobody_the_rights_of_its_owner(place, tmp_path, level, mode):
    folders = [tmp_path / name for name in ("cwd", "lasting", "writable")]
    for each in folders:
        each.mkdir()
    cwd, lasting, writable = map(str, folders)
    containment = Containment(level=level, writable=(writable,))
    player = Player(code="a", command=("/bin/true",), cwd=cwd, folder=lasting, containment=containment)
    opened = Workspace()
    made = opened.make_folders(player)
    for each in folders:
        (each / "program").write_text("")
        (each / "program").chmod(0o4755)
    made.cleanup()
    opened.close()
    assert [(each / "program").stat().st_mode & 0o7777 for each in folders] == [mode] * 3


def test_a_lock_of_another_program_on_the_folder_is_told_and_not_waited_for(place, monkeypatch):
    monkeypatch.setattr(scratch, "take_lock", lambda descriptor, kind: take_lock(descriptor, kind, 0.05))
    opened = Workspace()
    folder = opened.root if opened.root.parent == place else opened.root.parent
    folder.mkdir(mode=0o700)
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(Breakdown, match=r"player a: cannot make .*: another program holds a lock of it"):
            opened.make_folders(Player(code="a", command=("/bin/true",)))
    finally:
        os.close(held)
        opened.close()


@pytest.mark.parametrize("name", ["brain.exe", "brain.zip"])
def test_a_pipe_in_the_place_of_a_program_is_a_breakdown_and_nothing_waits_for_it(place, tmp_path, name):
    os.mkfifo(tmp_path / name)
    opened = Workspace()
    try:
        with pytest.raises(Breakdown, match="it is not a plain file"):
            opened.make_folders(Player(code="a", command=(str(tmp_path / name),), protocol="gomocup"))
    finally:
        opened.close()


def test_a_lock_that_another_program_keeps_is_not_waited_for_without_end(tmp_path):
    theirs, ours = os.open(tmp_path, os.O_RDONLY), os.open(tmp_path, os.O_RDONLY)
    try:
        fcntl.flock(theirs, fcntl.LOCK_EX)
        with pytest.raises(OSError, match="another program holds a lock"):
            take_lock(ours, fcntl.LOCK_SH, 0.05)
        fcntl.flock(theirs, fcntl.LOCK_UN)
        take_lock(ours, fcntl.LOCK_SH, 0.05)
    finally:
        os.close(theirs)
        os.close(ours)
