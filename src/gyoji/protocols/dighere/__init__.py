"""The protocol of SamurAI Dig Here, by its rules of December 2019: 13 lines are asked, a number answers.
Pure."""

from gyoji.core.protocol import Protocol
from gyoji.protocols.dighere.codec import DigHereCodec, Options

__all__ = ["PROTOCOL", "DigHereCodec", "Options", "codec"]


def codec(options: Options) -> DigHereCodec:
    """Our half of a new conversation with one agent's program."""
    return DigHereCodec()


PROTOCOL = Protocol(name="dighere", options=Options, codec=codec, games=("dighere",))
