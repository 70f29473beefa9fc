"""Who is ahead after rounds of matches: points, and the tie-breaks that the settings name.

==================  ===================================================================================
points              of games (a win 1, a level game ½) or of matches (won 2, drawn 1)
buchholz            the points of all opponents
buchholz cut 1      the same without the last of them
median buchholz     the same without the best and the last of them
sonneborn-berger    the points of each opponent, times the share of the points taken from it
head to head        points taken from those who have the same number of points
wins                matches won
margin              sum of the margins of all games: what a player won by, less what it lost by
lot                 drawn from the competition's seed
==================  ===================================================================================

Who has no opponent in a round, because they are an odd number, has a bye. In opponents' points it counts as
an opponent with as many points as the player itself.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from gyoji.core.spec import derive_seed
from gyoji.core.tables import shared_ranks
from gyoji.pairing.matches import Match, MatchSettings
from gyoji.pairing.rounds import Played

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
"""The usual tie-breaks where not all players have met: first the strength of the opponents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings(MatchSettings):
    """How matches are played, and what they are worth.

    points      "games": all games are added up; "matches": 2 for a match that is won, 1 for one that is
                drawn.
    tie_breaks  in their order; after them it is the order of the seeds.
    """

    points: Literal["games", "matches"] = "games"
    tie_breaks: tuple[TieBreak, ...] = BY_OPPONENTS

    def __post_init__(self) -> None:
        MatchSettings.__post_init__(self)
        if self.decided_by == "margin" and self.points == "games":
            raise ValueError('points: expected "matches" where decided_by is "margin", got "games"')


class RoundResult(NamedTuple):
    """The result of a player in one round. opponent: "" for a bye; most: the points that could be had."""

    opponent: str
    points: float
    most: float
    is_won: bool
    margin: float


class Place(NamedTuple):
    """A place in a table. rank: from 1, the same for equals; breaks: a number for each tie-break."""

    rank: int
    player: str
    played: int
    points: float
    breaks: tuple[float, ...]


class Scoreboard:
    """The table of some players after some rounds.

    Matches in play count as far as they are played where points are those of games.
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
        """unpaired: the share of a round's points that a player without an opponent gets in it, by the number
        of the round from 0. seed: for lots."""
        self.lines: Mapping[str, list[RoundResult]] = {player: [] for player in players}
        self.seed = seed
        most = 2.0 if settings.points == "matches" else float(settings.games_per_match)
        for number, matches in enumerate(played):
            paired: set[str] = set()
            for match in matches:
                paired.update(match.players)
                for index, player in enumerate(match.players):
                    if player in self.lines:
                        self.lines[player].append(_round_result(match, index, settings.points, most))
            for player in players:
                if player not in paired:
                    had = unpaired(player, number) * most
                    self.lines[player].append(RoundResult("", had, most, False, 0))
        self.points: Mapping[str, float] = {
            player: sum(line.points for line in lines) for player, lines in self.lines.items()
        }

    def table(self, tie_breaks: Sequence[TieBreak]) -> list[Place]:
        """The players from first to last; who is equal in all tie-breaks, by seed."""
        found = [
            Place(0, player, sum(1 for line in lines if line.opponent), self.points[player], breaks)
            for player, lines in self.lines.items()
            for breaks in [tuple(_TIE_BREAKS[name](self, player) for name in tie_breaks)]
        ]
        found.sort(key=_merit, reverse=True)
        ranks = shared_ranks(list(map(_merit, found)))
        return [place._replace(rank=rank) for rank, place in zip(ranks, found, strict=True)]

    def opponents_points(self, player: str) -> list[float]:
        """The points of each of its opponents, in the order of the rounds."""
        return [self.points.get(line.opponent, self.points[player]) for line in self.lines[player]]


def _merit(place: Place) -> tuple[float, tuple[float, ...]]:
    return place.points, place.breaks


def _round_result(match: Match, index: int, points: str, most: float) -> RoundResult:
    is_won, is_drawn = match.winner == index, match.is_over and match.winner is None
    had = match.points[index] if points == "games" else 2.0 * is_won + is_drawn
    margin = match.margin if index == 0 else -match.margin
    return RoundResult(match.players[1 - index], had, most, is_won, margin)


def _buchholz(board: Scoreboard, player: str) -> float:
    return sum(board.opponents_points(player))


def _buchholz_cut_1(board: Scoreboard, player: str) -> float:
    return sum(sorted(board.opponents_points(player))[1:])


def _median_buchholz(board: Scoreboard, player: str) -> float:
    return sum(sorted(board.opponents_points(player))[1:-1])


def _sonneborn_berger(board: Scoreboard, player: str) -> float:
    met = zip(board.opponents_points(player), board.lines[player], strict=True)
    return sum(theirs * line.points / line.most for theirs, line in met)


def _head_to_head(board: Scoreboard, player: str) -> float:
    mine = board.points[player]
    return sum(line.points for line in board.lines[player] if board.points.get(line.opponent) == mine)


def _wins(board: Scoreboard, player: str) -> float:
    return sum(line.is_won for line in board.lines[player])


def _margin(board: Scoreboard, player: str) -> float:
    return sum(line.margin for line in board.lines[player])


def _lot(board: Scoreboard, player: str) -> float:
    return derive_seed(board.seed, "lot", player)


_TIE_BREAKS: Mapping[TieBreak, Callable[[Scoreboard, str], float]] = MappingProxyType(
    {
        "buchholz": _buchholz,
        "buchholz cut 1": _buchholz_cut_1,
        "median buchholz": _median_buchholz,
        "sonneborn-berger": _sonneborn_berger,
        "head to head": _head_to_head,
        "wins": _wins,
        "margin": _margin,
        "lot": _lot,
    }
)
