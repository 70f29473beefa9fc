"""The order of the players after rounds of matches: by points, then by the tie-breaks of the settings.

==================  ===================================================================================
points              of games (a win 1, a draw ½) or of matches (won 2, drawn 1)
buchholz            the sum of the opponents' points
buchholz cut 1      the same without the opponent with the fewest points
median buchholz     the same without the opponents with the fewest and the most points
sonneborn-berger    the points of each opponent, times the share of the points taken from it
head to head        points against players with the same number of points
wins                matches won
margin              sum of the margins of games won, minus those of games lost
lot                 a random number from the competition's seed
==================  ===================================================================================

A player without an opponent in a round has a bye. In tie-breaks by opponents' points a bye counts as an
opponent with as many points as the player has.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from gyoji.core.spec import derive_seed
from gyoji.core.tables import shared_ranks
from gyoji.results.matches import MatchSettings, Played

TieBreak: TypeAlias = Literal[
    "buchholz",
    "buchholz cut 1",
    "median buchholz",
    "sonneborn-berger",
    "head to head",
    "wins",
    "margin",
    "lot",
]

BY_OPPONENTS: tuple[TieBreak, ...] = (
    "buchholz",
    "median buchholz",
    "sonneborn-berger",
    "head to head",
    "wins",
)
"""The default tie-breaks of a Swiss tournament, in which not all players meet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings(MatchSettings):
    """The settings of matches, and of the table after rounds of them.

    Attributes:
        points: "games" adds up the points of games. "matches" gives 2 for a won match and 1 for a drawn
            match.
        tie_breaks: The tie-breaks in their order. Players that are still tied are in the order of seeds.
    """

    points: Literal["games", "matches"] = "games"
    tie_breaks: tuple[TieBreak, ...] = BY_OPPONENTS

    def __post_init__(self) -> None:
        MatchSettings.__post_init__(self)
        if self.decided_by == "margin" and self.points == "games":
            raise ValueError('points: expected "matches" where decided_by is "margin", got "games"')


class RoundResult(NamedTuple):
    """The result of a player in one round.

    Attributes:
        opponent: The opponent's name, "" for a bye.
        most: Largest number of points that the round can give.
    """

    opponent: str
    points: float
    most: float
    is_won: bool
    margin: float


class Place(NamedTuple):
    """A place in a table.

    Attributes:
        rank: The place, from 1. Tied players share it.
        played: Number of rounds with an opponent.
        breaks: The value of each tie-break.
    """

    rank: int
    player: str
    played: int
    points: float
    breaks: tuple[float, ...]


class Scoreboard:
    """The table of some players after some rounds.

    If points are counted by games, the finished games of a match in progress count.
    """

    def __init__(
        self,
        players: Sequence[str],
        played: Played,
        settings: TableSettings,
        *,
        unpaired: Callable[[str, int], float] = lambda _player, _round: 0,
        seed: int = 0,
    ) -> None:
        """Compute each player's result in each round.

        Args:
            players: The players of the table, the first seed first.
            played: The matches of each round.
            settings: The settings of matches and tables.
            unpaired: Returns what a player without an opponent gets, as a fraction of the most points that a
                round gives. Its arguments are the player and the number of the round from 0.
            seed: The seed for the tie-break by lot.
        """
        self.lines: Mapping[str, list[RoundResult]] = {player: [] for player in players}
        self.seed = seed
        most = 2.0 if settings.points == "matches" else float(settings.games_per_match)
        for number, matches in enumerate(played):
            paired: set[str] = set()
            for match in matches:
                paired.update(match.players)
                is_drawn = match.is_over and match.winner is None
                for index, player in enumerate(match.players):
                    if player not in self.lines:
                        continue
                    is_won, margin = match.winner == index, -match.margin if index else match.margin
                    had = match.points[index] if settings.points == "games" else 2.0 * is_won + is_drawn
                    opponent = match.players[1 - index]
                    self.lines[player].append(RoundResult(opponent, had, most, is_won, margin))
            for player in players:
                if player not in paired:
                    had = unpaired(player, number) * most
                    self.lines[player].append(RoundResult("", had, most, False, 0))
        self.points: Mapping[str, float] = {
            player: sum(line.points for line in lines) for player, lines in self.lines.items()
        }

    def table(self, tie_breaks: Sequence[TieBreak]) -> list[Place]:
        """Return the places from first to last. Players that are tied after all tie-breaks are in the order
        of seeds.
        """
        found = [
            Place(0, player, sum(1 for line in lines if line.opponent), self.points[player], breaks)
            for player, lines in self.lines.items()
            for breaks in [tuple(_TIE_BREAKS[name](self, player) for name in tie_breaks)]
        ]
        found.sort(key=_merit, reverse=True)
        ranks = shared_ranks(list(map(_merit, found)))
        return [place._replace(rank=rank) for rank, place in zip(ranks, found, strict=True)]

    # A bye counts as an opponent with the player's own points, so that it neither helps nor harms in
    # tie-breaks.
    def opponents_points(self, player: str) -> list[float]:
        """Return the points of each opponent of a player, in the order of the rounds.

        A bye, and an opponent that is not in the table, count as an opponent with the player's own points.
        """
        return [self.points.get(line.opponent, self.points[player]) for line in self.lines[player]]


def _merit(place: Place) -> tuple[float, tuple[float, ...]]:
    return place.points, place.breaks


def _sonneborn_berger(board: Scoreboard, player: str) -> float:
    met = zip(board.opponents_points(player), board.lines[player], strict=True)
    return sum(theirs * line.points / line.most for theirs, line in met)


def _head_to_head(board: Scoreboard, player: str) -> float:
    mine = board.points[player]
    return sum(line.points for line in board.lines[player] if board.points.get(line.opponent) == mine)


_TIE_BREAKS: Mapping[TieBreak, Callable[[Scoreboard, str], float]] = MappingProxyType(
    {
        "buchholz": lambda board, player: sum(board.opponents_points(player)),
        "buchholz cut 1": lambda board, player: sum(sorted(board.opponents_points(player))[1:]),
        "median buchholz": lambda board, player: sum(sorted(board.opponents_points(player))[1:-1]),
        "sonneborn-berger": _sonneborn_berger,
        "head to head": _head_to_head,
        "wins": lambda board, player: sum(line.is_won for line in board.lines[player]),
        "margin": lambda board, player: sum(line.margin for line in board.lines[player]),
        "lot": lambda board, player: derive_seed(board.seed, "lot", player),
    }
)
