"""A game of Gomoku as an SGF file: every stone in its order and real colour, with the ms that it took.

Stones of the opening are moves like the others, marked as such. The last stone may be one that the rules
refuse, and that lost the game. Of a move of several stones (swap2) the first one has the time and the words;
a swap has no stone, and is told at the next one. What a clock had left is not told: finding that out would
cost more than all the rest.
"""

from collections.abc import Mapping, Sequence
from functools import cache

from gyoji.core.record import GameRecord, Played, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.core.text import quote
from gyoji.games.gomoku.names import column_name
from gyoji.games.gomoku.recorded.played import (
    SWAPPED,
    opening_of,
    refused_in,
    sides_of,
    size_of,
    stones_in,
)
from gyoji.games.gomoku.recorded.terms import format_terms
from gyoji.records.sgf.points import LETTERS, format_size
from gyoji.records.sgf.root import (
    check_two_seats,
    encode_game,
    format_comment,
    headings,
    last_words,
    root_comment,
)
from gyoji.records.sgf.timing import clock_headings, controls_of
from gyoji.records.sgf.values import format_simple_text

OPENING = "opening move"
"""The comment of stones that nobody of the two placed, in the words of other programs."""


def write(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """The SGF file of a game. Raises ValueError for a game not of two seats, and for a stone off the board.

    SGF has letters for 52 columns and rows. Of a game on a larger board only the root is written, with the
    stones in its comment.
    """
    check_two_seats(spec)
    options = spec.options
    width, height = size_of(options["board_size"])
    opening = opening_of(options, record)
    played = [move for turn in record.turns for move in turn]
    if (refused := refused_in(record)) is not None:
        played.append(refused)
    sides = sides_of(record, opening)
    comment = root_comment(spec, record, sides, has_moves=True)
    end = last_words(record, sides)
    nodes: list[list[str]] = []
    if max(width, height) > len(LETTERS):
        end = f"Stones {opening}{''.join(move.move for move in played)}\n\n{end}"
    else:
        try:
            nodes = _nodes(stones_in(opening), played, _starts(width, height))
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
    starts: Sequence[Mapping[str, str]],
) -> list[list[str]]:
    """Of each stone the start of its node and its comment, raw. Raises KeyError for one off the board."""
    nodes = [[starts[index & 1][stone], OPENING] for index, stone in enumerate(opening)]
    before = ""
    for _, move, ns, comment, phase, _ in played:
        words = f"{ns // 1_000_000}ms"
        if comment or phase or before:
            words = "\n".join(filter(None, (before, phase, words, format_comment(comment))))
            before = ""
        start = starts[len(nodes) & 1].get(move)
        if start is not None:
            nodes.append([start, words])
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
