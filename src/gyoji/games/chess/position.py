"""A position of chess, and the rules of a move: is it legal, what follows, and is the game over?"""

# Theory of operation
# -------------------
# A referee asks "is this one move legal, and is the game over after it?", not "which moves are there?". So
# `played` generates no moves. It is most of the referee's cost of a move (measured by
# `python -m bench.chess_rules`), and therefore one long function that uses precomputed tables.
#
# Squares are numbered a1 = 0, b1 = 1, ... h8 = 63. A set of squares is an int with bit n for square n. A
# position stores the pieces twice: `board` has the piece on each square, and six sets have the squares of the
# pieces:
#
#    own, other             the side to move, and the opponent
#    pawns, knights         of both sides
#    diagonals, straights   bishops and queens; rooks and queens
#
# "Own" instead of "white", because nearly every question is about the side to move; a move swaps both.
#
# A move is its text in UCI notation ("e2e4", "e7e8q"). It is checked in these steps:
#
#    1 MOVES       text -> squares, their bits, the promotion
#    2 WAYS        (piece, from, to) -> the squares that must be empty; no entry: the piece does not go there.
#                  Castling has no entry, or ends on an own rook: `_castled` decides.
#    3 king safe?  asked only if the king moves, was in check, or if the piece leaves a line through its king.
#                  Attackers are looked up from the king's square over the changed occupancy, so pins and
#                  en passant (two pawns leave one rank) need no rule of their own.
#    4 the next position: sets and board; castling rights; an en passant square only if a pawn can legally
#      take there
#    5 check, and the end of the game: see below
#
# Attacks of bishops and rooks are looked up by the pieces on their lines (`_Lines`). The tables fill as
# positions occur; they cannot have more than 5,248 and 102,400 entries.
#
# Repetition is judged by the boards themselves, not by hashes, so that two positions are never confused:
# `past` has the boards since the last irreversible move: a capture, a pawn move, a lost castling right. The
# side to move is the last byte of a board. A position in which en passant is possible cannot occur again,
# because a pawn has just moved. So it is left out of `past`, and equal boards in `past` are equal positions.
# `past` has at most 100 boards, which are compared in 2 us.
#
# Ends, in the order of fastchess (isGameOver of its chess library): 50 moves (mate comes first), insufficient
# material, threefold repetition, mate, stalemate. Draws are automatic, without a claim, as in all managers.
# Whether the side to move has a legal move is mostly answered by one shift: a pawn that is on no line with
# its king can step forward. Otherwise moves are tried.
#
# Invariants: a position is a value and never changes; its kings stand on `king` and `other_king`; `check`
# says whether the side to move is in check; `end` is "" as long as the side to move has a legal move and no
# draw is reached.

from collections.abc import Iterator
from typing import Final, NamedTuple

from gyoji.core.boards import bits

# `Final`, so that mypyc compiles these names and the tables to constants, without a look-up at each use.
WHITE: Final = 0
BLACK: Final = 1

PAWN: Final = 1
KNIGHT: Final = 2
BISHOP: Final = 3
ROOK: Final = 4
QUEEN: Final = 5
KING: Final = 6
"""The kinds of pieces. A piece on a board is its kind, plus 8 if it is Black's; 0 is an empty square."""

SIGNS: Final = ".PNBRQK..pnbrqk"
"""The FEN letter of each piece on a board."""

KIND_NAMES: Final = ("", "pawn", "knight", "bishop", "rook", "queen", "king")

MATE: Final = "checkmate"
STALEMATE: Final = "stalemate"
INSUFFICIENT: Final = "insufficient material"
FIFTY: Final = "fifty moves"
THREEFOLD: Final = "repetition"

_ALL: Final = (1 << 64) - 1
_FILE_A: Final = 0x0101010101010101
_DARK: Final = 0xAA55AA55AA55AA55  # a1 is dark
_LAST_RANKS: Final = 0xFF000000000000FF
BACK_RANKS: Final = (0xFF, 0xFF << 56)
"""The back rank of White and of Black, as sets of squares."""

NAMES: Final = tuple(f"{column}{row}" for row in range(1, 9) for column in "abcdefgh")
"""The name of each square."""

