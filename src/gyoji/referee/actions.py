"""What the referee wants done: values for the runner."""

from typing import NamedTuple, TypeAlias

from gyoji.core.messages import Request


class Say(NamedTuple):
    """Put `request` to `seat`; call `expired` when no reply has ended it `patience` ns later."""

    seat: int
    request: Request
    patience: int


class Wait(NamedTuple):
    """Go on waiting for `seat`: call `expired` again `patience` ns from now."""

    seat: int
    patience: int


class Dismiss(NamedTuple):
    """Nothing more will be said to `seat`. kindly: it was told to go and may take its time to close.

    keep: it stays for another game.
    """

    seat: int
    kindly: bool
    keep: bool = False


Action: TypeAlias = Say | Wait | Dismiss


class Closing(NamedTuple):
    """How an engine's process ended; cpu_ns of its process tree, None if unknown; how it was contained."""

    status: str = ""
    cpu_ns: int | None = None
    containment: str = ""
