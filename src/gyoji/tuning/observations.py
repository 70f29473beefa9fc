"""The games of candidates as numbers: positions of the candidates, and scores."""

from array import array
from collections.abc import Sequence
from typing import TypeAlias

from gyoji.tuning.parameters import Valued

Point: TypeAlias = tuple[float, ...]


OTHER = "other."
"""Prefix of the column headings of a second candidate's values, in lists of games."""


class Observations:
    """Games in the order in which they were added. Positions are fractions of each parameter's range."""

    def __init__(self, parameters: Sequence[Valued], *, pairs: bool) -> None:
        """Begin without games.

        Args:
            pairs: Whether candidates play each other instead of an opponent.
        """
        self.parameters = parameters
        self.pairs = pairs
        self.rows = array("d")  # for each game: positions of one or two candidates, score
        self.width = len(parameters) * (2 if pairs else 1) + 1

    def __len__(self) -> int:
        return len(self.rows) // self.width

    def add(self, point: Point, score: float, *, other: Point | None = None) -> None:
        """Add a game.

        Args:
            point: The candidate, in the tuner's coordinates.
            score: The points of this candidate: 0, ½ or 1.
            other: The second candidate; None if the opponent was no candidate.
        """
        self.rows.extend(self.positions(point))
        if self.pairs:
            self.rows.extend(self.positions(point if other is None else other))
        self.rows.append(score)

    def positions(self, point: Point) -> list[float]:
        """Convert a point of the tuner to fractions of the parameters' ranges, clipped to 0 to 1."""
        reaches = (parameter.reach for parameter in self.parameters)
        shares = ((x - low) / (high - low) for x, (low, high) in zip(point, reaches, strict=True))
        return [min(max(share, 0.0), 1.0) for share in shares]

    def coordinate(self, column: int, position: float) -> float:
        """Convert one position to the tuner's coordinate: the inverse of `positions`.

        Args:
            column: The number of the parameter, from 0.
            position: A fraction of the parameter's range, 0 to 1.
        """
        low, high = self.parameters[column].reach
        return low + position * (high - low)
