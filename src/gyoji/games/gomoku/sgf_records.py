"""Gomoku and renju games in SGF (GM[4]): writing gyoji's games, and reading those of any program.

The reader ignores variations, marks and comments. Stones set up before the first move become an opening if
their numbers are possible in a game; stones set up later are an error.

The writer writes every stone in playing order with its real colour and its ms. Stones of the opening are
moves with a comment. The last stone may be an illegal one that lost the game. In a move of several stones
(swap2), the first one has the time and the remark. A swap has no stone and is mentioned at the next one. The
time left on clocks is not written, because computing it would cost more than all the rest.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import zip_longest

from gyoji.core.boards import columns_rows
from gyoji.core.record import GameRecord, Played, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable, quote
from gyoji.games.gomoku.board import column_name
from gyoji.games.gomoku.record_parts import SWAPPED, format_terms, opening_of, refused_in, sides_of, stones_in
from gyoji.games.gomoku.replaying import NOTHING, TAKES, Claim, Point, RecordedGame, replay
from gyoji.sgf.grammar import Node
from gyoji.sgf.property_values import (
    LETTERS,
    format_simple_text,
    format_size,
    parse_point,
    parse_points,
    parse_size,
    simple_text,
)
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

_DEFAULT_SIZE = 15
_SETUP = ("AB", "AW", "AE")


def read_game(root: Node, default: tuple[int, int] | None = None) -> RecordedGame:
    """Return the recorded game in an SGF tree.

    Args:
        default: The board size if the root has no SZ; None for 15x15.

    Raises:
        ValueError: The message names the node (0 is the root) and the mistake.
    """
    size = parse_size(raw, _DEFAULT_SIZE) if (raw := root.first("SZ")) or default is None else default
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
                if not raw.strip():
                    raise ValueError("a pass, which gomoku has not")
                stones.append(_from_top(parse_point(raw, *size), size))
                colours.append(colour)
        except ValueError as error:
            raise ValueError(f"node {index}: {error}") from None
    told = {name: simple_text(root.first(name)).strip() for name in ("RU", "RE", "PB", "PW")}
    return RecordedGame(
        stones=tuple(stones),
        colours=tuple(colours),
        size=size,
        rule=told["RU"],
        black=told["PB"],
        white=told["PW"],
        claim=_claim(told["RE"]),
        notes=tuple(notes),
    )


def _claim(result: str) -> Claim:
    """Return the claim for a result such as ``W+F`` or ``0``. Any other text is consistent with every end."""
    code = result.upper()
    if code[:2] in ("B+", "W+"):
        return Claim(printable(result, 40), f"{code[0]}-", code[0] if code == f"{code[0]}+F" else "")
    if code in ("0", "DRAW"):
        return Claim("0", "0-")
    return Claim(printable(result, 40)) if result else NOTHING


def _moves(node: Node) -> Iterator[tuple[int, str]]:
    """Yield (colour, raw point) for each move of a node, in playing order.

    Some programs write all moves of a game in one node.
    """
    black, white = (node.properties.get(name, []) for name in ("B", "W"))
    for pair in zip_longest(black, white):
        yield from ((colour, raw) for colour, raw in enumerate(pair) if raw is not None)


def _from_top(point: Point, size: tuple[int, int]) -> Point:
    """Return a point with its row counted from the top."""
    column, row = point
    return column, size[1] - 1 - row


def _opening(node: Node, size: tuple[int, int]) -> list[Point]:
    """Return the stones that a node sets up, in alternating order."""
    black, white, empty = (parse_points(node.properties.get(name, ("",)), *size) for name in _SETUP)
    if empty or len(black) - len(white) not in (0, 1):
        raise ValueError(
            f"{len(black)} black and {len(white)} white stones are set up, which is not an opening: "
            "expected as many of both, or one more of Black's"
        )
    return [_from_top(point, size) for pair in zip_longest(black, white) for point in pair if point]


OPENING = "opening move"
"""The comment on stones of the opening, as other programs write it."""


def write(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """Return the SGF file of a game. Raises ValueError if it has not two seats, or for a stone off the board.

    SGF has letters for 52 columns and rows. For a game on a larger board only the root is written, with the
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
    """Return [SGF text with which the node begins, comment] for each stone, those of the opening first.

    Args:
        opening: The names of the points of the opening's stones.
        played: The moves of the game.
        values: SGF text of further properties, by the index of the move from 0. Only moves of one stone get
            their text.
        starts: The result of `_starts`.

    Raises:
        KeyError: A stone is off the board.
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
    """Return, for Black and for White, the SGF text with which the node of a stone begins, by its point."""
    columns = [(column_name(x), LETTERS[x]) for x in range(width)]
    points = {f"{name}{y + 1}": letter + LETTERS[y] for name, letter in columns for y in range(height)}
    black, white = ({name: f";{colour}[{point}]" for name, point in points.items()} for colour in "BW")
    return black, white


SGF = sgf_format(
    "gomoku", 4, write=write, replay=lambda root, wanted: replay(read_game(root), wanted), takes=TAKES
)
