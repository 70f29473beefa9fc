"""The settings of a game of gomoku, and the leagues of Gomocup as settings.

Sizes, rules and times of the leagues are those of Gomocup's pages. Where a league is played in groups, the
final group has more time and a name of its own here; renju has only that. All times are of a program's own
use, its start included, and a second more is forgiven. Each pair plays 12 openings twice, once with each
side; each game has a processor to itself. Programs are strangers', and contained as such.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from gyoji.core.text import printable
from gyoji.games.gomoku.board import MAX_SIDE, MIN_SIDE
from gyoji.games.gomoku.rules import GomokuRules
from gyoji.games.gomoku.rulesets import rule_name, rule_number


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """One game's settings; together they must make sense, or ValueError says what does not.

    board_size   points on a side, or (columns, rows); 5 to 127 each. A list will do for the pair.
    rule         a name of `rulesets.NAMES`, or the number of ``INFO rule``; becomes the name if it has one.
    opening      stones that are on the board from the start, such as "h8i9g7", Black's first.
    swap2        the players place the first stones and choose sides by the rule swap2. If one of them says
                 that it cannot, they play from `opening`, or without one it has lost.
    max_moves    stones, those of the opening included, after which the game is a draw; 0 for no limit.
    draw_margin  it is a draw as soon as so few points are left.
    dead_draw    it is a draw as soon as neither side can make a row that wins.
    """

    board_size: int | tuple[int, int] = 15
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
                raise ValueError(f"{name}: got {_shown(getattr(self, name))}, expected true or false")
        self._check_lengths()
        self._check_opening()

    @property
    def size(self) -> tuple[int, int]:
        """(columns, rows)."""
        size = self.board_size
        return size if isinstance(size, tuple) else (size, size)

    def _check_board_size(self) -> None:
        size = self.board_size
        if isinstance(size, list):  # JSON and TOML have no tuples
            size = tuple(size)
        sides = size if isinstance(size, tuple) else (size, size)
        if len(sides) != 2 or not all(_is_whole(side) and MIN_SIDE <= side <= MAX_SIDE for side in sides):
            expected = f"{MIN_SIDE} to {MAX_SIDE}, or (columns, rows)"
            raise ValueError(f"board_size: got {_shown(size)}, expected {expected}")
        object.__setattr__(self, "board_size", sides[0] if sides[0] == sides[1] else sides)

    def _check_lengths(self) -> None:
        """After how many stones it is a draw: under swap2 not before sides are chosen."""
        width, height = self.size
        first = 6 if self.swap2 else 1
        most = width * height - first
        if not _is_whole(self.draw_margin) or not 0 <= self.draw_margin <= most:
            raise ValueError(f"draw_margin: got {_shown(self.draw_margin)}, expected 0 to {most}")
        if not _is_whole(self.max_moves) or self.max_moves < 0 or 0 < self.max_moves < first:
            expected = f"0 or {first} and more" if self.swap2 else "0 or more"
            raise ValueError(f"max_moves: got {_shown(self.max_moves)}, expected {expected}")

    def _check_opening(self) -> None:
        """The opening in its one form, its stones tried out."""
        if not isinstance(self.opening, str):
            raise ValueError(f"opening: got {_shown(self.opening)}, expected stones such as 'h8i9'")
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


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _shown(value: object) -> str:
    return printable(repr(value), 80)


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
