"""Shards: parts of a competition that are played separately, without knowledge of each other's results.

The shard of a game follows from the schedule alone: from the position of its pairing among all pairings, and
the game's number in its pairing. Two consecutive games with swapped sides are in the same shard. The numbers
of games of a pairing in any two shards differ by at most two.
"""

from collections.abc import Iterable
from typing import NamedTuple

from gyoji.core.faults import ConfigError
from gyoji.core.ports import Competition, FixesGames, adapts, supports
from gyoji.core.text import parse_whole, quote
from gyoji.pairing.game_maker import PAIR
from gyoji.results.game_ids import plain_id

MOST = 10_000
"""The largest number of shards that a competition can be divided into."""


class Shard(NamedTuple):
    """One part of a competition.

    Attributes:
        number: The number of the part, from 1.
        of: The number of all parts.
    """

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> "Shard":
        """Parse a text like "3/8".

        Raises:
            ValueError: The text is not of this form, or a number is out of range.

        >>> Shard.parse("3/8")
        Shard(number=3, of=8)
        """
        number, _, of = text.partition("/")
        part, parts = parse_whole(number), parse_whole(of, most=MOST)
        if not part or not parts or part > parts:
            raise ValueError(
                f"got {quote(text)}, expected N/M, the part N of M with 1 <= N <= M <= {MOST}, like 3/8"
            )
        return cls(part, parts)

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


class Deal:
    """The distribution of a competition's games to shards."""

    def __init__(self, competition: Competition, of: int, *, source: str) -> None:
        """Issue all games of a competition and give each to a shard.

        Args:
            competition: A competition without results.
            of: The number of shards.
            source: The control file, for messages.

        Raises:
            ConfigError: The games depend on results, or have no end.
        """
        _check_fixed(competition, source)
        self._of = of
        self._shards: dict[str, int] = {}
        places: dict[str, int] = {}
        while (spec := competition.next_game()) is not None:
            place = places.setdefault(spec.pairing, len(places))
            number = parse_whole(spec.id.rpartition("_")[2]) or 0
            self._shards[spec.id] = (place + number // PAIR) % of + 1

    def shard_of(self, game_id: str) -> int | None:
        """Return the number of a game's shard, from 1; None for a game that is not in the schedule."""
        return self._shards.get(plain_id(game_id))

    def games(self, shard: Shard) -> frozenset[str]:
        """Return the ids of all games of a shard.

        If a game is played again, its id in the store has a suffix such as "@2". The ids here have none.
        """
        return frozenset(name for name, number in self._shards.items() if number == shard.number)

    def missing(self, stored: Iterable[str]) -> dict[int, int]:
        """Return, for each shard number, how many of the shard's games are not in `stored`, which has ids of
        games.
        """
        left = dict(self._shards)
        for name in stored:
            left.pop(plain_id(name), None)
        counts = dict.fromkeys(range(1, self._of + 1), 0)
        for number in left.values():
            counts[number] += 1
        return counts

    def __len__(self) -> int:
        return len(self._shards)


def _check_fixed(competition: Competition, source: str) -> None:
    """Raise ConfigError for a competition that cannot be played in shards."""
    is_endless = competition.remaining() is None
    if adapts(competition) or not (supports(competition, FixesGames) and competition.has_fixed_games):
        raise ConfigError(
            f"{source}: this competition cannot be played in shards: results decide which games come "
            "next, or when there are enough, and shards do not know of each other's results"
        )
    if is_endless:
        raise ConfigError(
            f"{source}: this competition has no end, so its games cannot be dealt out: give every matchup a "
            "number_of_games"
        )
