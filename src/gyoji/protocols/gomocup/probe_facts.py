"""What is known of a brain, and where it could play with that."""

from dataclasses import dataclass, field
from typing import NamedTuple

from gyoji.core.text import format_duration

MS = 1_000_000
TOLERANCE = 1000
"""ms that Gomocup forgives."""


class League(NamedTuple):
    """A game that a brain may have to play. turn: seconds a move may take, 0 where that is not known."""

    name: str
    width: int
    height: int
    rule: int
    turn: int = 0
    swap2: bool = False

    @property
    def heading(self) -> str:
        return f"{self.name}, {self.width}x{self.height}, rule {self.rule}"


LEAGUES = (
    League("Fastgame", 20, 20, 0, turn=5),
    League("Freestyle", 20, 20, 0, turn=30),
    League("Freestyle 15", 15, 15, 0, turn=30),
    League("Standard", 15, 15, 1, turn=30),
    League("Renju", 15, 15, 4, turn=300),
    League("Caro", 15, 15, 9, turn=30),
    League("Unlimited", 15, 15, 1, swap2=True),
)
"""Gomocup's, as they are played now."""


@dataclass(slots=True)
class Facts:
    """Each where it is known: why not, "" where it can.

    about     what it says of itself.
    start     by (width, height): START or RECTSTART, and a first move there.
    startup   ns that it took to answer that, at most.
    silences  how often START was not answered.
    is_slow   whether a first move took much longer than it may: then less is asked.
    board     BOARD.
    swap2     SWAP2BOARD.
    rules     by (side of the board, rule): "" also where it could not be told.
    untold    of which (side, rule) that is.
    slowest   ms for a move, where that was too long.
    doubts    what may cost it games anywhere.
    commands  the optional ones that it knows.
    """

    about: str = ""
    start: dict[tuple[int, int], str] = field(default_factory=dict)
    startup: int = 0
    silences: int = 0
    is_slow: bool = False
    board: str = ""
    swap2: str = "SWAP2BOARD: not asked"
    rules: dict[tuple[int, int], str] = field(default_factory=dict)
    untold: set[tuple[int, int]] = field(default_factory=set)
    slowest: int = 0
    doubts: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)

    @property
    def sides(self) -> list[int]:
        """Of the square boards it plays on, in the order they were tried."""
        return [width for (width, height), reason in self.start.items() if width == height and not reason]

    def knows_rule(self, rule: int) -> bool:
        """Whether it was seen to play by it, on some board."""
        return any(
            not reason and (side, known) not in self.untold
            for (side, known), reason in self.rules.items()
            if known == rule
        )

    def hindrances(self, league: League) -> list[str]:
        """Why it cannot play there, or would lose every game."""
        reasons = (
            self.start.get((league.width, league.height), f"{league.width}x{league.height}: not asked"),
            self.board,
            self.rules.get((league.width, league.rule), ""),
            self.swap2 if league.swap2 else "",
            self._slowness(league),
        )
        return [reason for reason in reasons if reason]

    def _slowness(self, league: League) -> str:
        if not league.turn or self.slowest <= league.turn * 1000 + TOLERANCE:
            return ""
        return f"takes {format_duration(self.slowest * MS)} for a move, told to take less"

    def prospect(self, league: League) -> str:
        """What would become of it there."""
        if reasons := self.hindrances(league):
            return "; ".join(reasons)
        untold = (league.width, league.rule) in self.untold
        doubts = [f"whether it knows rule {league.rule} cannot be told"] if untold else []
        return "; ".join(("can play", *doubts, *self.doubts))


def lateness(took: int, limit: int) -> str:
    """What is to be said about taking `took` ms of `limit` (0: as few as possible), "" for nothing."""
    if took <= (limit or TOLERANCE):
        return ""
    late = f"took {took} ms where {limit} ms are allowed"
    return late if took > limit + TOLERANCE else f"{late}; Gomocup forgives {TOLERANCE} ms"
