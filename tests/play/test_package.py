"""ZIP packages of programs: unpacked once, completely, and nowhere else; wine for Windows programs."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile, ZipInfo

import pytest
from msgspec.structs import replace

from gyoji.core.faults import Breakdown
from gyoji.core.plugins import PROTOCOLS
from gyoji.core.spec import Player
from gyoji.core.text import quote
from gyoji.play import workspace
from gyoji.play.workspace import unpack


def first_brain(names):
    """As a protocol does it: the program begins with b-."""
    programs = sorted(name for name in names if name.rpartition("/")[2].startswith("b-"))
    if not programs:
        raise ValueError("no program called b-...")
    return programs[0], ()


@pytest.fixture(autouse=True)
def protocol(monkeypatch):
    monkeypatch.setitem(PROTOCOLS._loaded, "brain", replace(PROTOCOLS.find("gtp"), executable=first_brain))


@pytest.fixture
def packed(tmp_path):
    """Writes Brain.zip with these files (name or ZipInfo: content); a player of it."""

    def packed(files, *words, compression=ZIP_DEFLATED):
        path = tmp_path / "My Brain.zip"
        with ZipFile(path, "w", compression) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return Player(code="a", command=(str(path), *words), protocol="brain")

    return packed


def entry(name, mode=0):
    info = ZipInfo(name)
    info.external_attr = mode << 16
    return info


def problem(player, into):
    with pytest.raises(Breakdown) as caught:
        unpack(player, into)
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix(f"player a: {quote(player.command[0])}: ")


def test_a_package_becomes_its_program_with_the_arguments_that_were_given(packed, tmp_path):
    files = {"dir/": "", "dir/b-x": "#!/bin/sh\n", "dir/net.bin": "weights", entry("tool", 0o755): ""}
    got = unpack(packed(files, "--fast"), tmp_path / "into")
    program, *words = got.command
    assert words == ["--fast"]
    assert program.endswith("/dir/b-x")
    assert program.split() == [program]
    place = program.removesuffix("/dir/b-x")
    modes = {
        name: stat.S_IMODE(os.stat(f"{place}/{name}").st_mode) for name in ("dir/b-x", "dir/net.bin", "tool")
    }
    assert modes == {"dir/b-x": 0o755, "dir/net.bin": 0o644, "tool": 0o755}
    with open(f"{place}/dir/net.bin") as file:
        assert file.read() == "weights"


def test_what_is_neither_packed_nor_for_windows_stays_as_it_is(tmp_path):
    player = Player(code="a", command=("gnugo", "x.zip"))
    assert unpack(player, tmp_path / "into") is player
    assert not (tmp_path / "into").exists()


def test_workers_that_unpack_it_at_once_find_one_whole_package(packed, tmp_path, monkeypatch):
    gate, extract = Barrier(8, timeout=10), workspace._extract

    def all_at_once(*words):
        gate.wait()
        extract(*words)

    monkeypatch.setattr(workspace, "_extract", all_at_once)
    player = packed({"b-x": "x", "net": "y"})
    with ThreadPoolExecutor(8) as pool:
        (command,) = set(pool.map(lambda _: unpack(player, tmp_path / "into").command, range(8)))
    assert sorted(os.listdir(os.path.dirname(command[0]))) == ["b-x", "net"]
    assert len(os.listdir(tmp_path / "into")) == 1


def test_a_package_that_has_changed_is_unpacked_anew(packed, tmp_path):
    first = unpack(packed({"b-x": "1"}), tmp_path / "into").command
    second = unpack(packed({"b-x": "22"}), tmp_path / "into").command
    assert first != second
    with open(first[0]) as old, open(second[0]) as new:
        assert (old.read(), new.read()) == ("1", "22")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("../b-x", "it has a path that leads outside: '../b-x'"),
        ("a/../../b-x", "it has a path that leads outside: 'a/../../b-x'"),
        ("/b-x", "it has a path that leads outside: '/b-x'"),
        ("C:\\b-x", "it has a path that leads outside: 'C:\\\\b-x'"),
        ("..\\b-x", "it has a path that leads outside: '..\\\\b-x'"),
        (entry("b-x", stat.S_IFLNK | 0o777), "it has a link, or another special file: 'b-x'"),
        (entry("b-x", stat.S_IFIFO | 0o644), "it has a link, or another special file: 'b-x'"),
        ("x", "no program called b-..."),
    ],
)
def test_what_no_package_may_have_is_refused_and_nothing_is_written(packed, tmp_path, name, words):
    player = packed({"some": "thing", name: "/etc/passwd"})
    assert problem(player, tmp_path / "into") == words
    assert not (tmp_path / "into").exists()


def test_backslashes_are_separators(packed, tmp_path):
    assert unpack(packed({"dir\\b-x": "1"}), tmp_path / "into").command[0].endswith("/dir/b-x")


def test_a_bomb_is_refused_before_it_goes_off(packed, tmp_path, monkeypatch):
    monkeypatch.setattr(workspace, "PACKAGE_BYTES", 1 << 20)
    bomb = packed({"b-x": bytes(1 << 19), "b-y": bytes((1 << 19) + 1)})
    assert problem(bomb, tmp_path / "into") == "it has more than 1MB in it"
    monkeypatch.setattr(workspace, "PACKAGE_FILES", 1)
    assert problem(packed({"b-x": "", "b-y": ""}), tmp_path / "into") == "it has more than 1 files"


def test_a_heading_that_says_less_than_there_is_does_not_help_a_bomb(packed, tmp_path):
    player = packed({"b-x": b"7" * 5000})
    path = player.command[0]
    with open(path, "rb") as file:
        content = file.read().replace((5000).to_bytes(4, "little"), (50).to_bytes(4, "little"))
    with open(path, "wb") as file:
        file.write(content)
    assert "Bad CRC-32 for file 'b-x'" in problem(player, tmp_path / "into")
    assert os.listdir(tmp_path / "into") == []


def test_other_ways_of_packing_are_refused(packed, tmp_path):
    player = packed({"b-x": "1"}, compression=ZIP_BZIP2)
    words = "it is compressed by another method than stored or deflated: 'b-x'"
    assert problem(player, tmp_path / "into") == words


def test_an_encrypted_package_is_refused(packed, tmp_path):
    player = packed({"b-x": "1"})
    with open(player.command[0], "rb") as file:
        content = bytearray(file.read())
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(signature) + flags] |= 1
    with open(player.command[0], "wb") as file:
        file.write(content)
    assert problem(player, tmp_path / "into") == "it is encrypted: 'b-x'"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "it cannot be unpacked: No such file or directory"),
        (b"", "this ZIP package cannot be unpacked: File is not a zip file"),
        (b"PK\x03\x04 and so on", "this ZIP package cannot be unpacked: File is not a zip file"),
    ],
)
def test_what_is_no_package_is_told(tmp_path, content, words):
    path = tmp_path / "x.ZIP"
    if content is not None:
        path.write_bytes(content)
    assert problem(Player(code="a", command=(str(path),)), tmp_path / "into") == words


def test_a_folder_that_cannot_be_written_is_told(packed, tmp_path):
    (tmp_path / "into").write_text("")
    words = problem(packed({"b-x": "1"}), tmp_path / "into")
    assert words == f"it cannot be unpacked: {tmp_path}/into: File exists"


def test_a_file_where_a_folder_should_be_is_told_and_leaves_nothing(packed, tmp_path):
    words = problem(packed({"a": "1", "a/b-x": "2"}), tmp_path / "into")
    assert words.startswith("it cannot be unpacked: ")
    assert os.listdir(tmp_path / "into") == []


# Windows


@pytest.fixture
def wine(tmp_path, monkeypatch):
    """A program called wine on PATH, which is empty otherwise."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    path = tmp_path / "bin" / "wine"
    path.parent.mkdir()
    path.write_text("")
    path.chmod(0o755)
    return path


def test_a_windows_program_is_run_by_wine_packed_or_not(packed, wine, tmp_path):
    first, program, word = unpack(packed({"b-x.EXE": "MZ..."}, "-q"), tmp_path / "into").command
    assert (first, word) == (str(wine), "-q")
    again = Player(code="a", command=(program, "-q"))
    assert unpack(again, tmp_path / "into").command == (str(wine), program, "-q")


def test_without_wine_a_windows_program_says_what_it_needs(packed, wine, tmp_path):
    wine.unlink()
    words = "this is a program for Windows: it needs wine, which is not installed"
    assert problem(packed({"b-x.exe": "MZ..."}), tmp_path / "into") == words


def test_a_program_of_ours_may_be_called_exe(packed, tmp_path):
    (program,) = unpack(packed({"b-x.exe": "#!/bin/sh\n"}), tmp_path / "into").command
    assert program.endswith("/b-x.exe")


def test_a_windows_program_that_is_not_there_is_told(tmp_path):
    player = Player(code="a", command=("/nowhere/b-x.exe",))
    assert problem(player, tmp_path) == "it cannot be read: No such file or directory"
