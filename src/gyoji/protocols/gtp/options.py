"""The settings of a player that speaks GTP, under the names gomill's control files gave them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from gyoji.core.text import quote

_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to talk to one player's engine.

    startup_gtp_commands    sent before the board is set up, each a line of words or the words themselves.
    gtp_aliases             command -> the word this engine has for it; holds from the first command on.
    is_reliable_scorer      whether it is asked for the score.
    allow_claim             whether it may end a game by claiming to have won.
    sgf_player_name_from_gtp  whether records call the player what its engine calls itself.
    evaluate                whether it is asked what it thinks of its moves, if it knows kata-genmove_analyze,
                            lz-genmove_analyze or estimate_score: the first of these.
    command_ids             number our commands, and expect the numbers back.

    Raises ValueError for what cannot be a command: no words, blanks or control characters in a word.
    """

    startup_gtp_commands: tuple[str | tuple[str, ...], ...] = ()
    gtp_aliases: Mapping[str, str] = field(default_factory=lambda: _NONE)
    is_reliable_scorer: bool = True
    allow_claim: bool = False
    sgf_player_name_from_gtp: bool = True
    evaluate: bool = False
    command_ids: bool = False

    def __post_init__(self) -> None:
        for command in self.startup_gtp_commands:
            words = command.split(" ") if isinstance(command, str) else command
            if not any(words):
                raise ValueError(f"startup_gtp_commands: got no words in {quote(repr(command))}")
            for word in words:
                if word or not isinstance(command, str):
                    _check_word("startup_gtp_commands", word)
        for name, alias in self.gtp_aliases.items():
            _check_word("gtp_aliases", name)
            _check_word("gtp_aliases", alias)

    def startup_lines(self) -> tuple[str, ...]:
        """The startup commands, each with one blank between its words."""
        return tuple(
            " ".join(command.split() if isinstance(command, str) else command)
            for command in self.startup_gtp_commands
        )


def _check_word(setting: str, word: str) -> None:
    if not word or not word.isprintable() or word.split() != [word]:
        raise ValueError(f"{setting}: got {quote(word)}, expected a word of printable characters, no blanks")
