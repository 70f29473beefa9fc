"""Check principal variations: is each move legal, does the game go on, does a mate come when it is announced?

The faults, and their order, are those of fastchess 1.8.2 (match.cpp, checkParsedPvLine and
checkParsedBestmovePv). A draw by repetition or after 50 moves has to be claimed by the FIDE Laws, so a
variation beyond it is noted and not illegal. Insufficient material ends no variation, as in fastchess.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gyoji.core.evaluation import LONGEST
from gyoji.core.messages import Evaluation
from gyoji.games.chess.position import (
    FIFTY,
    INSUFFICIENT,
    MATE,
    MOVES,
    STALEMATE,
    THREEFOLD,
    Position,
    played,
)

ILLEGAL = "illegal move"
AFTER_REPETITION = "goes on after threefold repetition"
AFTER_FIFTY = "goes on after 50 moves"
AFTER_MATE = "goes on after checkmate"
AFTER_STALEMATE = "goes on after stalemate"
TOO_SHORT = "shorter than its mate"
TOO_LONG = "longer than its mate"
WITHOUT_MATE = "ends without its mate"
OTHER_MOVE = "begins with another move"
"""The kinds of faults of a variation."""

_AFTER: Final = {
    THREEFOLD: AFTER_REPETITION,
    FIFTY: AFTER_FIFTY,
    MATE: AFTER_MATE,
    STALEMATE: AFTER_STALEMATE,
}
_STEPS: Final = {"e1h1": "e1g1", "e1a1": "e1c1", "e8h8": "e8g8", "e8a8": "e8c8"}
"""Castling as the king taking its rook, and as its two steps, in standard chess."""


class Flaw(NamedTuple):
    """A fault of a variation.

    Attributes:
        kind: One of the constants of this module.
        move: The move of the variation at which it shows, in the engine's words; for `OTHER_MOVE` the move
            that was made; "" for a fault of the whole.
    """

    kind: str
    move: str = ""


def flaw_of(position: Position, moves: Sequence[str], mate: int | None = None) -> Flaw | None:
    """Return the first fault of a variation, or None.

    Args:
        moves: The variation in UCI's notation, from the position on.
        mate: The mate that it has to show, in moves of the side that mates, negative if the side to move is
            mated; None if none is announced.
    """
    for move in moves:
        if position.end:
            if position.end != INSUFFICIENT:
                return Flaw(_AFTER[position.end], move)
            position = position._replace(end="")
        after = played(position, spelled(position, move))
        if after is None:
            return Flaw(ILLEGAL, move)
        position = after
    if mate is None or not moves:
        return None
    plies = 2 * mate - 1 if mate > 0 else -2 * mate
    if len(moves) != plies:
        return Flaw(TOO_SHORT if len(moves) < plies else TOO_LONG)
    return None if position.end == MATE else Flaw(WITHOUT_MATE)


def evaluation_flaws(position: Position, move: str, said: Evaluation) -> Iterator[Flaw]:
    """Yield the faults of the variation with which an engine explained its move in a position."""
    if not said.pv:
        return
    # The record has the beginning of a long variation: its length says nothing about the mate.
    mate = None if said.bound or len(said.pv) >= LONGEST else said.mate
    if (flaw := flaw_of(position, said.pv, mate)) is not None:
        yield flaw
    is_newest = not said.bound and not (said.search is not None and said.search.newer_bound)
    if is_newest and spelled(position, said.pv[0]) != move:
        yield Flaw(OTHER_MOVE, move)


def spelled(position: Position, move: str) -> str:
    """Return a move as the rules write it: in standard chess, some engines write e1h1 for e1g1."""
    if position.is_960 or move not in _STEPS:
        return move
    start, goal, *_ = MOVES[move]
    is_castling = start == position.king and position.rights & position.own & 1 << goal
    return _STEPS[move] if is_castling else move
