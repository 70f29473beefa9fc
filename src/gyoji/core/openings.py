"""Openings: the start position of each game, and the parts of opening files that all games share.

The opening depends only on the number of the pair's game and on a seed, so a game that is played again has
the same one. Only the game knows what an opening is and whether it is legal. In this module
an opening is any value of the game's option `opening`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, Protocol, TypeVar

from gyoji.core.spec import derive_seed
from gyoji.core.wire import require

SYMMETRIES = 8
SHIFTS = 16


def turned(places: Iterable[tuple[int, int]], size: tuple[int, int], symmetry: int) -> list[tuple[int, int]]:
    """Rotate or mirror places of a board and return their new (column, row).

    Args:
        size: Columns and rows of the board.
        symmetry: 0 to 7, a sum of 1 (mirror columns), 2 (mirror rows) and 4 (swap columns and rows first).
            A board that is not square ignores the 4.

    >>> turned([(0, 1)], (9, 9), 7), turned([(0, 1)], (9, 5), 7)
    ([(7, 8)], [(8, 3)])
    """
    width, height = size
    if symmetry & 4 and width == height:
        places = [(y, x) for x, y in places]
    return [(width - 1 - x if symmetry & 1 else x, height - 1 - y if symmetry & 2 else y) for x, y in places]


class OpeningReader(Protocol):
    """Reads an opening file of one game."""

    def __call__(self, data: bytes, name: str, options: Mapping[str, object], /) -> Iterable[object]:
        """Parse a file and return its openings as values for the option `opening`.

        Raises:
            ValueError: The file is unusable; the message names the line.
            InvalidOpenings: Some entries are invalid.
        """


class OpeningBook(Protocol):
    """Reads a possibly large opening file of one game, and parses each opening only when it is used."""

    def __call__(
        self, data: bytes, name: str, options: Mapping[str, object], /, *, plies: int = 0
    ) -> Sequence[object]:
        """Return the openings of a file as values for the option `opening`.

        Args:
            data: The file, as bytes or as a memory map with the methods of bytes. It stays open.
            name: Its name, without the suffix of a compressed file.
            plies: Maximum number of moves of each opening; 0 for all.

        Raises:
            ValueError: The file is unusable; the message names the place.
            InvalidOpenings: Some entries are invalid.
        """


class Vary(Protocol):
    """Rotates, mirrors and shifts an opening on the board."""

    def __call__(
        self, opening: object, options: Mapping[str, object], /, *, symmetry: int = 0, shift: int = 0
    ) -> object:
        """Return the opening rotated or mirrored, and shifted.

        Args:
            symmetry: One of the 8 symmetries of `turned`; 0 changes nothing.
            shift: Index in the game's list of shifts; 0 changes nothing. Games without shifts only get 0.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Openings:
    """The openings of a competition's games.

    Attributes:
        lines: At least one opening, in the order of the file.
        order: "sequential", or "random": each pass through the file has another order, derived from the seed.
        seed: The seed of a random order; None for the competition's.
        start: Number of the first opening in this order, from 1.
        symmetries: "none"; "each": another symmetry in each pass through the file; "random": a random
            symmetry for each game pair.
        shift: Whether openings away from the edge are shifted a little at random.
        games: Number of consecutive games of two players with the same opening: with 2, each plays both
            sides.
    """

    lines: Sequence[object] = field(repr=False)
    order: Literal["sequential", "random"] = "sequential"
    seed: int | None = None
    start: int = 1
    symmetries: Literal["none", "each", "random"] = "none"
    shift: bool = False
    games: int = 2

    def __post_init__(self) -> None:
        require(self.lines, "lines: expected one opening or more")
        for name in ("games", "start"):
            require((number := getattr(self, name)) >= 1, f"{name}: expected 1 or more, got {number}")

    def options(
        self, vary: Vary | None, options: Mapping[str, object], number: int, seed: int
    ) -> Mapping[str, object]:
        """Return the options of a game of two players: `options` with the game's opening added.

        Args:
            vary: Rotates, mirrors and shifts openings; None if the game's openings cannot be changed.
            options: The game's options.
            number: Number of the game, from 0. It counts the games of these two players only, so that every
                pair gets the same openings.
            seed: The competition's seed.
        """
        round_ = number // self.games
        turn, place = divmod(round_ + self.start - 1, len(self.lines))
        index = place
        if self.order == "random":
            index = _shuffled_place(place, len(self.lines), seed if self.seed is None else self.seed, turn)
        symmetry = shift = 0
        if self.symmetries == "each":
            symmetry = turn % SYMMETRIES
        elif self.symmetries == "random":
            symmetry = derive_seed(seed, "symmetry", round_) % SYMMETRIES
        if self.shift:
            shift = derive_seed(seed, "shift", round_) % SHIFTS
        opening = self.lines[index]
        if vary is not None and (symmetry or shift):
            opening = vary(opening, options, symmetry=symmetry, shift=shift)
        return {**options, "opening": opening}


