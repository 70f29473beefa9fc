"""An event opened: the competition of a control file, its files, its stored games counted, and what they say.

`gyoji.scheduler.run.taking` has this process alone play it.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self

from msgspec import Struct, field

from gyoji.config.competition import load
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.ports import Competition, adapts
from gyoji.core.record import GameRecord, GameResult, is_waiting
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Block, Tables
from gyoji.core.text import quote
from gyoji.pairing.comparison import Comparison
from gyoji.pairing.failures import Failures, SetAside, Suspensions
from gyoji.pairing.games import plain, plain_id
from gyoji.pairing.shards import Deal, Shard
from gyoji.pairing.variants import Refusals
from gyoji.report.text import text_lines
from gyoji.scheduler.shards import read_shards, shard_files, shards_of
from gyoji.store.files import CompetitionFiles
from gyoji.store.opening import read_secret
from gyoji.store.store import Store
from gyoji.tables.digest import Beside
from gyoji.tables.event import tables_of, unplayed
from gyoji.tables.hosts import hosts_blocks, hosts_values
from gyoji.tables.remarks import remark_values, remarks
from gyoji.tables.totals import totals_blocks, totals_values
from gyoji.tables.versus import repeated_line, versus_blocks, versus_values


def comparable(store: Store, comparison: Comparison, skip: int = 0) -> Iterator[GameResult]:
    """The stored results that count, without the first `skip`, in order of completion.

    `comparison` knows of the others then. Raises ConfigError for a damaged file.
    """
    return filter(None, _judged(store, comparison, skip))


def _judged(store: Store, comparison: Comparison, skip: int = 0) -> Iterator[GameResult | None]:
    """The same, with None in the place of each one that does not count."""
    takes, text = comparison.takes, store.text
    for result, by in store.played(skip=skip):
        try:
            counts = takes(result, by, text)
        except ValueError as error:
            raise ConfigError(f"{store.path}: game {result.id}: what it was played by: {error}") from None
        yield result if counts else None


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
    return _between(_judged(store, comparison), left) if left else comparable(store, comparison)


def _between(judged: Iterable[GameResult | None], left: deque[SetAside]) -> Iterator[GameResult | SetAside]:
    for number, result in enumerate(judged):
        while left and moment(left[0]) <= number:
            yield left.popleft()
        if result is not None:
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


class Fold(Protocol):
    """A fold over the results that count."""

    def add(self, result: GameResult, /) -> object: ...


def count(
    store: Store, comparison: Comparison, competition: Competition, *others: Fold, retry: bool = False
) -> Counted:
    """Add every result that counts to a competition, and to `others`.

    The competition takes the games that are set aside into account as well. retry: there are none then, and
    nobody is suspended, but what a tuner has gone on without.
    """
    failures, suspensions = failures_of(store), Suspensions(comparison.setup)
    if retry and not adapts(competition):
        failures.forget()
    add, also = competition.add, [other.add for other in others]
    if comparison.setup.suspend_crashes and not retry:
        also.append(suspensions.add)
    for each in as_it_was(store, comparison, failures):
        if isinstance(each, SetAside):
            take(competition, each)
            suspensions.set_aside(each)
            continue
        add(plain(each))
        for add_also in also:
            add_also(each)
    return Counted(comparison, failures, suspensions)


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
    shard        which part of its games this is, None for all.   origin: what its store comes from, where the
                 competition is divided into shards.
    hidden       what engines that are checked before a run are not to see, besides its own files.
    agreeing     the players that do not play the clean-up phases: who plays with them is asked for the score.
    found        by player, settings of its protocol that the check before the run found it to need.
    refusals     the variants of games that players refuse.
    """

    comparison: Comparison
    failures: Failures
    suspended: Mapping[str, str]

    def __init__(
        self, setup: CompetitionSetup, *, source: str, control_file: Path, shard: Shard | None = None
    ) -> None:
        self.source = source
        self.shard = shard
        shards = (
            shards_of(control_file, setup.code) if shard is None else read_shards(control_file, setup.code)
        )
        self.origin = shards.origin(shard) if shards else None
        if shard and shards and shard.of != shards.of:
            raise ConfigError(f"{source}: it is divided into {shards.of} shards, got {shard}")
        self.files = shard_files(control_file, shard) if shard else CompetitionFiles(control_file)
        self.agreeing: frozenset[str] = frozenset()
        self.found: Mapping[str, Mapping[str, object]] = {}
        self.refusals: Refusals = {}
        self.hidden: tuple[str, ...] = ()
        secret = self.origin.secret if self.origin else read_secret(self.files.database)
        self.begin_anew(setup.with_secret(secret))

    @classmethod
    def open(cls, path: Path, warn: Warn = lambda _: None, shard: Shard | None = None) -> Self:
        """The event of a control file; warn: told what may be a mistake in it; shard: the part of it that is
        played, with results of its own; None: all. Raises ConfigError."""
        setup = load(path)
        for warning in setup.warnings:
            warn(warning)
        return cls(setup, source=str(path), control_file=path, shard=shard)

    def tables(self) -> Tables:
        """The tables, trees and charts of what has been counted."""
        return tables_of(self.setup, self.competition)

    def begin_anew(self, setup: CompetitionSetup | None = None) -> None:
        """Have nothing counted; setup: another one that takes the place of this."""
        self.setup: CompetitionSetup = setup or self.setup
        self.competition: Any = unplayed(self.setup)
        self.comparison = Comparison(self.setup)
        self.failures, self.suspended = Failures(), {}

    def count(self, store: Store, *others: Fold, retry: bool = False) -> Counted:
        """Count what is stored, here and in `others`, as `count` does. Raises ConfigError."""
        counted = count(store, self.comparison, self.competition, *others, retry=retry)
        self.failures, self.suspended = counted.failures, counted.suspensions.all()
        return counted

    def count_more(self, store: Store, skip: int, *others: Fold) -> int:
        """Count what was stored after the first `skip` games, all of which have been counted; how many are
        stored now. Void games and rulings are not looked at. Raises ConfigError."""
        for result in comparable(store, self.comparison, skip):
            self.competition.add(plain(result))
            for other in others:
                other.add(result)
        return store.count

    def share(self, store: Store) -> frozenset[str] | None:
        """The plain ids of the games that this shard has still to play, once all that is stored has been
        counted; None for an event that is not a shard. Raises ConfigError if it cannot be one."""
        if self.shard is None:
            return None
        deal = Deal(unplayed(self.setup), self.shard.of, source=self.source)
        done = {plain_id(result.id) for result in comparable(store, Comparison(self.setup))}
        return deal.games(self.shard) - done - {plain_id(name) for name in self.failures.set_aside}

    def read(self) -> Store:
        """Its store, to be read. Raises ConfigError if there is none yet, or it is of another competition."""
        return Store.read(self.files.database, competition=self.setup.code)

    def finished(self, store: Store, game_id: str) -> tuple[GameSpec, GameRecord]:
        """A stored game with its settings. Raises ConfigError if there is none of that id."""
        try:
            return store.record(game_id)
        except KeyError:
            raise ConfigError(f"{self.source}: there is no finished game {quote(game_id)}") from None

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

    def beside(self) -> Beside:
        """All stored results that count, of which reports tell besides; nothing if none is stored."""
        beside = Beside(self.setup.players)
        if self.files.database.exists():
            with self.read() as store:
                for result in comparable(store, Comparison(self.setup)):
                    beside.add(result)
        return beside


