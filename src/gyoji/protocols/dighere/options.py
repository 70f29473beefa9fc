"""The settings of a player that speaks the protocol of Dig Here."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Nothing can be set."""
