"""The places of players in games of more than two sides, and their tables.

Cross tables and results by side have only games of two opponents. Here every game counts for every two of its
players: either of them finished ahead, or they shared a place.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import permutations

from msgspec import Struct, field

from gyoji.core.game import AnyGame
from gyoji.core.outcome import Ending
from gyoji.core.record import GameResult
from gyoji.core.tables import Cell, Column, Share, Table, count, data, names, numbers, ranks, shared_ranks
from gyoji.pairing.game_maker import PAIR
from gyoji.results.game_ids import unit_of
from gyoji.stats.placings import Placings
from gyoji.tables.totals import Sample


def is_of_many(result: GameResult) -> bool:
    """Return whether a game has more than two sides."""
    return bool(result.teams) and max(result.teams) >= PAIR


def add_placing(placings: Placings, result: GameResult) -> bool:
    """Add a game to the results from which ratings are computed.

    Returns:
        False if the game is left out, because its result is unknown or one player had all sides.
    """
    outcome, opponents = result.outcome, result.opponents
    if outcome.points is None or len(set(opponents)) < PAIR:
        return False
    unit = unit_of(result.id, result.pairing, len(opponents))
    placings.add(opponents, outcome.places, unit, points=outcome.points, totals=outcome.totals)
    return True


class Placing(Struct):
    """The results of one player in games of more than two sides.

    Attributes:
        games: Number of games.
        points: Sum of the points of all games.
        places: Number of games by the place reached, from 1.
        unknown: Number of games without a known result.
        forfeits: Number of games that the player lost by breaking a rule.
        left_out: Number of games that went on without one of the player's engines.
        gathered: Amounts that the player collected, such as treasure; empty if the games have no amounts.
        think_ns: Time that the player's clocks were charged for all moves, in ns.
        slowest_ns: Time charged for the longest move, in ns.
    """

    games: int = 0
    points: float = 0.0
    places: Counter[int] = field(default_factory=Counter)
    unknown: int = 0
    forfeits: int = 0
    left_out: int = 0
    gathered: Sample = field(default_factory=Sample)
    think_ns: int = 0
    slowest_ns: int = 0

    @property
    def decided(self) -> int:
        return self.games - self.unknown

    @property
    def mean_place(self) -> float | None:
        """The mean place; None without a known result."""
        sum_of = sum(place * number for place, number in self.places.items())
        return sum_of / self.decided if self.decided else None


class Rankings:
    """The places of all players in games of any number of sides."""

    def __init__(self) -> None:
        self._players: defaultdict[str, Placing] = defaultdict(Placing)
        self._ahead: Counter[tuple[str, str]] = (
            Counter()
        )  # half points of the first player against the second

    @property
    def players(self) -> tuple[str, ...]:
        """The players in the order of their first games."""
        return tuple(self._players)

    def add(self, result: GameResult) -> None:
        """Count a finished game. Skipped games do not count."""
        outcome = result.outcome
        if outcome.ending is Ending.SKIPPED:
            return
        places = outcome.places
        for team, player in enumerate(result.opponents):
            placing, seats = self._players[player], result.seats_of(team)
            placing.games += 1
            if outcome.points is None:
                placing.unknown += 1
            else:
                placing.points += outcome.points[team]
                placing.places[places[team]] += 1
            # In a team every seat can lose the game for all, so the forfeit is counted once for
            # the team.
            placing.forfeits += outcome.is_forfeit and outcome.seat in seats
            placing.left_out += any(seat in result.left_out for seat in seats)
            if outcome.totals:
                placing.gathered = placing.gathered.after(outcome.totals[team])
            for engine in (each for seat in seats for each in result.engines[seat : seat + 1]):
                placing.think_ns += engine.think_ns
                placing.slowest_ns = max(placing.slowest_ns, engine.slowest_ns)
        for (one, own), (other, its) in permutations(zip(result.opponents, places, strict=False), 2):
            if one != other:
                self._ahead[one, other] += (own < its) + (own <= its)

    def ahead(self, player: str, other: str) -> tuple[float, float]:
        """Return how often a player finished ahead of another, and how often behind. Shared places are half
        of each.
        """
        return self._ahead[player, other] / 2, self._ahead[other, player] / 2

    def ranked(self) -> list[tuple[int, str, Placing]]:
        """Return the rank, the name and the results of each player, most points first.

        Players with equal points share a rank.
        """
        # Points are sums of fractions such as 1/3: without rounding, equal players would differ in
        # the last bit.
        order = sorted(self._players.items(), key=lambda each: (-round(each[1].points, 9), each[0]))
        ranked = shared_ranks([round(placing.points, 9) for _, placing in order])
        return [(rank, player, placing) for rank, (player, placing) in zip(ranked, order, strict=True)]


def rankings_table(places: Rankings, game: AnyGame) -> Table:
    """Return the standings by points, with the number of games in which a player came first, second ..."""
    rows = places.ranked()
    placings = [placing for _, _, placing in rows]
    last = max((place for each in placings for place in each.places), default=0)
    columns = [
        ranks(rank for rank, _, _ in rows),
        names("player", [player for _, player, _ in rows]),
        numbers("games", [each.games for each in placings]),
        numbers("points", [each.points for each in placings], digits=2, about="the shares of all games"),
        numbers("share", [Share(each.points, each.decided) for each in placings], key="score"),
        numbers(
            "place", [each.mean_place for each in placings], key="mean_place", digits=2, about="the mean"
        ),
        *(
            numbers(ordinal(place), [each.places[place] for each in placings], key=f"place_{place}")
            for place in range(1, last + 1)
        ),
        _trouble("unknown", [each.unknown for each in placings], "games without a known result"),
        _trouble("forfeits", [each.forfeits for each in placings], "games lost by breaking a rule"),
        _trouble("out", [each.left_out for each in placings], "games that went on without it"),
    ]
    if game.unit and any(each.gathered.games for each in placings):
        means = [each.gathered.mean for each in placings]
        about = f"mean of a game: {game.unit}"
        columns.append(numbers(game.unit, means, key="mean_total", digits=1, about=about))
    seconds = [each.think_ns / each.games / 1e9 for each in placings]
    columns += [
        numbers("s/game", seconds, key="game_s", digits=1, about="mean seconds that its clock was charged"),
        data("slowest_s", [each.slowest_ns / 1e9 for each in placings]),
    ]
    return Table(name="standings", title="Standings", columns=tuple(columns))


MOST_AHEAD = 50
"""Largest number of players in the table of who finished ahead of whom."""


def ahead_table(places: Rankings) -> Table:
    """Return the table of how often each player finished ahead of each other player.

    It is empty without games, and for more than `MOST_AHEAD` players.
    """
    players = [player for _, player, _ in places.ranked()]
    if len(players) > MOST_AHEAD:
        players = []
    columns = [names("player", players)]
    for other in players:
        cells = [
            None
            if player == other or not sum(places.ahead(player, other))
            else _before(places, player, other)
            for player in players
        ]
        columns.append(numbers(other, cells, key=f"before_{other}"))
    return Table(
        name="ahead",
        title="Who came in before whom",
        note="Games in which row came in before column : column before row. A shared place is half for each.",
        columns=tuple(columns),
    )


def _before(places: Rankings, player: str, other: str) -> Cell:
    won, lost = places.ahead(player, other)
    return Cell(f"{count(won)}:{count(lost)}", (won, lost))


def _trouble(heading: str, counts: Sequence[int], about: str) -> Column:
    return numbers(heading, counts, about=about, is_optional=True)


def ordinal(number: int) -> str:
    """Return a number as an ordinal.

    >>> [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 21, 102)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '21st', '102nd']
    """
    is_teen = number // 10 % 10 == 1
    return f"{number}{'th' if is_teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
