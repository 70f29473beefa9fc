"""Openings: which one a game starts from, and what the opening files of several games have in common.

Which one is a function of the game's round alone, so that a replayed game has the same one. What an opening
is, and whether a game can begin so, only the game knows: here it is a value of the game's option `opening`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, Protocol, TypeVar

from gyoji.core.spec import derive_seed

SYMMETRIES = 8
SHIFTS = 16


def turned(places: Iterable[tuple[int, int]], size: tuple[int, int], symmetry: int) -> list[tuple[int, int]]:
    """(column, row) of places on a board of that many columns and rows when it is turned or mirrored.

    symmetry: 0 to 7, a sum of 1 (columns the other way round), 2 (rows likewise) and 4 (columns become rows,
    before the others); a board that is not square has no 4, and is left without.

    >>> turned([(0, 1)], (9, 9), 7), turned([(0, 1)], (9, 5), 7)
    ([(7, 8)], [(8, 3)])
    """
    width, height = size
    if symmetry & 4 and width == height:
        places = [(y, x) for x, y in places]
    return [(width - 1 - x if symmetry & 1 else x, height - 1 - y if symmetry & 2 else y) for x, y in places]


class OpeningReader(Protocol):
    """Reads a file of openings."""

    def __call__(self, data: bytes, name: str, options: Mapping[str, object], /) -> Iterable[object]:
        """The openings of a file of that name, as values for the option `opening`.

        Raises ValueError naming the line of a bad one, `Misfits` for some of them.
        """


class Vary(Protocol):
    """Turns an opening, and moves it on the board."""

    def __call__(
        self, opening: object, options: Mapping[str, object], /, *, symmetry: int = 0, shift: int = 0
    ) -> object:
        """The opening turned in one of 8 ways (0: as it is) and moved by the game's list of shifts (0: not).

        The eight ways are those of `gyoji.core.openings.turned`; a game that has no shifts gets 0 only.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Openings:
    """The openings of a competition's games.

    lines       the openings, in the order of their file; one or more.
    order       "sequential": as they stand; "random": shuffled by the competition's seed, each pass anew.
    symmetries  "none"; "each": all of them turned another way in each pass; "random": each turned somehow.
    shift       whether they are moved on the board a little, where they are not near its edge.
    games       how many games in a row of two players have the same one: 2, so that both play each side.
    """

    lines: tuple[object, ...] = field(repr=False)
    order: Literal["sequential", "random"] = "sequential"
    symmetries: Literal["none", "each", "random"] = "none"
    shift: bool = False
    games: int = 2

    def __post_init__(self) -> None:
        if not self.lines:
            raise ValueError("lines: expected one opening or more")
        if self.games < 1:
            raise ValueError(f"games: expected 1 or more, got {self.games}")

    def options(
        self, vary: Vary | None, options: Mapping[str, object], number: int, seed: int
    ) -> Mapping[str, object]:
        """The options of the game with that number (from 0) of two players.

        vary: how the game turns them, where it can. seed: the competition's; every pair of players gets the
        same openings.
        """
        round_ = number // self.games
        turn, place = divmod(round_, len(self.lines))
        index = _shuffled(len(self.lines), seed, turn)[place] if self.order == "random" else place
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


@lru_cache(maxsize=16)
def _shuffled(count: int, seed: int, turn: int) -> tuple[int, ...]:
    return tuple(sorted(range(count), key=lambda index: derive_seed(seed, "opening", turn, index)))


SHOWN = 10
"""Mistakes of a file that are told."""

E = TypeVar("E")
T = TypeVar("T")


class Misfits(ValueError):
    """Some entries of a file are no openings, or none of this game; its text is a line for each of the first.

    fitting: the others.   places: where each misfit stands.
    """

    def __init__(self, problems: list[str], places: list[str], fitting: tuple[object, ...]) -> None:
        super().__init__("\n".join(problems))
        self.places = tuple(places)
        self.fitting = fitting


def openings_of(entries: Iterable[tuple[str, E]], read: Callable[[E], T]) -> tuple[T, ...]:
    """The openings that the entries of a file are, each with its place in it.

    read raises ValueError for an entry that is none. Raises `Misfits` if there are such.
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
        raise Misfits(problems, places, tuple(found))
    return tuple(found)


def opening_lines(text: str) -> Iterator[tuple[str, str]]:
    """The lines that say something: not what follows a ``#``, and none that begins with ``;``."""
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition("#")[0].strip()
        if content and not content.startswith(";"):
            yield f"line {number}", content
