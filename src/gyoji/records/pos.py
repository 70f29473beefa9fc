"""pos, the shortest record of Gomoku: the stones of a game on one line, ``h8i9g7``, Black's first.

A letter is the column from the left, a number the row from the top; after z come aa, ab and so on. Files of
positions and openings of several programs are of such lines, one a game. Size and rules are not in them.
"""

import re

from gyoji.core.record import GameRecord, VoidGame
from gyoji.core.replay import Replay, Wanted
from gyoji.core.spec import GameSpec
from gyoji.core.text import quote
from gyoji.games.gomoku.recorded.account import Account, lines_of
from gyoji.games.gomoku.recorded.played import SWAPPED
from gyoji.games.gomoku.recorded.replay import replay as replay_account

suffix = ".pos"

_STONE = re.compile(r"([a-z]{1,3})([0-9]{1,3})[\s,]*")


def write(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """The game's stones on a line."""
    moves = [move for turn in record.turns for _, move, *_ in turn if move != SWAPPED]
    return f"{spec.options.get('opening', '')}{''.join(moves)}\n".encode()


def replay(data: bytes, wanted: Wanted) -> list[Replay]:
    """The games of a file, judged again. Raises ValueError for what is no such file."""
    return [replay_account(account, wanted) for account in read(data)]


def read(data: bytes) -> list[Account]:
    """What the lines of a file tell; blank ones and those that begin with # are left out.

    Raises ValueError naming the line, also for a file that has none.
    """
    lines = [(number, text.strip().lower()) for number, text in lines_of(data)]
    games = [(number, text) for number, text in lines if text and not text.startswith("#")]
    if not games:
        raise ValueError(f"line {len(lines)}: stones such as h8i9 were expected, found the end")
    accounts = []
    for number, text in games:
        stones = _stones(number, text)
        accounts.append(Account(stones=stones, lines=(number,) * len(stones)))
    return accounts


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
