"""Orders to a worker and its reports: values, sendable as JSON."""

from dataclasses import dataclass, field
from mmap import mmap
from typing import NamedTuple, TypeAlias

from gyoji.core.record import GameRecord, VoidGame
from gyoji.core.spec import GameSpec

ALIVE = '{"alive":true}'
"""A worker's sign of life while it plays: one that waits is told from one that has stopped."""

Board: TypeAlias = bytearray | mmap
"""A byte for each seat of a game: 1 while it is to move. A worker's is memory that the scheduler sees too."""

BOARD_SIZE = 4096
"""Bytes of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """Where a game leaves its files, absolute paths; None: it leaves none.

    records     folder of finished games, written as `<id><suffix>` in each of `formats`.
    voids       folder of void games that had at least one move.
    transcript  file for every line between us and the engines.
    """

    records: str | None = None
    voids: str | None = None
    formats: tuple[str, ...] = ()
    transcript: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Play this game. slot: 0-based number of the place it runs in, None when games do not run in parallel.

    watch: report progress while the game runs. id_in: names of variables in which engines find the game's id.
    """

    spec: GameSpec
    slot: int | None = None
    files: Files = field(default_factory=Files)
    watch: bool = False
    id_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The result of an order: a record, or a void game.

    log: lines for the event log (the end of each engine's stderr included), in order, printable.
    """

    record: GameRecord | None = None
    void: VoidGame | None = None
    log: tuple[str, ...] = ()


class Progress(NamedTuple):
    """A game in progress. left: ns on each seat's clock for main time and byo-yomi, None without a clock."""

    id: str
    turns: int
    left: tuple[int | None, ...]
