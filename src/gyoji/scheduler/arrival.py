"""A worker's report as it arrived: moves do not become values where nobody looks at them.

A report of a finished game begins with its result; what follows is stored as the text it is, once it has been
seen to be JSON. Reading it so costs half of what decoding and encoding it again would.
"""

import json
from typing import Any

from gyoji.core import wire
from gyoji.core.record import GameRecord, GameResult, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.runner.order import Report
from gyoji.store.stored import Finished, join_record

_HEAD = '{"record":{"result":'
_scan = json.JSONDecoder().raw_decode


class Arrival:
    """Stands for a `Report`: same attributes, but the record is text until somebody asks for it.

    text: a report's JSON, as `wire.dumps` writes it. Raises ValueError for what is no report of this game.
    """

    __slots__ = ("finished", "log", "void")

    def __init__(self, spec: GameSpec, text: str) -> None:
        self.finished: Finished | None = None
        self.void: VoidGame | None = None
        if text.startswith(_HEAD):
            self.finished, plain = _read_finished(spec, text)
        else:
            plain = json.loads(text)
            self.void = wire.decode(VoidGame, plain.get("void"))
        self.log: tuple[str, ...] = wire.decode(tuple[str, ...], plain.get("log", []))
        told = self.finished.result if self.finished else self.void
        if told is None or told.id != spec.id:
            raise ValueError(f"got a report of another game than {spec.id}")

    @property
    def record(self) -> GameRecord | None:
        return join_record(self.finished.result_text, self.finished.rest) if self.finished else None


def _read_finished(spec: GameSpec, text: str) -> tuple[Finished, dict[str, Any]]:
    """The game of a report, and the members of the report that follow it."""
    plain, end = _scan(text, len(_HEAD))
    result: GameResult = wire.decode(GameResult, plain)
    after = text[end:]
    if not after.startswith(',"turns":['):
        raise ValueError("got no GameRecord: no turns follow its result")
    after = "{" + after[1:]
    _, length = _scan(after)
    tail = "{" + after[length:].removeprefix(",")
    return Finished(spec, result, text[len(_HEAD) : end], after[:length]), json.loads(tail)


def finished_game(spec: GameSpec, report: Report | Arrival) -> Finished | None:
    """The finished game that a report brings, None if the game is void."""
    if isinstance(report, Arrival):
        return report.finished
    return Finished.of(spec, report.record) if report.record else None
