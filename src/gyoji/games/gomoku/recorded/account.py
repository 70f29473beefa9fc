"""What a file tells of a game of gomoku, before the rules have said anything about it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from gyoji.core.text import printable, quote
from gyoji.games.gomoku.board import MAX_SIDE, MIN_SIDE

Point: TypeAlias = tuple[int, int]
"""(column, row), both from 0, the row from the top; in a file it may be off the board."""

Line: TypeAlias = tuple[int, str]
"""A line of a file with its number, from 1."""

NORMAL, TIMEOUT, ERROR, UNKNOWN = 0, 15, -2, -1
"""Piskvork's codes for the end of a game."""

_LINE_END = re.compile(r"\r\n|\n|\r")
_STONE = re.compile(r"\s*(-?[0-9]{1,9})\s*,\s*(-?[0-9]{1,9})\s*(?:,\s*-?[0-9]{1,18}\s*)?")
_CODE = re.compile(r"\s*(-?[0-9]{1,9})\s*")
_ROOM = 25  # Piskvork calls a game level as soon as no more points than these are left


class Claim(NamedTuple):
    """What a record says of the end.

    text  as people would write it.
    fits  the ends by the rules that do not contradict it: "B" or "W" has won, "0" nobody, "-" not over.
    if_refused  "B" or "W": who has won if the last stone is the fault that it speaks of; "" if of none.
    """

    text: str
    fits: str = "BW0-"
    if_refused: str = ""

    def of_refused(self) -> "Claim":
        """What it says if the last stone is that fault."""
        return Claim(f"{self.if_refused}{self.text[1:]}", self.if_refused)


NOTHING = Claim("nothing")


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """All that a file tells of one game.

    stones   in playing order; lines: the number of the line where each stands, () if there are no lines.
    colours  of the stones, 0 Black, if the file gives them; () if they alternate, Black first.
    size     columns and rows; None if it does not tell.
    rule     as `terms` writes it, or in somebody else's words; "" for none.
    notes    what was taken otherwise than it stands in the file.
    """

    stones: tuple[Point, ...]
    lines: tuple[int, ...] = ()
    colours: tuple[int, ...] = ()
    size: tuple[int, int] | None = None
    rule: str = ""
    black: str = ""
    white: str = ""
    claim: Claim = NOTHING
    notes: tuple[str, ...] = ()


def lines_of(data: bytes) -> list[Line]:
    """The lines of a text file, whatever ends them. Nothing is refused: what is no text is no move either."""
    text = data.decode("utf-8-sig", "replace")
    return list(enumerate(_LINE_END.split(text), 1))


def check_size(size: tuple[int, int]) -> None:
    """Raise ValueError for a board that gomoku has not."""
    if not all(MIN_SIDE <= side <= MAX_SIDE for side in size):
        expected = f"expected {MIN_SIDE} to {MAX_SIDE} columns and rows"
        raise ValueError(f"a board of {size[0]}x{size[1]}: {expected}")


def read_stones(lines: Sequence[Line], first: int) -> tuple[list[Point], list[int]]:
    """The stones of leading lines ``column,row[,ms]``, counted from `first`, and the numbers of these lines.

    Blank lines between them are left out.
    """
    stones: list[Point] = []
    numbers: list[int] = []
    for number, line in lines:
        if (match := _STONE.fullmatch(line)) is not None:
            stones.append((int(match[1]) - first, int(match[2]) - first))
            numbers.append(number)
        elif line.strip():
            break
    return stones, numbers


def is_code(line: Line) -> bool:
    """Whether a line is a number and no more."""
    return _CODE.fullmatch(line[1]) is not None


def read_code(line: Line) -> int:
    """Piskvork's code on a line. Raises ValueError naming the line."""
    number, text = line
    if (match := _CODE.fullmatch(text)) is None:
        raise ValueError(f"line {number}: a code such as 0, 15 or -1 was expected, found {quote(text)}")
    return int(match[1])


def claim_of_code(code: int, stones: int, size: tuple[int, int]) -> Claim:
    """What a code claims after so many stones: who was to move has lost, if it is no normal end."""
    if code == NORMAL:
        is_level = stones >= size[0] * size[1] - _ROOM
        return Claim(f"a normal end (code {code})", "BW0-" if is_level else "BW0")
    if code in (TIMEOUT, ERROR):
        winner, mover = "WB"[stones & 1], "BW"[stones & 1]
        if code == TIMEOUT:
            return Claim(f"{winner}+T (code {code})", f"{winner}-")
        return Claim(f"{winner}+F (code {code})", f"{winner}-", mover if stones else "")
    return Claim(f"nothing (code {code})")


def claim_of_result(result: str) -> Claim:
    """What a result such as ``W+F`` or ``0`` claims; nothing that could be compared if it is no such."""
    code = result.upper()
    if code[:2] in ("B+", "W+"):
        return Claim(printable(result, 40), f"{code[0]}-", code[0] if code == f"{code[0]}+F" else "")
    if code in ("0", "DRAW"):
        return Claim("0", "0-")
    return Claim(printable(result, 40)) if result else NOTHING
