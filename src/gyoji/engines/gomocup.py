r"""Helpers for writing a Gomocup brain (a program that plays gomoku). They implement the whole protocol and
call a function that chooses a move.

The function takes a `Game` and returns a point, (column, row) from 0 at the upper left, or a `Result`, for
instance with a message. The optional commands of the protocol are implemented too. Commands may be in upper
or lower case, and lines may end in LF or CR LF.

>>> def first_empty(game):
...     return game.empty[0]
>>> brain = Brain(first_empty, name="First")
>>> brain.answer(b"START 15\r\n"), brain.answer(b"BEGIN\r\n"), brain.answer(b"turn 1,0\r\n")
(b'OK\n', b'0,0\n', b'2,0\n')
>>> brain.answer(b"TURN 1,0\r\n"), brain.answer(b"HELLO\r\n")
(b'ERROR TURN: 1,0 is taken\n', b"UNKNOWN 'HELLO'\n")

`Brain(...).run()` talks to the manager that started the program. A brain does not apply the rules: the
manager decides who has won.
"""

import sys
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, SupportsIndex, TypeAlias

from gyoji.core.text import printable, quote
from gyoji.engines.session import Session, current_traceback

OWN, OPPONENT, DEAD = 1, 2, 3
"""Values of `Stone.field`. DEAD: in a continuous game, a stone of a row that was already scored."""

UNLIMITED = (1 << 31) - 1
"""The number of milliseconds that means "no limit"."""

SWAP = "SWAP"  # the choice, under swap2, to take the other side
Point: TypeAlias = tuple[int, int]


class GomocupError(Exception):
    """Raised if a command cannot be carried out. Its text becomes an `ERROR` response, and the board remains
    unchanged.
    """


class Stone(NamedTuple):
    """A stone in column x and row y, both from 0, from the top left. `field` is its side: OWN, OPPONENT or
    DEAD.
    """

    x: int
    y: int
    field: int


class Game(NamedTuple):
    """The state of a game in which a brain chooses a move: the board, its stones, and the values of INFO
    lines.

    Attributes:
        stones: The stones, oldest first if the manager keeps the playing order.
        info: Values of INFO lines as text, by key in lower case.
    """

    width: int
    height: int
    stones: tuple[Stone, ...] = ()
    info: Mapping[str, str] = MappingProxyType({})

    @property
    def rule(self) -> int:
        """The number in INFO rule: a sum of 1 (exactly five), 2 (continuous), 4 (renju), 8 (caro)."""
        return self.number("rule") or 0

    @property
    def own(self) -> set[Point]:
        return self._points_of(OWN)

    @property
    def opponent(self) -> set[Point]:
        return self._points_of(OPPONENT)

    @property
    def taken(self) -> set[Point]:
        return self._points_of(OWN, OPPONENT, DEAD)

    def _points_of(self, *fields: int) -> set[Point]:
        return {(stone.x, stone.y) for stone in self.stones if stone.field in fields}

    @property
    def empty(self) -> list[Point]:
        """The points (column, row) without a stone, row by row."""
        taken = self.taken
        return [(x, y) for y in range(self.height) for x in range(self.width) if (x, y) not in taken]

    @property
    def is_black(self) -> bool:
        """Whether the side to move plays Black.

        It plays Black if both sides have equally many stones, and White if the opponent has one more. With
        other numbers, the first stone in the list is Black's.
        """
        fields = [stone.field for stone in self.stones]
        more = fields.count(OPPONENT) - fields.count(OWN)
        return more == 0 if more in (0, 1) else fields[0] == OWN

    @property
    def seconds(self) -> float | None:
        """The time for this move in seconds, from the limits of the move and of the match.

        0.0 means to move at once. None means no limit.
        """
        limits = (self.number("timeout_turn"), self.number("time_left"))
        known = [limit for limit in limits if limit is not None and limit < UNLIMITED]
        return max(0, min(known)) / 1000 if known else None

    def number(self, key: str) -> int | None:
        """Return the value of an INFO line as an integer, or None if it is missing or not an integer."""
        return _number(self.info.get(key, ""))

    def played(self, stone: Stone) -> "Game":
        """Return a copy of the game with one more stone."""
        return self._replace(stones=(*self.stones, stone))

    def check(self, point: Point, taken: Container[Point], where: str) -> None:
        """Raise GomocupError if a point is off the board or taken.

        Args:
            taken: The occupied points.
            where: Beginning of the error's text, such as "TURN".
        """
        x, y = point
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise GomocupError(f"{where}: {x},{y} is off the {self.width}x{self.height} board")
        if point in taken:
            raise GomocupError(f"{where}: {x},{y} is taken")


