"""Orders to a worker, and its reports, as JSON-ready values."""

import re
from mmap import mmap
from os.path import join
from pathlib import Path
from typing import TypeAlias

from msgspec import Raw, Struct

from gyoji.core import wire
from gyoji.core.record import GameRecord, GameResult, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.core.wire import Value
from gyoji.store.game_texts import Finished, join_record

Board: TypeAlias = bytearray | mmap
"""Memory that a worker shares with the scheduler: one byte for each seat, which says whether the seat is to
move.
"""

BOARD_SIZE = 4096
"""The size of a `Board` in bytes."""


class Files(Value, frozen=True, kw_only=True):
    """The paths of a game's output files. A file whose path is None is not written.

    The scheduler makes paths relative to the competition's folder, and the worker gets absolute ones.

    Attributes:
        records: Folder for the records of finished games: a file `<id><suffix>` for each of `formats`.
        voids: Folder for the records of void games with at least one move.
        transcript: File with the lines to and from the engines, within the limits of a `Transcript`.
    """

    records: str | None = None
    voids: str | None = None
    formats: tuple[str, ...] = ()
    transcript: str | None = None

    def below(self, folder: Path) -> "Files":
        """Return a copy with absolute paths: relative ones are taken from `folder`."""
        if self.records is None and self.transcript is None:
            return self
        places = (self.records, self.voids, self.transcript)
        records, voids, transcript = (place if place is None else join(folder, place) for place in places)
        return Files(records=records, voids=voids, formats=self.formats, transcript=transcript)


class Order(Value, frozen=True, kw_only=True, tag="play"):
    """The order to play one game, as a message to a worker process.

    Attributes:
        slot: Number, from 0, of the slot that plays the game; None if there are no slots. Slots play in
            parallel, each one game at a time.
        watch: Whether the worker reports progress.
        id_in: Names of environment variables in which engines find the game's id.
    """

    spec: GameSpec
    slot: int | None = None
    files: Files = Files()
    watch: bool = False
    id_in: tuple[str, ...] = ()


class Report(Struct, frozen=True, kw_only=True):
    """The report on an order: a finished game, ready to be stored, or a void game.

    The worker encodes the record as JSON text, which is sent and stored without change. The moves in it are
    parsed only when they are needed.

    Attributes:
        log: Printable lines for the event log, which include the end of each engine's stderr.
    """

    finished: Finished | None = None
    void: VoidGame | None = None
    log: tuple[str, ...] = ()

    @classmethod
    def of(cls, spec: GameSpec, record: GameRecord, log: tuple[str, ...] = ()) -> "Report":
        """Return the report of a finished game."""
        return cls(finished=Finished.of(spec, record), log=log)

    @property
    def record(self) -> GameRecord | None:
        return join_record(self.finished.result_text, self.finished.rest) if self.finished else None

    def sent(self) -> "SentReport":
        """Return the report as a message to the scheduler."""
        if self.finished is None:
            return SentReport(void=self.void, log=self.log)
        _, _, result, rest = self.finished
        log = tuple([line.encode("utf-8", "backslashreplace").decode() for line in self.log])
        return SentReport(log=log, result=_raw(result), rest=_raw(rest))


_SURROGATE = re.compile(r"(?<!\\)((?:\\\\)*)\\(?=ud[89a-f])")


def _raw(text: str) -> Raw:
    """Return JSON text as a part of a message. Bytes of file names that are not UTF-8 become escaped text."""
    # Half a surrogate pair, as `wire.dumps` writes such bytes, is no JSON to msgspec. Searching comes first:
    # the expression alone would take longer than everything else that is done with a report.
    return Raw(_SURROGATE.sub(r"\1\\\\", text) if "\\ud" in text else text)


class SentReport(Value, frozen=True, kw_only=True, tag="report"):
    """The form of a `Report` as a message.

    Attributes:
        result: The result of a finished game, as JSON.
        rest: All of a finished game's record but the result, as JSON. It is stored without being parsed.
        void: The void game, if the game has no result; else None.
    """

    void: VoidGame | None = None
    log: tuple[str, ...] = ()
    result: Raw = Raw()
    rest: Raw = Raw()

    def report(self, spec: GameSpec) -> Report:
        """Return the report, which must be about the game of `spec`.

        Raises:
            ValueError: The report is about another game, or about none.
        """
        text, rest = bytes(self.result).decode(), bytes(self.rest).decode()
        if self.void is None and not text:
            raise ValueError("got a report of no game")
        game = self.void or _read_result(text)
        if game.id != spec.id:
            raise ValueError(f"got a report of another game than {spec.id}")
        if isinstance(game, VoidGame):
            return Report(void=game, log=self.log)
        if not (rest.startswith('{"turns":[') and rest.endswith("}")):
            raise ValueError("got no GameRecord: it has no turns")
        return Report(finished=Finished(spec, game, text, rest), log=self.log)


_read_result = wire.reader(GameResult)


class Progress(Value, frozen=True, kw_only=True, tag="progress"):
    """The state of a game in progress.

    Attributes:
        left: ns on each seat's clock, byo-yomi included; None without a time limit.
    """

    id: str
    turns: int
    left: tuple[int | None, ...]
