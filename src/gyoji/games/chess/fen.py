"""Positions as text: FEN, X-FEN and Shredder-FEN, and the numbered start positions of Chess960.

FEN has six fields: the pieces, the side to move, castling rights, the en passant square, the half-move clock
and the move number. The last two may be missing, as in EPD. Only the castling rights differ:

* FEN writes ``KQkq`` for kings on e1 and e8 with rooks in the corners.
* X-FEN uses the same letters for any king and rook: they mean the outermost rook on that side. An inner rook
  is named by its file (``B``).
* Shredder-FEN always names files: ``HAha``.

All three are accepted. An en passant square is kept only if a pawn can legally capture there, because many
programs write it after every double step.
"""

from gyoji.core.text import quote
from gyoji.games.chess.position import (
    BACK_RANKS,
    BLACK,
    KING,
    NAMES,
    ROOK,
    SIGNS,
    WHITE,
    Position,
    attacked,
    checked_en_passant,
    ended,
)

STANDARD_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
STARTS = 960
"""The number of start positions of Chess960. Double Fischer random has its square."""

STANDARD_NUMBER = 518
"""The Chess960 number of the standard start position."""

_FILES = "abcdefgh"
_KINDS = {sign: code for code, sign in enumerate(SIGNS) if sign != "."}
_KNIGHTS = ((0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4))
"""The knights' places among the free squares, by the last part of a Chess960 number."""


def back_rank(number: int) -> str:
    """Return the pieces of a numbered start position of Chess960, from file a to h.

    The numbering is Reinhard Scharnagl's: remainders of the number give the bishops, then the queen, then the
    knights.

    >>> back_rank(518), back_rank(0), back_rank(959)
    ('RNBQKBNR', 'BBQNNRKR', 'RKRNNQBB')
    """
    if not 0 <= number < STARTS:
        raise ValueError(f"got start position {number}, expected 0 to {STARTS - 1}")
    rank = [""] * 8
    number, light = divmod(number, 4)
    number, dark = divmod(number, 4)
    knights, queen = divmod(number, 6)
    rank[2 * light + 1] = rank[2 * dark] = "B"
    rank[_free(rank)[queen]] = "Q"
    free = _free(rank)
    for place in _KNIGHTS[knights]:
        rank[free[place]] = "N"
    for place, piece in zip(_free(rank), "RKR", strict=True):
        rank[place] = piece
    return "".join(rank)


def _free(rank: list[str]) -> list[int]:
    return [place for place, piece in enumerate(rank) if not piece]


def start_fen(white: int, black: int | None = None) -> str:
    """Return the Shredder-FEN of a numbered start position.

    Args:
        white: The Chess960 number of White's pieces.
        black: The Chess960 number of Black's pieces; None for the same as White's.

    >>> start_fen(518)
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1'
    """
    ours = back_rank(white)
    theirs = ours if black is None else back_rank(black)
    rooks = "".join(_FILES[place] for rank in (ours, theirs) for place in (rank.rindex("R"), rank.index("R")))
    rights = rooks[:2].upper() + rooks[2:]
    return f"{theirs.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{ours} w {rights} - 0 1"


def read_fen(text: str, *, is_960: bool = False) -> Position:
    """Parse a FEN, X-FEN or Shredder-FEN of four to six fields into a position.

    Args:
        is_960: Whether castling is written as the king taking its rook. If not, kings with castling rights
            must be on the e-file and their rooks in the corners.

    Raises:
        ValueError: The text is not a FEN, or the position is impossible: a king is missing, a pawn is on the
            first or last rank, or the side that is not to move is in check.
    """
    fields = text.split()
    if not 4 <= len(fields) <= 6:
        raise ValueError(f"got {quote(text)}, expected a FEN with 4 to 6 fields")
    cells = _read_board(fields[0])
    if fields[1] not in ("w", "b"):
        raise ValueError(f"side to move: got {quote(fields[1])}, expected w or b")
    turn = cells[64] = "wb".index(fields[1])
    clock = _read_number("half-move clock", fields[4]) if len(fields) > 4 else 0
    number = max(1, _read_number("move number", fields[5])) if len(fields) > 5 else 1
    position = _position_of(cells, clock, number, is_960=is_960)
    position = position._replace(rights=_read_rights(fields[2], position))
    occupied = position.own | position.other
    mirrored = position._replace(own=position.other, other=position.own, king=position.other_king)
    mirrored = mirrored._replace(other_king=position.king, board=position.board[:64] + bytes((1 - turn,)))
    if attacked(mirrored, mirrored.king, occupied):
        raise ValueError(f"{('Black', 'White')[turn]} is in check and not to move")
    position = position._replace(check=attacked(position, position.king, occupied))
    if fields[3] != "-":
        position = _with_en_passant(position, fields[3])
    return ended(position)


def format_fen(position: Position, *, shredder: bool | None = None) -> str:
    """Return the FEN of a position, with all six fields.

    Args:
        shredder: Whether to write castling rights as files of rooks (``HAha``) instead of ``KQkq``. If False,
            a rook that is not the outermost still gets its file, as in X-FEN. If None, files are written if
            `position.is_960` is True.
    """
    board = position.board
    rows = []
    for row in range(56, -1, -8):
        text, empty = "", 0
        for code in board[row : row + 8]:
            if code:
                text += (str(empty) if empty else "") + SIGNS[code]
                empty = 0
            else:
                empty += 1
        rows.append(text + (str(empty) if empty else ""))
    by_file = position.is_960 if shredder is None else shredder
    target = NAMES[position.en_passant] if position.en_passant >= 0 else "-"
    rights = _format_rights(position, by_file=by_file)
    return f"{'/'.join(rows)} {'wb'[board[64]]} {rights} {target} {position.clock} {position.number}"


