"""The interface of the rules of gomoku that the Gomocup protocol uses."""

# `needed` finds the members of these classes by their annotations. mypyc keeps no annotations, so this module
# is not compiled.

from typing import Any, Protocol

from gyoji.core.messages import Move


class Points(Protocol):
    """The geometry of a board. All games on boards of one size share one object."""

    width: int
    height: int

    def __hash__(self) -> int: ...
    def point(self, x: int, y: int) -> Move: ...


class GomokuGame(Protocol):
    """The members of a game's rules that the Gomocup protocol uses. Colours are 0 for Black and 1 for White.

    Attributes:
        bits: The number of the game's rule in the command INFO rule.
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
