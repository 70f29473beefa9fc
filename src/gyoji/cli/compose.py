"""Putting a competition together: from a control file to its format and its files."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from gyoji.cli.exits import complain
from gyoji.config.load import load
from gyoji.core.setup import CompetitionSetup
from gyoji.core.tables import Tables
from gyoji.pairing.comparison import Comparison
from gyoji.pairing.failures import Failures
from gyoji.scheduler.reload import Fresh
from gyoji.store.files import CompetitionFiles
from gyoji.store.opening import read_secret
from gyoji.store.store import Store
from gyoji.tables.event import tables_of, unplayed


@dataclass(slots=True, kw_only=True)
class Event:
    """A competition, and what belongs to it.

    source       what the user called it, for messages that tell what to type.
    agreeing     the players that do not play the clean-up phases: who plays with them is asked for the score.
    competition  before any of its games is counted; a run counts, and when its control file is read again
                 another one takes its place, and that of the setup.
    comparison   which of the games that were counted do not count; none before.
    failures     the void games that were counted, and what is set aside.   suspended: who is, and why.
    """

    source: str
    setup: CompetitionSetup
    competition: Any
    files: CompetitionFiles
    comparison: Comparison
    failures: Failures = field(default_factory=Failures)
    suspended: Mapping[str, str] = field(default_factory=dict)
    agreeing: frozenset[str] = frozenset()

    def tables(self) -> Tables:
        """What it shows, as far as it has been counted."""
        return tables_of(self.setup, self.competition)

    def take_secret(self, store: Store) -> None:
        """Begin again with the seed that the competition has drawn, unless that is what it has.

        It is said on stderr if none has been drawn where one should have been.
        """
        setup = self.setup.with_secret(store.secret)
        if setup.draws_seed and not setup.is_seed_secret:
            complain(
                f"{self.source}: an older gyoji began this event, which goes on with its seed, 0: what is "
                "left to chance in its games can be computed; `gyoji reset` begins anew, with a secret one"
            )
        if setup.seed != self.setup.seed:
            self.setup, self.competition, self.comparison = setup, unplayed(setup), Comparison(setup)


def open_event(path: Path) -> Event:
    """The event of a control file; what may be a mistake in it is said on stderr. Raises ConfigError."""
    setup = load(path)
    for warning in setup.warnings:
        complain(warning)
    return compose(setup, source=str(path), control_file=path)


def compose(setup: CompetitionSetup, *, source: str, control_file: Path) -> Event:
    """The event of a setup; the files stand beside `control_file`, whether or not there is one."""
    files = CompetitionFiles(control_file)
    setup = setup.with_secret(read_secret(files.database))
    return Event(
        source=source,
        setup=setup,
        competition=unplayed(setup),
        files=files,
        comparison=Comparison(setup),
    )


def read_again(path: Path) -> Fresh:
    """What the control file of a running competition says now. Raises ConfigError."""
    setup = load(path)
    with Store.read(CompetitionFiles(path).database) as store:
        setup = setup.with_secret(store.secret)
    return Fresh(setup, partial(unplayed, setup))
