"""The next round of a Swiss system, after the manner of FIDE's Dutch system.

From the top, everybody gets the best opponent that there is for it, provided that all others can still be
paired. Opponents are best in this order:

1. one who may have another seat than the player must have (who has had the same one twice more than the
   other, or the last two times, must change);
2. one with as many points; if nobody is left of these, one of the next lower ones;
3. one who should not have the same seat (who has had one more often than the other should change);
4. among those with as many points, the first of the lower half for the first of the upper half and so on;
   if that cannot be, somebody further down, then somebody further up. Who is left over from a group and
   floats down to the next one gets the first there.

An odd group leaves its last one over, or the last of those who did not float down in the round before. In an
odd field the last of those who have had the fewest byes has no opponent.

Two meet again only if there is no other way to pair everybody: then those who have met fewest times.
`matching` answers whether all others can be paired.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NamedTuple

from gyoji.pairing.matching import PerfectMatching


@dataclass(slots=True, kw_only=True)
class Card:
    """The record of a player so far, as far as the next round depends on it.

    met       how often it has met whom, and `firsts` whether it had the first seat, match by match.
    has_sunk  whether it met somebody with fewer points in the last round, or had a bye.
    """

    player: str
    points: float = 0
    met: Counter[str] = field(default_factory=Counter)
    firsts: list[bool] = field(default_factory=list)
    byes: int = 0
    has_sunk: bool = False

    @property
    def due(self) -> tuple[int, bool]:
        """How strongly it wants a seat (3: must, 2: should, 1: for a change), and whether it is the first."""
        balance = 2 * sum(self.firsts) - len(self.firsts)
        if not self.firsts:
            return 0, True
        last = self.firsts[-1]
        if abs(balance) > 1:
            return 3, balance < 0
        if self.firsts[-2:] == [last, last]:
            return 3, not last
        return (2, balance < 0) if balance else (1, not last)


class Pairing(NamedTuple):
    """A round: (who has the first seat, the other) of each match, from the top; and who has a bye, or ""."""

    pairs: tuple[tuple[str, str], ...]
    bye: str


def pair(cards: Sequence[Card]) -> Pairing:
    """The next round of these players, who are in the order of their seeds."""
    return _Drawing(sorted(cards, key=lambda card: -card.points)).pairing()


class _Drawing:
    """A round being drawn: `_left`, who are numbered by their rank, have no opponent yet."""

    def __init__(self, ranked: Sequence[Card]) -> None:
        self._ranked = ranked
        self._dues = [card.due for card in ranked]
        self._matching = _matching(ranked)
        self._left = list(range(len(ranked)))

    def pairing(self) -> Pairing:
        ranked, left = self._ranked, self._left
        bye = self._draw_bye() if len(ranked) % 2 else ""
        pairs: list[tuple[str, str]] = []
        points: float | None = None
        while left:
            if ranked[left[0]].points != points:
                points = ranked[left[0]].points
                self._put_last_who_floats(points)
            one, *others = left
            other = next(
                number for number in self._candidates(one, others) if self._matching.take(one, number)
            )
            left.remove(one)
            left.remove(other)
            pairs.append(_seated(ranked[one], ranked[other], len(pairs)))
        return Pairing(tuple(pairs), bye)

    def _draw_bye(self) -> str:
        nobody = len(self._ranked)
        last_first = sorted(self._left, key=lambda number: (self._ranked[number].byes, -number))
        number = next(number for number in last_first if self._matching.take(nobody, number))
        self._left.remove(number)
        return self._ranked[number].player

    def _put_last_who_floats(self, points: float) -> None:
        """If the group with that many points, the top one, is odd, put last in it who is to float down."""
        group = self._left[: self._size_of_group(self._left, points)]
        if len(group) % 2:
            fresh = [number for number in group if not self._ranked[number].has_sunk]
            floating = (fresh or group)[-1]
            group.remove(floating)
            self._left[: len(group) + 1] = [*group, floating]

    def _candidates(self, one: int, others: Sequence[int]) -> list[int]:
        """The possible opponents of `one`, the best first; `others` are in the order of their rank."""
        group = self._size_of_group(others, self._ranked[one].points)
        ideal = (group + 1) // 2 - 1
        if not group:
            ideal, group = 0, self._size_of_group(others, self._ranked[others[0]].points)
        met = self._ranked[one].met
        strength, wants = self._dues[one]

        def merit(index: int) -> tuple[int, bool, bool, bool, bool, int]:
            other = others[index]
            their_strength, they_want = self._dues[other]
            clash = min(strength, their_strength) if wants == they_want else 0
            again = met[self._ranked[other].player]
            return again, clash > 2, index >= group, clash > 1, index < ideal, abs(index - ideal)

        return [others[index] for index in sorted(range(len(others)), key=merit)]

    def _size_of_group(self, numbers: Sequence[int], points: float) -> int:
        """How many of these, who are in the order of their rank, have that many points; they come first."""
        return sum(1 for _ in takewhile(lambda number: self._ranked[number].points == points, numbers))


def _matching(ranked: Sequence[Card]) -> PerfectMatching:
    """Who may meet, in a pairing of everybody: the number after the last one stands for a bye."""
    numbers = {card.player: number for number, card in enumerate(ranked)}
    nobody, least = len(ranked), min(card.byes for card in ranked)
    again = 0
    while True:
        barred = [
            {number, *(numbers[player] for player, times in card.met.items() if times > again)}
            for number, card in enumerate(ranked)
        ]
        if nobody % 2:
            rested = {number for number, card in enumerate(ranked) if card.byes > least + again}
            for number in rested:
                barred[number].add(nobody)
            barred.append(rested | {nobody})
        matching = PerfectMatching(barred)
        if matching.is_perfect:
            return matching
        again += 1


def _seated(higher: Card, lower: Card, index: int) -> tuple[str, str]:
    """Who of a pair has the first seat, first: the one that wants it more.

    If both want the same seat equally, they change those that they had when these last differed; else the
    higher one has what it wants. Of those who have had no match each has it in turn; index: the match's.
    """
    (strength, wants), (their_strength, they_want) = higher.due, lower.due
    if not strength and not their_strength:
        is_first = index % 2 == 0
    elif wants != they_want or strength > their_strength:
        is_first = wants
    elif strength < their_strength:
        is_first = not they_want
    else:
        pairs = zip(reversed(higher.firsts), reversed(lower.firsts), strict=False)
        is_first = next((not mine for mine, theirs in pairs if mine != theirs), wants)
    return (higher.player, lower.player) if is_first else (lower.player, higher.player)
