"""gyoji-llm: a language model that plays every game of gyoji: by GTP, Gomocup, UCI or an umpire's words.

::

    gyoji-llm --url http://127.0.0.1:8000/v1 --model NAME [options]

The model is asked for an object in JSON with the move. An answer without one is asked for again, `--rethinks`
times. An illegal move is passed on: the referee refuses it and asks again, as often as `illegal_tries` of the
control file allows, on the same clock. If the service fails, the program ends with status 75, which
`outage_status = 75` makes a void game.
"""

import json
import os
import select
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from gyoji.engines.gomocup import Brain, Game, Point, Result, Stone
from gyoji.engines.gtp import COLUMNS, Arguments, GtpEngine, GtpError, command
from gyoji.engines.llm_client import Model, Outage, Said, Settings
from gyoji.engines.session import Session, read_options

OUTAGE = 75
"""The exit status after a failure of the service: EX_TEMPFAIL of sysexits.h."""

NAME = "gyoji-llm"
UNREADABLE = "unreadable"
"""What stands for a move in protocols that have words, if the model gave none."""

_OPTIONS = (
    *("--url ADDRESS", "--model NAME", "--key-from VARIABLE", "--temperature NUMBER", "--effort WORD"),
    *("--max-tokens NUMBER", "--more JSON", "--patience SECONDS", "--rethinks NUMBER", "--about TEXT"),
    *("--cache FOLDER", "--budget FILE", "--tokens NUMBER", "--money NUMBER", "--price-in NUMBER"),
    *("--price-out NUMBER", "--speak json|text"),
)


class Player:
    """A model that is asked for moves.

    Attributes:
        words: What the model said with its last answer, and what that cost, in one line.
    """

    def __init__(self, model: Model, *, about: str = "", rethinks: int = 2) -> None:
        self.words = ""
        self._model = model
        self._about = about
        self._rethinks = rethinks
        self._sample = os.environ.get("GYOJI_GAME_TOKEN", "")

    def move(self, game: str, position: str, refused: Sequence[str] = (), *, form: str) -> str:
        """Return the model's move as it writes it, in one word of printable characters; "" if it gave none.

        Args:
            game: What is played, and how a move is written.
            position: The position, as text.
            refused: Moves that were refused in it.
            form: An example of a move.
        """
        answer = self.answer(game, position, refused, form=json.dumps(form), wanted=str)
        words = answer.split() if isinstance(answer, str) else []
        return words[0] if len(words) == 1 and words[0].isascii() and len(words[0]) <= 80 else ""

    def answer(
        self, game: str, position: str, refused: Sequence[str] = (), *, form: str, wanted: type = object
    ) -> Any:
        """Return the model's answer, of the type `wanted`; None if it gave none. Raises Outage."""
        system = " ".join(
            filter(
                None,
                (game, self._about, f'Answer with one object in JSON: {{"move": {form}, "why": "..."}}.'),
            )
        )
        said, asked, seconds, tokens = Said(None, ""), 0, 0.0, [0, 0]
        trouble = ""
        while asked <= self._rethinks:
            lines = [position, *(f"{each} was refused: it is illegal here." for each in refused), trouble]
            messages = [
                {"role": "system", "content": system},
                {"role": "user", "content": "\n".join(filter(None, lines))},
            ]
            said, asked = self._model.ask(messages, "move", self._sample), asked + 1
            seconds, tokens = (
                seconds + said.seconds,
                [sum(pair) for pair in zip(tokens, said.tokens, strict=True)],
            )
            if said.answer is not None and isinstance(said.answer, wanted):
                break
            trouble = 'Your last answer was no object in JSON with the key "move". Answer again.'
        has_answer = said.answer is not None and isinstance(said.answer, wanted)
        cost = self._model.settings.cost(tokens)
        facts = [
            *([f"{asked} answers"] if asked > 1 else []),
            *([] if has_answer else ["none with a move"]),
            f"{tokens[0]}+{tokens[1]} tokens",
            *([f"{cost:.6f} money"] if cost else []),
            *([f"refused: {' '.join(refused)}"] if refused else []),
            "cached" if said.cached else f"{seconds:.1f} s",
        ]
        self.words = " ".join(f"{said.text} [{', '.join(facts)}]".split())
        return said.answer if has_answer else None


