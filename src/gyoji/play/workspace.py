"""The folders of engines: private ones per game, lasting ones per player, and unpacked ZIP packages."""

# Who removes what: all private folders of a run are in one folder in the system's directory for temporary
# files. Its name has no blanks, because engines cut paths at blanks. A worker removes the folders that it
# makes. The run's reaper removes the rest, however the run ends. If the reaper is killed too, the next run
# does it.
#
# Each process that uses the run's folder holds a shared `flock`, which the kernel releases when the process
# ends. A later run removes folders that have gyoji's name pattern, belong to the same user, are not links,
# and are not locked.

import fcntl
import os
import re
import shutil
import stat
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
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
from gyoji.executors.scratch import FOLDER, claim, scratch_folder, scratch_place
from gyoji.store.filesystem import REMOVAL_SECONDS, open_plain, remove_tree, take_rights

Cleanup = Callable[[], str]
"""Removes an engine's folders after its end. It returns an error line, or ""."""


class PlayerFolders(NamedTuple):
    """A player with its folders, which have been created.

    Attributes:
        player: The player with the actual paths of its command and folders.
        place: The engine's own folder for one game.
        environ: Environment variables that tell the engine about its folders.
        cleanup: Removes the folders.
    """

    player: Player
    place: str
    environ: Mapping[str, str]
    cleanup: Cleanup


class Workspace:
    """Creates and removes the folders of one worker's engines, or of a game outside a run."""

    def __init__(self) -> None:
        run, _, number = os.environ.get(RUN, "").partition(".")
        self._whole = scratch_folder(run or os.urandom(8).hex())
        self._claim = -1
        self.root = self._whole / number if run else self._whole
        self._packages = self._whole / "packages"
        self._count = 0
        self._free: dict[str, list[str]] = {}
        self._empty: set[str] = set()  # reusable empty folders
        self._lasting: set[str] = set()  # lasting folders that engines may change
        self._began = time.time_ns()

    def make_folders(self, player: Player) -> "PlayerFolders":
        """Unpack a player's program, create its folders and return them.

        Raises:
            Breakdown: The program cannot be used, or a folder cannot be made.
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
        if player.containment.level == "strict":  # it cannot see the user's home
            environ["HOME"] = f"{place}/home"
            with suppress(FileExistsError):
                os.mkdir(environ["HOME"], 0o700)
        return PlayerFolders(player, place, environ, partial(self._cleanup, player, place, made))

    def _place(self, player: Player) -> str:
        """Return a folder for one engine: one left by an earlier engine of the player, or a new one.

        A reused folder keeps its path, so that access rules for the path stay valid. Its contents are
        removed, except for the home folder and the overlay with the engine's changes of read-only folders.
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
        """Remove the private folders. Clear set-user-ID and set-group-ID bits of new files in lasting
        folders.

        An engine can create files with these bits only on a machine where its system calls are not filtered.
        """
        for folder in self._lasting:
            take_rights(folder, self._began)
        remove_tree(self.root)
        if self._claim >= 0:
            os.close(self._claim)
            self._claim = -1


_OWN = 0o700


def _is_as_new(folder: str) -> bool:
    """Return whether a folder is empty and has the owner, mode and attributes of a new one.

    Most engines leave their folder like that. The check costs a tenth of removing and creating the folder.
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
    """Remove the temporary folders of killed runs.

    Args:
        seconds: Time limit. Folders that are left then are removed by the next run.
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
"""The maximum unpacked size of a package in bytes."""
PACKAGE_FILES = 10_000
"""The maximum number of files in a package."""

_STORED, _DEFLATED = 0, 8  # zipfile's own constants, which is not imported here


