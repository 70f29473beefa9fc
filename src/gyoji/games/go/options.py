"""The settings of a game of Go, files of openings, and what an engine has to be able to do for a game.

A file of openings is SGF, a collection of games: of each the stones set up before the first move (AB, AW),
the side to move (PL) and the moves of the main line are the opening. Komi, handicap (HA) and rules of the
file do not count: those of the competition do. In any other file each line is an opening: a text as `opening`
reads it (``D4 Q16``, ``AB D4 AW Q4 PL B K10``), or an object of JSON as KataGo writes its starting positions
(``startposes``): "board" is rows from the top, ``X``, ``O`` and ``.``, parted by ``/``, then "nextPla",
"moveLocs" and "movePlas".

An engine is tried out where there are clean-up phases: does it take off a dead stone that counts as alive
unless it is taken off? Both sides have passed. White's stone in the corner cannot be saved, and one more move
takes it. It is not pass-dead, so it is not taken off for nothing: as long as it stands none of Black's
territory counts.
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from gyoji.core.boards import bits, check_board_size, columns_rows, is_whole
from gyoji.core.game import Trial
from gyoji.core.openings import opening_lines, openings_of, turned
from gyoji.core.text import printable, quote, quote_value
from gyoji.games.go.board import MAX_SIDE, PASS, Board, Vertices, board_of, vertices_of
from gyoji.games.go.opening import Opening, format_opening, made_opening, most_fixed, most_free, read_opening
from gyoji.games.go.phases import WAYS
from gyoji.games.go.rules import GoRules
from gyoji.games.go.ruleset_text import Agreed, read_rules
from gyoji.games.go.rulesets import TERRITORY
from gyoji.sgf.grammar import Properties, is_sgf, main_lines
from gyoji.sgf.values import parse_point, parse_points

HANDICAP_STYLES = ("fixed", "free")
COMPENSATIONS = ("no", "full", "short")

_COMPENSATION_OF = {"0": "no", "N-1": "short", "N": "full"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """One game's settings; together they must make sense, or ValueError says what does not.

    board_size      points on a side, or (columns, rows); 1 to 25 each. A list will do for the pair.
    komi            points added to White's.
    handicap        Black stones on the board before White's first move, 2 or more; None: an even game.
    handicap_style  "fixed": where GTP has them; "free": where Black likes.
    suicide         whether a move may take its own stones off the board, one or several.
    internal_scorer_handicap_compensation  points White gets for handicap when the rules count: "full" one a
                    stone, "short" one less than that, "no" none.
    ruleset         "": the fields above are the rules (simple ko, area with all stones alive), and engines
                    are not told of them. Else the rules themselves, and engines are told: a name such as
                    "chinese" or "japanese", a table of fields, JSON, or a compact string (see
                    `ruleset_text`), without komi. It decides about suicide and compensation. A table
                    becomes a string.
    opening         stones set up and moves that are on the board from the start (see `opening`); "": none.
    dead_stones     how it is settled which stones are dead before the rules count by a ruleset: see
                    `phases.WAYS`. Nothing is settled where the house rule `literal` counts all as alive.
    """

    board_size: int | tuple[int, int]
    komi: float
    handicap: int | None = None
    handicap_style: str = "fixed"
    suicide: bool = True
    internal_scorer_handicap_compensation: str = "full"
    ruleset: str | Mapping[str, str | bool] = ""
    opening: str = ""
    dead_stones: str = "auto"

    def __post_init__(self) -> None:
        self._check_board_size()
        self._check_komi()
        for name, known in (
            ("handicap_style", HANDICAP_STYLES),
            ("internal_scorer_handicap_compensation", COMPENSATIONS),
            ("dead_stones", WAYS),
        ):
            value = getattr(self, name)
            if value not in known:
                expected = " or ".join(repr(each) for each in known)
                raise ValueError(f"{name}: got {quote_value(value)}, expected {expected}")
        if not isinstance(self.suicide, bool):
            raise ValueError(f"suicide: got {quote_value(self.suicide)}, expected true or false")
        self._check_ruleset()
        self._check_handicap()
        self._check_opening()

    @property
    def size(self) -> tuple[int, int]:
        """(columns, rows)."""
        return columns_rows(self.board_size)

    @property
    def usual(self) -> Mapping[str, str]:
        """Settings of the game that go with these options, where the user says nothing."""
        return {"scorer": "internal"} if self.ruleset else {}

    @property
    def agreed(self) -> Agreed | None:
        """The ruleset and house rules that `ruleset` names; None without one."""
        return read_rules(self.ruleset) if self.ruleset else None

    def _check_board_size(self) -> None:
        check_board_size(self.board_size, 1, MAX_SIDE)
        if isinstance(self.board_size, list):  # JSON and TOML have no tuples
            object.__setattr__(self, "board_size", self.size)

    def _check_komi(self) -> None:
        komi = self.komi
        if not isinstance(komi, int | float) or isinstance(komi, bool) or not abs(komi) <= sys.float_info.max:
            raise ValueError(f"komi: got {quote_value(komi)}, expected a finite number")
        object.__setattr__(self, "komi", float(komi))

    def _check_ruleset(self) -> None:
        """The ruleset in its one form: "", the first spelling of a name, or a compact string."""
        given = self.ruleset
        if not isinstance(given, str | Mapping):
            got = quote_value(given)
            raise ValueError(f"ruleset: got {got}, expected a name, a table or a string of fields")
        if given == "":
            return
        try:
            agreed = read_rules(given)
        except ValueError as error:
            raise ValueError(f"ruleset: {error}") from None
        object.__setattr__(self, "ruleset", agreed.name)
        got = self.internal_scorer_handicap_compensation
        has = _COMPENSATION_OF[agreed.ruleset.white_handicap_bonus]
        if got not in ("full", has):
            where = f"ruleset {self.ruleset!r} has {has!r}"
            raise ValueError(f"internal_scorer_handicap_compensation: got {got!r}, but {where}")

    def _check_handicap(self) -> None:
        if self.handicap is None:
            return
        style, (width, height) = self.handicap_style, self.size
        most = most_fixed(width, height) if style == "fixed" else most_free(width, height)
        if is_whole(self.handicap) and 2 <= self.handicap <= most:
            return
        where = f"{style} handicap on {width}x{height}"
        expected = f"2 to {most}" if most >= 2 else "none"
        raise ValueError(f"handicap: got {quote_value(self.handicap)}, expected {expected} ({where})")

    def _check_opening(self) -> None:
        """The opening in its one form, its moves tried out."""
        if not isinstance(self.opening, str):
            raise ValueError(f"opening: got {quote_value(self.opening)}, expected moves such as 'D4 Q16'")
        if not self.opening:
            return
        try:
            rules = GoRules(self)
        except ValueError as error:
            raise ValueError(f"opening: {error}") from None
        names, first = vertices_of(board_of(*self.size)), int(bool(rules.handicap_points))
        object.__setattr__(self, "opening", format_opening(rules.opening, names, first=first))


_SEATS = {"B": 0, "AB": 0, "W": 1, "AW": 1}
_PASS_AS_POINT = 19
_USUAL_SIZE = "19"


def openings(data: bytes, name: str, options: Mapping[str, Any]) -> tuple[str, ...]:
    """The openings of a file, as values of the option `opening`, in its order.

    options: those of the games that will begin so; its openings must fit them. Raises ValueError with a line
    for each mistake, the first few of them.
    """
    text = data.decode("utf-8-sig", "replace")
    board, first = _terms(options)
    names = vertices_of(board)

    def of_line(line: str) -> str:
        read = (
            _of_json(line, board, names) if line.startswith("{") else read_opening(line, names, first=first)
        )
        return checked(read)

    def of_game(properties: Properties) -> str:
        return checked(_of_sgf(properties, board))

    def checked(opening: Opening) -> str:
        if not (opening.is_set_up or opening.moves):
            raise ValueError("got no stone and no move, expected one or more")
        return Options(**{**options, "opening": format_opening(opening, names, first=first)}).opening

    if is_sgf(name, text):
        return openings_of(main_lines(text), of_game)
    return openings_of(opening_lines(text), of_line)


def vary(opening: object, options: Mapping[str, Any], *, symmetry: int = 0, shift: int = 0) -> str:
    """An opening turned or mirrored in one of 8 ways, see `gyoji.core.openings.turned`; 0 leaves it as it is.

    The points of a fixed handicap do not turn with it: under one the opening stays as it is.
    """
    board, first = _terms(options)
    if first:
        return str(opening)
    names = vertices_of(board)
    read = read_opening(str(opening), names)

    def points(given: tuple[int, ...]) -> tuple[int, ...]:
        places = [board.column_row(point) for point in given]
        return tuple([board.bit(x, y) for x, y in turned(places, (board.width, board.height), symmetry)])

    moves = tuple([move if move == PASS else points((move,))[0] for move in read.moves])
    return format_opening(Opening(points(read.black), points(read.white), read.to_play, moves), names)


def _terms(options: Mapping[str, Any]) -> tuple[Board, int]:
    """The board, and who moves first on it without a word."""
    plain = Options(**{**options, "opening": ""})
    return board_of(*plain.size), int(bool(plain.handicap) and plain.handicap_style == "fixed")


# SGF


def _of_sgf(properties: Properties, board: Board) -> Opening:
    setup: tuple[list[int], list[int]] = ([], [])
    plays: list[tuple[int | None, int]] = []
    to_play, size = None, _USUAL_SIZE
    sides = board.width, board.height
    for name, value in [(name, value.strip()) for name, value in properties]:
        if name == "GM" and value != "1":
            raise ValueError(f"got a game of kind GM[{printable(value, 20)}], expected GM[1]")
        if name == "SZ":
            size = value
        if name in ("AB", "AW", "AE", "PL") and plays:
            raise ValueError(f"got {name} after move {len(plays)}, expected it only before the first")
        if name in ("AB", "AW"):
            places = parse_points([value], *sides)
            setup[_SEATS[name]].extend(board.bit(x, y) for x, y in places)
        elif name == "PL":
            to_play = _SEATS.get(value[:1].upper())
        elif name in ("B", "W"):
            is_pass = not value or (value == "tt" and max(sides) <= _PASS_AS_POINT)
            plays.append((_SEATS[name], PASS if is_pass else board.bit(*parse_point(value, *sides))))
    _check_size(size, board)
    return made_opening(setup, to_play, plays)


def _check_size(size: str, board: Board) -> None:
    """Raise ValueError unless the size of a file is that of the games."""
    width, _, height = size.partition(":")
    if (width, height or width) != (str(board.width), str(board.height)):
        raise ValueError(f"got a game of size {quote(size)}, expected {board.width}x{board.height}")


# KataGo's starting positions


def _of_json(line: str, board: Board, names: Vertices) -> Opening:
    try:
        plain = json.loads(line)
        size, rows = f"{plain['xSize']}:{plain['ySize']}", str(plain["board"]).split("/")
        colours = [_SEATS[colour] for colour in plain.get("movePlas", ())]
        moves = [names.parse(vertex) for vertex in plain.get("moveLocs", ())]
        # KataGo's "nextPla" is the side to move on that board, before the moves
        to_play = _SEATS[plain["nextPla"]]
        plays = list(zip(colours, moves, strict=True))
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"no starting position of KataGo: {type(error).__name__} {error}") from None
    _check_size(size, board)
    rows = [row for row in rows if row]
    if len(rows) != board.height or any(len(row) != board.width for row in rows):
        raise ValueError(f"board: expected {board.height} rows of {board.width}, parted by /")
    setup: tuple[list[int], list[int]] = ([], [])
    for down, row in enumerate(rows):
        for x, sign in enumerate(row.upper()):
            if sign in "XO":
                setup["XO".index(sign)].append(board.bit(x, board.height - 1 - down))
    return made_opening(setup, to_play, plays)


_TRIAL_SIDE = 9
DEAD_STONE = """
    . . . . . . . . .
    . . O . . O . O .
    . . . . . . . . .
    O O O O O O . O .
    X X X X X O . . .
    . . . . X O . O .
    . . . . X O . . .
    X . . . X O . O .
    O . . . X O . . .
