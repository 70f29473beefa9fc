"""A position in which an engine shows whether it plays by all of the rules that it was told. Values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A game that is set up, and goes on as long as the engine, seat 0, does nothing to the purpose.

    options  of that game, all of them.
    moves    in playing order, in the notation of its rules; seat 0 is to move then.
    idle     the move to no purpose; the other side answers it with the same.
    failure  what is to be said of an engine that makes no other until the game is over.
    remedy   what can be done about it.
    """

    options: Mapping[str, object]
    moves: Sequence[str]
    idle: str
    failure: str
    remedy: str
