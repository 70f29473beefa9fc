"""Plans of players, done and failed, and amounts gathered on each field, as tables and as values.

For games that account for their moves (`Game.counts`).
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from gyoji.core.game import AnyGame
from gyoji.core.record import GameResult
from gyoji.core.tables import percent
from gyoji.pairing.gathering import TEAMS, Sample
from gyoji.report.text import Align, Grid

Kinds: TypeAlias = "Counter[tuple[str, str]]"


class Who(NamedTuple):
    """One of a player's engines. role: what it is in its team."""

    player: str
    role: str


@dataclass(slots=True)
class Place:
    """One field. first: the id of the first game on it; sides: of each player, what it gathered by team."""

    description: str
    first: str
    sides: dict[str, list[Sample]] = field(default_factory=dict)


class Account:
    """A fold over games. game: theirs."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self._plans: defaultdict[Who, Kinds] = defaultdict(Counter)
        self._places: dict[str, Place] = {}

    def add(self, result: GameResult, plans: Sequence[Kinds], *, field: str, description: str) -> None:
        """Count a game. plans: of each seat; field: tells it from others; description: it in a few words."""
        for seat, counts in enumerate(plans):
            self._plans[Who(result.players[seat], self.game.roles[seat])].update(counts)
        place = self._places.setdefault(field, Place(description, result.id))
        place.first = min(place.first, result.id)
        for team, total in enumerate(result.outcome.totals):
            sides = place.sides.setdefault(result.players[team], [Sample()] * TEAMS)
            sides[team] = sides[team].after(total)

    def plans(self) -> dict[Who, Kinds]:
        """The number of plans of each kind that an engine made; by player, in the order of roles."""
        order = list(dict.fromkeys(self.game.roles))
        found = sorted(self._plans.items(), key=lambda item: (item[0].player, order.index(item[0].role)))
        return dict(found)

    def places(self) -> list[Place]:
        """The fields in the order of their first games."""
        return sorted(self._places.values(), key=lambda place: place.first)


def account_lines(account: Account) -> Iterator[str]:
    """Both tables; nothing if there are no games."""
    if account.places():
        yield f"{account.game.unit} by field, as {' and as '.join(account.game.side_names)}"
        yield from _place_table(account.places()).lines()
        yield ""
        yield "plans"
        yield from _plan_table(account.plans()).lines()


def _place_table(places: Sequence[Place]) -> Grid:
    table = Grid()
    table.column([f"{number}" for number in range(1, len(places) + 1)], align=Align.RIGHT, padding=2)
    table.column([place.description for place in places], padding=3)
    players = sorted({player for place in places for player in place.sides})
    for player in players:
        for team in range(TEAMS):
            means = [place.sides[player][team].mean if player in place.sides else None for place in places]
            cells = ["" if mean is None else f"{mean:.0f}" for mean in means]
            span, padding = (TEAMS, 2) if team == 0 else (0, 4)
            table.column(cells, heading=player, align=Align.RIGHT, padding=padding, span=span)
    return table


def _plan_table(plans: dict[Who, Kinds]) -> Grid:
    """The shares of an engine's plans: of what was done, and of the reasons why others came to nothing."""
    done = sorted({verb for counts in plans.values() for verb in _done(counts)})
    failed = sorted({reason for counts in plans.values() for reason in _failed(counts)})
    table = Grid()
    table.column(["", *done, *(f"failed: {reason}" for reason in failed)], padding=3)
    player = ""
    for who, counts in plans.items():
        whats, whys = _done(counts), _failed(counts)
        numbers = [*(whats[verb] for verb in done), *(whys[reason] for reason in failed)]
        cells = [who.role, *(percent(number, counts.total()) if number else "" for number in numbers)]
        span = 0 if who.player == player else sum(other.player == who.player for other in plans)
        table.column(cells, heading=who.player, align=Align.RIGHT, padding=3, span=span)
        player = who.player
    return table


def _done(counts: Kinds) -> Counter[str]:
    """The plans that were carried out, by verb, with their numbers."""
    return Counter({verb: number for (verb, reason), number in counts.items() if not reason})


def _failed(counts: Kinds) -> Counter[str]:
    """The reasons why plans failed, with their numbers."""
    reasons: Counter[str] = Counter()
    for (_, reason), number in counts.items():
        if reason:
            reasons[reason] += number
    return reasons


def account_values(account: Account) -> dict[str, Any]:
    """The same as JSON-ready values: counts and means."""
    return {
        "plans": [
            {
                "player": who.player,
                "role": who.role,
                "done": dict(sorted(_done(counts).items())),
                "failed": dict(sorted(_failed(counts).items())),
            }
            for who, counts in account.plans().items()
        ],
        "fields": [
            {
                "field": place.description,
                "first_game": place.first,
                "players": {
                    player: {
                        name: {"games": side.games, "mean": side.mean}
                        for name, side in zip(account.game.side_names, sides, strict=True)
                    }
                    for player, sides in sorted(place.sides.items())
                },
            }
            for place in account.places()
        ],
    }
