"""The folders that engines find around them: a private one for each game, a lasting one for each player.

A program that comes in a ZIP package is unpacked there: see `unpack`.

All private ones are below one folder of the run in the system's place for temporary files, without blanks
in its name: engines cut what they are told at blanks. A worker removes what it makes; the run's warden
removes the whole when the run has ended, however it ended; and if that was killed too, the next run does.
Whoever uses that folder holds a shared lock of it (`flock`), which the kernel gives back however the holder
ends: a later run removes those of our name, owned by us, no link, and not locked.
"""

import fcntl
import os
import re
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from gyoji.core.environment import RUN, SCRATCH
from gyoji.core.faults import Breakdown
from gyoji.core.plugins import PROTOCOLS
from gyoji.core.spec import Player
from gyoji.core.text import format_size, quote
from gyoji.executors.contained.belongings import own_files
from gyoji.executors.local import wrong_with
from gyoji.executors.scratch import FOLDER, claim, scratch_folder, scratch_place, take_lock
from gyoji.store.filesystem import REMOVAL_SECONDS, open_file, open_plain, remove_tree, take_rights

Cleanup = Callable[[], str]
"""To be called once the engine is gone: removes what was made for it. Says what went wrong, "" if nothing."""


class PlayerFolders(NamedTuple):
    """A player as its engine is to find things.

    place: the folder that is its own for one game. environ: what its engine is told of it.
    cleanup: see `Cleanup`.
    """

    player: Player
    place: str
    environ: Mapping[str, str]
    cleanup: Cleanup


class Workspace:
    """The folders of one worker's engines, or of whoever plays a game outside a run."""

    def __init__(self) -> None:
        run, _, number = os.environ.get(RUN, "").partition(".")
        self._whole = scratch_folder(run or os.urandom(8).hex())
        self._claim = -1
        self.root = self._whole / number if run else self._whole
        self._packages = self._whole / "packages"
        self._count = 0
        self._free: dict[str, list[str]] = {}
        self._empty: set[str] = set()  # folders that a later game finds as new ones are
        self._lasting: set[str] = set()  # folders that engines may change, and that stay
        self._began = time.time_ns()

    def make_folders(self, player: Player) -> "PlayerFolders":
        """The player with its program unpacked and its folders made, as its engine is to find them.

        Raises Breakdown.
        """
        try:
            return self._make_folders(player)
        except OSError as error:
            text = f"cannot make {error.filename}: {error.strerror}"
            raise Breakdown(f"player {player.code}: {text}") from None

    def _make_folders(self, player: Player) -> "PlayerFolders":
        if self._claim < 0:
            self._claim = claim(self._whole)
        player = adapted(unpack(player, self._packages))
        if player.containment.level != "off":
            self._lasting.update(filter(None, (player.cwd, player.folder, *player.containment.writable)))
        place = self._place(player)
        work, temporary, folder = f"{place}/work", f"{place}/tmp", player.folder
        made = [work, temporary]
        for each in made:
            if each in self._empty:
                self._empty.remove(each)
            else:
                os.mkdir(each, _OWN)
        if folder is not None:
            os.makedirs(folder, exist_ok=True)
            if folder.split() != [folder]:
                made.append(f"{place}/folder")
                os.symlink(folder, made[-1])
                folder = made[-1]
        if player.cwd == "":
            player = replace(player, cwd=work, folder=folder)
        environ = {"TMPDIR": temporary}
        if player.containment.level == "strict":  # it does not see that of the user
            environ["HOME"] = f"{place}/home"
            with suppress(FileExistsError):
                os.mkdir(environ["HOME"], 0o700)
        return PlayerFolders(player, place, environ, partial(self._cleanup, player, place, made))

    def _place(self, player: Player) -> str:
        """A folder for one engine: one that an engine of this player has left, or a new one.

        The folder stays the same, so that rules about it stay right. What is in it does not, but for its home
        and what the engine wrote in a folder that it could only read (`overlay`).
        """
        if free := self._free.get(player.code):
            return free.pop()
        self._count += 1
        place = self.root / str(self._count)
        for layer in ("upper", "work"):
            (place / "overlay" / layer).mkdir(mode=0o700, parents=True)
        return str(place)

    def _cleanup(self, player: Player, place: str, made: list[str]) -> str:
        trouble = ""
        for each in made:
            if _is_as_new(each):
                self._empty.add(each)
            else:
                trouble = trouble or remove_tree(each)
        if not trouble:
            self._free.setdefault(player.code, []).append(place)
        return trouble

    def close(self) -> None:
        """Remove what is left; what stays gives nobody the rights of its owner.

        No engine can make such a program where system calls are filtered, which not every machine allows.
        """
        for folder in self._lasting:
            take_rights(folder, self._began)
        remove_tree(self.root)
        if self._claim >= 0:
            os.close(self._claim)
            self._claim = -1