_DIAGONAL_STEPS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_STRAIGHT_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
_KNIGHT_STEPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


class Position(NamedTuple):
    """A position of chess. Sets of squares are bit masks, and "own" means the side to move.

    Attributes:
        board: 65 bytes: the piece on each square, and the side to move (0 White, 1 Black).
        own: The squares with pieces of the side to move. `other` has those with the opponent's pieces.
        pawns: The pawns of both sides. `knights` has the knights of both sides.
        diagonals: The bishops and queens of both sides. `straights` has the rooks and queens of both sides.
        king: The square of the own king. `other_king` is the square of the opponent's king.
        rights: The squares of the rooks, of both sides, with which castling is still allowed.
        en_passant: The square behind a pawn that has just made a double step, if it can legally be captured
            en passant; else -1.
        clock: The number of half-moves since the last capture or pawn move.
        number: The move number, from 1, which grows after Black's move.
        past: The boards since the last irreversible move, this one included; () if en passant is possible.
        check: Whether the side to move is in check.
        end: The reason why the game is over, a constant of this module; "" while it goes on.
        is_960: Whether castling is written as the king taking its rook.
    """

    board: bytes
    own: int
    other: int
    pawns: int
    knights: int
    diagonals: int
    straights: int
    king: int
    other_king: int
    rights: int
    en_passant: int
    clock: int
    number: int
    past: tuple[bytes, ...]
    check: bool
    end: str
    is_960: bool

    @property
    def turn(self) -> int:
        """The side to move: 0 White, 1 Black."""
        return self.board[64]


_position: Final = tuple.__new__  # a named tuple's own constructor costs twice as much


# Tables


def _walks(square: int, steps: tuple[tuple[int, int], ...], most: int = 7) -> Iterator[list[int]]:
    """Yield, for each direction, the squares from a square to the edge of the board, the nearest first.

    Args:
        square: The square, which is not yielded.
        steps: (files to the right, ranks up) of one step in each direction.
        most: Largest number of steps.
    """
    for right, up in steps:
        found: list[int] = []
        column, row = square % 8 + right, square // 8 + up
        while 0 <= column < 8 and 0 <= row < 8 and len(found) < most:
            found.append(8 * row + column)
            column, row = column + right, row + up
        yield found


def _reach(steps: tuple[tuple[int, int], ...], most: int = 7) -> tuple[int, ...]:
    """Return, for each square, the set of squares that a piece attacks from it on an empty board.

    Args:
        steps: (files to the right, ranks up) of one step in each direction.
        most: Largest number of steps.
    """
    return tuple(
        sum(1 << goal for walk in _walks(square, steps, most) for goal in walk) for square in range(64)
    )


_KNIGHTS: Final = _reach(_KNIGHT_STEPS, 1)
_KINGS: Final = _reach(_DIAGONAL_STEPS + _STRAIGHT_STEPS, 1)
_BISHOPS: Final = _reach(_DIAGONAL_STEPS)
_ROOKS: Final = _reach(_STRAIGHT_STEPS)
_QUEENS: Final = tuple(one | other for one, other in zip(_BISHOPS, _ROOKS, strict=True))
_TAKES: Final = (_reach(((1, 1), (-1, 1)), 1), _reach(((1, -1), (-1, -1)), 1))
"""The squares that a pawn attacks, by side and by square."""


class _Lines(dict[int, int]):
    """The squares that a bishop or rook on one square attacks, by the set of pieces on its lines.

    A result is computed at its first look-up. Callers mask the key with `inner`, so that there are few keys.

    Attributes:
        inner: The squares of the lines, except the last one in each direction. A piece there blocks nothing.
    """

    def __init__(self, square: int, steps: tuple[tuple[int, int], ...]) -> None:
        self._walks = tuple(_walks(square, steps))
        self.inner = sum(1 << goal for walk in self._walks for goal in walk[:-1])

    def __missing__(self, pieces: int) -> int:
        found = 0
        for walk in self._walks:
            for goal in walk:
                found |= 1 << goal
                if pieces >> goal & 1:
                    break
        self[pieces] = found
        return found


