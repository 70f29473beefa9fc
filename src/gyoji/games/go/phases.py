"""Passing under a named ruleset: what a pass counts for, and how phases end and begin.

Under area scoring there is one phase, and its end is the end of the game. Under territory scoring two
clean-up phases follow, in which dead stones are taken off by playing; a play in the second costs nothing,
so nobody loses points by proving what is dead.

A phase ends with two passes in a row. Where cycles are not forbidden (ko SIMPLE, and in clean-up), it also
ends when a side passes from a state it has passed from before in this phase: who can only go round in a ko,
passing for want of threats, is not kept going for ever. Under ko SPIGHT nothing else ends ordinary play.
"""

from gyoji.games.go.history import History, Key
from gyoji.games.go.position import (
    CLEANUP_1,
    CLEANUP_2,
    REPEATED_PASS,
    TWO_PASSES,
    UNTAKEN,
    Notes,
    Position,
)
from gyoji.games.go.rulesets import AREA, POSITIONAL, SIMPLE, SPIGHT, Ruleset


def state_key(ruleset: Ruleset, position: Position) -> Key:
    """What a state is known by where repetition is judged.

    The stones alone if that is what superko is about, else the side to move as well; in the clean-up phases
    also which stones are blocked.
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
    """The position, with nothing remembered but itself."""
    return position._replace(history=History.beginning(state_key(ruleset, position)))


def play_pass(ruleset: Ruleset, position: Position) -> Position:
    """The position after the side to move has passed."""
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
    """The same board at the beginning of a clean-up phase: no blocks, no passes, nothing remembered."""
    notes = position.notes
    assert notes is not None
    notes = notes._replace(passed=frozenset(), blocked=0, tried=frozenset())
    if phase == CLEANUP_2:
        second_start = (position.black, position.white)
        notes = notes._replace(second_start=second_start, tally=plays_balance(position))
    return first_position(ruleset, position._replace(phase=phase, passes=0, notes=notes))


def plays_balance(position: Position) -> int:
    """Black's plays less White's until now, the stones of the start counted as plays.

    Every stone played is still on the board or was taken off it, so they need not be counted one by one.
    In the second clean-up phase it stays as it was when that began: plays are free there.
    """
    if position.phase == CLEANUP_2:
        notes: Notes | None = position.notes
        assert notes is not None
        return notes.tally if notes.second_start is not None else 0
    black = position.black.bit_count() + position.black_lost
    return black - position.white.bit_count() - position.white_lost
