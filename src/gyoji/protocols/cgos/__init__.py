"""CGOS, the protocol of the Computer Go Server: players that connect to us by its clients.

The protocol has two halves here. `codec` is the part of a game, for the worker: what to play, and with how
much time. `session` is the part of a connection, for the server that clients connect to: who they are, and
a game taken up again. Between the two go the lines of one game, in CGOS' own words. `terms` says which
games the protocol can express, `analysis` reads what engines say of their moves.
docs/reference/cgos.md has the whole protocol.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gyoji.core.later import forwarding
from gyoji.core.plugins import Protocol

NAME = "cgos"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of a CGOS player: none."""


def check_command(words: Sequence[str], options: Mapping[str, object]) -> None:
    """Raise ValueError: a client of CGOS is no program that we start."""
    raise ValueError("a client of CGOS connects by itself: write remote = true in place of the command")


PROTOCOL = Protocol(
    name=NAME,
    options=Options,
    codec=forwarding("gyoji.protocols.cgos.codec", "CgosCodec"),
    games=("go",),
    check_command=check_command,
    objections=forwarding("gyoji.protocols.cgos.terms", "objections"),
    title="CGOS",
)
