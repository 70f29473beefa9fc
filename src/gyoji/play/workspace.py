"""The folders that engines find around them: a private one for each game, a lasting one for each player.

All private ones are below one folder of the run in the system's place for temporary files, without blanks
in its name: engines cut what they are told at blanks. A worker removes what it makes; the run's warden
removes the whole when the run has ended, however it ended; and if that was killed too, the next run does.
Whoever uses that folder holds a shared lock of it (`flock`), which the kernel gives back however the holder
ends: a later run removes those of our name, owned by us, no link, and not locked.
"""

import fcntl
import os
import re
import secrets
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from gyoji.core.environment import RUN
from gyoji.core.faults import Breakdown
from gyoji.core.spec import Player
from gyoji.play.package import unpack
from gyoji.store.filesystem import REMOVAL_SECONDS, remove_tree

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
        self._whole = scratch_folder(run or secrets.token_hex(8))
        self._claim = -1
        self.root = self._whole / number if run else self._whole
        self._packages = self._whole / "packages"
        self._count = 0
        self._free: dict[str, list[Path]] = {}

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
        player = unpack(player, self._packages)
        place = self._place(player)
        work, temporary, folder = place / "work", place / "tmp", player.folder
        for each in (work, temporary):
            each.mkdir(mode=0o700)
        if folder is not None:
            os.makedirs(folder, exist_ok=True)
            if folder.split() != [folder]:
                (place / "folder").symlink_to(folder)
                folder = str(place / "folder")
        if player.cwd == "":
            player = replace(player, cwd=str(work), folder=folder)
        environ = {"TMPDIR": str(temporary)}
        if player.containment.level == "strict":  # it does not see that of the user
            (place / "home").mkdir(mode=0o700, exist_ok=True)
            environ["HOME"] = str(place / "home")
        return PlayerFolders(player, str(place), environ, partial(self._cleanup, player, place))

    def _place(self, player: Player) -> Path:
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
        return place

    def _cleanup(self, player: Player, place: Path) -> str:
        parts = [place / each for each in ("work", "tmp", "folder")]
        if not (trouble := next(filter(None, map(remove_tree, parts)), "")):
            self._free.setdefault(player.code, []).append(place)
        return trouble

    def close(self) -> None:
        """Remove what is left."""
        remove_tree(self.root)
        if self._claim >= 0:
            os.close(self._claim)
            self._claim = -1


_NAME = re.compile(r"gyoji-(?:work|match)-[0-9a-f]{16,}")
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def scratch_folder(token: str, purpose: str = "work") -> Path:
    """Where the engines of the run with that token work; purpose "match": where a match has its files.

    token: 16 hexadecimal digits or more.
    """
    return Path(_place(), f"gyoji-{purpose}-{token}")


def claim(folder: Path) -> int:
    """Make a folder unless it is there, and use it: until the descriptor is closed nobody removes it.

    Raises OSError.
    """
    while True:
        with suppress(FileExistsError):
            os.mkdir(folder, 0o700)
        descriptor = os.open(folder, _FOLDER)
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), os.lstat(folder)):
                return descriptor
        os.close(descriptor)  # it was removed before we had the lock


def remove_abandoned(seconds: float = REMOVAL_SECONDS) -> None:
    """Remove what runs have left that were killed with all that would have cleaned up after them.

    What cannot be removed, or not in that time, stays for the next run.
    """
    give_up = time.monotonic() + seconds
    with suppress(OSError), os.scandir(_place()) as entries:
        for name in [entry.name for entry in entries if _NAME.fullmatch(entry.name)]:
            with suppress(OSError):
                _remove_if_abandoned(os.path.join(_place(), name), give_up - time.monotonic())


def _remove_if_abandoned(folder: str, seconds: float) -> None:
    descriptor = os.open(folder, _FOLDER)
    try:
        if os.fstat(descriptor).st_uid == os.geteuid() and seconds > 0:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # BlockingIOError: it is in use
            remove_tree(folder, seconds)
    finally:
        os.close(descriptor)


def _place() -> str:
    return os.path.realpath(tempfile.gettempdir())
