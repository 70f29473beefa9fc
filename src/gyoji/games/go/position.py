"""The state of a game of Go in progress, and what it is called when it is over. Values; no rules here."""

from typing import NamedTuple, TypeAlias

from gyoji.games.go.history import History, Key

HANDICAP = "handicap"
"""The phase in which Black places the free handicap stones, all in one move."""

CLEANUP_1, CLEANUP_2 = "cleanup 1", "cleanup 2"
"""The phases in which, under territory scoring, dead stones are taken off and disputes played out."""

CLEANUP = "cleanup"
"""The phase in which, under area scoring, play goes on after both sides have passed: see `settling`."""

TWO_PASSES, REPEATED_PASS, NO_RESULT, SETTLED, AGREED = 2, 3, 4, 5, 6
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
    """What a game under a named ruleset carries along beside the board; most moves leave it as it is.

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
