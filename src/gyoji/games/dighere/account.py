"""Counts of the plans of a game and of why they failed, and a short description of its field."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from gyoji.core import wire
from gyoji.core.game import MoveCounts
from gyoji.core.record import GameRecord
from gyoji.core.spec import GameSpec
from gyoji.games.dighere.fields import AGENTS
from gyoji.games.dighere.options import Options
from gyoji.games.dighere.plans import verb
from gyoji.games.dighere.rules import rules


def count_plans(spec: GameSpec, record: GameRecord) -> list[Counter[tuple[str, str]]]:
    """By seat: the number of plans by verb and by the reason why they failed ("" if they did not)."""
    game = rules(Options(**wire.frozen(spec.options)), spec.seed)
    counts: list[Counter[tuple[str, str]]] = [Counter() for _ in range(AGENTS)]
    position = game.start()
    for played in record.turns:
        turn = tuple([(seat, int(move)) for seat, move, *_ in played])
        for seat in set(position.acting) - {seat for seat, _ in turn}:
            position = game.drop(position, seat)
        reasons = game.reasons(position, turn)
        position = game.play(position, turn)
        for seat, plan in turn:
            reason = reasons[seat]
            counts[seat][verb(plan), reason.value if reason else ""] += 1
    return counts


def describe_field(options: Mapping[str, Any], seed: int) -> str:
    """The size and the treasure of the field that games with these options and seed are played on.

    >>> describe_field({}, 3)
    '6x6, 400 in 8 cells'
    """
    field = Options(**wire.frozen(options)).field(seed)
    cells = len(field.known) + len(field.hidden)
    return f"{field.size}x{field.size}, {field.treasure} in {cells} cells"


COUNTS = MoveCounts(count_plans, describe_field)
