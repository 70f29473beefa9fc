"""Reading a Go game from an SGF tree: its main line, and the rules to judge it by.

Variations, marks and comments are ignored; the texts of the root are kept. Unreadable values that are only
information (komi, handicap) become None. An unreadable board size, stone or move is an error.

In SGF a pass is an empty value, and on boards of up to 19 also ``tt``. `sgf_writer` writes ``tt`` on such
boards, because old programs only know that.

>>> parse_move("dp", 19, 19), parse_move("tt", 19, 19)
((3, 3), None)

A recorded game is judged by the ruleset that the user asks for, else by the one that the file names. If the
file names none, Chinese rules are taken or, for a game that gyoji wrote, no ruleset.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from gyoji.core.faults import ConfigError
from gyoji.core.text import printable
from gyoji.games.go.game_options import DEFAULT_RULESET, NO_RULESET, Options
from gyoji.games.go.rules import GoRules
from gyoji.games.go.ruleset_text import read_rules
from gyoji.games.go.rulesets import Ruleset
from gyoji.sgf.grammar import Node
from gyoji.sgf.property_values import (
    Point,
    format_point,
    number,
    parse_point,
    parse_points,
    parse_size,
    real,
    simple_text,
)

_SEATS = {"B": 0, "W": 1}
_GO = 1  # GM
_DEFAULT_SIZE = 19  # of a file without SZ, as FF[4] says
_SETUP = ("AB", "AW", "AE")
_NOT_INFO = frozenset((*_SETUP, "B", "W", "C", "FF", "GM", "CA", "SZ"))


PASS_AS_POINT = 19
"""The greatest board size on which ``tt`` is a pass."""


def pass_letters(width: int, height: int) -> str:
    """Return the SGF value that gyoji writes for a pass: "tt" on boards of up to 19, else ""."""
    return "tt" if max(width, height) <= PASS_AS_POINT else ""


def parse_move(raw: str, width: int, height: int) -> Point | None:
    """Parse the SGF value of a move; None for a pass. Raises ValueError for other text, and off the board."""
    move = raw.strip()
    if not move or (move == "tt" and pass_letters(width, height)):
        return None
    return parse_point(move, width, height)


@dataclass(frozen=True, slots=True, kw_only=True)
class MainLine:
    """The main line of a recorded Go game.

    Points are (column, row) from 0, rows from the bottom; a move is (seat, point), None for a pass.

    Attributes:
        stones: The (black, white) stones set up before the first move.
        to_play: The seat given by PL before the first move; None without PL.
        result: The value of RE, such as "B+3.5"; "" if it is missing. Likewise `rules` (RU), `black` (PB) and
            `white` (PW).
        territory: The points of the last TB and TW of the main line, dead stones included.
        info: The first value of each property of the root that is about the game (such as KM, EV or RE), as
            simple text.
    """

    width: int = 19
    height: int = 19
    komi: float | None = None
    handicap: int | None = None
    stones: tuple[tuple[Point, ...], tuple[Point, ...]] = ((), ())
    to_play: int | None = None
    moves: tuple[tuple[int, Point | None], ...] = ()
    result: str = ""
    rules: str = ""
    black: str = ""
    white: str = ""
    territory: tuple[tuple[Point, ...], tuple[Point, ...]] = ((), ())
    info: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def main_line(root: Node) -> MainLine:
    """Return the main line of a game.

    Raises ValueError, which names the node (0 is the root) and the mistake.
    """
    info = {name: simple_text(values[0]) for name, values in root.properties.items() if name not in _NOT_INFO}
    game = root.first("GM").strip()
    if game and game != str(_GO):
        raise ValueError(f"GM[{game}] is not the game of Go, which is GM[{_GO}]")
    width, height = parse_size(root.first("SZ"), _DEFAULT_SIZE)
    stones: dict[Point, int] = {}  # to the seat that has it
    moves: list[tuple[int, Point | None]] = []
    to_play = None
    territory: tuple[tuple[Point, ...], tuple[Point, ...]] = ((), ())
    for index, node in enumerate(root.main_line()):
        try:
            if not node.properties.keys().isdisjoint(_SETUP):
                if moves:
                    raise ValueError(f"stones are set by hand after move {len(moves)}")
                _set_up(node, stones, (width, height))
            if not moves and (colour := node.first("PL").strip()[:1].upper()) in _SEATS:
                to_play = _SEATS[colour]
            for name, seat in _SEATS.items():
                if name in node.properties:
                    moves.append((seat, parse_move(node.properties[name][0], width, height)))
            territory = _territory(node, (width, height)) or territory
        except ValueError as error:
            raise ValueError(f"node {index}: {error}") from None
    black, white = (tuple(point for point in stones if stones[point] == seat) for seat in (0, 1))
    return MainLine(
        width=width,
        height=height,
        komi=_parse_komi(info.get("KM", "")),
        handicap=_parse_handicap(info.get("HA", "")),
        stones=(black, white),
        to_play=to_play,
        moves=tuple(moves),
        result=info.get("RE", "").strip(),
        rules=info.get("RU", "").strip(),
        black=info.get("PB", ""),
        white=info.get("PW", ""),
        territory=territory,
        info=MappingProxyType(info),
    )


def _set_up(node: Node, stones: dict[Point, int], size: tuple[int, int]) -> None:
    """Apply AB, AW and AE of a node to `stones`, which maps points to the seats of their stones."""
    black, white, empty = (parse_points(node.properties.get(name, ("",)), *size) for name in _SETUP)
    if both := set(black).intersection(white):
        raise ValueError(f"a black and a white stone are set up at {format_point(min(both), *size)}")
    for point in empty:
        stones.pop(point, None)
    stones |= dict.fromkeys(black, 0) | dict.fromkeys(white, 1)


def _territory(node: Node, size: tuple[int, int]) -> tuple[tuple[Point, ...], tuple[Point, ...]] | None:
    """Return the points of TB and TW; None if they are missing or unreadable."""
    if "TB" not in node.properties and "TW" not in node.properties:
        return None
    try:
        black, white = (parse_points(node.properties.get(name, ("",)), *size) for name in ("TB", "TW"))
    except ValueError:
        return None
    return black, white


def _parse_komi(raw: str) -> float | None:
    """Parse a komi, with a decimal point or comma. Return None for other text."""
    try:
        return real(raw.replace(",", "."))
    except ValueError:
        return None


def _parse_handicap(raw: str) -> int | None:
    try:
        return number(raw)
    except ValueError:
        return None


def check_ruleset(text: str) -> None:
    """Raise ConfigError unless `text` is a ruleset or `NO_RULESET`."""
    if text == NO_RULESET:
        return
    try:
        read_rules(text)
    except ValueError as error:
        raise ConfigError(f"rules: {error}; or {NO_RULESET}") from None


def terms_of(
    game: MainLine, *, ruleset: str | None = None, komi: float | None = None
) -> tuple[GoRules, tuple[str, ...]]:
    """Return the rules of a recorded game, komi included, and a line for each assumption about them.

    Args:
        ruleset: The rules to use instead of the file's; None for the file's.
        komi: The komi to use instead of the file's; None for the file's.

    Raises:
        ValueError: The board has a size that gyoji does not support.
    """
    notes = []
    if ruleset is None:
        ruleset, note = _recorded_ruleset(game)
        notes += [note] if note else []
    ruleset = "" if ruleset == NO_RULESET else ruleset
    if komi is None and (komi := game.komi) is None:
        komi = (read_rules(ruleset).ruleset if ruleset else Ruleset()).default_komi
        notes.append(f"the file gives no komi: it is taken as {komi:g}")
    options = Options(
        board_size=(game.width, game.height),
        komi=komi,
        handicap=_handicap(game),
        handicap_style="free",
        ruleset=ruleset,
    )
    return GoRules(options), tuple(notes)


def _recorded_ruleset(game: MainLine) -> tuple[str, str]:
    """Return (name of the ruleset in a file, note if it is an assumption, else "")."""
    if game.rules:
        try:
            return read_rules(game.rules).name, ""
        except ValueError:
            return (
                DEFAULT_RULESET,
                f"RU[{printable(game.rules, 60)}] is not a known ruleset: {DEFAULT_RULESET} rules are taken",
            )
    if game.info.get("AP", "").startswith("gyoji:"):
        return NO_RULESET, ""  # a game of ours without RU was played so
    return DEFAULT_RULESET, f"the file names no rules: {DEFAULT_RULESET} rules are taken"


def _handicap(game: MainLine) -> int | None:
    """Return the number of handicap stones: two or more black stones set up before the first move, without a
    white one. None if there are none.
    """
    black, white = game.stones
    return len(black) if len(black) > 1 and not white and len(black) < game.width * game.height else None