# GTP


class GtpPlayer(GtpEngine):
    """The face of a player for GTP. It knows no rules; of Go it knows captures, to draw the board."""

    name = NAME

    def __init__(self, player: Player) -> None:
        super().__init__()
        self._player = player
        self._size = (19, 19)
        self._komi = ""
        self._moves: list[tuple[str, str]] = []
        self._refused: list[str] = []  # in the present position
        self._is_own = False  # whether the last move is the model's

    @command("boardsize")
    def _boardsize(self, args: Arguments) -> None:
        columns = args.integer(0)
        self._size = columns, args.integer(1) if len(args) > 1 else columns

    @command("clear_board")
    def _clear(self, args: Arguments) -> None:
        self._moves, self._refused, self._is_own = [], [], False

    @command("komi")
    def _set_komi(self, args: Arguments) -> None:
        self._komi = args.text(0)

    @command("play")
    def _play(self, args: Arguments) -> None:
        self._moves.append((args.colour(0), args.text(1, "a move").upper()))
        self._refused, self._is_own = [], False

    # The referee undoes a move of ours only to ask for another one.
    @command("undo")
    def _undo(self, args: Arguments) -> None:
        if not self._moves:
            raise GtpError("cannot undo")
        _, move = self._moves.pop()
        self._refused = [*self._refused, move] if self._is_own else []
        self._is_own = False

    @command("genmove")
    def _genmove(self, args: Arguments) -> str:
        colour = args.colour(0)
        side = {"b": "Black", "w": "White"}[colour]
        if self._komi:
            game = (
                f"You play Go on a board of {self._size[0]}x{self._size[1]}, komi {self._komi}, as {side}. "
                'A move is a point such as "D4" (there is no column I), "pass" or "resign".'
            )
            board = go_board(self._moves, *self._size)
        else:
            game, board = f"You play a board game as {side}, the way GTP writes moves.", ""
        told = " ".join(f"{who.upper()} {move}" for who, move in self._moves) or "none"
        text = f"{board}Moves so far: {told}.\n{side} is to move."
        move = self._player.move(game, text, self._refused, form="D4").upper() or UNREADABLE
        if move not in ("RESIGN", UNREADABLE):
            self._moves.append((colour, move))
            self._is_own = True
        return move

    @command("gomill-explain_last_move")
    def _explain(self, args: Arguments) -> str:
        return self._player.words


def go_board(moves: Sequence[tuple[str, str]], columns: int, rows: int) -> str:
    """Return a drawing of a Go board after some moves (colour, vertex); "" if one of them is no point."""
    stones: dict[Point, str] = {}

    def near(point: Point) -> list[Point]:
        x, y = point
        around = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
        return [(u, v) for u, v in around if 0 <= u < columns and 0 <= v < rows]

    def captured(point: Point) -> set[Point]:
        group, todo = {point}, [point]
        while todo:
            for each in near(todo.pop()):
                if each not in stones:
                    return set()
                if stones[each] == stones[point] and each not in group:
                    group.add(each)
                    todo.append(each)
        return group

    for colour, vertex in moves:
        if vertex == "PASS":
            continue
        x, digits = COLUMNS.find(vertex[:1]), vertex[1:]
        if x < 0 or not digits.isdecimal() or not 0 < int(digits) <= rows:
            return ""
        point = x, int(digits) - 1
        stones[point] = colour
        for each in (*near(point), point):
            if each in stones and (stones[each] != colour or each == point):
                for dead in captured(each):
                    del stones[dead]
    lines = [
        f"{row + 1:2} "
        + " ".join({"b": "X", "w": "O"}.get(stones.get((x, row), ""), ".") for x in range(columns))
        for row in reversed(range(rows))
    ]
    return "\n".join((*lines, "   " + " ".join(COLUMNS[:columns]), "X is Black, O is White.", ""))


# Gomocup


