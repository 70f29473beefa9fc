"""All results of a competition counted for its report, whatever its format: a fold, a few bytes a game.

What there is to count of pairs and standings the format counts itself; this is about players, endings and
time. The candidates of a tuner, of which each may play a game or two, are one player here.
"""

from array import array
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Sequence
from enum import Enum
from typing import TypeAlias

from msgspec.structs import replace

from gyoji.core.outcome import Ending
from gyoji.core.record import GameResult
from gyoji.core.tables import Chart, Line
from gyoji.pairing.games import CANDIDATES, known_names
from gyoji.pairing.tally import SIDES, PlayerStats, Rows, increments
from gyoji.stats.ledger import Ledger
from gyoji.tables.hosts import Hosts
from gyoji.tables.places import Places, is_of_many
from gyoji.tables.totals import Totals
from gyoji.tables.versus import Versus

MOST_POINTS = 50
LEAST_GAMES = 10
"""A point of the chart of candidates is the share of so many games in a row, at least."""


class Nobody(Enum):
    """Why a game has no winner."""

    LEVEL = "level"
    UNKNOWN = "unknown"


Winner: TypeAlias = int | Nobody
"""Who won a game: the side that it had on the board."""


class Beside:
    """The counts of a competition that any report needs. A fold over results.

    totals    what was gathered, in games whose totals are known.
    versus    two players against each other.
    hosts     the machines that it was played on.
    """

    def __init__(self, players: Collection[str] = (), *, pairs: bool = True) -> None:
        """players: those of the control file. pairs: whether players are counted against each other; if not,
        of `versus` only the number of repeated games is known."""
        self.totals = Totals()
        self.versus = Versus(counts=pairs)
        self.hosts = Hosts()
        self._known = frozenset(players)

    def add(self, result: GameResult) -> None:
        """Count a finished game."""
        names = self.names(result.players)
        if names != result.players:
            result = replace(result, players=names)
        self.hosts.add(result)
        self._count(result)

    def names(self, players: tuple[str, ...]) -> tuple[str, ...]:
        """The names of the players of a game here."""
        return known_names(players, self._known)

    def _count(self, result: GameResult) -> None:
        self.totals.add(result)
        self.versus.add(result)


class Digest(Beside):
    """The counts of a report with tables, as far as results have been added.

    endings   how many games ended in which way for whom.
    losses    by player, how its lost games ended.
    slowest   by player, ns charged for its slowest move.
    ledger    what ratings are computed from.
    places    of the players of games of more than two sides, of which losses, ledger and totals say nothing.
    newest    the last results that were added, the oldest of them first.
    progress  the points of candidates against others, game by game, where it is known who won.
    first, last  when the first and the last game began: ISO 8601, "" before any.
    """

    def __init__(self, most: int | None, players: Collection[str] = ()) -> None:
        """most: how many results to keep as they are, None for all. players: those of the control file."""
        super().__init__(players)
        self.played = 0
        self.endings: Counter[tuple[Ending, Winner]] = Counter()
        self.losses: dict[str, Counter[Ending]] = defaultdict(Counter)
        self.slowest: dict[str, int] = defaultdict(int)
        self.newest: deque[GameResult] = deque(maxlen=most)
        self.progress = array("d")
        self.first = self.last = ""
        self.ledger = Ledger()
        self.places = Places()
        self._numbers: dict[str, int] = {}
        self._rows = Rows()

    @property
    def players(self) -> tuple[str, ...]:
        """Who has played games of two sides, in the order of their first ones."""
        return tuple(self._numbers)

    def of(self, player: str) -> PlayerStats:
        """All that a player did."""
        return self._rows.of(self._numbers[player], player)

    def add(self, result: GameResult) -> None:
        """Count a finished game."""
        self.played += 1
        self.newest.append(result)
        if not self.first or result.started < self.first:
            self.first = result.started
        self.last = max(self.last, result.started)
        winner, ending = result.outcome.winner, result.outcome.ending
        self.endings[ending, _winner(result, winner)] += 1
        names = self.names(result.players)
        if names != result.players:
            result = replace(result, players=names)
            self._note_progress(result)
        self.hosts.add(result)
        if is_of_many(result):
            self.places.add(result)
            return
        count_for_ratings(self.ledger, result)
        self._count(result)
        opponents, numbers = result.opponents, self._numbers
        if winner is not None:
            self.losses[opponents[1 - winner]][ending] += 1
        for player, engine in zip(names, result.engines, strict=False):
            if player not in numbers:
                numbers[player] = len(numbers)
                self._rows.extend(1)
            self.slowest[player] = max(self.slowest[player], engine.slowest_ns)
        self._rows.count([numbers[player] for player in opponents], increments(result))

    def _note_progress(self, result: GameResult) -> None:
        """Keep the points of a candidate in a game against somebody else."""
        points, opponents = result.outcome.points, result.opponents
        if points is not None and opponents.count(CANDIDATES) == 1:
            self.progress.append(points[opponents.index(CANDIDATES)])


def count_for_ratings(ledger: Ledger, result: GameResult) -> None:
    """Count a game of two players for ratings, if anybody knows its result; the first side is first."""
    players, points = result.opponents, result.outcome.points
    first = result.sides.index(0) if result.sides else 0
    if points is not None and len(points) == SIDES and players[0] != players[1]:
        half_points = {None: 1, first: 2}.get(result.outcome.winner, 0)
        ledger.add(players[first], players[1 - first], half_points)


def winner_of(result: GameResult) -> Winner:
    """Who won, by side."""
    return _winner(result, result.outcome.winner)


def _winner(result: GameResult, team: int | None) -> Winner:
    """The same of a game whose winner is known."""
    if team is None:
        return Nobody.UNKNOWN if result.outcome.points is None else Nobody.LEVEL
    return result.sides[team] if result.sides else team


def side_of(result: GameResult, seat: int) -> int:
    """The side of a seat: its colour, 0 or 1; where teams play, the team."""
    return result.sides[seat] if result.sides else result.team_of(seat)


def candidate_charts(points: Sequence[float]) -> tuple[Chart, ...]:
    """How the candidates of a tuner score as it goes on: whether it learns anything.

    points: of a candidate against somebody else, game by game. No chart of fewer than two shares.
    """
    size = max(LEAST_GAMES, -(-len(points) // MOST_POINTS))
    ends = range(size, len(points) + 1, size)
    shares = tuple((float(end), 100 * sum(points[end - size : end]) / size) for end in ends)
    if len(shares) < 2:
        return ()
    chart = Chart(
        title="How the candidates score",
        note=f"Their share of the points, in per cent, of each {size} games, in the order of their ends.",
        lines=(Line("candidates", shares),),
        y="per cent",
    )
    return (chart,)
