"""The check of an umpire's picture: whether it can be drawn."""

from gyoji.games.umpire.messages import Picture

MOST_PLACES = 10_000
"""The maximum number of places in a picture."""


def check_picture(picture: Picture, before: Picture | None) -> None:
    """Raise ValueError if a picture cannot be drawn, or differs in size from the previous one."""
    height, width = size = _size(picture)
    if any(len(row) != width for row in picture.grid):
        raise ValueError("picture: grid: the rows have different lengths")
    if height * width > MOST_PLACES:
        raise ValueError(f"picture: grid: expected {MOST_PLACES} places at most, got {height * width}")
    if before is not None and before.grid and picture.grid and _size(before) != size:
        raise ValueError(f"picture: grid: it was {_size(before)}, and is {size} now")
    for name, given, count in (("columns", picture.columns, width), ("rows", picture.rows, height)):
        if given and len(given) != count:
            raise ValueError(f"picture: {name}: expected {count} names, got {len(given)}")
    ends = [place for arrow in picture.arrows for place in (arrow[:2], arrow[2:])]
    for row, column in (*picture.marks, *ends):
        if not (0 <= row < height and 0 <= column < width):
            raise ValueError(f"picture: there is no place ({row}, {column})")


def _size(picture: Picture) -> tuple[int, int]:
    """Return the rows and columns of a picture's grid."""
    return len(picture.grid), len(picture.grid[0]) if picture.grid else 0
