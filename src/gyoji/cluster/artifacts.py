"""Artifacts: files of players that a run sends to hosts, where they are kept by SHA-256 of their content.

Files in or below the folder of the control file are sent. All other files must be on the host already.
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
"""Largest size of a file that is sent."""

MOST_KEPT = 8 << 30
"""Largest number of bytes that a host keeps in all, except that files in use are never removed."""

_MOST_TIMES = 10
_MOMENT = 1.0  # seconds
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Artifact(Value, frozen=True, kw_only=True):
    """A file of a player that can be sent to a host.

    Attributes:
        path: Its absolute path on the machine of the run.
        digest: SHA-256 of its content.
        executable: Whether it is a program.
    """

    path: str
    digest: str
    executable: bool = False


class Content(Value, frozen=True, kw_only=True, tag="content"):
    """The content of a file for a host.

    Attributes:
        digest: SHA-256 of the content that the host asked for.
        content: The content; None if the run cannot read the file any more.
    """

    digest: str
    content: bytes | None


def everybody(spec: GameSpec) -> list[Player]:
    """Return all players of a game, including the player that scores it and the umpire."""
    return [each for each in (*spec.players, spec.scoring_player, spec.umpire) if each is not None]


class ArtifactSender:
    """Chooses, on the machine of the run, which files of players are sent to hosts, and reads these files."""

    def __init__(self, folder: Path) -> None:
        self._folder = os.path.realpath(folder)
        self._digests: dict[tuple[str, int, int], str] = {}  # by path, time and size
        self._paths: dict[str, str] = {}

    def artifacts(self, spec: GameSpec) -> tuple[tuple[Artifact, ...], tuple[str, ...]]:
        """Return the files of a game's players that are sent, and the paths of files that must be on the
        host.
        """
        found: dict[str, Artifact] = {}
        others: dict[str, None] = {}
        for player in everybody(spec):
            for path in paths_of(player):
                if path not in found and path not in others:
                    artifact = self._artifact(path) if self._travels(path) else None
                    if artifact is None:
                        others[path] = None
                    else:
                        found[path] = artifact
        return tuple(found.values()), tuple(others)

    def _travels(self, path: str) -> bool:
        real = os.path.realpath(path)
        return real.startswith(self._folder + "/") and os.path.isfile(real)

    def _artifact(self, path: str) -> Artifact | None:
        """Return the file at a path in its present state; None if it is too large or cannot be read."""
        with suppress(OSError):
            status = os.stat(path)
            if status.st_size > MOST_BYTES:
                return None
            key = path, status.st_mtime_ns, status.st_size
            if (digest := self._digests.get(key)) is None:
                with open(path, "rb") as file:
                    digest = self._digests[key] = file_digest(file, "sha256").hexdigest()
            self._paths[digest] = path
            return Artifact(path=path, digest=digest, executable=bool(status.st_mode & 0o100))
        return None

    def content(self, digest: str) -> Content:
        """Return the message to a host with the content of the file with this digest.

        Its content is None if `artifacts` never returned the file, or if it cannot be read any more.
        """
        content = None
        with suppress(OSError, KeyError):
            content = Path(self._paths[digest]).read_bytes()
        return Content(digest=digest, content=content)


def paths_of(player: Player) -> list[str]:
    """Return the absolute paths of all programs and files in a player's commands."""
    words = (*player.command, *player.partner)
    programs = {word for word in (*player.command[:1], *player.partner[:1]) if os.path.isabs(word)}
    return [path for word in words if os.path.isfile(path := _absolute(player, word)) or word in programs]


def _absolute(player: Player, word: str) -> str:
    return os.path.join(player.cwd or "/", word)


def owner_of(spec: GameSpec, path: str) -> str:
    """Return the code of the player whose command names the file `path`.

    If there are several, return the first. If there is none, return the code of the game's first player.
    """
    players = everybody(spec)
    named = [player for player in players if path in map(partial(_absolute, player), player.command)]
    return (named or players)[0].code


def engines_folder() -> Path:
    """Return the folder in which a host keeps sent files. Engines that run as other users can read it."""
    return _cache() / "engines"


def results_folder() -> Path:
    """Return the folder in which a host keeps reports of games until the run has stored them."""
    return _cache() / "results"


def _cache() -> Path:
    default = Path("/var/cache") if os.geteuid() == 0 else Path.home() / ".cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or default) / "gyoji"


