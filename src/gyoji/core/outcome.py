"""The end of a game: points and places of the teams, the ending, the seat that caused it, and details."""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum

from gyoji.core.wire import Value

_WORDS = re.compile(r"[a-z][a-z -]{0,30}[a-z]")


class Ending(StrEnum):
    """The reason why a game ended.

    Rules of games use `SCORE`, `FULL` and `NO_RESULT`, and may define endings of their own: any lower-case
    words are an ending, and equal words give the same object. The scheduler uses `ABSENCE` and `SKIPPED`, an
    organiser's decision `FORFEIT`, and the referee all others.

    >>> mate = Ending("mate")
    >>> mate is Ending("mate"), mate.is_by_rules, Ending.TIME.is_by_rules
    (True, True, False)
    """

    SCORE = "score"  # played out and counted
    FULL = "full"  # the board is full without a winner
    NO_RESULT = "no result"  # the rules declare the game void

    RESIGNATION = "resignation"
    CLAIM = "claim"  # an engine that may do so declared itself the winner
    AGREEMENT = "agreement"  # both sides agreed to a draw
    ADJUDICATION = "adjudication"  # ended by evaluations or by its length
    MOVE_LIMIT = "move limit"

    ILLEGAL_MOVE = "illegal move"  # against the rules of the game
    ILL_FORMED_MOVE = "ill-formed move"  # not a move
    REJECTION = "rejection"  # refused a legal move, or could not answer
    TIME = "time"
    FAULT = "fault"  # exited, fell silent, flooded, broke its protocol
    ABSENCE = "absence"  # a human player did not show up; no points if those of several sides did not
    FORFEIT = "forfeit"  # lost by the organiser's decision, with its reason

    SKIPPED = "skipped"  # could not be played: it has no record and counts in no table

    # An Enum that grows, not a plain string: endings are compared by identity in some forty places, and JSON
    # must refuse anything that cannot be an ending. Only with an Enum does msgspec do both without a hook for
    # each value.
    @classmethod
    def _missing_(cls, value: object) -> "Ending | None":
        """Return a game's own ending for these words, or None if they are not lower-case words.

        msgspec calls this for every value unknown to its decoder, even if the ending was created in the
        meantime.
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
        """Return the distinct endings: SCORE first, then games' own, then the others in the order of this
        class.

        >>> found = [Ending.TIME, Ending("mate"), Ending.SCORE, Ending.TIME]
        >>> [str(each) for each in Ending.in_order(found)]
        ['score', 'mate', 'time']
        """
        there = set(found)
        own = sorted(there.difference(cls))
        return [each for each in dict.fromkeys((cls.SCORE, *own, *cls)) if each in there]

    @property
    def is_by_rules(self) -> bool:
        """Whether the rules ended the game, and not an engine, a player or gyoji."""
        return self not in _BY_OTHERS

    @property
    def is_forfeit(self) -> bool:
        """Whether the losing seat broke a rule of the event, instead of being beaten."""
        return self in _FORFEITS


_FORFEITS = frozenset(
    {Ending.ILLEGAL_MOVE, Ending.ILL_FORMED_MOVE, Ending.REJECTION, Ending.TIME, Ending.FAULT}
    | {Ending.ABSENCE, Ending.FORFEIT}
)
_BY_OTHERS = frozenset(Ending) - {Ending.SCORE, Ending.FULL, Ending.NO_RESULT}


class Outcome(Value, frozen=True, kw_only=True, gc=False):
    """The end of one game: who won, why and by how much.

    Attributes:
        points: Points of each team, which add up to 1: 1 for a win, 0 for a loss, equal shares for a tie.
            None if the result is unknown, for example if the players disagree about the score or the move
            limit was reached. With more than two teams the points express their order: see `ranked`.
        ending: Why the game ended.
        detail: One printable line with details; "" for none.
        margin: Margin of the win in the game's unit (Go: points); None if unknown or meaningless.
        seat: The seat that caused the ending: it resigned, claimed a win or broke a rule. None if the rules
            ended the game.
        totals: Total of each team in the game's unit; () if only the margin is known.
    """

    points: tuple[float, ...] | None
    ending: Ending
    detail: str = ""
    margin: float | None = None
    seat: int | None = None
    totals: tuple[float, ...] = ()

    @property
    def winner(self) -> int | None:
        """The team with the most points, or None if several teams share them or the result is unknown."""
        points = self.points
        if points is None:
            return None
        best = max(points)
        return points.index(best) if points.count(best) == 1 else None

    @property
    def is_level(self) -> bool:
        """Whether the result is known and all teams have the same points."""
        points = self.points
        return points is not None and len(points) > 1 and min(points) == max(points)

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each team, from 1; () if the result is unknown.

        Teams with equal points share a place, and the next places are skipped: 1, 1, 3.

        >>> Outcome(points=ranked((2, 1, 2)), ending=Ending.SCORE).places
        (2, 1, 2)
        """
        points = self.points or ()
        return tuple([1 + sum(other > own for other in points) for own in points])

    @property
    def is_forfeit(self) -> bool:
        """Whether the losing seat broke a rule of the event, instead of being beaten."""
        return self.ending.is_forfeit


def won_by(team: int, teams: int) -> tuple[float, ...]:
    """Return the points of each team in a game that `team` won.

    >>> won_by(1, 2)
    (0.0, 1.0)
    """
    return tuple([1.0 if index == team else 0.0 for index in range(teams)])


def ranked(order: Sequence[float]) -> tuple[float, ...]:
    """Convert the places of teams to points. A lower number is a better place.

    In each pair of teams the better one gets 1 point, or equal teams get half a point each. The sums are
    divided by the number of pairs, so that of two teams the winner has 1.

    >>> ranked((1, 2)), ranked((2, 1, 1)), ranked((-8, -8))
    ((1.0, 0.0), (0.0, 0.5, 0.5), (0.5, 0.5))
    """
    pairs = len(order) * (len(order) - 1) / 2
    if not pairs:
        return (1.0,) * len(order)
    halves = [sum((other > own) + (other >= own) for other in order) - 1 for own in order]
    return tuple([each / 2 / pairs for each in halves])


def shared(teams: int) -> tuple[float, ...]:
    """Return the points of a tie of `teams` teams: equal shares of 1."""
    return (1.0 / teams,) * teams


BY_TABLES = "adjudication: tablebases"
"""The detail of an outcome by endgame tablebases."""


def lost_by(team: int, teams: int) -> tuple[float, ...]:
    """Return the points of each team in a game that `team` lost. The other teams share 1 point equally."""
    return tuple(0.0 if index == team else 1.0 / (teams - 1) for index in range(teams))
