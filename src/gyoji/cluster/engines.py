"""Engines that travel: files of a player that stand below the folder of its control file go to hosts by their
content, each once, and are kept there.

A file elsewhere is not sent: it belongs to a machine, and must be there.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from errno import ENOSPC
from fcntl import LOCK_EX, LOCK_NB, LOCK_SH, flock
from functools import partial
from hashlib import file_digest, sha256
from pathlib import Path
from tempfile import mkdtemp

from msgspec.structs import replace

from gyoji.core.spec import GameSpec, Player
from gyoji.core.wire import Value
from gyoji.executors.scratch import take_lock
from gyoji.store.filesystem import remove_tree

MOST_BYTES = 64 << 20
"""Of a file that travels."""

MOST_KEPT = 8 << 30
"""Bytes of all that a host keeps, besides what is in use."""

_MOST_TIMES = 10
_MOMENT = 1.0  # seconds
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Parcel(Value, frozen=True, kw_only=True):
    """A file of a player. path: where it is for the run, absolute; digest: SHA-256 of its content."""

    path: str
    digest: str
    executable: bool = False


class Content(Value, frozen=True, kw_only=True):
    """The content of a parcel; None: the run cannot read it any more."""

    digest: str
    content: bytes | None


def everybody(spec: GameSpec) -> list[Player]:
    """All players of a game, and who scores it."""
    return [player for player in (*spec.players, spec.scoring_player) if player is not None]


class Sender:
    """The side of the run: which files travel, and their content. folder: that of the control file."""

    def __init__(self, folder: Path) -> None:
        self._folder = os.path.realpath(folder)
        self._digests: dict[tuple[str, int, int], str] = {}  # by path, time and size
        self._paths: dict[str, str] = {}

    def parcels(self, spec: GameSpec) -> tuple[tuple[Parcel, ...], tuple[str, ...]]:
        """The files of a game's players that travel, and the paths of those that do not."""
        found: dict[str, Parcel] = {}
        others: dict[str, None] = {}
        for player in everybody(spec):
            for path in paths_of(player):
                if path not in found and path not in others:
                    parcel = self._parcel(path) if self._travels(path) else None
                    if parcel is None:
                        others[path] = None
                    else:
                        found[path] = parcel
        return tuple(found.values()), tuple(others)

    def _travels(self, path: str) -> bool:
        real = os.path.realpath(path)
        return real.startswith(self._folder + "/") and os.path.isfile(real)

    def _parcel(self, path: str) -> Parcel | None:
        """The file as it is now; None if it is too long, or cannot be read."""
        with suppress(OSError):
            status = os.stat(path)
            if status.st_size > MOST_BYTES:
                return None
            key = path, status.st_mtime_ns, status.st_size
            if (digest := self._digests.get(key)) is None:
                with open(path, "rb") as file:
                    digest = self._digests[key] = file_digest(file, "sha256").hexdigest()
            self._paths[digest] = path
            return Parcel(path=path, digest=digest, executable=bool(status.st_mode & 0o100))
        return None

    def content(self, digest: str) -> Content:
        """The files that a host asks for; only of files that travel."""
        content = None
        with suppress(OSError, KeyError):
            content = Path(self._paths[digest]).read_bytes()
        return Content(digest=digest, content=content)


def paths_of(player: Player) -> list[str]:
    """The files that a player's commands name, absolute: its programs, and what else is there."""
    words = (*player.command, *player.partner)
    programs = {word for word in (*player.command[:1], *player.partner[:1]) if os.path.isabs(word)}
    return [path for word in words if os.path.isfile(path := _absolute(player, word)) or word in programs]


def _absolute(player: Player, word: str) -> str:
    return os.path.join(player.cwd or "/", word)


def owner_of(spec: GameSpec, path: str) -> str:
    """The code of the first player whose commands name a file."""
    players = everybody(spec)
    named = [player for player in players if path in map(partial(_absolute, player), player.command)]
    return (named or players)[0].code


def engines_folder() -> Path:
    """Where a host keeps what has come: where engines with another uid than ours can read it, too."""
    return _cache() / "engines"


def results_folder() -> Path:
    """Where a host keeps reports that are not known to be stored."""
    return _cache() / "results"


def _cache() -> Path:
    usual = Path("/var/cache") if os.geteuid() == 0 else Path.home() / ".cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or usual) / "gyoji"


