"""Everything that is stored of a competition looked at again: the file, each game, the tables.

The tables are made twice: of the results that are stored, and of those that moves come to.
"""

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
from gyoji.core.ports import offers
from gyoji.core.record import GameRecord, GameResult, Ruling
from gyoji.core.spec import GameSpec, scaled
from gyoji.core.text import printable, quote
from gyoji.pairing.comparison import Comparison
from gyoji.pairing.failures import SetAside
from gyoji.pairing.games import plain
from gyoji.pairing.rounds import KeepsPairs
from gyoji.pairing.standings import order_of
from gyoji.play.context import make_rules
from gyoji.referee.review import Difference, Review
from gyoji.scheduler.event import Endings, Event, comparable, failures_of, moment, take
from gyoji.scheduler.reload import Issued
from gyoji.stats.ratings import rate
from gyoji.store.layout import Damage
from gyoji.store.store import Store
from gyoji.store.stored import StoredGame
from gyoji.tables.digest import Digest
from gyoji.tables.event import tables_of, unplayed
from gyoji.tables.ratings import rating_values

_TABLE = "table: "


def is_figure(difference: Difference) -> bool:
    """Whether it is a figure of the tables, which follows from what is told of games."""
    return difference.what.startswith(_TABLE)


class Verification:
    """Goes through a store. event: that of its control file, None for a database alone.

    games, moves  how many have been played over.   unread  rows of games that could not be.
    apart         games of other settings, which were not compared with what the competition issues.
    """

    def __init__(self, store: Store, event: Event | None, records: Path) -> None:
        self._store = store
        self._event = event
        self._records = records
        self._issued = None if event is None else Issued(event.competition)
        if event is not None:
            _keep_pairs(event, store)
        self.tables: _TwoTables | None = None if event is None else _TwoTables(event)
        self.games = self.moves = self.unread = self.apart = self.with_records = 0

    @property
    def totals(self) -> dict[str, int]:
        """The numbers of things that have been looked at, JSON-ready."""
        return {
            "games": self.games,
            "moves": self.moves,
            "record_files": self.with_records,
            "games_apart": self.apart,
            "unreadable": self.unread,
        }

    def differences(self) -> Iterator[Difference | None]:
        """Everything that differs, in the order of the games; None after each game, to show progress by.

        Raises ConfigError where the file cannot be read at all.
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
        aside = self._set_aside()
        for number in range(1, last + 1):
            while aside and moment(aside[0]) < number:
                yield from self._count_aside(aside.popleft())
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
            yield from self._count_aside(last_one)
        if self._issued is not None:
            yield from self._issued.end()
        if self.tables is not None:
            yield from (
                Difference(f"{_TABLE}{name}", got, expected)
                for name, got, expected in self.tables.differences()
            )

    def _set_aside(self) -> deque[SetAside]:
        """The games that are not played any more, in the order in which it came to that."""
        with suppress(ConfigError):  # of rows that have been told of
            return deque(sorted(failures_of(self._store).set_aside.values(), key=moment))
        return deque()

    def _count_aside(self, game: SetAside) -> Iterator[Difference]:
        if self._issued is not None and self.tables is not None:
            self.tables.set_aside(game)
            yield from self._issued.set_aside(game)

    def _look_at(self, game: StoredGame, ruling: Ruling | None) -> Iterator[Difference]:
        record = game.record
        spec = scaled(game.spec, record.result.clock_factor)
        self.games += 1
        self.moves += len(record.turns)
        outcome, differences = judged_again(spec, record)
        yield from (each._replace(game=spec.id) for each in differences)
        ruled = record if ruling is None else replace(record, result=ruling.applied(record.result))
        yield from self._compare_files(spec, record, ruled)
        derived = replace(record.result, outcome=outcome)
        yield from self._compare_issue(game, ruled.result, derived if ruling is None else ruled.result)

    def _compare_issue(
        self, game: StoredGame, result: GameResult, derived: GameResult
    ) -> Iterator[Difference]:
        """Whether the competition issues such a game; it is counted, as stored and as judged again."""
        if self._event is None or self._issued is None or self.tables is None:
            return
        try:
            if not self._event.comparison.takes(result, game.by, self._store.text):
                self.apart += 1
                return
            misissues = self._issued.add(game.spec, result)
            self.tables.add(result, derived)
        except (ConfigError, ValueError) as error:
            yield Difference(str(error), game=game.spec.id)
            return
        yield from misissues

    def _compare_files(self, spec: GameSpec, record: GameRecord, ruled: GameRecord) -> Iterator[Difference]:
        """Whether the files of the game beside the database say the same; where there are none, nothing."""
        for name in self._formats(spec):
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

    def _formats(self, spec: GameSpec) -> tuple[str, ...]:
        named = self._event.setup.record_formats if self._event is not None else ()
        return named or GAMES.find(spec.game).records


def judged_again(spec: GameSpec, record: GameRecord) -> tuple[Outcome, list[Difference]]:
    """(the outcome that the moves of a game come to, what differs from the record)."""
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
    """How an engine of that protocol says what the score is; where it has no way to, it says nothing."""
    return PROTOCOLS.find(protocol).read_score or Scored


def _difference_of_files(form: RecordFormat, found: bytes, wanted: bytes) -> tuple[str, str, str] | None:
    """(what, got, expected) of the first line that differs, None if both are of the same game.

    Files that differ tell the same game where what their format reads of them is the same: another gyoji has
    written one, or somebody has added a comment.
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
"""Of more players no ratings are compared: that takes longer than their games."""


class _Fold:
    """The tables of one of the two."""

    def __init__(self, event: Event) -> None:
        self._event = event
        self._competition = unplayed(event.setup)
        self._endings = Endings()
        self._digest = Digest(0, event.setup.players)

    def add(self, result: GameResult) -> None:
        self._competition.add(plain(result))
        self._endings.add(result)
        self._digest.add(result)

    def set_aside(self, game: SetAside) -> None:
        take(self._competition, game)

    def values(self) -> dict[str, Any]:
        """All figures by the path that leads to them."""
        values = dict(tables_of(self._event.setup, self._competition).values(self._endings.by_pairing))
        players = self._digest.ledger.meetings().players
        if 0 < len(players) <= MOST_RATED:
            ratings = rating_values(rate(self._digest.ledger, order=order_of(self._competition)))
            values["ratings"] = {**ratings, "players": list(ratings["players"])}
        return dict(_leaves(values, ""))


def _keep_pairs(event: Event, store: Store) -> None:
    """Let a competition know which pairs have played in each round, where these stay whatever has changed.

    A round that was paired by other rules, or arrangements, is taken as it was played.
    """
    if offers(event.competition, KeepsPairs):
        with suppress(ConfigError):  # of damage, which is told where it is
            for result in comparable(store, Comparison(event.setup)):
                event.competition.keep(plain(result))


class _TwoTables:
    """Both, while results are added. They are compared only if a result differs: else they are the same."""

    def __init__(self, event: Event) -> None:
        self._stored, self._derived = _Fold(event), _Fold(event)
        self._is_same = True

    def add(self, stored: GameResult, derived: GameResult) -> None:
        """Count a result as it is stored, and as it was judged again."""
        self._stored.add(stored)
        self._derived.add(derived)
        self._is_same = self._is_same and stored == derived

    def set_aside(self, game: SetAside) -> None:
        """Count a game that is not played any more."""
        self._stored.set_aside(game)
        self._derived.set_aside(game)

    def differences(self) -> Iterator[tuple[str, str, str]]:
        """(figure, of stored results, of derived ones)."""
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
