"""Counts of a competition's results that reports of every format need.

A format itself counts pairs of players and standings. These classes count results by player, ending, host and
time, in a few bytes a game.

A tuner has a new candidate (a player with another setting of the parameters) in almost every game. All
candidates are counted as one player with the name `candidates`.
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
from gyoji.results.game_ids import CANDIDATES, known_names
from gyoji.results.tally import SIDES, PlayerStats, StatsArrays, deltas
from gyoji.stats.ledger import Ledger
from gyoji.stats.placings import Placings
from gyoji.tables.head_to_head import HeadToHead
from gyoji.tables.host_results import Hosts
from gyoji.tables.rankings import Rankings, add_placing, is_of_many
from gyoji.tables.totals import Totals

MOST_POINTS = 50
"""Largest number of points in the chart of a tuner's candidates."""
LEAST_GAMES = 10
"""Smallest number of games that one point of the chart of a tuner's candidates stands for."""


class Nobody(Enum):
    """The reason why a game has no winner."""

    LEVEL = "level"
    UNKNOWN = "unknown"


Winner: TypeAlias = int | Nobody
"""The winner of a game by side on the board (0 or 1), or the reason why it has none."""


class ResultsDigest:
    """The counts for the tables of `gyoji show --json`, which have neither ratings nor moves.

    `endings` and `hosts` count all games, `rankings` those of more than two sides, and the others those of
    two.

    Attributes:
        totals: Amounts that players collected, in games with amounts, such as the treasure of Dig Here.
        head_to_head: Results of every two players against each other.
        hosts: Number of games by the machine that played them.
        rankings: The places of players.
        endings: Number of games by ending and winner.
    """

    def __init__(self, players: Collection[str] = ()) -> None:
        """Start without results.

        Args:
            players: The players' names in the control file. Others are candidates of a tuner.
        """
        self.totals = Totals()
        self.head_to_head = HeadToHead()
        self.hosts = Hosts()
        self.rankings = Rankings()
        self.endings: Counter[tuple[Ending, Winner]] = Counter()
        self._known = frozenset(players)

    def add(self, result: GameResult) -> None:
        """Count a finished game."""
        self.endings[result.outcome.ending, winner_of(result)] += 1
        names = known_names(result.players, self._known)
        # Replaced before anything is counted: a tuner has a new candidate in every game, and a row
        # for each would fill the memory.
        if names != result.players:
            result = replace(result, players=names)
        self.hosts.add(result)
        if is_of_many(result):
            self._add_table(result)
        else:
            self._add_pair(result)

    def _add_table(self, result: GameResult) -> None:
        """Count a game of more than two sides."""
        self.rankings.add(result)

    def _add_pair(self, result: GameResult) -> None:
        """Count a game of two sides. In its result, every candidate of a tuner has the name `candidates`."""
        self.totals.add(result)
        self.head_to_head.add(result)


