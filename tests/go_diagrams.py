"""Positions of Go from drawings of them."""

from gyoji.core.text import quote
from gyoji.games.go.board import BLACK, COLUMNS, EMPTY, KO, WHITE, Board
from gyoji.games.go.position import Position
from gyoji.games.go.rules import GoRules


def read_diagram(board: Board, text: str) -> tuple[int, int, int]:
    """Return the (black, white, ko) sets of a diagram, with or without coordinates; blanks do not count.

    Raises:
        ValueError: The diagram has another size, or an unknown sign.
    """
    rows = ["".join(line.split()).lstrip("0123456789") for line in text.splitlines()]
    rows = [row for row in rows if row]
    if len(rows) == board.height + 1 and rows[-1] == COLUMNS[: board.width]:
        rows.pop()
    if len(rows) != board.height or any(len(row) != board.width for row in rows):
        got = " ".join(rows)
        raise ValueError(f"expected {board.height} rows of {board.width}, got {quote(got)}")
    sets = {BLACK: 0, WHITE: 0, EMPTY: 0, KO: 0}
    for y, row in enumerate(reversed(rows)):
        for x, sign in enumerate(row):
            if sign not in sets:
                raise ValueError(f"{quote(sign)} in a diagram, expected one of {BLACK}{WHITE}{EMPTY}{KO}")
            sets[sign] |= 1 << board.bit(x, y)
    return sets[BLACK], sets[WHITE], sets[KO]


def drawn_position(rules: GoRules, text: str, *, to_play: int = 0) -> Position:
    """Return the position that `rules.render` would draw as this text, with no stone captured yet."""
    black, white, ko = read_diagram(rules.board, text)
    return rules.set_up(black, white, to_play=to_play, ko=ko)
