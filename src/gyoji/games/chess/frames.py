"""Pictures of chess games. The squares of the last move are marked, and moves are written in SAN."""

from collections.abc import Iterator

from gyoji.core.game import Frame, Offered, Scene, Way
from gyoji.core.record import GameRecord
from gyoji.games.chess.position import BISHOP, KNIGHT, MOVES, QUEEN, ROOK, Position, legal_moves
from gyoji.games.chess.rules import ChessRules
from gyoji.games.chess.san import format_san

_KINDS = ".PNBRQK"
_PROMOTIONS = {KNIGHT: "knight", BISHOP: "bishop", ROOK: "rook", QUEEN: "queen"}
_NOTHING = bytes(65)


def scene(rules: ChessRules) -> Scene:
    """Return the fixed parts of a game's pictures (`Pictures.scene`): the board, with White at the bottom."""
    columns, rows = tuple("abcdefgh"), tuple("87654321")
    return Scene(kind="squares", columns=columns, rows=rows, first_number=rules.start().number)


def frames(rules: ChessRules, record: GameRecord) -> Iterator[Frame]:
    """Yield a frame for the first position of a game, and one for each turn (`Pictures.frames`)."""
    position = rules.start()
    last = rules.opening_plays[-1][1] if rules.opening_plays else ""
    yield _frame(_NOTHING, position, last)
    for ((seat, text, *_),) in record.turns:
        before, move = position, rules.parse(text)
        position = rules.play(before, ((seat, move),))
        yield _frame(before.board, position, move)._replace(words=(format_san(before, move, position),))


def seen(rules: ChessRules, view: Position, seat: int) -> Frame:
    """Return the picture of what a seat sees (`SeesViews.seen`). Both players see the whole position."""
    return _frame(_NOTHING, view, "")


def offered(rules: ChessRules, view: Position, seat: int) -> Offered:
    """Return how a person enters a move on the page (`SeesViews.offered`).

    Two clicks make a move: the start square and the destination. Castling is a move of the king: by two
    squares in standard chess, onto its own rook in the other variants. A pawn promotes to a queen unless the
    player chooses another piece.
    """
    turn = view.board[64]
    ways = []
    for move in sorted(legal_moves(view), key=lambda move: -MOVES[move][-1]):  # the queen first
        start, goal, *_, promoted = MOVES[move]
        sign = _sign(turn << 3 | promoted) if promoted else ""
        ways.append(Way((_place(start), _place(goal)), move, _PROMOTIONS.get(promoted, ""), sign))
    return Offered(points=(2,), ways=tuple(ways))


def _frame(before: bytes, after: Position, move: str) -> Frame:
    board = after.board
    changes = [
        (_place(square), _sign(board[square])) for square in range(64) if board[square] != before[square]
    ]
    marks = tuple(_place(square) for square in MOVES[move][:2]) if move else ()
    return Frame(changes=tuple(changes), marks=marks)


def _place(square: int) -> int:
    """Return the index of a square (a1 is 0) in a picture, whose squares are numbered by rows from a8."""
    return square ^ 56


def _sign(code: int) -> str:
    return f"M{code >> 3}{_KINDS[code & 7]}" if code else ""
