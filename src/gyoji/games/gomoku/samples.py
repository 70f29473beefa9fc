"""Training samples of gomoku games: for each move, the stones before it and the result of its player.

The formats are those of c-gomoku-cli's option ``-sample``.

::

    csv      h8i9,g7,2       the stones; the move; its player then lost (0), drew (1) or won (2)
    binpack  one game: 8 bytes of heading, 2 for each stone before the first sample, 4 for each move

Only games of freestyle, standard or renju on a square board of 5 to 22 have samples. As in c-gomoku-cli,
there are none for games that ended on time, by a crash, or by a move on an occupied point. If a forbidden
move lost the game, there are samples for the moves before it. The stones of an opening and of swap2 come
before the first sample.
"""

import struct
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from gyoji.core.boards import columns_rows
from gyoji.core.game import Sampler
from gyoji.core.outcome import Ending
from gyoji.core.record import GameRecord
from gyoji.core.spec import GameSpec
from gyoji.games.gomoku.record_parts import opening_of, refused_in, sides_of, stones_in
from gyoji.games.gomoku.rulesets import rule_number

_RULES = (0, 1, 4)
_SIDES = range(5, 23)
_LEFT_OUT = (Ending.TIME, Ending.FAULT, Ending.REJECTION, Ending.ILL_FORMED_MOVE)
_LOST, _LEVEL, _WON = 0, 1, 2
_PLAIN = 0b111  # of a move: the first and the last at its place, and without an evaluation


class _Game(NamedTuple):
    """The sampled part of a game.

    Attributes:
        side: The number of points on a side of the board.
        rule: The rule as the number in the binary format.
        before: The names of the stones before the first sample.
        moves: The names of the stones that are sampled.
        result: The result for the player of the first sampled move: 0 lost, 1 drew, 2 won.
    """

    side: int
    rule: int
    before: tuple[str, ...]
    moves: tuple[str, ...]
    result: int


def csv_samples(spec: GameSpec, record: GameRecord) -> bytes:
    """Return a CSV line for each move; b"" for a game without samples.

    Raises:
        ValueError: The game is of a kind that the format cannot hold.
    """
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
    """Return the samples of a game in binary form, little-endian; b"" for no samples or fewer than two moves.

    Raises:
        ValueError: The game is of a kind that the form cannot hold.
    """
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
    """Return a point as a number of ten bits: five for the column, then five for the row from the top.

    Args:
        stone: The name of the point.
    """
    return ord(stone[0]) - ord("a") << 5 | int(stone[1:]) - 1


def _game(spec: GameSpec, record: GameRecord) -> _Game | None:
    """Return the part of a game that has samples, or None if there are none.

    Raises:
        ValueError: The game is of a kind that the sample formats cannot hold.
    """
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


SAMPLES: Mapping[str, Sampler] = MappingProxyType({"csv": csv_samples, "binpack": binpack_samples})
"""The makers of samples, by name of the format."""
