"""Games of more than two sides counted: who came in in which place. A fold over results, and its table.

Of such games there are no pairs: cross tables, ratings and results by side are of games of two.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from msgspec import Struct, field

from gyoji.core.game import AnyGame
from gyoji.core.outcome import Ending
from gyoji.core.record import GameResult
from gyoji.core.tables import Column, Share, Table, names, numbers, ranks, shared_ranks
from gyoji.pairing.games import PAIR
from gyoji.tables.totals import Sample


def is_of_many(result: GameResult) -> bool:
    """Whether a game is one of more than two sides."""
    return bool(result.teams) and max(result.teams) >= PAIR


class Placing(Struct):
    """The games of one player. points: their sum; gathered: what it has gathered in them.

    places    how often it came in in which place, from 1; unknown: games in which nobody can say.
    forfeits  games that it lost by breaking a rule; left_out: games that went on without one of its engines.
    think_ns  time charged for moves; slowest_ns: for the longest one.
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


class Places:
    """The placings of players, as far as games have been added. Others than of many sides do not count."""

    def __init__(self) -> None:
        self._players: defaultdict[str, Placing] = defaultdict(Placing)

    @property
    def players(self) -> tuple[str, ...]:
        """Who has played, in the order of their first games."""
        return tuple(self._players)

    def add(self, result: GameResult) -> None:
        """Count a finished game; not one that is set aside."""
        outcome = result.outcome
        if not is_of_many(result) or outcome.ending is Ending.SET_ASIDE:
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
            placing.forfeits += outcome.is_forfeit and outcome.seat in seats
            placing.left_out += any(seat in result.left_out for seat in seats)
            if outcome.totals:
                placing.gathered = placing.gathered.after(outcome.totals[team])
            for seat in seats:
                engine = result.engines[seat]
                placing.think_ns += engine.think_ns
                placing.slowest_ns = max(placing.slowest_ns, engine.slowest_ns)

    def ranked(self) -> list[tuple[int, str, Placing]]:
        """Rank, player and its games, the most points first. Equal points have the same rank."""
        order = sorted(self._players.items(), key=lambda each: (-round(each[1].points, 9), each[0]))
        ranked = shared_ranks([round(placing.points, 9) for _, placing in order])
        return [(rank, player, placing) for rank, (player, placing) in zip(ranked, order, strict=True)]


def places_table(places: Places, game: AnyGame) -> Table:
    """A row for each player: how often it came in in which place."""
    rows = places.ranked()
    placings = [placing for _, _, placing in rows]
    columns = [
        ranks(rank for rank, _, _ in rows),
        names("player", [player for _, player, _ in rows]),
        numbers("games", [each.games for each in placings]),
        numbers("points", [each.points for each in placings], digits=2, about="the shares of all games"),
        numbers("share", [Share(each.points, each.decided) for each in placings]),
        *(
            numbers(ordinal(place), [each.places[place] for each in placings])
            for place in range(1, max((place for each in placings for place in each.places), default=0) + 1)
        ),
        *_troubles(placings),
    ]
    if game.unit and any(each.gathered.games for each in placings):
        about = f"mean of a game: {game.unit}"
        columns.append(numbers(game.unit, [each.gathered.mean for each in placings], digits=1, about=about))
    seconds = [each.think_ns / each.games / 1e9 for each in placings]
    columns.append(numbers("s/game", seconds, digits=1, about="mean seconds that its clock was charged"))
    return Table(name="standings", title="Standings", columns=tuple(columns))


def _troubles(placings: Sequence[Placing]) -> list[Column]:
    """Games without a known result, forfeits, and games that went on without a player, if there are any."""
    found = [
        numbers("unknown", [each.unknown for each in placings], about="games without a known result"),
        numbers("forfeits", [each.forfeits for each in placings], about="games lost by breaking a rule"),
        numbers("out", [each.left_out for each in placings], about="games that went on without it"),
    ]
    return [column for column in found if any(column.values)]


def ordinal(number: int) -> str:
    """A place in words.

    >>> [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 21, 102)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '21st', '102nd']
    """
    is_teen = number // 10 % 10 == 1
    return f"{number}{'th' if is_teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def places_values(places: Places) -> list[dict[str, Any]]:
    """The same as JSON-ready values; `places` from the first on."""
    return [
        {
            "rank": rank,
            "player": player,
            "games": each.games,
            "points": each.points,
            "places": [each.places[place] for place in range(1, max(each.places, default=0) + 1)],
            "unknown": each.unknown,
            "forfeits": each.forfeits,
            "left_out": each.left_out,
            "mean_total": each.gathered.mean,
            "think_s": each.think_ns / 1e9,
            "slowest_s": each.slowest_ns / 1e9,
        }
        for rank, player, each in places.ranked()
    ]
