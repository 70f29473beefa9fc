"""Orders to a worker and its reports: values, sendable as JSON."""

from mmap import mmap
from os.path import join
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeVar

from msgspec import Struct

from gyoji.core import wire
from gyoji.core.record import GameRecord, GameResult, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.core.wire import Value
from gyoji.store.stored import Finished, join_record

ALIVE = '{"alive":true}'
"""A worker's sign of life while it plays: one that waits is told from one that has stopped."""

Board: TypeAlias = bytearray | mmap
"""A byte for each seat of a game: 1 while it is to move. A worker's is memory that the scheduler sees too."""

BOARD_SIZE = 4096
"""Bytes of it."""


class Files(Value, frozen=True, kw_only=True):
    """Where a game leaves its files; None: it leaves none.

    A run says it relative to the folder of the competition, and a worker is told absolute paths.

    records     folder of finished games, written as `<id><suffix>` in each of `formats`.
    voids       folder of void games that had at least one move.
    transcript  file for every line between us and the engines.
    """

    records: str | None = None
    voids: str | None = None
    formats: tuple[str, ...] = ()
    transcript: str | None = None

    def below(self, folder: Path) -> "Files":
        """The same with paths from `folder` on; what is absolute stays."""
        if self.records is None and self.transcript is None:
            return self
        places = (self.records, self.voids, self.transcript)
        records, voids, transcript = (place if place is None else join(folder, place) for place in places)
        return Files(records=records, voids=voids, formats=self.formats, transcript=transcript)


class Order(Value, frozen=True, kw_only=True):
    """Play this game. slot: 0-based number of the place it runs in, None when games do not run in parallel.

    watch: report progress while the game runs. id_in: names of variables in which engines find the game's id.
    clock_factor: of the machine that plays it; None: nobody has said.
    """

    spec: GameSpec
    slot: int | None = None
    files: Files = Files()
    watch: bool = False
    id_in: tuple[str, ...] = ()
    clock_factor: float | None = None


class Report(Struct, frozen=True, kw_only=True):
    """The result of an order: a finished game, ready to be stored, or a void one.

    log: lines for the event log (the end of each engine's stderr included), in order, printable.

    A record becomes text once, where it is made. It is sent and stored as that; its moves are values again
    when somebody asks for them.
    """

    finished: Finished | None = None
    void: VoidGame | None = None
    log: tuple[str, ...] = ()

    @classmethod
    def of(cls, spec: GameSpec, record: GameRecord, log: tuple[str, ...] = ()) -> "Report":
        """The report of a game that was played to its end."""
        return cls(finished=Finished.of(spec, record), log=log)

    @property
    def record(self) -> GameRecord | None:
        return join_record(self.finished.result_text, self.finished.rest) if self.finished else None

    def line(self) -> str:
        """The report as a worker sends it: JSON; the two texts of a finished game follow, after tabs."""
        head = wire.dumps({"report": {"void": self.void, "log": self.log}})
        return "\t".join((head, *self.finished[2:])) if self.finished else head

    @classmethod
    def read(cls, spec: GameSpec, line: str) -> "Report":
        """The report of the game of `spec` from its line. Raises ValueError or TypeError if it is none."""
        head, *texts = line.split("\t")
        told = _read_head(head).report
        if not texts:
            if told.void is None:
                raise ValueError("got a report of no game")
            return cls(void=_own(spec, told.void), log=told.log)
        result, rest = texts
        if not (rest.startswith('{"turns":[') and rest.endswith("}")):  # it is not looked into any further
            raise ValueError("got no GameRecord: it has no turns")
        return cls(finished=Finished(spec, _own(spec, _read_result(result)), result, rest), log=told.log)


class _Told(Value, frozen=True, kw_only=True):
    """The fields of a report besides the texts of its game."""

    void: VoidGame | None = None
    log: tuple[str, ...] = ()


class _Head(Value, frozen=True, kw_only=True):
    """The first text of a report's line."""

    report: _Told


_read_head = wire.reader(_Head)
_read_result = wire.reader(GameResult)

Told = TypeVar("Told", GameResult, VoidGame)


def _own(spec: GameSpec, told: Told) -> Told:
    if told.id != spec.id:
        raise ValueError(f"got a report of another game than {spec.id}")
    return told


class Progress(NamedTuple):
    """A game in progress. left: ns on each seat's clock for main time and byo-yomi, None without a clock."""

    id: str
    turns: int
    left: tuple[int | None, ...]
