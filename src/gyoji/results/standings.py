"""The order of the players by all games of a `Cross`.

It goes by points (a win 1, a draw ½), then by three tie-breaks: head to head (points in games among the
players with equal points), Sonneborn-Berger (for each win the opponent's points, for each draw half of them),
and the share of points in games with a known result. Players that are tied in all of these share a rank.
`gyoji.results.scoreboard` orders players after rounds of matches.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from gyoji.core.ports import supports
from gyoji.results.cross import Cross, crosses_of
from gyoji.results.tally import PlayerStats


class Standing(Struct, frozen=True, kw_only=True):
    """One place in the standings.

    Attributes:
        rank: The place, from 1. Tied players share it.
        head_to_head: Points in the games against players with the same points.
        berger: The Sonneborn-Berger score.
    """

    rank: int
    stats: PlayerStats
    head_to_head: float
    berger: float

    @property
    def player(self) -> str:
        return self.stats.player

    @property
    def points(self) -> float:
        return self.stats.total.points

    @property
    def share(self) -> float:
        """The points divided by the number of games with a known result; 0 without such games."""
        decided = self.stats.total.played - self.stats.total.unknown
        return self.points / decided if decided else 0


def standings(cross: Cross) -> Iterator[Standing]:
    """Yield the places from first to last. Tie-breaks are computed only as far as the caller iterates."""
    ranked = sorted(cross.players, key=lambda player: -cross.points(player))
    before = 0
    for _, equals in groupby(ranked, key=cross.points):
        for _, tied in groupby(sorted(_unranked(cross, tuple(equals)), key=_merit), key=_merit):
            sharing = list(tied)
            yield from (replace(each, rank=before + 1) for each in sharing)
            before += len(sharing)


def _unranked(cross: Cross, equals: Iterable[str]) -> Iterator[Standing]:
    """Yield the places of players with the same points, without their ranks."""
    among = frozenset(equals)
    for player in equals:
        met = list(cross.opponents(player))
        yield Standing(
            rank=0,
            stats=cross.of(player),
            head_to_head=sum(points for opponent, points in met if opponent in among),
            berger=sum(points * cross.points(opponent) for opponent, points in met),
        )


def _merit(standing: Standing) -> tuple[float, float, float]:
    """Return the sort key among players with the same points."""
    return -standing.head_to_head, -standing.berger, -standing.share


class HasRanking(Protocol):
    """A competition that ranks its players itself.

    Attributes:
        ranking: The players from first to last.
    """

    @property
    def ranking(self) -> Sequence[str]: ...


def order_of(competition: object) -> list[str]:
    """Return the players of a competition in the order of its ranking, or else of its standings."""
    if supports(competition, HasRanking):
        return list(competition.ranking)
    return [place.player for cross in crosses_of(competition).values() for place in standings(cross)]
