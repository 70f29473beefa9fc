"""The interface of the rules of chess that the UCI protocol uses."""

# `needed` finds the members of this class by their annotations. mypyc keeps no annotations, so this module is
# not compiled.

from collections.abc import Iterable
from typing import Protocol

from gyoji.core.messages import Evaluation, Move


class UciRules(Protocol):
    """The members of a game's rules that UCI uses.

    `parse` and `format` convert a move in coordinate notation ("e7e8q"). `spelled` returns a parsed move as
    the rules write it in a position: castling has two spellings. `variation_flaws` returns the faults of a
    variation (`ChecksVariations`).

    Attributes:
        start_fen: FEN of the first position, before the opening.
        opening_plays: (seat, move) pairs that lead from there to the position in which the game begins.
        chess960: Whether castling is written as the king taking its own rook, and `start_fen` is a
            Shredder-FEN.
    """

    start_fen: str
    opening_plays: tuple[tuple[int, Move], ...]
    chess960: bool

    def parse(self, text: str, /) -> Move: ...
    def format(self, move: Move, /) -> str: ...
    def spelled(self, view: object, move: Move, /) -> Move: ...
    def variation_flaws(
        self, view: object, move: Move, evaluation: Evaluation, /
    ) -> Iterable[tuple[str, str]]: ...
