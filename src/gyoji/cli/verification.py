"""Verification of a store: the database, each game, who played whom, and the record files."""

# Theory of operation
# -------------------
#
# Four independent accounts are compared, none of which trusts another:
#
#     database      row numbers, counts and checksums (`Store.problems`)
#     moves         each game is refereed again, without engines (`referee.review`): moves, clocks, result
#     competition   the games that it would issue, in order (`scheduler.reload.Issued`): who plays whom, seeds
#     record files  the SGF or other files beside the database
#
# Tables are not stored: they follow from the results, so they are right if these are.
#
# An umpire, the program that decided a game, is started again and is sent the recorded answers. It has to
# send the recorded lines again. It is the only program that a verification starts.
#
# A store may be damaged anywhere, so each step carries on: an unreadable row is counted and reported. A
# record that no referee can have written may raise any exception in the rules, which is reported as a
# difference.

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from gyoji.core.faults import Breakdown, ConfigError
from gyoji.core.game import RecordFormat
from gyoji.core.messages import Scored
from gyoji.core.plugins import GAMES, PROTOCOLS
from gyoji.core.ports import supports
from gyoji.core.record import GameRecord, Ruling
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable, quote
from gyoji.pairing.rounds import KeepsPairs
from gyoji.play.context import make_rules
from gyoji.play.tablebases import probe_of
from gyoji.play.umpire_talk import ask_again
from gyoji.referee.review import Difference, Review
from gyoji.results.comparison import Comparison
from gyoji.results.failures import SkippedGame
from gyoji.results.game_ids import plain
from gyoji.scheduler.event import Event, comparable, failures_of, moment
from gyoji.scheduler.reload import Issued
from gyoji.store.game_texts import StoredGame
from gyoji.store.layout import Damage
from gyoji.store.store import Store


class Verification:
    """One pass through a store, in which every game is refereed again.

    Attributes:
        games: Number of games that were refereed again.
        moves: Number of the turns of these games.
        unread: Number of stored games that cannot be read.
        excluded: Number of games with other settings. They are refereed, but not compared with the games that
            the competition issues.
        with_records: Number of record files that were compared.
        unverifiable: Number of games that a runner has decided, whose results cannot be computed again.
    """

    def __init__(self, store: Store, event: Event | None, records: Path) -> None:
        self._store = store
        self._event = event
        self._records = records
        self._issued = None if event is None else Issued(event.competition)
        if event is not None and supports(event.competition, KeepsPairs):
            # A round that was paired by other rules or arrangements stays as it was played.
            with suppress(ConfigError):  # damage, which `differences` reports
                for result in comparable(store, Comparison(event.setup)):
                    event.competition.keep(plain(result))
        self.games = self.moves = self.unread = self.excluded = self.with_records = self.unverifiable = 0

    @property
    def totals(self) -> dict[str, int]:
        """The numbers of games, moves and files that were checked, as a JSON-ready object."""
        return {
            "games": self.games,
            "moves": self.moves,
            "record_files": self.with_records,
            "games_excluded": self.excluded,
            "unreadable": self.unread,
            "unverifiable": self.unverifiable,
        }

    def differences(self) -> Iterator[Difference | None]:
        """Yield all differences in the order of games.

        None is yielded after each game that could be read, for a display of progress.

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

    def _skipped(self) -> deque[SkippedGame]:
        """Return the skipped games, in the order in which they were skipped."""
        with suppress(ConfigError):  # damaged rows, which have been reported
            return deque(sorted(failures_of(self._store).skipped.values(), key=moment))
        return deque()

    def _count_skipped(self, game: SkippedGame) -> Iterator[Difference]:
        if self._issued is not None:
            yield from self._issued.count_skipped(game)

    def _look_at(self, game: StoredGame, ruling: Ruling | None) -> Iterator[Difference]:
        record = game.record
        spec = game.spec
        self.games += 1
        self.moves += len(record.turns)
        differences = judged_again(spec, record)
        if GAMES.find(spec.game).decider == "relay":
            self.unverifiable += 1
        elif record.umpire and not differences:
            differences = _ask_umpire_again(spec, record)
        yield from (each._replace(game=spec.id) for each in differences)
        ruled = record if ruling is None else replace(record, result=ruling.applied(record.result))
        yield from self._compare_files(spec, ruled)
        if self._event is None or self._issued is None:
            return
        try:
            if not self._event.comparison.takes(ruled.result, game.by, self._store.text):
                self.excluded += 1
                return
            misissues = self._issued.add(game.spec, ruled.result)
        except (ConfigError, ValueError) as error:
            yield Difference(str(error), game=game.spec.id)
            return
        yield from misissues

    def _compare_files(self, spec: GameSpec, ruled: GameRecord) -> Iterator[Difference]:
        """Yield the differences between a game's record files and those that its record would make.

        A file that is missing is no difference.

        Args:
            ruled: The stored record, after the decision of a judge if there was one.
        """
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
            except Exception as error:  # noqa: BLE001 (a record that no referee wrote may raise anything)
                yield Difference(
                    f"{path}: the stored game cannot be written so: {_told(error)}", game=spec.id
                )
                continue
            if difference := _difference_of_files(form, data, wanted):
                what, got, expected = difference
                yield Difference(f"{path}: {what}", got, expected, game=spec.id)


def judged_again(spec: GameSpec, record: GameRecord) -> list[Difference]:
    """Referee a game again by its recorded moves. Return the differences from its record."""
    try:
        rules = make_rules(spec)
    except Breakdown as error:
        return [Difference("settings", str(error), "those of a game")]
    probe = None
    readers = [_score_reader(player.protocol) for player in (*spec.players, spec.scoring_player) if player]
    try:
        with suppress(Breakdown):  # tablebases on another machine: an end by them cannot be checked
            probe = probe_of(spec)
        return Review(spec, rules, record, readers, probe).differences
    except Exception as error:  # noqa: BLE001 (a record that no referee wrote may raise anything)
        return [Difference("record", _told(error), "that of a game")]


def _ask_umpire_again(spec: GameSpec, record: GameRecord) -> list[Difference]:
    """Run the umpire of a game again, on the recorded answers of the players.

    Returns:
        One difference: the first line of the umpire that is not as recorded, or why the umpire cannot be run.
            [] if all lines are as recorded.
    """
    try:
        unlike = ask_again(spec, record.umpire)
    except Breakdown as error:
        return [Difference("umpire", str(error), "that of the game")]
    if unlike is None:
        return []
    what = f"umpire, line {unlike.line}"
    return [Difference(what, printable(unlike.recorded) or "none", printable(unlike.again))]


def _told(error: Exception) -> str:
    return printable(f"{type(error).__name__}: {error}")


@cache
def _score_reader(protocol: str) -> Callable[[str], Scored]:
    """Return the function of a protocol that parses a score reported by an engine.

    For a protocol without scores the function returns an empty score.
    """
    return PROTOCOLS.find(protocol).read_score or Scored


def _difference_of_files(form: RecordFormat, found: bytes, wanted: bytes) -> tuple[str, str, str] | None:
    """Return (place, got, expected) of the first line that differs; None if both files record the same game.

    For a file that cannot be read, `place` says why, and the other two are "".

    Files with different bytes record the same game if their format reads the same content from both: another
    version of gyoji may have written one, or a person may have added a comment.
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
