"""The end of a game of Go: passes, phases, which stones are dead, and plays in the clean-up phases.

Under area scoring there is one phase, and its end is the end of the game. Under territory scoring two
clean-up phases follow, in which dead stones are taken off by playing. A play in the first costs what it
costs in ordinary play; a play in the second costs nothing, so there nobody loses points by proving what is
dead.

A phase ends with two passes in a row. Where cycles are not forbidden (ko SIMPLE, and in clean-up), it also
ends when a side passes from a state it has passed from before in this phase: who can only go round in a ko,
passing for want of threats, is not kept going for ever. Under ko SPIGHT nothing else ends ordinary play.

In the clean-up phases each ko is judged by itself, as Japanese rules want it. There is no ban on retaking a
ko at once and no superko. Instead a stone that takes a ko is **blocked**: it may not be taken back in the ko.
Whoever wants to take it back first spends a turn on taking the mark off it, wherever he likes to, so a ko
threat elsewhere gains nothing. And a side takes a given ko from a given board once only in a phase. A turn
that takes off a mark is written as a move in either of two ways: the blocked stone itself, or the point on
which one would play to take it back.

Once both sides have passed it is settled which stones are dead: play goes on for it, or they are named and
taken off. Under territory scoring the ruleset itself has clean-up phases for it. Under area scoring nobody
loses by playing on, so ordinary play is resumed, by all its rules, until both pass again. Without a ruleset
nothing goes on.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TypeAlias

from gyoji.core.boards import bits
from gyoji.games.go.board import Board, Move, Place, vertices_of
from gyoji.games.go.position import (
    AGREED,
    CLEANUP_1,
    CLEANUP_2,
    NO_RESULT,
    REPEATED_PASS,
    TWO_PASSES,
    UNTAKEN,
    History,
    IllegalPlay,
    Key,
    Law,
    Notes,
    Position,
)
from gyoji.games.go.rulesets import AREA, POSITIONAL, SIMPLE, SPIGHT, Ruleset


def state_key(ruleset: Ruleset, position: Position) -> Key:
    """The key of a state, for judging repetition.

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


_STOPPED = (TWO_PASSES, REPEATED_PASS)

PLAY, AGREEMENT, DISPUTE, ALIVE = "play", "agreement", "dispute", "alive"
"""How it is settled which stones are dead; DISPUTE: play went on as the engines did not agree; ALIVE: none of
those on the board.
"""

SETTLED_WORDS = {
    PLAY: "clean-up by play",
    AGREEMENT: "agreement of the engines",
    DISPUTE: "the engines did not agree, and play went on",
}
"""The values of `GameResult.settled` in words."""

WAYS = ("auto", PLAY, AGREEMENT, ALIVE)
"""The values of the option `dead_stones`.

auto: under area scoring PLAY where both engines can, else AGREEMENT. Under territory scoring AGREEMENT, for a
play of the first phase is not free: who proves there what is dead pays a point a stone.
"""


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


def without(position: Position, dead: int) -> Position:
    """The position without the stones `dead` (a set), which are prisoners as if they had been captured."""
    black, white = position.black & dead, position.white & dead
    return position._replace(
        black=position.black ^ black,
        white=position.white ^ white,
        black_lost=position.black_lost + black.bit_count(),
        white_lost=position.white_lost + white.bit_count(),
    )


def closed(position: Position, dead: int) -> Position:
    """The position of a game that is over, without the stones `dead`."""
    return without(position, dead)._replace(ko=0, passes=AGREED)


def group_at(board: Board, position: Position, point: int) -> int:
    """The group of the stone on `point` (a bit index). Raises ValueError if there is none."""
    bit = 1 << point
    for stones in (position.black, position.white):
        if bit & stones:
            return board.flood(bit, stones)
    raise ValueError("there is no stone")


def groups_named(board: Board, position: Position, parse: Callable[[str], Move], names: Iterable[str]) -> int:
    """The groups of which a stone is named, as a set of points; what names no stone is left out."""
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
    """By how much Black, and White, can have won at most. points: of the board; off: White's beside it.

    Nobody knows how engines count that were not told a ruleset, so then prisoners count too, dead stones
    among them.
    """
    if ruleset is not None and ruleset.scoring == AREA:
        button = 0.5 if ruleset.has_button else 0.0
        return points - off + button, points + off + button
    most = 2.0 * points + position.black_lost + position.white_lost + abs(off)
    return most, most


OrdinaryPlay: TypeAlias = Callable[[Position, int, int, bool], Position]
"""(position, seat, point, whether it is only tried) -> the position after a stone."""


def unblocked_stone(board: Board, position: Position, place: Place) -> int:
    """The blocked stone from which a move on this point takes the mark, as a set; 0 if it does not do that.

    Either the point holds that stone, alone and with one liberty; or it is empty with only stones of the
    other side around it, of which one and no more could be taken there: that stone.
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
    """The position after the side to move plays on `point`, its history not yet written on.

    Raises IllegalPlay. ordinary: how a stone is played in ordinary play, which says what it takes.
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
            raise IllegalPlay(seat, Law.ONCE, vertices_of(board).format(point))
        blocked |= bit
        notes = notes._replace(tried=notes.tried | {capture})
    blocked &= after.black | after.white
    if blocked != notes.blocked:
        notes = notes._replace(blocked=blocked)
    return after._replace(ko=0, phase=position.phase, history=position.history, notes=notes)


def remembered(position: Position) -> Position:
    """The position with itself written into its history; over without result if it is there three times."""
    notes, history = position.notes, position.history
    assert notes is not None
    assert history is not None
    key: Key = (position.black, position.white, position.to_play, notes.blocked)
    is_third = key in history and history.count(key) >= 2
    after = position._replace(history=history.plus(key))
    return after._replace(passes=NO_RESULT) if is_third else after


def legal_points(board: Board, position: Position, ordinary: OrdinaryPlay) -> Iterator[int]:
    """Every point that the side to move may play on, ascending."""
    black, white, seat = position[:3]
    notes = position.notes
    assert notes is not None
    empty = board.full ^ black ^ white
    markable = notes.blocked & (black if seat else white)
    for point in bits(empty | markable):
        # An empty point beside another is neither suicide nor ko.
        if not (empty >> point & 1 and board.places[point].near & empty):
            try:
                play_in_cleanup(board, position, point, ordinary)
            except IllegalPlay:
                continue
        yield point
