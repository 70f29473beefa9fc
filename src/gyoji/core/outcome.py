"""How a game ended: points and places per team, an ending, who caused it, one line of detail."""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum

from gyoji.core.wire import Value

_WORDS = re.compile(r"[a-z][a-z -]{0,30}[a-z]")


class Ending(StrEnum):
    """Why a game stopped.

    The rules of a game use those of the first group, and endings of their own: any other words in small
    letters are one, the same object each time. The referee uses the next two groups but for `ABSENCE`, the
    scheduler that and the last.

    >>> mate = Ending("mate")
    >>> mate is Ending("mate"), mate.is_by_rules, Ending.TIME.is_by_rules
    (True, True, False)
    """

    SCORE = "score"  # played out and counted
    FULL = "full"  # the board is full and nobody has won
    NO_RESULT = "no result"  # the rules say that this game counts for nobody

    RESIGNATION = "resignation"
    CLAIM = "claim"  # an engine that may do so declared itself the winner
    AGREEMENT = "agreement"  # both sides agreed to a draw
    ADJUDICATION = "adjudication"  # decided by what was to be seen of the game before it was over
    MOVE_LIMIT = "move limit"

    ILLEGAL_MOVE = "illegal move"  # against the rules of the game
    ILL_FORMED_MOVE = "ill-formed move"  # no move at all
    REJECTION = "rejection"  # would not accept a move that the rules allow, or could not answer
    TIME = "time"
    FAULT = "fault"  # exited, fell silent, flooded, broke its protocol
    ABSENCE = "absence"  # a person did not come; no points where persons of several sides did not
    FORFEIT = "forfeit"  # lost by a person's ruling, for a reason that the ruling says

    SET_ASIDE = "set aside"  # the game could not be played: it is in no record, and counts in no table

    @classmethod
    def _missing_(cls, value: object) -> "Ending | None":
        """The ending of a game's own that these words are; None for what are no such words.

        msgspec asks here each time, also for an ending that was made after its reader.
        """
        if not isinstance(value, str):
            return None
        known = cls._value2member_map_.get(value)
        if isinstance(known, cls):
            return known
        if _WORDS.fullmatch(value) is None:
            return None
        made = str.__new__(cls, value)
        made._name_ = re.sub(r"\W", "_", value).upper()
        made._value_ = value
        cls._value2member_map_[value] = made
        return made

    @classmethod
    def in_order(cls, found: Iterable["Ending"]) -> list["Ending"]:
        """Each of these once, in the order above, those of games' own after the score.

        >>> [str(each) for each in Ending.in_order([Ending.TIME, Ending("mate"), Ending.SCORE, Ending.TIME])]
        ['score', 'mate', 'time']
        """
        there = set(found)
        own = sorted(there.difference(cls))
        return [each for each in dict.fromkeys((cls.SCORE, *own, *cls)) if each in there]

    @property
    def is_by_rules(self) -> bool:
        """Whether the rules ended such a game, rather than an engine or we."""
        return self not in _BY_OTHERS

    @property
    def is_forfeit(self) -> bool:
        """Whether such a game was lost by breaking a rule rather than by playing."""
        return self in _FORFEITS


_FORFEITS = frozenset(
    (
        Ending.ILLEGAL_MOVE,
        Ending.ILL_FORMED_MOVE,
        Ending.REJECTION,
        Ending.TIME,
        Ending.FAULT,
        Ending.ABSENCE,
        Ending.FORFEIT,
    )
)
_BY_OTHERS = _FORFEITS | {
    Ending.RESIGNATION,
    Ending.CLAIM,
    Ending.AGREEMENT,
    Ending.ADJUDICATION,
    Ending.MOVE_LIMIT,
    Ending.SET_ASIDE,
}


class Outcome(Value, frozen=True, kw_only=True, gc=False):
    """The end of one game.

    points  per team, in team order: 1 won, 0 lost, equal shares when level; None when nobody can say
            (the players disagree about the score, the move limit was hit). They make 1. Of more than two
            teams they say in which order these came in: see `ranked`.
    ending  why the game stopped.
    detail  one printable line, "" when the ending says it all.
    margin  by how much the winner won, in the game's own unit (Go: points); None if unknown or meaningless.
    seat    who caused the ending (the seat that resigned, claimed, broke a rule); None for the rules.
    totals  what each team gathered, in the game's own unit; () where only the margin is known.
    """

    points: tuple[float, ...] | None
    ending: Ending
    detail: str = ""
    margin: float | None = None
    seat: int | None = None
    totals: tuple[float, ...] = ()

    @property
    def winner(self) -> int | None:
        """The team with most points, None when several have as many, or unknown."""
        points = self.points
        if points is None:
            return None
        best = max(points)
        return points.index(best) if points.count(best) == 1 else None

    @property
    def is_level(self) -> bool:
        """Decided, and all teams have the same points."""
        points = self.points
        return points is not None and len(points) > 1 and min(points) == max(points)

    @property
    def places(self) -> tuple[int, ...]:
        """Per team, the place in which it came in, from 1; () when unknown.

        Teams with equal points share a place, and the places after it are left out.

        >>> Outcome(points=ranked((2, 1, 2)), ending=Ending.SCORE).places
        (2, 1, 2)
        """
        points = self.points or ()
        return tuple([1 + sum(other > own for other in points) for own in points])

    @property
    def is_forfeit(self) -> bool:
        """Whether the game was lost by breaking a rule rather than by playing."""
        return self.ending.is_forfeit


def won_by(team: int, teams: int) -> tuple[float, ...]:
    """The points of a game won by `team` of `teams`.

    >>> won_by(1, 2)
    (0.0, 1.0)
    """
    return tuple([1.0 if index == team else 0.0 for index in range(teams)])


def ranked(order: Sequence[float]) -> tuple[float, ...]:
    """The points of teams that came in in this order: the lower the number of a team, the better its place.

    Each two teams share a point: one for the better, half a point each for equals. The shares are of all
    these points, so of two teams the winner has 1.

    >>> ranked((1, 2)), ranked((2, 1, 1)), ranked((-8, -8))
    ((1.0, 0.0), (0.0, 0.5, 0.5), (0.5, 0.5))
    """
    pairs = len(order) * (len(order) - 1) / 2
    if not pairs:
        return (1.0,) * len(order)
    halves = [sum((other > own) + (other >= own) for other in order) - 1 for own in order]
    return tuple([each / 2 / pairs for each in halves])


def shared(teams: int) -> tuple[float, ...]:
    """The points of a game that ended level."""
    return (1.0 / teams,) * teams


def lost_by(team: int, teams: int) -> tuple[float, ...]:
    """The points of a game lost by `team`: the others share."""
    return tuple(0.0 if index == team else 1.0 / (teams - 1) for index in range(teams))
