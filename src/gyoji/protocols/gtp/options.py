"""The settings of a GTP player, named as in gomill's control files."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from gyoji.core.text import quote

_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of one GTP player.

    Raises ValueError for text that cannot be a command: it is empty, or a word has blanks or control
    characters.

    Attributes:
        startup_gtp_commands: Commands sent before the board is set up, each as a line or as a list of words.
        gtp_aliases: The engine's own name for a command, by standard name.
        is_reliable_scorer: Whether the engine is asked for the score.
        allow_claim: Whether the engine may end a game by claiming a win.
        sgf_player_name_from_gtp: Whether records use the name that the engine reports.
        evaluate: Whether the engine is asked for evaluations of its moves, by the first that it knows of
            kata-genmove_analyze, lz-genmove_analyze and estimate_score.
        command_ids: Whether commands have ids, which responses must repeat.
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
        """Return the startup commands, each with single blanks between its words."""
        return tuple(
            " ".join(command.split() if isinstance(command, str) else command)
            for command in self.startup_gtp_commands
        )


def _check_word(setting: str, word: str) -> None:
    if not word or not word.isprintable() or word.split() != [word]:
        raise ValueError(f"{setting}: got {quote(word)}, expected a word of printable characters, no blanks")
