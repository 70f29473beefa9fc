"""The arrangements of a Swiss tournament: byes on request, late entries, withdrawals, forbidden pairs,
acceleration.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, Never

from gyoji.core import wire
from gyoji.core.setup import PlayerCode
from gyoji.core.text import quote
from gyoji.pairing.tournament import Entry, Result, absence

_NONE: Mapping[str, Never] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)  # without slots, so that it can be combined with other settings
class Arrangements(wire.Unchanging):
    """The arrangements of a Swiss tournament. Its attributes number rounds from 1, as in a control file.

    Attributes:
        acceleration: "baku" gives virtual points to the upper half of the field in the first half of the
            rounds. "none" gives none.
        forbidden_pairs: Groups of players. Two players of one group are not paired, unless the round cannot
            be paired without that.
        authors: The author of each player. Players of one author are a group of `forbidden_pairs`.
        half_point_byes: The rounds in which a player is not paired and gets the points of a draw, also for a
            round before its late entry, but not after its withdrawal.
        zero_point_byes: The rounds in which a player is not paired and gets no points.
        late_entries: For each player that enters late, its first round.
        withdrawals: For each player that withdraws, the first round that it does not play.
    """

    acceleration: Literal["none", "baku"] = "none"
    forbidden_pairs: tuple[tuple[PlayerCode, ...], ...] = ()
    authors: Mapping[str, str] = field(default_factory=lambda: _NONE)
    half_point_byes: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: _NONE)
    zero_point_byes: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: _NONE)
    late_entries: Mapping[str, int] = field(default_factory=lambda: _NONE)
    withdrawals: Mapping[str, int] = field(default_factory=lambda: _NONE)

    def check(self, players: Sequence[str], rounds: int) -> None:
        """Check that the arrangements are possible in the tournament.

        Raises:
            ValueError: A name or round is unknown, a group of forbidden pairs has fewer than two players, or
                a player withdraws before it has played. The text is "key: problem".
        """
        for key in ("authors", "half_point_byes", "zero_point_byes", "late_entries", "withdrawals"):
            _check_known(key, getattr(self, key), players)
        for key in ("late_entries", "withdrawals"):
            for player, number in getattr(self, key).items():
                _check_rounds(key, player, (number,), rounds)
        for key in ("half_point_byes", "zero_point_byes"):
            for player, numbers in getattr(self, key).items():
                _check_rounds(key, player, numbers, rounds)
        for group in self.forbidden_pairs:
            _check_known("forbidden_pairs", group, players)
            if len(set(group)) < 2:
                raise ValueError(
                    f"forbidden_pairs: expected two players or more in a group, got {len(group)}"
                )
        for player, number in self.withdrawals.items():
            if number <= self.late_entries.get(player, 1):
                raise ValueError(f"withdrawals: {player}: expected a round after its first one, got {number}")

    def groups(self) -> Iterable[AbstractSet[str]]:
        """Yield groups of players that may not meet each other: the forbidden pairs, and the players of each
        author.
        """
        yield from map(frozenset, self.forbidden_pairs)
        by_author: dict[str, set[str]] = {}
        for player, author in self.authors.items():
            by_author.setdefault(author, set()).add(player)
        yield from (group for group in by_author.values() if len(group) > 1)

    def has_come(self, player: str, number: int) -> bool:
        """Return whether a player has entered by round `number`, from 0."""
        return self.late_entries.get(player, 1) <= number + 1

    def absence(self, player: str, number: int) -> Entry | None:
        """Return a player's absence in a round, with its points. Return None if the player is present.

        Args:
            number: The number of the round, from 0.
        """
        has_left = number + 1 >= self.withdrawals.get(player, number + 2)
        if number + 1 in self.half_point_byes.get(player, ()) and not has_left:
            return absence(Result.DRAW)
        is_there = self.has_come(player, number) and not has_left
        return None if is_there and number + 1 not in self.zero_point_byes.get(player, ()) else absence()


def _check_known(key: str, named: Iterable[str], players: Sequence[str]) -> None:
    for player in named:
        if player not in players:
            raise ValueError(f"{key}: {quote(player)} is not a competitor")


def _check_rounds(key: str, player: str, numbers: Iterable[int], rounds: int) -> None:
    for number in numbers:
        if not 1 <= number <= rounds:
            raise ValueError(f"{key}: {player}: expected a round from 1 to {rounds}, got {number}")
