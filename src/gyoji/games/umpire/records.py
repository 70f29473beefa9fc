"""The record of a game with an umpire: a line about the game, then the conversation with the umpire.

The first line has `game`: the id, players, seed, options, outcome, and the seats that left the game. The
other lines are those of the umpire protocol, in both directions, in order. A void game has no conversation.
"""

import json
from collections.abc import Sequence
from typing import Any

from gyoji.core import wire
from gyoji.core.faults import IllegalMove
from gyoji.core.game import RecordFormat, make_options
from gyoji.core.outcome import Outcome
from gyoji.core.record import GameRecord, VoidGame
from gyoji.core.replay import Replay, Wanted
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable
from gyoji.games.umpire.game_options import Options
from gyoji.games.umpire.position import Json, Position
from gyoji.games.umpire.rules import UmpireRules


def write(spec: GameSpec, game: GameRecord | VoidGame) -> bytes:
    """Return the record of a game as a file."""
    told: dict[str, Any] = {
        "id": spec.id,
        "players": list(spec.codes),
        "seed": spec.seed,
        "options": dict(spec.options),
    }
    if isinstance(game, VoidGame):
        told["void"] = game.reason
        lines: Sequence[str] = ()
    else:
        told["outcome"] = wire.encode(game.result.outcome)
        told["left_out"] = list(game.result.left_out)
        lines = game.umpire
    return "".join([f"{line}\n" for line in (wire.dumps({"game": told}), *lines)]).encode()


def replay(data: bytes, wanted: Wanted) -> list[Replay]:
    """Judge the game in a file again: check that its conversation leads to the recorded outcome.

    The umpire is not started; only `gyoji verify` does that.

    Raises:
        ConfigError: The request has settings that this game does not have.
        ValueError: The file cannot be read.
    """
    wanted.check_fits("umpire", ())
    told, lines = _read(data)
    rules = UmpireRules(make_options(Options, wire.frozen(told["options"])), told["seed"], lines)
    facts = (("players", " ".join(told["players"])), ("lines", str(len(lines))))
    if "outcome" not in told:
        return [Replay(facts=facts, notes=(f"void: {printable(told['void'])}",))]
    try:
        position = _followed(rules, lines)
    except (IllegalMove, ValueError) as error:
        return [Replay(facts=facts, refusals=(printable(str(error)),))]
    recorded = wire.decode(Outcome, told["outcome"])
    if position.end is None:
        return [Replay(facts=facts, notes=("the umpire did not end the game",))]
    found = rules.outcome(position)
    verdict = f"the record says {_shown(recorded)}, the umpire {_shown(found)}"
    differs = found != recorded
    return [
        Replay(
            facts=facts,
            diagram=rules.render(position),
            verdict=verdict + (": they differ" if differs else ""),
            differs=differs,
        )
    ]


def _read(data: bytes) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return (contents of the first line, conversation). Raises ValueError."""
    first, *lines = data.decode().splitlines() or [""]
    try:
        told = json.loads(first)["game"]
        parts = told["players"], told["seed"], told["options"], told.get("outcome", told.get("void"))
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"line 1: expected the game, got {printable(first, 80)}: {error}") from None
    if parts[-1] is None:
        raise ValueError("line 1: the game has no outcome")
    return told, tuple(lines)


def _followed(rules: UmpireRules, lines: Sequence[str]) -> Position:
    """Replay the recorded conversation with an umpire, and return the position at its end.

    Args:
        rules: The rules, made with the conversation.
        lines: The lines of the conversation, in both directions.

    Raises:
        IllegalMove, ValueError: The conversation breaks the umpire protocol.
    """
    position = rules.start()
    while acting := rules.acting(position):
        if position.heard >= len(lines):
            break
        answers = json.loads(lines[position.heard])["answers"]
        for seat in [seat for seat in acting if "failed" in answers[str(seat)]]:
            after = rules.drop(position, seat)
            assert after is not None, "the umpire was told of the failure"
            position = after
        if turn := tuple(
            [(seat, _move(answers[str(seat)])) for seat in acting if "say" in answers[str(seat)]]
        ):
            position = rules.play(position, turn)
    return position


def _move(answer: dict[str, Any]) -> str:
    """Convert an answer in the conversation back to a move."""
    said = answer["say"]
    return said if isinstance(said, str) else Json(wire.dumps(said))


def _shown(outcome: Outcome) -> str:
    points = " to ".join(f"{each:g}" for each in outcome.points or ()) or "none"
    return f"{outcome.ending.value}, {points}"


CONVERSATION = RecordFormat(suffix=".umpire", write=write, replay=replay)
