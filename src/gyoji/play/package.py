"""Players whose program comes in a ZIP package, or is made for Windows: as a command that runs here.

A package is unpacked once for all games and workers that share a folder: whoever comes first holds a lock,
unpacks beside the final place and renames, so that there is all of it or nothing. A package that has changed
is another one. What it contains is not trusted: no path leads out of the folder, nothing is unpacked but
plain files, and no more than a limit of them. (zipfile itself unpacks no more of a file than its heading
says, and deflate, other than its rivals, in pieces as small as one likes.)
"""

import fcntl
import os
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from gyoji.core.faults import Breakdown
from gyoji.core.plugins import PROTOCOLS
from gyoji.core.spec import Player
from gyoji.core.text import format_size, quote
from gyoji.store.filesystem import open_file, remove_tree

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

LARGEST = 1 << 30
"""Bytes of all that is in a package."""
MOST = 10_000
"""Files in a package."""

_STORED, _DEFLATED = 0, 8  # zipfile's own constants, which is not imported here


def unpack(player: Player, into: Path) -> Player:
    """The player with a command that this machine can execute.

    into: the folder that packages are unpacked in, made if need be. Costs nothing for a program that is
    neither packed nor a Windows one. Raises Breakdown saying what is wrong with the player's program.
    """
    program = player.command[0]
    try:
        if is_package(program):
            program = _unpacked(Path(program), into, player.protocol)
        if program.lower().endswith(".exe"):
            return replace(player, command=(*_windows(program), *player.command[1:]))
    except _Unusable as problem:
        where = quote(player.command[0])
        raise Breakdown(f"player {player.code}: {where}: {problem}") from None
    return player if program == player.command[0] else replace(player, command=(program, *player.command[1:]))


def is_package(program: str) -> bool:
    return program.lower().endswith(".zip")


class _Unusable(Exception):
    """A program cannot be used; says why in a few words."""


def _windows(program: str) -> tuple[str, ...]:
    """The words that start a program called .exe: with wine in front if it is made for Windows."""
    try:
        with open(program, "rb") as file:
            is_windows = file.read(2) == b"MZ"
    except OSError as error:
        raise _Unusable(f"it cannot be read: {error.strerror}") from None
    if not is_windows:
        return (program,)
    wine = shutil.which("wine")
    if wine is None:
        raise _Unusable("this is a program for Windows: it needs wine, which is not installed")
    return wine, program


def _unpacked(package: Path, into: Path, protocol: str) -> str:
    """The absolute path of a package's program, unpacked below `into` by now or before."""
    import zlib  # noqa: PLC0415 - these two are a hundredth of a second, for packages alone
    from zipfile import BadZipFile, ZipFile  # noqa: PLC0415

    try:
        with package.open("rb") as file, ZipFile(file) as archive:
            place = into / _key(package, os.fstat(file.fileno()))
            files = _files(archive)
            program = _program(files, protocol)
            if not place.exists():
                with _alone(place.with_suffix(".lock")):
                    if not place.exists():
                        _extract(archive, files, place, program)
    except OSError as error:
        where = "" if str(error.filename) in ("None", str(package)) else f"{error.filename}: "
        raise _Unusable(f"it cannot be unpacked: {where}{error.strerror}") from None
    except (BadZipFile, EOFError, NotImplementedError, OverflowError, ValueError, zlib.error) as error:
        raise _Unusable(f"this ZIP package cannot be unpacked: {str(error) or 'it is cut off'}") from None
    return str(place / program)


def _key(package: Path, status: os.stat_result) -> str:
    """The name of the folder for a package as it is now: without blanks, for engines that stop at one."""
    version = sha256(f"{package}\0{status.st_size}\0{status.st_mtime_ns}\0{status.st_ino}".encode())
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", package.stem)[:40]
    return f"{stem}-{version.hexdigest()[:16]}"


def _files(archive: "ZipFile") -> "dict[str, ZipInfo]":
    """The files to be unpacked, by path. Raises `_Unusable` for what no package may have."""
    files: dict[str, ZipInfo] = {}
    for info in archive.infolist():
        name = info.filename.replace("\\", "/")
        if problem := _wrong_with(info, name):
            raise _Unusable(f"{problem}: {quote(info.filename)}")
        if not name.endswith("/"):
            files[str(PurePosixPath(name))] = info
    if len(files) > MOST:
        raise _Unusable(f"it has more than {MOST} files")
    if sum(info.file_size for info in files.values()) > LARGEST:
        raise _Unusable(f"it has more than {format_size(LARGEST)} in it")
    return files


def _wrong_with(info: "ZipInfo", name: str) -> str:
    """Why a file cannot be unpacked; "" if it can."""
    parts = name.split("/")
    if name.startswith("/") or ":" in parts[0] or ".." in parts:
        return "it has a path that leads outside"
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "it has a link, or another special file"
    if info.flag_bits & 1:
        return "it is encrypted"
    if info.compress_type not in (_STORED, _DEFLATED):
        return "it is compressed by another method than stored or deflated"
    return ""


def _program(files: "dict[str, ZipInfo]", protocol: str) -> str:
    """Which of the files is the program, by the protocol's rules of naming."""
    try:
        executable = PROTOCOLS.find(protocol).executable
        if executable is None:
            raise _Unusable(f"protocol {protocol} has no packages")
        program, _ = executable(tuple(files))
    except ValueError as error:
        raise _Unusable(str(error)) from None
    return program


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Wait until no other process unpacks this."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with open(open_file(lock, os.O_WRONLY), "wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _extract(archive: "ZipFile", files: "dict[str, ZipInfo]", place: Path, program: str) -> None:
    """Unpack to `place`, in one step as others see it. What a worker that died has left is removed."""
    beside = place.with_suffix(".new")
    remove_tree(beside)
    try:
        for name, info in files.items():
            target = beside / name
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(info) as source, target.open("xb") as file:
                shutil.copyfileobj(source, file)
            is_program = name == program or info.external_attr >> 16 & 0o111
            target.chmod(0o755 if is_program else 0o644)
        beside.rename(place)
    finally:
        remove_tree(beside)
