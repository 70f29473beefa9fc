"""A game of Gomoku out of an SGF tree: what its main line tells, for playing it over by the rules.

Variations, marks and comments are left out. Stones that are set up before the first move are taken as an
opening, if there are as many of each colour as a game can have; later ones are an error.
"""

from collections.abc import Iterator
from itertools import zip_longest

from gyoji.core.replay import Replay, Wanted
from gyoji.games.gomoku.recorded.account import Account, Point, claim_of_result
from gyoji.games.gomoku.recorded.replay import replay
from gyoji.records.sgf.points import parse_point, parse_points, parse_size
from gyoji.records.sgf.tree import Node
from gyoji.records.sgf.values import simple_text

_USUAL_SIZE = 15
_SETUP = ("AB", "AW", "AE")


def replay_game(root: Node, wanted: Wanted) -> Replay:
    """One game of a collection, judged again.

    Raises ConfigError for what is asked for and does not fit, ValueError for a game that cannot be read.
    """
    return replay(read_account(root), wanted)


def read_account(root: Node) -> Account:
    """What a game's tree tells. Raises ValueError naming the node, 0 the root, and what is wrong there."""
    size = parse_size(root.first("SZ"), _USUAL_SIZE)
    stones: list[Point] = []
    colours: list[int] = []
    notes: list[str] = []
    for index, node in enumerate(root.main_line()):
        try:
            if any(name in node.properties for name in _SETUP):
                if stones:
                    raise ValueError("stones are set by hand in the middle of the game")
                stones = _opening(node, size)
                colours = [nth & 1 for nth in range(len(stones))]
                notes.append("the stones set up before the first move are taken as an opening")
            for colour, raw in _moves(node):
                stones.append(_stone(raw, size))
                colours.append(colour)
        except ValueError as error:
            raise ValueError(f"node {index}: {error}") from None
    told = {name: simple_text(root.first(name)).strip() for name in ("RU", "RE", "PB", "PW")}
    return Account(
        stones=tuple(stones),
        colours=tuple(colours),
        size=size,
        rule=told["RU"],
        black=told["PB"],
        white=told["PW"],
        claim=claim_of_result(told["RE"]),
        notes=tuple(notes),
    )


def _moves(node: Node) -> Iterator[tuple[int, str]]:
    """(colour, raw point) of a node's moves: one, or all of a game that has no other node, in their turns."""
    black, white = (node.properties.get(name, []) for name in ("B", "W"))
    for pair in zip_longest(black, white):
        yield from ((colour, raw) for colour, raw in enumerate(pair) if raw is not None)


def _stone(raw: str, size: tuple[int, int]) -> Point:
    """Where a move places its stone. Raises ValueError for a pass."""
    if not raw.strip():
        raise ValueError("a pass, which gomoku has not")
    return _from_top(parse_point(raw, *size), size)


def _from_top(point: Point, size: tuple[int, int]) -> Point:
    """A point with its row counted from the top."""
    column, row = point
    return column, size[1] - 1 - row


def _opening(node: Node, size: tuple[int, int]) -> list[Point]:
    """The stones that a node sets up, as if they had been played in turn."""
    black, white, empty = (parse_points(node.properties.get(name, ("",)), *size) for name in _SETUP)
    if empty or len(black) - len(white) not in (0, 1):
        raise ValueError(
            f"{len(black)} black and {len(white)} white stones are set up, which is no opening: "
            "expected as many of both, or one more of Black's"
        )
    return [_from_top(point, size) for pair in zip_longest(black, white) for point in pair if point]
