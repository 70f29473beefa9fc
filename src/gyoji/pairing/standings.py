"""Who is ahead after all games of a `Cross`: points, and what decides where they are equal.

The order: points (a win 1, a level game ½); points in the games of those who are equal against each other
(head to head); Sonneborn-Berger, the sum over all games of the opponent's points, in full for a win and half
for a level game; the share of points in the games that were decided. Who is equal in all of these shares a
rank, and stands in the order of the players. Where rounds of matches are played, a
`gyoji.pairing.scoreboard` says it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from gyoji.core.ports import offers
from gyoji.pairing.cross import Cross, crosses_of
from gyoji.pairing.tally import PlayerStats


class Standing(Struct, frozen=True, kw_only=True):
    """One place in the standings; rank counts from 1, and players who are equal share it.

    head_to_head is of the games against those with the same points only.
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
        """Points as a share of the games that were decided, 0 without any."""
        decided = self.stats.total.played - self.stats.total.unknown
        return self.points / decided if decided else 0


def standings(cross: Cross) -> Iterator[Standing]:
    """The players from first to last. Lazy: tie-breaks are looked into only as far as somebody reads."""
    ranked = sorted(cross.players, key=lambda player: -cross.points(player))
    before = 0
    for _, equals in groupby(ranked, key=cross.points):
        for _, tied in groupby(sorted(_unranked(cross, tuple(equals)), key=_merit), key=_merit):
            sharing = list(tied)
            yield from (replace(each, rank=before + 1) for each in sharing)
            before += len(sharing)


def _unranked(cross: Cross, equals: Iterable[str]) -> Iterator[Standing]:
    """The standings of players with the same points, without their ranks."""
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
    """The sort key of players with the same points, best first; equal players keep their order."""
    return -standing.head_to_head, -standing.berger, -standing.share


class HasRanking(Protocol):
    """A competition that orders its players itself. ranking: from first to last."""

    @property
    def ranking(self) -> Sequence[str]: ...


def order_of(competition: object) -> list[str]:
    """Return the players in the order in which the tables of their competition show them."""
    if offers(competition, HasRanking):
        return list(competition.ranking)
    return [place.player for cross in crosses_of(competition).values() for place in standings(cross)]
