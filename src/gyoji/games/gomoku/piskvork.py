"""The records of Piskvork: PSQ, written and read, and REC, the older one, read only.

The sites and tools around Gomocup write and read PSQ too.

::

    Piskvorky 20x20, 7:11, 0        columns x rows, level of each player, who of the two had the first stone
    10,10,0                         column, row, from 1; ms the stone took, 0 for one of the opening
    11,12,4500
    pbrain-alpha.exe                the two players, if they are programs in a tournament
    pbrain-beta.exe
    0                               0 a normal end, 15 out of time, -2 another fault, -1 not known
    1,renju                         who has won, and the tournament: as GomocupJudge has it

The code does not say who has won: with 15 and -2 whoever was to move has lost, or whoever made the last move
if that is against the rules; else the stones tell. GomocupJudge writes -1 and the last line. Its 1 is whoever
had the first move after the opening, so White if that had an odd number of stones, and the file does not say
how many; 0 is a draw. We write both, the rules in the tournament's place, and -1 where nobody knows who won.

We list Black first. Lines end in CR LF, as Piskvork's do. A stone that lost because the rules refuse it is
the last one.

REC, from Gomotur, is of games on 20 columns and rows.

::

    pbrain-alpha.exe                who had the first stone, and the other one
    pbrain-beta.exe
    9,9,0                           column, row, from 0; ms the stone took
    10,11,4500
    0                               the code, as in PSQ; it may be missing
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType

from gyoji.core.boards import columns_rows
from gyoji.core.game import RecordFormat
from gyoji.core.outcome import Ending
from gyoji.core.record import GameRecord, VoidGame
from gyoji.core.replay import Replay, Wanted
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable, quote
from gyoji.games.gomoku import account as told
from gyoji.games.gomoku.account import NOTHING, Account, Claim, Line
from gyoji.games.gomoku.account import replay as replay_account
from gyoji.games.gomoku.board import column_name
from gyoji.games.gomoku.played import (
    SWAPPED,
    format_terms,
    opening_of,
    parse_terms,
    refused_in,
    sides_of,
    stones_in,
)
from gyoji.games.gomoku.rules import FIVE

_LEVELS = (100, 300, 600, 1000, 1500, 2500, 5000, 10_000, 15_000, 30_000, 60_000)
"""Piskvork's levels of strength, from 1, by the ms a player has for a move."""

_CODES: Mapping[Ending, int] = MappingProxyType(
    {
        FIVE: told.NORMAL,
        Ending.FULL: told.NORMAL,
        Ending.TIME: told.TIMEOUT,
    }
)
"""The others are faults, or ends that Piskvork does not know."""

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
"""Words in the name of a tournament of Gomocup that tell the rule; a Fastgame is freestyle."""


# Written


