"""A worker's report as it arrived: moves do not become values where nobody looks at them."""

from typing import Any

from gyoji.core import wire
from gyoji.core.record import GameRecord, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.runner.order import Report
from gyoji.store.stored import Finished


class Arrival:
    """Stands for a `Report`: same attributes, but the record is JSON until somebody asks for it.

    Raises ValueError for what is no report.
    """

    __slots__ = ("_plain", "finished", "log", "void")

    def __init__(self, spec: GameSpec, plain: Any) -> None:
        if not isinstance(plain, dict) or bool(plain.get("record")) == bool(plain.get("void")):
            raise ValueError("got no report: it has neither a record nor a void game, or both")
        self._plain = plain.get("record")
        self.finished = Finished.of_plain(spec, self._plain) if self._plain else None
        self.void: VoidGame | None = wire.decode(VoidGame, plain["void"]) if not self._plain else None
        self.log: tuple[str, ...] = wire.decode(tuple[str, ...], plain.get("log", []))
        result = self.finished.result if self.finished else self.void
        if result is None or result.id != spec.id:
            raise ValueError(f"got a report of another game than {spec.id}")

    @property
    def record(self) -> GameRecord | None:
        return wire.decode(GameRecord, self._plain) if self._plain else None


def finished_game(spec: GameSpec, report: Report | Arrival) -> Finished | None:
    """The finished game that a report brings, None if the game is void."""
    if isinstance(report, Arrival):
        return report.finished
    return Finished.of(spec, report.record) if report.record else None
