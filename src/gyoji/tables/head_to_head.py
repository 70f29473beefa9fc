"""Results of every two players against each other, with their difference of strength and its interval.

The games of two players are numbered from 0. Games 0 and 1, 2 and 3 and so on form a pair of games if the
players swapped sides between them. A pair has a score of 0, ½, 1, 1½ or 2 points. If at least nine tenths of
the games are in such pairs, Elo and its interval are computed from pairs, else from single games.

A game that repeats an earlier one of the same players on the same sides, move for move, is no new
observation: two deterministic programs always play the same game. Elo from single games leaves out
such games. Elo from pairs leaves out a pair if both of its games are such. All other tables count every game.
"""

from collections.abc import Iterable, Sequence
from math import isfinite

from msgspec import Struct, field
from msgspec.structs import replace

from gyoji.core.outcome import Ending
from gyoji.core.record import GameResult
from gyoji.core.tables import Cell, Column, Share, Table, data, names, numbers, texts
from gyoji.pairing.game_maker import PAIR
from gyoji.results.game_ids import CANDIDATES, plain_id
from gyoji.results.tally import DuplicateGames
from gyoji.stats.scores import Scores

MOST_PAIRS = 5000
"""Largest number of pairs of players in the table. A competition of a hundred players has 4,950."""


