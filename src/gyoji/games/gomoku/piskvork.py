"""PSQ, the record format of Piskvork, which the sites and tools around Gomocup also use.

::

    Piskvorky 20x20, 7:11, 0        columns x rows, level of each player, which player had the first stone
    10,10,0                         column, row, from 1; ms of the stone, 0 in the opening
    11,12,4500
    pbrain-alpha.exe                the two players, if they are programs in a tournament
    pbrain-beta.exe
    0                               0 a normal end, 15 out of time, -2 another fault, -1 unknown
    1,renju                         the winner and the tournament, as GomocupJudge writes them

The code does not name the winner. With 15 and -2 the player to move lost, or the player of the last stone if
it is illegal; otherwise the stones decide. GomocupJudge writes the code -1 and the last line. In that line 1
is the player with the first move after the opening: White if the opening had an odd number of stones, which
the file does not say; 0 is a draw. gyoji writes both lines, with the rule in place of the tournament, and -1
if the winner is unknown. It lists Black first and ends lines with CR LF as Piskvork does. An illegal stone
that lost the game is the last stone.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TypeAlias

from gyoji.core.boards import columns_rows
from gyoji.core.game import RecordFormat
from gyoji.core.outcome import Ending
from gyoji.core.record import GameRecord, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable, quote
from gyoji.games.gomoku.board import column_name
from gyoji.games.gomoku.record_parts import (
    SWAPPED,
    format_terms,
    opening_of,
    parse_terms,
    refused_in,
    sides_of,
    stones_in,
)
from gyoji.games.gomoku.replaying import NOTHING, Claim, Point, RecordedGame, check_size, replay
from gyoji.games.gomoku.rules import FIVE

Line: TypeAlias = tuple[int, str]
"""A line of a file with its number, from 1."""

NORMAL, TIMEOUT, ERROR, UNKNOWN = 0, 15, -2, -1
"""Piskvork's codes for the end of a game: a normal end, out of time, another fault, unknown."""

_STONE = re.compile(r"\s*(-?[0-9]{1,9})\s*,\s*(-?[0-9]{1,9})\s*(?:,\s*-?[0-9]{1,18}\s*)?")
_CODE = re.compile(r"\s*(-?[0-9]{1,9})\s*")
_ROOM = 25  # Piskvork calls a game level as soon as no more points than these are left

_CODES: Mapping[Ending, int] = MappingProxyType({FIVE: NORMAL, Ending.FULL: NORMAL, Ending.TIME: TIMEOUT})
"""The codes of endings. Other endings are faults, or unknown to Piskvork."""

_HEADER = re.compile(
    r"\s*Piskvorky\s+([0-9]{1,4})\s*x\s*([0-9]{1,4})\s*(?:,[^,]*)?(?:,\s*([01])\s*)?", re.IGNORECASE
)
_NUMBERS = re.compile(r"[-+0-9., \t]+")
_JUDGE = re.compile(r"\s*(-1|[012])\s*,\s*(.*?)\s*")
_JUDGED: Mapping[str, Claim] = MappingProxyType(
    {
        "0": Claim("0 (a draw)", "0-"),
        "1": Claim("1 (the first to move has won)", "BW-"),
        "2": Claim("2 (the second to move has won)", "BW-"),
    }
)
_LEAGUES = ("renju", "caro", "standard", "freestyle", "fastgame")
"""Words in the name of a Gomocup tournament that indicate its rule. A Fastgame is freestyle."""


# Written


