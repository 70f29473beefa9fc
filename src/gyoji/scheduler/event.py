"""An open event: a competition with its files, its stored games counted, and its reports.

`gyoji.scheduler.run.taking` locks one to play it.
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
from gyoji.core.tables import Block, Tables, json_ready, records_by_name
from gyoji.core.text import quote
from gyoji.pairing.shards import Deal, Shard
from gyoji.report.text import text_lines
from gyoji.results.comparison import Comparison
from gyoji.results.cross import crosses_of
from gyoji.results.failures import Failures, SkippedGame, Suspensions
from gyoji.results.game_ids import plain, plain_id
from gyoji.results.variants import Refusals
from gyoji.scheduler.shards_file import read_shards, shard_files, shards_of
from gyoji.store.connections import read_secret
from gyoji.store.files import CompetitionFiles
from gyoji.store.store import Store
from gyoji.tables.digest import ResultsDigest
from gyoji.tables.event_tables import head, tables_of, unplayed
from gyoji.tables.head_to_head import head_to_head_table, repeated_line
from gyoji.tables.host_results import hosts_table
from gyoji.tables.notes import note_tables, remarks
from gyoji.tables.report_tables import counted_tables
from gyoji.tables.totals import totals_table


def comparable(store: Store, comparison: Comparison, skip: int = 0) -> Iterator[GameResult]:
    """Yield the stored results that count, in order of completion, without the first `skip` stored games.

    `comparison` then has the results that do not count. Raises ConfigError for a damaged file.
    """
    return filter(None, _judged(store, comparison, skip))


def _judged(store: Store, comparison: Comparison, skip: int = 0) -> Iterator[GameResult | None]:
    """Yield the stored results, with None for each one that does not count."""
    takes, text = comparison.takes, store.text
    for result, by in store.played(skip=skip):
        try:
            counts = takes(result, by, text)
        except ValueError as error:
            raise ConfigError(f"{store.path}: game {result.id}: what it was played by: {error}") from None
        yield result if counts else None


def failures_of(store: Store) -> Failures:
    """Return the stored void games. Raises ConfigError for a damaged file."""
    failures, names = Failures(), dict[str, None]()
    for void, attempt in store.voids():
        failures.add(void, attempt)
        names[void.id] = None
    for name in names:
        if store.has(name):
            failures.settle(name)
    return failures


def as_it_was(store: Store, comparison: Comparison, failures: Failures) -> Iterator[GameResult | SkippedGame]:
    """Yield the results that count and the skipped games, in the order in which the competition got them."""
    left = deque(sorted(failures.skipped.values(), key=moment))
    return _between(_judged(store, comparison), left) if left else comparable(store, comparison)


def _between(
    judged: Iterable[GameResult | None], left: deque[SkippedGame]
) -> Iterator[GameResult | SkippedGame]:
    for number, result in enumerate(judged):
        while left and moment(left[0]) <= number:
            yield left.popleft()
        if result is not None:
            yield result
    yield from left


def moment(game: SkippedGame) -> float:
    """Return the number of games stored before this one was skipped; infinity if that is unknown."""
    return float("inf") if game.last.after < 0 else game.last.after


def take(competition: Competition, each: GameResult | SkippedGame) -> None:
    """Add a result or a skipped game, under its plain id, to a competition."""
    if isinstance(each, SkippedGame):
        with suppress(ConfigError):  # of players, or a pairing, that the control file does not have any more
            competition.add(plain(each.result()))
    else:
        competition.add(plain(each))


class Counted(NamedTuple):
    """What counting the stored games has found besides results: differences, void games, suspensions."""

    comparison: Comparison
    failures: Failures
    suspensions: Suspensions


class Fold(Protocol):
    """An accumulator of the results that count."""

    def add(self, result: GameResult, /) -> object: ...


def count(
    store: Store, comparison: Comparison, competition: Competition, *others: Fold, retry: bool = False
) -> Counted:
    """Add all stored results that count, and the skipped games, to a competition.

    Args:
        others: Further folds, which get the results alone.
        retry: Ignore skipped games and suspensions. A competition that adapts keeps its skipped games: it
            has gone on from them.
    """
    failures, suspensions = failures_of(store), Suspensions(comparison.setup)
    if retry and not adapts(competition):
        failures.forget()
    add, also = competition.add, [other.add for other in others]
    if comparison.setup.suspend_crashes and not retry:
        also.append(suspensions.add)
    for each in as_it_was(store, comparison, failures):
        if isinstance(each, SkippedGame):
            take(competition, each)
            suspensions.count_skipped(each)
            continue
        add(plain(each))
        for add_also in also:
            add_also(each)
    return Counted(comparison, failures, suspensions)


Warn = Callable[[str], object]
"""A function that shows the user a line."""


class Event:
    """A competition and everything that belongs to it.

    Attributes:
        source: The control file as the user named it, for messages.
        files: Its files, which stand beside the control file. They need not exist.
        setup: The content of its control file.
        competition: The format's object, to which `count` and runs add games.
        comparison: The counted games that do not count.
        failures: The counted void games and skipped games.
        suspended: Suspended players, with reasons.
        shard: The part of its games that this event plays; None for all.
        origin: Identity of a divided competition's store; None if the competition is not divided.
        agreeing: Players without clean-up phases. Their games are scored by the players.
        found: Protocol settings that the check before the run found a player to need, by player.
        refusals: Variants that players refuse.
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
        secret = self.origin.secret if self.origin else read_secret(self.files.database)
        self.begin_anew(setup.with_secret(secret))

    @classmethod
    def open(cls, path: Path, warn: Warn = lambda _: None, shard: Shard | None = None) -> Self:
        """Return the event of a control file.

        Args:
            warn: Gets possible mistakes in the file.
            shard: The part of its games to play, with results of its own; None for all.

        Raises:
            ConfigError: The file is wrong.
        """
        setup = load(path)
        for warning in setup.warnings:
            warn(warning)
        return cls(setup, source=str(path), control_file=path, shard=shard)

    def tables(self) -> Tables:
        """Return the tables, trees and charts of the counted games."""
        return tables_of(self.setup, self.competition)

    def begin_anew(self, setup: CompetitionSetup | None = None) -> None:
        """Begin without counted games, with another setup if one is given."""
        self.setup: CompetitionSetup = setup or self.setup
        self.competition: Any = unplayed(self.setup)
        self.comparison = Comparison(self.setup)
        self.failures, self.suspended = Failures(), {}

    def count(self, store: Store, *others: Fold, retry: bool = False) -> Counted:
        """Count the stored games, see `count`. Raises ConfigError."""
        counted = count(store, self.comparison, self.competition, *others, retry=retry)
        self.failures, self.suspended = counted.failures, counted.suspensions.all()
        return counted

    def count_more(self, store: Store, skip: int, *others: Fold) -> int:
        """Count the games stored after the first `skip`. Return the number of stored games.

        Void games and rulings are ignored. Raises ConfigError.
        """
        for result in comparable(store, self.comparison, skip):
            self.competition.add(plain(result))
            for other in others:
                other.add(result)
        return store.count

    def share(self, store: Store) -> frozenset[str] | None:
        """Return the plain ids of this shard's games without a result; None if the event is not a shard.

        All stored games have been counted before. Raises ConfigError.
        """
        if self.shard is None:
            return None
        deal = Deal(unplayed(self.setup), self.shard.of, source=self.source)
        done = {plain_id(result.id) for result in comparable(store, Comparison(self.setup))}
        return deal.games(self.shard) - done - {plain_id(name) for name in self.failures.skipped}

    def read(self) -> Store:
        """Open its store for reading. Raises ConfigError if there is none, or it belongs to another
        competition.
        """
        return Store.read(self.files.database, competition=self.setup.code)

    def finished(self, store: Store, game_id: str) -> tuple[GameSpec, GameRecord]:
        """Return a stored game with its settings. Raises ConfigError for an unknown id."""
        try:
            return store.record(game_id)
        except KeyError:
            raise ConfigError(f"{self.source}: there is no finished game {quote(game_id)}") from None

    def take_secret(self, store: Store) -> None:
        """Begin anew with the seed that the store has drawn, unless it is the seed of this event already."""
        setup = self.setup.with_secret(store.secret)
        if setup.seed != self.setup.seed:
            self.begin_anew(setup)

    def digest(self) -> ResultsDigest:
        """Return the digest of all stored results that count; it is empty if none is stored."""
        digest = ResultsDigest(self.setup.players)
        if self.files.database.exists():
            with self.read() as store:
                for result in comparable(store, Comparison(self.setup)):
                    digest.add(result)
        return digest


