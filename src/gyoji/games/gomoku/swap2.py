"""The rule swap2: one player places three stones, the other takes a side, or places two and hands that back.

Seat 0 opens with black, white, black. Seat 1 then takes Black (`SWAP`), or is White with a fourth stone, or
adds a white and a black stone; in that case seat 0 takes Black (`SWAP`), or is White with a sixth stone.
After that the stones are an opening like any other.

Five stones make neither a row nor anything forbidden, so nothing else has to be checked of them.
"""

from collections.abc import Collection, Iterator
from itertools import islice

from gyoji.core.messages import Move
from gyoji.games.gomoku.names import SWAP
from gyoji.games.gomoku.position import Position

THREE = "swap2: three stones"
CHOICE = "swap2: choice"
LAST = "swap2: last choice"

_WANTED = {
    THREE: "three stones",
    CHOICE: "swap, one stone, or two",
    LAST: "swap or one stone",
}


def chosen(position: Position, move: Move) -> tuple[Position, tuple[Move, ...]]:
    """The position with sides and phase as `move` leaves them, and the stones that it places, unchecked.

    Raises ValueError for what is no choice in this phase.
    """
    phase, swapped = position.phase, position.swapped
    stones = move if isinstance(move, tuple) else (move,)
    if phase == THREE and len(stones) == 3:
        return position._replace(phase=CHOICE), stones
    if phase == CHOICE and len(stones) == 2:
        return position._replace(phase=LAST, swapped=1 - swapped), stones  # whose choice it is has White
    if phase != THREE and move == SWAP:
        return position._replace(phase="", swapped=1 - swapped), ()
    if phase != THREE and len(stones) == 1:
        return position._replace(phase=""), stones
    got = "swap" if move == SWAP else f"{len(stones)} stone{'s' * (len(stones) != 1)}"
    raise ValueError(f"got {got}, expected {_WANTED[phase]}")


def examples(phase: str, points: Collection[int]) -> Iterator[Move]:
    """One move of each kind that may be made in the phase; points: the empty ones."""
    if phase == THREE:
        yield tuple(islice(points, 3))
        return
    yield SWAP
    yield next(iter(points))
    if phase == CHOICE:
        yield tuple(islice(points, 2))
