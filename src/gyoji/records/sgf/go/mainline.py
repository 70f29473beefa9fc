"""A game of Go out of an SGF tree: its main line as one frozen value, for replaying and checking.

Variations, marks and comments are left out; the root's texts are kept. Values that only inform (komi,
handicap) are None where they cannot be read; a board, a stone or a move that cannot be read is an error.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from gyoji.records.sgf.go.moves import parse_move
from gyoji.records.sgf.grammar import parse
from gyoji.records.sgf.points import Point, format_point, parse_points, parse_size
from gyoji.records.sgf.tree import Node
from gyoji.records.sgf.values import number, real, simple_text

_SEATS = {"B": 0, "W": 1}
_GO = 1  # GM
_USUAL_SIZE = 19  # of a file without SZ, as FF[4] says
_NOT_INFO = frozenset(("AB", "AW", "AE", "B", "W", "C", "FF", "GM", "CA", "SZ"))


class Setup(NamedTuple):
    """Points set by hand: to black, to white, to empty. after: the number of moves before it."""

    after: int
    black: tuple[Point, ...]
    white: tuple[Point, ...]
    empty: tuple[Point, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MainLine:
    """One game. Points are (column, row) from 0, rows from the bottom; a move is (seat, point or None).

    setups   in order; those before the first move have after = 0.
    to_play  the seat that PL names before the first move, None without it.
    result   RE as it stands ("B+3.5"); rules RU; black, white the players' names; "" where not given.
    territory  the points of TB and of TW where the main line has them last; dead stones are among them.
    info     the root's other properties, the first value of each as simple text.
    """

    width: int = 19
    height: int = 19
    komi: float | None = None
    handicap: int | None = None
    setups: tuple[Setup, ...] = ()
    to_play: int | None = None
    moves: tuple[tuple[int, Point | None], ...] = ()
    result: str = ""
    rules: str = ""
    black: str = ""
    white: str = ""
    territory: tuple[tuple[Point, ...], tuple[Point, ...]] = ((), ())
    info: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def read(data: bytes | str) -> list[MainLine]:
    """The main lines of a collection's games. Raises SgfError, and ValueError for what is no game of Go."""
    return [main_line(root) for root in parse(data)]


def main_line(root: Node) -> MainLine:
    """The main line of a game. Raises ValueError naming the node (0 is the root) and what is wrong there."""
    info = {name: simple_text(values[0]) for name, values in root.properties.items() if name not in _NOT_INFO}
    game = root.first("GM").strip()
    if game and game != str(_GO):
        raise ValueError(f"GM[{game}] is not the game of Go, which is GM[{_GO}]")
    width, height = parse_size(root.first("SZ"), _USUAL_SIZE)
    setups: list[Setup] = []
    moves: list[tuple[int, Point | None]] = []
    to_play = None
    territory: tuple[tuple[Point, ...], tuple[Point, ...]] = ((), ())
    for index, node in enumerate(root.main_line()):
        try:
            _add_setup(node, setups, after=len(moves), size=(width, height))
            if not moves and (colour := node.first("PL").strip()[:1].upper()) in _SEATS:
                to_play = _SEATS[colour]
            for name, seat in _SEATS.items():
                if name in node.properties:
                    moves.append((seat, parse_move(node.properties[name][0], width, height)))
            territory = _territory(node, (width, height)) or territory
        except ValueError as error:
            raise ValueError(f"node {index}: {error}") from None
    return MainLine(
        width=width,
        height=height,
        komi=_parse_komi(info.get("KM", "")),
        handicap=_parse_handicap(info.get("HA", "")),
        setups=tuple(setups),
        to_play=to_play,
        moves=tuple(moves),
        result=info.get("RE", "").strip(),
        rules=info.get("RU", "").strip(),
        black=info.get("PB", ""),
        white=info.get("PW", ""),
        territory=territory,
        info=MappingProxyType(info),
    )


def _add_setup(node: Node, setups: list[Setup], *, after: int, size: tuple[int, int]) -> None:
    properties = node.properties
    if "AB" not in properties and "AW" not in properties and "AE" not in properties:
        return
    black, white, empty = (parse_points(properties.get(name, ("",)), *size) for name in ("AB", "AW", "AE"))
    if both := set(black).intersection(white):
        raise ValueError(f"a black and a white stone are set up at {format_point(min(both), *size)}")
    setups.append(Setup(after, black, white, empty))


def _territory(node: Node, size: tuple[int, int]) -> tuple[tuple[Point, ...], tuple[Point, ...]] | None:
    """The points of TB and TW; None without them, and where they cannot be read."""
    if "TB" not in node.properties and "TW" not in node.properties:
        return None
    try:
        black, white = (parse_points(node.properties.get(name, ("",)), *size) for name in ("TB", "TW"))
    except ValueError:
        return None
    return black, white


def _parse_komi(raw: str) -> float | None:
    """A decimal comma is read as a point; what is no number as unknown."""
    try:
        return real(raw.replace(",", "."))
    except ValueError:
        return None


def _parse_handicap(raw: str) -> int | None:
    try:
        return number(raw)
    except ValueError:
        return None
