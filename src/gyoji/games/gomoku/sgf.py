"""Games of Gomoku and Renju in SGF: GM[4], written from our records and read from anybody's.

Read: variations, marks and comments are left out. Stones that are set up before the first move are taken as
an opening, if there are as many of each colour as a game can have; later ones are an error.

Written: every stone in its order and real colour, with the ms that it took. Stones of the opening are moves
like the others, marked as such. The last stone may be one that the rules refuse, and that lost the game. Of a
move of several stones (swap2) the first one has the time and the words; a swap has no stone, and is told at
the next one. What a clock had left is not told: finding that out would cost more than all the rest.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import zip_longest

from gyoji.core.boards import columns_rows
from gyoji.core.record import GameRecord, Played, VoidGame
from gyoji.core.replay import Replay, Wanted
from gyoji.core.spec import GameSpec
from gyoji.core.text import quote
from gyoji.games.gomoku.account import TAKES, Account, Point, claim_of_result, replay
from gyoji.games.gomoku.board import column_name
from gyoji.games.gomoku.played import (
    SWAPPED,
    format_terms,
    opening_of,
    refused_in,
    sides_of,
    stones_in,
)
from gyoji.sgf.grammar import Node
from gyoji.sgf.records import (
    check_two_seats,
    clock_headings,
    controls_of,
    encode_game,
    format_comment,
    headings,
    last_words,
    moves_told,
    root_comment,
    sgf_format,
)
from gyoji.sgf.values import (
    LETTERS,
    format_simple_text,
    format_size,
    parse_point,
    parse_points,
    parse_size,
    simple_text,
)

_USUAL_SIZE = 15
_SETUP = ("AB", "AW", "AE")


def replay_game(root: Node, wanted: Wanted) -> Replay:
    """One game of a collection, judged again.

    Raises ConfigError for what is asked for and does not fit, ValueError for a game that cannot be read.
    """
    return replay(read_account(root), wanted)


def read_account(root: Node) -> Account:
    """The account of a game's tree. Raises ValueError naming the node, 0 the root, and the mistake there."""
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
            f"{len(black)} black and {len(white)} white stones are set up, which is not an opening: "
            "expected as many of both, or one more of Black's"
        )
    return [_from_top(point, size) for pair in zip_longest(black, white) for point in pair if point]


OPENING = "opening move"
"""The comment of stones that nobody of the two placed, in the words of other programs."""


def write(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """The SGF file of a game. Raises ValueError for a game not of two seats, and for a stone off the board.

    SGF has letters for 52 columns and rows. Of a game on a larger board only the root is written, with the
    stones in its comment.
    """
    check_two_seats(spec)
    options = spec.options
    width, height = columns_rows(options["board_size"])
    opening = opening_of(options, record)
    sides = sides_of(record, opening)
    played, values = moves_told(record, sides)
    if (refused := refused_in(record)) is not None:
        played.append(refused)
    comment = root_comment(spec, record, sides)
    end = last_words(record, sides)
    nodes: list[list[str]] = []
    if max(width, height) > len(LETTERS):
        end = f"Stones {opening}{''.join(move.move for move in played)}\n\n{end}"
    else:
        try:
            nodes = _nodes(stones_in(opening), played, values, _starts(width, height))
        except KeyError as error:
            stone = quote(str(error.args[0]))
            raise ValueError(f"game {spec.id}: {stone} is not on the {width}x{height} board") from None
    if nodes:
        nodes[-1][1] += f"\n\n{format_comment(end)}"
    else:
        comment = f"{comment}\n\n{end}"
    properties = {
        "C": format_comment(comment),
        "GM": "4",
        "RU": format_simple_text(format_terms(options)),
        "SZ": format_size(width, height),
        **headings(spec, record, sides),
        **clock_headings(controls_of(spec)),
    }
    return encode_game(properties, [f"{start}C[{words}]" for start, words in nodes])


def _nodes(
    opening: Sequence[str],
    played: Sequence[Played],
    values: Mapping[int, str],
    starts: Sequence[Mapping[str, str]],
) -> list[list[str]]:
    """The start of each stone's node and its comment, raw. Raises KeyError for one off the board.

    values: what nodes of stones have besides, by the number of the move.
    """
    nodes = [[starts[index & 1][stone], OPENING] for index, stone in enumerate(opening)]
    before = ""
    for number, (_, move, ns, comment, phase, _) in enumerate(played):
        words = f"{ns // 1_000_000}ms"
        if comment or phase or before:
            words = "\n".join(filter(None, (before, phase, words, format_comment(comment))))
            before = ""
        start = starts[len(nodes) & 1].get(move)
        if start is not None:
            nodes.append([start + values.get(number, ""), words])
        elif move == SWAPPED:
            before = f"{words}\nBlack has swapped"
        else:
            first, *others = stones_in(move) or [move]
            nodes.append([starts[len(nodes) & 1][first], words])
            nodes += [[starts[len(nodes) + nth & 1][stone], phase] for nth, stone in enumerate(others)]
    if before and nodes:
        nodes[-1][1] += f"\n{before}"
    return nodes


@cache
def _starts(width: int, height: int) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """For each colour: the name of a point -> the move there."""
    columns = [(column_name(x), LETTERS[x]) for x in range(width)]
    points = {f"{name}{y + 1}": letter + LETTERS[y] for name, letter in columns for y in range(height)}
    black, white = ({name: f";{colour}[{point}]" for name, point in points.items()} for colour in "BW")
    return black, white


SGF = sgf_format("gomoku", 4, write=write, replay=replay_game, takes=TAKES)
