"""GTP 2, the Go Text Protocol, as gomill's ringmaster uses it. Pure: bytes in, bytes out.

The modules, from the bytes up: `wording` cuts output into answers and writes commands and time controls;
`analysis` reads evaluations; `dialogues` has the requests that take several exchanges, `undo_and_hints`
those for moves taken back and for hints; `conversation` is the queue of commands and answers; `codec`
knows the game, and `analysing` has finished games analysed. `game_rules` names the parts of a game's rules
that an engine can be told.
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
