"""The exceptions that end a command or a game. The class says who is at fault: user, mover or gyoji itself.

::

    GyojiError
    ├── ConfigError        the user: a control file, an option, a folder     exit status 2
    ├── IllegalMove        a move the rules refuse: in a game the mover's side loses
    └── Breakdown          gyoji or the machine failed: the game is void and is played again

Any other exception that ends a command or a game is a bug. A message is one printable line: where, what
happened, what was found and expected, and the remedy. Text of engines and files goes through `quote` first.
"""

from enum import StrEnum


class GyojiError(Exception):
    """The base class of exceptions that end a command or a game and are no bug."""


class ConfigError(GyojiError):
    """The user's input is wrong. The message is complete and is printed unchanged."""


class Breakdown(GyojiError):
    """gyoji or the machine failed. The game has no result and is played again."""


class ProcessLost(Breakdown):
    """A process of gyoji that a game needs was killed, possibly from outside the game."""


class IllegalMove(GyojiError):
    """The rules refuse a move.

    Attributes:
        seat: The seat that tried the move.
        reason: The rule in a few words ("ko at D4").
    """

    def __init__(self, seat: int, reason: str) -> None:
        super().__init__(reason)
        self.seat = seat
        self.reason = reason


class FaultKind(StrEnum):
    """The kinds of engine faults that the referee distinguishes."""

    STARTUP = "startup"  # did not start, or was never ready
    PROTOCOL = "protocol"  # violated its protocol
    FLOOD = "flood"  # sent more than an answer needs
    LIMIT = "limit"  # used more memory or disk than it may
    EXIT = "exit"  # ended, crashed, or closed its output
    DEAF = "deaf"  # stopped reading
    SILENT = "silent"  # gave no answer within its budget
    TIME = "time"  # used up its clock
