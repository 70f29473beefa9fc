"""Names of chess openings and their ECO codes, looked up by position.

The names are those of fastchess 1.8.2. Its table and gyoji's come from github.com/lichess-org/chess-openings,
dedicated to the public domain by its authors (CC0 1.0). `python -m bench.opening_names` makes `NAMES_FILE`:
one line for each position, with the digest of the position, the ECO code and the name. Lines are sorted by
digest. So a position is found by bisection, and nothing is parsed when a process reads the table.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

from gyoji.games.chess.position import Position

NAMES_FILE = "opening_names.txt"

FEWEST_MEN: Final = 22
"""The fewest men on the board of a named position. Men are only ever taken, so no position after one with
fewer has a name.
"""

_DIGEST_DIGITS: Final = 16


class OpeningName(NamedTuple):
    """The ECO code and name of an opening, such as ``B90`` and ``Sicilian Defense: Najdorf Variation``."""

    eco: str
    name: str


def opening_name(positions: Iterable[Position]) -> OpeningName | None:
    """Return the name of a game's last named position, as fastchess and lichess choose it; None if no
    position has a name.

    Args:
        positions: The positions of the game, from the first one on.
    """
    lines, found = _lines(), ""
    for position in positions:
        if (position.own | position.other).bit_count() < FEWEST_MEN:
            break
        digest = digest_of(position)
        index = bisect_left(lines, digest)
        if index < len(lines) and lines[index].startswith(digest):
            found = lines[index]
    return OpeningName(*found.split(" ", 2)[1:]) if found else None


def digest_of(position: Position) -> str:
    """Return a digest of all that makes two positions the same: pieces, side to move, castling rights, and
    the square of a legal en passant capture.
    """
    rest = position.rights.to_bytes(8, "little") + bytes((position.en_passant + 1,))
    return blake2b(position.board + rest, digest_size=_DIGEST_DIGITS // 2).hexdigest()


@cache
def _lines() -> Sequence[str]:
    # Not by importlib.resources, which takes 15 ms to import: a worker writes PGN at the end of each game.
    text = Path(__file__).with_name(NAMES_FILE).read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]
