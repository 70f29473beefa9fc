r"""How a brain is brought to a position: the commands that change its board, and the question for a move.

>>> from gyoji.protocols.gomocup.points import tables
>>> board = tables(15, 15)
>>> a, b, c = list(board.names)[:3]
>>> usual, other = ways([a, b], [(a, 0), (b, 1), (c, 0)], 1, frozenset(), board)
>>> usual
Way(commands=(), question=b'TURN 2,0\r\n')
>>> other
Way(commands=(b'RESTART\r\n',), question=b'BOARD\r\n0,0,2\r\n1,0,1\r\n2,0,2\r\nDONE\r\n')
>>> ways([a, b, c], [(a, 0), (b, 1)], 0, frozenset(), board)[0]
Way(commands=(b'TAKEBACK 2,0\r\n', b'TAKEBACK 1,0\r\n'), question=b'TURN 1,0\r\n')
"""

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple, TypeAlias

from gyoji.core.messages import Move
from gyoji.protocols.gomocup.points import Tables

Stones: TypeAlias = Sequence[tuple[Move, int]]
"""(point, colour) in playing order; the colours are 0 for Black and 1 for White."""

_OWN, _THEIRS, _DEAD = b"1", b"2", b"3"
_RESTART = b"RESTART\r\n"


class Way(NamedTuple):
    """commands: each answered by OK, or it is no way; question: then asks for the move."""

    commands: tuple[bytes, ...]
    question: bytes


def ways(
    known: Sequence[Move], stones: Stones, own: int, dead: Set[Move], board: Tables, *, may_turn: bool = True
) -> list[Way]:
    """The ways from the stones a brain knows of to those there are, the best first.

    own: its colour; dead: the stones of won lines. may_turn: whether the board may be told by TURN if it is
    that of one move; one that is an opening is told by BOARD.

    If the position is one that the brain was in some moves ago, and a move of the opponent's on top of that,
    it is taken back there. As a rule that is no move at all.
    """
    wanted = [move for move, _ in stones]
    told = board_lines(stones, own, dead, board.names) if stones else b"BEGIN\r\n"
    anew = Way((_RESTART,) if known else (), told)
    behind = len(wanted) - 1
    if not (stones and stones[-1][1] != own and known[:behind] == wanted[:behind] and (known or may_turn)):
        return [anew]
    surplus = reversed(known[behind:])
    commands = tuple([b"TAKEBACK %s\r\n" % board.names[move] for move in surplus])
    return [Way(commands, board.turns[wanted[-1]]), anew]


def board_lines(stones: Stones, own: int, dead: Set[Move], names: Mapping[Move, bytes]) -> bytes:
    """The question for a move on this board.

    In playing order, which by the protocol only Renju asks for: some brains take the first stone for Black's
    under any rule.
    """
    lines = [
        b"%s,%s" % (names[move], _DEAD if move in dead else _OWN if colour == own else _THEIRS)
        for move, colour in stones
    ]
    return b"\r\n".join([b"BOARD", *lines, b"DONE", b""])


def swap2_lines(stones: Stones, names: Mapping[Move, bytes], *, has_colours: bool) -> bytes:
    """The question for a choice of the swap2 opening; has_colours: 1 behind black stones, 2 behind white."""
    lines = [b"%s,%d" % (names[move], colour + 1) if has_colours else names[move] for move, colour in stones]
    return b"\r\n".join([b"SWAP2BOARD", *lines, b"DONE", b""])
