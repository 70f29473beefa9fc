"""Judging recorded gomoku games again by the rules.

A `RecordedGame` is the content of a file before it is judged: the stones in playing order, with their colours
if the file has them. A stone of the wrong colour is illegal: Black begins, and the colours alternate. Judging
returns a `Replay`. It has the first illegal stone, if there is one, and a verdict: a text that compares the
end that the record claims with the end by the rules.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from gyoji.core.describe import result_code
from gyoji.core.faults import ConfigError, IllegalMove
from gyoji.core.replay import Replay, Wanted
from gyoji.core.text import printable
from gyoji.games.gomoku.board import MAX_SIDE, MIN_SIDE, column_name
from gyoji.games.gomoku.game_options import Options, rules
from gyoji.games.gomoku.position import Position
from gyoji.games.gomoku.record_parts import format_terms, parse_terms
from gyoji.games.gomoku.rules import GomokuRules

Point: TypeAlias = tuple[int, int]
"""A point as (column, row), both from 0, the row from the top. In a file it may be off the board."""


class Claim(NamedTuple):
    """The end of a game as its record claims it.

    Attributes:
        text: The claim in words.
        fits: The ends by the rules that are consistent with the claim, as letters: "B" Black won, "W" White
            won, "0" a draw, "-" not over.
        if_refused: The winner, "B" or "W", that the claim means if the rules refuse the last stone; "" if it
            cannot be about an illegal stone.
    """

    text: str
    fits: str = "BW0-"
    if_refused: str = ""


NOTHING = Claim("nothing")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedGame:
    """The content of a record file about one game.

    Attributes:
        stones: The stones in playing order.
        lines: The line number of each stone; () if the format has no lines.
        colours: The colour of each stone, 0 for Black; () if they alternate.
        size: Columns and rows of the board.
        rule: The rules in the form of `format_terms`, or in another form; "" if the file has none.
        notes: Notes about entries that were not taken literally.
    """

    stones: tuple[Point, ...]
    lines: tuple[int, ...] = ()
    colours: tuple[int, ...] = ()
    size: tuple[int, int]
    rule: str = ""
    black: str = ""
    white: str = ""
    claim: Claim = NOTHING
    notes: tuple[str, ...] = ()


def check_size(size: tuple[int, int]) -> None:
    """Raise ValueError for a board size that gomoku does not support."""
    if not all(MIN_SIDE <= side <= MAX_SIDE for side in size):
        expected = f"expected {MIN_SIDE} to {MAX_SIDE} columns and rows"
        raise ValueError(f"a board of {size[0]}x{size[1]}: {expected}")


TAKES = ("rules", "size")
"""The fields of `Wanted` that apply to a game of gomoku."""

DEFAULT_RULE = "freestyle"
"""The rule for a file that names none, or an unknown one."""

_COLOURS = ("Black", "White")
_OPEN = "-"


class Judged(NamedTuple):
    """The judgement of a recorded game by the rules.

    Attributes:
        end: "B" or "W" if that side won, "0" for a draw, "-" if the game is not over.
        text: The end with its reason.
        refusal: The illegal stone with the reason; "" if all stones are legal.
        position: The last position before the illegal stone, or at the end.
        is_last: Whether the game was lost by an illegal stone that is the last one of the record.
    """

    end: str
    text: str
    refusal: str
    position: Position
    is_last: bool = False


def replay(game: RecordedGame, wanted: Wanted) -> Replay:
    """Judge a recorded game again and return the report.

    Raises:
        ConfigError: The request has settings that gomoku does not have, or unknown rules.
        ValueError: A stone is off the board, or the board has a size that gomoku does not support.
    """
    wanted.check_fits("gomoku", TAKES)
    made, terms, notes = _rules(game, wanted)
    judged = _judge(game, made)
    claim = game.claim
    is_forfeit = judged.is_last and judged.end == claim.if_refused
    if is_forfeit:
        claim = Claim(f"{claim.if_refused}{claim.text[1:]}", claim.if_refused)
    differs = judged.end not in claim.fits
    verdict = f"the record says {claim.text}, the rules {judged.text}"
    return Replay(
        facts=_facts(game, made, terms),
        notes=notes,
        refusals=(judged.refusal,) if judged.refusal and not is_forfeit else (),
        forfeit=judged.refusal if is_forfeit else "",
        diagram=made.render(judged.position),
        verdict=f"{verdict}: they differ" if differs else verdict,
        differs=differs,
    )


def _facts(game: RecordedGame, made: GomokuRules, terms: str) -> tuple[tuple[str, str], ...]:
    return (
        ("black", printable(game.black, 60) or "?"),
        ("white", printable(game.white, 60) or "?"),
        ("size", str(made.width) if made.width == made.height else f"{made.width}x{made.height}"),
        ("rules", terms),
        ("stones", str(len(game.stones))),
    )


# By which rules


def _rules(game: RecordedGame, wanted: Wanted) -> tuple[GomokuRules, str, tuple[str, ...]]:
    """Return (rules to judge a game by, their text, a note for each assumption).

    Raises:
        ConfigError: The requested rules are unknown, or the requested size is not supported.
        ValueError: The recorded size is not supported.
    """
    size = wanted.size or game.size
    try:
        check_size(size)
    except ValueError as error:
        if wanted.size:
            raise ConfigError(f"size: {error}") from None
        raise
    if wanted.rules is None:
        terms, note = _recorded_terms(game.rule)
        return _made(size, terms), terms, (*game.notes, note) if note else game.notes
    try:
        terms = format_terms(parse_terms(wanted.rules))
        return _made(size, terms), terms, game.notes
    except ValueError as error:
        raise ConfigError(f"rules: {error}") from None


def _recorded_terms(rule: str) -> tuple[str, str]:
    """Return (text of the rules to judge a game by, note).

    `rule` is what the game's file says of its rules. If that is empty or unknown, the default rules are taken
    and the note says so. Otherwise the note is "".
    """
    if not rule:
        return DEFAULT_RULE, f"the file names no rules: {DEFAULT_RULE} is taken"
    try:
        return format_terms(parse_terms(rule)), ""
    except ValueError:
        return DEFAULT_RULE, f"{printable(rule, 60)!r} are no rules we know: {DEFAULT_RULE} is taken"


@lru_cache(maxsize=64)
def _made(size: tuple[int, int], terms: str) -> GomokuRules:
    """Return the rules that a text names (see `format_terms`) on a board of `size`, cached.

    Swap2 is off, because the sides are already chosen.
    """
    return rules(Options(board_size=size, **{**parse_terms(terms), "swap2": False}))


# What they say


def _judge(game: RecordedGame, made: GomokuRules) -> Judged:
    """Replay the game to its end, or to the first illegal stone.

    Raises ValueError for a stone off the board.
    """
    position = made.start()
    play, point, colours = made.play, made.point, game.colours
    for index, (x, y) in enumerate(game.stones):
        colour = index & 1
        try:
            if colours and colours[index] != colour:
                raise IllegalMove(colour, f"it is {_COLOURS[colour]}'s turn")
            position = play(position, ((colour, point(x, y)),))
        except IllegalMove as error:
            return _refused(game, made, index, position, error.reason)
        except ValueError:
            where = f"column {x + 1}, row {y + 1}"
            board = f"{made.width}x{made.height}"
            raise ValueError(f"{_line(game, index)}{where} is off the {board} board") from None
    return Judged(*_end(made, position), "", position)


def _refused(game: RecordedGame, made: GomokuRules, index: int, position: Position, reason: str) -> Judged:
    """Return the judgement of a game that stopped at an illegal stone.

    The stone's player lost, unless the game was already over.

    Args:
        index: The index of the stone, from 0.
        position: The position before the stone.
        reason: Why the rules refuse the stone.
    """
    x, y = game.stones[index]
    colour = game.colours[index] if game.colours else index & 1
    end, text = _end(made, position)
    is_lost_by_it = end == _OPEN
    if is_lost_by_it:
        end = "WB"[colour]
        text = f"{end}+F (illegal move)"
    else:
        reason = f"{reason}: {text}"
    stone = f"move {index + 1}, {_COLOURS[colour]} {column_name(x)}{y + 1}"
    is_last = is_lost_by_it and index + 1 == len(game.stones)
    return Judged(end, text, f"{_line(game, index)}{stone}: {reason}", position, is_last)


def _line(game: RecordedGame, index: int) -> str:
    return f"line {game.lines[index]}: " if game.lines else ""


def _end(made: GomokuRules, position: Position) -> tuple[str, str]:
    """Return (winner, text) for `Judged.end` and `Judged.text`. The text is the result with its reason."""
    if made.acting(position):
        return _OPEN, "no end"
    outcome = made.outcome(position)
    code = result_code(outcome)
    return code[0], f"{code} ({outcome.detail or 'the board is full'})"
