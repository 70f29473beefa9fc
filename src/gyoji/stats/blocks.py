"""Symmetric matrices over the players of a field, stored as one block for each group of connected players."""

# No result compares players of different groups, so the curvature matrix is zero between groups. It has a
# block for each group, and a border (last row and column) for the advantage of the first side, which all
# groups share:
#
#     B1  .  c1     B: the blocks in one flat array; groups of one size lie next to each other, so that
#      . B2  c2        numpy solves all blocks of a size in one call
#     c1 c2   d     c: the border, d: the corner
#
# A thousand pairs of players that met once cost a thousand blocks of 2x2 instead of a matrix of 2,000 x
# 2,000. A field that is one group costs as much as a dense matrix.

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Numbers: TypeAlias = NDArray[np.int64]


class Layout:
    """The indices of a matrix's entries in a flat array. The matrix has a row and a column for each player.

    Only entries of two players in the same group are stored; all others are 0.

    Attributes:
        players: The number of players.
        size: The size of the flat array.
    """

    def __init__(self, groups: Sequence[Sequence[int]]) -> None:
        by_size: dict[int, list[Sequence[int]]] = {}
        for group in groups:
            by_size.setdefault(len(group), []).append(group)
        self.players = sum(map(len, groups))
        self._row, self._at = np.zeros((2, self.players), dtype=np.int64)
        self._stacks: list[tuple[Numbers, slice]] = []
        self.size = 0
        for length, alike in by_size.items():
            members = np.array(alike, dtype=np.int64)
            square = length * length
            begins = self.size + square * np.arange(len(alike))
            self._row[members] = begins[:, None] + length * np.arange(length)
            self._at[members] = np.arange(length)
            self._stacks.append((members, slice(self.size, self.size + square * len(alike))))
            self.size += square * len(alike)

    def index(self, one: Numbers, other: Numbers) -> Numbers:
        """Return the indices in the flat array of some entries of the matrix.

        Args:
            one: The row of each entry, as the number of a player.
            other: The column of each entry, as the number of a player in the same group.
        """
        return self._row[one] + self._at[other]

    @property
    def diagonal(self) -> Numbers:
        """The index in the flat array of each player's entry on the diagonal, by number of the player."""
        return self._row + self._at

    def blocks(self, flat: Floats) -> Iterator[tuple[Numbers, Floats]]:
        """For each size of groups, yield the numbers of the players and the blocks of all groups of that
        size.

        Item k of both arrays belongs to the k-th group of that size. Its block is a view of `flat`.
        """
        for members, span in self._stacks:
            length = members.shape[1]
            yield members, flat[span].reshape(-1, length, length)


