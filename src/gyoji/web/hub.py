"""The competitions that one server shows: finds their control files, and follows changes of their files."""

# Nothing is polled. The kernel reports changes of the served folders (inotify): a socket appears, so a run
# has begun; the database has changed, so results have come; a control file is new. Each competition has one
# task (`_follow`) that reads the store, listens to the run until it ends, and then waits to be woken by such
# a change.

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable
from pathlib import Path

from watchfiles import awatch

from gyoji.core.faults import ConfigError
from gyoji.store.files import CompetitionFiles
from gyoji.web.broadcast import Broadcast
from gyoji.web.watched import WatchedCompetition, ended

_LOG = logging.getLogger(__name__)
_SUFFIXES = (".toml", ".ctl")


RECONNECT_SECONDS = 0.2
"""Seconds between the end of the connection to a run and the next attempt to connect."""


def control_files(paths: Iterable[Path]) -> list[Path]:
    """Return the control files in `paths`. Of a folder, only those whose competition has begun.

    Raises:
        ConfigError: A path is neither a file nor a folder.
    """
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
    """The competitions of a server.

    Attributes:
        broadcast: The events that browsers get.
        competitions: The competitions by the names that their pages have.
        opened: Called with a competition each time the server has tried to read its control file. If the file
            cannot be read, the competition's `trouble` says why.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self._paths = [path.absolute() for path in paths]
        self.broadcast = Broadcast(secrets.token_hex(4))
        self.opened: Callable[[WatchedCompetition], object] = lambda watched: None
        self.competitions: dict[str, WatchedCompetition] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._wakers: dict[str, asyncio.Event] = {}
        self._were_read: dict[str, asyncio.Event] = {}
        self._watching: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Begin to watch the served files and folders for competitions and changes."""
        self._look()
        self._watching = asyncio.create_task(self._watch())

    def was_read(self, watched: WatchedCompetition) -> bool:
        """Return whether a competition's control file has been read or found unreadable."""
        return self._were_read[watched.name].is_set()

    async def wait_until_read(self) -> None:
        """Wait until each present competition's control file has been read or found unreadable."""
        for each in tuple(self._were_read.values()):
            await each.wait()

    async def until_read(self, watched: WatchedCompetition) -> None:
        """Wait until a competition's control file has been read or found unreadable."""
        await self._were_read[watched.name].wait()

    async def take_up(self, path: Path) -> WatchedCompetition:
        """Watch a control file that was just written, and its folder. Return its competition, with games
        counted.
        """
        if path.parent not in self._paths:
            self._paths.append(path.parent)
            if self._watching is not None:
                await ended(self._watching)
                self._watching = asyncio.create_task(self._watch())
        self._look()
        watched = next(each for each in self.competitions.values() if each.path == path)
        await watched.count()
        return watched

    def _look(self) -> None:
        """Find control files that are new in the served paths, and begin to watch them."""
        known = {each.path for each in self.competitions.values()}
        for path in control_files(each for each in self._paths if each.exists()):
            if path not in known:
                name = self._name(path)
                watched = self.competitions[name] = WatchedCompetition(name, path, self.broadcast)
                watched.is_overheard = lambda: any(each.has_network for each in self.competitions.values())
                self._wakers[name], self._were_read[name] = asyncio.Event(), asyncio.Event()
                self._tasks[name] = asyncio.create_task(self._follow(watched))

    def _name(self, path: Path) -> str:
        """Return an unused name for a control file's pages, such as "cup", "folder-cup" or "cup-3"."""
        name, number = path.stem, 1
        while name in self.competitions:
            number += 1
            name = f"{path.parent.name}-{path.stem}" if number == 2 else f"{path.stem}-{number}"
        return name

    async def _follow(self, watched: WatchedCompetition) -> None:
        """Read a competition and listen to its run, for ever.

        Read it again when the connection to the run has ended or, without a run, when a file of the
        competition changes.
        """
        waker, was_read = self._wakers[watched.name], self._were_read[watched.name]
        while True:
            waker.clear()
            try:
                await watched.open()
                self.opened(watched)
                was_read.set()
                watched.changed(settle=0)
                if await watched.follow():  # the run has ended, or only the connection
                    await asyncio.sleep(RECONNECT_SECONDS)
                    continue
            except Exception as error:  # noqa: BLE001 - one failure must not affect other competitions
                _LOG.exception("%s cannot be watched", watched.path)
                watched.trouble = f"it cannot be watched: {error!r}"
            was_read.set()
            await waker.wait()

    async def _watch(self) -> None:
        """Watch the served folders for changed files, for ever. Return at once if there is no folder.

        A new control file becomes a competition. A change of a control file, database or socket wakes up the
        task that follows its competition. After a change of a control file all games of its competition are
        counted again. After a change of the file of revoked links, connections with such links are ended.
        """
        folders = {path if path.is_dir() else path.parent for path in self._paths}
        if not folders:
            return
        async for changes in awatch(*folders, recursive=False, watch_filter=None, debounce=200, step=50):
            changed = [Path(path) for _, path in changes]
            self._look()
            for name, watched in self.competitions.items():
                if watched.event is not None and watched.event.files.seats in changed:
                    watched.links_changed()
                if any(_concerns(watched, path) for path in changed):
                    if watched.path in changed:
                        watched.changed(anew=True)
                    self._wakers[name].set()

    async def close(self) -> None:
        """Stop watching, and end the event streams of all browsers."""
        self.broadcast.close()
        tasks = [*self._tasks.values(), *([self._watching] if self._watching else [])]
        for task in tasks:
            await ended(task)
        for watched in self.competitions.values():
            await watched.close()


def _concerns(watched: WatchedCompetition, path: Path) -> bool:
    """Return whether a file is the control file, database or socket of a competition.

    The other files of a database (-wal, -shm) are left out, because readers make and remove them too.
    """
    files = watched.event.files if watched.event else None
    return path == watched.path or (files is not None and path in (files.socket, files.database))