def format_epd(position: Position) -> str:
    """Return the first four fields of a position's FEN, which make an EPD."""
    return format_fen(position).rsplit(" ", 2)[0]


def _read_board(text: str) -> bytearray:
    """Parse the board, the first field of a FEN. Return a byte for each square, and a 65th byte, 0.

    The caller sets the last byte to the side to move.

    Raises:
        ValueError: The text is not a board with one king of each side and pawns on the inner ranks only.
    """
    rows = text.split("/")
    if len(rows) != 8:
        raise ValueError(f"got {quote(text)}, expected 8 ranks, parted by /")
    cells = bytearray(65)
    for down, row in enumerate(rows):
        square = 56 - 8 * down
        for sign in row:
            if sign in "12345678":
                square += int(sign)
            elif sign in _KINDS and square < 64 - 8 * down:
                cells[square] = _KINDS[sign]
                square += 1
            else:
                raise ValueError(
                    f"rank {8 - down}: got {quote(row)}, expected pieces and numbers for 8 squares"
                )
        if square != 64 - 8 * down:
            raise ValueError(f"rank {8 - down}: got {quote(row)}, expected pieces and numbers for 8 squares")
    for side, code in (("White", KING), ("Black", KING + 8)):
        if (count := cells[:64].count(code)) != 1:
            raise ValueError(f"got {count} kings of {side}, expected 1")
    if any(code & 7 == 1 for code in cells[:8] + cells[56:64]):
        raise ValueError("got a pawn on the first or the last rank")
    return cells


def _read_number(what: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise ValueError(f"{what}: got {quote(text)}, expected a number")
    return int(text)


def _position_of(cells: bytearray, clock: int, number: int, *, is_960: bool) -> Position:
    """Return a position with this board. Castling rights, en passant square and check are not set yet.

    Args:
        cells: The board, as `_read_board` returns it, with the side to move.
        clock: The number of half-moves since the last capture or pawn move.
        number: The move number, from 1.
        is_960: Whether castling is written as the king taking its rook.
    """
    sets = [0] * 16
    for square, code in enumerate(cells[:64]):
        sets[code] |= 1 << square
    pawns, knights, bishops, rooks, queens, _ = (sets[kind] | sets[kind + 8] for kind in range(1, 7))
    sides = [sum(sets[1 + 8 * side : 7 + 8 * side]) for side in (WHITE, BLACK)]
    kings = [sets[KING + 8 * side].bit_length() - 1 for side in (WHITE, BLACK)]
    turn, board = cells[64], bytes(cells)
    return Position(
        board=board,
        own=sides[turn],
        other=sides[1 - turn],
        pawns=pawns,
        knights=knights,
        diagonals=bishops | queens,
        straights=rooks | queens,
        king=kings[turn],
        other_king=kings[1 - turn],
        rights=0,
        en_passant=-1,
        clock=clock,
        number=number,
        past=(board,),
        check=False,
        end="",
        is_960=is_960,
    )


def _rooks(position: Position, side: int) -> tuple[int, list[int]]:
    """Return (the king's square, the squares of the rooks on the back rank from file a) for a side."""
    king = position.king if side == position.turn else position.other_king
    rank = range(56 * side, 56 * side + 8)
    return king, [square for square in rank if position.board[square] == ROOK + 8 * side]


def _read_rights(text: str, position: Position) -> int:
    """Parse the castling rights of a FEN into a bit mask of the rooks' squares."""
    rights = 0
    for letter in "" if text == "-" else text:
        side = int(letter.islower())
        king, rooks = _rooks(position, side)
        sign, base = letter.lower(), 56 * side
        right, left = [rook for rook in rooks if rook > king], [rook for rook in rooks if rook < king]
        if sign == "k":
            found = right[-1:]
        elif sign == "q":
            found = left[:1]
        else:
            found = [rook for rook in rooks if NAMES[rook][0] == sign]
        if not found or not BACK_RANKS[side] >> king & 1:
            raise ValueError(
                f"castling rights: got {quote(text)}, but there is no king with a rook for {letter}"
            )
        if not position.is_960 and (king != base + 4 or found[0] not in (base, base + 7)):
            raise ValueError(
                f"castling rights: got {quote(text)}, but king and rook do not stand as in standard chess:"
                " this is a position of Chess960"
            )
        rights |= 1 << found[0]
    return rights


def _format_rights(position: Position, *, by_file: bool) -> str:
    text = ""
    for side in (WHITE, BLACK):
        king, rooks = _rooks(position, side)
        for rook in sorted((rook for rook in rooks if position.rights >> rook & 1), reverse=True):
            outer = rooks[-1] if rook > king else rooks[0]
            letter = NAMES[rook][0] if by_file or rook != outer else "k" if rook > king else "q"
            text += letter if side else letter.upper()
    return text or "-"


def _with_en_passant(position: Position, text: str) -> Position:
    """Return the position with a FEN's en passant square, if a pawn can legally capture there."""
    square = NAMES.index(text) if text in NAMES else -1
    turn = position.turn
    if square // 8 != (2 if turn else 5):
        raise ValueError(f"en passant: got {quote(text)}, expected - or a square of rank {3 if turn else 6}")
    occupied, pawn = position.own | position.other, square ^ 8
    is_possible = position.pawns & position.other & 1 << pawn and not occupied & (
        1 << square | 1 << (2 * square - pawn)
    )
    return checked_en_passant(position._replace(en_passant=square)) if is_possible else position
