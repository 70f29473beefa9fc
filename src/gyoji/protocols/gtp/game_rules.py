"""The members of a game's rules that GTP needs, and those from which an engine can be told more."""

# `supports` finds the members of these classes by their annotations. mypyc keeps no annotations, so this
# module is not one of those that it compiles.

from typing import Protocol

from gyoji.core.messages import Move


class GtpRules(Protocol):
    """The members that GTP needs of a game's rules: a board, and a notation of moves.

    `parse` raises ValueError for text that is no move. If the rules also have the members of one of the
    classes below, the engine is told more.
    """

    width: int
    height: int

    def parse(self, text: str, /) -> Move: ...
    def format(self, move: Move, /) -> str: ...


class HasName(Protocol):
    """Rules of a game that `set_game` can name. `game_name` is the argument of that command."""

    game_name: str


class HasKomi(Protocol):
    """Rules with points for White."""

    komi: float


class HasOpening(Protocol):
    """Rules with an opening: `opening_plays` has (seat, move) pairs that lead to the first position."""

    opening_plays: tuple[tuple[int, Move], ...]


class HasHandicap(Protocol):
    """Rules with handicap stones for Black.

    In such a game the text of a tuple of points is several vertices. In other games a tuple is a move like
    any other.

    Attributes:
        handicap: Number of stones, 0 for an even game.
        handicap_style: "fixed" or "free".
        handicap_points: The points of a fixed handicap. They are on the board before the opening.
    """

    handicap: int
    handicap_style: str
    handicap_points: tuple[Move, ...]


class HasRulesets(Protocol):
    """Rules that are one of several rulesets.

    Attributes:
        kata_rules: Argument of `kata-set-rules`, "" to omit the command.
        kgs_rules: Argument of `kgs-rules`, "" to omit the command.
        kata_params: (name, value, description) of each parameter for `kata-set-param`. The description names
            the parameter to users if an engine cannot be told it; "" if that makes no difference.
    """

    kata_rules: str
    kgs_rules: str
    kata_params: tuple[tuple[str, str, str], ...]
