"""Polyglot opening books (``.bin``): tables of positions with weighted moves, from which openings are drawn.

The format is described at http://hgm.nubati.net/book_format.html. An entry has 16 bytes, big-endian: the key
of the position, the move, its weight, and a number for learning. Entries are sorted by key. A key is the
exclusive or of random numbers defined by the format (`KEYS_FILE`): one for each piece on its square, each
castling right, the file of a possible en passant capture, and White to move.

A book is a tree, not a list of openings. So gyoji makes a list of random walks from the start position:
opening n chooses moves by weight, with random numbers from the seed n. Walks may repeat.
"""

import struct
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from gyoji.core.boards import bits
from gyoji.core.spec import derive_seed
from gyoji.games.chess.books import Book
from gyoji.games.chess.game_options import opening_text, ordinary_start
from gyoji.games.chess.position import NAMES, WHITE, Position, played
from gyoji.games.chess.rules import ChessRules

KEYS_FILE = "polyglot_keys.txt"
WALKS = 10_000
"""The number of openings drawn from a book."""

PLIES = 16
"""The default maximum number of moves of an opening."""

_ENTRY: Final = struct.Struct(">QHHI")
_CASTLING, _EN_PASSANT, _TURN = 768, 772, 780
_PROMOTIONS = ("", "n", "b", "r", "q")


class Entry(NamedTuple):
    """A move of a book for one position, with the move's weight. Castling is the king taking its rook."""

    move: str
    weight: int


@cache
def _keys() -> tuple[int, ...]:
    text = files("gyoji.games.chess").joinpath(KEYS_FILE).read_text("ascii")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return tuple(int(word, 16) for word in " ".join(lines).split())


def key_of(position: Position) -> int:
    """Return the Polyglot key of a position.

    >>> from gyoji.games.chess.fen import STANDARD_START, read_fen
    >>> f"{key_of(read_fen(STANDARD_START)):016x}"
    '463b96181691fc9c'
    """
    keys, key = _keys(), 0
    for square, code in enumerate(position.board[:64]):
        if code:
            kind = 2 * (code & 7) - (2 if code & 8 else 1)  # black pawn 0, white pawn 1, black knight 2 ...
            key ^= keys[64 * kind + square]
    for rook in bits(position.rights):
        side = rook // 56
        king = position.king if side == position.turn else position.other_king
        key ^= keys[_CASTLING + 2 * side + (rook < king)]
    if position.en_passant >= 0:
        key ^= keys[_EN_PASSANT + position.en_passant % 8]
    return key ^ keys[_TURN] if position.turn == WHITE else key


def entries_of(data: bytes, key: int) -> list[Entry]:
    """Return the entries of a book with a key, found by bisection."""
    low, high = 0, len(data) // _ENTRY.size
    while low < high:
        middle = (low + high) // 2
        if _ENTRY.unpack_from(data, middle * _ENTRY.size)[0] < key:
            low = middle + 1
        else:
            high = middle
    found = []
    for place in range(low * _ENTRY.size, len(data) - _ENTRY.size + 1, _ENTRY.size):
        own, move, weight, _ = _ENTRY.unpack_from(data, place)
        if own != key:
            break
        promoted = _PROMOTIONS[move >> 12 & 7] if move >> 12 & 7 < len(_PROMOTIONS) else ""
        found.append(Entry(f"{NAMES[move >> 6 & 63]}{NAMES[move & 63]}{promoted}", weight))
    return found


def polyglot_book(data: bytes, variant: str, plies: int = 0) -> Sequence[str]:
    """Return random openings of a Polyglot book as values of the option `opening`.

    Args:
        data: The content of the file.
        variant: The variant of chess.
        plies: Largest number of half-moves of an opening; 0 for `PLIES`.

    Raises:
        ValueError: The file is not a Polyglot book, or has no move for the start position.
    """
    if not data or len(data) % _ENTRY.size:
        raise ValueError(f"got {len(data)} bytes, expected a Polyglot book: entries of {_ENTRY.size} bytes")
    start = ordinary_start(variant)

    def read(number: int) -> str:
        position, moves = start, list[str]()
        while len(moves) < (plies or PLIES):
            move = _drawn(data, position, derive_seed("polyglot", number, len(moves)))
            after = played(position, move) if move else None
            if after is None or after.end:
                break
            moves.append(move)
            position = after
        return opening_text(ChessRules(variant, start, moves))

    if not read(0):
        raise ValueError("the book has no move for the start position")
    return Book(WALKS, read)


def _drawn(data: bytes, position: Position, seed: int) -> str:
    """Choose a random move for a position from the book, by weight; "" if the book has none.

    Args:
        data: The content of the book.
        seed: The random number.
    """
    entries = [entry for entry in entries_of(data, key_of(position)) if entry.weight]
    total = sum(entry.weight for entry in entries)
    if not total:
        return ""
    rest = seed % total
    for entry in entries:
        rest -= entry.weight
        if rest < 0:
            return _own_castling(position, entry.move)
    raise AssertionError(rest)


def _own_castling(position: Position, move: str) -> str:
    """Convert a move of a book, where castling is the king taking its rook, to the position's notation."""
    goal = NAMES.index(move[2:4])
    is_castling = NAMES[position.king] == move[:2] and position.rights & position.own & 1 << goal
    if not is_castling or position.is_960:
        return move
    return f"{move[:2]}{'g' if goal > position.king else 'c'}{move[3]}"
