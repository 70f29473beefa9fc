"""Records of gomoku as lines of text: the stones (pos), and what the players said (messages).

The shortest record (pos) has the stones of a game on one line, ``h8i9g7``, Black's first. A letter is the
column from the left, a number the row from the top; after z come aa, ab and so on. Files of positions and
openings of several programs are of such lines, one a game, and have nothing else: c-gomoku-cli takes any
other line for an opening. So the file tells neither size nor rules nor result.

::

    h8i9g7f6

Files of earlier versions of gyoji have a comment with all of these behind the stones, which is still read.

::

    # 15x15 renju W+F

Messages are the players' public words while the game went on (MESSAGE), a line each. Written only.

::

    ----------------------------------------
    Game ID: alpha_v_beta_3
    Engines: alpha x beta           Black's first
    5) alpha: depth 8, ev 31        at the game's 5th stone; "swap)" at none
    end) beta: hopeless             not about a move of the game
"""

import re
from dataclasses import replace

from gyoji.core.game import RecordFormat
from gyoji.core.record import GameRecord, VoidGame
from gyoji.core.replay import Replay, Wanted
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable, quote
from gyoji.games.gomoku.account import Account, check_size, claim_of_result, lines_of
from gyoji.games.gomoku.account import replay as replay_account
from gyoji.games.gomoku.played import (
    SWAPPED,
    opening_of,
    refused_in,
    sides_of,
    stones_in,
)

_TOLD = re.compile(r"#\s*([0-9]{1,4})x([0-9]{1,4})\s+(\S+(?:\s+\+\S+)*)(?:\s+([bw]\+\S*|0|\?|void))?")
_STONE = re.compile(r"([a-z]{1,3})([0-9]{1,3})[\s,]*")


def write_pos(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """The game's stones on a line, the one that lost because the rules refuse it included."""
    moves = [move for turn in record.turns for _, move, *_ in turn if move != SWAPPED]
    if (refused := refused_in(record)) is not None:
        moves.append(refused.move)
    return f"{opening_of(spec.options, record)}{''.join(moves)}\n".encode()


def replay_pos(data: bytes, wanted: Wanted) -> list[Replay]:
    """The games of a file, judged again. Raises ValueError for what is no such file."""
    return [replay_account(account, wanted) for account in read_pos(data)]


def read_pos(data: bytes) -> list[Account]:
    """The accounts in a file, one a line; blank lines and comments that are not ours are left out.

    An empty file is a game without stones. Raises ValueError naming the line.
    """
    if not data.strip():
        return [Account(stones=(), notes=("the file is empty: a game without stones",))]
    accounts: list[Account] = []
    open_line = 0  # of the stones that a comment may follow
    for number, line in lines_of(data):
        text = line.strip().lower()
        if text and not text.startswith("#"):
            stones = _stones(number, text)
            accounts.append(Account(stones=stones, lines=(number,) * len(stones)))
            open_line = number
        elif (told := _TOLD.fullmatch(text)) is not None:
            bare = accounts.pop() if open_line == number - 1 else Account(stones=())
            accounts.append(_with(bare, told, number))
    if not accounts:
        raise ValueError(f"line {number}: stones such as h8i9 were expected, found the end")
    return accounts


def _with(account: Account, told: re.Match[str], number: int) -> Account:
    """A game with what its comment tells. Raises ValueError for a board that gomoku has not."""
    size = int(told[1]), int(told[2])
    try:
        check_size(size)
    except ValueError as error:
        raise ValueError(f"line {number}: {error}") from None
    return replace(account, size=size, rule=told[3], claim=claim_of_result((told[4] or "").upper()))


def _stones(number: int, text: str) -> tuple[tuple[int, int], ...]:
    stones = []
    at = 0
    while (match := _STONE.match(text, at)) is not None:
        stones.append((_column(match[1]), int(match[2]) - 1))
        at = match.end()
    if at < len(text):
        raise ValueError(f"line {number}: stones such as h8i9 were expected, found {quote(text[at:])}")
    return tuple(stones)


def _column(letters: str) -> int:
    """The column, from 0, of letters a to z, aa ...

    >>> _column("a"), _column("z"), _column("aa"), _column("dw")
    (0, 25, 26, 126)
    """
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - ord("a") + 1
    return column - 1


_LONGEST = 8000  # of a line, as in Piskvork


def write_messages(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """The lines of a game, under a heading."""
    opening = opening_of(spec.options, record)
    codes = spec.codes
    sides = sides_of(record, opening)
    black, white = (codes[sides.index(side)] for side in (0, 1))
    lines = ["-" * 40, f"Game ID: {spec.id}", f"Engines: {black} x {white}"]
    count = len(stones_in(opening))
    for seat, move, _, comment, *_ in (played for turn in record.turns for played in turn):
        stones = len(stones_in(move))
        if comment:
            lines += _said(str(count + 1) if stones else "swap", codes[seat], comment)
        count += stones
    if isinstance(record, GameRecord):
        for seat, words in record.final_remarks:
            lines += _said("end", codes[seat], words)
    return "\n".join([*lines, ""]).encode("utf-8", "replace")


def _said(when: str, code: str, words: str) -> list[str]:
    return [f"{when}) {code}: {printable(line, _LONGEST)}" for line in words.splitlines()]


POS = RecordFormat(suffix=".pos", write=write_pos, replay=replay_pos)
MESSAGES = RecordFormat(suffix=".messages.txt", write=write_messages)
