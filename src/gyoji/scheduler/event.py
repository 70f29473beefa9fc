"""An event opened: the competition of a control file, its files, and its stored games counted.

`gyoji.scheduler.run.taking` has this process alone play it.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

from gyoji.config import load
from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.core.ports import Adapts, Competition, offers
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Tables
from gyoji.pairing.comparison import OPENING, Comparison
from gyoji.pairing.failures import Failures, SetAside, Suspensions
from gyoji.pairing.games import plain, plain_id
from gyoji.store.files import CompetitionFiles
from gyoji.store.opening import read_secret
from gyoji.store.store import Store
from gyoji.tables.event import tables_of, unplayed

AHEAD = 1100
"""Games that may have been issued before the result of another one: those of every slot."""

MOST = 1 << 16
"""Games that are kept which have been issued and have no result: those that void games left, or damage."""


def comparable(store: Store, comparison: Comparison) -> Iterator[GameResult]:
    """The stored results that count, in order of completion; `comparison` knows of the others then.

    Raises ConfigError for a damaged file.
    """
    return (result for _, result in _numbered(store, comparison))


def _numbered(store: Store, comparison: Comparison) -> Iterator[tuple[int, GameResult]]:
    """The same, each with the number of stored games before it."""
    for number, (result, by) in enumerate(store.played()):
        try:
            counts = comparison.takes(result, by, store.text)
        except ValueError as error:
            raise ConfigError(f"{store.path}: game {result.id}: what it was played by: {error}") from None
        if counts:
            yield number, result


def failures_of(store: Store) -> Failures:
    """The void games that are stored. Raises ConfigError for a damaged file."""
    failures, names = Failures(), dict[str, None]()
    for attempt, void in store.voids():
        failures.add(void, attempt)
        names[void.id] = None
    for name in names:
        if store.has(name):
            failures.settle(name)
    return failures


def as_it_was(store: Store, comparison: Comparison, failures: Failures) -> Iterator[GameResult | SetAside]:
    """The results that count and the games that are set aside, in the order in which it came to them."""
    left = deque(sorted(failures.set_aside.values(), key=moment))
    for number, result in _numbered(store, comparison):
        while left and moment(left[0]) <= number:
            yield left.popleft()
        yield result
    yield from left


def moment(game: SetAside) -> float:
    """How many games were stored before it was set aside; more than there are, where that is not known."""
    return float("inf") if game.last.after < 0 else game.last.after


def take(competition: Competition, each: GameResult | SetAside) -> None:
    """Add to a competition what has come of a game, under its plain id."""
    if isinstance(each, SetAside):
        with suppress(ConfigError):  # of players, or a pairing, that the control file does not have any more
            competition.add(plain(each.result()))
    else:
        competition.add(plain(each))


class Counted(NamedTuple):
    """Facts about the games besides their results: which differ, which were void, who is suspended."""

    comparison: Comparison
    failures: Failures
    suspensions: Suspensions


def count(
    store: Store, comparison: Comparison, competition: Any, *others: Any, retry: bool = False
) -> Counted:
    """Add every result that counts to a competition, and to `others`.

    The competition takes the games that are set aside into account as well. retry: there are none then, and
    nobody is suspended, but what a tuner has gone on without.
    """
    failures, suspensions = failures_of(store), Suspensions(comparison.setup)
    if retry and not (offers(competition, Adapts) and competition.adapts):
        failures.forget()
    for each in as_it_was(store, comparison, failures):
        take(competition, each)
        if isinstance(each, SetAside):
            suspensions.set_aside(each)
            continue
        if not retry:
            suspensions.add(each)
        for other in others:
            other.add(each)
    return Counted(comparison, failures, suspensions)


def unpadded(game_id: str) -> str:
    """The id of a game whatever number of games there are to be: that is what its own number is padded for.

    >>> unpadded("0_007"), unpadded("AvB_0"), unpadded("a7")
    ('0_7', 'AvB_0', 'a7')
    """
    head, bar, number = game_id.rpartition("_")
    return f"{head}{bar}{int(number)}" if number.isdecimal() else game_id


class Misissue(NamedTuple):
    """In what a game is not as its competition issues it."""

    game: str
    what: str
    got: str
    expected: str


class Issued:
    """A fresh competition that is played again. A tuner's candidates depend on when a game was issued, which
    nobody knows: of its games only ids and seeds are looked at."""

    def __init__(self, competition: Competition) -> None:
        self._competition = competition
        self._adapts = offers(competition, Adapts) and competition.adapts
        self._specs: dict[str, GameSpec] = {}
        self._waiting: dict[str, tuple[GameSpec, GameResult]] = {}

    def add(self, spec: GameSpec, result: GameResult) -> list[Misissue]:
        """Count the next result; in what its game, and those that waited for it, are not as they are issued.

        A game waits that is not issued yet: one of a later round, say, of which an earlier game was lost and
        has been played again. Raises ConfigError for a result that does not fit the competition.
        """
        found: list[Misissue] = []
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

    def set_aside(self, game: SetAside) -> list[Misissue]:
        """Count a game that is not played any more; as `add` what is not as it is issued."""
        key = unpadded(plain_id(game.id))
        self._issue(key)
        self._specs.pop(key, None)
        take(self._competition, game)
        return [each for waiting in self._no_longer_waiting(key) for each in self.add(*waiting)]

    def _no_longer_waiting(self, key: str) -> list[tuple[GameSpec, GameResult]]:
        """The games that are issued now, and were not before the one of that key was counted."""
        if not self._waiting:
            return []
        self._issue(key)
        return [self._waiting.pop(each) for each in self._waiting.keys() & self._specs.keys()]

    def end(self) -> list[Misissue]:
        """The games that the competition has not issued in the end."""
        strays = [spec.id for spec, _ in self._waiting.values()]
        return [Misissue(each, "id", each, "a game that the competition issues") for each in strays]

    def _issue(self, key: str) -> None:
        """Let the competition issue games until there is that one, and some way ahead."""
        ahead = 0 if self._adapts else AHEAD
        while (key not in self._specs and len(self._specs) < MOST) or len(self._specs) < ahead:
            issued = self._competition.next_game()
            if issued is None:
                return
            self._specs[_key(issued)] = issued

    def _differences(self, spec: GameSpec, issued: GameSpec) -> Iterator[Misissue]:
        if spec.seed != issued.seed:
            yield Misissue(spec.id, "seed", str(spec.seed), str(issued.seed))
        if self._adapts:
            return
        if spec.pairing != issued.pairing:
            yield Misissue(spec.id, "pairing", spec.pairing, issued.pairing)
        got, expected = _codes(spec), _codes(issued)
        if got != expected:
            yield Misissue(spec.id, "players in the order of their seats", got, expected)
        if _opening(spec) != _opening(issued):
            yield Misissue(spec.id, "opening", wire.dumps(_opening(spec)), wire.dumps(_opening(issued)))
        if spec.note != issued.note:
            yield Misissue(spec.id, "note", spec.note or "none", issued.note or "none")


def _key(spec: GameSpec) -> str:
    return unpadded(plain_id(spec.id))


def _codes(spec: GameSpec) -> str:
    return " ".join(player.code for player in spec.players)


def _opening(spec: GameSpec) -> Any:
    return wire.encode(spec.options.get(OPENING)) or None


Warn = Callable[[str], object]
"""Called with what the user should see, one line."""


class Event:
    """A competition, and what belongs to it.

    source       what the user called it, for messages that tell what to type.
    files        its files, which stand beside its control file; that need not exist.
    setup        what its control file says.
    competition  the format's own object; games are counted in it by `count`, and by a run. When that reads
                 its control file again another one takes its place, and that of the setup.
    comparison   which of the games that were counted do not count; none before.
    failures     the void games that were counted, and what is set aside.   suspended: who is, and why.
    agreeing     the players that do not play the clean-up phases: who plays with them is asked for the score.
    """

    comparison: Comparison
    failures: Failures
    suspended: Mapping[str, str]

    def __init__(self, setup: CompetitionSetup, *, source: str, control_file: Path) -> None:
        self.source = source
        self.files = CompetitionFiles(control_file)
        self.agreeing: frozenset[str] = frozenset()
        self.begin_anew(setup.with_secret(read_secret(self.files.database)))

    @classmethod
    def open(cls, path: Path, warn: Warn) -> Self:
        """The event of a control file; warn: told what may be a mistake in it. Raises ConfigError."""
        setup = load(path)
        for warning in setup.warnings:
            warn(warning)
        return cls(setup, source=str(path), control_file=path)

    def tables(self) -> Tables:
        """The tables, trees and charts of what has been counted."""
        return tables_of(self.setup, self.competition)

    def begin_anew(self, setup: CompetitionSetup | None = None) -> None:
        """Have nothing counted; setup: another one that takes the place of this."""
        self.setup: CompetitionSetup = setup or self.setup
        self.competition: Any = unplayed(self.setup)
        self.comparison = Comparison(self.setup)
        self.failures, self.suspended = Failures(), {}

    def count(self, store: Store, *others: Any, retry: bool = False) -> Counted:
        """Count what is stored, here and in `others`; see `gyoji.scheduler.event`. Raises ConfigError."""
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
                f"{self.source}: an older gyoji began this event with the seed 0, so everything "
                "random in its games can be computed; `gyoji reset` begins again, with a secret seed"
            )
        if setup.seed != self.setup.seed:
            self.begin_anew(setup)
