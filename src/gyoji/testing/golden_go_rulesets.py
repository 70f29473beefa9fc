"""Golden data of Go: texts of rulesets, accepted or refused, and what they come to in every form."""

import struct
from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.games.go.ruleset_text import Reading, read
from gyoji.games.go.rulesets import Ruleset

Record = Mapping[str, Any]


def recognises(record: Record) -> bool:
    return isinstance(record.get("input"), dict) and record["input"].get("cmd") in ("rules", "updateRule")


def differences(record: Record) -> Iterator[str]:
    try:
        ruleset, komi = _outcome(record["input"])
    except ValueError as error:
        if record["ok"]:
            yield f"refused: {error}"
        return
    if not record["ok"]:
        yield f"accepted as {ruleset.compact(komi)}, expected: {record['error']}"
        return
    got: dict[str, Any] = {
        "rules": ruleset.table() | {"komi": single(komi)},
        "json": ruleset.json(single(komi)),
        "jsonNoKomi": ruleset.json(),
        "jsonShort": ruleset.json(short=True),
        "str": ruleset.compact(komi),
        "strNoKomi": ruleset.compact(),
        "nice": ruleset.short_name(),
        "integerResult": ruleset.is_whole(komi),
    }
    for key, value in got.items():
        if key in record and record[key] != value:
            yield f"{key}: expected {record[key]!r}, got {value!r}"


def _outcome(asked: Mapping[str, Any]) -> Reading:
    """What the record's input comes to. Raises ValueError if it is refused."""
    if asked["cmd"] == "updateRule":
        before: tuple[Ruleset, float] = read(asked["rules"])
        return Reading(before[0].updated(asked["key"], asked["value"]), before[1])
    if asked.get("withoutKomi"):
        return Reading(read(asked["s"], allow_komi=False).ruleset, asked["komi"])
    return read(asked["s"])


def single(komi: float) -> float:
    """The number in single precision, as the source of the records keeps it."""
    return float(struct.unpack("f", struct.pack("f", komi))[0])
