"""A competition that is being played, as its control file describes it by now."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from gyoji.config import load
from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.ports import Competition
from gyoji.core.record import EngineReport, GameResult, teams_of_players
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
from gyoji.core.text import quote
from gyoji.pairing.comparison import Comparison, Difference
from gyoji.pairing.failures import Failures, SetAside
from gyoji.pairing.games import plain_id
from gyoji.scheduler.event import as_it_was, take, unpadded
from gyoji.scheduler.games import GameFiles
from gyoji.store.files import CompetitionFiles
from gyoji.store.store import Store
from gyoji.tables.event import unplayed


class Fresh(NamedTuple):
    """A control file that has been read again. make: the competition before its first game, each time."""

    setup: CompetitionSetup
    make: Callable[[], Competition]


Reload = Callable[[], Fresh]
"""Reads the control file. Raises ConfigError."""


def read_again(path: Path) -> Fresh:
    """The control file of a running competition as it is now. Raises ConfigError."""
    setup = load(path)
    with Store.read(CompetitionFiles(path).database) as store:
        setup = setup.with_secret(store.secret)
    return Fresh(setup, partial(unplayed, setup))


class Renewed(NamedTuple):
    """The competition as it goes on.

    overlap: of each game that is being played, by its `unpadded` id, whether it is among those that remain to
    be issued. outdated: by id, those games that are being played by settings of which there is none now.
    """

    fresh: Fresh
    competition: Competition
    overlap: Mapping[str, bool]
    comparison: Comparison
    outdated: Mapping[str, tuple[Difference, ...]]


class Reloading:
    """Reads the control file of a run again.

    setup: the one read last. files_of: where the games of a setup leave their files; game_files:
    those of now.
    """

    def __init__(
        self,
        reload: Reload | None,
        setup: CompetitionSetup,
        store: Store,
        files_of: Callable[[CompetitionSetup], GameFiles],
    ) -> None:
        self._reload = reload
        self.setup = setup
        self._store = store
        self._files_of = files_of
        self.game_files = files_of(setup)

    def renew(self, playing: Iterable[GameSpec], failures: Failures) -> Renewed:
        """The competition by its control file as it is now.

        playing: the games without a result, in the order in which they were issued. failures: the void games
        there are. Raises ConfigError if
        the file is wrong, or does not go with what is stored or being played.
        """
        if self._reload is None:
            raise ConfigError(f"{self.setup.code}: there is no control file to be read again")
        fresh = self._reload()
        _check_lasting(self.setup, fresh.setup)
        comparison = Comparison(fresh.setup)
        lasting, outdated = _sorted_out(playing, comparison)
        competition, overlap = join(fresh, as_it_was(self._store, comparison, failures), lasting)
        game_files = self._files_of(fresh.setup)
        renewed = Renewed(fresh, competition, overlap, comparison, outdated)
        self.setup, self.game_files = fresh.setup, game_files
        return renewed


_LASTING = (("competition", "kind"), ("game", "game"), ("cores", "cores"))
"""Settings that cannot change during a run, each with the field of the setup."""


def _check_lasting(before: CompetitionSetup, now: CompetitionSetup) -> None:
    for key, name in _LASTING:
        old, new = getattr(before, name), getattr(now, name)
        if old != new:
            raise ConfigError(
                f"{now.control_file}: {key}: was {quote(str(old))}, and cannot become {quote(str(new))} "
                "while the competition runs: stop it first"
            )


def _sorted_out(
    playing: Iterable[GameSpec], comparison: Comparison
) -> tuple[list[GameSpec], dict[str, tuple[Difference, ...]]]:
    """The games in progress that will count, and by id those that will not, with the reason."""
    lasting, outdated = [], {}
    for spec in playing:
        if differences := comparison.differences(spec):
            outdated[spec.id] = differences
            comparison.keep_id(spec.id)
        else:
            lasting.append(spec)
    return lasting, outdated


def join(
    fresh: Fresh, results: Iterable[GameResult | SetAside], playing: Iterable[GameSpec]
) -> tuple[Competition, dict[str, bool]]:
    """The competition with all results counted, and the overlap with what is being played.

    Raises ConfigError if a result does not fit the competition, or one of these games will not.
    """
    competition, trial = fresh.make(), fresh.make()
    for result in results:
        take(competition, result)
        take(trial, result)
    overlap = {}
    for spec in playing:
        remaining = trial.remaining()
        trial.add(_undecided(spec))
        overlap[unpadded(plain_id(spec.id))] = trial.remaining() != remaining
    return competition, overlap


def _undecided(spec: GameSpec) -> GameResult:
    """A result of a game that says nothing."""
    players = tuple(player.code for player in spec.players)
    return GameResult(
        id=plain_id(spec.id),
        pairing=spec.pairing,
        players=players,
        teams=teams_of_players(players),
        outcome=Outcome(points=None, ending=Ending.NO_RESULT),
        turns=0,
        engines=(EngineReport(),) * len(spec.players),
        started="",
        wall_ns=0,
    )
