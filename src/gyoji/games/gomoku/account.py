"""Games of gomoku out of files: what a file tells, judged again by the rules.

An `Account` is what a file tells, before the rules have said anything about it. Played over by the rules it
becomes a `Replay`: whether every stone stands, and who has won. A record is a list of stones in playing
order, Black's first, whoever placed them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from gyoji.core.describe import result_code
from gyoji.core.faults import ConfigError, IllegalMove
from gyoji.core.replay import Replay, Wanted
from gyoji.core.text import printable, quote
from gyoji.games.gomoku.board import MAX_SIDE, MIN_SIDE, column_name
from gyoji.games.gomoku.options import Options, rules
from gyoji.games.gomoku.played import format_terms, parse_terms
from gyoji.games.gomoku.position import Position
from gyoji.games.gomoku.rules import GomokuRules

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
    """A record's claim about the end.

    text  as people would write it.
    fits  the ends by the rules that do not contradict it: "B" or "W" has won, "0" nobody, "-" not over.
    if_refused  "B" or "W": who has won if the last stone is the fault that it speaks of; "" if of none.
    """

    text: str
    fits: str = "BW0-"
    if_refused: str = ""

    def of_refused(self) -> "Claim":
        """The claim if the last stone is that fault."""
        return Claim(f"{self.if_refused}{self.text[1:]}", self.if_refused)


NOTHING = Claim("nothing")


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """All that a file tells of one game.

    stones   in playing order; lines: the number of the line where each stands, () if there are no lines.
    colours  of the stones, 0 Black, if the file gives them; () if they alternate, Black first.
    size     columns and rows; None if it does not tell.
    rule     as `format_terms` writes it, or in somebody else's words; "" for none.
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
    """The claim of a code after so many stones: after a timeout or an error the player to move has lost."""
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
    """The claim of a result such as ``W+F`` or ``0``; any other text fits every end."""
    code = result.upper()
    if code[:2] in ("B+", "W+"):
        return Claim(printable(result, 40), f"{code[0]}-", code[0] if code == f"{code[0]}+F" else "")
    if code in ("0", "DRAW"):
        return Claim("0", "0-")
    return Claim(printable(result, 40)) if result else NOTHING


TAKES = ("rules", "size")
"""The fields of `Wanted` that a game of gomoku has."""

USUAL_RULE = "freestyle"
"""The rule of a file that names none, or none that we know."""

USUAL_SIZE = (15, 15)

_COLOURS = ("Black", "White")
_OPEN = "-"


class Judged(NamedTuple):
    """The game by the rules.

    end       "B" or "W" has won, "0" nobody, "-" it is not over; text is the same with the reason.
    refusal   the stone that the rules refuse, and why; "" if they refuse none.
    position  the last one before that.
    is_last   whether the stone that is refused is the last one.
    """

    end: str
    text: str
    refusal: str
    position: Position
    is_last: bool = False


def replay(account: Account, wanted: Wanted) -> Replay:
    """Replay an account.

    Raises ConfigError for what is asked for and does not fit, ValueError for a stone that is off the board.
    """
    wanted.check_fits("gomoku", TAKES)
    made, terms, notes = _rules(account, wanted)
    judged = _judge(account, made)
    claim = account.claim
    is_forfeit = judged.is_last and judged.end == claim.if_refused
    if is_forfeit:
        claim = claim.of_refused()
    differs = judged.end not in claim.fits
    verdict = f"the record says {claim.text}, the rules {judged.text}"
    return Replay(
        facts=_facts(account, made, terms),
        notes=notes,
        refusals=(judged.refusal,) if judged.refusal and not is_forfeit else (),
        forfeit=judged.refusal if is_forfeit else "",
        diagram=made.render(judged.position),
        verdict=f"{verdict}: they differ" if differs else verdict,
        differs=differs,
    )


