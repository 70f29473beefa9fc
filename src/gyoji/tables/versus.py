"""Two players against each other: how much stronger the one is, and of how many games that is known.

Two games of a pair of players, those with the numbers 0 and 1, 2 and 3 and so on, are one observation if each
had each side in one of them: 0, ½, 1, 1½ or 2 points. Where nine of ten games are in such pairs, the
figures are computed from these, else from single games.

A game that went as one before, move for move, between the same two on the same sides, is no observation: two
programs that draw no lots play it again as often as they are asked. It is counted as repeated, and figures
are of the others; a pair is left out if both its games are repeated. All other tables count every game.
"""

from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any

from msgspec import Struct, field

from gyoji.core.outcome import Ending
from gyoji.core.record import GameResult
from gyoji.core.tables import Block, Column, Share, Table, names, numbers, texts
from gyoji.pairing.games import CANDIDATES, PAIR, plain_id
from gyoji.pairing.tally import Seen
from gyoji.stats.scores import Scores

MOST_PAIRS = 5000
"""Of more pairs nothing is told: that is everybody against everybody in a field of a hundred."""


_DIGITS = "0123456789"


class Encounter(Struct):
    """The games of two players, by the points of the first of them.

    singles   of games that are not repeated: lost, level, won.
    pairs     of their pairs: 0, ½, 1, 1½, 2 points.
    repeated  further games, which went as one before.   unknown: games that nobody can say the result of.
    """

    players: tuple[str, str]
    singles: list[int] = field(default_factory=lambda: [0, 0, 0])
    pairs: list[int] = field(default_factory=lambda: [0, 0, 0, 0, 0])
    repeated: int = 0
    unknown: int = 0
    _waiting: dict[tuple[str, str, int], "_Game"] = field(default_factory=dict)

    @property
    def games(self) -> int:
        return sum(self.singles) + self.repeated + self.unknown

    @property
    def scores(self) -> Scores:
        """The observations: pairs, if nine of ten games are in some."""
        is_of_pairs = any(self.pairs) and 20 * sum(self.pairs) >= 9 * sum(self.singles)
        return Scores(tuple(self.pairs if is_of_pairs else self.singles))

    def turned(self) -> "Encounter":
        """The same from the view of the other player."""
        return Encounter(
            players=self.players[::-1],
            singles=self.singles[::-1],
            pairs=self.pairs[::-1],
            repeated=self.repeated,
            unknown=self.unknown,
        )

    def add(self, result: GameResult, game: "_Game") -> None:
        """Count a game of the two."""
        if game.half_points is None:
            self.unknown += 1
        elif game.is_repeated:
            self.repeated += 1
        else:
            self.singles[game.half_points] += 1
        name = plain_id(result.id)  # the digits at its end are its number
        before = name.rstrip(_DIGITS)
        if before == name:
            return
        key = result.pairing, before, int(name[len(before) :]) // 2
        other = self._waiting.pop(key, None)
        if other is None:
            self._waiting[key] = game
        elif game.completes(other):
            self.pairs[(game.half_points or 0) + (other.half_points or 0)] += 1


class _Game(Struct, frozen=True):
    """A game of two. half_points: the first player's, None if unknown; is_first: whether it had side 0."""

    half_points: int | None
    is_first: bool
    is_repeated: bool

    def completes(self, other: "_Game") -> bool:
        """Whether the two are an observation."""
        is_known = self.half_points is not None and other.half_points is not None
        return is_known and self.is_first != other.is_first and not (self.is_repeated and other.is_repeated)


class Versus:
    """A fold over results: the encounters of all players that met, but for the candidates of a tuner.

    counts: whether encounters are counted; if not, it knows of none.
    repeated: how many games went as one before.
    """

    def __init__(self, *, counts: bool = True) -> None:
        self._counts = counts
        self.repeated = 0
        self._seen = Seen()
        self._encounters: dict[tuple[str, ...], Encounter] = {}
        self._is_full = False

    def add(self, result: GameResult) -> None:
        """Count a finished game of two players, under the names that tables have for them."""
        players = result.opponents
        if len(players) != PAIR or players[0] == players[1] or CANDIDATES in players:
            return
        if result.outcome.ending is Ending.SET_ASIDE:
            return
        is_repeated = self._seen.has(result)
        self.repeated += is_repeated
        if not self._counts:
            return
        if (encounter := self._encounter(players)) is not None:
            is_first, winner = players == encounter.players, result.outcome.winner
            if winner is None:
                half_points = 1 if result.outcome.is_level else None
            else:
                half_points = 2 * (players[winner] == encounter.players[0])
            encounter.add(result, _Game(half_points, is_first, is_repeated))

    def _encounter(self, players: tuple[str, ...]) -> Encounter | None:
        """That of these players, who may meet for the first time; None if there are too many."""
        found = self._encounters.get(players) or self._encounters.get(players[::-1])
        if found is None and not self._is_full:
            self._is_full = len(self._encounters) == MOST_PAIRS
            if not self._is_full:
                found = self._encounters[players] = Encounter((players[0], players[1]))
        return found

    def encounters(self, order: Iterable[str] = ()) -> list[Encounter]:
        """All of them, none if there are too many, each from the view of its first player.

        order: in which players are told of, the best first; who is not in it comes after the others.
        """
        if self._is_full:
            return []
        places = {player: place for place, player in enumerate(order)}
        last = len(places)

        def place(player: str) -> int:
            return places.get(player, last)

        turned = [
            each.turned() if place(each.players[1]) < place(each.players[0]) else each
            for each in self._encounters.values()
        ]
        return sorted(turned, key=lambda each: tuple(map(place, each.players)))


