"""Players with patient budgets: what a test shortens is all that a busy machine can make them lose by."""

import sys

from gyoji.core.clocks import TimeControl
from gyoji.core.spec import Budgets, Player
from gyoji.core.text import parse_duration
from processes import MARK

PYTHON = (sys.executable, "-I", "-S")
SHORT_CLOCK, LONG_CLOCK = "250ms + 10ms/move", "60s"
PATIENT = {"startup": "20s", "move": "20s", "close": "300ms"}


def patient_player(protocol, code, command, token, *, budgets=None, clock=None, **options):
    """Return a player whose processes have the mark `token`. `budgets` replaces some of `PATIENT`."""
    spent = {name: parse_duration(text) for name, text in (PATIENT | (budgets or {})).items()}
    return Player(
        code=code,
        command=command,
        environ={MARK: token},
        protocol=protocol,
        options=options,
        budgets=Budgets(**spent),
        stderr="discard",
        clock=clock and TimeControl.parse(clock),
    )