# What there is to say of an event whose games are counted: by the command line, and from Python


class Endings(Struct):
    """Counts of game endings by pairing, and the games that wait for a judge.

    Attributes:
        counts: Whether endings are counted. There may be half a million pairings, and few reports show
            them.
        games: Number of counted games.
        waiting: Ids of games that wait for a judge.
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


def report_lines(event: Event, digest: ResultsDigest) -> list[str]:
    """Return the whole report of the counted games as text.

    A gomill control file gets gomill's layout, without head-to-head records and hosts.
    """
    lines = list(text_lines(event.tables().report()))
    is_gomill = event.setup.names_games  # as only its control files do
    parts = (
        [totals_part(event, digest)]
        if is_gomill
        else [
            totals_part(event, digest),
            text_part(head_to_head_table(digest.head_to_head, event.setup.players)),
            text_part(hosts_table(digest.hosts)),
        ]
    )
    engines = None if is_gomill else event.competition.engines
    for part in (*parts, remarks(event.comparison, event.failures, engines=engines)):
        lines += part[bool(lines) and not lines[-1] :]
    return lines


def event_values(event: Event, endings: Endings, digest: ResultsDigest) -> dict[str, Any]:
    """Return the whole report of the counted games, JSON-ready."""
    own = event.tables()
    tables = [
        *counted_tables(event.setup, own.tables(), crosses_of(event.competition), digest),
        *note_tables(event.comparison, event.failures, event.competition.engines),
    ]
    return {
        **head(event.setup, event.competition),
        **json_ready(own.facts()),
        "endings": endings.by_pairing,
        "void_games": event.failures.count,
        "waiting_for_judge": endings.waiting,
        "suspended_players": dict(event.suspended),
        "repeated_games": digest.head_to_head.repeated,
        "tables": records_by_name(tables),
    }


def totals_part(event: Event, digest: ResultsDigest) -> list[str]:
    """Return the table of totals after a blank line, as a part of a longer text; [] for a game without
    totals.
    """
    game = GAMES.find(event.setup.game)
    return text_part(totals_table(digest.totals, game)) if game.unit else []


def repeated_part(digest: ResultsDigest) -> list[str]:
    """Return a line about games that repeat others, after a blank line, for the screen."""
    return text_part(repeated_line(digest.head_to_head))


def text_part(block: Block) -> list[str]:
    """Return a table or text after a blank line, as a part of a longer text; [] if it is empty."""
    lines = list(filter(None, text_lines([block])))
    return ["", *lines] if lines else []