MOST_SORTED = 20_000
"""The maximum number of openings for which a random order is a sorted list. Sorting more would cost too much.
"""

_ROUNDS = 4
_MIX = 0x9E3779B97F4A7C15  # 2**64 divided by the golden ratio: spreads the bits of a product


def _shuffled_place(place: int, count: int, seed: int, turn: int) -> int:
    """Return the index in the file of the opening that has the given place in a random order.

    For many openings the order is never stored: a Feistel network of four rounds permutes the numbers below
    the next power of four. It is applied again while the result is no index of the file.

    Args:
        place: Place in the random order, from 0.
        count: Number of openings in the file.
        seed: The seed of the order.
        turn: Number of the pass through the file, from 0. Each pass has another order.
    """
    if count <= MOST_SORTED:
        return _shuffled(count, seed, turn)[place]
    half = (count.bit_length() + 1) // 2
    mask = (1 << half) - 1
    keys = _keys(seed, turn)
    while True:
        left, right = place >> half, place & mask
        for key in keys:
            left, right = right, left ^ ((right + key) * _MIX >> 40 & mask)
        place = left << half | right
        if place < count:
            return place


@lru_cache(maxsize=16)
def _keys(seed: int, turn: int) -> tuple[int, ...]:
    return tuple(derive_seed(seed, "opening", turn, "round", number) for number in range(_ROUNDS))


@lru_cache(maxsize=16)
def _shuffled(count: int, seed: int, turn: int) -> tuple[int, ...]:
    return tuple(sorted(range(count), key=lambda index: derive_seed(seed, "opening", turn, index)))


SHOWN = 10
"""The number of invalid entries that a message lists."""

E = TypeVar("E")
T = TypeVar("T")


class InvalidOpenings(ValueError):
    """Some entries of an opening file are invalid. The message has a line for each of the first 10.

    Attributes:
        fitting: The valid openings.
        places: Position of each invalid entry in the file, in words.
    """

    def __init__(self, problems: list[str], places: list[str], fitting: tuple[object, ...]) -> None:
        super().__init__("\n".join(problems))
        self.places = tuple(places)
        self.fitting = fitting


def openings_of(entries: Iterable[tuple[str, E]], read: Callable[[E], T]) -> tuple[T, ...]:
    """Read the entries of an opening file and return the openings.

    Args:
        entries: (place in the file, entry).
        read: Returns an opening, or raises ValueError for an invalid entry.

    Raises:
        InvalidOpenings: At least one entry is invalid.
    """
    found: list[T] = []
    problems: list[str] = []
    places: list[str] = []
    for where, entry in entries:
        try:
            found.append(read(entry))
        except ValueError as error:
            places.append(where)
            if len(problems) < SHOWN:
                problems.append(f"{where}: {str(error).removeprefix('opening: ')}")
    if problems:
        raise InvalidOpenings(problems, places, tuple(found))
    return tuple(found)


def opening_lines(text: str) -> Iterator[tuple[str, str]]:
    """Yield (place, text) of each opening in a text file with one opening per line. The place, such as "line
    3", is for messages. Empty lines and comments are skipped.
    """
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition("#")[0].strip()
        if content and not content.startswith(";"):
            yield f"line {number}", content
