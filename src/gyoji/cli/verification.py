"""Verification of a store: the database, each game, and the tables."""

# Four independent accounts are compared, none of which trusts another:
#
#     database        row numbers, counts and checksums (`Store.problems`) moves           each game is
#     refereed again, without engines (`referee.review`): moves, clocks, result competition     the games that
#     it would issue, in order (`scheduler.reload.Issued`): who plays whom, seeds record files    the SGF or
#     other files beside the database
#
# Then the tables are made twice, of the results as stored and as refereed again. If no result differs they
# are the same, and are not compared.
#
# A store may be damaged anywhere, so each step carries on: an unreadable row is counted and reported, and
# what cannot have been written by a referee raises anything in the rules, which is reported as a difference.

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from gyoji.core.faults import Breakdown, ConfigError
from gyoji.core.game import RecordFormat
from gyoji.core.messages import Scored
from gyoji.core.outcome import Outcome
from gyoji.core.plugins import GAMES, PROTOCOLS
from gyoji.core.ports import supports
from gyoji.core.record import GameRecord, GameResult, Ruling
from gyoji.core.spec import GameSpec
from gyoji.core.tables import json_ready, records_by_name
from gyoji.core.text import printable, quote
from gyoji.pairing.rounds import KeepsPairs
from gyoji.play.context import make_rules
from gyoji.referee.review import Difference, Review
from gyoji.results.comparison import Comparison
from gyoji.results.cross import crosses_of
from gyoji.results.failures import SkippedGame
from gyoji.results.game_ids import plain
from gyoji.results.standings import order_of
from gyoji.scheduler.event import Endings, Event, comparable, failures_of, moment, take
from gyoji.scheduler.reload import Issued
from gyoji.stats.ratings import rate
from gyoji.store.game_texts import StoredGame
from gyoji.store.layout import Damage
from gyoji.store.store import Store
from gyoji.tables.digest import ReportDigest
from gyoji.tables.event_tables import tables_of, unplayed
from gyoji.tables.rating_tables import rating_facts
from gyoji.tables.report_tables import counted_tables

_TABLE = "table: "


def is_figure(difference: Difference) -> bool:
    """Return whether a difference is between tables. Such differences only follow from those in games."""
    return difference.what.startswith(_TABLE)