_DIAGONALS: Final = tuple(_Lines(square, _DIAGONAL_STEPS) for square in range(64))
_STRAIGHTS: Final = tuple(_Lines(square, _STRAIGHT_STEPS) for square in range(64))
_INNER_DIAGONALS: Final = tuple(lines.inner for lines in _DIAGONALS)
_INNER_STRAIGHTS: Final = tuple(lines.inner for lines in _STRAIGHTS)

TEXTS: Final = tuple(f"{start}{goal}" for start in NAMES for goal in NAMES)
"""The text of each move without promotion, by start square * 64 + destination."""

MOVES: Final = {
    text + letter: (index >> 6, index & 63, index, 1 << (index >> 6), 1 << (index & 63), kind)
    for index, text in enumerate(TEXTS)
    for letter, kind in (("", 0), ("n", KNIGHT), ("b", BISHOP), ("r", ROOK), ("q", QUEEN))
    if index >> 6 != index & 63
    and (not kind or (text[1] + text[3] in ("78", "21") and abs(ord(text[0]) - ord(text[2])) < 2))
}
"""For each move as text: start, destination, start * 64 + destination, the bits of both, promoted kind or
0.
"""

_PROMOTIONS: Final = "qrbn"


def _ways() -> tuple[dict[int, int], ...]:
    """Return, for each piece code, the moves that the piece has on some board. Castling is not among them.

    Returns:
        A dict for each code: {start * 64 + destination: the set of squares that must be empty}.
    """
    ways: list[dict[int, int]] = [{} for _ in range(16)]
    for square in range(64):
        for kind, steps, most in (
            (KNIGHT, _KNIGHT_STEPS, 1),
            (BISHOP, _DIAGONAL_STEPS, 7),
            (ROOK, _STRAIGHT_STEPS, 7),
            (QUEEN, _DIAGONAL_STEPS + _STRAIGHT_STEPS, 7),
            (KING, _DIAGONAL_STEPS + _STRAIGHT_STEPS, 1),
        ):
            for walk in _walks(square, steps, most):
                between = 0
                for goal in walk:
                    ways[kind][square << 6 | goal] = ways[kind + 8][square << 6 | goal] = between
                    between |= 1 << goal
        for side, step, home in ((WHITE, 8, 1), (BLACK, -8, 6)):
            pawn = ways[PAWN + 8 * side]
            ahead = square + step
            if not 0 <= ahead < 64:
                continue
            pawn[square << 6 | ahead] = 1 << ahead
            if square // 8 == home:
                pawn[square << 6 | ahead + step] = 1 << ahead | 1 << ahead + step
            for goal in bits(_TAKES[side][square]):
                pawn[square << 6 | goal] = 0
    return tuple(ways)


_WAYS: Final = _ways()
_BETWEEN: Final = _WAYS[QUEEN]


# One move


