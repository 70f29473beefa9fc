"""Pictures of games of chess. The squares of the last move are marked, and moves are told in SAN."""

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

    Two clicks are a move, from one square to another: the king to where it castles, or to its rook if the
    rules write it so. A pawn on the last rank becomes a queen unless the player chooses otherwise.
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
    """Return the place of a square in a scene, where rows count from the top."""
    return square ^ 56


def _sign(code: int) -> str:
    return f"M{code >> 3}{_KINDS[code & 7]}" if code else ""
