"""Helpers for writing a Go engine. They keep the board and the history, implement the commands of GTP, and
call a function that chooses a move.

>>> def choose(game):
...     return next(iter(game.legal()))
>>> engine = GoEngine(choose, name="First")
>>> engine.call("boardsize", "5"), engine.call("genmove", "b"), engine.call("genmove", "w")
('', 'A1', 'B1')

`GoEngine(choose, name="First").run()` is the whole program. It does not check the rules: it accepts `play`
for any empty point, also a forbidden ko or a suicide, and several moves of one colour in a row.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

from gyoji.core.faults import IllegalMove
from gyoji.engines.gtp import Arguments, GtpEngine, GtpError, command
from gyoji.games.go.board import PASS
from gyoji.games.go.game_options import NO_RULESET, Options
from gyoji.games.go.position import Position
from gyoji.games.go.rules import GoRules, rules

__all__ = ["PASS", "RESIGN", "Game", "GoEngine", "Result", "Stone", "TimeLeft"]

RESIGN = -2
"""The number that means resignation where a move is expected. `PASS` and points are those of
`gyoji.games.go`.
"""

KOMI_LIMIT = 625.0
"""The largest komi that makes a difference: the number of points of a 25x25 board."""


class Stone(NamedTuple):
    """A move that was played.

    Attributes:
        seat: Seat of the move: 0 for Black, 1 for White.
        move: Point of the move, or `PASS`.
        comment: Comment of the `Result`, if the engine chose the move; else "".
        cookie: Cookie of the `Result`, if the engine chose the move; else None.
    """

    seat: int
    move: int
    comment: str = ""
    cookie: Any = None


class TimeLeft(NamedTuple):
    """The remaining time of a seat, as the controller last sent it.

    Attributes:
        seconds: The remaining seconds.
        stones: Number of moves to play in these seconds; 0 in main time.
    """

    seconds: float
    stones: int


class Game(NamedTuple):
    """The input of the function that chooses a move: position, history and clock. Immutable.

    Attributes:
        position: The current position; `to_play` is the seat to move (0 Black, 1 White).
        moves: Moves from the start, oldest first.
        positions: The position before each move, and the current one.
        handicap: Number of handicap stones.
        may_claim: Whether the controller understands a claim of victory (`gomill-genmove_ex claim`).
        time: Remaining time of the seat to move, or None if unknown.
    """

    rules: GoRules
    position: Position
    moves: tuple[Stone, ...]
    positions: tuple[Position, ...]
    handicap: int = 0
    may_claim: bool = False
    time: TimeLeft | None = None

    def legal(self) -> Iterator[int]:
        """Yield every legal move: points first, then PASS. Retaking a ko at once and suicide are illegal."""
        open_game = self.position._replace(passes=0)
        return self.rules.legal(open_game, open_game.to_play)


class Result(NamedTuple):
    """The answer of the function that chooses a move, if it has more to say than the move.

    Attributes:
        claim: Whether the engine claims to have won. The claim is sent only if the controller understands it.
        comment: Text that explains the move, in any number of lines.
        cookie: Any value. It is kept with the move in `Game.moves`.
    """

    move: int
    claim: bool = False
    comment: str = ""
    cookie: Any = None


Generator: TypeAlias = Callable[[Game], int | Result]


class GoEngine(GtpEngine):
    """An engine with the GTP commands for a game of Go, but without loadsgf and final_status_list.

    Its moves are chosen by a function.

    Attributes:
        choose: The function. It returns a legal move, `PASS`, `RESIGN`, or a `Result` with one of these.
        description: Text that follows name and version in the response to `gomill-describe_engine`, such as
            settings and seed.
    """

    def __init__(
        self, choose: Generator, *, name: str = "", version: str = "", description: str = "", size: int = 19
    ) -> None:
        super().__init__()
        self.name = name or self.name
        self.version = version
        self.description = description
        self.choose = choose
        self.komi = 0.0
        self._size = (size, size)
        self._cpu = 0.0
        self._limits: dict[int, TimeLeft] = {}
        self._set_up()

    def _set_up(self) -> None:
        """Begin a game on an empty board of the same size."""
        self._make_rules()
        self._stones: list[Stone] = []
        self._positions = [self.rules.start()]
        self._handicap = 0
        self._comment = ""
        self._times = dict(self._limits)

    def _make_rules(self) -> None:
        # White gets no compensation for handicap stones but the komi, which may include it
        options = Options(
            board_size=self._size,
            komi=self.komi,
            suicide=False,
            internal_scorer_handicap_compensation="no",
            ruleset=NO_RULESET,
        )
        self.rules = rules(options)
        self._lenient = rules(Options(board_size=self._size, komi=0, ruleset=NO_RULESET))

    @property
    def position(self) -> Position:
        return self._positions[-1]

    def game(self, seat: int, *, may_claim: bool = False) -> Game:
        """Return the input of `choose` for the seat to move.

        Args:
            may_claim: Whether the controller understands a claim of victory.
        """
        position = self.position
        if position.to_play != seat:
            position = position._replace(to_play=seat, ko=0)
        return Game(
            rules=self.rules,
            position=position,
            moves=tuple(self._stones),
            positions=tuple(self._positions),
            handicap=self._handicap,
            may_claim=may_claim,
            time=self._times.get(seat),
        )

    def _play(self, stone: Stone) -> None:
        """Play a move. Raises IllegalMove only for an occupied point."""
        seat, move = stone.seat, stone.move
        before = self.position
        lenient = before._replace(to_play=seat, ko=0, passes=before.passes % 2)
        self._positions.append(self._lenient.play(lenient, ((seat, move),)))
        self._stones.append(stone)

    def _vertex(self, args: Arguments, index: int) -> int:
        point = args.vertex(index, *self._size)
        return PASS if point is None else self.rules.point(*point)

    def _seat(self, args: Arguments, index: int) -> int:
        return "bw".index(args.colour(index))

    @command("boardsize")
    def _boardsize(self, args: Arguments) -> None:
        self._resize(args.integer(0), args.integer(0))

    @command("rectangular_boardsize")
    def _rectangular_boardsize(self, args: Arguments) -> None:
        self._resize(args.integer(0), args.integer(1))

    def _resize(self, columns: int, rows: int) -> None:
        if not (1 <= columns <= 25 and 1 <= rows <= 25):
            raise GtpError("unacceptable size")
        self._size = (columns, rows)
        self._set_up()

    @command("clear_board")
    def _clear_board(self, args: Arguments) -> None:
        self._set_up()

    @command("komi")
    def _komi(self, args: Arguments) -> None:
        self.komi = max(-KOMI_LIMIT, min(args.number(0), KOMI_LIMIT))
        self._make_rules()

    def _give_handicap(self, points: list[int]) -> str:
        self._handicap = len(points)
        self._positions = [Position(sum(1 << point for point in points), 0, to_play=1)]
        return " ".join(self.rules.format(point) for point in points)

    def _check_empty(self) -> None:
        if self._stones or self.position.black or self.position.white:
            raise GtpError("board not empty")

    def _fixed_points(self, stones: int) -> list[int]:
        options = Options(board_size=self._size, komi=0, handicap=stones)  # ValueError: not that many
        return list(rules(options).handicap_points)

    @command("fixed_handicap")
    def _fixed_handicap(self, args: Arguments) -> str:
        self._check_empty()
        try:
            return self._give_handicap(self._fixed_points(args.integer(0)))
        except ValueError:
            raise GtpError("invalid number of stones") from None

    @command("place_free_handicap")
    def _place_free_handicap(self, args: Arguments) -> str:
        """Handle `place_free_handicap N`: place N stones on the points of a fixed handicap.

        If there is no fixed handicap of N stones, the stones are spread over the board.
        """
        self._check_empty()
        stones, (columns, rows) = args.integer(0), self._size
        if not 2 <= stones < columns * rows:
            raise GtpError("invalid number of stones")
        try:
            return self._give_handicap(self._fixed_points(stones))
        except ValueError:
            everywhere = [(x, y) for y in range(rows) for x in range(columns)]
            everywhere.sort(key=lambda at: (at[0] % 3 != 2, at[1] % 3 != 2, (at[0] + at[1]) % 2))
            return self._give_handicap([self.rules.point(x, y) for x, y in everywhere[:stones]])

    @command("set_free_handicap")
    def _set_free_handicap(self, args: Arguments) -> None:
        self._check_empty()
        points = [self._vertex(args, index) for index in range(len(args))]
        is_good = len(set(points)) == len(points) and PASS not in points
        if not is_good or not 2 <= len(points) < self._size[0] * self._size[1]:
            raise GtpError("bad vertex list")
        self._give_handicap(points)

    @command("play")
    def _play_command(self, args: Arguments) -> None:
        seat, move = self._seat(args, 0), self._vertex(args, 1)
        try:
            self._play(Stone(seat, move))
        except IllegalMove:
            raise GtpError("illegal move") from None
        self._comment = ""

    def _ask(self, seat: int, *, may_claim: bool = False) -> Result:
        begun = time.process_time()
        answer = self.choose(self.game(seat, may_claim=may_claim))
        self._cpu += time.process_time() - begun
        return answer if isinstance(answer, Result) else Result(answer)

    def _generate(self, seat: int, *, may_claim: bool = False) -> str:
        result = self._ask(seat, may_claim=may_claim)
        self._comment = result.comment
        if result.claim and may_claim:
            return "claim"
        if result.move == RESIGN:
            return "resign"
        self._play(Stone(seat, result.move, result.comment, result.cookie))
        return self.rules.format(result.move)

    @command("genmove")
    def _genmove(self, args: Arguments) -> str:
        return self._generate(self._seat(args, 0))

    @command("gomill-genmove_ex")
    def _genmove_ex(self, args: Arguments) -> str:
        if not args:
            return "claim"
        return self._generate(self._seat(args, 0), may_claim="claim" in args[1:])

    @command("reg_genmove")
    def _reg_genmove(self, args: Arguments) -> str:
        move = self._ask(self._seat(args, 0)).move
        return "resign" if move == RESIGN else self.rules.format(move)

    @command("undo")
    def _undo(self, args: Arguments) -> None:
        if not self._stones:
            raise GtpError("cannot undo")
        self._stones.pop()
        self._positions.pop()  # the position before, ko and all: nothing is worked out again
        self._comment = ""

    @command("showboard")
    def _showboard(self, args: Arguments) -> str:
        return "\n" + self.rules.render(self.position)

    @command("final_score")
    def _final_score(self, args: Arguments) -> str:
        """Handle `final_score`: count area, with all stones on the board alive."""
        outcome = self.rules.outcome(self.position._replace(passes=2))
        return "0" if outcome.winner is None else f"{'BW'[outcome.winner]}+{outcome.margin:g}"

    @command("time_settings")
    def _time_settings(self, args: Arguments) -> None:
        main, period, stones = (args.integer(index) for index in range(3))
        left = TimeLeft(main, 0) if main > 0 or not stones else TimeLeft(period, stones)
        no_limit = period > 0 and stones == 0  # GTP 2, 4.2
        self._limits = {} if no_limit else {0: left, 1: left}
        self._times = dict(self._limits)

    @command("time_left")
    def _time_left(self, args: Arguments) -> None:
        self._times[self._seat(args, 0)] = TimeLeft(args.number(1), args.integer(2))

    @command("gomill-explain_last_move")
    def _explain_last_move(self, args: Arguments) -> str:
        return self._comment

    @command("gomill-describe_engine")
    def _describe_engine(self, args: Arguments) -> str:
        return "\n".join(filter(None, (f"{self.name} {self.version}".strip(), self.description)))

    @command("gomill-cpu_time")
    def _cpu_time(self, args: Arguments) -> str:
        """Handle `gomill-cpu_time`: the CPU seconds spent on choosing moves."""
        return f"{self._cpu:.6f}"
