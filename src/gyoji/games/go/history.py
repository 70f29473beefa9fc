"""What has been on the board before: the memory that superko and endless cycles are judged by.

Positions are values, and every position of a game remembers all those before it; copying that memory at
each move would cost more than the move. So the positions of one line of play share one notebook, into
which each new position writes one entry, and each reads only the entries up to its own. The newest one just
writes on; whoever goes on from an older one first copies the part that belongs to it. A referee only ever
goes on from the newest, at the price of an entry in a dictionary.
"""

from typing import TypeAlias

Key: TypeAlias = tuple[int, ...]
"""What makes two states the same: the stones, and as the rules have it the side to move and the blocks."""


class History:
    """The keys of the states since the last clearing, the present one included. A value: never changes."""

    __slots__ = ("_first", "_keys", "_length")

    def __init__(self, keys: list[Key], first: dict[Key, int], length: int) -> None:
        self._keys = keys  # shared; what stands at `length` and beyond was written by later positions
        self._first = first  # shared; where each key stands for the first time
        self._length = length

    @classmethod
    def beginning(cls, key: Key) -> "History":
        """A history of one state."""
        return cls([key], {key: 0}, 1)

    def __len__(self) -> int:
        return self._length

    def __contains__(self, key: Key) -> bool:
        return self._first.get(key, self._length) < self._length

    def count(self, key: Key) -> int:
        """How often a state was there. Slow: ask first whether it was there at all."""
        return self._keys[: self._length].count(key)

    def plus(self, key: Key) -> "History":
        """This history with one more state."""
        keys, first, length = self._keys, self._first, self._length
        if len(keys) != length:
            keys = keys[:length]
            first = {known: index for known, index in first.items() if index < length}
        keys.append(key)
        first.setdefault(key, length)
        return History(keys, first, length + 1)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, History) or self._length != other._length:
            return NotImplemented if not isinstance(other, History) else False
        return self._keys is other._keys or self._keys[: self._length] == other._keys[: self._length]

    def __hash__(self) -> int:
        return hash(self._keys[self._length - 1])

    def __repr__(self) -> str:
        return f"<{self._length} states>"
