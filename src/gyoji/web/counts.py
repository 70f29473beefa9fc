"""The stored games of a competition, counted for its pages. All of this reads a store: call it in threads.

To read the control file and how much is stored takes no time, to count a million results some seconds; pages
and lists of games do not wait for that.
"""

from pathlib import Path

from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult
from gyoji.scheduler.event import Endings, Event
from gyoji.store.search import Search, page
from gyoji.store.store import Store
from gyoji.tables.digest import Digest

NEWEST = 200
"""Games whose thinking is counted for the table of paces."""


class Counts:
    """The counts of a competition, by its control file.

    event       as its control file says it; None before it has been read.
    stored      how many of its games are stored; once they are counted: how many of them are.
    is_counted  whether event, digest and endings have counted them.
    secret      of the competition, 0 before it has one.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.event: Event | None = None
        self.stored = 0
        self.is_counted = False
        self.digest = Digest(NEWEST)
        self.endings = Endings()
        self.secret = 0
        self._decisions = 0, 0

    def read_setup(self) -> None:
        """Read the control file, if that has not been done, and how much is stored. Raises ConfigError."""
        event = self.event or Event.open(self.path)
        if event.files.database.exists():
            with event.read() as store:
                self.secret = store.secret
                if not self.is_counted:
                    self.stored = store.count
        self.event = self.event or event

    def count_stored(self, *, anew: bool) -> None:
        """Count what is stored and has not been counted; anew: everything. Raises ConfigError."""
        if not anew and self.is_counted and self._count_more():
            return
        event = Event.open(self.path)
        digest, endings = Digest(NEWEST, event.setup.players), Endings()
        stored, decisions = 0, (0, 0)
        if event.files.database.exists():
            with event.read() as store:
                decisions = store.decisions
                event.count(store, digest, endings)
                stored, self.secret = store.count, store.secret
        self.event, self.digest, self.endings, self.stored = event, digest, endings, stored
        self._decisions, self.is_counted = decisions, True

    def _count_more(self) -> bool:
        """Count what has been added; whether all that was counted before is as it was."""
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
        """Its store, to be read in this thread. Raises ConfigError."""
        if self.event is None:
            raise ConfigError("it is being read")
        return self.event.read()

    def page(self, search: Search, *, before: int | None, most: int) -> list[tuple[int, GameResult]]:
        """See `gyoji.store.search`."""
        with self.store() as store:
            return page(store, search, before=before, most=most)
