"""The settings of a chess game, and the parsing of openings.

An opening is one of these texts:

* a position: a FEN, X-FEN or Shredder-FEN of four to six fields
* moves from the start position: ``e2e4 e7e5`` or ``e4 e5``
* both: ``FEN moves e2e4 e7e5``
* the number of a start position of Chess960 (``518``); of double Fischer random, White's and Black's numbers
  (``518 0``)

`opening_text` returns the canonical form: the position with all fields (omitted if it is the standard start),
then the moves in UCI notation.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gyoji.core.text import quote, quote_value
from gyoji.games.chess.fen import STANDARD_NUMBER, STANDARD_START, format_fen, read_fen, start_fen
from gyoji.games.chess.position import Position
from gyoji.games.chess.rules import CHESS960, DFRC, STANDARD, ChessRules
from gyoji.games.chess.san import read_move, read_san

VARIANTS = (STANDARD, CHESS960, DFRC)

_NUMBERS = re.compile(r"(\d{1,3})(?:[ /]+(\d{1,3}))?")
_MOVES = " moves "


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of one game. Raises ValueError for invalid ones.

    Attributes:
        variant: "standard", "chess960" or "dfrc". DFRC is double Fischer random: each side has its own start
            position of Chess960.
        opening: The opening, in one of the forms that the module describes; "" for the standard start
            position.
    """

    variant: Literal["standard", "chess960", "dfrc"] = "standard"
    opening: str = ""

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            got = quote_value(self.variant)
            raise ValueError(f"variant: got {got}, expected {', '.join(VARIANTS)}")
        if not isinstance(self.opening, str):
            raise ValueError(f"opening: got {quote_value(self.opening)}, expected a text: a FEN or moves")
        if self.opening:
            try:
                object.__setattr__(self, "opening", opening_text(rules(self)))
            except ValueError as error:
                raise ValueError(f"opening: {error}") from None


def rules(options: Options, seed: int = 0) -> ChessRules:
    """Return the rules with these options. `seed` is ignored, because chess has no chance."""
    first, moves = read_opening(options.opening, options.variant)
    return ChessRules(options.variant, first, moves)


def ordinary_start(variant: str) -> Position:
    """Return the start position of a variant for games without an opening."""
    return _STANDARD if variant == STANDARD else _STANDARD_960


_STANDARD = read_fen(STANDARD_START)
_STANDARD_960 = read_fen(start_fen(STANDARD_NUMBER), is_960=True)


def read_opening(text: str, variant: str) -> tuple[Position, tuple[str, ...]]:
    """Parse an opening into (first position, moves in UCI notation).

    Raises:
        ValueError: The text is not an opening of this variant, or a move is illegal.
    """
    text = " ".join(text.split())
    position, is_960 = ordinary_start(variant), variant != STANDARD
    if numbers := _NUMBERS.fullmatch(text):
        return _numbered(numbers, variant), ()
    before, found, after = f" {text} ".partition(_MOVES)
    if found or "/" in text:
        if before.strip():
            position = read_fen(before, is_960=is_960)
        text = after
    return position, read_moves(position, text.split())


def _numbered(numbers: re.Match[str], variant: str) -> Position:
    white, black = numbers.groups()
    if variant == STANDARD:
        raise ValueError(
            f"got {quote(numbers[0])}, a start position of Chess960: expected variant = chess960"
        )
    if black is not None and variant == CHESS960 and black != white:
        raise ValueError(f"got {quote(numbers[0])}, two start positions: expected variant = dfrc")
    return read_fen(start_fen(int(white), None if black is None else int(black)), is_960=True)


def read_moves(position: Position, words: Sequence[str]) -> tuple[str, ...]:
    """Convert moves in UCI notation or SAN to UCI notation. Move numbers are skipped.

    Args:
        position: The position before the first move.
        words: The moves and move numbers.

    Raises:
        ValueError: A word is not a move, or the move is illegal or ambiguous.
    """
    moves = []
    for number, word in enumerate(words, 1):
        text = re.sub(r"^\d+\.*", "", word)
        if not text:
            continue
        try:
            move = read_move(position, text)
            _, position = read_san(position, move)
        except ValueError as error:
            raise ValueError(f"move {number}: {error}") from None
        moves.append(move)
    return tuple(moves)


def opening_text(made: ChessRules) -> str:
    """Return the canonical text of the opening in `made`; "" for the standard start position."""
    moves = " ".join(move for _, move in made.opening_plays)
    if made.first == ordinary_start(made.variant):
        return moves
    fen = format_fen(made.first)
    return f"{fen}{_MOVES}{moves}" if moves else fen
