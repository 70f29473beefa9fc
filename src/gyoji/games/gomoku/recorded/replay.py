"""An account of a game played over by the rules: whether every stone stands, and who has won."""

from functools import lru_cache
from typing import NamedTuple

from gyoji.core.describe import result_code
from gyoji.core.faults import ConfigError, IllegalMove
from gyoji.core.replay import Replay, Wanted
from gyoji.core.text import printable
from gyoji.games.gomoku.names import column_name
from gyoji.games.gomoku.options import Options, rules
from gyoji.games.gomoku.position import Position
from gyoji.games.gomoku.recorded.account import Account, check_size
from gyoji.games.gomoku.recorded.terms import format_terms, parse_terms
from gyoji.games.gomoku.rules import GomokuRules

TAKES = ("rules", "size")
"""The fields of `Wanted` that a game of gomoku has."""

USUAL_RULE = "freestyle"
"""The rule of a file that names none, or none that we know."""

USUAL_SIZE = (15, 15)

_COLOURS = ("Black", "White")
_OPEN = "-"


class Judged(NamedTuple):
    """The game by the rules.

    end       "B" or "W" has won, "0" nobody, "-" it is not over; text is the same with the reason.
    refusal   the stone that the rules refuse, and why; "" if they refuse none.
    position  the last one before that.
    is_last   whether the stone that is refused is the last one.
    """

    end: str
    text: str
    refusal: str
    position: Position
    is_last: bool = False


def replay(account: Account, wanted: Wanted) -> Replay:
    """What comes of an account.

    Raises ConfigError for what is asked for and does not fit, ValueError for a stone that is off the board.
    """
    wanted.check_fits("gomoku", TAKES)
    made, terms, notes = _rules(account, wanted)
    judged = _judge(account, made)
    claim = account.claim
    is_forfeit = judged.is_last and judged.end == claim.if_refused
    if is_forfeit:
        claim = claim.of_refused()
    differs = judged.end not in claim.fits
    verdict = f"the record says {claim.text}, the rules {judged.text}"
    return Replay(
        facts=_facts(account, made, terms),
        notes=notes,
        refusals=(judged.refusal,) if judged.refusal and not is_forfeit else (),
        forfeit=judged.refusal if is_forfeit else "",
        diagram=made.render(judged.position),
        verdict=f"{verdict}: they differ" if differs else verdict,
        differs=differs,
    )


def _facts(account: Account, made: GomokuRules, terms: str) -> tuple[tuple[str, str], ...]:
    return (
        ("black", printable(account.black, 60) or "?"),
        ("white", printable(account.white, 60) or "?"),
        ("size", str(made.width) if made.width == made.height else f"{made.width}x{made.height}"),
        ("rules", terms),
        ("stones", str(len(account.stones))),
    )


# By which rules


def _rules(account: Account, wanted: Wanted) -> tuple[GomokuRules, str, tuple[str, ...]]:
    """The rules, their text, and what was assumed. Raises ConfigError for unknown ones that are asked for."""
    notes = list(account.notes)
    size = wanted.size or account.size
    if size is None:
        size = USUAL_SIZE
        notes.append(f"the file gives no size: it is taken as {size[0]}")
    try:
        check_size(size)
    except ValueError as error:
        if wanted.size:
            raise ConfigError(f"size: {error}") from None
        raise
    if wanted.rules is None:
        terms, note = _recorded_terms(account.rule)
        return _made(size, terms), terms, (*notes, note) if note else tuple(notes)
    try:
        terms = format_terms(parse_terms(wanted.rules))
        return _made(size, terms), terms, tuple(notes)
    except ValueError as error:
        raise ConfigError(f"rules: {error}") from None


def _recorded_terms(rule: str) -> tuple[str, str]:
    """The rules that a file names, and what is to be said about that."""
    if not rule:
        return USUAL_RULE, f"the file names no rules: {USUAL_RULE} is taken"
    try:
        return format_terms(parse_terms(rule)), ""
    except ValueError:
        return USUAL_RULE, f"{printable(rule, 60)!r} are no rules we know: {USUAL_RULE} is taken"


@lru_cache(maxsize=64)
def _made(size: tuple[int, int], terms: str) -> GomokuRules:
    """The rules, once for all the games that are played by them; how sides were chosen is over by then."""
    return rules(Options(board_size=size, **{**parse_terms(terms), "swap2": False}))


# What they say


def _judge(account: Account, made: GomokuRules) -> Judged:
    """The game to its end, or to the first stone that is refused. Raises ValueError for one off the board."""
    position = made.start()
    play, point, colours = made.play, made.point, account.colours
    for index, (x, y) in enumerate(account.stones):
        colour = index & 1
        try:
            if colours and colours[index] != colour:
                raise IllegalMove(colour, f"it is {_COLOURS[colour]}'s turn")
            position = play(position, ((colour, point(x, y)),))
        except IllegalMove as error:
            return _refused(account, made, index, position, error.reason)
        except ValueError:
            where = f"column {x + 1}, row {y + 1}"
            board = f"{made.width}x{made.height}"
            raise ValueError(f"{_line(account, index)}{where} is off the {board} board") from None
    return Judged(*_end(made, position), "", position)


def _refused(account: Account, made: GomokuRules, index: int, position: Position, reason: str) -> Judged:
    """The game that stops at the stone of that index: lost by it, unless it was over."""
    x, y = account.stones[index]
    colour = account.colours[index] if account.colours else index & 1
    end, text = _end(made, position)
    is_lost_by_it = end == _OPEN
    if is_lost_by_it:
        end = "WB"[colour]
        text = f"{end}+F (illegal move)"
    else:
        reason = f"{reason}: {text}"
    stone = f"move {index + 1}, {_COLOURS[colour]} {column_name(x)}{y + 1}"
    is_last = is_lost_by_it and index + 1 == len(account.stones)
    return Judged(end, text, f"{_line(account, index)}{stone}: {reason}", position, is_last)


def _line(account: Account, index: int) -> str:
    return f"line {account.lines[index]}: " if account.lines else ""


def _end(made: GomokuRules, position: Position) -> tuple[str, str]:
    """`Judged.end` and `text` of a position."""
    if made.acting(position):
        return _OPEN, "no end"
    outcome = made.outcome(position)
    code = result_code(outcome)
    return code[0], f"{code} ({outcome.detail or 'the board is full'})"
