"""The interfaces of the rules that GTP uses: one required, the others optional."""

# `supports` finds the members of these classes by their annotations. mypyc keeps no annotations, so this
# module is not compiled.

from typing import Protocol

from gyoji.core.messages import Move


class GtpRules(Protocol):
    """The required members of a game's rules: a board, and a notation of moves.

    `parse` raises ValueError for text that is not a move. The classes below describe optional members. If the
    rules have these, the engine is sent their values.
    """

    width: int
    height: int

    def parse(self, text: str, /) -> Move: ...
    def format(self, move: Move, /) -> str: ...


class HasName(Protocol):
    """Rules of a game with a name for `set_game`: `game_name` is the argument of that command."""

    game_name: str


class HasKomi(Protocol):
    """Rules with komi, compensation points for White."""

    komi: float


class HasOpening(Protocol):
    """Rules with an opening: `opening_plays` are (seat, move) pairs that lead to the first position."""

    opening_plays: tuple[tuple[int, Move], ...]


class HasHandicap(Protocol):
    """Rules with handicap stones for Black.

    In such a game a tuple of points is a move of several stones, formatted as several vertices.

    Attributes:
        handicap: Number of stones, 0 for an even game.
        handicap_style: "fixed" or "free".
        handicap_points: The points of a fixed handicap. They are on the board before the opening.
    """

    handicap: int
    handicap_style: str
    handicap_points: tuple[Move, ...]


class HasRulesets(Protocol):
    """Rules of a game with several rulesets.

    Attributes:
        kata_rules: Argument of `kata-set-rules`; "" to omit the command.
        kgs_rules: Argument of `kgs-rules`; "" to omit the command.
        kata_params: (name, value, description) of each parameter for `kata-set-param`. If the parameter
            cannot be set, a message names the description. "" if the parameter makes no difference.
    """

    kata_rules: str
    kgs_rules: str
    kata_params: tuple[tuple[str, str, str], ...]