class GomocupPlayer(Brain):
    """The face of a player for Gomocup."""

    def __init__(self, player: Player) -> None:
        super().__init__(self._think, name=NAME)
        self._player = player
        self._asked: frozenset[Stone] = frozenset()  # the stones of the last question
        self._refused: list[str] = []
        self._last = ""

    # Asked again with the same stones, the last answer was refused.
    def _think(self, game: Game) -> Result:
        stones = frozenset(game.stones)
        self._refused = [*self._refused, self._last] if stones == self._asked and self._last else []
        self._asked, self._last = stones, ""
        text = (
            f"You play gomoku on a board of {game.width}x{game.height}, rule {game.rule} of Gomocup. "
            'A move is "x,y", column and row from 0 at the upper left.'
        )
        fields = {(stone.x, stone.y): " XO#"[stone.field] for stone in stones}
        rows = [" ".join(fields.get((x, y), ".") for x in range(game.width)) for y in range(game.height)]
        board = "\n".join(
            (*rows, "X are your stones, O the opponent's, # counts for nobody. You are to move.")
        )
        move = self._player.move(text, board, self._refused, form="7,7")
        numbers = move.split(",")
        if len(numbers) != 2 or not all(each.isdecimal() and len(each) < 4 for each in numbers):
            raise Unanswered
        point = int(numbers[0]), int(numbers[1])
        if point not in game.empty:
            self._last = move
            raise Unanswered
        self._last = move
        return Result(point, message=self._player.words)

    # Two numbers without a comma are an answer in a wrong form: the referee decides what it costs.
    def _reply(self, line: bytes) -> tuple[bytes, bool]:
        try:
            return super()._reply(line)
        except Unanswered:
            return f"MESSAGE {self._player.words}\n{NO_POINT}\n".encode(), False


NO_POINT = "0 0"


class Unanswered(BaseException):
    """The model named no free point. No Exception: `Brain` turns those into an ERROR."""


# UCI


