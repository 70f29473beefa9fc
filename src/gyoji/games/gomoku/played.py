"""Games of ours as records have them: their rules, stones and colours, and training samples.

>>> format_terms({"rule": 4, "max_moves": 200, "dead_draw": True, "opening": "h8"})
'renju +max_moves=200 +dead_draw'
>>> parse_terms("renju +max_moves=200 +dead_draw")
{'rule': 'renju', 'max_moves': 200, 'dead_draw': True}

Samples are as c-gomoku-cli writes them with ``-sample``: each move and what was before it.

::

    csv      h8i9,g7,2       the stones, the move, and what came of it for who made it: 0 lost, 1 level, 2 won
    binpack  the game in one: 8 bytes of heading, 2 for each stone before the first sample, 4 for each move

Games of other kinds have none: by a rule other than freestyle, standard or renju, or on a board
that is no square of 5 to 22. Games that were lost on time, by a crash or by a move to no free point are left
out, as there; so is a forbidden move itself, which its game is kept without. The stones of an opening and of
swap2 are those before the first sample.
"""

import re
import struct
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from gyoji.core.boards import columns_rows
from gyoji.core.outcome import Ending
from gyoji.core.record import GameRecord, Played, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.core.text import parse_whole, quote
from gyoji.games.gomoku.rulesets import rule_name, rule_number

_NUMBERS = ("max_moves", "draw_margin")
_SWITCHES = ("dead_draw", "swap2")


def format_terms(options: Mapping[str, Any]) -> str:
    """The rule's name, and whatever else is set of the options that change how a game goes and ends."""
    words = [str(rule_name(rule_number(options.get("rule", 0))))]
    words += [f"+{name}={options[name]}" for name in _NUMBERS if options.get(name)]
    words += [f"+{name}" for name in _SWITCHES if options.get(name)]
    return " ".join(words)


def parse_terms(text: str) -> dict[str, Any]:
    """Options of the game from what `format_terms` writes; a rule may be its number, too.

    Raises ValueError for anything else.
    """
    rule, *words = (word.strip() for word in text.strip().lower().split("+"))
    terms: dict[str, Any] = {
        "rule": rule_name(rule_number(rule if (number := parse_whole(rule)) is None else number))
    }
    for word in words:
        name, _, value = word.partition("=")
        if name in _NUMBERS and (number := parse_whole(value)) is not None:
            terms[name] = number
        elif word in _SWITCHES:
            terms[word] = True
        else:
            raise ValueError(f"got {quote(word)}, expected max_moves=N, draw_margin=N or dead_draw after a +")
    return terms


SWAPPED = "swap"
"""The text of the move that takes Black, and places nothing."""

_STONE = re.compile(r"[a-z]+[0-9]+")


def stones_in(move: str) -> list[str]:
    """The names of the points of a move or of an opening.

    >>> stones_in("h8"), stones_in("h8ad30"), stones_in("swap")
    (['h8'], ['h8', 'ad30'], [])
    """
    return _STONE.findall(move)


def refused_in(record: GameRecord | VoidGame) -> Played | None:
    """The stone that lost the game because the rules refuse it there; None for a move of another kind."""
    refused = record.refused if isinstance(record, GameRecord) else None
    return refused if refused is not None and len(stones_in(refused.move)) == 1 else None


def opening_of(options: Mapping[str, Any], record: GameRecord | VoidGame) -> str:
    """The opening that the game was played from: under swap2 only one that a player could not carry out."""
    opening = str(options.get("opening", ""))
    if not opening or not options.get("swap2"):
        return opening
    return opening if record.turns and not record.turns[0][0].phase else ""


def sides_of(record: GameRecord | VoidGame, opening: str) -> Sequence[int]:
    """The colour of each seat, 0 Black: as the result has it, or for a void game as its moves tell.

    Under swap2 whoever swaps has Black, and a move of one stone is in its player's colour.
    """
    if isinstance(record, GameRecord):
        return record.result.sides or (0, 1)
    count = len(stones_in(opening))
    black = 0
    for seat, move, *_ in (played for turn in record.turns for played in turn):
        placed = len(stones_in(move))
        if placed < 2:
            black = 1 - seat if placed and count & 1 else seat
        count += placed
    return black, 1 - black


_RULES = (0, 1, 4)
_SIDES = range(5, 23)
_LEFT_OUT = (Ending.TIME, Ending.FAULT, Ending.REJECTION, Ending.ILL_FORMED_MOVE)
_LOST, _LEVEL, _WON = 0, 1, 2
_PLAIN = 0b111  # of a move: the first and the last at its place, and without an evaluation


class _Game(NamedTuple):
    """before, moves: names of stones; result: for who made the first of the moves."""

    side: int
    rule: int
    before: tuple[str, ...]
    moves: tuple[str, ...]
    result: int


def csv_samples(spec: GameSpec, record: GameRecord) -> bytes:
    """A line for each move, none for a game that is left out. Raises ValueError for one of another kind."""
    game = _game(spec, record)
    if game is None:
        return b""
    lines = []
    stones, result = "".join(game.before), game.result
    for move in game.moves:
        lines.append(f"{stones},{move},{result}\n")
        stones, result = stones + move, _WON - result
    return "".join(lines).encode()


def binpack_samples(spec: GameSpec, record: GameRecord) -> bytes:
    """The entry of a game, little-endian; nothing where there are fewer than two moves. Raises ValueError."""
    game = _game(spec, record)
    if game is None or len(game.moves) < 2:
        return b""
    before, moves = len(game.before), len(game.moves)
    first = game.side | game.rule << 5 | game.result << 8 | before + moves << 12 | before << 22
    packed = [struct.pack("<II", first, moves << 14)]
    packed += [struct.pack("<H", _packed(stone)) for stone in game.before]
    packed += [struct.pack("<Hh", _packed(move) << 6 | _PLAIN, 0) for move in game.moves]
    return b"".join(packed)


def _packed(stone: str) -> int:
    """A point in ten bits: the column, and the row from the top in the lower five."""
    return ord(stone[0]) - ord("a") << 5 | int(stone[1:]) - 1


def _game(spec: GameSpec, record: GameRecord) -> _Game | None:
    """The sampled part of a game; None if it is left out. Raises ValueError for a game of another kind."""
    options, outcome = spec.options, record.result.outcome
    (width, height), rule = columns_rows(options["board_size"]), rule_number(options.get("rule", 0))
    if width != height or width not in _SIDES or rule not in _RULES:
        raise ValueError(
            f"game {spec.id}: got {width}x{height}, rule {rule}; samples are of square boards of 5 to 22 and"
            " of freestyle, standard and renju"
        )
    opening = opening_of(options, record)
    before, moves = stones_in(opening), list[str]()
    for move, phase in ((move, phase) for turn in record.turns for _, move, _, _, phase, _ in turn):
        (before if phase else moves).extend(stones_in(move))
    if outcome.points is None or outcome.ending in _LEFT_OUT:
        return None
    refused = refused_in(record)
    if outcome.ending is Ending.ILLEGAL_MOVE and (refused is None or refused.move in (*before, *moves)):
        return None
    result = _LEVEL
    if (winner := outcome.winner) is not None:
        is_first = sides_of(record, opening)[winner] == len(before) & 1
        result = _WON if is_first else _LOST
    return _Game(width, rule, tuple(before), tuple(moves), result)


SAMPLES: Mapping[str, Callable[[GameSpec, GameRecord], bytes]] = MappingProxyType(
    {"csv": csv_samples, "binpack": binpack_samples}
)
"""By name of the format, what gives a game's samples."""