class Encounter(Struct):
    """Results of the games of two players against each other, from the view of the first player.

    Attributes:
        singles: Numbers of lost, drawn and won games, without the repeated ones.
        pairs: Numbers of pairs of games with swapped sides that gave the player 0, ½, 1, 1½ and 2 points.
        repeated: Number of games that repeat an earlier one move for move.
        unknown: Number of games without a known result.
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
        """The observations for statistics: pairs if at least nine tenths of the games are in pairs, else
        games.
        """
        # 20 games in 10 pairs: 20 * pairs >= 9 * games. Nine of ten, because the last pair of a
        # running event is often incomplete.
        is_of_pairs = any(self.pairs) and 20 * sum(self.pairs) >= 9 * sum(self.singles)
        return Scores(tuple(self.pairs if is_of_pairs else self.singles))

    def turned(self) -> "Encounter":
        """Return the same results from the view of the second player.

        Both objects share the games that wait for the other game of their pair.
        """
        return replace(self, players=self.players[::-1], singles=self.singles[::-1], pairs=self.pairs[::-1])

    def add(self, result: GameResult, game: "_Game") -> None:
        """Count a game of the two players.

        Args:
            result: The result in the record.
            game: The result from the view of the first player.
        """
        if game.half_points is None:
            self.unknown += 1
        elif game.is_repeated:
            self.repeated += 1
        else:
            self.singles[game.half_points] += 1
        name = plain_id(result.id)  # the digits at its end are its number
        # `AvB_3` and `AvB_2` share "AvB_" and the quotient 1. Ids without a number have no partner.
        before = name.rstrip("0123456789")
        if before == name:
            return
        key = result.pairing, before, int(name[len(before) :]) // 2
        # Games end in any order, so the first of a pair waits here for the second.
        other = self._waiting.pop(key, None)
        if other is None:
            self._waiting[key] = game
            return
        is_known = game.half_points is not None and other.half_points is not None
        # Two games without a change of sides are no pair: the side may have decided both.
        if is_known and game.is_first != other.is_first and not (game.is_repeated and other.is_repeated):
            self.pairs[(game.half_points or 0) + (other.half_points or 0)] += 1


class _Game(Struct, frozen=True):
    """The result of a game from the view of the first player of an `Encounter`.

    Attributes:
        half_points: Half points of the first player: 0, 1 or 2; None if the result is unknown.
        is_first: Whether the first player had side 0.
        is_repeated: Whether the game repeats an earlier one move for move.
    """

    half_points: int | None
    is_first: bool
    is_repeated: bool


class HeadToHead:
    """Results of every two players that have met. A tuner's candidates are left out.

    Attributes:
        repeated: Number of games that repeat an earlier one move for move.
    """

    def __init__(self) -> None:
        self.repeated = 0
        self._seen = DuplicateGames()
        self._encounters: dict[tuple[str, ...], Encounter] = {}
        self._is_full = False

    def add(self, result: GameResult) -> None:
        """Count a finished game of two different players. Other games are ignored."""
        players = result.opponents
        # A tuner's candidates share one name and differ in strength: an Elo of that name would mean nothing.
        if len(players) != PAIR or players[0] == players[1] or CANDIDATES in players:
            return
        if result.outcome.ending is Ending.SKIPPED:
            return
        is_repeated = self._seen.repeats(result)
        self.repeated += is_repeated
        encounter = self._encounters.get(players) or self._encounters.get(players[::-1])
        if encounter is None:
            # Above the limit no pair is listed: the first 5,000 would be a choice by chance.
            self._is_full = self._is_full or len(self._encounters) == MOST_PAIRS
            if self._is_full:
                return
            encounter = self._encounters[players] = Encounter((players[0], players[1]))
        is_first, winner = players == encounter.players, result.outcome.winner
        if winner is None:
            half_points = 1 if result.outcome.is_level else None
        else:
            half_points = 2 * (players[winner] == encounter.players[0])
        encounter.add(result, _Game(half_points, is_first, is_repeated))

    def encounters(self, order: Iterable[str] = ()) -> list[Encounter]:
        """Return the results of every two players that have met. Return [] if more than MOST_PAIRS pairs have
        met.

        Args:
            order: The players from first to last place; missing players come last. It decides the order of
                the encounters. The better placed of two players is the first of their encounter.
        """
        if self._is_full:
            return []
        places = {player: place for place, player in enumerate(order)}

        def place(player: str) -> int:
            return places.get(player, len(places))

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


def head_to_head_table(met: HeadToHead, order: Iterable[str] = ()) -> Table:
    """Return the table with a row for every two players that have met.

    Args:
        met: The results.
        order: The players from first to last place. The better placed of two players comes first in their
            row.
    """
    found = met.encounters(order)
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
        numbers("repeated", [each.repeated for each in found], is_optional=True),
        numbers("unknown", [each.unknown for each in found], is_optional=True),
    ]
    # The column is there for all rows or for none, so single games have an empty cell in it.
    if any(score.is_of_pairs for score in scores):
        cells = [
            Cell(" ".join(map(str, each.pairs)) if any(each.pairs) else "", each.pairs) for each in found
        ]
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
        data("score", [score.mean for score in scores]),
        data("observations", ["pairs" if score.is_of_pairs else "games" for score in scores]),
        data("method", [score.method for score in scores]),
    ]
    methods = " or the ".join(sorted({score.method for score in scores}))
    # Elo has no limit if one player took every point. JSON has null there, a table an empty cell.
    is_unlimited = any(score.elo is not None and not isfinite(score.elo) for score in scores)
    return Table(
        name="pairs",
        title="Two against each other",
        lead=f"two against each other (95 % by the {methods})",
        columns=tuple(columns),
        note=_NOTE.format(methods=methods),
        remarks=tuple(filter(None, (_UNLIMITED if is_unlimited else "", repeated_line(met)))),
    )


_UNLIMITED = "Empty cells: where one of two players has taken every point, there is no limit."


def _elo(heading: str, values: Sequence[float | None], *, about: str = "") -> Column:
    finite = [value if value is not None and isfinite(value) else None for value in values]
    return numbers(heading, finite, digits=1, about=about)


def repeated_line(met: HeadToHead) -> str:
    """Return a sentence with the number of games that repeat an earlier one; "" if there are none."""
    number = met.repeated
    if not number:
        return ""
    went, they = ("1 game", "it is") if number == 1 else (f"{number} games", "they are")
    return (
        f"Move for move, {went} went as one before between the same two on the same sides: "
        f"{they} no new observation."
    )
