"""The language of the USENIX Computer Go Tournament, by its revised rules of October 1984. Pure.

A program is told its colour, then hears moves and says moves, one to a line; see `codec`.
"""

from gyoji.protocols.usenix.codec import UsenixCodec
from gyoji.protocols.usenix.options import Options

__all__ = ["Options", "UsenixCodec", "codec"]


def codec(options: Options) -> UsenixCodec:
    """Our half of a new conversation with one program."""
    return UsenixCodec(options)
