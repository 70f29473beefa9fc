"""The pairs of a round by FIDE's Dutch system, bracket by bracket.

A bracket consists of a score group, its residents, and the unpaired players that were moved down from higher
brackets. The best pairing of a bracket is a maximum weight matching whose weights encode the criteria
(`criteria`).
"""

# All players below a bracket take part in its matching too: the next bracket, because some criteria ask for
# it, and all others, because all of them must still be paired. Among pairings that are equally good the
# handbook's order of transpositions and exchanges decides. It is written into further digits behind those of
# the criteria: first for the players moved down, then, when these are paired, for the remainder.

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, groupby

from gyoji.pairing.criteria import Bracket, Criteria
from gyoji.pairing.dutch_players import Candidate, are_new
from gyoji.pairing.max_weight_matching import UNMATCHED, heaviest_matching


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """The rules on who may meet whom, and who may have the bye.

    Attributes:
        cost: Returns the cost of a pair, the higher player first. 0: they may meet. None: they must not. A
            positive number: they should meet only if a complete pairing needs it.
        may_rest: Whether a player may have the bye.
    """

    cost: Callable[[Candidate, Candidate], int | None]
    may_rest: Callable[[Candidate], bool]


class Brackets:
    """The pairing of one round, made by the constructor.

    Attributes:
        is_possible: Whether the rules admit a complete pairing. If not, there are no pairs.
        pairs: The pairs as indices of players in the field, the higher player first.
        bye: The index of the player with the bye, or None.
    """

    def __init__(self, field: Sequence[Candidate], admission: Admission) -> None:
        """Pair a field.

        Args:
            field: The players to be paired, the highest first.
            admission: Who may meet whom.
        """
        self._field = field
        self.pairs: list[tuple[int, int]] = []
        self.bye: int | None = None
        self.is_possible = True
        if are_new(field):  # the upper half meets the lower half: no matching is needed
            half = len(field) // 2
            self.pairs = [(place, half + place) for place in range(half)]
            self.bye = len(field) - 1 if len(field) % 2 else None
            return
        self._rests = [admission.may_rest(each) for each in field]
        costs = [[admission.cost(one, other) for one in field[:lower]] for lower, other in enumerate(field)]
        most = max((cost for row in costs for cost in row if cost), default=0)
        self._merits = [[None if cost is None else most - cost for cost in row] for row in costs]
        self._merits_room = (most * len(field)).bit_length()
        self._bye_score: int | None = None
        self.is_possible = self._is_possible()
        if self.is_possible:
            self._pair()

    def _is_possible(self) -> bool:
        """Return whether the rules admit a complete pairing, with a bye if the number of players is odd.

        Set `_bye_score` to the lowest possible score of the player with the bye (criterion C5).
        """
        field = self._field
        levels = {score: level for level, score in enumerate(sorted({each.score for each in field}))}
        room = (len(field) * len(levels)).bit_length()

        def weight(higher: int, lower: int) -> int:
            completion = self._completion(higher, lower)
            points = levels[field[higher].score] + levels[field[lower].score]
            return completion and (completion << room) + points

        mates = _matched(range(len(field)), weight)
        left = [index for index, mate in mates.items() if mate == UNMATCHED]
        if len(left) != len(field) % 2 or not all(self._rests[index] for index in left):
            return False
        for index in left:
            self._bye_score = least = field[index].score
            self._rests = [rests and field[place].score <= least for place, rests in enumerate(self._rests)]
        return True

    def _completion(self, higher: int, lower: int) -> int:
        """Return the weight of a pair in the search for a complete pairing, 0 if the two must not meet."""
        merit = self._merits[lower][higher]
        if merit is None:
            return 0
        return (3 - self._rests[higher] - self._rests[lower] << self._merits_room) + merit

    def _pair(self) -> None:
        scores = groupby(range(len(self._field)), key=lambda index: self._field[index].score)
        groups = [list(group) for _, group in scores]
        moved: list[int] = []
        for number in range(len(groups)):
            everybody = [*moved, *chain(*groups[number:])]
            ends = list(accumulate(map(len, (moved, *groups[number : number + 2]))))
            bracket = Bracket(
                players=[self._field[index] for index in everybody],
                moved=len(moved),
                end=ends[1],
                next_end=ends[-1],
            )
            completions = [
                [self._completion(higher, lower) for higher in everybody[:place]]
                for place, lower in enumerate(everybody)
            ]
            pairs = _BracketPairing(bracket, completions, self._bye_score).pairs
            self.pairs += [(everybody[higher], everybody[lower]) for higher, lower in pairs]
            paired = {index for pair in pairs for index in pair}
            moved = [everybody[index] for index in range(bracket.end) if index not in paired]
        for index in moved:
            self.bye = index


