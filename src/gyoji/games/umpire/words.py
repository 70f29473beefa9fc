"""The umpire's messages and choices in the form for human players."""

import json
from collections.abc import Sequence
from typing import Any

from gyoji.games.umpire.messages import Ask, Picture
from gyoji.games.umpire.position import Json, View


def choices_of(ask: Ask) -> tuple[str, ...]:
    """Return the choices of a question as answers: texts, or JSON."""
    values: Sequence[Any] = ask.choices
    return tuple(
        [each if isinstance(each, str) else Json(json.dumps(each, separators=(",", ":"))) for each in values]
    )


def said_to(view: View) -> list[str]:
    """Return the messages to a seat since its last answer, and its question, as lines of text."""
    said = (*view.told, *([bytes(view.ask.say).decode()] if view.ask is not None else []))
    return [text for each in said for text in plain(each).split("\n")]


def plain(said: str) -> str:
    """Return a message, given as JSON, in the form for people: a text unchanged, else the JSON."""
    return str(json.loads(said)) if said.startswith('"') else said


def picture_lines(picture: Picture) -> list[str]:
    """Return a picture as lines of text.

    >>> picture_lines(Picture(grid=(("X", ""), ("", "O")), text="O to move"))
    ['X .', '. O', 'O to move']
    """
    cells = [[str(each) or "." for each in row] for row in picture.grid]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        " ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells
    ]
    if picture.table is not None:
        rows = [tuple(map(str, row)) for row in (picture.table.columns, *picture.table.rows) if row]
        lines += ["  ".join(row) for row in rows]
    return lines + (picture.text.split("\n") if picture.text else [])
