"""The port `Rules` for chess: standard chess, Chess960 and double Fischer random (DFRC).

A move is its text in UCI notation: ``e2e4``, ``e7e8q``. Castling is ``e1g1`` in standard chess, and the king
taking its rook (``e1h1``) in the other variants. `position` decides whether moves are legal and when a game
ends.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final

from gyoji.core.boards import row_text
from gyoji.core.faults import IllegalMove
from gyoji.core.messages import Evaluation, Turn, whole
from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.core.text import quote
from gyoji.games.chess.fen import format_fen
from gyoji.games.chess.position import (
    KIND_NAMES,
    KING,
    MATE,
    MOVES,
    NAMES,
    PAWN,
    SIGNS,
    Position,
    legal_moves,
    played,
    reaches,
)
from gyoji.games.chess.san import format_san, read_move
from gyoji.games.chess.variations import evaluation_flaws, spelled

STANDARD = "standard"
CHESS960 = "chess960"
DFRC = "dfrc"

CHECKMATE = Ending(MATE)
"""The ending of a game by checkmate."""

_SEATS: Final = ((0,), (1,))
_SIDES = ("White", "Black")
_WELL_FORMED = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?")


def parse(text: str) -> str:
    """Return a move in UCI notation. `ChessRules.play` decides whether it is legal.

    Raises:
        ValueError: The text is not in UCI notation; "0000", "(none)", "NULL" and "e7e8Q" are refused, too.
    """
    if text in MOVES or (_WELL_FORMED.fullmatch(text) and text[:2] != text[2:4]):
        return text
    raise ValueError(f"got {quote(text)}, expected a move such as e2e4 or e7e8q")


class ChessRules:
    """Chess with its options fixed. Seat 0 is White, seat 1 Black.

    Attributes:
        variant: "standard", "chess960" or "dfrc".
        chess960: Whether castling is written as the king taking its rook, as in all variants except standard
            chess.
        start_fen: The FEN of the position before the opening's moves; a Shredder-FEN if `chess960`.
        opening_plays: The moves of the opening as (seat, move), which are played before the game begins.
    """

    seats = 2
    teams: Sequence[int] = (0, 1)
    width = 8
    height = 8
    notation = "a move such as e4, Nf3, O-O or e2e4"

    def __init__(self, variant: str, first: Position, moves: Sequence[str] = ()) -> None:
        """Create the rules of a variant with an opening.

        Args:
            variant: "standard", "chess960" or "dfrc".
            first: The position before the opening.
            moves: The opening's moves in UCI notation. Castling is ``e1g1`` in standard chess, and the king
                taking its rook (``e1h1``) in the other variants.

        Raises:
            ValueError: The rules refuse a move of the opening, or the game is over in `first` or after one of
                the moves.
        """
        self.news: Callable[[Turn[str], int], Turn[str]] = whole
        self.parse = parse
        self.variant = variant
        self.chess960 = variant != STANDARD
        self.first = first
        self.start_fen = format_fen(first)
        position = first
        plays = []
        for number, move in enumerate(moves, 1):
            if position.end:
                raise ValueError(f"move {number}, {move}: the game is over before it: {position.end}")
            seat = position.turn
            try:
                position = self.play(position, ((seat, move),))
            except IllegalMove as refusal:
                raise ValueError(f"move {number}, {quote(move)}: {refusal.reason}") from None
            plays.append((seat, move))
        if position.end:
            raise ValueError(f"the game is over where it should begin: {position.end}")
        self.opening_plays: tuple[tuple[int, str], ...] = tuple(plays)
        self._start = position

    def start(self) -> Position:
        return self._start

    def acting(self, position: Position) -> tuple[int, ...]:
        return () if position.end else _SEATS[position.board[64]]

    def phase(self, position: Position) -> str:
        return ""

    def view(self, position: Position, seat: int) -> Position:
        return position

    def legal(self, position: Position, seat: int) -> list[str]:
        return legal_moves(position) if seat == position.board[64] else []

    def check(self, position: Position, seat: int, move: str) -> None:
        self.play(position, ((seat, move),))

    def play(self, position: Position, turn: Turn[str]) -> Position:
        ((seat, move),) = turn
        if seat == position.board[64] and (after := played(position, move)) is not None:
            return after
        raise IllegalMove(seat, _refusal(position, seat, move))

    def progress(self, position: Position) -> tuple[int, int]:
        """Return (half-moves before this position, half-moves since the last capture or pawn move).

        The first number follows from the move number and the side to move.
        """
        return 2 * (position.number - 1) + position.turn, position.clock

    def endgame(self, position: Position) -> tuple[str, int] | None:
        """Return (FEN, number of pieces) of a position, to look it up in endgame tablebases.

        Return None if a side may still castle, or if the last half-move was neither a capture nor a pawn
        move: tablebases know neither castling nor how far the 50-move rule has counted.
        """
        if position.clock or position.rights:
            return None
        return format_fen(position), (position.own | position.other).bit_count()

    def drop(self, position: Position, seat: int) -> Position | None:
        """Return None: a game of chess cannot go on with one player."""
        return None

    def simplify(self, position: Position, move: str) -> str:
        return move

    def format(self, move: str) -> str:
        return move

    def spelled(self, view: Position, move: str) -> str:
        """Return a move. Castling gets the notation of these rules (`variations.spelled`)."""
        return spelled(view, move)

    def variation_flaws(
        self, position: Position, move: str, said: Evaluation, after: Position | None = None
    ) -> Iterable[tuple[str, str]]:
        """Return (kind of fault, move at which it occurs) for each fault of an engine's principal variation.

        Args:
            position: The position before the move.
            move: The engine's move.
            said: The evaluation with the variation.
            after: The position after the move, if it has been played.
        """
        return evaluation_flaws(position, move, said, after)

    def read(self, view: Position, text: str) -> str:
        """Return the move that a text means in a position (`san.read_move`)."""
        return read_move(view, text)

    def written(self, position: Position, move: str, after: Position) -> str:
        """Return a legal move in SAN, for people."""
        return format_san(position, move, after)

    def outcome(self, position: Position) -> Outcome:
        """Return the outcome. Raises ValueError if the game is not over."""
        return outcome_of(position)

    def render(self, view: Position, last: Turn[str] = ()) -> str:
        """Draw the board, White at the bottom, with brackets around the squares of the last move."""
        return diagram(view, [index for _, move in last for index in MOVES[move][:2]])


def outcome_of(position: Position) -> Outcome:
    """Return the outcome of a game that ended in a position. Raises ValueError if it is not over."""
    if not position.end:
        raise ValueError("the game is not over: the side to move has a legal move")
    if position.end == MATE:
        return Outcome(points=won_by(1 - position.turn, 2), ending=CHECKMATE)
    return Outcome(points=shared(2), ending=Ending(position.end))


def diagram(position: Position, marked: Collection[int] = ()) -> str:
    """Draw a board as lines of text, White at the bottom.

    Args:
        marked: Squares with brackets around them.
    """
    rows = []
    for row in range(56, -1, -8):
        signs = [SIGNS[code] for code in position.board[row : row + 8]]
        rows.append(row_text(f"{row // 8 + 1}", signs, [square - row for square in marked]))
    return "\n".join((*rows, "  a b c d e f g h"))


def _refusal(position: Position, seat: int, move: str) -> str:
    if position.end:
        return "the game is over"
    turn = position.turn
    if seat != turn:
        return "not to move"
    if not isinstance(move, str) or (known := MOVES.get(move)) is None:
        return f"no such move: {quote(str(move))}"
    start, goal, _, start_bit, goal_bit, promoted = known
    code = position.board[start]
    if not position.own & start_bit:
        what = f"{_SIDES[1 - turn]}'s {KIND_NAMES[code & 7]}" if code else "no piece"
        return f"there is {what} on {NAMES[start]}"
    kind = code & 7
    if kind == PAWN and goal // 8 in (0, 7) and not promoted:
        tried = played(position, f"{move}q")
        if tried is not None:
            return "the piece to promote to is missing"
    where = f"the {KIND_NAMES[kind]} on {NAMES[start]}"
    if promoted and (kind != PAWN or goal // 8 not in (0, 7)):
        return f"{where} does not promote by this move"
    if kind == KING and (position.rights & goal_bit & position.own or abs(start - goal) == 2):
        return "castling is not possible now"
    if position.own & goal_bit:
        return f"{NAMES[goal]} is occupied by an own piece"
    if not reaches(position, move):
        return f"{where} cannot go to {NAMES[goal]}"
    if kind == KING:
        return f"{NAMES[goal]} is attacked"
    return "it leaves the king in check" if position.check else f"{where} is pinned"
