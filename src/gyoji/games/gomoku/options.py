"""The settings of a game of gomoku, the leagues of Gomocup as settings, and files of openings.

Sizes, rules and times of the leagues are those of Gomocup's pages. Where a league is played in groups, the
final group has more time and a name of its own here; renju has only that. All times are of a program's own
use, its start included, and a second more is forgiven. Each pair plays 12 openings twice, once with each
side; each game has a processor to itself. Programs are strangers', and contained as such.

The kind of a file of openings shows in the suffix of its name, else in how it begins:

``.sgf``   a collection of games, of each the stones of the main line.
``.psq``   the record of a game by Piskvork: a heading, then ``x,y,ms`` for each stone, from 1.
``.rec``   an older one of 20x20: two names, then the same from 0.
any other  an opening a line, either as offsets from the middle of the board (``0,0, 1,-2``: column and row,
           signed, from column width // 2 and row height // 2) or as names (``h8i6``). Signs between numbers
           or names are commas, semicolons or blanks. Empty lines, and those that begin with ``#`` or ``;``,
           say nothing, nor does what comes after a ``#``.

In SGF stones are set up (AB, AW) before the first move or not at all; they are taken to have come in turns.
Points are two letters, column and row, from the top left, capitals after z.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from gyoji.core.boards import check_board_size, columns_rows, is_whole
from gyoji.core.openings import opening_lines, openings_of, turned
from gyoji.core.text import quote, quote_value
from gyoji.games.gomoku.board import MAX_SIDE, MIN_SIDE, Board, board_of, names_of
from gyoji.games.gomoku.rules import GomokuRules
from gyoji.games.gomoku.rulesets import rule_name, rule_number
from gyoji.sgf.grammar import Properties, is_sgf, main_lines
from gyoji.sgf.values import parse_point


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """One game's settings; together they must make sense, or ValueError says what does not.

    board_size   points on a side, or (columns, rows); 5 to 127 each. A list will do for the pair.
    other_sizes  sizes, like `board_size`, at which a game may be played instead: the first that both brains
                 take, if one of them refuses `board_size`.
    rule         a name of `rulesets.NAMES`, or the number of ``INFO rule``; becomes the name if it has one.
    opening      stones that are on the board from the start, such as "h8i9g7", Black's first.
    swap2        the players place the first stones and choose sides by the rule swap2. If one of them says
                 that it cannot, they play from `opening`, or without one it has lost.
    max_moves    stones, those of the opening included, after which the game is a draw; 0 for no limit.
    draw_margin  it is a draw as soon as so few points are left.
    dead_draw    it is a draw as soon as neither side can make a row that wins.
    """

    board_size: int | tuple[int, int] = 15
    other_sizes: tuple[int | tuple[int, int], ...] = ()
    rule: str | int = "freestyle"
    opening: str = ""
    swap2: bool = False
    max_moves: int = 0
    draw_margin: int = 0
    dead_draw: bool = False

    def __post_init__(self) -> None:
        self._check_board_size()
        try:
            object.__setattr__(self, "rule", rule_name(rule_number(self.rule)))
        except ValueError as error:
            raise ValueError(f"rule: {error}") from None
        for name in ("swap2", "dead_draw"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name}: got {quote_value(getattr(self, name))}, expected true or false")
        self._check_lengths()
        self._check_opening()
        self._check_other_sizes()

    @property
    def size(self) -> tuple[int, int]:
        """(columns, rows)."""
        return columns_rows(self.board_size)

    def _check_board_size(self) -> None:
        check_board_size(self.board_size, MIN_SIDE, MAX_SIDE)
        columns, rows = self.size
        object.__setattr__(self, "board_size", columns if columns == rows else (columns, rows))

    def _check_other_sizes(self) -> None:
        """Whether the game could be played at each of them, its opening included."""
        if not isinstance(self.other_sizes, list | tuple):
            got = quote_value(self.other_sizes)
            raise ValueError(f"other_sizes: got {got}, expected a list of sizes such as [15, 19]")
        made = []
        for size in self.other_sizes:
            try:
                check_board_size(size, MIN_SIDE, MAX_SIDE)
                opening = resized(self.opening, self.size, columns_rows(size))
                made.append(replace(self, board_size=size, opening=opening, other_sizes=()).board_size)
            except ValueError as error:
                raise ValueError(f"other_sizes: {quote_value(size)}: {error}") from None
        if len({self.board_size, *made}) <= len(made):
            raise ValueError("other_sizes: expected sizes that differ, and none that is board_size")
        object.__setattr__(self, "other_sizes", tuple(made))

    def _check_lengths(self) -> None:
        """After how many stones it is a draw: under swap2 not before sides are chosen."""
        width, height = self.size
        first = 6 if self.swap2 else 1
        most = width * height - first
        if not is_whole(self.draw_margin) or not 0 <= self.draw_margin <= most:
            raise ValueError(f"draw_margin: got {quote_value(self.draw_margin)}, expected 0 to {most}")
        if not is_whole(self.max_moves) or self.max_moves < 0 or 0 < self.max_moves < first:
            expected = f"0 or {first} and more" if self.swap2 else "0 or more"
            raise ValueError(f"max_moves: got {quote_value(self.max_moves)}, expected {expected}")

    def _check_opening(self) -> None:
        """The opening in its one form, its stones tried out."""
        if not isinstance(self.opening, str):
            raise ValueError(f"opening: got {quote_value(self.opening)}, expected stones such as 'h8i9'")
        try:
            made = rules(replace(self, swap2=False)) if self.swap2 and self.opening else rules(self)
            stones = made.stones(made.start())
            object.__setattr__(self, "opening", "".join(made.format(point) for point, _ in stones))
        except ValueError as error:
            raise ValueError(f"opening: {error}") from None


def rules(options: Options, seed: int = 0) -> GomokuRules:
    """The rules with these options. Nothing in gomoku is left to chance: `seed` makes no difference."""
    return GomokuRules(
        options.size,
        rule_number(options.rule),
        opening=options.opening,
        swap2=options.swap2,
        max_moves=options.max_moves,
        draw_margin=options.draw_margin,
        dead_draw=options.dead_draw,
    )


def resized(opening: str, old: tuple[int, int], new: tuple[int, int]) -> str:
    """An opening on a board of another size, as far from the middle. Raises ValueError if it is off that."""
    before, after = board_of(*old), board_of(*new)
    stones = map(before.coordinates, names_of(before).stones(opening))
    right, down = new[0] // 2 - old[0] // 2, new[1] // 2 - old[1] // 2
    return names_of(after).join([after.point(x + right, y + down) for x, y in stones])


def variants(options: Mapping[str, object]) -> Sequence[Mapping[str, object]]:
    """The options that a game may have: see `Options.other_sizes`."""
    given: Any = options
    if not given.get("other_sizes"):
        return (options,)
    found, size = [{**options, "other_sizes": []}], columns_rows(given["board_size"])
    for each in given["other_sizes"]:
        other = {**options, "board_size": each, "other_sizes": []}
        if given.get("opening"):
            other["opening"] = resized(given["opening"], size, columns_rows(each))
        found.append(other)
    return found


Settings = Mapping[str, Any]


def _league(
    board_size: int, rule: str, main: str, move: str = "", *, games: int = 24, **more: Any
) -> Settings:
    """main, move: time for all moves of a game, and for one ("": as much). games: of each pair."""
    clock = {"main": main, "margin": "1s", "from_start": True}
    if move:
        clock["move"] = move
    league = {"board_size": board_size, "rule": rule, "clock": MappingProxyType(clock), "sandbox": "strict"}
    return MappingProxyType({**league, "number_of_games": games, "rounds": games, **more})


_LIMITS: Settings = MappingProxyType({"max_memory": "350MB", "max_disk": "70MB", "ponder": False, "cores": 1})
_GROUP, _FINAL, _FAST = ("180s", "30s"), ("1000s", "300s"), ("120s", "5s")

PRESETS: Mapping[str, Settings] = MappingProxyType(
    {
        "gomocup-freestyle": _league(20, "freestyle", *_GROUP, **_LIMITS),
        "gomocup-freestyle-final": _league(20, "freestyle", *_FINAL, **_LIMITS),
        "gomocup-freestyle15": _league(15, "freestyle", *_GROUP, **_LIMITS),
        "gomocup-freestyle15-final": _league(15, "freestyle", *_FINAL, **_LIMITS),
        "gomocup-fastgame": _league(20, "freestyle", *_FAST, **_LIMITS),
        "gomocup-standard": _league(15, "standard", *_GROUP, **_LIMITS),
        "gomocup-standard-final": _league(15, "standard", *_FINAL, **_LIMITS),
        "gomocup-renju": _league(15, "renju", *_FINAL, draw_margin=25, **_LIMITS),  # level after 200 stones
        "gomocup-caro": _league(15, "caro", *_GROUP, **_LIMITS),
        "gomocup-caro-final": _league(15, "caro", *_FINAL, **_LIMITS),
        # Authors bring their own machines: no limit but the clock, and programs may think all the time.
        "gomocup-unlimited": _league(15, "standard", "120m", games=2, swap2=True),
    }
)


_BETWEEN = re.compile(r"[\s,;]+")
_OFFSET = re.compile(r"[+-]?[0-9]{1,4}")
_STONE = re.compile(r"\s*([0-9]{1,4})\s*,\s*([0-9]{1,4})\s*(?:,|$)")
_HEADING = re.compile(r"\s*Piskvork\w*\s+([0-9]{1,4})x([0-9]{1,4})")


class Kind(NamedTuple):
    """How files of a kind are read.

    entries  the openings in the text of a file, unread: where each stands, and what it is.
    points   the points of an entry on a board. Raises ValueError.
    """

    entries: Callable[[str], Iterator[tuple[str, Any]]]
    points: Callable[[Any, Board], Sequence[int]]


def openings(data: bytes, name: str, options: Mapping[str, Any]) -> tuple[str, ...]:
    """The openings of a file, as values of the option `opening`, in its order.

    options: those of the games that will begin so; its openings must fit them. Raises ValueError with a line
    for each mistake, the first few of them.
    """
    board = board_of(*Options(**{**options, "opening": ""}).size)
    text = data.decode("utf-8-sig", "replace")
    kind = _kind(name, text)

    def read(entry: Any) -> str:
        stones = names_of(board).join(kind.points(entry, board))
        if not stones:
            raise ValueError("got no stone, expected one or more")
        return Options(**{**options, "opening": stones}).opening

    return openings_of(kind.entries(text), read)


def _kind(name: str, text: str) -> Kind:
    suffix = name.lower().rpartition(".")[2]
    if suffix not in _KINDS:
        suffix = "psq" if _HEADING.match(text) else "sgf" if is_sgf(name, text) else ""
    return _KINDS[suffix]


def _points_of_line(line: str, board: Board) -> Sequence[int]:
    """The points of a line of offsets, or of names."""
    words = [word for word in _BETWEEN.split(line) if word]
    if words and words[0][0].isalpha():
        return names_of(board).stones("".join(words))
    if len(words) % 2 or not all(_OFFSET.fullmatch(word) for word in words):
        raise ValueError(f"got {quote(line)}, expected pairs of offsets as in 0,0, 1,-2, or names as in h8i6")
    numbers = [int(word) for word in words]
    x, y = board.width // 2, board.height // 2
    return _points(board, [(x + right, y + down) for right, down in zip(*[iter(numbers)] * 2, strict=True)])


def _game(text: str) -> Iterator[tuple[str, list[str]]]:
    """A file that is one game."""
    yield "the game", text.splitlines()


def _points_of_psq(lines: Sequence[str], board: Board) -> Sequence[int]:
    heading = _HEADING.match(lines[0]) if lines else None
    if heading is None:
        got = quote(lines[0]) if lines else "nothing"
        raise ValueError(f"line 1: got {got}, expected a heading such as Piskvorky 15x15, 11:11, 0")
    _check_size((int(heading[1]), int(heading[2])), board)
    return _points(board, _stones(lines[1:], 1))


def _points_of_rec(lines: Sequence[str], board: Board) -> Sequence[int]:
    _check_size((20, 20), board)
    return _points(board, _stones(lines[2:], 0))


def _check_size(got: tuple[int, int], board: Board) -> None:
    if got != (board.width, board.height):
        raise ValueError(f"got a game of {got[0]}x{got[1]}, expected {board.width}x{board.height}")


def _stones(lines: Sequence[str], first: int) -> Iterator[tuple[int, int]]:
    """(x, y) from 0 of the stones at the head of the lines; first: the number of the first column and row."""
    for line in lines:
        if match := _STONE.match(line):
            yield int(match[1]) - first, int(match[2]) - first
        elif line.strip():
            return


def _points(board: Board, places: Sequence[tuple[int, int]] | Iterator[tuple[int, int]]) -> Sequence[int]:
    points = []
    for number, (x, y) in enumerate(places, 1):
        try:
            points.append(board.point(x, y))
        except ValueError as error:
            raise ValueError(f"stone {number}: {error}") from None
    return points


_COLOURS = {"B": 0, "AB": 0, "W": 1, "AW": 1}


def sgf_points(properties: Properties, board: Board) -> Sequence[int]:
    """The stones of a main line in playing order. Raises ValueError for what is no game on this board."""
    size = f"{board.width}x{board.height}"
    setup: tuple[list[int], list[int]] = ([], [])
    moves: list[int] = []
    for name, value in [(name, value.strip()) for name, value in properties]:
        if name == "GM" and value != "4":
            raise ValueError(f"got a game of kind GM[{value[:20]}], expected GM[4]")
        if name == "SZ" and value not in (f"{board.width}:{board.height}", str(_side(board))):
            raise ValueError(f"got a game of size {quote(value)}, expected {size}")
        if name in ("AB", "AW"):
            if moves:
                raise ValueError(f"got {name} after move {len(moves)}, expected stones only before the first")
            setup[_COLOURS[name]].append(_point(value, board))
        elif name in ("B", "W"):
            placed = len(setup[0]) + len(setup[1]) + len(moves)
            if _COLOURS[name] != placed % 2:
                raise ValueError(f"stone {placed + 1}: got {name}, expected {'BW'[placed % 2]}")
            moves.append(_point(value, board))
    black, white = len(setup[0]), len(setup[1])
    if black - white not in (0, 1):
        raise ValueError(f"got {black} black and {white} white stones set up, which do not take turns")
    first = [setup[index % 2][index // 2] for index in range(black + white)]
    return first + moves


def _side(board: Board) -> int | None:
    """The size of a square board; None for others."""
    return board.width if board.width == board.height else None


def _point(value: str, board: Board) -> int:
    column, row = parse_point(value, board.width, board.height)
    return board.point(column, board.height - 1 - row)


_STEPS = (0, 1, -2, -1)
_ROOM = 5


def vary(opening: object, options: Mapping[str, Any], *, symmetry: int = 0, shift: int = 0) -> str:
    """An opening as it looks in another place of the board; 0 and 0 leave it as it is.

    symmetry  0 to 7, see `gyoji.core.openings.turned`.
    shift     0 to 15: columns to the right, shift % 4, and rows down, shift // 4; 0 to 3 stand for
              0, 1, -2 and -1. As in Piskvork there is none along an axis on which a stone is near the
              border, where less than five points are left on a side.
    """
    width, height = Options(**{**options, "opening": ""}).size
    board = board_of(width, height)
    names = names_of(board)
    stones = [board.coordinates(point) for point in names.stones(str(opening))]
    places = turned(stones, (width, height), symmetry)
    columns, rows = ([place[axis] for place in places] for axis in (0, 1))
    columns = _moved(columns, width, _STEPS[shift % 4])
    rows = _moved(rows, height, _STEPS[shift // 4])
    return names.join([board.point(x, y) for x, y in zip(columns, rows, strict=True)])


def _moved(along: list[int], length: int, step: int) -> list[int]:
    """The coordinates along one axis, moved by a step if there is room."""
    if not all(_ROOM <= at < length - _ROOM for at in along):
        return along
    return [at + step for at in along]


_KINDS = {
    "": Kind(opening_lines, _points_of_line),
    "sgf": Kind(main_lines, sgf_points),
    "psq": Kind(_game, _points_of_psq),
    "rec": Kind(_game, _points_of_rec),
}