# A package is unpacked once for all games and workers that share a folder: into a temporary folder, which is
# then renamed, so that the result is complete or absent. A changed package has another key. Its contents are
# not trusted: paths must stay inside the folder, only regular files are unpacked, and size and number are
# limited. zipfile itself unpacks no more of a file than its header says, and reads compressed data in small
# pieces.
def unpack(player: Player, into: Path) -> Player:
    """Return the player with a command that this machine can execute.

    A package is unpacked, and a Windows program is started through wine. Other programs stay the same.

    Args:
        into: Folder for unpacked packages; it is created if necessary.

    Raises:
        Breakdown: The player's program cannot be used, with the reason.
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
    """Return the player with an adapter program in front of its command, if its protocol needs one.

    At the containment level "strict" the engine may read the same files as without the adapter.

    Raises:
        Breakdown: The engine's program cannot be executed.
    """
    adapter = PROTOCOLS.find(player.protocol).adapter
    module = () if adapter is None else adapter(player.options)
    if not module:
        return player
    if problem := wrong_with(player.command[0]):
        raise Breakdown(f"player {player.code}: {problem}")
    containment = player.containment
    if containment.level == "strict":
        containment = replace(containment, readable=(*containment.readable, *own_files(player)))
    words = (sys.executable, "-I", "-m", *module)
    return replace(player, command=(*words, *player.command), containment=containment)


def is_package(program: str) -> bool:
    return program.lower().endswith(".zip")


class _Unusable(Exception):
    """A program cannot be used. The message says why in a few words."""


def _windows(program: str) -> tuple[str, ...]:
    """Return the command that starts an .exe file, through wine if it is a Windows program."""
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
    """Return the absolute path of a package's program, unpacking the package if necessary."""
    import zlib  # noqa: PLC0415 - these two are a hundredth of a second, for packages alone
    from zipfile import BadZipFile, ZipFile  # noqa: PLC0415

    try:
        with open(open_plain(package), "rb") as file, ZipFile(file) as archive:
            place = into / _key(package, os.fstat(file.fileno()))
            files = _files(archive)
            program = _program(files, protocol)
            if not place.exists():
                _extract(archive, files, place, program)
    except OSError as error:
        where = "" if str(error.filename) in ("None", str(package)) else f"{error.filename}: "
        raise _Unusable(f"it cannot be unpacked: {where}{error.strerror}") from None
    except (BadZipFile, EOFError, NotImplementedError, OverflowError, ValueError, zlib.error) as error:
        raise _Unusable(f"this ZIP package cannot be unpacked: {str(error) or 'it is cut off'}") from None
    return str(place / program)


def _key(package: Path, status: os.stat_result) -> str:
    """Return the name of the folder for an unpacked package, which differs for each version of the package.

    The name has no blanks, because some engines cut paths at blanks.
    """
    version = sha256(f"{package}\0{status.st_size}\0{status.st_mtime_ns}\0{status.st_ino}".encode())
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", package.stem)[:40]
    return f"{stem}-{version.hexdigest()[:16]}"


def _files(archive: "ZipFile") -> "dict[str, ZipInfo]":
    """Return the files of a package to unpack, by path. Raises `_Unusable` for a forbidden entry."""
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
    """Return why an entry of a package cannot be unpacked, or ""."""
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
    """Return the path of the program among a package's files, chosen by the protocol's naming rules."""
    try:
        executable = PROTOCOLS.find(protocol).executable
        if executable is None:
            raise _Unusable(f"protocol {protocol} has no packages")
        program, _ = executable(tuple(files))
    except ValueError as error:
        raise _Unusable(str(error)) from None
    return program


def _extract(archive: "ZipFile", files: "dict[str, ZipInfo]", place: Path, program: str) -> None:
    """Unpack into a temporary folder and rename the folder to `place`. Nothing is renamed if another worker
    was faster.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    beside = place.with_suffix(f".{os.urandom(4).hex()}")
    try:
        for name, info in files.items():
            target = beside / name
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(info) as source, target.open("xb") as file:
                shutil.copyfileobj(source, file)
            is_program = name == program or info.external_attr >> 16 & 0o111
            target.chmod(0o755 if is_program else 0o644)
        if not place.exists():
            beside.rename(place)
    except OSError:
        if not place.exists():
            raise
    finally:
        remove_tree(beside)
