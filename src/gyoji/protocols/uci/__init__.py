"""UCI, the Universal Chess Interface (Meyer-Kahlen and Huber, April 2006). Pure: bytes in, bytes out.

The modules, from the bytes up: `engine_options` parses the options that an engine declares and checks those
that a player sets; `info` parses evaluations; `searches` formats the commands that begin a search; `codec` is
the conversation; `analysing` analyses finished games; `probe` is the conformance probe. `options` has the
settings of a player, and `game_rules` the interface of the rules that the protocol uses.
"""

from gyoji.core.later import forwarding
from gyoji.core.plugins import Protocol
from gyoji.protocols.uci.options import Options

__all__ = ["PROTOCOL", "Options"]


PROTOCOL = Protocol(
    name="uci",
    options=Options,
    codec=forwarding("gyoji.protocols.uci.codec", "UciCodec"),
    games=("chess",),
    probe=forwarding("gyoji.protocols.uci.probe", "probe"),
    greeting=forwarding("gyoji.protocols.uci.probe", "greeting"),
    analysis=forwarding("gyoji.protocols.uci.analysing", "analyse"),
    title="UCI",
)
