"""The end of a Go game: passes, phases, dead stones, and plays in the clean-up phases.

Under area scoring there is one phase, whose end is the end of the game. Under territory scoring two clean-up
phases follow, in which dead stones are captured. A play in the first clean-up phase costs a point, as in
ordinary play. A play in the second one costs nothing, so that a side can prove stones dead without losing
points.

The clean-up phases and their ko rules are those of KataGo.
"""

# Theory of operation
# -------------------
# A game under a ruleset goes through these states; `Position.phase` and `Position.passes` tell which:
#
#                      two passes                  two passes             two passes
#    ordinary play  ----------------> cleanup 1 ----------------> cleanup 2 -------> over   (territory)
#      phase ""                       plays cost                  plays are free
#
#    ordinary play  ----------------> stopped ---- resumed ---> ordinary play ------> over   (area)
#                                     (over, unless dead stones are disputed)
#
# A phase ends with two passes in a row. That alone would not end a game in which each pass is followed by a
# ko capture for ever. So where cycles are not forbidden (ko SIMPLE, and clean-up), a phase also ends when a
# side passes from a state from which it has passed before (`Notes.passed`). Under ko SPIGHT only this
# repeated pass ends ordinary play. `Position.passes` counts to 2; larger values name another reason why the
# game is over.
#
# In clean-up each ko is judged separately, as in Japanese rules: there is no simple ko and no superko.
# Instead a stone that captures in a ko is *blocked* (`Notes.blocked`) and may not be recaptured in that ko.
# Before recapturing, a side must spend a turn on unblocking the stone, so ko threats elsewhere gain nothing.
# That turn is written as a move in one of two ways: the point of the blocked stone, or the point of the
# recapture. And each side may make a given ko capture from a given board only once in a phase
# (`Notes.tried`). If a state still occurs a third time, the game is void (`remembered`).
#
# Every phase begins with empty memory: no blocks, no passes, no history (`begin_cleanup`). Taking the
# button, and under ko SIMPLE and SPIGHT every pass, clears the history too (`play_pass`).
#
# When both sides have passed, dead stones are settled by one of the `WAYS`. With "agreement" the engines name
# dead stones, and `without` removes them. With "play" the game goes on: in the ruleset's own clean-up phases
# or, under area scoring, where playing on costs nothing, in ordinary play (`resumed`) until both pass again.
# The referee chooses the way (referee/counting.py); this module provides `is_stopped` and the positions.
#
# What may go wrong: an engine that does not know blocked stones would take an unblocking move for a capture.
# `takes_mark_off` in `rules` recognises such moves, and the engine is sent a pass instead (`simplify`).

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TypeAlias

from gyoji.core.boards import bits
from gyoji.games.go.board import Board, Move, Place, vertices_of
from gyoji.games.go.position import (
    CLEANUP_1,
    CLEANUP_2,
    NO_RESULT,
    REPEATED_PASS,
    TWO_PASSES,
    UNTAKEN,
    History,
    IllegalPlay,
    IllegalReason,
    Key,
    Notes,
    Position,
)
from gyoji.games.go.rulesets import AREA, POSITIONAL, SIMPLE, SPIGHT, Ruleset


def state_key(ruleset: Ruleset, position: Position) -> Key:
    """Return the key of a position for the rules about repetition: equal keys are a repetition.

    The key has the stones and the side to move, in the clean-up phases also the blocked stones. In ordinary
    play under the ko rules POSITIONAL and SPIGHT, the side to move is left out.
    """
    black, white, to_play = position[:3]
    if position.phase:
        notes = position.notes
        assert notes is not None
        return black, white, to_play, notes.blocked
    if ruleset.ko in (POSITIONAL, SPIGHT):
        return black, white
    return black, white, to_play


def first_position(ruleset: Ruleset, position: Position) -> Position:
    """Return the position with a history that contains only this position."""
    return position._replace(history=History.beginning(state_key(ruleset, position)))


def play_pass(ruleset: Ruleset, position: Position) -> Position:
    """Return the position after the side to move has passed."""
    notes, history, seat = position.notes, position.history, position.to_play
    assert notes is not None
    assert history is not None
    before = state_key(ruleset, position)
    after = position._replace(to_play=1 - seat, ko=0)
    if ruleset.has_button and notes.button == UNTAKEN and not position.phase:
        taken = notes._replace(button=seat, passed=frozenset())
        return first_position(ruleset, after._replace(passes=0, notes=taken))
    passes = 0 if ruleset.ko == SPIGHT and not position.phase else position.passes + 1
    if not position.phase and ruleset.ko not in (SIMPLE, SPIGHT):
        after = after._replace(passes=passes, history=history.plus(state_key(ruleset, after)))
        return _end_phase(ruleset, after) if passes == TWO_PASSES else after
    is_repeated = (seat, before) in notes.passed
    notes = notes._replace(passed=notes.passed | {(seat, before)})
    after = first_position(ruleset, after._replace(passes=passes, notes=notes))
    if passes == TWO_PASSES:
        return _end_phase(ruleset, after)
    return _end_phase(ruleset, after._replace(passes=REPEATED_PASS)) if is_repeated else after