class ReportDigest(ResultsDigest):
    """The counts for all tables of a report.

    Only games of two sides count for `players` and for the attributes `losses`, `slowest`, `illegal_tries`,
    `variations` and `ledger`.

    Attributes:
        played: Number of results.
        losses: Number of lost games by player and ending.
        slowest: Time of each player's slowest move, in ns.
        illegal_tries: For each player, how often an answer was illegal or unreadable and the engine was asked
            again.
        variations: Number of faulty principal variations by player and kind of fault.
        ledger: Results of games of two sides, from which ratings are computed.
        placings: Results of games of more than two sides, from which ratings are computed.
        newest: The results that were added last, oldest first.
        progress: Points (0, ½ or 1) of a tuner's candidates against other players, in the order of the games.
            Games of unknown result are left out.
        first: Start of the earliest game, ISO 8601; "" before any game.
        last: Start of the latest game.
    """

    def __init__(self, most: int | None, players: Collection[str] = ()) -> None:
        """Start without results.

        Args:
            most: Largest number of results in `newest`; None for all results.
            players: The players' names in the control file. Others are candidates of a tuner.
        """
        super().__init__(players)
        self.played = 0
        self.losses: dict[str, Counter[Ending]] = defaultdict(Counter)
        self.slowest: dict[str, int] = defaultdict(int)
        self.illegal_tries: Counter[str] = Counter()
        self.variations: dict[str, Counter[str]] = defaultdict(Counter)
        # Only the newest: a page has the moves of these games, and must stay small enough for a browser.
        self.newest: deque[GameResult] = deque(maxlen=most)
        self.progress = array("d")
        self.first = self.last = ""
        self.ledger = Ledger()
        self.placings = Placings()
        self._numbers: dict[str, int] = {}
        self._rows = StatsArrays()

    @property
    def players(self) -> tuple[str, ...]:
        """The players of games of two sides, in the order of their first games."""
        return tuple(self._numbers)

    def of(self, player: str) -> PlayerStats:
        """Return the counted results of one of `players`."""
        return self._rows.of(self._numbers[player], player)

    def add(self, result: GameResult) -> None:
        """Count a finished game."""
        self.played += 1
        self.newest.append(result)
        if not self.first or result.started < self.first:
            self.first = result.started
        self.last = max(self.last, result.started)
        super().add(result)

    def _add_table(self, result: GameResult) -> None:
        super()._add_table(result)
        add_placing(self.placings, result)

    def _add_pair(self, result: GameResult) -> None:
        super()._add_pair(result)
        outcome, opponents, numbers = result.outcome, result.opponents, self._numbers
        points, winner = outcome.points, outcome.winner
        if points is not None and opponents.count(CANDIDATES) == 1:
            self.progress.append(points[opponents.index(CANDIDATES)])
        if points is not None and len(points) == SIDES and opponents[0] != opponents[1]:
            # Ratings know the player that moves first, because they estimate the advantage of that.
            first = result.sides.index(0) if result.sides else 0
            half_points = {None: 1, first: 2}.get(winner, 0)
            self.ledger.add(opponents[first], opponents[1 - first], half_points)
        if winner is not None:
            self.losses[opponents[1 - winner]][outcome.ending] += 1
        for player, engine in zip(result.players, result.engines, strict=False):
            if player not in numbers:
                numbers[player] = len(numbers)
                self._rows.extend(1)
            self.slowest[player] = max(self.slowest[player], engine.slowest_ns)
            if engine.illegal_tries:
                self.illegal_tries[player] += engine.illegal_tries
            for flaws in engine.variations:
                self.variations[player][flaws.kind] += flaws.number
        self._rows.count([numbers[player] for player in opponents], deltas(result))


def winner_of(result: GameResult) -> Winner:
    """Return the side of the winner, 0 or 1, or the reason why the game has no winner."""
    team = result.outcome.winner
    if team is None:
        return Nobody.UNKNOWN if result.outcome.points is None else Nobody.LEVEL
    return result.sides[team] if result.sides else team


def side_of(result: GameResult, seat: int) -> int:
    """Return the side of a seat: 0 or 1 for its colour on the board, or the number of its team where teams
    play.
    """
    return result.sides[seat] if result.sides else result.team_of(seat)


def candidate_charts(points: Sequence[float]) -> tuple[Chart, ...]:
    """Return a chart of the scores of a tuner's candidates over time, which shows whether the tuner learns.

    Args:
        points: Points (0, ½ or 1) of a candidate against another player, in the order in which games ended.

    Returns:
        One chart, or none if there are too few games to draw two values.
    """
    # Equal stretches of games, however many there are: a point of one game would be 0 or 100 per cent.
    size = max(LEAST_GAMES, -(-len(points) // MOST_POINTS))
    ends = range(size, len(points) + 1, size)
    shares = tuple((float(end), 100 * sum(points[end - size : end]) / size) for end in ends)
    if len(shares) < 2:
        return ()
    return (
        Chart(
            title="How the candidates score",
            note=f"Their share of the points, in per cent, of each {size} games, in the order of their ends.",
            lines=(Line("candidates", shares),),
            y="per cent",
        ),
    )