def played(position: Position, move: str) -> Position | None:  # noqa: PLR0915 - calls would cost a tenth each
    """Return the position after a move; None if the move is illegal or the game is over."""
    (
        board, own, other, pawns, knights, diagonals, straights, king, other_king,
        rights, en_passant, clock, number, past, check, end, is_960,
    ) = position  # fmt: skip
    known = MOVES.get(move)
    if known is None or end:
        return None
    start, goal, index, start_bit, goal_bit, promoted = known
    if not own & start_bit:
        return None
    code = board[start]
    kind = code & 7
    way = _WAYS[code].get(index)
    if way is None or way & (own | other) or own & goal_bit:
        return _castled(position, start, goal) if kind == KING else None
    turn = board[64]
    taken = goal
    if kind == PAWN:
        if (start ^ goal) & 7 and not other & goal_bit:
            if goal != en_passant:
                return None
            taken = goal ^ 8
        if (goal_bit & _LAST_RANKS != 0) != (promoted != 0):
            return None
    elif promoted:
        return None

    captured = board[taken]
    moved = start_bit | goal_bit
    own ^= moved
    if captured:
        other &= ~(1 << taken)
    occupied = own | other
    leaves_line = start_bit & _QUEENS[king]
    if kind == KING:
        king = goal
    if (leaves_line or check or kind == KING or taken != goal) and (
        _KNIGHTS[king] & knights & other
        or _TAKES[turn][king] & pawns & other
        or (
            (sliders := _BISHOPS[king] & diagonals & other)
            and _DIAGONALS[king][occupied & _INNER_DIAGONALS[king]] & sliders
        )
        or (
            (sliders := _ROOKS[king] & straights & other)
            and _STRAIGHTS[king][occupied & _INNER_STRAIGHTS[king]] & sliders
        )
        or _KINGS[king] >> other_king & 1
    ):
        return None

    cells = bytearray(board)
    cells[start] = 0
    cells[goal] = code
    cells[64] ^= 1
    en_passant = -1
    clock += 1
    if captured:
        keep = ~(1 << taken)
        pawns &= keep
        knights &= keep
        diagonals &= keep
        straights &= keep
        if taken != goal:
            cells[taken] = 0
        clock = 0
    if kind == PAWN:
        clock = 0
        if promoted:
            pawns ^= start_bit
            cells[goal] = promoted | code & 8
            if promoted == KNIGHT:
                knights |= goal_bit
            if promoted in (BISHOP, QUEEN):
                diagonals |= goal_bit
            if promoted in (ROOK, QUEEN):
                straights |= goal_bit
        else:
            pawns ^= moved
            if (start ^ goal) == 16 and _TAKES[turn][(start + goal) >> 1] & pawns & other:
                en_passant = (start + goal) >> 1
    elif kind == KNIGHT:
        knights ^= moved
    elif kind == BISHOP:
        diagonals ^= moved
    elif kind == ROOK:
        straights ^= moved
    elif kind == QUEEN:
        diagonals ^= moved
        straights ^= moved
    if rights and (rights & moved or kind == KING):
        left = rights & ~moved
        if kind == KING:
            left &= ~BACK_RANKS[turn]
        if left != rights:
            rights, past = left, ()
    board = bytes(cells)
    past = (*past, board) if clock else (board,)

    check = bool(
        _KNIGHTS[other_king] & knights & own
        or _TAKES[1 - turn][other_king] & pawns & own
        or (
            (sliders := _BISHOPS[other_king] & diagonals & own)
            and _DIAGONALS[other_king][occupied & _INNER_DIAGONALS[other_king]] & sliders
        )
        or (
            (sliders := _ROOKS[other_king] & straights & own)
            and _STRAIGHTS[other_king][occupied & _INNER_STRAIGHTS[other_king]] & sliders
        )
    )
    after = _position(
        Position,
        (
            board, other, own, pawns, knights, diagonals, straights, other_king, king,
            rights, en_passant, clock, number + turn, past, check, "", is_960,
        ),
    )  # fmt: skip
    if en_passant >= 0:
        after = checked_en_passant(after)
    if clock < 100 and not check and (pawns or straights) and (len(past) < 9 or past.count(board) < 3):
        free = pawns & other & ~_QUEENS[other_king]
        if (free >> 8 if turn == WHITE else free << 8) & ~occupied & _ALL:
            return after
    return ended(after)


def reaches(position: Position, move: str) -> bool:
    """Return whether a piece can move to the destination if check and castling are ignored."""
    _, goal, index, start_bit, goal_bit, _ = MOVES[move]
    own, other = position.own, position.other
    code = position.board[index >> 6]
    way = _WAYS[code].get(index)
    if way is None or not own & start_bit or (way & (own | other)) or own & goal_bit:
        return False
    return code & 7 != PAWN or way != 0 or bool(other & goal_bit) or goal == position.en_passant


