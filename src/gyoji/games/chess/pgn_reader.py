"""Reading games from PGN as a stream, with one game in memory at a time.

The reader accepts tags, the main line, comments in braces and after ``;``, numeric annotations (``$1``),
variations, lines that begin with ``%``, and the four results. Variations are skipped. Moves are kept as text:
the rules interpret them later.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from gyoji.core.text import quote
from gyoji.games.chess.fen import STANDARD_START, read_fen, start_fen
from gyoji.games.chess.position import Position
from gyoji.games.chess.rules import CHESS960, DFRC, STANDARD

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")

_TAG = re.compile(r'\s*\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\]|\\.)*)"\s*\]?\s*')
_ESCAPED = re.compile(r"\\(.)")
_TOKEN = re.compile(r"[^\s(){};$]+|\$\d*|[(){};]")
_NUMBER = re.compile(r"\d+\.*|\.+")
_NUMBERED = re.compile(r"\d+\.+")
_COMMENT_ONLY = re.compile(r"[!?]+|e\.p\.|N|\+-|-\+|=|D")

_STANDARD_NAMES = frozenset(("", "standard", "normal", "chess", "from position", "classical"))
_NAMES_960 = frozenset(
    ("chess960", "chess 960", "960", "fischerandom", "fischerrandom", "fischer random", "frc", "freestyle")
)
_NAMES_DFRC = frozenset(("dfrc", "double fischer random", "double fischerandom"))


class PgnMove(NamedTuple):
    """A move of a game's main line as text, and the comments after it."""

    text: str
    comment: str = ""


class PgnGame(NamedTuple):
    """A game as it is in a PGN file.

    Attributes:
        tags: The tag pairs.
        moves: The main line.
        result: The result at the end of the moves; "" if there is none.
        comment: The comments before the first move.
        line: The number of the line, from 1, on which the game begins.
    """

    tags: Mapping[str, str]
    moves: tuple[PgnMove, ...]
    result: str
    comment: str
    line: int


class _Moves:
    """Collects the main line of one game from lines of movetext."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.comments: list[list[str]] = [[]]  # before the first move, and after each
        self.depth = 0
        self.result = ""
        self.is_in_comment = False

    def add_line(self, line: str) -> None:
        """Add a line of movetext."""
        at = 0
        if self.is_in_comment:
            at = self._comment(line, 0)
        while (match := _TOKEN.search(line, at)) is not None:
            token, at = match[0], match.end()
            if token == "{":
                at = self._comment(line, at)
            elif token == ";":
                self._note(line[at:])
                return
            elif token == "(":
                self.depth += 1
            elif token == ")":
                self.depth = max(0, self.depth - 1)
            elif not self.depth and token[0] not in "$}":
                self._word(token)

    def _comment(self, line: str, at: int) -> int:
        """Add a comment that starts at an index. Return the index after it, or the end of the line."""
        end = line.find("}", at)
        self.is_in_comment = end < 0
        end = len(line) if end < 0 else end
        self._note(line[at:end])
        return end + 1

    def _note(self, text: str) -> None:
        if not self.depth:
            self.comments[-1].append(text.strip())

    def _word(self, token: str) -> None:
        if token in RESULTS:
            self.result = token
            return
        if _NUMBER.fullmatch(token) or _COMMENT_ONLY.fullmatch(token):
            return
        if (match := _NUMBERED.match(token)) is not None:
            token = token[match.end() :]
        self.words.append(token)
        self.comments.append([])


def read_games(lines: Iterable[str]) -> Iterator[PgnGame]:
    """Yield the games of a PGN file, given its lines.

    A game ends with its result, or where tags follow its moves.
    """
    tags: dict[str, str] = {}
    moves = _Moves()
    begun = 0

    def made() -> PgnGame:
        texts = [" ".join(filter(None, each)) for each in moves.comments]
        line = tuple(map(PgnMove, moves.words, texts[1:]))
        return PgnGame(tags, line, moves.result, texts[0], begun)

    for number, line in enumerate(lines, 1):
        if line.startswith("%") and not moves.is_in_comment:
            continue
        is_tag = not moves.is_in_comment and not moves.depth and line.lstrip().startswith("[")
        if is_tag and (match := _TAG.match(line)) is not None:
            if moves.words or moves.result or match[1] in tags:
                yield made()
                tags, moves, begun = {}, _Moves(), 0
            begun = begun or number
            tags[match[1]] = _ESCAPED.sub(r"\1", match[2])
            continue
        if not line.strip():
            continue
        begun = begun or number
        moves.add_line(line)
        if moves.result and not moves.is_in_comment:
            yield made()
            tags, moves, begun = {}, _Moves(), 0
    if tags or moves.words:
        yield made()


def lines_of(data: bytes, at: int = 0) -> Iterator[str]:
    """Yield the lines of a file from an offset on, without copying the file.

    Lines that are not valid UTF-8 are decoded as Latin-1.
    """
    at = at or (3 if data[:3] == b"\xef\xbb\xbf" else 0)
    size = len(data)
    while at < size:
        end = data.find(b"\n", at)
        end = size if end < 0 else end
        line = bytes(data[at:end])
        at = end + 1
        try:
            yield line.decode()
        except UnicodeDecodeError:
            yield line.decode("latin-1")


def first_position(tags: Mapping[str, str]) -> tuple[str, Position]:
    """Return (variant, first position) of a game.

    If the FEN has castling rights that only Chess960 allows, the game is of that variant even if its tag says
    standard or is missing. It is double Fischer random if the tag says so, or if the sides begin with
    different back ranks.

    Raises:
        ValueError: The variant is unknown, or the FEN is invalid.
    """
    name = tags.get("Variant", "").strip().lower()
    fen = tags.get("FEN", "")
    if name in _STANDARD_NAMES:
        try:
            return STANDARD, read_fen(fen or STANDARD_START)
        except ValueError:
            position = read_fen(fen, is_960=True)
    elif name in _NAMES_960 | _NAMES_DFRC:
        position = read_fen(fen or start_fen(518), is_960=True)
    else:
        raise ValueError(f"Variant: got {quote(tags['Variant'])}, expected standard, Chess960 or dfrc")
    ranks = position.board[:8], bytes(code & 7 for code in position.board[56:64])
    is_double = name in _NAMES_DFRC or (ranks[0] != ranks[1] and position.number == 1 and not position.clock)
    return (DFRC if is_double else CHESS960), position
