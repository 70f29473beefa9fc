"""UCI, the Universal Chess Interface (Meyer-Kahlen and Huber, April 2006). Pure: bytes in, bytes out.

The modules, from the bytes up: `engine_options` reads the options that an engine declares and checks those
that a player sets; `info` reads evaluations; `codec` is the conversation. `options` has the settings of a
player, and `game_rules` the parts of a game's rules that the protocol needs.
"""

from typing import TYPE_CHECKING

from gyoji.core.plugins import Protocol
from gyoji.core.ports import AnyRules, Codec
from gyoji.core.probe import Findings, Probe
from gyoji.protocols.uci.options import Options

if TYPE_CHECKING:
    from gyoji.core.analysis import AnalysisTask, Told

__all__ = ["PROTOCOL", "Options"]


def _codec(options: Options) -> Codec:
    from gyoji.protocols.uci.codec import UciCodec

    return UciCodec(options)


def _probe(rules: AnyRules | None) -> Probe[Findings]:
    from gyoji.protocols.uci.probe import probe

    return probe(rules)


def _greeting() -> Probe[bool]:
    from gyoji.protocols.uci.probe import greeting

    return greeting()


def _analysis(options: Options, task: "AnalysisTask", told: "Told") -> Probe[str]:
    from gyoji.protocols.uci.analysing import analyse

    return analyse(options, task, told)


PROTOCOL = Protocol(
    name="uci",
    options=Options,
    codec=_codec,
    games=("chess",),
    probe=_probe,
    greeting=_greeting,
    analysis=_analysis,
    title="UCI",
)
