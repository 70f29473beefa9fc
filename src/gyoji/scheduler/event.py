"""An event opened: the competition of a control file, its files, and all that is known of its games.

`gyoji.scheduler.run.taking` has this process alone play it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from gyoji.config import load
from gyoji.core.setup import CompetitionSetup
from gyoji.core.tables import Tables
from gyoji.pairing.comparison import Comparison
from gyoji.pairing.failures import Failures
from gyoji.scheduler.counting import Counted, count
from gyoji.store.files import CompetitionFiles
from gyoji.store.opening import read_secret
from gyoji.store.store import Store
from gyoji.tables.event import tables_of, unplayed

Warn = Callable[[str], object]
"""Called with what the user should see, one line."""


@dataclass(kw_only=True)
class Event:
    """A competition, and what belongs to it. Made by `of`.

    source       what the user called it, for messages that tell what to type.
    setup        what its control file says.
    competition  the format's own object; games are counted in it by `count`, and by a run. When that reads
                 its control file again another one takes its place, and that of the setup.
    comparison   which of the games that were counted do not count; none before.
    failures     the void games that were counted, and what is set aside.   suspended: who is, and why.
    agreeing     the players that do not play the clean-up phases: who plays with them is asked for the score.
    """

    source: str
    setup: CompetitionSetup
    competition: Any
    files: CompetitionFiles
    comparison: Comparison
    failures: Failures = field(default_factory=Failures)
    suspended: Mapping[str, str] = field(default_factory=dict)
    agreeing: frozenset[str] = frozenset()

    @classmethod
    def of(cls, setup: CompetitionSetup, *, source: str, control_file: Path) -> Self:
        """The event of a setup, uncounted; its files stand beside `control_file`, which need not exist."""
        files = CompetitionFiles(control_file)
        setup = setup.with_secret(read_secret(files.database))
        return cls(
            source=source,
            setup=setup,
            competition=unplayed(setup),
            files=files,
            comparison=Comparison(setup),
        )

    def tables(self) -> Tables:
        """The tables, trees and charts of what has been counted."""
        return tables_of(self.setup, self.competition)

    def begin_anew(self, setup: CompetitionSetup | None = None) -> None:
        """Have nothing counted; setup: another one that takes the place of this."""
        self.setup = setup or self.setup
        self.competition, self.comparison = unplayed(self.setup), Comparison(self.setup)
        self.failures, self.suspended = Failures(), {}

    def count(self, store: Store, *others: Any, retry: bool = False) -> Counted:
        """Count what is stored, here and in `others`; see `gyoji.scheduler.counting`. Raises ConfigError."""
        counted = count(store, self.comparison, self.competition, *others, retry=retry)
        self.failures, self.suspended = counted.failures, counted.suspensions.all()
        return counted

    def read(self) -> Store:
        """Its store, to be read. Raises ConfigError if there is none yet, or it is of another competition."""
        return Store.read(self.files.database, competition=self.setup.code)

    def take_secret(self, store: Store, warn: Warn) -> None:
        """Begin again with the seed that the competition has drawn, unless that is what it has.

        warn: told if none has been drawn where one should have been.
        """
        setup = self.setup.with_secret(store.secret)
        if setup.draws_seed and not setup.is_seed_secret:
            warn(
                f"{self.source}: an older gyoji began this event, which goes on with its seed, 0: what is "
                "left to chance in its games can be computed; `gyoji reset` begins anew, with a secret one"
            )
        if setup.seed != self.setup.seed:
            self.begin_anew(setup)


def open_event(path: Path, warn: Warn) -> Event:
    """The event of a control file; warn: told what may be a mistake in it. Raises ConfigError."""
    setup = load(path)
    for warning in setup.warnings:
        warn(warning)
    return Event.of(setup, source=str(path), control_file=path)
