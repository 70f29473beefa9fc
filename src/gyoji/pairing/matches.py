"""Matches: games of two players that are decided together, by what each took from them.

A match is decided by its games (a win 1 point, a level game ½), or by the margins of all its games together,
as a contest does in which two programs exchange their places and every point counts. A win without a margin,
by resignation or because the other broke a rule, then outweighs all margins. A drawn match may go on: it has
as many parts as its terms allow, each of the same number of games, and the first that somebody wins decides.

The players change places after every game.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from msgspec import Struct, field

from gyoji.core.outcome import Ending
from gyoji.core.record import GameResult, is_waiting
from gyoji.core.setup import GameSettings
from gyoji.pairing.field import check_least

MILLION = 1_000_000
"""Margins are added up in millionths: whole numbers have the same sum in any order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSettings(GameSettings):
    """How matches are played.

    games_per_match  even, so that nobody has a place more often than the other, or odd.
    decided_by       "games": points of games; "margin": the sum of their margins.
    """

    games_per_match: int = 2
    decided_by: Literal["games", "margin"] = "games"

    def __post_init__(self) -> None:
        GameSettings.__post_init__(self)
        check_least(1, games_per_match=self.games_per_match)


class Terms(Struct, frozen=True, kw_only=True):
    """How a match is decided.

    games       of each part.
    extras      parts that may follow the first, as long as all are drawn.
    is_best_of  no more games are played in a part that one player cannot lose any more; of no meaning if
                margins decide, which have no end.
    """

    games: int
    decided_by: Literal["games", "margin"] = "games"
    extras: int = 0
    is_best_of: bool = False

    @classmethod
    def best_of(cls, settings: MatchSettings, *, extras: int) -> "Terms":
        """The terms of a match that must have a winner, where possible."""
        return cls(
            games=settings.games_per_match, decided_by=settings.decided_by, extras=extras, is_best_of=True
        )

    @property
    def most(self) -> int:
        """How many games a match can have."""
        return self.games * (1 + self.extras)


class Fixture(NamedTuple):
    """A match before it begins: `first` has the first seat in game 0; note is one line for records."""

    first: str
    second: str
    note: str = ""


class Part(Struct):
    """The points and margins of two players in some games.

    points      of each.   finished: games that have a result and wait for nothing.
    unmeasured  wins of the first player without a margin, less those of the second.
    millionths  sum of the margins of the first player, less that of the second.
    """

    points: list[float] = field(default_factory=lambda: [0.0, 0.0])
    finished: int = 0
    unmeasured: int = 0
    millionths: int = 0

    def add(self, result: GameResult, first: int) -> None:
        """Count a game; first: the team of the first player."""
        outcome = result.outcome
        self.finished += not is_waiting(result)
        winner = outcome.winner
        if outcome.ending is Ending.SET_ASIDE and outcome.seat is not None:
            winner = 1 - result.team_of(outcome.seat)  # the other one is suspended
        elif outcome.points is None:
            return
        if winner is None:
            self.points[0] += 0.5
            self.points[1] += 0.5
            return
        self.points[winner != first] += 1
        sign = 1 if winner == first else -1
        if outcome.margin is None:
            self.unmeasured += sign
        else:
            self.millionths += sign * round(outcome.margin * MILLION)

    @property
    def margin(self) -> float:
        """By how much the first player is ahead, where that is known."""
        return self.millionths / MILLION

    def leader(self, decided_by: str) -> int | None:
        """Which of the two is ahead, None for neither."""
        lead = self.points[0] - self.points[1]
        if decided_by == "margin":
            lead = self.unmeasured or self.millionths
        return None if lead == 0 else int(lead < 0)


class Match:
    """A match as far as it has been played.

    parts     those that have begun, or have results.
    left_out  how many of its games are set aside.
    is_over   whether it is certain how it ends; winner: 0 or 1 then, or None if it is drawn.
    """

    __slots__ = (
        *("_finished", "_in_play", "_taken"),
        *("fixture", "is_over", "left_out", "parts", "terms", "winner"),
    )

    def __init__(self, fixture: Fixture, terms: Terms) -> None:
        self.fixture = fixture
        self.terms = terms
        self.parts = [Part()]
        self.left_out = 0
        self.is_over = False
        self.winner: int | None = None
        self._in_play = 0  # which part
        self._taken = 0  # a bit for each game that is issued or finished
        self._finished = 0

    @property
    def players(self) -> tuple[str, str]:
        return self.fixture.first, self.fixture.second

    def add(self, number: int, result: GameResult) -> bool:
        """Count a game, once; whether it is new. number: below `terms.most`."""
        bit = 1 << number
        if self._finished & bit:
            return False
        self._taken |= bit
        self._finished |= bit
        self.left_out += result.outcome.ending is Ending.SET_ASIDE
        part = number // self.terms.games
        self.parts += [Part() for _ in range(len(self.parts), part + 1)]
        self.parts[part].add(result, result.opponents.index(self.fixture.first))
        self._judge()
        return True

    def take(self) -> int | None:
        """The number of its next game, which is taken then; None if it needs none now."""
        free = ~self._taken & self._wanted
        if not free:
            return None
        bit = free & -free
        self._taken |= bit
        return bit.bit_length() - 1

    @property
    def room(self) -> int:
        """How many games are to be issued, as far as is known."""
        return (~self._taken & self._wanted).bit_count()

    @property
    def points(self) -> tuple[float, float]:
        """Points of games of each, extra games included."""
        return sum(part.points[0] for part in self.parts), sum(part.points[1] for part in self.parts)

    @property
    def margin(self) -> float:
        """The sum of the margins of the first player, less that of the second; extra games included."""
        return sum(part.millionths for part in self.parts) / MILLION

    @property
    def played(self) -> int:
        """How many games have a result."""
        return self._finished.bit_count() - self.left_out

    @property
    def _wanted(self) -> int:
        """The games that it is to have, as bits: those of all parts up to the one in play."""
        return 0 if self.is_over else (1 << self.terms.games * (self._in_play + 1)) - 1

    def _judge(self) -> None:
        """Find out whether it is over now and who has won, or which part is in play."""
        while not self.is_over and self._is_decided(self.parts[self._in_play]):
            winner = self.parts[self._in_play].leader(self.terms.decided_by)
            if winner is not None or self._in_play == self.terms.extras:
                self.winner, self.is_over = winner, True
            else:
                self._in_play += 1
                if self._in_play == len(self.parts):
                    self.parts.append(Part())

    def _is_decided(self, part: Part) -> bool:
        """Whether the games of a part that are left cannot change who is ahead in it."""
        left = self.terms.games - part.finished
        if not left or not self.terms.is_best_of or self.terms.decided_by == "margin":
            return not left
        return abs(part.points[0] - part.points[1]) > left
