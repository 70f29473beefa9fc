"""The pairs of a round by FIDE's Dutch system: bracket by bracket, the best of all that the criteria admit.

A bracket is those who were moved down and a score group, its residents. The criteria (`criteria`) are written
into one number for each pair, so the heaviest matching is the best pairing. Everybody below takes part in
it, too: the next bracket, of which some criteria ask, and all others, for all must be paired. Among pairings
that are equally good, the order of the players decides. It is written into further digits: for those moved
down first, then, when these are paired, for the others, the remainder.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, groupby

from gyoji.pairing.blossoms import NOBODY, heaviest_matching
from gyoji.pairing.candidates import Candidate, are_new
from gyoji.pairing.criteria import Bracket, Criteria


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """Who may meet whom, the higher one first, and who may be left over.

    cost: 0 if two may meet, None if not; more if they had better not, but may if all cannot be paired
    otherwise.
    """

    cost: Callable[[Candidate, Candidate], int | None]
    may_rest: Callable[[Candidate], bool]


class Brackets:
    """A round that is being paired.

    is_possible: whether everybody can be paired, all but one who may rest. If not, there are no pairs.
    pairs:       indices of the field, the higher player first.   bye: who is left over, or None.
    """

    def __init__(self, field: Sequence[Candidate], admission: Admission) -> None:
        """field: those to be paired, the highest first."""
        self._field = field
        self.pairs: list[tuple[int, int]] = []
        self.bye: int | None = None
        self.is_possible = True
        if are_new(field):  # the halves meet, without more ado
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
        """Whether all can be paired. Whoever rests shall have as few points as possible (criterion C5)."""
        field = self._field
        levels = {score: level for level, score in enumerate(sorted({each.score for each in field}))}
        room = (len(field) * len(levels)).bit_length()

        def weight(higher: int, lower: int) -> int:
            completion = self._completion(higher, lower)
            points = levels[field[higher].score] + levels[field[lower].score]
            return completion and (completion << room) + points

        mates = _matched(range(len(field)), weight)
        left = [index for index, mate in mates.items() if mate == NOBODY]
        if len(left) != len(field) % 2 or not all(self._rests[index] for index in left):
            return False
        for index in left:
            self._bye_score = least = field[index].score
            self._rests = [rests and field[place].score <= least for place, rests in enumerate(self._rests)]
        return True

    def _completion(self, higher: int, lower: int) -> int:
        """The weight of a pair for the criterion that all are paired who may not rest; 0: it cannot be."""
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
            pairs = _BracketPairing(bracket, self._completions(everybody), self._bye_score).pairs
            self.pairs += [(everybody[higher], everybody[lower]) for higher, lower in pairs]
            paired = {index for pair in pairs for index in pair}
            moved = [everybody[index] for index in range(bracket.end) if index not in paired]
        for index in moved:
            self.bye = index

    def _completions(self, indices: Sequence[int]) -> list[list[int]]:
        """The weights of pairs of these for completion, lower by lower, higher by higher."""
        return [
            [self._completion(higher, lower) for higher in indices[:place]]
            for place, lower in enumerate(indices)
        ]


class _BracketPairing:
    """The pairing of a bracket. Players are indices among those of the bracket."""

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
        """Whether all of the bracket can be paired but one, with everybody below."""
        moved, end = self._bracket.moved, self._bracket.end
        room = len(self._completions).bit_length()

        def weight(higher: int, lower: int) -> int:
            completion = self._completions[lower][higher]
            return completion and completion << room | (moved <= lower < end)

        mates = _matched(range(len(self._completions)), weight)
        return sum(not 0 <= mates[index] < end for index in range(end)) == 1

    def _pair_moved(self) -> int:
        """Pair as many as can be of those who are moved down; how many pairs the residents can make then.

        They are the highest of them, each with the highest opponent that there can be.
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

    def _pair_remainder(self, count: int) -> list[tuple[int, int]]:
        """Pair the residents who are left, in about so many pairs.

        As many as there are pairs are the upper part, and meet the lower one, the highest the highest. If
        that cannot be, as few as possible change parts; those who are nearest to each other; the lowest of
        the upper part; the highest of the lower one. The higher one of a pair is of the upper part then.
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
        """The weights with an order of so many digits behind them."""

        def weight(higher: int, lower: int) -> int:
            value = self._weights[lower][higher]
            return value and value << width | order(higher, lower)

        return weight


def _matched(indices: Sequence[int], weight: Callable[[int, int], int]) -> dict[int, int]:
    """The partner of each of these, who are in order, or NOBODY, in the heaviest matching."""
    rows = [[0] * len(indices) for _ in indices]
    for place, lower in enumerate(indices):
        for other in range(place):
            rows[place][other] = rows[other][place] = weight(indices[other], lower)
    mates = heaviest_matching(rows)
    return {
        index: NOBODY if mate == NOBODY else indices[mate] for index, mate in zip(indices, mates, strict=True)
    }