def _end_phase(ruleset: Ruleset, position: Position) -> Position:
    if ruleset.scoring == AREA or position.phase == CLEANUP_2:
        return position
    return begin_cleanup(ruleset, position, CLEANUP_2 if position.phase else CLEANUP_1)


def begin_cleanup(ruleset: Ruleset, position: Position, phase: str) -> Position:
    """Return the position on the same board at the beginning of a clean-up phase.

    It has no ko blocks, no passes, and an empty history.
    """
    notes = position.notes
    assert notes is not None
    notes = notes._replace(passed=frozenset(), blocked=0, tried=frozenset())
    if phase == CLEANUP_2:
        second_start = (position.black, position.white)
        notes = notes._replace(second_start=second_start, tally=plays_balance(position))
    return first_position(ruleset, position._replace(phase=phase, passes=0, notes=notes))


def plays_balance(position: Position) -> int:
    """Return the number of Black's plays minus White's; set-up stones count as plays.

    It is computed from the stones on the board and the captured ones. In the second clean-up phase, where
    plays are free, it keeps its value from the beginning of the phase.
    """
    if position.phase == CLEANUP_2:
        notes: Notes | None = position.notes
        assert notes is not None
        return notes.tally if notes.second_start is not None else 0
    black = position.black.bit_count() + position.black_lost
    return black - position.white.bit_count() - position.white_lost


_STOPPED = (TWO_PASSES, REPEATED_PASS)

PLAY, AGREEMENT, DISPUTE, ALIVE = "play", "agreement", "dispute", "alive"
"""The methods by which dead stones are settled.

DISPUTE: play went on because the engines did not agree. ALIVE: every stone on the board counted as alive.
"""

SETTLED_WORDS = {
    PLAY: "clean-up by play",
    AGREEMENT: "agreement of the engines",
    DISPUTE: "the engines did not agree, and play went on",
}
"""Descriptions of the values of `GameResult.settled`."""

WAYS = ("auto", PLAY, AGREEMENT, ALIVE)
"""The values of the option `dead_stones`.

"auto" is PLAY under area scoring if both engines can resume, else AGREEMENT. Under territory scoring it is
AGREEMENT, because a play of the first clean-up phase costs a point.
"""


def is_stopped(ruleset: Ruleset | None, position: Position) -> bool:
    """Return whether passes have just ended ordinary or resumed play, so that dead stones can be settled.

    The result is always False without a ruleset. Under territory scoring those passes begin the first
    clean-up phase. In that phase the result is True unless the last move was a pass, so callers ask before
    its first move.
    """
    if ruleset is None:
        return False
    if ruleset.scoring == AREA:
        return position.passes in _STOPPED
    return position.phase == CLEANUP_1 and not position.passes


def resumed(position: Position) -> Position:
    """Return a position after two passes with play resumed. The history for superko is kept.

    The ruleset must score by area.
    """
    notes = position.notes
    assert notes is not None
    return position._replace(passes=0, notes=notes._replace(passed=frozenset(), is_resumed=True))


def cost_of_playing_on(ruleset: Ruleset | None) -> str:
    """Return a sentence for human players: what a stone costs after both sides have passed."""
    if ruleset is None or ruleset.scoring == AREA:
        return "Playing on costs nothing."
    return "Until both have passed again, a stone in your own territory costs a point; after that, none does."


def without(position: Position, dead: int) -> Position:
    """Return the position without the stones `dead` (a set), which count as captured."""
    black, white = position.black & dead, position.white & dead
    return position._replace(
        black=position.black ^ black,
        white=position.white ^ white,
        black_lost=position.black_lost + black.bit_count(),
        white_lost=position.white_lost + white.bit_count(),
    )


def group_at(board: Board, position: Position, point: int) -> int:
    """Return the group of the stone on `point` (a bit index). Raises ValueError if there is none."""
    bit = 1 << point
    for stones in (position.black, position.white):
        if bit & stones:
            return board.flood(bit, stones)
    raise ValueError("there is no stone")