# Each digest has a folder. An agent that uses it holds a shared lock on the folder (flock) until the agent
# ends. To remove a folder an agent needs its exclusive lock, which it gets only if no other agent uses the
# folder. The kernel releases the locks of a killed agent. Files are written under another name and renamed,
# so that a file is there completely or not at all.
class ArtifactCache:
    """The files that a host was sent, each in a folder with its digest as name. Several agents may share
    them.
    """

    def __init__(self, folder: Path, most: int = MOST_KEPT) -> None:
        """Use a folder.

        Args:
            folder: The folder.
            most: Number of bytes to keep. If there are more, files that no agent uses are removed, the least
                recently used first.
        """
        self._folder, self._most = folder, most
        self._held: dict[str, int] = {}  # descriptors, locked, of folders in use

    def close(self) -> None:
        """Let other agents remove the files that this one has used."""
        for digest in list(self._held):
            self._release(digest)

    def _hold(self, digest: str) -> bool:
        """Lock the file with this digest, so that no other agent removes it. Return False if there is no such
        file.
        """
        if digest in self._held:
            return True
        try:
            descriptor = os.open(self._folder / digest, _FOLDER)
        except OSError:
            return False
        try:
            take_lock(
                descriptor, LOCK_SH, _MOMENT
            )  # an agent that removes it holds the lock only for a moment
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
        """Remove files that no agent uses, the oldest first, until at most `most` bytes are left."""
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
                    flock(descriptor, LOCK_EX | LOCK_NB)  # fails if another agent uses it
                    total -= size * (not remove_tree(path))
                finally:
                    os.close(descriptor)

    def _place(self, artifact: Artifact) -> Path:
        return self._folder / artifact.digest / os.path.basename(artifact.path)

    def missing(self, artifacts: Iterable[Artifact]) -> list[Artifact]:
        """Return the files that are not on this host, and lock the others."""
        missing = []
        for artifact in artifacts:
            if not (self._hold(artifact.digest) and self._place(artifact).is_file()):
                missing.append(artifact)
                if artifact.digest in self._held:  # it may have been removed and made again
                    self._release(artifact.digest)
        return missing

    def take(self, artifact: Artifact, content: bytes) -> str:
        """Store a file that the run has sent. Return why that failed; "" if it did not."""
        if sha256(content).hexdigest() != artifact.digest:
            return f"{os.path.basename(artifact.path)}: it was changed on its way, or while the run goes on"
        self.make_room(self._most - len(content))
        try:
            try:
                self._write(artifact, content)
            except OSError as error:
                if error.errno != ENOSPC:
                    raise
                self.make_room(0)
                self._write(artifact, content)
        except OSError as error:
            return f"{self._place(artifact)}: cannot be written: {error.strerror}"
        return ""

    def _write(self, artifact: Artifact, content: bytes) -> None:
        place = self._place(artifact)
        self._folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        beside = Path(mkdtemp(prefix="new-", dir=self._folder))
        try:
            beside.chmod(0o755)
            (beside / place.name).write_bytes(content)
            (beside / place.name).chmod(0o555 if artifact.executable else 0o444)
            for _ in range(_MOST_TIMES):
                if self._hold(artifact.digest):
                    break
                with suppress(FileExistsError):
                    place.parent.mkdir(mode=0o755)
            os.replace(beside / place.name, place)  # atomic, even if another agent writes the same file
        finally:
            remove_tree(beside)

    def here(self, spec: GameSpec, artifacts: Sequence[Artifact], hidden: tuple[str, ...] = ()) -> GameSpec:
        """Return a game with paths of this host in place of those on the machine of the run.

        Args:
            spec: The game.
            artifacts: The files of the game's players that were sent to this host.
            hidden: Further paths that engines must not see.
        """
        places = {artifact.path: str(self._place(artifact)) for artifact in artifacts}
        players = tuple([_moved(player, places, hidden) for player in spec.players])
        scorer = spec.scoring_player and _moved(spec.scoring_player, places, hidden)
        umpire = spec.umpire and _moved(spec.umpire, places, hidden)
        return replace(spec, players=players, scoring_player=scorer, umpire=umpire)


def _moved(player: Player, places: Mapping[str, str], hidden: tuple[str, ...]) -> Player:
    """Return a player with paths of this host.

    If the player's working folder is not on this host, its engines work in a folder of their own.

    Args:
        player: The player.
        places: Paths on this host by path on the machine of the run.
        hidden: Further paths that the player's engine must not see.
    """
    contained = player.containment
    return replace(
        player,
        command=tuple([places.get(_absolute(player, word), word) for word in player.command]),
        partner=tuple([places.get(_absolute(player, word), word) for word in player.partner]),
        cwd=player.cwd if not player.cwd or os.path.isdir(player.cwd) else "",
        containment=replace(contained, hidden=(*contained.hidden, *hidden)),
    )
