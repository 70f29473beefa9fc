"""The state of a game of Go in progress, what it remembers, and why a play may be refused. Values.

A position remembers what has been on the board before: superko and endless cycles are judged by that.
Positions are values, and every position of a game remembers all those before it; copying that memory at
each move would cost more than the move. So the positions of one line of play share one notebook, into
which each new position writes one entry, and each reads only the entries up to its own. The newest one just
writes on; whoever goes on from an older one first copies the part that belongs to it. A referee only ever
goes on from the newest, at the price of an entry in a dictionary.
"""

from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from gyoji.core.faults import IllegalMove

Key: TypeAlias = tuple[int, ...]
"""The key of a state: the stones, and as the rules have it the side to move and the blocks."""


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


HANDICAP = "handicap"
"""The phase in which Black places the free handicap stones, all in one move."""

CLEANUP_1, CLEANUP_2 = "cleanup 1", "cleanup 2"
"""The phases in which, under territory scoring, dead stones are taken off and disputes played out."""

CLEANUP = "cleanup"
"""The phase in which, under area scoring, play goes on after both sides have passed: see `phases`."""

TWO_PASSES: Final = 2
REPEATED_PASS: Final = 3
NO_RESULT: Final = 4
SETTLED: Final = 5
AGREED: Final = 6
"""Values of `Position.passes` from which on a game is over, and why: both sides passed; a side passed where
it had passed before; a position came up for the third time; nothing was left to play for; the dead stones
were named and are off the board."""

UNTAKEN = -1
"""Nobody has passed for the button."""

Passed: TypeAlias = frozenset[tuple[int, Key]]
"""From which states which seat has passed in this phase."""

Tried: TypeAlias = frozenset[tuple[int, int, int, int]]
"""The ko captures of this clean-up phase: (black, white, seat, point), the stones as they were before."""


class Notes(NamedTuple):
    """The state of a game under a named ruleset beside its board; most moves leave it as it is.

    handicap      black stones that count as handicap.
    is_opening    Black's next play is one, if that is the rule: White has not played a stone.
    button        the seat that took the button, or `UNTAKEN`.
    passed        only where passing twice from the same state ends a phase.
    blocked       stones that may not be retaken in a ko until their mark is taken off; clean-up only.
    tried         clean-up only.
    second_start  (black, white) when the second clean-up phase began; None before.
    tally         Black's plays less White's when it began, the stones of the start included; 0 before.
    is_resumed    both sides have passed, and play goes on to take dead stones off: phase `CLEANUP`.
    """

    handicap: int = 0
    is_opening: bool = False
    button: int = UNTAKEN
    passed: Passed = frozenset()
    blocked: int = 0
    tried: Tried = frozenset()
    second_start: tuple[int, int] | None = None
    tally: int = 0
    is_resumed: bool = False


class Position(NamedTuple):
    """A game in progress. Sets of points are as in `board`.

    to_play     the seat that moves next, also once the game is over.
    ko          the point that may not be taken back now, as a set of one; 0 if there is none.
    passes      consecutive passes up to now; from 2 on the game is over, and the number says why.
    black_lost  black stones taken off the board until now, those of suicides included; likewise white_lost.
    phase       `HANDICAP`, `CLEANUP_1`, `CLEANUP_2`, or "" for ordinary play, also resumed.
    history     the states that may matter for repetition; None where the rules do not look back.
    notes       None where there is no ruleset.
    """

    black: int
    white: int
    to_play: int = 0
    ko: int = 0
    passes: int = 0
    black_lost: int = 0
    white_lost: int = 0
    phase: str = ""
    history: History | None = None
    notes: Notes | None = None


class Law(Enum):
    """The law that a play breaks; the value is how a message begins that ends with the point."""

    OCCUPIED = "occupied point"
    SUICIDE = "suicide at"
    KO = "ko at"  # retakes at once the stone that retakes
    SUPERKO = "superko at"  # brings back a position
    ONCE = "repeated ko capture at"  # from the same board in the same clean-up phase


class IllegalPlay(IllegalMove):
    """A play on the board that a law of Go forbids. vertex: the point in words."""

    def __init__(self, seat: int, law: Law, vertex: str) -> None:
        super().__init__(seat, f"{law.value} {vertex}")
        self.law = law
