"""GTP 2, the Go Text Protocol, as gomill's ringmaster uses it. Pure: bytes in, bytes out.

The modules, from the bytes up: `wording` splits output into responses and formats commands and time controls;
`analysis` parses evaluations; `dialogues` has the requests that take several exchanges, `undo_and_hints`
those for undoing moves and for hints; `conversation` is the queue of commands and responses; `codec` knows
the game, and `analysing` analyses finished games. `game_rules` has the interfaces of the rules that GTP uses,
`options` the settings of a player. `probe` is the conformance probe, with `probe_asking` for its commands.
"""

from gyoji.core.later import forwarding
from gyoji.core.plugins import Protocol
from gyoji.protocols.gtp.options import Options

__all__ = ["PROTOCOL", "Options"]


PROTOCOL = Protocol(
    name="gtp",
    options=Options,
    codec=forwarding("gyoji.protocols.gtp.codec", "GtpCodec"),
    games=("go",),
    read_score=forwarding("gyoji.protocols.gtp.dialogues", "read_score"),
    probe=forwarding("gyoji.protocols.gtp.probe", "probe"),
    greeting=forwarding("gyoji.protocols.gtp.probe_asking", "greeting"),
    analysis=forwarding("gyoji.protocols.gtp.analysing", "analyse"),
    title="GTP",
)
