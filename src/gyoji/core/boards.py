"""Helpers for games on boards: sets of points as bit masks, boards as text, and the option `board_size`."""

from collections.abc import Collection, Iterator, Sequence

from gyoji.core.text import quote_value


def bits(points: int) -> Iterator[int]:
    """Yield the indexes of the bits that are set, in ascending order.

    >>> list(bits(0b101001))
    [0, 3, 5]
    """
    while points:
        lowest = points & -points
        yield lowest.bit_length() - 1
        points ^= lowest


def row_text(label: str, signs: Sequence[str], marked: Collection[int] = ()) -> str:
    """Draw one row of a board: its label and one sign for each place. Marked places are in brackets.

    Args:
        marked: Indexes of the places to mark, from 0.

    >>> row_text(" 3", ".XOX"), row_text(" 3", ".XOX", {1}), row_text(" 3", ".XOX", {2, 3})
    (' 3 . X O X', ' 3 .(X)O X', ' 3 . X(O|X)')
    """
    text = label
    for place in range(len(signs) + 1):
        opens, closes = place in marked, place - 1 in marked
        text += "|" if opens and closes else "(" if opens else ")" if closes else " "
        text += signs[place] if place < len(signs) else ""
    return text.rstrip()


def is_whole(value: object) -> bool:
    """Return whether an option's value is an integer. Booleans do not count as integers."""
    return isinstance(value, int) and not isinstance(value, bool)


def columns_rows(board_size: object) -> tuple[int, int]:
    """Return (columns, rows) of the option `board_size`: one number for a square board, or a pair of numbers.

    The numbers themselves are not checked.

    Raises:
        ValueError: The value is a sequence whose length is not 2.
    """
    columns, rows = board_size if isinstance(board_size, list | tuple) else (board_size, board_size)
    return columns, rows


def check_board_size(board_size: object, least: int, most: int) -> None:
    """Raise ValueError unless `board_size` is an integer, or a pair of integers, in [`least`, `most`]."""
    try:
        sides = columns_rows(board_size)
    except ValueError:
        sides = 0, 0
    if not all(is_whole(side) and least <= side <= most for side in sides):
        got = quote_value(tuple(board_size) if isinstance(board_size, list) else board_size)
        raise ValueError(f"board_size: got {got}, expected {least} to {most}, or (columns, rows)")
