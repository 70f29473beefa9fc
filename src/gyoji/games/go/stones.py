"""What a stone does to the board: it takes what has no liberty left, and maybe its own group too."""

from typing import NamedTuple

from gyoji.games.go.board import Board, Place


class Placed(NamedTuple):
    """The board after a stone was put on an empty point; legal or not is for others to say.

    own, other   the stones of who played and of the other side, all taken ones gone.
    taken, lost  stones taken from the other side; own stones taken by suicide.
    ko           the stone taken, if its side could take back at once and so restore the board; else 0.
    """

    own: int
    other: int
    taken: int
    lost: int
    ko: int


_placed = tuple.__new__  # a named tuple's own constructor costs twice as much


def place_stone(board: Board, own: int, other: int, place: Place) -> Placed:
    """Put a stone of `own` on an empty point."""
    bit, near, neighbours = place
    empty = board.full ^ own ^ other ^ bit
    taken = lost = ko = 0
    if near & other:
        for stone, around in neighbours:
            if stone & other and not around & empty and not stone & taken:
                taken |= board.smothered(stone, other, empty)
    if taken:
        other ^= taken
        if not near & (own | empty) and not taken & (taken - 1):
            ko = taken  # one stone took one, and its only liberty is where that one was
    elif not near & empty:
        lost = board.smothered(bit, own | bit, empty)
    return _placed(Placed, ((own | bit) ^ lost, other, taken, lost, ko))
