"""The parts of the rules of gomoku that the Gomocup protocol needs."""

# `needed` finds the members of these classes by their annotations. mypyc keeps no annotations, so this module
# is not one of those that it compiles.

from typing import Any, Protocol

from gyoji.core.messages import Move


class Points(Protocol):
    """The geometry of a board. All games on boards of one size share the object."""

    width: int
    height: int

    def __hash__(self) -> int: ...
    def point(self, x: int, y: int) -> Move: ...


class GomokuGame(Protocol):
    """The members that the Gomocup protocol needs of a game's rules. Colours are 0 for Black and 1 for White.

    Attributes:
        bits: The number that INFO rule gives for this rule.
    """

    width: int
    height: int
    bits: int

    @property
    def board(self) -> Points: ...
    def parse(self, text: str) -> Move: ...
    def point(self, x: int, y: int) -> Move: ...
    def stones(self, view: Any) -> tuple[tuple[Move, int], ...]: ...
    def dead(self, view: Any) -> frozenset[Move]: ...
    def colour(self, view: Any, seat: int) -> int: ...
