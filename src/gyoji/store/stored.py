"""What the store keeps of a game, as texts: taken apart so that each part is written and read on its own.

A result is small and read often; the moves are large and read for one game at a time; players and settings
are the same in thousands of games. So a game's spec is cut into its own few numbers and a `frame` that it
shares with others, and a record into its result and the rest.
"""

import json
from dataclasses import replace
from typing import Any, NamedTuple

from gyoji.core import wire
from gyoji.core.record import GameRecord, GameResult, VoidGame
from gyoji.core.spec import GameSpec, Player


class Finished(NamedTuple):
    """A finished game, ready to be stored. result_text: the record's result as JSON; rest: all else of it."""

    spec: GameSpec
    result: GameResult
    result_text: str
    rest: str

    @classmethod
    def of(cls, spec: GameSpec, record: GameRecord) -> "Finished":
        return cls(spec, record.result, wire.dumps(record.result), wire.dumps(_rest(record)))

    @classmethod
    def of_plain(cls, spec: GameSpec, plain: dict[str, Any]) -> "Finished":
        """From a record as `wire.encode` gives it: nobody needs its moves as values. Raises ValueError."""
        rest = {key: value for key, value in plain.items() if key != "result"}
        result = wire.decode(GameResult, plain.get("result"))
        if not isinstance(rest.get("turns"), list):
            raise ValueError("got no GameRecord: it has no turns")
        return cls(spec, result, wire.dumps(plain["result"]), wire.dumps(rest))


class Voided(NamedTuple):
    """A void game, ready to be stored. attempt: how often this game has been tried in its run, from 1."""

    spec: GameSpec
    void: VoidGame
    attempt: int


class SpecParts(NamedTuple):
    """A spec in parts: what it shares with other games (JSON texts), and what is its own."""

    frame: str
    players: tuple[str, ...]
    seed: int
    note: str


def _rest(record: GameRecord) -> dict[str, Any]:
    rest: dict[str, Any] = {"turns": record.turns}
    if record.final_remarks:
        rest["final_remarks"] = record.final_remarks
    return rest


def join_record(result_text: str, rest: str) -> GameRecord:
    """The record that `Finished` took apart. Raises ValueError."""
    record: GameRecord = wire.decode(GameRecord, {"result": json.loads(result_text), **json.loads(rest)})
    return record


def split_spec(spec: GameSpec) -> SpecParts:
    frame = wire.dumps(replace(spec, id="", seed=0, note="", players=()))
    return SpecParts(frame, tuple(wire.dumps(player) for player in spec.players), spec.seed, spec.note)


def join_spec(game_id: str, parts: SpecParts) -> GameSpec:
    """The spec that `split_spec` took apart. Raises ValueError."""
    spec = wire.loads(GameSpec, parts.frame)
    players = tuple(wire.loads(Player, text) for text in parts.players)
    return replace(spec, id=game_id, players=players, seed=parts.seed, note=parts.note)
