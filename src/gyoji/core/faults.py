"""Who is to blame: the tree of errors is the tree of blame.

::

    GyojiError
    ├── ConfigError        the user: a control file, an option, a folder     exit status 2
    ├── EngineFault        one seat broke a rule: its side loses the game
    ├── IllegalMove        a move the rules refuse (becomes an EngineFault in a game)
    └── Breakdown          we, or the machine, failed: the game is void and is played again

Anything else that is raised is a bug. A message says where, what, got, expected and remedy, in one
printable line; foreign text goes through `quote`.
"""

from enum import StrEnum

from gyoji.core.text import printable


class GyojiError(Exception):
    """The root of all that gyoji raises on purpose."""


class ConfigError(GyojiError):
    """The user's input cannot be used. The text is complete: it is printed as it is."""


class Breakdown(GyojiError):
    """We or the environment failed. Nobody is scored; the game is played again."""


class ProcessLost(Breakdown):
    """A process of ours was killed that a game needs. That may be the doing of somebody outside the game."""


class IllegalMove(GyojiError):
    """The rules refuse a move.

    `seat` is who tried it; `reason` says which rule, in a few words ("ko at D4").
    """

    def __init__(self, seat: int, reason: str) -> None:
        super().__init__(reason)
        self.seat = seat
        self.reason = reason


class FaultKind(StrEnum):
    """The faults of an engine, as far as the referee tells them apart."""

    STARTUP = "startup"  # would not start, or never said it was ready
    PROTOCOL = "protocol"  # said something that is not of its protocol
    FLOOD = "flood"  # said more than any answer needs
    LIMIT = "limit"  # used more memory or disk than it may
    EXIT = "exit"  # ended, crashed, or closed its output
    DEAF = "deaf"  # stopped reading
    SILENT = "silent"  # gave no answer in the time nobody may exceed
    TIME = "time"  # used up its clock


class EngineFault(GyojiError):
    """A seat's engine broke the rules of the conversation.

    `detail` is one printable line without the player's name; the referee puts that in front.
    """

    def __init__(self, seat: int, kind: FaultKind, detail: str) -> None:
        super().__init__(detail)
        self.seat = seat
        self.kind = kind
        self.detail = printable(detail)