class UciPlayer(Session):
    """The face of a player for UCI. It draws no board: the line of the position is what the model gets."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._position = "startpos"
        self._asked = ""  # the position that was last asked about
        self._refused: list[str] = []
        self._last = ""

    def _reply(self, line: bytes) -> tuple[bytes, bool]:
        word, _, rest = line.decode("utf-8", "replace").strip().partition(" ")
        if word == "uci":
            return f"id name {NAME}\nid author the gyoji team\nuciok\n".encode(), False
        if word == "isready":
            return b"readyok\n", False
        if word == "ucinewgame":
            self._asked, self._refused = "", []
        elif word == "position":
            self._position = rest.strip()
        elif word == "go":
            return self._go(), False
        return b"", word == "quit"

    # Asked again about the same position, the last answer was refused.
    def _go(self) -> bytes:
        again = self._position == self._asked
        self._refused = [*self._refused, self._last] if again and self._last else []
        self._asked = self._position
        game = "You play chess. A move is two squares such as e2e4, with a letter for a promotion: e7e8q."
        count = len(self._position.partition(" moves ")[2].split())
        is_black = (" b " in self._position.partition(" moves ")[0]) != (count % 2 == 1)
        side = "Black" if is_black else "White"
        text = f"The position, as UCI writes it: {self._position}\nYou are {side}, and to move."
        self._last = self._player.move(game, text, self._refused, form="e2e4")
        print(self._player.words, file=sys.stderr)  # records have no comments by UCI
        return f"info string {self._player.words}\nbestmove {self._last or UNREADABLE}\n".encode()


# An umpire


class SpokenPlayer:
    """The face of a player for the words of an umpire. What arrives together ends with the question."""

    def __init__(self, player: Player, *, is_json: bool) -> None:
        self._player = player
        self._is_json = is_json
        self._heard: list[str] = []

    def answer(self, lines: Sequence[str]) -> str:
        """Return the line that answers the last of some lines."""
        self._heard += lines
        kind = "a value in JSON" if self._is_json else "a line of text"
        game = f"You play a game whose referee sends you lines. The last is a question: answer it by {kind}."
        form = "(your answer)" if self._is_json else '"(your answer)"'
        answer = self._player.answer(
            game, "\n".join(self._heard), form=form, wanted=object if self._is_json else str
        )
        print(self._player.words, file=sys.stderr)
        if self._is_json:
            return json.dumps(answer)
        return " ".join((answer or "").split())

    def run(self, source: int, sink: BinaryIO) -> None:
        """Answer what arrives at a descriptor until its end."""
        rest = b""
        while piece := os.read(source, 1 << 16):
            rest += piece
            if not rest.endswith(b"\n") or select.select([source], [], [], 0.05)[0]:
                continue  # the rest of one writing is on its way
            lines, rest = rest.decode("utf-8", "replace").splitlines(), b""
            sink.write(self.answer(lines).encode() + b"\n")
            sink.flush()


# The program


class Ended(NamedTuple):
    """Why the program ends, and its exit status."""

    status: int
    why: str


def settings_of(options: dict[str, str]) -> Settings:
    """Return the settings of the command line. Raises ValueError with one line for the user."""
    for name in ("--url", "--model"):
        if not options.get(name):
            raise ValueError(f"{name} is required")
    variable = options.get("--key-from", "")
    if variable and variable not in os.environ:
        raise ValueError(f"--key-from: there is no environment variable {variable}")
    more = json.loads(options.get("--more", "{}"))
    if not isinstance(more, dict):
        raise ValueError("--more: expected an object in JSON")
    numbers = {"--temperature": "temperature", "--max-tokens": "max_tokens"}
    more |= {key: json.loads(options[name]) for name, key in numbers.items() if name in options}
    if "--effort" in options:
        more["reasoning_effort"] = options["--effort"]

    def number(name: str, default: float) -> float:
        try:
            return float(options.get(name, default))
        except ValueError:
            raise ValueError(f"{name}: expected a number, got {options[name]!r}") from None

    return Settings(
        url=options["--url"],
        model=options["--model"],
        key=os.environ.get(variable, ""),
        more=more,
        patience=number("--patience", 60),
        cache=Path(options["--cache"]) if "--cache" in options else None,
        budget=Path(options["--budget"]) if "--budget" in options else None,
        most_tokens=int(number("--tokens", 0)),
        most_money=number("--money", 0),
        prices=(number("--price-in", 0), number("--price-out", 0)),
    )


def face_of(first: bytes, player: Player) -> Session:
    """Return the face of a player for the protocol whose first line this is."""
    words = first.split()
    word = words[0].upper() if words else b""
    if word == b"UCI":
        return UciPlayer(player)
    if word in (b"START", b"RECTSTART", b"ABOUT", b"INFO", b"BEGIN", b"RESTART"):
        return GomocupPlayer(player)
    return GtpPlayer(player)


def talk(options: dict[str, str]) -> Ended:
    """Play until the end of input."""
    try:
        settings = settings_of(options)
        model = Model(settings)
        rethinks = int(options.get("--rethinks", 2))
    except ValueError as error:
        return Ended(2, str(error))
    player = Player(model, about=options.get("--about", ""), rethinks=rethinks)
    try:
        if speak := options.get("--speak"):
            if speak not in ("json", "text"):
                return Ended(2, f"--speak: expected json or text, got {speak!r}")
            with open(sys.stdout.fileno(), "wb", buffering=0, closefd=False) as sink:
                SpokenPlayer(player, is_json=speak == "json").run(sys.stdin.fileno(), sink)
            return Ended(0, "")
        first = sys.stdin.buffer.readline()
        face = face_of(first, player)
        with open(sys.stdout.fileno(), "wb", buffering=0, closefd=False) as sink:
            sink.write(face.answer(first))
        return Ended(face.run(), "")
    except Outage as outage:
        return Ended(OUTAGE, str(outage))


def main(run: Callable[[dict[str, str]], Ended] = talk) -> int:
    """Run the program and return its exit status."""
    options = read_options(NAME, *_OPTIONS)
    if options is None:
        return 2
    ended = run(options)
    if ended.why:
        sys.stderr.write(f"{NAME}: {ended.why}\n")
    return ended.status


if __name__ == "__main__":
    sys.exit(main())