class Bordered(NamedTuple):
    """A symmetric matrix: blocks of connected players, and a last row and column for the first side's
    advantage.

    Attributes:
        flat: The entries of the blocks, placed by `layout`.
        border: For each player, the entry in the last row.
        corner: The last entry of the diagonal.
    """

    layout: Layout
    flat: Floats
    border: Floats
    corner: float

    @classmethod
    def empty(cls, layout: Layout) -> "Bordered":
        return cls(layout, np.zeros(layout.size), np.zeros(layout.players), 0.0)

    def plus(self, other: "Bordered", factor: float = 1.0) -> "Bordered":
        return Bordered(
            self.layout,
            self.flat + factor * other.flat,
            self.border + factor * other.border,
            self.corner + factor * other.corner,
        )

    def solved(self, right: Floats, fixed: NDArray[np.bool_], *, sides: bool) -> Floats:
        """Solve (this matrix) x = `right` for x. The last entry of x is the advantage of the first side.

        Args:
            right: The right-hand side.
            fixed: For each player, whether the player's entry of x stays 0.
            sides: Whether the advantage of the first side is an unknown. If not, the last entry of x stays 0.
        """
        found, along = np.zeros(self.layout.players + 1), np.zeros(self.layout.players)
        for members, block in self.layout.blocks(self.flat):
            held = fixed[members]
            both = np.stack([right[members], self.border[members]], axis=-1)
            both[held] = 0
            answer = np.linalg.solve(_held(block, held), both)
            found[members], along[members] = answer[..., 0], answer[..., 1]
        if sides:
            rest = self.corner - self.border @ along
            found[-1] = (right[-1] - self.border @ found[:-1]) / rest
            found[:-1] -= along * found[-1]
        return found

    # With D the inverse of the blocks alone, u = D c, s = d - c u and w = (-u, 1), the inverse is D + w w' /
    # s.
    def between(self, noise: "Bordered", fixed: NDArray[np.bool_], *, sides: bool) -> "Covariance":
        """Return the sandwich covariance of the ratings: I x `noise` x I, where I is the inverse of this
        matrix.

        Args:
            noise: The variance of the slope of the log likelihood (J in `logistic`).
            fixed: For each player, whether the rating is fixed. The covariance of a fixed rating is 0.
            sides: Whether the advantage of the first side is an unknown.
        """
        layout = self.layout
        inverses = [
            (members, np.where(_either(fixed[members]), 0, np.linalg.inv(_held(block, fixed[members]))))
            for members, block in layout.blocks(self.flat)
        ]
        flat, leaning = np.empty(layout.size), np.zeros(layout.players)
        border = np.zeros(layout.players)
        blocks, noises = list(layout.blocks(flat)), list(layout.blocks(noise.flat))
        for (members, inverse), (_, block), (_, own) in zip(inverses, blocks, noises, strict=True):
            block[:] = inverse @ own @ inverse
            leaning[members] = -_times(inverse, self.border[members])
        if not sides:
            return Covariance(layout, flat, np.zeros(layout.players), 0.0)
        rest = self.corner + self.border @ leaning
        moved = noise.border.copy()
        for members, own in noises:
            moved[members] += _times(own, leaning[members])
        whole = float((leaning @ moved + noise.border @ leaning + noise.corner) / rest**2)
        for (members, inverse), (_, block) in zip(inverses, blocks, strict=True):
            lean, pull = leaning[members], _times(inverse, moved[members]) / rest
            block[:] += pull[:, :, None] * lean[:, None] + lean[:, :, None] * pull[:, None]
            block[:] += whole * lean[:, :, None] * lean[:, None]
            border[members] = pull + whole * lean
        return Covariance(layout, flat, border, whole)


class Covariance(NamedTuple):
    """The covariance of ratings within each group, and of each rating with the advantage of the first side.

    Attributes:
        flat: The covariances of two players of a group, placed by `layout`.
        border: The covariance of each rating with the advantage.
        of_advantage: The variance of the advantage.
    """

    layout: Layout
    flat: Floats
    border: Floats
    of_advantage: float

    def scaled(self, factor: float) -> "Covariance":
        return Covariance(self.layout, factor * self.flat, factor * self.border, factor * self.of_advantage)

    def within(self, group: Sequence[int]) -> Floats:
        """Return the covariance matrix of some players of one group."""
        players = np.array(group, dtype=np.int64)
        found: Floats = self.flat[self.layout.index(players[:, None], players)]
        return found

    def dense(self) -> Floats:
        """Return the covariance matrix of all players, with the advantage as last row and column.

        The covariance of players of different groups is 0.
        """
        whole = np.zeros((self.layout.players + 1, self.layout.players + 1))
        whole[-1] = whole[:, -1] = np.append(self.border, self.of_advantage)
        for members, block in self.layout.blocks(self.flat):
            whole[members[:, :, None], members[:, None]] = block
        return whole


def _held(blocks: Floats, held: NDArray[np.bool_]) -> Floats:
    """Return the blocks with the rows and columns of fixed players replaced by those of the unit matrix.

    Args:
        blocks: The blocks of groups of one size.
        held: For each player of each group, whether the player is fixed.
    """
    if not held.any():
        return blocks
    kept: Floats = np.where(_either(held), 0, blocks)
    at = np.arange(held.shape[1])
    kept[:, at, at] += held
    return kept


def _either(held: NDArray[np.bool_]) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = held[:, :, None] | held[:, None]
    return found


def _times(blocks: Floats, vectors: Floats) -> Floats:
    """Return the product of each block with its vector."""
    product: Floats = (blocks @ vectors[:, :, None])[:, :, 0]
    return product