def _facts(account: Account, made: GomokuRules, terms: str) -> tuple[tuple[str, str], ...]:
    return (
        ("black", printable(account.black, 60) or "?"),
        ("white", printable(account.white, 60) or "?"),
        ("size", str(made.width) if made.width == made.height else f"{made.width}x{made.height}"),
        ("rules", terms),
        ("stones", str(len(account.stones))),
    )


# By which rules


def _rules(account: Account, wanted: Wanted) -> tuple[GomokuRules, str, tuple[str, ...]]:
    """The rules, their text, and what was assumed. Raises ConfigError for unknown ones that are asked for."""
    notes = list(account.notes)
    size = wanted.size or account.size
    if size is None:
        size = USUAL_SIZE
        notes.append(f"the file gives no size: it is taken as {size[0]}")
    try:
        check_size(size)
    except ValueError as error:
        if wanted.size:
            raise ConfigError(f"size: {error}") from None
        raise
    if wanted.rules is None:
        terms, note = _recorded_terms(account.rule)
        return _made(size, terms), terms, (*notes, note) if note else tuple(notes)
    try:
        terms = format_terms(parse_terms(wanted.rules))
        return _made(size, terms), terms, tuple(notes)
    except ValueError as error:
        raise ConfigError(f"rules: {error}") from None


def _recorded_terms(rule: str) -> tuple[str, str]:
    """The rules that a file names, and what is to be said about that."""
    if not rule:
        return USUAL_RULE, f"the file names no rules: {USUAL_RULE} is taken"
    try:
        return format_terms(parse_terms(rule)), ""
    except ValueError:
        return USUAL_RULE, f"{printable(rule, 60)!r} are no rules we know: {USUAL_RULE} is taken"


@lru_cache(maxsize=64)
def _made(size: tuple[int, int], terms: str) -> GomokuRules:
    """The rules, once for all the games that are played by them; how sides were chosen is over by then."""
    return rules(Options(board_size=size, **{**parse_terms(terms), "swap2": False}))


# What they say


def _judge(account: Account, made: GomokuRules) -> Judged:
    """The game to its end, or to the first stone that is refused. Raises ValueError for one off the board."""
    position = made.start()
    play, point, colours = made.play, made.point, account.colours
    for index, (x, y) in enumerate(account.stones):
        colour = index & 1
        try:
            if colours and colours[index] != colour:
                raise IllegalMove(colour, f"it is {_COLOURS[colour]}'s turn")
            position = play(position, ((colour, point(x, y)),))
        except IllegalMove as error:
            return _refused(account, made, index, position, error.reason)
        except ValueError:
            where = f"column {x + 1}, row {y + 1}"
            board = f"{made.width}x{made.height}"
            raise ValueError(f"{_line(account, index)}{where} is off the {board} board") from None
    return Judged(*_end(made, position), "", position)


def _refused(account: Account, made: GomokuRules, index: int, position: Position, reason: str) -> Judged:
    """The game that stops at the stone of that index: lost by it, unless it was over."""
    x, y = account.stones[index]
    colour = account.colours[index] if account.colours else index & 1
    end, text = _end(made, position)
    is_lost_by_it = end == _OPEN
    if is_lost_by_it:
        end = "WB"[colour]
        text = f"{end}+F (illegal move)"
    else:
        reason = f"{reason}: {text}"
    stone = f"move {index + 1}, {_COLOURS[colour]} {column_name(x)}{y + 1}"
    is_last = is_lost_by_it and index + 1 == len(account.stones)
    return Judged(end, text, f"{_line(account, index)}{stone}: {reason}", position, is_last)


def _line(account: Account, index: int) -> str:
    return f"line {account.lines[index]}: " if account.lines else ""


def _end(made: GomokuRules, position: Position) -> tuple[str, str]:
    """`Judged.end` and `text` of a position."""
    if made.acting(position):
        return _OPEN, "no end"
    outcome = made.outcome(position)
    code = result_code(outcome)
    return code[0], f"{code} ({outcome.detail or 'the board is full'})"
