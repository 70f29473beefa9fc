"""Opening books in the order of fastchess's option `order=random`.

fastchess 1.8.2 seeds C++'s `std::mt19937_64` with `-srand` and shuffles the book from the beginning
(`app/src/game/book/opening_book.hpp`): place ``i`` is swapped with place ``i + x mod (n - i)``, where ``x``
is the next number of the generator. Later swaps leave earlier places as they are. So a match needs only as
many swaps as it has rounds, however large the book is.
"""

from collections.abc import Iterator, Sequence
from typing import Any, overload

# The 64-bit Mersenne Twister of Matsumoto and Nishimura (2004), with the names and numbers of the C++
# standard, [rand.predef]. Python's `random` uses the 32-bit one.
_N, _M = 312, 156
_MATRIX = 0xB5026F5AA96619E9
_UPPER, _LOWER = 0xFFFFFFFF80000000, 0x7FFFFFFF
_WORD = 0xFFFFFFFFFFFFFFFF


def mersenne_twister(seed: int) -> Iterator[int]:
    """Yield the numbers of `std::mt19937_64`, each below 2**64.

    >>> from itertools import islice
    >>> next(islice(mersenne_twister(5489), 9_999, None))  # the value that the C++ standard demands
    9981545732273789042
    """
    state = [seed & _WORD]
    for place in range(1, _N):
        before = state[-1]
        state.append((6364136223846793005 * (before ^ before >> 62) + place) & _WORD)
    while True:
        for place in range(_N):
            mixed = state[place] & _UPPER | state[(place + 1) % _N] & _LOWER
            state[place] = state[(place + _M) % _N] ^ mixed >> 1 ^ (_MATRIX if mixed & 1 else 0)
        yield from map(_tempered, state)


def _tempered(number: int) -> int:
    number ^= number >> 29 & 0x5555555555555555
    number ^= number << 17 & 0x71D67FFFEDA60000
    number ^= number << 37 & 0xFFF7EEE000000000
    return number ^ number >> 43


class ShuffledBook(Sequence[object]):
    """The openings of a book in fastchess's random order."""

    def __init__(self, book: Sequence[object], seed: int) -> None:
        self._book = book
        self._numbers = mersenne_twister(seed)
        self._order: list[int] = []  # indexes of the book, as far as they are drawn
        self._moved: dict[int, int] = {}  # index of the book that has got to a place beyond

    def __len__(self) -> int:
        return len(self._book)

    @overload
    def __getitem__(self, index: int) -> object: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[object]: ...
    def __getitem__(self, index: int | slice) -> object:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        while len(self._order) <= index:
            self._draw()
        return self._book[self._order[index]]

    def _draw(self) -> None:
        """Determine the opening at the next place."""
        place, moved = len(self._order), self._moved
        chosen = place + next(self._numbers) % (len(self) - place)
        here = moved.pop(place, place)
        if chosen == place:
            self._order.append(here)
        else:
            self._order.append(moved.get(chosen, chosen))
            moved[chosen] = here

    def __deepcopy__(self, memo: Any) -> "ShuffledBook":
        return self
