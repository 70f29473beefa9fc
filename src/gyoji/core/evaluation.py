"""An engine's own opinion of a position, as a value: what its words or its protocol tell of it."""

from typing import NamedTuple


class Evaluation(NamedTuple):
    """An opinion of a position, from the point of view of the seat that has it. None: not told.

    score  by how much it stands better, in the unit that the engine uses (Go: points of the final score).
    win    its chance to win, from 0 to 1.
    depth  plies that it has looked ahead.   nodes  positions or playouts that it has looked at.
    pv     the moves that it expects, its own first, in the notation of the game's rules or in its own.
    """

    score: float | None = None
    win: float | None = None
    depth: int | None = None
    nodes: int | None = None
    pv: tuple[str, ...] = ()


class Opinion(NamedTuple):
    """An evaluation in a game. turn: the number of the turn for which it was made, from 0."""

    turn: int
    seat: int
    evaluation: Evaluation
