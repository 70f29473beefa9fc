"""Rebuild a competition from its stored games.

This is done when its control file has changed during a run (`Reloading`), and to verify that the stored games
are those that the competition issues (`Issued`).

Verification adds the stored results, one after the other, to a new competition that issues its games again. A
run issues a game before it has the game's result. So a stored game must be among the games issued before its
result is added. A run also has several games in progress at once. So the new competition, too, issues some
games ahead of the results.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gyoji.config.competition import load
from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.ports import Competition, adapts, supports
from gyoji.core.record import EngineReport, GameResult, teams_of_players
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import OPENING, GameSpec
from gyoji.core.text import quote
from gyoji.results.comparison import Comparison, Difference
from gyoji.results.failures import Failures, SkippedGame
from gyoji.results.game_ids import plain, plain_id
from gyoji.results.variants import as_played
from gyoji.scheduler.event import as_it_was, take
from gyoji.scheduler.issued_games import GameFiles
from gyoji.scheduler.objections import check_terms
from gyoji.store.files import CompetitionFiles
from gyoji.store.store import Store
from gyoji.tables.event_tables import unplayed

if TYPE_CHECKING:
    from gyoji.referee import review

AHEAD = 1100
"""Number of games issued ahead: more than a run can have in progress at once."""

MOST = 1 << 16
"""Largest number of issued games that wait for a stored result. Some never get one: void or lost games."""


def unpadded(game_id: str) -> str:
    """Return a game id with its number unpadded. The padding depends on how many games there are.

    >>> unpadded("0_007"), unpadded("AvB_0"), unpadded("a7")
    ('0_7', 'AvB_0', 'a7')
    """
    head, bar, number = game_id.rpartition("_")
    return f"{head}{bar}{int(number)}" if number.isdecimal() else game_id


class Fresh(NamedTuple):
    """The content of a control file, read again.

    Attributes:
        setup: Its content.
        make: Returns a new competition by this content, before its first game.
    """

    setup: CompetitionSetup
    make: Callable[[], Competition]


Reload = Callable[[], Fresh]
"""A function that reads the control file again. Raises ConfigError."""


def read_again(path: Path) -> Fresh:
    """Read the control file of a competition that is being played.

    Raises:
        ConfigError: The file is wrong, or has games that the protocol of a player cannot express.
    """
    setup = load(path)
    with Store.read(CompetitionFiles(path).database) as store:
        setup = setup.with_secret(store.secret)
    make = partial(unplayed, setup)
    check_terms(str(path), setup.players.values(), lambda: make().checks())
    return Fresh(setup, make)


class Renewed(NamedTuple):
    """The state of a run after its control file was read again.

    Attributes:
        fresh: The control file.
        competition: The competition by the control file, after adding all stored results that count.
        overlap: For each game in progress that still counts: whether it is among the `remaining` games of the
            new competition. Always False if that competition is endless. The key is the game's id without
            zero padding and without the suffix of a repetition, such as 0_7 for 0_007@2.
        comparison: Decides which stored games count by the new settings.
        outdated: For each game in progress that will not count, because it was begun with other settings: the
            settings that differ. The key is the game's id as it was issued.
    """

    fresh: Fresh
    competition: Competition
    overlap: Mapping[str, bool]
    comparison: Comparison
    outdated: Mapping[str, tuple[Difference, ...]]


class Reloading:
    """Reads the control file of a run again.

    Attributes:
        setup: Content of the file at the last reading.
        game_files: Decides which files games leave, by that content.
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
        """Read the control file and return the state with which the run goes on.

        Args:
            playing: Games in progress, in the order in which the competition issued them.
            failures: Games that ended without a result, and the skipped ones.

        Raises:
            ConfigError: The file is wrong, or does not fit the stored games or those in progress.
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


_PAIRS = "pairs_on_one_host"
_LASTING = (("competition", "kind"), ("game", "game"), ("cores", "cores"), (_PAIRS, _PAIRS))
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
    """Divide the games in progress by the new settings.

    Returns:
        The games that will count, and the differences in settings of each of the others, by its id.
    """
    lasting, outdated = [], {}
    for spec in playing:
        if differences := comparison.differences(spec):
            outdated[spec.id] = differences
            comparison.keep_id(spec.id)
        else:
            lasting.append(spec)
    return lasting, outdated


def join(
    fresh: Fresh, results: Iterable[GameResult | SkippedGame], playing: Iterable[GameSpec]
) -> tuple[Competition, dict[str, bool]]:
    """Build a competition from results and games in progress.

    Args:
        fresh: The control file.
        results: The stored results that count, and the skipped games, in their order.
        playing: Games in progress.

    Returns:
        (the competition, for each game in progress whether it is among the competition's `remaining` games).
            The keys of the second part are ids without zero padding.

    Raises:
        ConfigError: A result does not fit the competition, or a game in progress does not.
    """
    from gyoji.pairing.rounds import KeepsPairs  # noqa: PLC0415 - few runs read their control file again

    competition, trial = fresh.make(), fresh.make()
    for result in results:
        take(competition, result)
        take(trial, result)
    to_come = [_undecided(spec) for spec in playing]
    for each in (competition, trial):
        if supports(each, KeepsPairs):
            for result in to_come:
                each.keep(result)
    overlap = {}
    for result in to_come:
        remaining = trial.remaining()
        trial.add(result)
        overlap[unpadded(result.id)] = trial.remaining() != remaining
    return competition, overlap


def _undecided(spec: GameSpec) -> GameResult:
    """Return a result without a winner that stands for the future result of a game in progress."""
    return GameResult(
        id=plain_id(spec.id),
        pairing=spec.pairing,
        players=spec.codes,
        teams=teams_of_players(spec.codes),
        outcome=Outcome(points=None, ending=Ending.NO_RESULT),
        turns=0,
        engines=(EngineReport(),) * len(spec.players),
        started="",
        wall_ns=0,
    )


# Verification of the games that a competition issued


class Issued:
    """Checks that the stored games of a competition are the games that it issues.

    A new competition with the same settings gets the stored results one after the other, and issues its games
    again. If results decide who plays the next games, as in a tuner, only ids and seeds of games are
    compared: the store does not say how many results the competition had when it issued a game.
    """

    def __init__(self, competition: Competition) -> None:
        self._competition = competition
        self._adapts = adapts(competition)
        self._specs: dict[str, GameSpec] = {}
        self._waiting: dict[str, tuple[GameSpec, GameResult]] = {}

    def add(self, spec: GameSpec, result: GameResult) -> "list[review.Difference]":
        """Add the next stored result to the competition, and compare the game with the one issued.

        A game that the competition has not issued yet waits until it is: for example a game of a later round,
        if a game of the earlier round was played again.

        Returns:
            The differences that this result reveals between stored and issued games.

        Raises:
            ConfigError: The result does not fit the competition.
        """
        found: list[review.Difference] = []
        due = [(spec, result)]
        while due:
            spec, result = due.pop()
            key = _key(spec)
            self._issue(key)
            issued = self._specs.pop(key, None)
            if issued is None:
                self._waiting[key] = spec, result
                continue
            found += self._differences(spec, issued)
            self._competition.add(plain(result))
            due += self._no_longer_waiting(key)
        return found

    def count_skipped(self, game: SkippedGame) -> "list[review.Difference]":
        """Add a skipped game to the competition.

        Returns:
            The differences of games that waited for it, as `add` returns them.
        """
        key = unpadded(plain_id(game.id))
        self._issue(key)
        self._specs.pop(key, None)
        take(self._competition, game)
        return [each for waiting in self._no_longer_waiting(key) for each in self.add(*waiting)]

    def _no_longer_waiting(self, key: str) -> list[tuple[GameSpec, GameResult]]:
        """Remove and return the waiting games that the competition has issued by now.

        It is called after the result of game `key` was added.

        Args:
            key: Id of that game, unpadded and without the suffix of a repetition.
        """
        if not self._waiting:
            return []
        self._issue(key)
        return [self._waiting.pop(each) for each in self._waiting.keys() & self._specs.keys()]

    def end(self) -> "list[review.Difference]":
        """Return one difference for each stored game that the competition never issued."""
        from gyoji.referee import review  # noqa: PLC0415 - no run needs it

        strays = [spec.id for spec, _ in self._waiting.values()]
        return [
            review.Difference("id", each, "a game that the competition issues", game=each) for each in strays
        ]

    def _issue(self, key: str) -> None:
        """Let the competition issue games until it has issued a certain game, and `AHEAD` issued games are
        not compared yet.

        A competition whose next games depend on results issues none ahead. The search for the certain game
        ends when `MOST` issued games are not compared.

        Args:
            key: Id of the game, unpadded and without the suffix of a repetition.
        """
        ahead = 0 if self._adapts else AHEAD
        while (key not in self._specs and len(self._specs) < MOST) or len(self._specs) < ahead:
            issued = self._competition.next_game()
            if issued is None:
                return
            self._specs[_key(issued)] = issued

    def _differences(self, spec: GameSpec, issued: GameSpec) -> "Iterator[review.Difference]":
        from gyoji.referee import review  # noqa: PLC0415 - no run needs it

        if spec.seed != issued.seed:
            yield review.Difference("seed", str(spec.seed), str(issued.seed), game=spec.id)
        if self._adapts:
            return
        if spec.pairing != issued.pairing:
            yield review.Difference("pairing", spec.pairing, issued.pairing, game=spec.id)
        if spec.codes != issued.codes:
            what = "players in the order of their seats"
            yield review.Difference(what, " ".join(spec.codes), " ".join(issued.codes), game=spec.id)
        opening = _opening(as_played(issued, spec.options))
        if _opening(spec) != opening:
            yield review.Difference("opening", wire.dumps(_opening(spec)), wire.dumps(opening), game=spec.id)
        if spec.note != issued.note:
            yield review.Difference("note", spec.note or "none", issued.note or "none", game=spec.id)


def _key(spec: GameSpec) -> str:
    return unpadded(plain_id(spec.id))


def _opening(spec: GameSpec) -> Any:
    return wire.encode(spec.options.get(OPENING)) or None
