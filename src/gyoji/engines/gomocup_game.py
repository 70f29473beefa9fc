"""A game of gomoku as a brain is told of it: stones, limits, and how a move is answered. Knows no rule."""

from collections.abc import Callable, Container, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, SupportsIndex, TypeAlias

from gyoji.core.text import quote

OWN, OPPONENT, DEAD = 1, 2, 3
"""Fields of stones. DEAD: part of a five in a game that went on, it counts for nobody any more."""

UNLIMITED = (1 << 31) - 1
"""So many milliseconds are no limit."""

SWAP = "SWAP"
"""The choice, under swap2, to take the other side."""

Point: TypeAlias = tuple[int, int]


class GomocupError(Exception):
    """The command cannot be carried out: the text is an `ERROR` answer, and the board stays as it was."""


class Stone(NamedTuple):
    """A stone in column x and row y; field: OWN, OPPONENT or DEAD."""

    x: int
    y: int
    field: int


class Game(NamedTuple):
    """The input when a move is wanted.

    stones  oldest first, as far as the manager keeps to the playing order.
    info    the values of INFO lines as text, by their keys in lower case.
    """

    width: int
    height: int
    stones: tuple[Stone, ...] = ()
    info: Mapping[str, str] = MappingProxyType({})

    @property
    def rule(self) -> int:
        """The sum of 1 exactly five, 2 continuous, 4 renju, 8 caro."""
        return self.number("rule") or 0

    @property
    def own(self) -> set[Point]:
        return {(stone.x, stone.y) for stone in self.stones if stone.field == OWN}

    @property
    def opponent(self) -> set[Point]:
        return {(stone.x, stone.y) for stone in self.stones if stone.field == OPPONENT}

    @property
    def taken(self) -> set[Point]:
        return {(stone.x, stone.y) for stone in self.stones}

    @property
    def empty(self) -> list[Point]:
        """The points where a stone may be put, row by row."""
        taken = self.taken
        return [(x, y) for y in range(self.height) for x in range(self.width) if (x, y) not in taken]

    @property
    def is_black(self) -> bool:
        """Whether the side to move is the one that began: it has as many stones as the other, not fewer."""
        fields = [stone.field for stone in self.stones]
        more = fields.count(OPPONENT) - fields.count(OWN)
        return more == 0 if more in (0, 1) else fields[0] == OWN

    @property
    def seconds(self) -> float | None:
        """Seconds for this move by the limits of the turn and of the match; 0.0: at once, None: no limit."""
        limits = (self.number("timeout_turn"), self.number("time_left"))
        known = [limit for limit in limits if limit is not None and limit < UNLIMITED]
        return max(0, min(known)) / 1000 if known else None

    def number(self, key: str) -> int | None:
        """The whole number that an INFO line gave; None if it gave none."""
        return _number(self.info.get(key, ""))

    def played(self, stone: Stone) -> "Game":
        """The game with one more stone."""
        return self._replace(stones=(*self.stones, stone))

    def check(self, point: Point, taken: Container[Point], where: str) -> None:
        """Raises GomocupError unless the point is on the board and not taken."""
        x, y = point
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise GomocupError(f"{where}: {x},{y} is off the {self.width}x{self.height} board")
        if point in taken:
            raise GomocupError(f"{where}: {x},{y} is taken")


class Result(NamedTuple):
    """An answer with more to it.

    answer   a point; under swap2 also several, or SWAP.
    message  a line for the public.
    suggest  leave it to the manager: nothing is played until it says PLAY.
    """

    answer: Point | Sequence[Point] | str
    message: str = ""
    suggest: bool = False

    def points(self, game: Game, counts: Container[int]) -> list[Point]:
        """The points of the answer, if they are free and as many as wanted. Raises GomocupError if not."""
        answer: Any = self.answer
        where = f"internal error, the brain answers {quote(repr(answer))}"
        found: list[Point] = []
        try:
            for x, y in [answer] if isinstance(answer[0], SupportsIndex) else answer:
                game.check((x, y), {*game.taken, *found}, where)
                found.append((x, y))
        except (TypeError, ValueError, LookupError):
            raise GomocupError(f"{where}: that is no point") from None
        if len(found) not in counts:
            raise GomocupError(f"{where}: that is not as many points as were wanted")
        return found


Answer: TypeAlias = Result | Point | Sequence[Point] | str
Think: TypeAlias = Callable[[Game], Answer]


def result_of(answer: Answer) -> Result:
    return answer if isinstance(answer, Result) else Result(answer)


def stay(game: Game, think: Think) -> Answer:
    """The simplest way through swap2: three stones around the centre, and White's next stone by `think`."""
    if game.stones:
        return think(game)
    x, y = game.width // 2, game.height // 2
    return (x, y), (x + 1, y + 1), (x - 2, y + 1)


def read_numbers(where: str, text: str, count: int) -> tuple[int, ...]:
    """`count` whole numbers between commas. Raises GomocupError.

    >>> read_numbers("TURN", " 7, 12", 2)
    (7, 12)
    """
    numbers = [_number(part) for part in text.split(",")]
    known = tuple(number for number in numbers if number is not None)
    if len(known) != count or len(numbers) != count:
        raise GomocupError(
            f"{where}: got {quote(text)}, expected {('a number', 'x,y', 'x,y,field')[count - 1]}"
        )
    return known


def _number(text: str) -> int | None:
    digits = text.strip().removeprefix("-")
    # twelve digits are more than any number in the protocol has, and can be read in no time
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 12 else None