class Result(NamedTuple):
    """The answer of the function that chooses moves, if it has more to say than a point.

    Attributes:
        answer: A point; under swap2 also several points, or SWAP.
        message: A line for spectators.
        suggest: Whether to send the move with SUGGEST, as a proposal. The manager then says with PLAY which
            move is played.
    """

    answer: Point | Sequence[Point] | str
    message: str = ""
    suggest: bool = False

    def points(self, game: Game, counts: Container[int]) -> list[Point]:
        """Return the points of the answer.

        Args:
            counts: The possible numbers of points.

        Raises:
            GomocupError: A point is not free, or the number of points is not one of `counts`.
        """
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
    """Play the swap2 opening in the simplest way: place three stones around the centre, and never swap.

    Args:
        think: Chooses the next white stone, if there are stones on the board.
    """
    if game.stones:
        return think(game)
    x, y = game.width // 2, game.height // 2
    return (x, y), (x + 1, y + 1), (x - 2, y + 1)


def read_numbers(where: str, text: str, count: int) -> tuple[int, ...]:
    """Parse `count` integers separated by commas. Raises GomocupError.

    Args:
        where: Beginning of the error's text, such as "TURN".

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


RENJU = 4
"""The bit of the number in INFO rule that means renju."""


class _Listing(NamedTuple):
    """The stones that the manager has sent since BOARD or SWAP2BOARD, until DONE.

    Attributes:
        command: "BOARD" or "SWAP2BOARD".
        mistakes: Error messages about invalid lines of the list, in order.
    """

    command: str
    stones: dict[Point, Stone]
    mistakes: list[str]


class Brain(Session):
    """A program that speaks the Gomocup protocol. Its moves are chosen by the function `think`.

    Attributes:
        choose: The function that plays the swap2 opening, `stay` by default. Its answer depends on the number
            of stones on the board: for none, three points; for three, SWAP, one point or two; for five, SWAP
            or one point. White is to move, so Black's stones are the opponent's.
        rules: The rules that the program plays, as numbers of INFO rule; None for all. Other rules are
            answered with ERROR.
        sizes: The supported widths and heights of the board.
        about: Further keys of the response to ABOUT: author, country, www, email.
    """

    def __init__(
        self,
        think: Think,
        *,
        name: str,
        version: str = "",
        choose: Think | None = None,
        rules: Container[int] | None = None,
        sizes: Collection[int] = range(5, 128),
        about: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.think = think
        self.choose = choose or (lambda game: stay(game, think))
        self.rules, self.sizes = rules, sizes
        self.about = {"name": name, "version": version, **about}
        self._game: Game | None = None
        self._info: dict[str, str] = {}
        self._listing: _Listing | None = None

    def _reply(self, line: bytes) -> tuple[bytes, bool]:
        text = line.decode("utf-8", "replace").strip("\0 \t\r\n")
        word, rest = _parted(text)
        if word.upper() == "END":
            return b"", True
        try:
            answer = self._carry_out(word.upper(), rest, text)
        except GomocupError as error:
            answer = f"ERROR {printable(str(error))}"
        except Exception as error:  # noqa: BLE001  a bug in one answer must not end the session
            sys.stderr.write(current_traceback())
            answer = f"ERROR internal error: {printable(repr(error))}"
        return answer.encode("utf-8", "replace") + b"\n" if answer else b"", False

    def _carry_out(self, word: str, rest: str, text: str) -> str:
        """Return the response to a line, or "" if the line needs none. Raises GomocupError.

        Args:
            word: The first word in upper case.
            rest: The text after it.
            text: The whole line.
        """
        if command := _COMMANDS.get(word):
            if word not in ("DONE", "INFO"):
                self._listing = None
            return command(self, rest)
        if self._listing and text:
            self._list(self._listing, text)
            return ""
        return f"UNKNOWN {quote(text)}" if text else ""

    # Handlers of commands. Each takes the text after the command's name.

    def _start(self, rest: str) -> str:
        (side,) = read_numbers("START", rest, 1)
        return self._make(side, side)

    def _rectstart(self, rest: str) -> str:
        width, height = read_numbers("RECTSTART", rest, 2)
        return self._make(width, height)

    def _restart(self, rest: str) -> str:
        game = self._started()
        return self._make(game.width, game.height)

    def _begin(self, rest: str) -> str:
        game = self._started()
        if game.stones:
            raise GomocupError("BEGIN: there are stones on the board")
        return self._move(game)

    def _turn(self, rest: str) -> str:
        return self._move(self._with_stone("TURN", rest, OPPONENT))

    def _play(self, rest: str) -> str:
        self._game = game = self._with_stone("PLAY", rest, OWN)
        return _written([game.stones[-1][:2]])

    def _takeback(self, rest: str) -> str:
        game, point = self._started(), read_numbers("TAKEBACK", rest, 2)
        stones = tuple(stone for stone in game.stones if stone[:2] != point)
        if len(stones) == len(game.stones):
            raise GomocupError(f"TAKEBACK: no stone is on {quote(rest)}")
        self._game = game._replace(stones=stones)
        return "OK"

    def _begin_listing(self, command: str) -> str:
        self._started()
        self._listing = _Listing(command, {}, [])
        return ""

    def _done(self, rest: str) -> str:
        listing, self._listing = self._listing, None
        if not listing:
            raise GomocupError("DONE: expected BOARD or SWAP2BOARD and stones before it")
        if listing.mistakes:
            raise GomocupError(listing.mistakes[0])
        game = self._started()
        # in renju field 3 is no stone, but a point where Black may not play just now
        has_hints = game.rule & RENJU
        stones = [stone for stone in listing.stones.values() if not (has_hints and stone.field == DEAD)]
        game = game._replace(stones=tuple(stones))
        return self._move(game) if listing.command == "BOARD" else self._swap2(game)

    def _inform(self, rest: str) -> str:
        key, value = _parted(rest)
        self._info[key.lower()] = value
        return ""

    def _introduce(self, rest: str) -> str:
        shown = {key: printable(value).replace('"', "'") for key, value in self.about.items() if value}
        return ", ".join(f'{key}="{value}"' for key, value in shown.items())

    # Parts of commands

    def _started(self) -> Game:
        if not self._game:
            raise GomocupError("there is no board: START makes one")
        return self._game

    def _make(self, width: int, height: int) -> str:
        if width not in self.sizes or height not in self.sizes:
            sides = f"{min(self.sizes)} to {max(self.sizes)}"
            raise GomocupError(f"a board of {width}x{height} is not supported: sides are {sides}")
        self._game = Game(width, height, (), self._info)
        return "OK"

    def _with_stone(self, command: str, rest: str, field: int) -> Game:
        game, (x, y) = self._started(), read_numbers(command, rest, 2)
        game.check((x, y), game.taken, command)
        return game.played(Stone(x, y, field))

    def _list(self, listing: _Listing, text: str) -> None:
        """Parse one line of BOARD or SWAP2BOARD, and add its stone, or its mistake, to the listing.

        The lines of SWAP2BOARD have no colours: the stones alternate, the opponent's first.
        """
        command, stones, mistakes = listing
        where = f"{command}, stone {len(stones) + 1}"
        try:
            if command == "BOARD":
                x, y, field = read_numbers(where, text, 3)
            else:
                x, y = read_numbers(where, text, 2)
                field = OWN if len(stones) % 2 else OPPONENT
            if field not in (OWN, OPPONENT, DEAD):
                raise GomocupError(f"{where}: got field {field}, expected 1, 2 or 3")
            self._started().check((x, y), stones, where)
            stones[x, y] = Stone(x, y, field)
        except GomocupError as error:
            mistakes.append(str(error))

    def _check_rule(self, game: Game) -> None:
        told = game.info.get("rule", "0")
        if _number(told) is None or (self.rules is not None and game.rule not in self.rules):
            raise GomocupError(f"INFO rule {quote(told)}: this brain does not play it")

    def _move(self, game: Game) -> str:
        """Let `think` choose a move, and return the response.

        The board changes only if the move is legal, and is not only suggested.
        """
        self._check_rule(game)
        if len(game.stones) == game.width * game.height:
            raise GomocupError("the board is full")
        result = result_of(self.think(game))
        (point,) = result.points(game, (1,))
        self._game = game if result.suggest else game.played(Stone(*point, OWN))
        return _spoken(result) + ("SUGGEST " if result.suggest else "") + _written([point])

    def _swap2(self, game: Game) -> str:
        """Let `choose` answer SWAP2BOARD. The board remains unchanged, because the manager sends BOARD
        afterwards.
        """
        self._check_rule(game)
        wanted = {0: (3,), 3: (1, 2), 5: (1,)}.get(len(game.stones))
        if not wanted:
            raise GomocupError(f"SWAP2BOARD: got {len(game.stones)} stones, expected none, 3 or 5")
        result = result_of(self.choose(game))
        if game.stones and result.answer == SWAP:
            return _spoken(result) + SWAP
        return _spoken(result) + _written(result.points(game, wanted))


_COMMANDS: Mapping[str, Callable[[Brain, str], str]] = {
    "START": Brain._start,
    "RECTSTART": Brain._rectstart,
    "RESTART": Brain._restart,
    "BEGIN": Brain._begin,
    "TURN": Brain._turn,
    "PLAY": Brain._play,
    "TAKEBACK": lambda brain, rest: brain._takeback(rest),
    "BOARD": lambda brain, _: brain._begin_listing("BOARD"),
    "SWAP2BOARD": lambda brain, _: brain._begin_listing("SWAP2BOARD"),
    "DONE": Brain._done,
    "INFO": Brain._inform,
    "ABOUT": Brain._introduce,
}


def _parted(text: str) -> tuple[str, str]:
    word, rest = (*text.split(None, 1), "", "")[:2]
    return word, rest


def _written(points: list[Point]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)


def _spoken(result: Result) -> str:
    return f"MESSAGE {printable(result.message)}\n" if result.message else ""
