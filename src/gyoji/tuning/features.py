"""Features of points: functions of a candidate's parameters whose weighted sum models the candidate's
strength.
"""

# There are groups of features: lines and parabolas along the axes; products of two coordinates; curves along
# an axis, smooth or steep; surfaces over all axes, a wide one and one near the best points; and for lists
# without an order an indicator of each value, and of each pair of values. The games decide the variance of a
# group's weights (`belief`). Curves and surfaces are Gaussian processes with a Matérn kernel, approximated
# from a few points (Nyström's method).

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SMOOTH = 1.0
STEEP = 0.2
"""Correlation lengths of smooth and steep curves, in coordinates from -1 to 1."""
WIDE = 0.7
"""Correlation length of the wide surface along each axis, to be multiplied by the root of the number of
axes.
"""
PAIRED = 120
"""Largest number of pairs of values of two lists. Larger lists are modelled as independent of each other."""

_EVEN = {"smooth": 5, "steep": 11}
_CLOSE = {"smooth": 4, "steep": 5}
_JITTER = 1e-6  # of a kernel's diagonal, to have a root


class Region(NamedTuple):
    """The region where the best point may be, in coordinates from -1 to 1.

    Attributes:
        centre: The centre of the region.
        axes: The matrix that converts an offset from the centre to coordinates in which the region has about
            size 1.
        points: Points in the region.
    """

    centre: Array
    axes: Array
    points: Array


class Space:
    """The search space of a tuner: some coordinates are numbers, others stand for values of unordered lists.

    Attributes:
        sizes: For each coordinate, the number of values of its unordered list; 0 for a number.
        parts: The optional groups of features in use: any of "constant" (1 at every point), "smooth",
            "steep", "wide" and "pair". Some other groups are always used.
    """

    def __init__(self, sizes: Sequence[int], parts: frozenset[str]) -> None:
        self.sizes = tuple(sizes)
        self.parts = parts
        self.numbers = [axis for axis, size in enumerate(sizes) if not size]
        self.lists = [axis for axis, size in enumerate(sizes) if size]
        count = len(self.numbers)
        self.left, self.right = np.tril_indices(count, -1)
        self.held = 2 * halton(50 if count == 2 else 60, count) - 1

    def inside(self, points: Array) -> Array:
        """Return the coordinates that are numbers, rescaled to the range from -1 to 1: a row for each
        point.
        """
        return 2 * points[:, self.numbers] - 1


class _Curve(NamedTuple):
    """A Gaussian process along one axis, approximated from its kernel at a few points (Nyström).

    Attributes:
        part: The group of the curve's features, "smooth" or "steep". It selects the kernel too.
        axis: The index of the axis among the coordinates that are numbers.
        scale: The correlation length, in coordinates from -1 to 1.
        centres: The coordinates of the few points, from -1 to 1.
        root: The matrix that converts the kernel's values at `centres` to features.
    """

    part: str
    axis: int
    scale: float
    centres: Array
    root: Array


class _Surface(NamedTuple):
    """A Gaussian process over all coordinates that are numbers, approximated from its kernel at some points.

    Attributes:
        part: The group of the surface's features: "wide" or "near".
        centre: The origin of the surface's coordinates.
        axes: The matrix that converts an offset from `centre` to these coordinates.
        held: The points at which the kernel is computed, in these coordinates.
        root: The matrix that converts the kernel's values at `held` to features.
    """

    part: str
    centre: Array
    axes: Array
    held: Array
    root: Array