"""

_PASS = "pass"
_FAILURE = (
    "does not play the clean-up phases: it passes while a dead stone is on the board, which counts as alive"
)
_REMEDY = (
    "KataGo needs preventCleanupPhase = false in its config (kata-set-param cannot set it); "
    'or let the players agree: scorer = "players", or without_cleanup = "players"'
)


def trial(options: Mapping[str, Any]) -> Trial | None:
    """The trial for games with these options; None where there are no clean-up phases."""
    agreed = Options(**options).agreed
    if agreed is None or agreed.ruleset.scoring != TERRITORY:
        return None
    wanted = {"board_size": _TRIAL_SIDE, "komi": 6.5, "ruleset": agreed.name}
    return Trial(options=wanted, moves=_trial_moves(wanted), idle=_PASS, failure=_FAILURE, remedy=_REMEDY)


def _trial_moves(options: Mapping[str, Any]) -> tuple[str, ...]:
    """The stones one by one, a pass for a side that has no more of them, and two passes."""
    game = GoRules(Options(**options))
    drawn = game.position_from_diagram("\n".join("".join(line.split()) for line in DEAD_STONE.split("\n")))
    black, white = ([game.format(point) for point in bits(stones)] for stones in (drawn.black, drawn.white))
    pairs = zip_longest(black, white, fillvalue=_PASS)
    return (*(move for pair in pairs for move in pair), _PASS, _PASS)