class Receiver:
    """The side of a host: what has come, by its digest. folder: where it is kept, with what others use.

    What this one has used stays as long as it lives. most: bytes of all; beyond that, what nobody uses goes,
    that first which was used the longest time ago.
    """

    def __init__(self, folder: Path, most: int = MOST_KEPT) -> None:
        self._folder, self._most = folder, most
        self._held: dict[str, int] = {}  # descriptors, locked, of folders in use

    def close(self) -> None:
        """Use nothing any more."""
        for digest in list(self._held):
            self._release(digest)

    def _hold(self, digest: str) -> bool:
        """Use the folder of a digest, if it is there."""
        if digest in self._held:
            return True
        try:
            descriptor = os.open(self._folder / digest, _FOLDER)
        except OSError:
            return False
        try:
            take_lock(descriptor, LOCK_SH, _MOMENT)  # whoever removes it has it for a moment
            is_there = os.fstat(descriptor).st_nlink > 0
        except OSError:
            is_there = False
        if not is_there:
            os.close(descriptor)
            return False
        self._held[digest] = descriptor
        with suppress(OSError):
            os.utime(descriptor)
        return True

    def _release(self, digest: str) -> None:
        os.close(self._held.pop(digest))

    def make_room(self, most: int) -> None:
        """Remove what nobody uses, the oldest first, until all that is kept has so many bytes at most."""
        found = []
        with suppress(OSError):
            for path in self._folder.iterdir():
                with suppress(OSError):
                    size = sum(each.stat().st_size for each in path.iterdir())
                    found.append((path.stat().st_mtime, path, size))
        total = sum(size for _, _, size in found)
        for _, path, size in sorted(found):
            if total <= most:
                break
            with suppress(OSError):
                descriptor = os.open(path, _FOLDER)
                try:
                    flock(descriptor, LOCK_EX | LOCK_NB)  # held by whoever uses it
                    total -= size * (not remove_tree(path))
                finally:
                    os.close(descriptor)

    def _place(self, parcel: Parcel) -> Path:
        return self._folder / parcel.digest / os.path.basename(parcel.path)

    def missing(self, parcels: Iterable[Parcel]) -> list[Parcel]:
        """Those that have not come yet."""
        missing = []
        for parcel in parcels:
            if not (self._hold(parcel.digest) and self._place(parcel).is_file()):
                missing.append(parcel)
                if parcel.digest in self._held:  # it may have been removed and made again
                    self._release(parcel.digest)
        return missing

    def take(self, parcel: Parcel, content: bytes) -> str:
        """Keep what has come; why that cannot be, "" if it can."""
        if sha256(content).hexdigest() != parcel.digest:
            return f"{os.path.basename(parcel.path)}: it was changed on its way, or while the run goes on"
        self.make_room(self._most - len(content))
        try:
            try:
                self._write(parcel, content)
            except OSError as error:
                if error.errno != ENOSPC:
                    raise
                self.make_room(0)
                self._write(parcel, content)
        except OSError as error:
            return f"{self._place(parcel)}: cannot be written: {error.strerror}"
        return ""

    def _write(self, parcel: Parcel, content: bytes) -> None:
        place = self._place(parcel)
        self._folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        beside = Path(mkdtemp(prefix="new-", dir=self._folder))
        try:
            beside.chmod(0o755)
            (beside / place.name).write_bytes(content)
            (beside / place.name).chmod(0o555 if parcel.executable else 0o444)
            for _ in range(_MOST_TIMES):
                if self._hold(parcel.digest):
                    break
                with suppress(FileExistsError):
                    place.parent.mkdir(mode=0o755)
            os.replace(beside / place.name, place)  # all of it or nothing, whoever else does the same
        finally:
            remove_tree(beside)

    def here(self, spec: GameSpec, parcels: Sequence[Parcel], hidden: tuple[str, ...] = ()) -> GameSpec:
        """The game with its players as they are on this host; hidden: what they are not to see besides."""
        places = {parcel.path: str(self._place(parcel)) for parcel in parcels}
        players = tuple([_moved(player, places, hidden) for player in spec.players])
        scorer = spec.scoring_player and _moved(spec.scoring_player, places, hidden)
        return replace(spec, players=players, scoring_player=scorer)


def _moved(player: Player, places: Mapping[str, str], hidden: tuple[str, ...]) -> Player:
    """A player whose files are elsewhere. A working folder that is not here becomes a private one."""
    contained = player.containment
    return replace(
        player,
        command=tuple([places.get(_absolute(player, word), word) for word in player.command]),
        partner=tuple([places.get(_absolute(player, word), word) for word in player.partner]),
        cwd=player.cwd if not player.cwd or os.path.isdir(player.cwd) else "",
        containment=replace(contained, hidden=(*contained.hidden, *hidden)),
    )