class Features:
    """The features of points in a space: functions whose weighted sum models the strength of a candidate.

    With a `Region`, curves and surfaces have more detail there.

    Attributes:
        parts: The names of the groups of features.
        of: For each feature, the index of its group in `parts`.
    """

    def __init__(self, space: Space, region: Region | None) -> None:
        self._space = space
        self._curves = [
            _curve(part, axis, region)
            for axis in range(len(space.numbers))
            for part in ("smooth", "steep")
            if part in space.parts
        ]
        self._surfaces = _surfaces(space, region)
        sample = self._made(np.full((1, len(space.sizes)), 0.5))
        self.parts = list(dict.fromkeys(part for part, _ in sample))
        self.of = np.repeat([self.parts.index(part) for part, _ in sample], [a.shape[1] for _, a in sample])

    def __call__(self, points: Array) -> Array:
        """Return the features of points: a row for each point."""
        return np.concatenate([columns for _, columns in self._made(points)], axis=1)

    def _made(self, points: Array) -> list[tuple[str, Array]]:
        space = self._space
        inside = space.inside(points)
        made = [("constant", np.ones((len(points), 1)))] if "constant" in space.parts else []
        if space.numbers:
            made += [("line", inside), ("parabola", inside * inside)]
        if len(space.left):
            made.append(("product", inside[:, space.left] * inside[:, space.right]))
        for curve in self._curves:
            away = np.abs(inside[:, curve.axis, None] - curve.centres) / curve.scale
            made.append((curve.part, _kernel(curve.part, away) @ curve.root))
        for surface in self._surfaces:
            away = _distances((inside - surface.centre) @ surface.axes, surface.held)
            made.append((surface.part, _kernel(surface.part, away) @ surface.root))
        return made + self._of_lists(points, inside)

    def _of_lists(self, points: Array, inside: Array) -> list[tuple[str, Array]]:
        space = self._space
        columns = [(points[:, axis], space.sizes[axis]) for axis in space.lists]
        flags = [np.eye(size)[np.minimum((x * size).astype(np.int64), size - 1)] for x, size in columns]
        made = [("value", each) for each in flags]
        if "pair" in space.parts:
            both = [(x, y) for number, x in enumerate(flags) for y in flags[:number]]
            if space.numbers:
                curved = np.concatenate([inside, inside * inside], axis=1)
                both += [(each, curved) for each in flags]
            both = [(x, y) for x, y in both if x.shape[1] * y.shape[1] <= PAIRED]
            made += [("pair", (x[:, :, None] * y[:, None, :]).reshape(len(x), -1)) for x, y in both]
        return made


def _curve(part: str, axis: int, region: Region | None) -> _Curve:
    centres = np.linspace(-1, 1, _EVEN[part])
    if region is not None:
        close = np.quantile(region.points[:, axis], np.linspace(0.05, 0.95, _CLOSE[part]))
        centres = np.concatenate([centres, close])
    scale = SMOOTH if part == "smooth" else STEEP
    root = _root(_kernel(part, np.abs(centres[:, None] - centres) / scale))
    return _Curve(part, axis, scale, centres, root)


def _surfaces(space: Space, region: Region | None) -> list[_Surface]:
    count = len(space.numbers)
    if "wide" not in space.parts or count < 2:
        return []
    even = np.eye(count) / (WIDE * np.sqrt(count))
    held = space.held if region is None else np.concatenate([space.held, region.points[:20]])
    made = [_surface("wide", np.zeros(count), even, held)]
    if region is not None:
        made.append(_surface("near", region.centre, region.axes, region.points))
    return made


def _surface(part: str, centre: Array, axes: Array, points: Array) -> _Surface:
    held = (points - centre) @ axes
    return _Surface(part, centre, axes, held, _root(_kernel(part, _distances(held, held))))


def _kernel(part: str, away: Array) -> Array:
    """Return the Matérn kernel at the distances `away`. Its smoothness is 3/2 for steep curves, else 5/2."""
    if part == "steep":
        scaled = np.sqrt(3.0) * away
        return np.asarray((1 + scaled) * np.exp(-scaled))
    scaled = np.sqrt(5.0) * away
    return np.asarray((1 + scaled + scaled * scaled / 3) * np.exp(-scaled))


def _root(kernel: Array) -> Array:
    """Return the matrix that converts a kernel's values to features.

    Args:
        kernel: The kernel's values between the points from which the process is approximated.
    """
    lower = np.linalg.cholesky(kernel + _JITTER * np.eye(len(kernel)))
    return np.asarray(np.linalg.inv(lower).T)


def _distances(points: Array, others: Array) -> Array:
    squares = (points**2).sum(axis=1)[:, None] + (others**2).sum(axis=1) - 2 * points @ others.T
    return np.asarray(np.sqrt(np.maximum(squares, 0)))


def halton(count: int, dimensions: int, first: int = 1) -> Array:
    """Return points of Halton's sequence, which fill the cube from 0 to 1 evenly.

    Args:
        count: How many points.
        dimensions: The number of coordinates.
        first: The number of the first point.
    """
    points = np.zeros((count, dimensions))
    primes = [p for p in range(2, 30 + 8 * dimensions) if all(p % q for q in range(2, p))]
    for axis, base in enumerate(primes[:dimensions]):
        index, share = np.arange(first, first + count), 1.0 / base
        while index.any():
            points[:, axis] += share * (index % base)
            index, share = index // base, share / base
    return points
