"""The language of the USENIX Computer Go Tournament, by its revised rules of October 1984. Pure.

A program is told its colour, then hears moves and says moves, one to a line; see `codec`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from gyoji.core.protocol import Protocol
from gyoji.protocols.usenix.codec import Options, UsenixCodec

__all__ = ["PROTOCOL", "Options", "UsenixCodec", "check_command", "codec"]


def codec(options: Options) -> UsenixCodec:
    """Our half of a new conversation with one program."""
    return UsenixCodec(options)


def check_command(words: Sequence[str], options: Mapping[str, Any]) -> None:
    """Raise ValueError for a command with arguments, of which the rules allow none.

    >>> check_command(["./oog", "-x"], {"arguments": False})
    Traceback (most recent call last):
    ValueError: by the rules of 1984 a program has no arguments (argc is 1), got 1: leave it out, \
or allow some with arguments = true
    """
    if (count := len(words) - 1) and not options["arguments"]:
        them = "it" if count == 1 else "them"
        raise ValueError(
            f"by the rules of 1984 a program has no arguments (argc is 1), got {count}: leave {them} out, "
            "or allow some with arguments = true"
        )


PROTOCOL = Protocol(name="usenix", options=Options, codec=codec, games=("go",), check_command=check_command)
