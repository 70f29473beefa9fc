"""Perfect matchings: whether all who are left can be paired, asked again each time two of them are taken out.

A Swiss system pairs from the top, and must not end with two at the bottom who may not meet. So a pairing
of everybody is kept as a witness that there is one. Taking two out leaves their partners alone; either
these may meet, or an augmenting path between them gives everybody who is left another partner. Paths are
looked for as Edmonds did (Paths, trees, and flowers, 1965): breadth first, an odd cycle being shrunk to one
point, its base.

Few pairs are barred, so a path is nearly always short; the worst case is O(n^3).
"""

from collections import deque
from collections.abc import Mapping, Sequence, Set

_NOBODY = -1


class PerfectMatching:
    """A pairing of numbers from 0, none of them with one that is barred to it.

    barred: for each number, those that it may not be paired with, itself included; symmetric.
    """

    def __init__(self, barred: Sequence[Set[int]]) -> None:
        self._barred = barred
        self._mates = [_NOBODY] * len(barred)
        self._left = dict.fromkeys(range(len(barred)))
        for one in range(len(barred)):
            if self._mates[one] == _NOBODY and not self._pair_greedily(one):
                self._augment(one)

    @property
    def is_perfect(self) -> bool:
        """Whether everybody who is left has a partner."""
        return all(self._mates[one] != _NOBODY for one in self._left)

    def take(self, one: int, other: int) -> bool:
        """Take a pair out, if they may meet and all others can still be paired; whether that was so.

        Both are still there, and the matching is perfect.
        """
        if other in self._barred[one]:
            return False
        partners = self._mates[one], self._mates[other]
        del self._left[one], self._left[other]
        if partners[0] == other:
            return True
        for partner in partners:
            self._mates[partner] = _NOBODY
        if partners[1] not in self._barred[partners[0]]:
            self._mates[partners[0]], self._mates[partners[1]] = partners[1], partners[0]
            return True
        if self._augment(partners[0]):
            return True
        self._mates[partners[0]], self._mates[partners[1]] = one, other
        self._left |= dict.fromkeys((one, other))
        return False

    def _pair_greedily(self, one: int) -> bool:
        for other in self._left:
            if self._mates[other] == _NOBODY and other not in self._barred[one]:
                self._mates[one], self._mates[other] = other, one
                return True
        return False

    def _augment(self, root: int) -> bool:
        """Find a partner for `root`, with new ones for others on the way; whether there is one."""
        search = _Search(self._barred, self._mates, self._left, root)
        end = search.end()
        is_found = end != _NOBODY
        while end != _NOBODY:
            parent = search.parents[end]
            after = self._mates[parent]
            self._mates[end], self._mates[parent] = parent, end
            end = after
        return is_found


class _Search:
    """A search for an augmenting path: a tree of paths from `root` in which every other edge is of the
    matching.

    parents: before which number each one at an odd distance stands. Inside a shrunk cycle both directions
    are possible, and those at an even distance have one too.
    """

    def __init__(
        self, barred: Sequence[Set[int]], mates: Sequence[int], left: Mapping[int, None], root: int
    ) -> None:
        self.parents = [_NOBODY] * len(mates)
        self._barred = barred
        self._mates = mates
        self._left = left
        self._root = root
        self._bases = list(range(len(mates)))
        self._seen = {root}
        self._queue = deque((root,))

    def end(self) -> int:
        """Where such a path ends: at somebody else without a partner, or nowhere."""
        mates, parents, bases = self._mates, self.parents, self._bases
        while self._queue:
            one = self._queue.popleft()
            for other in self._left:
                if bases[one] == bases[other] or mates[one] == other or other in self._barred[one]:
                    continue
                if other == self._root or (mates[other] != _NOBODY and parents[mates[other]] != _NOBODY):
                    self._shrink(one, other)
                elif parents[other] == _NOBODY:
                    parents[other] = one
                    if mates[other] == _NOBODY:
                        return other
                    self._reach(mates[other])
        return _NOBODY

    def _reach(self, one: int) -> None:
        if one not in self._seen:
            self._seen.add(one)
            self._queue.append(one)

    def _shrink(self, one: int, other: int) -> None:
        """Make one point of the odd cycle that an edge between two at an even distance closes."""
        top = self._meeting(one, other)
        cycle = self._climb(one, top, other) | self._climb(other, top, one)
        for number in self._left:
            if self._bases[number] in cycle:
                self._bases[number] = top
                self._reach(number)

    def _meeting(self, one: int, other: int) -> int:
        """The base at which the ways from both to the root meet."""
        above = {self._bases[one]}
        while self._mates[self._bases[one]] != _NOBODY:
            one = self.parents[self._mates[self._bases[one]]]
            above.add(self._bases[one])
        while self._bases[other] not in above:
            other = self.parents[self._mates[self._bases[other]]]
        return self._bases[other]

    def _climb(self, one: int, top: int, child: int) -> set[int]:
        """The bases on the way from `one` up to `top`, which gets a second direction: back over `child`."""
        passed: set[int] = set()
        while self._bases[one] != top:
            mate = self._mates[one]
            passed |= {self._bases[one], self._bases[mate]}
            self.parents[one] = child
            child, one = mate, self.parents[mate]
        return passed