# What there is to say of an event whose games are counted: by the command line, and from Python


class Endings(Struct):
    """How the games of each pairing ended, and which wait for the judge. Counted as the results go by.

    counts: whether endings are counted: values tell them, and there may be half a million pairings.
    games: how many have been.
    """

    counts: bool = True
    games: int = 0
    by_pairing: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    waiting: list[str] = field(default_factory=list)  # the ids of games that wait for the judge

    def add(self, result: GameResult) -> None:
        self.games += 1
        if is_waiting(result):
            self.waiting.append(result.id)
        if self.counts:
            self.by_pairing[result.pairing][result.outcome.ending.value] += 1


def report_lines(event: Event, beside: Beside) -> list[str]:
    """The whole report as text, of all that has been counted.

    That of a control file of gomill's has gomill's layout, which says nothing of pairs and of containment:
    the run does, as do the report's other forms.
    """
    lines = list(text_lines(event.tables().report()))
    is_gomill = event.setup.names_games  # as only its control files do
    parts = (
        [totals_part(event, beside)]
        if is_gomill
        else [totals_part(event, beside), versus_part(event, beside), hosts_part(beside)]
    )
    engines = None if is_gomill else event.competition.engines
    for part in (*parts, remarks(event.comparison, event.failures, engines=engines)):
        lines += part[bool(lines) and not lines[-1] :]
    return lines


def event_values(event: Event, endings: Endings, beside: Beside) -> dict[str, Any]:
    """All that there is to say of an event whose games are counted, JSON-ready."""
    engines = event.competition.engines
    game = GAMES.find(event.setup.game)
    return {
        **event.tables().values(endings.by_pairing),
        "void_games": event.failures.count,
        "waiting_for_judge": endings.waiting,
        **({"totals": totals_values(beside.totals, game)} if game.unit else {}),
        **versus_values(beside.versus, event.setup.players),
        **hosts_values(beside.hosts),
        **remark_values(event.comparison, event.failures, engines=engines, suspended=event.suspended),
    }


def totals_part(event: Event, beside: Beside) -> list[str]:
    """The table of totals as a part of something longer, after a blank line; nothing for a game without."""
    game = GAMES.find(event.setup.game)
    return _part(totals_blocks(beside.totals, game)) if game.unit else []


def versus_part(event: Event, beside: Beside) -> list[str]:
    """Two players against each other, likewise."""
    return _part(versus_blocks(beside.versus, event.setup.players))


def hosts_part(beside: Beside) -> list[str]:
    """The hosts, and whether they agree, likewise."""
    return _part(hosts_blocks(beside.hosts))


def repeated_part(beside: Beside) -> list[str]:
    """A line about games that went as one before, likewise: on the screen, which does not show the pairs."""
    return _part([line] if (line := repeated_line(beside.versus)) else [])


def _part(blocks: Iterable[Block]) -> list[str]:
    lines = list(text_lines(blocks))
    return ["", *lines] if lines else []