class _BracketPairing:
    """The pairing of one bracket. Players are given by their indices in the bracket."""

    def __init__(self, bracket: Bracket, completions: Sequence[Sequence[int]], bye_score: int | None) -> None:
        self._bracket = bracket
        self._completions = completions
        self.pairs: list[tuple[int, int]] = []
        has_bye = bye_score is not None and bracket.players[bracket.moved].score <= bye_score
        criteria = Criteria(bracket, bye_score=bye_score if has_bye and self._leaves_one() else None)
        self._weights = [
            [each and criteria.weight(each, higher, lower) for higher, each in enumerate(row)]
            for lower, row in enumerate(completions)
        ]
        count = self._pair_moved() if bracket.moved else bracket.end // 2
        remainder = self._pair_remainder(count)
        if len(remainder) != count:  # not all of the residents can be paired among each other
            remainder = self._pair_remainder(len(remainder))
        self.pairs += remainder

    def _leaves_one(self) -> bool:
        """Return whether all players of the bracket except one can be paired with each other.

        The round must have a complete pairing with these pairs.
        """
        moved, end = self._bracket.moved, self._bracket.end
        room = len(self._completions).bit_length()

        def weight(higher: int, lower: int) -> int:
            completion = self._completions[lower][higher]
            return completion and completion << room | (moved <= lower < end)

        mates = _matched(range(len(self._completions)), weight)
        return sum(not 0 <= mates[index] < end for index in range(end)) == 1

    def _pair_moved(self) -> int:
        """Pair the players moved down with residents: as many as possible, the highest first.

        Each gets the highest possible opponent. Return the number of pairs that the other residents can form
        then.
        """
        moved, end = self._bracket.moved, self._bracket.end
        digits = (end - moved).bit_length()

        def order(higher: int, lower: int) -> int:
            if not higher < moved <= lower < end:
                return 0
            place = moved - 1 - higher
            return (1 << place + digits * moved) | (end - lower) << digits * place

        mates = _matched(range(len(self._weights)), self._by(order, moved * (digits + 1)))
        self.pairs = [(higher, mates[higher]) for higher in range(moved) if moved <= mates[higher] < end]
        return sum(index < mates[index] < end for index in range(moved, end))

    # The upper half meets the lower half, the highest the highest. If that is impossible, the digits ask in
    # this order: as few exchanges between the halves as possible; exchanges of players close to each other;
    # the lowest of the upper half; the highest of the lower half. The higher player of a pair counts as of
    # the upper half then.
    def _pair_remainder(self, count: int) -> list[tuple[int, int]]:
        """Pair the residents that have no partner yet with each other. Return these pairs.

        Args:
            count: The number of pairs, which is the size of the upper half.
        """
        moved, end = self._bracket.moved, self._bracket.end
        paired = {index for pair in self.pairs for index in pair}
        remainder = [index for index in range(moved, end) if index not in paired]
        places = {index: place for place, index in enumerate(remainder)}
        size = len(remainder)
        room, digits = 2 * size.bit_length(), size.bit_length()

        def order(higher: int, lower: int) -> int:
            upper, under = places.get(higher), places.get(lower)
            if upper is None or under is None:
                return 0
            stays = upper < count  # in the upper part
            value = stays << room | size - upper
            value = (value << count + room) + (1 << count) - (stays << upper)
            value = value << size | (not stays) << size - 1 - upper
            return value << size * digits | size - under << digits * (size - 1 - upper)

        width = room + room + count + room + size + size * digits
        left = [index for index in range(len(self._weights)) if index not in paired]
        mates = _matched(left, self._by(order, width))
        return [(index, mates[index]) for index in remainder if index < mates[index] < end]

    def _by(self, order: Callable[[int, int], int], width: int) -> Callable[[int, int], int]:
        """Return a function that gives the weight of a pair by the criteria, refined by `order`.

        The values of `order` are the lowest `width` bits. A weight of 0 stays 0.
        """

        def weight(higher: int, lower: int) -> int:
            value = self._weights[lower][higher]
            return value and value << width | order(higher, lower)

        return weight


def _matched(indices: Sequence[int], weight: Callable[[int, int], int]) -> dict[int, int]:
    """Return the partner of each of these players, or UNMATCHED, in the maximum weight matching."""
    rows = [[0] * len(indices) for _ in indices]
    for place, lower in enumerate(indices):
        for other in range(place):
            rows[place][other] = rows[other][place] = weight(indices[other], lower)
    mates = heaviest_matching(rows)
    return {
        index: UNMATCHED if mate == UNMATCHED else indices[mate]
        for index, mate in zip(indices, mates, strict=True)
    }
