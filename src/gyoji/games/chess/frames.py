"""Pictures of games of chess. The squares of the last move are marked, and moves are told in SAN."""

from collections.abc import Iterator

from gyoji.core.game import Choice, Frame, Offered, Scene
from gyoji.core.record import GameRecord
from gyoji.games.chess.position import MOVES, Position, legal_moves, played
from gyoji.games.chess.rules import ChessRules
from gyoji.games.chess.san import format_san, is_castling

_KINDS = ".PNBRQK"
_NOTHING = bytes(65)


def scene(rules: ChessRules) -> Scene:
    """Return the scene of a board, White at the bottom."""
    return Scene(kind="squares", columns=tuple("abcdefgh"), rows=tuple("87654321"))


def frames(rules: ChessRules, record: GameRecord) -> Iterator[Frame]:
    """Yield the pictures of a game: see `gyoji.core.game.Pictures`."""
    position = rules.start()
    last = rules.opening_plays[-1][1] if rules.opening_plays else ""
    yield _frame(_NOTHING, position, last)
    for ((seat, text, *_),) in record.turns:
        before, move = position, rules.parse(text)
        position = rules.play(before, ((seat, move),))
        yield _frame(before.board, position, move)._replace(words=(format_san(before, move, position),))


def seen(rules: ChessRules, view: Position, seat: int) -> Frame:
    """Return the picture of a view: see `gyoji.core.game.SeesViews`. Both players see everything."""
    return _frame(_NOTHING, view, "")


def offered(rules: ChessRules, view: Position, seat: int) -> Offered:
    """Return how a person moves on a page: see `gyoji.core.game.SeesViews`.

    Two clicks are a move, from one square to another. Castling and promotions are buttons too. A pawn that is
    clicked to the last rank becomes a queen.
    """
    choices = []
    for move in legal_moves(view):
        if len(move) > 4 or is_castling(view, move):
            after = played(view, move)
            assert after is not None
            choices.append(Choice(move, format_san(view, move, after)))
    return Offered(points=(2,), choices=tuple(choices))


def _frame(before: bytes, after: Position, move: str) -> Frame:
    board = after.board
    changes = [
        (_place(square), _sign(board[square])) for square in range(64) if board[square] != before[square]
    ]
    marks = tuple(_place(square) for square in MOVES[move][:2]) if move else ()
    return Frame(changes=tuple(changes), marks=marks)


def _place(square: int) -> int:
    """Return the place of a square in a scene, where rows count from the top."""
    return square ^ 56


def _sign(code: int) -> str:
    return f"M{code >> 3}{_KINDS[code & 7]}" if code else ""
