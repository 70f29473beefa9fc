"""A protocol as an extension: our half of a language that engines speak, in one frozen object.

A distribution registers the object under the entry point group `gyoji.protocols`, by the protocol's name.
"""

import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from gyoji.core.game import OptionsKind, made
from gyoji.core.messages import Scored
from gyoji.core.ports import AnyRules, Codec
from gyoji.core.probe import Findings, Probe

OptionsT = TypeVar("OptionsT", bound=OptionsKind)


class CommandCheck(typing.Protocol):
    """Refuses commands that the protocol does not allow."""

    def __call__(self, words: Sequence[str], options: Mapping[str, object], /) -> None:
        """Raise ValueError for such a command; options: the player's, as plain values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol(Generic[OptionsT]):
    """A protocol.

    name        as players name it; that of its entry point.
    options     a frozen dataclass: the protocol's settings of a player.
    codec       our half of a new conversation with one engine.
    games       the names of the games that can be played in it, beside those whose `defaults` name it; None:
                any.
    private_folder  whether its engines have a working folder for each game, unless told another.
    check_command   raises ValueError for a command that is not allowed; None: all are.
    read_score  what an engine means by its words about the score; None: they are no more than words.
    executable  which file of a package is the program, by their names, with warnings; ValueError if none is.
                None: there are no packages.
    probe       the conformance probe of `gyoji check`; of rules, or of None: any that the engine can play by.
    trial       a short one of the check before a competition.
    """

    name: str
    options: type[OptionsT]
    codec: Callable[[OptionsT], Codec]
    games: tuple[str, ...] | None = None
    private_folder: bool = False
    check_command: CommandCheck | None = None
    read_score: Callable[[str], Scored] | None = None
    executable: Callable[[Sequence[str]], tuple[str, Sequence[str]]] | None = None
    probe: Callable[[AnyRules | None], Probe[Findings]] | None = None
    trial: Callable[[AnyRules], Probe[Findings]] | None = None

    def make_codec(self, options: Mapping[str, object]) -> Codec:
        """The codec for options as a player has them. Raises TypeError and ValueError."""
        return self.codec(made(self.options, options))


AnyProtocol: TypeAlias = Protocol[OptionsKind]
"""A protocol whose options only the protocol itself knows."""
