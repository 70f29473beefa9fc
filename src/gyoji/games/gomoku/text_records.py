"""Records of gomoku as lines of text: the stones (pos), and the players' messages.

A pos record has the stones of a game on one line, ``h8i9g7``, Black's first. A letter is the column from
the left, a number the row from the top; after z come aa, ab and so on. Files of positions and openings of
several programs have such lines, one for each game, and nothing else: c-gomoku-cli takes any other line
for an opening. So the file tells neither size nor rules nor result.

::

    h8i9g7f6

Messages are the players' public words during the game (MESSAGE), a line each. They are only written.

::

    ----------------------------------------
    Game ID: alpha_v_beta_3
    Engines: alpha x beta           Black's first
    5) alpha: depth 8, ev 31        at the game's 5th stone; "swap)" at none
    end) beta: hopeless             not about a move of the game
"""

import re

from gyoji.core.game import RecordFormat
from gyoji.core.record import GameRecord, VoidGame
from gyoji.core.replay import Replay, Wanted
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable, quote
from gyoji.games.gomoku.record_parts import (
    SWAPPED,
    opening_of,
    refused_in,
    sides_of,
    stones_in,
)
from gyoji.games.gomoku.replaying import RecordedGame, lines_of, replay

_STONE = re.compile(r"([a-z]{1,3})([0-9]{1,3})[\s,]*")


def write_pos(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """Return the game's stones on a line, with an illegal stone that lost the game."""
    moves = [move for turn in record.turns for _, move, *_ in turn if move != SWAPPED]
    if (refused := refused_in(record)) is not None:
        moves.append(refused.move)
    return f"{opening_of(spec.options, record)}{''.join(moves)}\n".encode()


def replay_pos(data: bytes, wanted: Wanted) -> list[Replay]:
    """Replay the games of a pos file. Raises ValueError if it is no such file."""
    return [replay(game, wanted) for game in read_pos(data)]


def read_pos(data: bytes) -> list[RecordedGame]:
    """Return the games of a pos file, one a line. Blank lines and comments are skipped.

    An empty file is a game without stones. Raises ValueError, which names the line.
    """
    if not data.strip():
        return [RecordedGame(stones=(), notes=("the file is empty: a game without stones",))]
    games: list[RecordedGame] = []
    for number, line in lines_of(data):
        text = line.strip().lower()
        if text and not text.startswith("#"):
            stones = _stones(number, text)
            games.append(RecordedGame(stones=stones, lines=(number,) * len(stones)))
    if not games:
        raise ValueError(f"line {number}: stones such as h8i9 were expected, found the end")
    return games


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
    """Return the column, from 0, of letters a to z, aa and so on.

    >>> _column("a"), _column("z"), _column("aa"), _column("dw")
    (0, 25, 26, 126)
    """
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - ord("a") + 1
    return column - 1


_LONGEST = 8000  # of a line, as in Piskvork


def write_messages(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """Return the messages of a game under a heading."""
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
