"""Moves in standard algebraic notation (SAN): ``Nf3``, ``exd5``, ``O-O``, ``e8=Q+``.

Moves are written as the PGN specification demands (section 8.2.3): as short as possible. If several pieces of
a kind could move to the square, the start square is named too: by its file if that is enough, else by its
rank, else by both. The parser also accepts other common forms: ``0-0``, ``e8Q``, ``Ng1-f3``, ``e2e4``, and
any ``!`` and ``?``.
"""

import re

from gyoji.core.boards import bits
from gyoji.core.text import quote
from gyoji.games.chess.position import (
    KING,
    MATE,
    MOVES,
    NAMES,
    PAWN,
    SIGNS,
    TEXTS,
    Position,
    legal_moves,
    played,
)

_SAN = re.compile(r"([NBRQK]?)([a-h]?)([1-8]?)[-x:]?([a-h][1-8])(?:[=/(]?([NBRQnbrq])\)?)?")
_CASTLING = re.compile(r"([O0])-\1(-\1)?")
_AFTER = re.compile(r"(?:e\.p\.)?[+#!?]*$")


def format_san(position: Position, move: str, after: Position, *, is_long: bool = False) -> str:
    """Return a legal move in SAN.

    Args:
        after: The position after the move.
        is_long: Whether to name the start square of every move: "Ng1f3", "e4xd5".
    """
    start, goal, _, _, goal_bit, promoted = MOVES[move]
    code = position.board[start]
    kind = code & 7
    if is_castling(position, move):
        text = "O-O" if goal > start else "O-O-O"
    elif kind == PAWN:
        takes = "" if move[0] == move[2] else "x"
        text = f"{move[:2] if is_long else move[0] if takes else ''}{takes}{move[2:4]}"
        if promoted:
            text += f"={SIGNS[promoted]}"
    else:
        takes = "x" if position.other & goal_bit else ""
        rivals = move[:2] if is_long else "" if kind == KING else _which(position, start, goal, code)
        text = f"{SIGNS[kind]}{rivals}{takes}{move[2:4]}"
    if after.check:
        text += "#" if after.end == MATE else "+"
    return text


def is_castling(position: Position, move: str) -> bool:
    """Return whether a legal move is castling."""
    start, goal, *_, goal_bit, _ = MOVES[move]
    if start != position.king:
        return False
    return bool(position.own & goal_bit) if position.is_960 else abs(start - goal) == 2


def _which(position: Position, start: int, goal: int, code: int) -> str:
    """Return what SAN adds to a piece's letter: the file of its square, the rank or both; "" if nothing.

    Something is added if another piece of the same kind can move to the same square.

    Args:
        position: The position before the move.
        start: The square of the piece.
        goal: The destination of the move.
        code: The code of the piece on the board.
    """
    others = [
        square
        for square in bits(position.own & ~(1 << start))
        if position.board[square] == code and played(position, TEXTS[square << 6 | goal]) is not None
    ]
    if not others:
        return ""
    name = NAMES[start]
    if all(NAMES[square][0] != name[0] for square in others):
        return name[0]
    return name[1] if all(NAMES[square][1] != name[1] for square in others) else name


def read_san(position: Position, text: str) -> tuple[str, Position]:
    """Parse a move in SAN into (move in UCI notation, position after it).

    Raises:
        ValueError: The text is not a move, or the move is illegal or ambiguous.
    """
    word = _AFTER.sub("", text)
    if castling := _CASTLING.fullmatch(word):
        found = _castlings(position, is_long=castling[2] is not None)
    elif (match := _SAN.fullmatch(word)) is not None:
        found = _matching(position, match)
    else:
        raise ValueError(f"got {quote(text)}, expected a move such as e4, Nf3 or e2e4")
    legal = [(move, after) for move in found if (after := played(position, move)) is not None]
    if len(legal) == 1:
        return legal[0]
    if legal:
        which = " or ".join(move for move, _ in legal)
        raise ValueError(f"{quote(text)} could be {which}")
    raise ValueError(f"{quote(text)} is not legal{f': {position.end}' if position.end else ''}")


def _matching(position: Position, match: re.Match[str]) -> list[str]:
    """Return the moves, legal or not, that a text may mean.

    Args:
        position: The position before the move.
        match: The match of `_SAN` with the text.
    """
    letter, column, row, goal, promoted = match.groups()
    code = (SIGNS.index(letter) if letter else PAWN) | position.turn << 3
    last = (promoted or "").lower()
    if column and row and not letter and (move := column + row + goal + last) in MOVES:
        if played(position, move) is not None:
            return [move]
        code = position.board[NAMES.index(column + row)]
    return [
        move
        for square in bits(position.own)
        if position.board[square] == code
        and NAMES[square].startswith(column)
        and NAMES[square].endswith(row)
        and (move := NAMES[square] + goal + last) in MOVES
        and not (code & 7 == KING and position.is_960 and position.own >> NAMES.index(goal) & 1)
    ]


def _castlings(position: Position, *, is_long: bool) -> list[str]:
    return [
        move
        for move in legal_moves(position)
        if NAMES.index(move[:2]) == position.king
        and is_castling(position, move)
        and (move[0] > move[2]) == is_long
    ]


def read_move(position: Position, text: str) -> str:
    """Return the move that a person's or engine's text means: SAN, or UCI notation in upper or lower case.

    Castling may be written as the king's two steps or as the king taking its rook. Without a letter, a pawn
    promotes to a queen. An illegal move in UCI notation is returned too, in lower case.

    Raises:
        ValueError: The text is not a move, or it is an illegal move in SAN.
    """
    word = text.lower()
    if word not in MOVES:
        try:
            return read_san(position, text)[0]
        except ValueError:
            if re.fullmatch(r"([a-h]x?)?[a-h][18]", text) is None:
                raise
            return read_san(position, f"{text}=Q")[0]
    if played(position, word) is not None:
        return word
    if played(position, f"{word}q") is not None:
        return f"{word}q"
    start, goal, *_ = MOVES[word]
    if start == position.king and start // 8 == goal // 8:
        own_rook = position.rights & position.own & 1 << goal
        castling = _castlings(position, is_long=goal < start)
        if castling and (own_rook or goal & 7 in (2, 6)):
            return castling[0]
    return word
