"""How a competition goes, as lines over games: the evidence of a test, the values that a tuner believes in.

A competition may offer `progress() -> Sequence[Chart]`; reports draw them.
"""

from dataclasses import dataclass
from typing import NamedTuple


class Line(NamedTuple):
    """One line. points: (x, y), x ascending; a million of them are drawn as a few hundred."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Lines with a common scale.

    x, y    what the axes count, in a word or two.
    limits  (name, y) of levels that mean something, such as the bounds of a test.
    note    what the chart says, in a sentence, for people who see such a one for the first time.
    """

    title: str
    lines: tuple[Line, ...]
    x: str = "games"
    y: str = ""
    limits: tuple[tuple[str, float], ...] = ()
    note: str = ""
