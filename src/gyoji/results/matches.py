"""Matches: series of games between two players with one winner.

A match is decided by the points of its games (a win 1, a draw ½), or by the sum of the margins of its games.
If margins decide, a win without a margin (by resignation, or because the opponent broke a rule) outweighs all
margins. The terms of a match may allow further parts with the same number of games. They are played while the
match is drawn, and the first part with a winner decides. The players swap seats after every game.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct, field

from gyoji.core.outcome import Ending
from gyoji.core.record import GameResult, is_waiting
from gyoji.core.setup import GameSettings, check_least

MILLION = 1_000_000
"""Margins are added up in whole millionths, so that the sum does not depend on the order of the games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSettings(GameSettings):
    """The settings of matches, besides those of their games.

    Attributes:
        games_per_match: Number of games of a match. With an even number each player has each seat equally
            often.
        decided_by: "games" compares points of games, "margin" the sums of their margins.
    """

    games_per_match: int = 2
    decided_by: Literal["games", "margin"] = "games"

    def __post_init__(self) -> None:
        GameSettings.__post_init__(self)
        check_least(1, games_per_match=self.games_per_match)


class Terms(Struct, frozen=True, kw_only=True):
    """The terms that decide a match.

    Attributes:
        games: Number of games of each part.
        extras: Number of parts that may follow the first part. A part follows only if all parts before are
            drawn.
        is_best_of: Whether a part ends as soon as its winner is certain. Without effect if margins decide,
            because a margin has no limit.
    """

    games: int
    decided_by: Literal["games", "margin"] = "games"
    extras: int = 0
    is_best_of: bool = False

    @classmethod
    def best_of(cls, settings: MatchSettings, *, extras: int) -> "Terms":
        """Return the terms of a match that ends as soon as its winner is certain.

        Args:
            settings: The settings of the match.
            extras: How many extra parts may follow a draw.
        """
        return cls(
            games=settings.games_per_match, decided_by=settings.decided_by, extras=extras, is_best_of=True
        )

    @property
    def most(self) -> int:
        """Largest number of games of a match."""
        return self.games * (1 + self.extras)


class Fixture(NamedTuple):
    """A match before it begins.

    Attributes:
        first: The player that has the first seat in game 0.
        note: One line for the records of its games.
    """

    first: str
    second: str
    note: str = ""


class Part(Struct):
    """The points and margins of two players in one part of a match: the regular games, or extra games.

    Attributes:
        points: The points of each player.
        finished: Number of games that have a result and do not wait for a ruling by the organiser.
        unmeasured: Wins of the first player without a margin, minus those of the second.
        millionths: The sum of the margins in millionths, positive if the first player leads.
    """

    points: list[float] = field(default_factory=lambda: [0.0, 0.0])
    finished: int = 0
    unmeasured: int = 0
    millionths: int = 0

    def add(self, result: GameResult, first: int) -> None:
        """Count a game. If it was skipped because a player is suspended, the opponent wins it.

        Args:
            result: The game's result.
            first: The team of the first player in this game, 0 or 1.
        """
        outcome = result.outcome
        self.finished += not is_waiting(result)
        winner = outcome.winner
        if outcome.ending is Ending.SKIPPED and outcome.seat is not None:
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
        """Sum of the known margins, positive if the first player leads. Other games are left out."""
        return self.millionths / MILLION

    def leader(self, decided_by: str) -> int | None:
        """Return 0 or 1 for the player that leads; None if neither does.

        Args:
            decided_by: "games" compares points, "margin" the sums of margins.
        """
        lead = self.points[0] - self.points[1]
        if decided_by == "margin":
            lead = self.unmeasured or self.millionths
        return None if lead == 0 else int(lead < 0)


class Match:
    """A match with its results so far.

    Attributes:
        parts: The parts (regular games, then extra games) that have begun or have results.
        left_out: Number of skipped games, which are not played any more.
        is_over: Whether the match is decided, or drawn after all its parts.
        winner: 0 or 1 for the winner of a match that is over, None for a draw.
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
        """Count a game, once. Return whether it is new.

        Args:
            number: The number of the game, below `terms.most`.
            result: The game's result.
        """
        bit = 1 << number
        if self._finished & bit:
            return False
        self._taken |= bit
        self._finished |= bit
        self.left_out += result.outcome.ending is Ending.SKIPPED
        part = number // self.terms.games
        self.parts += [Part() for _ in range(len(self.parts), part + 1)]
        self.parts[part].add(result, result.opponents.index(self.fixture.first))
        self._judge()
        return True

    def take(self) -> int | None:
        """Issue the next game. Return its number; None if the match needs no game now."""
        free = ~self._taken & self._wanted
        if not free:
            return None
        bit = free & -free
        self._taken |= bit
        return bit.bit_length() - 1

    @property
    def room(self) -> int:
        """Number of games that can be issued now: games of parts up to the present one, not yet issued."""
        return (~self._taken & self._wanted).bit_count()

    @property
    def points(self) -> tuple[float, float]:
        """The points of each player, extra games included."""
        return sum(part.points[0] for part in self.parts), sum(part.points[1] for part in self.parts)

    @property
    def margin(self) -> float:
        """The sum of the margins, positive for the first player, extra games included."""
        return sum(part.millionths for part in self.parts) / MILLION

    @property
    def played(self) -> int:
        """Number of games with a result, without skipped ones."""
        return self._finished.bit_count() - self.left_out

    @property
    def _wanted(self) -> int:
        """Bit mask of the numbers of the games of all parts up to the present one; 0 after the end."""
        return 0 if self.is_over else (1 << self.terms.games * (self._in_play + 1)) - 1

    def _judge(self) -> None:
        """Set the winner if the match is decided. Go on to the next part after a drawn part."""
        while not self.is_over and self._is_decided(self.parts[self._in_play]):
            winner = self.parts[self._in_play].leader(self.terms.decided_by)
            if winner is not None or self._in_play == self.terms.extras:
                self.winner, self.is_over = winner, True
            else:
                self._in_play += 1
                if self._in_play == len(self.parts):
                    self.parts.append(Part())

    def _is_decided(self, part: Part) -> bool:
        """Return whether the games that are left cannot change who wins a part, or none are left."""
        left = self.terms.games - part.finished
        if not left or not self.terms.is_best_of or self.terms.decided_by == "margin":
            return not left
        return abs(part.points[0] - part.points[1]) > left


Played: TypeAlias = Sequence[Sequence[Match]]
"""The matches of each round that has begun, in order."""