def groups_named(board: Board, position: Position, parse: Callable[[str], Move], names: Iterable[str]) -> int:
    """Return the set of all groups with a stone on a named point. Names of other points are ignored.

    Args:
        parse: Returns the move of a name, or raises ValueError.
    """
    groups = 0
    for name in names:
        with suppress(ValueError):
            point = parse(name)
            if point in board.places:
                groups |= group_at(board, position, point)
    return groups


def greatest_margins(
    ruleset: Ruleset | None, position: Position, points: int, off: float
) -> tuple[float, float]:
    """Return upper limits of the points by which (Black, White) can have won. A greater claim is false.

    Under area scoring a side has at most the whole board. Under territory scoring prisoners and dead stones
    are added. They are added without a ruleset too, because engines may then count in either way.

    Args:
        ruleset: The ruleset; None without one.
        position: The last position of the game.
        points: The number of points of the board.
        off: White's points besides those on the board, such as komi.
    """
    if ruleset is not None and ruleset.scoring == AREA:
        button = 0.5 if ruleset.has_button else 0.0
        return points - off + button, points + off + button
    most = 2.0 * points + position.black_lost + position.white_lost + abs(off)
    return most, most


OrdinaryPlay: TypeAlias = Callable[[Position, int, int, bool], Position]
"""A function of (position, seat, point, is_trial) that returns the position after a stone in ordinary play.
"""


def unblocked_stone(board: Board, position: Position, place: Place) -> int:
    """Return the stone, as a set, that a move on this point unblocks; 0 if it unblocks none.

    A blocked stone has captured in a ko and may not be recaptured before it is unblocked. There are two ways
    to unblock it. A move on the stone's own point does so if the stone stands alone and has one liberty. A
    move on an empty point between stones of the other side does so if a play there would capture just that
    stone.
    """
    notes = position.notes
    if notes is None or not notes.blocked:
        return 0
    bit, near, neighbours = place
    other = position.black if position.to_play else position.white
    empty = board.full ^ position.black ^ position.white
    if bit & other:
        liberties = near & empty
        is_caught = not near & other and liberties and not liberties & (liberties - 1)
        return bit & notes.blocked if is_caught else 0
    if not bit & empty or near & other != near:
        return 0
    caught = [group for stone, _ in neighbours if (group := board.smothered(stone, other, empty ^ bit))]
    if len(caught) != 1 or caught[0] & (caught[0] - 1):
        return 0
    return caught[0] & notes.blocked


def play_in_cleanup(board: Board, position: Position, point: int, ordinary: OrdinaryPlay) -> Position:
    """Return the position after a play in a clean-up phase, not yet added to its own history.

    Args:
        ordinary: Plays a stone as in ordinary play. Its result shows what the stone captures.

    Raises:
        IllegalPlay: The play is illegal.
    """
    black, white, seat = position[:3]
    notes, bit = position.notes, 1 << point
    assert notes is not None
    marked = unblocked_stone(board, position, board.places[point])
    if marked:
        notes = notes._replace(blocked=notes.blocked ^ marked)
        return position._replace(to_play=1 - seat, passes=0, notes=notes)
    after = ordinary(position._replace(phase="", history=None), seat, point, False)
    blocked = notes.blocked
    if after.ko:
        capture = (black, white, seat, point)
        if capture in notes.tried:
            raise IllegalPlay(seat, IllegalReason.ONCE, vertices_of(board).format(point))
        blocked |= bit
        notes = notes._replace(tried=notes.tried | {capture})
    blocked &= after.black | after.white
    if blocked != notes.blocked:
        notes = notes._replace(blocked=blocked)
    return after._replace(ko=0, phase=position.phase, history=position.history, notes=notes)


def remembered(position: Position) -> Position:
    """Return the position with itself added to its history. If it occurs for the third time, the game ends
    without a result.
    """
    notes, history = position.notes, position.history
    assert notes is not None
    assert history is not None
    key: Key = (position.black, position.white, position.to_play, notes.blocked)
    is_third = key in history and history.count(key) >= 2
    after = position._replace(history=history.plus(key))
    return after._replace(passes=NO_RESULT) if is_third else after


def legal_points(board: Board, position: Position, ordinary: OrdinaryPlay) -> Iterator[int]:
    """Yield every point on which the side to move may play, ascending."""
    black, white, seat = position[:3]
    notes = position.notes
    assert notes is not None
    empty = board.full ^ black ^ white
    for point in bits(empty | (notes.blocked & (black if seat else white))):
        # An empty point beside another is neither suicide nor ko.
        if not (empty >> point & 1 and board.places[point].near & empty):
            try:
                play_in_cleanup(board, position, point, ordinary)
            except IllegalPlay:
                continue
        yield point
