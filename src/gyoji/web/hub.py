"""All competitions that one server shows: found in files and folders, followed while the server runs.

Nothing is polled. The kernel tells of changes in the folders: a run that begins (its socket appears), results
that somebody else stores, a control file that is new.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from watchfiles import awatch

from gyoji.core.faults import ConfigError
from gyoji.store.files import CompetitionFiles
from gyoji.web.broadcast import Broadcast
from gyoji.web.following import Followed

_LOG = logging.getLogger(__name__)
_SUFFIXES = (".toml", ".ctl")


def control_files(paths: Iterable[Path]) -> list[Path]:
    """The control files that are meant: files as they are; of folders those with a database or a run beside
    them. Raises ConfigError for a path that is neither."""
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            inside = sorted(each for each in path.iterdir() if each.suffix in _SUFFIXES and each.is_file())
            found |= dict.fromkeys(each for each in inside if _has_begun(each))
        elif path.is_file():
            found[path] = None
        else:
            raise ConfigError(f"{path}: there is no such control file, and no such folder")
    return list(found)


def _has_begun(control_file: Path) -> bool:
    try:
        files = CompetitionFiles(control_file)
    except ConfigError:
        return False
    return files.database.exists() or files.socket.exists()


class Hub:
    """The competitions of a server, by name. paths: control files and folders of them.

    opened: called when one has been read, which may be again and again.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self._paths = [path.absolute() for path in paths]
        self.broadcast = Broadcast(secrets.token_hex(4))
        self.opened: Callable[[Followed], object] = lambda followed: None
        self.competitions: dict[str, Followed] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._wakers: dict[str, asyncio.Event] = {}
        self._watching: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Follow everything that is there, and what comes."""
        self._look()
        self._watching = asyncio.create_task(self._watch())

    async def take_up(self, path: Path) -> Followed:
        """Follow a control file whose competition has just begun, and everything else of its folder."""
        if path.parent not in self._paths:
            self._paths.append(path.parent)
            if self._watching is not None:
                await _ended(self._watching)
                self._watching = asyncio.create_task(self._watch())
        self._look()
        followed = next(each for each in self.competitions.values() if each.path == path)
        await followed.count()
        return followed

    def _look(self) -> None:
        """Follow what is there and not followed yet."""
        known = {each.path for each in self.competitions.values()}
        for path in control_files(each for each in self._paths if each.exists()):
            if path not in known:
                name = self._name(path)
                followed = self.competitions[name] = Followed(name, path, self.broadcast)
                followed.is_overheard = self._is_overheard
                self._wakers[name] = asyncio.Event()
                self._tasks[name] = asyncio.create_task(self._follow(followed))

    def _is_overheard(self) -> bool:
        """Whether an engine that plays now may ask this server: it may use the network."""
        return any(each.has_network for each in self.competitions.values())

    def _name(self, path: Path) -> str:
        """A name for the addresses of its pages: that of its file, with its folder's if it is taken."""
        name, number = path.stem, 1
        while name in self.competitions:
            number += 1
            name = f"{path.parent.name}-{path.stem}" if number == 2 else f"{path.stem}-{number}"
        return name

    async def _follow(self, followed: Followed) -> None:
        """Have results counted, listen to the run while there is one, and wait for the folder to change."""
        waker = self._wakers[followed.name]
        while True:
            waker.clear()
            try:
                await followed.open()
                self.opened(followed)
                followed.changed(settle=0)
                await followed.follow()
            except Exception as error:  # noqa: BLE001 - a competition that cannot be followed takes no other with it
                _LOG.exception("%s cannot be followed", followed.path)
                followed.trouble = f"it cannot be followed: {error!r}"
            await waker.wait()

    async def _watch(self) -> None:
        """Wake whoever waits for a folder in which something has changed."""
        folders = {path if path.is_dir() else path.parent for path in self._paths}
        if not folders:
            return
        async for changes in awatch(*folders, recursive=False, watch_filter=None, debounce=200, step=50):
            changed = [Path(path) for _, path in changes]
            self._look()
            for name, followed in self.competitions.items():
                if any(_concerns(followed, path) for path in changed):
                    if followed.path in changed:
                        followed.changed(anew=True)
                    self._wakers[name].set()

    async def close(self) -> None:
        """Follow nothing any more, and end all readers."""
        self.broadcast.close()
        tasks = [*self._tasks.values(), *([self._watching] if self._watching else [])]
        for task in tasks:
            task.cancel()
        for task in tasks:
            await _ended(task)
        for followed in self.competitions.values():
            await followed.close()


async def _ended(task: asyncio.Task[None]) -> None:
    """Cancel a task, and wait for its end."""
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def _concerns(followed: Followed, path: Path) -> bool:
    """Whether a change of a file can mean that there is something new of a competition.

    What stands beside a database comes and goes whenever somebody reads it; who has written to it leaves it
    changed.
    """
    try:
        files = CompetitionFiles(followed.path)
    except ConfigError:
        return False
    return path in (followed.path, files.socket, files.database)
