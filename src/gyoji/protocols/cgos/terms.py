"""The games that CGOS can express: their rules and clocks.

CGOS does not send its rules to clients. They are fixed: area scoring with all stones alive, positional
superko, no suicide, and absolute time (zakki/cgos 91bafa2, server-python/cgos/gogame/go.py). Engines that
connect by CGOS are configured for these. So a game with other rules is refused before it begins.
"""

from collections.abc import Sequence
from typing import Protocol

from gyoji.core.clocks import Bonus, Meter, TimeControl
from gyoji.core.messages import Move
from gyoji.core.ports import supports

ALIVE = "alive"
"""The value of `dead_stones` of rules that count all stones as alive."""

_RULES = "koPOSITIONALscoreAREAtaxNONEsui0"

SETTINGS = 'ruleset = "chinese-ogs" and dead_stones = "alive"'
"""The settings of an event whose rules are those of CGOS."""


class CgosRules(Protocol):
    """The members of the rules of Go that CGOS needs. Columns have letters, so the board has at most 25."""

    width: int
    height: int
    komi: float
    handicap: int
    kata_rules: str
    dead_stones: str
    opening_plays: tuple[tuple[int, Move], ...]

    def parse(self, text: str, /) -> Move: ...
    def format(self, move: Move, /) -> str: ...


def objections(rules: object, control: TimeControl) -> Sequence[str]:
    """Return the reasons why CGOS cannot express a game. Empty if it can.

    Args:
        control: The time control of the player that connects by CGOS.
    """
    if not supports(rules, CgosRules):
        return ("it plays Go alone",)
    found = [*_of_rules(rules), *_of_clock(control)]
    if rules.width != rules.height:
        found.append(f"board_size: its boards are square, got {rules.width}x{rules.height}")
    if rules.handicap:
        found.append("handicap: it has no words for handicap stones")
    if any(seat != number % 2 for number, (seat, _) in enumerate(rules.opening_plays)):
        found.append("opening: it has no words for an opening that does not alternate from Black on")
    return found


def _of_rules(rules: CgosRules) -> Sequence[str]:
    fixed, _, further = rules.kata_rules.partition(_RULES)
    if not fixed and further.startswith(("", "whb")) and "button" not in further and rules.kata_rules:
        if rules.dead_stones == ALIVE:
            return ()
        return (
            f"dead stones are settled in this event, and CGOS counts all stones as alive: set {SETTINGS}",
        )
    return (
        "its rules are fixed, and clients are not told others: area scoring with all stones alive, positional"
        f" superko, no suicide: set {SETTINGS}",
    )


def _of_clock(control: TimeControl) -> Sequence[str]:
    is_told = control.main and not (control.period or control.move or control.overrun or control.hourglass)
    if not is_told or control.bonus is not Bonus.FISCHER:
        return (
            f'clock: got "{control.describe()}"; it knows main time, alone or with an increment:'
            ' write "10m" or "5m + 3s"',
        )
    if control.meter is not Meter.WALL:
        return ("clock_measures: it counts wall time",)
    return ()
