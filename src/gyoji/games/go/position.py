"""The state of a Go game in progress, its history for superko, and the reasons why a play is illegal."""

# Theory of operation: the memory of a position
# ---------------------------------------------
# Superko and endless cycles depend on earlier states, so every position remembers them. Positions are
# values: play may continue from any old one (after a take-back, in a replay, in an analysis). Copying the
# memory at each move would cost more than the move itself.
#
# So the positions of one line of play share one notebook, `History`: a list of keys, a dict from a key to its
# first index, and in each position only the length that belongs to it.
#
#    notebook   k0  k1  k2  k3  k4         <- list and dict, shared
#    position A (length 3) reads k0 k1 k2
#    position B (length 5) reads k0 ... k4
#
#    B.plus(k5)  the notebook ends at B: k5 is appended without copying
#    A.plus(x)   the notebook goes on beyond A: the first 3 entries are copied, and x goes to the copy
#
# Invariants: entries below a length never change; a position never reads at or beyond its length, so entries
# that later positions wrote do not exist for it (`__contains__` compares the first index with the length). A
# referee always continues from the newest position, so a move costs one dict entry.

from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from gyoji.core.faults import IllegalMove

Key: TypeAlias = tuple[int, ...]
"""The key of a state: the stones and, depending on the rules, the side to move and the blocked stones."""


class History(Struct, frozen=True, eq=False):
    """The states of a game, as keys, since the history was last cleared. The present state is included.

    Attributes:
        keys: The keys in order. Histories of later positions append to the same list. Only the first `length`
            keys belong to this history.
        first: For each key, the index of its first occurrence in `keys`. Later histories share it too.
        length: The number of states.
    """

    keys: list[Key]
    first: dict[Key, int]
    length: int

    @classmethod
    def beginning(cls, key: Key) -> "History":
        """Return a history with one state."""
        return cls([key], {key: 0}, 1)

    def __len__(self) -> int:
        return self.length

    def __contains__(self, key: Key) -> bool:
        length = self.length
        return self.first.get(key, length) < length

    def count(self, key: Key) -> int:
        """Return how often a state occurred, by a slow search of the whole history.

        The operator `in` tests fast whether it occurred at all.
        """
        return self.keys[: self.length].count(key)

    def plus(self, key: Key) -> "History":
        """Return this history with one more state appended."""
        keys, first, length = self.keys, self.first, self.length
        if len(keys) != length:
            keys = keys[:length]
            first = dict(zip(reversed(keys), reversed(range(length)), strict=True))
        keys.append(key)
        first.setdefault(key, length)
        return History(keys, first, length + 1)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, History) or self.length != other.length:
            return NotImplemented if not isinstance(other, History) else False
        return self.keys is other.keys or self.keys[: self.length] == other.keys[: self.length]

    def __ne__(self, other: object) -> bool:  # that of a struct would not ask `__eq__`
        return not self == other

    def __hash__(self) -> int:
        return hash(self.keys[self.length - 1])

    def __repr__(self) -> str:
        return f"<{self.length} states>"


HANDICAP = "handicap"
"""The phase in which Black places the free handicap stones, all in one move."""

CLEANUP_1, CLEANUP_2 = "cleanup 1", "cleanup 2"
"""The clean-up phases of territory scoring, in which dead stones are captured."""

CLEANUP = "cleanup"
"""The phase of area scoring in which play is resumed after both sides have passed: see `phases`."""

TWO_PASSES: Final = 2
"""The values of `Position.passes` with which a game is over.

TWO_PASSES: both sides passed. REPEATED_PASS: a side passed from a state from which it had passed before.
NO_RESULT: a position came up for the third time. SETTLED: every point was settled. AGREED: the dead stones
were named and removed.
"""
REPEATED_PASS: Final = 3
NO_RESULT: Final = 4
SETTLED: Final = 5
AGREED: Final = 6

UNTAKEN = -1
"""The value of `Notes.button` until a side has passed for the button."""

Passed: TypeAlias = frozenset[tuple[int, Key]]
"""The (seat, state) of each pass of this phase."""

Tried: TypeAlias = frozenset[tuple[int, int, int, int]]
"""The ko captures of this clean-up phase: (black, white, seat, point), with the stones before the capture."""


class Notes(NamedTuple):
    """The part of a position besides the board, under a ruleset. Most moves leave it unchanged.

    Attributes:
        handicap: The number of black stones that count as handicap.
        is_opening: Whether Black's next play counts as handicap too, under the house rule `opening`, because
            White has not played a stone yet.
        button: The seat that took the button, or `UNTAKEN`.
        passed: (seat, key of the state) for each pass of this phase. It stays empty under rules by which a
            second pass from the same state ends nothing.
        blocked: The set of stones that have captured in a ko and may not be recaptured now; clean-up only.
        tried: The ko captures of this phase; clean-up only.
        second_start: The (black, white) stones at the beginning of the second clean-up phase; None before
            it.
        tally: Black's plays minus White's before the second clean-up phase, set-up stones included; 0 until
            that phase begins.
        is_resumed: Whether play was resumed after both sides passed, to capture dead stones (phase
            `CLEANUP`).
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
    """A Go game in progress. Sets of points are as in `board`.

    Attributes:
        black: The black stones. `white` is the same for White.
        to_play: The seat that moves next, even after the end of the game.
        ko: The point that may not be played now because of ko, as a set; 0 if there is none.
        passes: Consecutive passes of the present phase. Taking the button sets it to 0, and under the ko rule
            SPIGHT passes of ordinary play are not counted. From 2 on the game is over, and the number says
            why (see `TWO_PASSES`).
        black_lost: The number of black stones removed so far, by suicide too. `white_lost` is the same for
            White.
        phase: `HANDICAP`, `CLEANUP_1`, `CLEANUP_2`, or "" for ordinary play, resumed play included.
        history: The states with which repetition is detected; None if the rules do not need it.
        notes: The state besides the board; None without a ruleset.
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


class IllegalReason(Enum):
    """The reason why a play is illegal. The value begins the message, which ends with the point."""

    OCCUPIED = "occupied point"
    SUICIDE = "suicide at"
    KO = "ko at"  # captures the stone that has just captured in this ko
    SUPERKO = "superko at"  # brings back a position
    ONCE = "repeated ko capture at"  # from the same board in the same clean-up phase


class IllegalPlay(IllegalMove):
    """A play on the board that is illegal.

    Attributes:
        kind: The reason.
    """

    def __init__(self, seat: int, kind: IllegalReason, vertex: str) -> None:
        super().__init__(seat, f"{kind.value} {vertex}")
        self.kind = kind
