"""GTP 2, the Go Text Protocol, spoken as gomill's ringmaster speaks it. Pure: bytes in, bytes out.

The modules, from the wire up: `wording` cuts what an engine says into answers, and puts commands and time
controls into words; `dialogues` are the requests that take several exchanges; `codec` joins them, and is the
only one with state from one request to the next.
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