def _castled(position: Position, start: int, goal: int) -> Position | None:
    """Return the position after castling; None if the move is not castling or is illegal.

    Args:
        start: The square from which the king moves.
        goal: The square of the castling rook if `position.is_960`, else the square where the king ends.
    """
    board, own, other, *_ = position
    turn, rook = board[64], goal
    if not position.rights & own:
        return None
    if not position.is_960:
        if abs(start - goal) != 2:
            return None
        rook = goal + 1 if goal > start else goal - 2
    rook_bit = 1 << rook
    if not position.rights & own & rook_bit or start // 8 != rook // 8:
        return None
    row = start & 56
    is_short = rook > start
    king_goal, rook_goal = (row + 6, row + 5) if is_short else (row + 2, row + 3)
    king_path = _squares_to(start, king_goal)
    rest = (own | other) ^ (1 << start)
    if (king_path | _squares_to(rook, rook_goal)) & (rest ^ rook_bit):
        return None
    if any(attacked(position, square, rest) for square in bits(king_path | 1 << start)):
        return None
    # the rook may have shielded the king from an attack along the rank
    if attacked(position, king_goal, rest ^ rook_bit | 1 << rook_goal):
        return None
    cells = bytearray(board)
    cells[start] = cells[rook] = 0
    cells[king_goal] = KING | turn << 3
    cells[rook_goal] = ROOK | turn << 3
    cells[64] ^= 1
    board = bytes(cells)
    own = own & ~(1 << start | rook_bit) | 1 << king_goal | 1 << rook_goal
    after = position._replace(
        board=board,
        own=other,
        other=own,
        straights=position.straights & ~rook_bit | 1 << rook_goal,
        king=position.other_king,
        other_king=king_goal,
        rights=position.rights & ~BACK_RANKS[turn],
        en_passant=-1,
        clock=position.clock + 1,
        number=position.number + turn,
        past=(board,),
    )
    return ended(after._replace(check=attacked(after, after.king, own | other)))


def _squares_to(start: int, goal: int) -> int:
    """Return the set of the squares from `start` to `goal` on one rank, without `start`, with `goal`. It is
    empty if they are the same.
    """
    if start == goal:
        return 0
    return _BETWEEN[start << 6 | goal] | 1 << goal


def attacked(position: Position, square: int, occupied: int) -> bool:
    """Return whether the opponent's pieces attack a square.

    Args:
        occupied: The squares to treat as occupied, for example those after a move. An opposing piece (except
            the king) attacks only if its square is in this set. Any square in it blocks.
    """
    other = position.other & occupied
    return bool(
        _KNIGHTS[square] & position.knights & other
        or _TAKES[position.board[64]][square] & position.pawns & other
        or (
            _BISHOPS[square] & position.diagonals & other
            and _DIAGONALS[square][occupied & _INNER_DIAGONALS[square]] & position.diagonals & other
        )
        or (
            _ROOKS[square] & position.straights & other
            and _STRAIGHTS[square][occupied & _INNER_STRAIGHTS[square]] & position.straights & other
        )
        or _KINGS[square] >> position.other_king & 1
    )


def checked_en_passant(position: Position) -> Position:
    """Return the position. Its en passant square is kept only if a pawn can legally capture there.

    If the square is kept, `past` is emptied, because such a position cannot occur again.

    Args:
        position: A position with an en passant square.
    """
    if any(_en_passant_takers(position)):
        return position._replace(past=())
    return position._replace(en_passant=-1)


def _en_passant_takers(position: Position) -> Iterator[int]:
    """Yield the squares of the own pawns that can legally capture en passant.

    Args:
        position: A position with an en passant square (`en_passant` is not -1).
    """
    goal, turn = position.en_passant, position.board[64]
    occupied = (position.own | position.other) & ~(1 << (goal ^ 8)) | 1 << goal
    for start in bits(_TAKES[1 - turn][goal] & position.pawns & position.own):
        if not attacked(position, position.king, occupied & ~(1 << start)):
            yield start


# The end of a game


def ended(position: Position) -> Position:
    """Return the position with `end` set if the game is over."""
    end = _end(position)
    return position._replace(end=end) if end else position


def _end(position: Position) -> str:
    if position.clock >= 100:
        return MATE if position.check and not has_move(position) else FIFTY
    if not position.pawns and not position.straights and _is_insufficient(position):
        return INSUFFICIENT
    if len(position.past) > 8 and position.past.count(position.board) > 2:
        return THREEFOLD
    if has_move(position):
        return ""
    return MATE if position.check else STALEMATE


def _is_insufficient(position: Position) -> bool:
    """Return whether the material on the board is insufficient for mate by either side.

    It is if there is, besides the kings, nothing, a single knight, or only bishops on squares of one colour.

    Args:
        position: A position without pawns, rooks and queens.
    """
    knights, bishops = position.knights, position.diagonals
    if knights:
        return not bishops and knights.bit_count() == 1
    return not bishops & _DARK or not bishops & ~_DARK


