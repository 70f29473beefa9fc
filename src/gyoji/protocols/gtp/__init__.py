"""GTP 2, the Go Text Protocol, spoken as gomill's ringmaster speaks it. Pure: bytes in, bytes out.

The modules, from the wire up: `wording` cuts what an engine says into answers, and puts commands and time
controls into words; `analysis` reads its opinions; `dialogues` are the requests that take several exchanges,
`wishes` those of moves taken back and of advice; `conversation` is the queue of commands and answers; `codec`
joins them, and knows the game.
"""

from gyoji.core.plugins import Protocol
from gyoji.core.ports import AnyRules
from gyoji.core.probe import Findings, Probe
from gyoji.protocols.gtp.codec import GtpCodec
from gyoji.protocols.gtp.dialogues import read_score
from gyoji.protocols.gtp.options import Options

__all__ = ["PROTOCOL", "GtpCodec", "Options", "read_score"]


def _probe(rules: AnyRules | None) -> Probe[Findings]:
    from gyoji.protocols.gtp.probe import probe

    return probe(rules)


PROTOCOL = Protocol(
    name="gtp", options=Options, codec=GtpCodec, games=("go",), read_score=read_score, probe=_probe
)
