"""Who is ahead after all games of a `Cross`: points, and what decides where they are equal.

The order: points (a win 1, a level game ½); points in the games of those who are equal against each other
(head to head); Sonneborn-Berger, the sum over all games of the opponent's points, in full for a win and half
for a level game; the share of points in the games that were decided; the order of the players. Where rounds
of matches are played, a `gyoji.pairing.scoreboard` says it.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from gyoji.pairing.cross import Cross
from gyoji.pairing.tally import PlayerStats


class Standing(Struct, frozen=True, kw_only=True):
    """One place in the standings; rank counts from 1, no two have the same.

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
    rank = 0
    for _, equals in groupby(ranked, key=cross.points):
        for standing in sorted(_unranked(cross, tuple(equals)), key=_merit):
            rank += 1
            yield replace(standing, rank=rank)


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
