"""The stored games of a competition, counted for its pages. Call all methods in threads: they read files."""

# Reading the control file and the number of stored games is fast; counting a million results takes seconds.
# So these are two methods (`read_setup`, `count_stored`), and pages and lists of games wait only for the
# first.

from pathlib import Path

from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult
from gyoji.scheduler.event import Endings, Event
from gyoji.store.search import Search, page
from gyoji.store.store import Store
from gyoji.tables.digest import ReportDigest

NEWEST = 200
"""Number of the newest games in the table of games."""


class ResultsCache:
    """Sums over one competition's stored games.

    Attributes:
        path: The control file.
        event: The competition; None before its control file is read.
        stored: Number of stored games that this cache knows. Once `is_counted`, all of them are counted.
        is_counted: Whether `event`, `digest` and `endings` have counted the stored games.
        digest: Counts for tables.
        endings: Counts by ending, and the games that wait for a ruling.
        secret: Number from which the secret links are derived; 0 before the store exists.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.event: Event | None = None
        self.stored = 0
        self.is_counted = False
        self.digest = ReportDigest(NEWEST)
        self.endings = Endings()
        self.secret = 0
        self._decisions = 0, 0

    def read_setup(self) -> None:
        """Read the control file, if that was not done yet, and the number of stored games.

        Raises:
            ConfigError: The control file has mistakes, or the store cannot be read.
        """
        event = self.event or Event.open(self.path)
        if event.files.database.exists():
            with event.read() as store:
                self.secret = store.secret
                if not self.is_counted:
                    self.stored = store.count
        self.event = self.event or event

    def count_stored(self, *, anew: bool) -> None:
        """Count stored games: those that are new since the last call.

        In some cases all games are counted, and the control file is read again: if `anew` is set, at the
        first call, and after a ruling or purge has changed games that were counted.

        Raises:
            ConfigError: The control file has mistakes, or the store cannot be read.
        """
        if not anew and self.is_counted and self._count_more():
            return
        event = Event.open(self.path)
        digest, endings = ReportDigest(NEWEST, event.setup.players), Endings()
        stored, decisions = 0, (0, 0)
        if event.files.database.exists():
            with event.read() as store:
                decisions = store.decisions
                event.count(store, digest, endings)
                stored, self.secret = store.count, store.secret
        self.event, self.digest, self.endings, self.stored = event, digest, endings, stored
        self._decisions, self.is_counted = decisions, True

    def _count_more(self) -> bool:
        """Count the new games. Return False if all games must be counted again instead.

        That is so without a store, and after a ruling or purge has changed games that were counted.
        """
        event = self.event
        if event is None or not event.files.database.exists():
            return False
        with event.read() as store:
            self.secret = store.secret
            if self._decisions != store.decisions:
                return False
            self.stored = event.count_more(store, self.stored, self.digest, self.endings)
        return True

    def store(self) -> Store:
        """Open the store for reading, in this thread. Raise ConfigError if it cannot be read."""
        if self.event is None:
            raise ConfigError("it is being read")
        return self.event.read()

    def page(self, search: Search, *, before: int | None, most: int) -> list[tuple[int, GameResult]]:
        """Return (number in the store, result) of the newest games that match a search, newest first.

        Args:
            before: Return only games with smaller numbers; None for no limit.
            most: Most games to return.
        """
        with self.store() as store:
            return page(store, search, before=before, most=most)
