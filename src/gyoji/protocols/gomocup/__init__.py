"""The Gomocup protocol, which gomoku engines ("brains") speak through pipes. Pure: bytes in, bytes out.

The modules, from the bytes up: `lines` splits output into lines and parses them; `commands` formats commands
and prepares a brain; `codec` joins both. `options` has the settings of a player, and finds the program in a
package. `game_rules` has the interface of the rules that the protocol needs. `probe` is the conformance
probe, with `probe_asking` for its commands.
"""

from functools import partial

from msgspec import structs

from gyoji.core.later import forwarding
from gyoji.core.plugins import Protocol
from gyoji.core.ports import AnyRules, needed, supports
from gyoji.core.probe import Findings, Probe
from gyoji.protocols.gomocup.options import Options, executable

__all__ = ["BY_FILES", "PROTOCOL", "Options", "executable"]


def _probe(rules: AnyRules | None) -> Probe[Findings]:
    from gyoji.protocols.gomocup.probe import Game, probe

    return probe(rules if supports(rules, Game) else None)


def _trial(rules: AnyRules) -> Probe[Findings]:
    from gyoji.protocols.gomocup.probe import Game, trial

    return trial(needed(rules, Game, "gomocup", "gomoku"))


PROTOCOL = Protocol(
    name="gomocup",
    options=Options,
    codec=forwarding("gyoji.protocols.gomocup.codec", "GomocupCodec"),
    games=("gomoku",),
    private_folder=True,  # brains leave their temporary files in the working folder, under their own names
    executable=executable,
    probe=_probe,
    trial=_trial,
    greeting=forwarding("gyoji.protocols.gomocup.probe_asking", "greeting"),
    title="Gomocup's protocol",
)

BY_FILES = structs.replace(
    PROTOCOL,
    name="gomocup-files",
    executable=partial(executable, prefix=""),
    adapter=lambda _: ("gyoji.engines.file_brain",),
)
"""The older, file-based protocol: a brain is started for every move and reads the position from files."""
