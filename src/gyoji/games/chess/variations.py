"""Checks of principal variations: legal moves, no moves after the end, and a mate when it is announced.

The faults, and their order, are those of fastchess 1.8.2 (match.cpp, checkParsedPvLine and
checkParsedBestmovePv). By the FIDE Laws a draw by repetition or 50 moves must be claimed, so a variation that
goes on after one has a fault of its own kind. As in fastchess, insufficient material does not end a
variation.
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
"""The kinds of faults in a variation."""

_AFTER: Final = {
    THREEFOLD: AFTER_REPETITION,
    FIFTY: AFTER_FIFTY,
    MATE: AFTER_MATE,
    STALEMATE: AFTER_STALEMATE,
}
_STEPS: Final = {"e1h1": "e1g1", "e1a1": "e1c1", "e8h8": "e8g8", "e8a8": "e8c8"}
"""Castling in standard chess: from the king taking its rook to the king's two steps."""


class Flaw(NamedTuple):
    """A fault in a variation.

    Attributes:
        kind: One of the constants of this module.
        move: The faulty move, as the engine wrote it; for `OTHER_MOVE` the move that was played; "" for a
            fault of the whole variation.
    """

    kind: str
    move: str = ""


def flaw_of(
    position: Position, moves: Sequence[str], mate: int | None = None, after: Position | None = None
) -> Flaw | None:
    """Return the first fault in a variation, or None.

    Args:
        moves: The variation in UCI notation, starting at the position.
        mate: The announced mate, in moves of the mating side, negative if the side to move is mated; None if
            none is announced.
        after: The position after the first move, if it is known.
    """
    for move in moves:
        if position.end:
            if position.end != INSUFFICIENT:
                return Flaw(_AFTER[position.end], move)
            position = position._replace(end="")
        following = after or played(position, spelled(position, move))
        if following is None:
            return Flaw(ILLEGAL, move)
        position, after = following, None
    if mate is None or not moves:
        return None
    plies = 2 * mate - 1 if mate > 0 else -2 * mate
    if len(moves) != plies:
        return Flaw(TOO_SHORT if len(moves) < plies else TOO_LONG)
    return None if position.end == MATE else Flaw(WITHOUT_MATE)


def evaluation_flaws(
    position: Position, move: str, said: Evaluation, after: Position | None = None
) -> Iterator[Flaw]:
    """Yield the faults in the principal variation that came with an engine's move: at most two.

    First comes the first fault inside the variation. The other fault (`OTHER_MOVE`) is that the variation
    does not begin with the move. It is not reported if the engine's last score is only a bound.

    Args:
        position: The position before the move.
        said: The evaluation with the variation.
        after: The position after the move, if it has been played.
    """
    if not said.pv:
        return
    # A long variation is cut in the record, so its length says nothing about the mate.
    mate = None if said.bound or len(said.pv) >= LONGEST else said.mate
    is_other = spelled(position, said.pv[0]) != move
    if (flaw := flaw_of(position, said.pv, mate, None if is_other else after)) is not None:
        yield flaw
    is_newest = not said.bound and not (said.search is not None and said.search.newer_bound)
    if is_newest and is_other:
        yield Flaw(OTHER_MOVE, move)


def spelled(position: Position, move: str) -> str:
    """Return a move. If it is castling, it gets the notation of the position.

    Some engines write castling in standard chess as e1h1 instead of e1g1.
    """
    if position.is_960 or move not in _STEPS:
        return move
    start, goal, *_ = MOVES[move]
    is_castling = start == position.king and position.rights & position.own & 1 << goal
    return _STEPS[move] if is_castling else move
