"""Plays in the clean-up phases, where each ko is judged by itself, as Japanese rules want it.

There is no ban on retaking a ko at once and no superko. Instead a stone that takes a ko is **blocked**: it
may not be taken back in the ko. Whoever wants to take it back first spends a turn on taking the mark off it,
wherever he likes to, so a ko threat elsewhere gains nothing. And a side takes a given ko from a given board
once only in a phase.

A turn that takes off a mark is written as a move in either of two ways: the blocked stone itself, or the
point on which one would play to take it back.
"""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from gyoji.core.boards import bits
from gyoji.games.go.board import Board, Place
from gyoji.games.go.position import NO_RESULT, IllegalPlay, Key, Law, Position
from gyoji.games.go.vertices import vertices_of

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


def record(position: Position) -> Position:
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
