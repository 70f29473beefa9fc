"""The Gomocup protocol, which Gomoku brains speak through pipes. Pure: bytes in, bytes out.

The modules, from the wire up: `lines` cuts and reads what a brain says; `points` knows how points are written
and how a brain is brought to a position; `preparation` gets it ready; `codec` joins them. `options` has the
settings of a player, and finds the program in a package.
"""

from gyoji.protocols.gomocup.codec import GomocupCodec
from gyoji.protocols.gomocup.options import Options, executable

__all__ = ["GAMES", "PRIVATE_FOLDER", "GomocupCodec", "Options", "codec", "executable"]

GAMES = ("gomoku",)
PRIVATE_FOLDER = True
"""Brains leave their temporary files in the working folder, under their own names."""


def codec(options: Options) -> GomocupCodec:
    """Our half of a new conversation with one brain."""
    return GomocupCodec(options)