class Verification:
    """One pass through a store, in which every game is refereed again.

    Attributes:
        games: Number of games that were refereed again.
        moves: Number of the turns of these games.
        unread: Number of rows of games that cannot be read.
        apart: Number of games with other settings, which are not compared with what the competition issues.
    """

    def __init__(self, store: Store, event: Event | None, records: Path) -> None:
        self._store = store
        self._event = event
        self._records = records
        self._issued = None if event is None else Issued(event.competition)
        if event is not None and supports(event.competition, KeepsPairs):
            # A round that was paired by other rules or arrangements stays as it was played.
            with suppress(ConfigError):  # of damage, which is reported where it is
                for result in comparable(store, Comparison(event.setup)):
                    event.competition.keep(plain(result))
        self.tables: _TwoTables | None = None if event is None else _TwoTables(event)
        self.games = self.moves = self.unread = self.excluded = self.with_records = 0

    @property
    def totals(self) -> dict[str, int]:
        """The numbers of things that were checked, JSON-ready."""
        return {
            "games": self.games,
            "moves": self.moves,
            "record_files": self.with_records,
            "games_excluded": self.excluded,
            "unreadable": self.unread,
        }

    def differences(self) -> Iterator[Difference | None]:
        """Yield all differences in the order of games, and None after each game, for a display of progress.

        Raises:
            ConfigError: The file cannot be read at all.
        """
        said = set()
        for problem in self._store.problems():
            said.add(problem)
            yield Difference(problem)
        try:
            rulings, last = dict(self._store.rulings()), self._store.count
        except ConfigError as error:
            if _detail(error) not in said:
                yield Difference(_detail(error))
            return
        aside = self._skipped()
        for number in range(1, last + 1):
            while aside and moment(aside[0]) < number:
                yield from self._count_skipped(aside.popleft())
            try:
                game = self._store.as_played(number)
            except KeyError:
                self.unread += 1
                continue
            except ConfigError as error:
                self.unread += 1
                if _detail(error) not in said:
                    yield Difference(_detail(error))
                continue
            yield from self._look_at(game, rulings.get(game.spec.id))
            yield None
        for last_one in aside:
            yield from self._count_skipped(last_one)
        if self._issued is not None:
            yield from self._issued.end()
        if self.tables is not None:
            yield from (
                Difference(f"{_TABLE}{name}", got, expected)
                for name, got, expected in self.tables.differences()
            )

    def _skipped(self) -> deque[SkippedGame]:
        """Return the skipped games, in the order in which they were skipped."""
        with suppress(ConfigError):  # of rows that have been told of
            return deque(sorted(failures_of(self._store).skipped.values(), key=moment))
        return deque()

    def _count_skipped(self, game: SkippedGame) -> Iterator[Difference]:
        if self._issued is not None and self.tables is not None:
            self.tables.count_skipped(game)
            yield from self._issued.count_skipped(game)

    def _look_at(self, game: StoredGame, ruling: Ruling | None) -> Iterator[Difference]:
        record = game.record
        spec = game.spec
        self.games += 1
        self.moves += len(record.turns)
        outcome, differences = judged_again(spec, record)
        yield from (each._replace(game=spec.id) for each in differences)
        ruled = record if ruling is None else replace(record, result=ruling.applied(record.result))
        yield from self._compare_files(spec, ruled)
        derived = replace(record.result, outcome=outcome)
        if self._event is None or self._issued is None or self.tables is None:
            return
        try:
            if not self._event.comparison.takes(ruled.result, game.by, self._store.text):
                self.excluded += 1
                return
            misissues = self._issued.add(game.spec, ruled.result)
            self.tables.add(ruled.result, derived if ruling is None else ruled.result)
        except (ConfigError, ValueError) as error:
            yield Difference(str(error), game=game.spec.id)
            return
        yield from misissues

    def _compare_files(self, spec: GameSpec, ruled: GameRecord) -> Iterator[Difference]:
        """Compare the game's record files with the store. Missing files are no difference."""
        named = self._event.setup.record_formats if self._event is not None else ()
        for name in named or GAMES.find(spec.game).records:
            form = GAMES.find(spec.game).record_format(name)
            path = self._records / f"{spec.id}{form.suffix}"
            if form.write is None:
                continue
            try:
                data = path.read_bytes()
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                yield Difference(f"{path}: {error.strerror}", game=spec.id)
                continue
            self.with_records += 1
            try:
                wanted = form.write(spec, ruled)
            except Exception as error:  # noqa: BLE001 (no file can be of a game that is none)
                yield Difference(
                    f"{path}: the stored game cannot be written so: {_told(error)}", game=spec.id
                )
                continue
            if difference := _difference_of_files(form, data, wanted):
                what, got, expected = difference
                yield Difference(f"{path}: {what}", got, expected, game=spec.id)


def judged_again(spec: GameSpec, record: GameRecord) -> tuple[Outcome, list[Difference]]:
    """Return (the outcome that the moves of a game lead to, differences from its record)."""
    try:
        rules = make_rules(spec)
    except Breakdown as error:
        return record.result.outcome, [Difference("settings", str(error), "those of a game")]
    readers = [_score_reader(player.protocol) for player in (*spec.players, spec.scoring_player) if player]
    try:
        review = Review(spec, rules, record, readers)
    except Exception as error:  # noqa: BLE001 (what no referee can have written breaks the rules in its own way)
        return record.result.outcome, [Difference("record", _told(error), "that of a game")]
    return review.outcome, review.differences


def _told(error: Exception) -> str:
    return printable(f"{type(error).__name__}: {error}")


