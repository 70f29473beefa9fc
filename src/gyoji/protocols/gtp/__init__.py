"""GTP 2, the Go Text Protocol, as gomill's ringmaster uses it. Pure: bytes in, bytes out.

The modules, from the bytes up: `wording` cuts output into answers and writes commands and time controls;
`analysis` reads evaluations; `dialogues` has the requests that take several exchanges, `undo_and_hints`
those for moves taken back and for hints; `conversation` is the queue of commands and answers; `codec`
knows the game, and `analysing` has finished games analysed. `game_rules` names the parts of a game's rules
that an engine can be told.
"""

from typing import TYPE_CHECKING

from gyoji.core.messages import Scored
from gyoji.core.plugins import Protocol
from gyoji.core.ports import AnyRules, Codec
from gyoji.core.probe import Findings, Probe
from gyoji.protocols.gtp.options import Options

if TYPE_CHECKING:
    from gyoji.core.analysis import AnalysisTask, Told

__all__ = ["PROTOCOL", "Options"]


def _codec(options: Options) -> Codec:
    from gyoji.protocols.gtp.codec import GtpCodec

    return GtpCodec(options)


def _read_score(text: str) -> Scored:
    from gyoji.protocols.gtp.dialogues import read_score

    return read_score(text)


def _probe(rules: AnyRules | None) -> Probe[Findings]:
    from gyoji.protocols.gtp.probe import probe

    return probe(rules)


def _greeting() -> Probe[bool]:
    from gyoji.protocols.gtp.probe_asking import greeting

    return greeting()


def _analysis(options: Options, task: "AnalysisTask", told: "Told") -> Probe[str]:
    from gyoji.protocols.gtp.analysing import analyse

    return analyse(options, task, told)


PROTOCOL = Protocol(
    name="gtp",
    options=Options,
    codec=_codec,
    games=("go",),
    read_score=_read_score,
    probe=_probe,
    greeting=_greeting,
    analysis=_analysis,
    title="GTP",
)
