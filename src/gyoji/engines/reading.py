"""Helpers for reading positions of Go: groups, liberties, captures, ladders, eyes and influence.

Sets of points are ints as in `gyoji.games.go.board`. Stones are passed as two sets, `own` and `other`; the
parameters of a function say whose they are. Ko is ignored. A search stops after a maximum number of
positions, so its result may be wrong.
"""

from functools import lru_cache
from typing import NamedTuple

from gyoji.core.boards import bits
from gyoji.games.go.board import Board

NODES = 120
"""The maximum number of positions read for one ladder."""


class Group(NamedTuple):
    """A group (connected stones of one colour) and its liberties, as sets of points."""

    stones: int
    liberties: int


class Reader:
    """Helpers for boards of one size: groups, eyes, what can be captured, what escapes, influence."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.full = board.full
        self.stride = board.stride
        self.near = {point: place.near for point, place in board.places.items()}
        self.corners = {point: self._diagonals(point) for point in self.near}
        self._nodes = 0

    def _diagonals(self, point: int) -> int:
        x, y = self.board.column_row(point)
        around = ((x - 1, y - 1), (x - 1, y + 1), (x + 1, y - 1), (x + 1, y + 1))
        return sum(
            1 << self.board.bit(column, row)
            for column, row in around
            if 0 <= column < self.board.width and 0 <= row < self.board.height
        )

    def group(self, seed: int, stones: int, empty: int) -> Group:
        """Return the group that contains a stone.

        Args:
            seed: The stone, as a set with one point.
            stones: All stones of its colour.
            empty: Empty points.
        """
        stride, group = self.stride, seed
        while True:
            grown = group | group << 1 | group >> 1 | group << stride | group >> stride
            if grown & stones == group:
                return Group(group, grown & empty)
            group = grown & stones

    def groups(self, stones: int, empty: int) -> list[Group]:
        """Return all groups of one colour, given its stones and the empty points."""
        found = []
        while stones:
            group = self.group(stones & -stones, stones, empty)
            stones ^= group.stones
            found.append(group)
        return found

    def place(self, own: int, other: int, point: int) -> tuple[int, int]:
        """Return the two sets of stones, `own` and `other`, after `own` has played on an empty point.

        After a suicide, `own` is unchanged.
        """
        bit, near = 1 << point, self.near[point]
        own_after = own | bit
        empty = self.full ^ own_after ^ other
        rest = near & other
        while rest:
            stone = rest & -rest
            rest ^= stone
            if stone & other and (taken := self.board.smothered(stone, other, empty)):
                other ^= taken
                empty |= taken
        if not near & empty and self.board.smothered(bit, own_after, empty):
            return own, other
        return own_after, other

    def is_eye(self, point: int, own: int, other: int) -> bool:
        """Return whether an empty point is an eye that `own` should not fill."""
        if self.near[point] & ~own:
            return False
        corners = self.corners[point]
        bad = (corners & other).bit_count()
        return bad == 0 if corners.bit_count() < 4 else bad <= 1

    def in_atari_beside(self, group: int, stones: int, empty: int) -> list[Group]:
        """Return the groups of `stones` that are adjacent to `group` and in atari."""
        touching, found = self.board.spread(group) & stones, []
        while touching:
            each = self.group(touching & -touching, stones, empty)
            touching &= ~each.stones
            if not each.liberties & (each.liberties - 1):
                found.append(each)
        return found

    def escapes(self, seed: int, own: int, other: int) -> list[int]:
        """Return the moves that save a group in atari if its side is to move. Empty if no move does.

        Args:
            seed: A stone of the group, as a set with one point.
            own: The stones of the group's side.
            other: The stones of the attacker.
        """
        self._nodes = NODES
        return [move for move in self._tries(seed, own, other) if self._survives(seed, move, own, other)]

    def _tries(self, seed: int, own: int, other: int) -> list[int]:
        """Return moves that may save a group in atari: its last liberty, and captures of adjacent groups.

        Args:
            seed: A stone of the group, as a set with one point.
            own: The stones of its side.
            other: The stones of the attacker.
        """
        empty = self.full ^ own ^ other
        group = self.group(seed, own, empty)
        moves = {
            each.liberties.bit_length() - 1: None for each in self.in_atari_beside(group.stones, other, empty)
        }
        if group.liberties:
            moves[group.liberties.bit_length() - 1] = None
        return list(moves)

    def _survives(self, seed: int, move: int, own: int, other: int) -> bool:
        """Return whether a move saves a group in atari, also from a ladder that the attacker then begins.

        Args:
            seed: A stone of the group, as a set with one point.
            move: The move of the group's side.
            own: The stones of its side before the move.
            other: The stones of the attacker.
        """
        after, left = self.place(own, other, move)
        if after == own:
            return False
        group = self.group(seed, after, self.full ^ after ^ left)
        count = group.liberties.bit_count()
        if count != 2:
            return count > 2
        return not any(self._captures(seed, point, after, left) for point in bits(group.liberties))

    def captures(self, seed: int, own: int, other: int) -> list[int]:
        """Return the moves of the attacker that capture a group with two liberties in a ladder.

        Args:
            seed: A stone of the group, as a set with one point.
            own: The stones of its side.
            other: The stones of the attacker.
        """
        group = self.group(seed, own, self.full ^ own ^ other)
        self._nodes = NODES
        return [point for point in bits(group.liberties) if self._captures(seed, point, own, other)]

    def _captures(self, seed: int, point: int, own: int, other: int) -> bool:
        self._nodes -= 1
        if self._nodes <= 0:
            return False
        attackers, defenders = self.place(other, own, point)
        if attackers == other:
            return False
        return not any(
            self._survives(seed, move, defenders, attackers)
            for move in self._tries(seed, defenders, attackers)
        )

    def influence(self, own: int, other: int, steps: int = 4) -> tuple[int, int]:
        """Return the points nearer to `own`, and the points nearer to `other`. Both sets have the stones,
        too.

        Points more than `steps` steps from any stone belong to neither set.
        """
        spread = self.board.spread
        free = self.full ^ own ^ other
        for _ in range(steps):
            ours, theirs = spread(own) & free, spread(other) & free
            if not ours | theirs:
                break
            both = ours & theirs
            own |= ours ^ both
            other |= theirs ^ both
            free &= ~(ours | theirs)
        return own, other


@lru_cache(maxsize=16)
def reader_of(board: Board) -> Reader:
    """Return the `Reader` for a board. It is created once per board."""
    return Reader(board)