def write_psq(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """The file of a game. Raises ValueError for a stone that is not on the board.

    Of a move of several stones the first one has the time. A swap has no stone: its time goes to the next
    one of the same player.
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
    players = [spec.players[sides.index(side)] for side in (0, 1)]
    levels = ":".join(str(_level((player.clock or spec.clock).move)) for player in players)
    header = f"Piskvorky {width}x{height}, {levels}, 0"
    names = [player.code for player in players]
    judged = f"{_judged(record, sides, len(stones_in(opening)))},{format_terms(options)}"
    return "\r\n".join([header, *lines, *names, _code(record), judged, ""]).encode()


@cache
def _starts(width: int, height: int) -> Mapping[str, str]:
    """The beginning of a stone's line, for every point of the board."""
    columns = [(x + 1, column_name(x)) for x in range(width)]
    rows = range(1, height + 1)
    return MappingProxyType({f"{name}{y}": f"{x},{y}," for x, name in columns for y in rows})


def _level(limit: int) -> int:
    """The level of a player with so many ns for a move; 0 stands for no limit."""
    reached = sum(limit // 1_000_000 >= ms for ms in _LEVELS) if limit else len(_LEVELS)
    return max(reached, 1)


def _code(record: GameRecord | VoidGame) -> str:
    if isinstance(record, VoidGame):
        return str(told.UNKNOWN)
    ending = record.result.outcome.ending
    return str(_CODES.get(ending, told.ERROR if ending.is_forfeit else told.UNKNOWN))


def _judged(record: GameRecord | VoidGame, sides: Sequence[int], opening: int) -> int:
    """GomocupJudge's word for who has won, after an opening of so many stones; -1 if that is not known."""
    points = record.result.outcome.points if isinstance(record, GameRecord) else None
    if points is None:
        return -1
    winner = record.result.outcome.winner if isinstance(record, GameRecord) else None
    if winner is None:
        return 0
    return 1 if sides[winner] == opening & 1 else 2


# Read


def replay_psq(data: bytes, wanted: Wanted) -> list[Replay]:
    """The game of a file, judged again. Raises ValueError for what is no such file."""
    return [replay_account(read_psq(data), wanted)]


def read_psq(data: bytes) -> Account:
    """The account of a .psq file. Raises ValueError naming the line.

    Other blanks than Piskvork's and blank lines, missing players and a missing code are taken as meant.
    """
    (_, first), *lines = told.lines_of(data)
    if (header := _HEADER.fullmatch(first)) is None:
        raise ValueError(f"line 1: 'Piskvorky 15x15, 11:11, 0' was expected, found {quote(first)}")
    size = int(header[1]), int(header[2])
    try:
        told.check_size(size)
    except ValueError as error:
        raise ValueError(f"line 1: {error}") from None
    stones, numbers = told.read_stones(lines, 1)
    after = numbers[-1] if numbers else 1
    (one, two), tail = _players([line for line in lines[after - 1 :] if line[1].strip()])
    black, white = (two, one) if header[3] == "1" else (one, two)
    claim, rule, notes = told.NOTHING, "", ["the file has no code: its end may be missing"]
    if tail:
        claim, rule, notes = _end(tail, len(stones), size)
    return Account(
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
    """The two players, "" where the code follows at once, and the lines after them."""
    if not tail or told.is_code(tail[0]):
        return ("", ""), tail
    number, text = tail[0]
    if _NUMBERS.fullmatch(text) or told.read_stones(tail[1:3], 1)[0]:
        raise ValueError(f"line {number}: a stone such as 8,8,1500 was expected, found {quote(text)}")
    if len(tail) == 1:
        told.read_code(tail[0])
    return (text.strip(), tail[1][1].strip()), tail[2:]


def _end(tail: Sequence[Line], stones: int, size: tuple[int, int]) -> tuple[Claim, str, list[str]]:
    """(what is claimed, the rule, notes) from the lines that begin with the code."""
    code, *more = tail
    claim = told.claim_of_code(told.read_code(code), stones, size)
    if not more or (judged := _JUDGE.fullmatch(more[0][1])) is None:
        return claim, "", ["what follows the code is left out"] if more else []
    if claim.fits == told.NOTHING.fits:
        claim = _JUDGED.get(judged[1], claim)
    try:
        return claim, format_terms(parse_terms(judged[2])), []
    except ValueError:
        rule = next((word for word in _LEAGUES if word in judged[2].lower()), "")
    rule = "freestyle" if rule == "fastgame" else rule
    notes = [f"the rules are those in the tournament's name, {printable(judged[2], 40)}"] if rule else []
    return claim, rule, notes


_REC_SIZE = (20, 20)


def replay_rec(data: bytes, wanted: Wanted) -> list[Replay]:
    """The game of a file, judged again. Raises ValueError for what is no such file."""
    return [replay_account(read_rec(data), wanted)]


def read_rec(data: bytes) -> Account:
    """The account of a .rec file. Raises ValueError naming the line."""
    lines = told.lines_of(data)
    names, rest = lines[:2], lines[2:]
    stones, numbers = told.read_stones(rest, 0)
    if not stones:
        found = next((line for line in lines[2:] if line[1].strip()), lines[-1])
        raise ValueError(
            f"line {found[0]}: a stone such as 9,9,1500 was expected after two names, found {quote(found[1])}"
        )
    tail = [line for line in lines[numbers[-1] :] if line[1].strip()]
    claim = told.claim_of_code(told.read_code(tail[0]), len(stones), _REC_SIZE) if tail else NOTHING
    return Account(
        stones=tuple(stones),
        lines=tuple(numbers),
        size=_REC_SIZE,
        black=names[0][1].strip(),
        white=names[1][1].strip(),
        claim=claim,
    )


PSQ = RecordFormat(suffix=".psq", write=write_psq, replay=replay_psq, content=read_psq)
REC = RecordFormat(suffix=".rec", replay=replay_rec)
