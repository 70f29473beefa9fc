"""Go as an extension: all that gyoji asks of it, its files of openings and its trial of engines included.

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

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gyoji.core.boards import bits
from gyoji.core.describe import GOMILL
from gyoji.core.game import Game, GoldenSchema, Pictures, RecordFormat, Trial
from gyoji.core.openings import opening_lines, openings_of, turned
from gyoji.core.text import printable, quote
from gyoji.games.go.board import PASS, Board, Vertices, board_of, vertices_of
from gyoji.games.go.opening import Opening, format_opening, made_opening, read_opening
from gyoji.games.go.options import Options
from gyoji.games.go.phases import AGREEMENT
from gyoji.games.go.rules import GoRules, rules
from gyoji.games.go.rulesets import TERRITORY
from gyoji.sgf.grammar import Properties, is_sgf, main_lines
from gyoji.sgf.values import parse_point, parse_points

if TYPE_CHECKING:
    from gyoji.core.forms import Form
    from gyoji.games.go.judging import GoJudgeTable


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
_REMEDY = "KataGo needs preventCleanupPhase = false in its config (kata-set-param cannot set it)"


def trial(options: Mapping[str, Any]) -> Trial | None:
    """The trial for games with these options; None where there are no clean-up phases.

    None too where the engines are to agree (`dead_stones`): nobody counts on their cleaning up.
    """
    read = Options(**options)
    agreed = read.agreed
    if agreed is None or agreed.ruleset.scoring != TERRITORY or read.dead_stones == AGREEMENT:
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


def _sgf() -> RecordFormat:
    from gyoji.games.go.sgf_replay import SGF

    return SGF


def _pictures() -> Pictures[GoRules]:
    from gyoji.games.go import frames

    return frames


def _judge() -> type[GoJudgeTable]:
    from gyoji.games.go.judging import GoJudgeTable

    return GoJudgeTable


def _golden() -> Sequence[GoldenSchema]:
    from gyoji.games.go.golden import SCHEMAS

    return SCHEMAS


def _form() -> Form:
    from gyoji.games.go.form import FORM

    return FORM


GAME = Game(
    name="go",
    options=Options,
    rules=rules,
    has_chance=False,
    result_words=GOMILL,
    match_defaults=MappingProxyType({"board_size": 9, "komi": 7.5}),
    openings=openings,
    vary=vary,
    trial=trial,
    record_formats=MappingProxyType({"sgf": _sgf}),
    records=("sgf",),
    pictures=_pictures,
    judge=_judge,
    golden=_golden,
    form=_form,
)
