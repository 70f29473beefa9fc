"""CGOS, the protocol of the Computer Go Server, by which its clients connect to gyoji as players.

Two modules implement the protocol. `codec` belongs to a game and runs in the worker: it sends positions,
moves and times. `session` belongs to a connection and runs in the web server: it logs clients in, and sends
the game again to a client that reconnects. The two exchange the lines of one game, in the format of CGOS.
`terms` says which games the protocol can express, and `analysis` parses evaluations. docs/reference/cgos.md
has the whole protocol.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gyoji.core.later import forwarding
from gyoji.core.plugins import Protocol

NAME = "cgos"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of a CGOS player. There are none."""


def check_command(words: Sequence[str], options: Mapping[str, object]) -> None:
    """Raise ValueError: gyoji does not start clients of CGOS, so they have no command."""
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
