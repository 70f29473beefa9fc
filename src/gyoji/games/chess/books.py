"""Opening books of chess: files of openings, and gyoji's own openings.

The file name suffix, or else the beginning of the file, decides its kind:

* ``.pgn``: games. An opening is the first position and the main line of a game.
* ``.bin``: a Polyglot book, see `polyglot`.
* Any other: one opening per line, as EPD or FEN (text after the four or six fields is ignored) or as a value
  of the option `opening`, such as ``e4 e5 Nf3``. Empty lines and lines that begin with # are ignored.

Files may have millions of openings. A `Book` stores the offset of every 32nd line, or of each game, and
parses an opening when a game needs it. So an invalid opening may be found late. When a file of lines or games
is read, all openings are checked, or about 1,000 of them if there are more than 5,000. If a game needs an
opening that turns out to be invalid, it gets the next valid one.
"""

import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Any, Final, overload

from gyoji.core.openings import openings_of
from gyoji.games.chess.fen import STARTS, start_fen
from gyoji.games.chess.game_options import opening_text, read_moves, read_opening
from gyoji.games.chess.pgn_reader import first_position, lines_of, read_games
from gyoji.games.chess.rules import CHESS960, DFRC, STANDARD, ChessRules

OWN_BOOK = "openings.txt"
"""The file of gyoji's own openings of standard chess, in this package. Its first lines say how it was
made.
"""

MOST_CHECKED = 5_000
SAMPLE = 1_000
STEP: Final = 32
_NEXT = 1_000
"""The maximum number of later openings that are tried in place of an invalid one in a large file."""

_LINE = re.compile(rb"^[^\S\n]*[^#\s].*$", re.MULTILINE)
_TAG_LINE = re.compile(rb'^\[\w+[ \t]+"[^\n]*\n?', re.MULTILINE)
_NUMBER = re.compile(r"\d{1,5}")


class Book(Sequence[str]):
    """The openings of a file, parsed on access. A book is immutable."""

    def __init__(self, count: int, read: Callable[[int], str]) -> None:
        """Create a book of `count` openings.

        Args:
            read: Returns the opening at an index. Raises ValueError if it is invalid.
        """
        self._count = count
        self.read = read

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(self._count))]
        if not -self._count <= index < self._count:
            raise IndexError(index)
        for more in range(_NEXT):
            try:
                return self.read((index + more) % self._count)
            except ValueError:
                if more + 1 == min(_NEXT, self._count):
                    raise
        raise AssertionError(index)

    def __deepcopy__(self, memo: object) -> "Book":
        return self


def opening_book(data: bytes, name: str, options: Mapping[str, Any], *, plies: int = 0) -> Sequence[str]:
    """Return the openings of a file as values of the option `opening`: see `gyoji.core.openings.OpeningBook`.

    Args:
        data: The content of the file.
        name: The name of the file, whose suffix decides its kind.
        options: The options of the games. Only the variant matters.
        plies: Largest number of half-moves of an opening; 0 for all that the file has.

    Raises:
        ValueError: The file is not an opening book.
        InvalidOpenings: Some of the checked openings are invalid.
    """
    variant = str(options.get("variant", STANDARD))
    suffix = name.lower().rpartition(".")[2]
    if suffix == "bin":
        from gyoji.games.chess.polyglot import polyglot_book  # noqa: PLC0415 - its table is large

        return polyglot_book(data, variant, plies)
    is_pgn = suffix == "pgn" or (suffix not in ("epd", "fen", "txt") and data[:64].lstrip().startswith(b"["))
    book = _pgn_book(data, variant, plies) if is_pgn else _line_book(data, variant, plies)
    step = 1 if len(book) <= MOST_CHECKED else len(book) // SAMPLE
    indexes = range(0, len(book), step)
    openings_of([(f"opening {index + 1}", index) for index in indexes], book.read)
    return book


def openings(data: bytes, name: str, options: Mapping[str, Any]) -> Sequence[str]:
    """Return the openings of a file: see `opening_book`."""
    return opening_book(data, name, options)


def own_openings(options: Mapping[str, Any]) -> Sequence[str]:
    """Return gyoji's own openings of a variant.

    For standard chess these are the openings in `OWN_BOOK`, for Chess960 the 960 start positions, for double
    Fischer random all 921,600 pairs of start positions.
    """
    variant = str(options.get("variant", STANDARD))
    if variant == CHESS960:
        return Book(STARTS, start_fen)
    if variant == DFRC:
        return Book(STARTS * STARTS, lambda index: start_fen(*divmod(index, STARTS)))
    return _own_book()


@cache
def _own_book() -> Sequence[str]:
    data = files("gyoji.games.chess").joinpath(OWN_BOOK).read_bytes()
    return _line_book(data, STANDARD, 0)


def _line_book(data: bytes, variant: str, plies: int) -> Book:
    count, places = 0, array("Q")
    for match in _LINE.finditer(data):
        if not count % STEP:
            places.append(match.start())
        count += 1

    def read(number: int) -> str:
        near = _LINE.finditer(data, places[number // STEP])
        match = next(islice(near, number % STEP, None))
        return read_line(match[0].decode("utf-8", "replace"), variant, plies)

    return Book(count, read)


def read_line(line: str, variant: str, plies: int = 0) -> str:
    """Parse a line of EPD, FEN or moves. Return it as a value of the option `opening`.

    Args:
        line: The line.
        variant: The variant of chess.
        plies: Largest number of moves (half-moves) to keep; 0 for all.

    Raises:
        ValueError: The line is invalid, or the game is over after it.
    """
    words = line.split()
    if "/" in words[0] and "moves" not in words:
        is_whole = len(words) > 5 and all(map(_NUMBER.fullmatch, words[4:6]))
        line = " ".join(words[: 6 if is_whole else 4])
    first, moves = read_opening(line, variant)
    return opening_text(ChessRules(variant, first, moves[:plies] if plies else moves))


def _pgn_book(data: bytes, variant: str, plies: int) -> Book:
    places = array("Q", _game_places(data))

    def read(number: int) -> str:
        game = next(read_games(lines_of(data, places[number])))
        own, first = first_position(game.tags)
        if own != variant and variant == STANDARD:
            raise ValueError(f"got a game of {own}, expected standard chess")
        first = first._replace(is_960=variant != STANDARD)
        words = [move.text for move in game.moves]
        return opening_text(ChessRules(variant, first, read_moves(first, words[:plies] if plies else words)))

    return Book(len(places), read)


def _game_places(data: bytes) -> Iterator[int]:
    """Yield the offset in bytes of the first tag of each game in a PGN file."""
    end = -1
    for match in _TAG_LINE.finditer(data):
        if match.start() != end:
            yield match.start()
        end = match.end()