_OWN = 0o700


def _is_as_new(folder: str) -> bool:
    """Whether a folder is empty, and has the owner, the mode and the attributes of a new one.

    Most engines leave theirs so; to look costs a tenth of removing it and making another.
    """
    with suppress(OSError):
        status = os.lstat(folder)
        return (
            status.st_mode == stat.S_IFDIR | _OWN
            and status.st_uid == os.geteuid()
            and not os.listdir(folder)
            and not os.listxattr(folder, follow_symlinks=False)
        )
    return False


def remove_abandoned(seconds: float = REMOVAL_SECONDS) -> None:
    """Remove what runs have left that were killed with all that would have cleaned up after them.

    What cannot be removed, or not in that time, stays for the next run.
    """
    give_up = time.monotonic() + seconds
    with suppress(OSError), os.scandir(scratch_place()) as entries:
        for name in [entry.name for entry in entries if SCRATCH.fullmatch(entry.name)]:
            with suppress(OSError):
                _remove_if_abandoned(os.path.join(scratch_place(), name), give_up - time.monotonic())


def _remove_if_abandoned(folder: str, seconds: float) -> None:
    descriptor = os.open(folder, FOLDER)
    try:
        if os.fstat(descriptor).st_uid == os.geteuid() and seconds > 0:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # BlockingIOError: it is in use
            remove_tree(folder, seconds)
    finally:
        os.close(descriptor)


if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

PACKAGE_BYTES = 1 << 30
"""Bytes of all that is in a package."""
PACKAGE_FILES = 10_000
"""Files in a package."""

UNPACKING_SECONDS = 60.0
"""How long a worker waits for another one that unpacks the same package."""

_STORED, _DEFLATED = 0, 8  # zipfile's own constants, which is not imported here


def unpack(player: Player, into: Path) -> Player:
    """The player with a command that this machine can execute: unpacked, and by wine if it is for Windows.

    A package is unpacked once for all games and workers that share a folder: whoever comes first holds a
    lock, unpacks beside the final place and renames, so that there is all of it or nothing. A package that
    has changed is another one. Its contents are not trusted: no path leads out of the folder, nothing is
    unpacked but plain files, and no more than a limit of them. (zipfile itself unpacks no more of a file than
    its heading says, and deflate can be unpacked in small pieces.)

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


def adapted(player: Player) -> Player:
    """The player with the command of its protocol's adapter in front of its own, if there is one.

    At "strict" it may read what it could without. Raises Breakdown if its own program cannot be executed.
    """
    adapter = PROTOCOLS.find(player.protocol).adapter
    if not adapter:
        return player
    if problem := wrong_with(player.command[0]):
        raise Breakdown(f"player {player.code}: {problem}")
    containment = player.containment
    if containment.level == "strict":
        containment = replace(containment, readable=(*containment.readable, *own_files(player)))
    words = (sys.executable, "-I", "-m", adapter)
    return replace(player, command=(*words, *player.command), containment=containment)


def is_package(program: str) -> bool:
    return program.lower().endswith(".zip")


class _Unusable(Exception):
    """A program cannot be used; says why in a few words."""


def _windows(program: str) -> tuple[str, ...]:
    """The words that start a program called .exe: with wine in front if it is made for Windows."""
    try:
        with open(open_plain(program), "rb") as file:
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
        with open(open_plain(package), "rb") as file, ZipFile(file) as archive:
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
    if len(files) > PACKAGE_FILES:
        raise _Unusable(f"it has more than {PACKAGE_FILES} files")
    if sum(info.file_size for info in files.values()) > PACKAGE_BYTES:
        raise _Unusable(f"it has more than {format_size(PACKAGE_BYTES)} in it")
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
        take_lock(file.fileno(), fcntl.LOCK_EX, UNPACKING_SECONDS)
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