_NOTE = (
    "Won, level, lost and Elo are the player's against its opponent. Elo is of the usual scale, on which 100 "
    "more take 64 % of the points. From and to are the limits of its 95 % interval, by the {methods}; there "
    "is none where a cell is empty."
)
_POINTS = "pairs of games by the player's points: 0, ½, 1, 1½ and 2"


def versus_table(versus: Versus, order: Iterable[str] = ()) -> Table:
    """A row for each two players that have met, from the view of the one that comes first in `order`."""
    found = versus.encounters(order)
    scores = [each.scores for each in found]
    limits = [score.interval or (None, None) for score in scores]
    columns = [
        names("player", [each.players[0] for each in found]),
        texts("opponent", [each.players[1] for each in found]),
        numbers("games", [each.games for each in found]),
        *(
            numbers(heading, [each.singles[place] for each in found])
            for place, heading in ((2, "won"), (1, "level"), (0, "lost"))
        ),
    ]
    for heading, counts in (
        ("repeated", [each.repeated for each in found]),
        ("unknown", [each.unknown for each in found]),
    ):
        if any(counts):
            columns.append(numbers(heading, counts))
    if any(score.is_of_pairs for score in scores):
        cells = [" ".join(map(str, each.pairs)) if any(each.pairs) else "" for each in found]
        columns.append(texts("pairs", cells, about=_POINTS))
    columns += [
        _elo("Elo", [score.elo for score in scores]),
        _elo("from", [low for low, _ in limits], about="the lower limit of the Elo, 95 %"),
        _elo("to", [high for _, high in limits], about="its upper limit"),
        _elo("nElo", [score.normalized_elo for score in scores], about="Elo normalized by the spread"),
        numbers(
            "LOS",
            [None if score.superiority is None else Share(score.superiority, 1) for score in scores],
            about="the likelihood that the player is the stronger of the two",
        ),
    ]
    return Table(
        name="pairs",
        title="Two against each other",
        columns=tuple(columns),
        note=f"{_NOTE.format(methods=_methods(scores))} {repeated_line(versus)}".rstrip(),
    )


def _methods(scores: Iterable[Scores]) -> str:
    return " or the ".join(sorted({score.method for score in scores}))


def _elo(heading: str, values: Sequence[float | None], *, about: str = "") -> Column:
    return numbers(heading, [_finite(value) for value in values], digits=1, about=about)


def _finite(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None


def unlimited_line(versus: Versus) -> str:
    """A line about an Elo that is infinite, of which cells are empty; "" if there is none."""
    if all(each.scores.elo is None or isfinite(each.scores.elo) for each in versus.encounters()):
        return ""
    return "Empty cells: where one of two players has taken every point, there is no limit."


def repeated_line(versus: Versus) -> str:
    """A line about games that went as one before, "" if none did."""
    number = versus.repeated
    if not number:
        return ""
    went, they = ("1 game", "it is") if number == 1 else (f"{number} games", "they are")
    return (
        f"Move for move, {went} went as one before between the same two on the same sides: "
        f"{they} no new observation."
    )


def versus_blocks(versus: Versus, order: Iterable[str] = ()) -> list[Block]:
    """The table with a heading, as a part of a text; nothing if nobody has met."""
    table = versus_table(versus, order)
    if table.is_empty:
        return []
    methods = _methods(each.scores for each in versus.encounters())
    told = filter(None, (unlimited_line(versus), repeated_line(versus)))
    return [f"two against each other (95 % by the {methods})", table, *told]


def versus_values(versus: Versus, order: Iterable[str] = ()) -> dict[str, Any]:
    """The same as JSON-ready values."""
    return {
        "repeated_games": versus.repeated,
        "pairs": [_encounter_values(each) for each in versus.encounters(order)],
    }


def _encounter_values(encounter: Encounter) -> dict[str, Any]:
    scores = encounter.scores
    lost, level, won = encounter.singles
    interval = scores.interval
    return {
        "players": list(encounter.players),
        "games": encounter.games,
        "won": won,
        "level": level,
        "lost": lost,
        "repeated": encounter.repeated,
        "unknown": encounter.unknown,
        "pairs": list(encounter.pairs),
        "observations": "pairs" if scores.is_of_pairs else "games",
        "score": scores.mean,
        "elo": _finite(scores.elo),
        "interval_95": None if interval is None else [_finite(limit) for limit in interval],
        "method": scores.method,
        "normalized_elo": scores.normalized_elo,
        "superiority": scores.superiority,
    }
