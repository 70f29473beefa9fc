"""An event: a competition with its files, the results of its stored games, and its reports.

`gyoji.scheduler.run.taking` locks an event in order to play it.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
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
from gyoji.scheduler.objections import check_terms
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
    """Yield the stored results that count, in the order in which the games were stored.

    Games that were played with other settings or were invalidated do not count.

    Args:
        comparison: Decides which results are yielded. Afterwards it lists the games that do not count.
        skip: Number of stored games to leave out, the oldest ones.

    Raises:
        ConfigError: The database is damaged.
    """
    return filter(None, _judged(store, comparison, skip))


def _judged(store: Store, comparison: Comparison, skip: int = 0) -> Iterator[GameResult | None]:
    """Yield each stored result, or None in its place if it does not count (see `comparable`).

    Args:
        skip: Number of stored games to leave out, the oldest ones.
    """
    takes, text = comparison.takes, store.text
    for result, by in store.played(skip=skip):
        try:
            counts = takes(result, by, text)
        except ValueError as error:
            raise ConfigError(f"{store.path}: game {result.id}: what it was played by: {error}") from None
        yield result if counts else None


def failures_of(store: Store) -> Failures:
    """Collect the failed attempts at games (void games) that the database has.

    A game that got a result later counts as no longer failing.

    Raises:
        ConfigError: The database is damaged.
    """
    failures, names = Failures(), dict[str, None]()
    for void, attempt in store.voids():
        failures.add(void, attempt)
        names[void.id] = None
    for name in names:
        if store.has(name):
            failures.settle(name)
    return failures


def as_it_was(store: Store, comparison: Comparison, failures: Failures) -> Iterator[GameResult | SkippedGame]:
    """Yield the results that count and the skipped games, in the order in which earlier runs added them.

    If results decide which games are next, a competition issues the same games again only in that order.
    """
    left = deque(sorted(failures.skipped.values(), key=moment))
    for number, result in enumerate(_judged(store, comparison)):
        while left and moment(left[0]) <= number:
            yield left.popleft()
        if result is not None:
            yield result
    yield from left


def moment(game: SkippedGame) -> float:
    """Return how many games were stored before this one was skipped; infinity if that is unknown."""
    return float("inf") if game.last.after < 0 else game.last.after


def take(competition: Competition, each: GameResult | SkippedGame) -> None:
    """Add a result or a skipped game to a competition.

    A repetition that is stored as game "0_3@2" is added under the competition's own id of the game, "0_3". A
    skipped game is ignored if the control file no longer has its players or its pairing.
    """
    if isinstance(each, SkippedGame):
        with suppress(ConfigError):  # of players, or a pairing, that the control file does not have any more
            competition.add(plain(each.result()))
    else:
        competition.add(plain(each))


class Counted(NamedTuple):
    """What counting the stored games has found, besides the results that count.

    Attributes:
        comparison: Games that do not count: played with other settings, or invalidated.
        failures: Void games, which ended without a result, and the games skipped for that.
        suspensions: Players whose games are skipped because their engines crash too often.
    """

    comparison: Comparison
    failures: Failures
    suspensions: Suspensions


class Fold(Protocol):
    """An accumulator of results: `add` gets them one after the other."""

    def add(self, result: GameResult, /) -> object: ...


def count(
    store: Store, comparison: Comparison, competition: Competition, *others: Fold, retry: bool = False
) -> Counted:
    """Add all stored results that count, and the skipped games, to a competition.

    Args:
        comparison: Decides which results count: those played with the present settings and not invalidated.
        competition: The competition before its first game.
        others: Further objects that get each result.
        retry: Whether to play skipped games, and games of suspended players, again. If the competition's next
            games depend on results, skipped games stay skipped.
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
    """A competition with everything that belongs to it.

    Attributes:
        source: The control file as the user named it, for messages.
        files: Paths of the database, log and records beside the control file. They need not exist.
        setup: The content of the control file.
        competition: The competition itself. It knows the games that `count` has read and runs have played.
        comparison: The stored games that do not count, because they were played with other settings or were
            invalidated.
        failures: The stored games that ended without a result, and the skipped ones.
        suspended: The reason for each player whose games are skipped after too many crashes.
        shard: The part of the games that this event plays; None for all.
        origin: Identity that the database of each part carries; None if the competition is not divided.
        hidden: Further paths that engines do not see during the check before the run.
        agreeing: Players whose engines have no clean-up phase for dead stones. If `without_cleanup` is
            "players", the engines that play a game with such a player score it.
        found: By player: protocol settings that its engine needs, as the check before the run found.
        refusals: By player: the sets of game options, such as a board size, that its engine refuses.
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
        """Read a control file and return its event.

        Args:
            warn: Gets a line for each possible mistake in the file.
            shard: The part of the games to play, with a database of its own; None for all.

        Raises:
            ConfigError: The file is wrong, or has games that the protocol of a player cannot express.
        """
        setup = load(path)
        for warning in setup.warnings:
            warn(warning)
        event = cls(setup, source=str(path), control_file=path, shard=shard)
        check_terms(event.source, setup.players.values(), event.competition.checks)
        return event

    def tables(self) -> Tables:
        """Return the tables, trees and charts that show the games counted so far."""
        return tables_of(self.setup, self.competition)

    def begin_anew(self, setup: CompetitionSetup | None = None) -> None:
        """Begin again with an empty competition. All counted games are forgotten.

        Args:
            setup: The new content of the control file; None if it is unchanged.
        """
        self.setup: CompetitionSetup = setup or self.setup
        self.competition: Any = unplayed(self.setup)
        self.comparison = Comparison(self.setup)
        self.failures, self.suspended = Failures(), {}

    def count(self, store: Store, *others: Fold, retry: bool = False) -> Counted:
        """Add the stored results that count, and the skipped games, to the competition.

        Args:
            others: Further objects that get each result that counts.
            retry: Play skipped games and games of suspended players again. If the next games depend on
                results, skipped games stay skipped.

        Raises:
            ConfigError: The database is damaged.
        """
        counted = count(store, self.comparison, self.competition, *others, retry=retry)
        self.failures, self.suspended = counted.failures, counted.suspensions.all()
        return counted

    def count_more(self, store: Store, skip: int, *others: Fold) -> int:
        """Add the results stored after the first `skip` games to the competition and to each of `others`.

        Games without a result, and a judge's later decisions, are ignored.

        Returns:
            The number of all stored games.

        Raises:
            ConfigError: A result does not fit the competition.
        """
        for result in comparable(store, self.comparison, skip):
            self.competition.add(plain(result))
            for other in others:
                other.add(result)
        return store.count

    def share(self, store: Store) -> frozenset[str] | None:
        """Return the ids of the games that this part of a divided competition has still to play.

        Call `count` before. None means that the competition is not divided.

        Raises:
            ConfigError: The competition cannot be divided, or its database is damaged.
        """
        if self.shard is None:
            return None
        deal = Deal(unplayed(self.setup), self.shard.of, source=self.source)
        done = {plain_id(result.id) for result in comparable(store, Comparison(self.setup))}
        return deal.games(self.shard) - done - {plain_id(name) for name in self.failures.skipped}

    def read(self) -> Store:
        """Open the database for reading.

        Raises ConfigError if it does not exist or belongs to another competition.
        """
        return Store.read(self.files.database, competition=self.setup.code)

    def finished(self, store: Store, game_id: str) -> tuple[GameSpec, GameRecord]:
        """Return (settings, record) of a stored game. Raises ConfigError for an unknown id."""
        try:
            return store.record(game_id)
        except KeyError:
            raise ConfigError(f"{self.source}: there is no finished game {quote(game_id)}") from None

    def take_secret(self, store: Store) -> None:
        """Use the secret of the database, from which the seeds of games follow.

        If the event had another secret so far, all counted games are forgotten.
        """
        setup = self.setup.with_secret(store.secret)
        if setup.seed != self.setup.seed:
            self.begin_anew(setup)

    def digest(self) -> ResultsDigest:
        """Return sums over all stored results that count, from which tables are made; empty without a
        database."""
        digest = ResultsDigest(self.setup.players)
        if self.files.database.exists():
            with self.read() as store:
                for result in comparable(store, Comparison(self.setup)):
                    digest.add(result)
        return digest


# Reports of an event whose games are counted, for the command line and from Python


class Endings(Struct):
    """Sums over results: how games ended by pairing, and which wait for a judge.

    Attributes:
        counts: Whether to fill `by_pairing`, which takes much memory if there are many pairings.
        games: Number of games.
        by_pairing: For each pairing the number of games by ending.
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
    """Return the whole report as lines of text.

    For a control file of gomill (.ctl) it is gomill's report: without the tables of head-to-head results and
    of machines.
    """
    lines = list(text_lines(event.tables().report()))
    is_gomill = event.setup.names_games  # as only its control files do
    parts = [totals_part(event, digest)]
    if not is_gomill:
        parts.append(text_part(head_to_head_table(digest.head_to_head, event.setup.players)))
        parts.append(text_part(hosts_table(digest.hosts)))
    engines = None if is_gomill else event.competition.engines
    for part in (*parts, remarks(event.comparison, event.failures, engines=engines)):
        lines += part[bool(lines) and not lines[-1] :]
    return lines


def event_values(event: Event, endings: Endings, digest: ResultsDigest) -> dict[str, Any]:
    """Return the whole report as a JSON-ready object."""
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
    """Return a blank line and the table of totals, such as treasure won; [] for a game without totals."""
    game = GAMES.find(event.setup.game)
    return text_part(totals_table(digest.totals, game)) if game.unit else []


def repeated_part(digest: ResultsDigest) -> list[str]:
    """Return a blank line and how many games repeat others move for move; [] if none does."""
    return text_part(repeated_line(digest.head_to_head))


def text_part(block: Block) -> list[str]:
    """Return a blank line and a table or text as lines; [] if the table is empty."""
    lines = list(filter(None, text_lines([block])))
    return ["", *lines] if lines else []