@cache
def _score_reader(protocol: str) -> Callable[[str], Scored]:
    """Return the function that reads a score as engines of the protocol report it.

    A protocol without such a function gets one that returns an empty score.
    """
    return PROTOCOLS.find(protocol).read_score or Scored


def _difference_of_files(form: RecordFormat, found: bytes, wanted: bytes) -> tuple[str, str, str] | None:
    """Return (what, got, expected) of the first line that differs, None if both files record the same game.

    Files with different bytes record the same game if their format reads the same content of them: another
    version of gyoji wrote one, or a person added a comment.
    """
    if found == wanted:
        return None
    if form.content is not None:
        try:
            if form.content(found) == form.content(wanted):
                return None
        except ValueError as error:
            return f"cannot be read: {printable(str(error))}", "", ""
    got, expected = found.splitlines(), wanted.splitlines()
    number = next(
        (at for at, pair in enumerate(zip(got, expected, strict=False)) if pair[0] != pair[1]), None
    )
    number = min(len(got), len(expected)) if number is None else number
    shown = [
        quote(each[number].decode("utf-8", "replace")) if number < len(each) else "its end"
        for each in (got, expected)
    ]
    return f"line {number + 1}", shown[0], shown[1]


def _detail(error: ConfigError) -> str:
    return error.detail if isinstance(error, Damage) else str(error)


MOST_RATED = 200
"""Most players whose ratings are compared. For more it takes longer than refereeing their games."""


class _Fold:
    """A competition to which one set of results has been added, and its tables."""

    def __init__(self, event: Event) -> None:
        self._event = event
        self._competition = unplayed(event.setup)
        self._endings = Endings()
        self._digest = ReportDigest(0, event.setup.players)

    def add(self, result: GameResult) -> None:
        self._competition.add(plain(result))
        self._endings.add(result)
        self._digest.add(result)

    def count_skipped(self, game: SkippedGame) -> None:
        take(self._competition, game)

    def values(self) -> dict[str, Any]:
        """Return all figures by their paths."""
        made = tables_of(self._event.setup, self._competition)
        values = {
            "remaining": self._competition.remaining(),
            "endings": self._endings.by_pairing,
            **json_ready(made.facts()),
            **records_by_name(
                counted_tables(self._event.setup, made.tables(), crosses_of(self._competition), self._digest)
            ),
        }
        if 0 < len(self._digest.ledger.meetings().players) <= MOST_RATED:
            ratings = rating_facts(rate(self._digest.ledger, order=order_of(self._competition)))
            values["ratings"] = {**ratings, "players": list(ratings["players"])}
        return dict(_leaves(values, ""))


class _TwoTables:
    """The tables from the stored results, and those from the results of refereeing again.

    They are compared only if a result differs.
    """

    def __init__(self, event: Event) -> None:
        self._stored, self._derived = _Fold(event), _Fold(event)
        self._is_same = True

    def add(self, stored: GameResult, derived: GameResult) -> None:
        """Count a result as it is stored and as it was refereed again."""
        self._stored.add(stored)
        self._derived.add(derived)
        self._is_same = self._is_same and stored == derived

    def count_skipped(self, game: SkippedGame) -> None:
        """Count a game that is not played any more."""
        self._stored.count_skipped(game)
        self._derived.count_skipped(game)

    def differences(self) -> Iterator[tuple[str, str, str]]:
        """Yield (name of a figure, its value by the stored results, its value by the results of refereeing
        again).
        """
        if self._is_same:
            return
        stored, derived = self._stored.values(), self._derived.values()
        for name in dict.fromkeys((*stored, *derived)):
            got, expected = stored.get(name, "none"), derived.get(name, "none")
            if got != expected:
                yield name, _shown(got), _shown(expected)


def _shown(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from _leaves(each, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list | tuple):
        for number, each in enumerate(value):
            yield from _leaves(each, f"{path}[{number}]")
    else:
        yield path, value