def write_psq(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """Return a game as a PSQ file. Raises ValueError for a stone off the board.

    The time of a move of several stones is written at the first one. A swap has no stone, so its time is
    added to the same player's next stone.
    """
    options = spec.options
    width, height = columns_rows(options["board_size"])
    opening = opening_of(options, record)
    sides = sides_of(record, opening)
    starts = _starts(width, height)
    kept = [0, 0]  # ns of swaps
    try:
        lines = [f"{starts[stone]}0" for stone in stones_in(opening)]
        for turn in record.turns:
            for seat, move, ns, *_ in turn:
                if (start := starts.get(move)) is not None:
                    lines.append(f"{start}{(ns + kept[seat]) // 1_000_000}")
                    kept[seat] = 0
                elif move == SWAPPED:
                    kept[seat] = ns
                else:
                    first, *others = [starts[stone] for stone in stones_in(move) or [move]]
                    lines.append(f"{first}{ns // 1_000_000}")
                    lines += [f"{other}0" for other in others]
        if (refused := refused_in(record)) is not None:
            lines.append(f"{starts[refused.move]}{(refused.ns + kept[refused.seat]) // 1_000_000}")
    except KeyError as error:
        stone = quote(str(error.args[0]))
        raise ValueError(f"game {spec.id}: {stone} is not on the {width}x{height} board") from None
    players = [spec.codes[sides.index(side)] for side in (0, 1)]
    # The levels of strength are those of built-in opponents, and 11:11 in the files of all tournaments.
    header = f"Piskvorky {width}x{height}, 11:11, 0"
    code, judged = _codes(record, sides, len(stones_in(opening)))
    end = [*players, str(code), f"{judged},{format_terms(options)}", ""]
    return "\r\n".join([header, *lines, *end]).encode()


@cache
def _starts(width: int, height: int) -> Mapping[str, str]:
    """Return {name of a point: the text with which the line of a stone on it begins in a PSQ file}."""
    columns = [(x + 1, column_name(x)) for x in range(width)]
    rows = range(1, height + 1)
    return MappingProxyType({f"{name}{y}": f"{x},{y}," for x, name in columns for y in rows})


def _codes(record: GameRecord | VoidGame, sides: Sequence[int], opening: int) -> tuple[int, int]:
    """Return (Piskvork's code for the end, GomocupJudge's number for the winner).

    Args:
        sides: The colour of each seat, 0 for Black.
        opening: The number of stones of the opening.
    """
    if isinstance(record, VoidGame):
        return UNKNOWN, -1
    outcome = record.result.outcome
    code = _CODES.get(outcome.ending, ERROR if outcome.ending.is_forfeit else UNKNOWN)
    if outcome.winner is None:
        return code, -1 if outcome.points is None else 0
    return code, 1 if sides[outcome.winner] == opening & 1 else 2


# Read


def read_psq(data: bytes) -> RecordedGame:
    """Parse a PSQ file. Raises ValueError, which names the line.

    Unusual blanks, blank lines, missing players and a missing code are accepted.
    """
    # Undecodable bytes are replaced, so that they cannot be part of a stone.
    (_, first), *lines = enumerate(data.decode("utf-8-sig", "replace").splitlines() or [""], 1)
    if (header := _HEADER.fullmatch(first)) is None:
        raise ValueError(f"line 1: 'Piskvorky 15x15, 11:11, 0' was expected, found {quote(first)}")
    size = int(header[1]), int(header[2])
    try:
        check_size(size)
    except ValueError as error:
        raise ValueError(f"line 1: {error}") from None
    stones, numbers = _read_stones(lines)
    after = numbers[-1] if numbers else 1
    (one, two), tail = _players([line for line in lines[after - 1 :] if line[1].strip()])
    black, white = (two, one) if header[3] == "1" else (one, two)
    claim, rule, notes = NOTHING, "", ["the file has no code: its end may be missing"]
    if tail:
        claim, rule, notes = _end(tail, len(stones), size)
    return RecordedGame(
        stones=tuple(stones),
        lines=tuple(numbers),
        size=size,
        rule=rule,
        black=black,
        white=white,
        claim=claim,
        notes=tuple(notes),
    )


def _players(tail: Sequence[Line]) -> tuple[tuple[str, str], Sequence[Line]]:
    """Split off the names of the two players from the lines after the stones.

    Returns:
        ((name of the first player, name of the second), lines after them). The names are "" if there are
        none.
    """
    if not tail or _CODE.fullmatch(tail[0][1]):
        return ("", ""), tail
    number, text = tail[0]
    if _NUMBERS.fullmatch(text) or _read_stones(tail[1:3])[0]:
        raise ValueError(f"line {number}: a stone such as 8,8,1500 was expected, found {quote(text)}")
    if len(tail) == 1:
        _read_code(tail[0])
    return (text.strip(), tail[1][1].strip()), tail[2:]


def _end(tail: Sequence[Line], stones: int, size: tuple[int, int]) -> tuple[Claim, str, list[str]]:
    """Parse the lines from Piskvork's code on. Return (claim, rule or "", notes).

    Args:
        stones: The number of stones of the game.
    """
    code, *more = tail
    claim = claim_of_code(_read_code(code), stones, size)
    if not more or (judged := _JUDGE.fullmatch(more[0][1])) is None:
        return claim, "", ["what follows the code is left out"] if more else []
    if claim.fits == NOTHING.fits:
        claim = _JUDGED.get(judged[1], claim)
    try:
        return claim, format_terms(parse_terms(judged[2])), []
    except ValueError:
        rule = next((word for word in _LEAGUES if word in judged[2].lower()), "")
    rule = "freestyle" if rule == "fastgame" else rule
    notes = [f"the rules are those in the tournament's name, {printable(judged[2], 40)}"] if rule else []
    return claim, rule, notes


def _read_stones(lines: Sequence[Line]) -> tuple[list[Point], list[int]]:
    """Parse leading lines ``column,row[,ms]``. Return (stones, numbers of their lines).

    Blank lines are skipped. In the file columns and rows count from 1, in the result from 0.
    """
    stones: list[Point] = []
    numbers: list[int] = []
    for number, line in lines:
        if (match := _STONE.fullmatch(line)) is not None:
            stones.append((int(match[1]) - 1, int(match[2]) - 1))
            numbers.append(number)
        elif line.strip():
            break
    return stones, numbers


def _read_code(line: Line) -> int:
    """Parse the line with Piskvork's code. Raises ValueError, which names the line."""
    number, text = line
    if (match := _CODE.fullmatch(text)) is None:
        raise ValueError(f"line {number}: a code such as 0, 15 or -1 was expected, found {quote(text)}")
    return int(match[1])


def claim_of_code(code: int, stones: int, size: tuple[int, int]) -> Claim:
    """Return what Piskvork's result code says about the end of a game.

    After a timeout the player to move has lost. After an error the player of the last stone has lost if the
    rules refuse that stone, else the player to move.

    Args:
        code: The code.
        stones: The number of stones that were played.
        size: Columns and rows of the board. Piskvork calls the game a draw when at most 25 points are empty.
    """
    if code == NORMAL:
        is_level = stones >= size[0] * size[1] - _ROOM
        return Claim(f"a normal end (code {code})", "BW0-" if is_level else "BW0")
    if code in (TIMEOUT, ERROR):
        winner, mover = "WB"[stones & 1], "BW"[stones & 1]
        if code == TIMEOUT:
            return Claim(f"{winner}+T (code {code})", f"{winner}-")
        return Claim(f"{winner}+F (code {code})", f"{winner}-", mover if stones else "")
    return Claim(f"nothing (code {code})")


PSQ = RecordFormat(
    suffix=".psq",
    write=write_psq,
    replay=lambda data, wanted: [replay(read_psq(data), wanted)],
    content=read_psq,
)