def has_move(position: Position) -> bool:
    """Return whether the side to move has a legal move, even if the game is already drawn."""
    if not position.check:
        free = position.pawns & position.own & ~_QUEENS[position.king]
        occupied = position.own | position.other
        if (free << 8 if position.board[64] == WHITE else free >> 8) & ~occupied & _ALL:
            return True
    rest = (position.own | position.other) ^ (1 << position.king)
    for goal in bits(_KINGS[position.king] & ~position.own):
        if not attacked(position, goal, rest & ~(1 << goal)):
            return True
    return next(_moves(position), None) is not None


# All moves


def legal_moves(position: Position) -> list[str]:
    """Return the legal moves in a fixed order; none if the game is over."""
    return [] if position.end else list(_moves(position))


def _moves(position: Position) -> Iterator[str]:  # noqa: PLR0915 - as `played`
    """Yield the legal moves of the side to move, even if the game is already drawn."""
    (
        board, own, other, pawns, knights, diagonals, straights, king, _,
        _, en_passant, _, _, _, check, _, _,
    ) = position  # fmt: skip
    turn = board[64]
    occupied = own | other
    texts = TEXTS
    rest = occupied ^ 1 << king
    for goal in bits(_KINGS[king] & ~own):
        if not attacked(position, goal, rest & ~(1 << goal)):
            yield texts[king << 6 | goal]

    # Where other pieces may move: anywhere, between king and checker, or nowhere in double check.
    allowed, pins = ~own & _ALL, {}
    if check:
        checkers = _KNIGHTS[king] & knights & other | _TAKES[turn][king] & pawns & other
        checkers |= _DIAGONALS[king][occupied & _INNER_DIAGONALS[king]] & diagonals & other
        checkers |= _STRAIGHTS[king][occupied & _INNER_STRAIGHTS[king]] & straights & other
        if checkers & checkers - 1:
            return
        checker = checkers.bit_length() - 1
        allowed = checkers | _BETWEEN.get(king << 6 | checker, 0)
    for slider in bits((_BISHOPS[king] & diagonals | _ROOKS[king] & straights) & other):
        line = _BETWEEN[king << 6 | slider]
        shield = line & occupied
        if shield & own and not shield & shield - 1:
            pins[shield.bit_length() - 1] = line | 1 << slider

    for start in bits(own & ~(1 << king)):
        kind = board[start] & 7
        if kind == PAWN:
            step = -8 if turn else 8
            goals = _TAKES[turn][start] & other
            ahead = 1 << start + step
            if not ahead & occupied:
                goals |= ahead
                if start // 8 == (6 if turn else 1) and not occupied >> (start + 2 * step) & 1:
                    goals |= 1 << start + 2 * step
        elif kind == KNIGHT:
            goals = _KNIGHTS[start]
        elif kind == BISHOP:
            goals = _DIAGONALS[start][occupied & _INNER_DIAGONALS[start]]
        elif kind == ROOK:
            goals = _STRAIGHTS[start][occupied & _INNER_STRAIGHTS[start]]
        else:
            goals = _DIAGONALS[start][occupied & _INNER_DIAGONALS[start]]
            goals |= _STRAIGHTS[start][occupied & _INNER_STRAIGHTS[start]]
        goals &= allowed
        if start in pins:
            goals &= pins[start]
        if kind == PAWN and goals & _LAST_RANKS:
            for goal in bits(goals):
                for letter in _PROMOTIONS:
                    yield texts[start << 6 | goal] + letter
        else:
            first = start << 6
            while goals:
                lowest = goals & -goals
                yield texts[first | lowest.bit_length() - 1]
                goals ^= lowest
    if en_passant >= 0:
        for start in _en_passant_takers(position):
            yield texts[start << 6 | en_passant]
    if not check:
        for rook in bits(position.rights & own):
            goal = rook if position.is_960 else king + 2 if rook > king else king - 2
            if _castled(position, king, goal) is not None:
                yield texts[king << 6 | goal]
