"""Which stones are dead once both sides have passed: play goes on for it, or they are named and taken off.

Under territory scoring the ruleset itself has clean-up phases for it. Under area scoring nobody loses by
playing on, so ordinary play is resumed, by all its rules, until both pass again. Without a ruleset nothing
goes on.
"""

from collections.abc import Callable, Iterable

from gyoji.core.messages import Move
from gyoji.games.go.board import Board
from gyoji.games.go.position import (
    AGREED,
    CLEANUP_1,
    REPEATED_PASS,
    TWO_PASSES,
    Position,
)
from gyoji.games.go.rulesets import AREA, Ruleset

_STOPPED = (TWO_PASSES, REPEATED_PASS)

PLAY, AGREEMENT, DISPUTE, ALIVE = "play", "agreement", "dispute", "alive"
"""How it is settled which stones are dead; DISPUTE: play went on as the engines did not agree; ALIVE: none of
those on the board.
"""

SETTLED = {
    PLAY: "clean-up by play",
    AGREEMENT: "agreement of the engines",
    DISPUTE: "the engines did not agree, and play went on",
}
"""The values of `GameResult.settled` in words."""

WAYS = ("auto", PLAY, AGREEMENT, ALIVE)
"""The values of the option `dead_stones`; auto: PLAY where both engines can, else AGREEMENT."""


def is_stopped(ruleset: Ruleset | None, position: Position) -> bool:
    """Whether both sides have passed in ordinary play, resumed or not, and nothing has been played since."""
    if ruleset is None:
        return False
    if ruleset.scoring == AREA:
        return position.passes in _STOPPED
    return position.phase == CLEANUP_1 and not position.passes


def resumed(position: Position) -> Position:
    """The stopped position of an area ruleset with play going on; superko remembers what was before."""
    notes = position.notes
    assert notes is not None
    return position._replace(passes=0, notes=notes._replace(passed=frozenset(), is_resumed=True))


def closed(position: Position, dead: int) -> Position:
    """The position of a game that is over, with the stones `dead` (a set) taken off as prisoners."""
    black, white = position.black & dead, position.white & dead
    return position._replace(
        black=position.black ^ black,
        white=position.white ^ white,
        black_lost=position.black_lost + black.bit_count(),
        white_lost=position.white_lost + white.bit_count(),
        ko=0,
        passes=AGREED,
    )


def groups_named(board: Board, position: Position, parse: Callable[[str], Move], names: Iterable[str]) -> int:
    """The groups of which a stone is named, as a set of points; what names no stone is left out."""
    groups = 0
    for name in names:
        try:
            point = parse(name)
        except ValueError:
            continue
        if isinstance(point, tuple) or point not in board.places:
            continue
        for stones in (position.black, position.white):
            if stones >> point & 1:
                groups |= board.flood(1 << point, stones)
    return groups


def greatest_margins(
    ruleset: Ruleset | None, position: Position, points: int, off: float
) -> tuple[float, float]:
    """By how much Black, and White, can have won at most. points: of the board; off: White's beside it.

    Nobody knows how engines count that were not told a ruleset, so then prisoners count too, dead stones
    among them.
    """
    if ruleset is not None and ruleset.scoring == AREA:
        button = 0.5 if ruleset.has_button else 0.0
        return points - off + button, points + off + button
    most = 2.0 * points + position.black_lost + position.white_lost + abs(off)
    return most, most
