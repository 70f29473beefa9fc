r"""Parse the evaluations of UCI engines, which they send in `info` lines.

>>> line = b"info depth 12 seldepth 17 multipv 1 score cp 34 nodes 90210 nps 901k time 100 pv e2e4 e7e5"
>>> read_info(line, white_view=False)  # doctest: +NORMALIZE_WHITESPACE
Evaluation(score=34.0, win=None, depth=12, nodes=90210, pv=('e2e4', 'e7e5'), mate=None, bound='',
search=Search(seldepth=17, ms=100, nps=None, hashfull=None, tbhits=None,
newer_bound=False))
"""

from typing import Final, Literal

from gyoji.core.evaluation import FORCED, LONGEST, chance
from gyoji.core.messages import Evaluation, Search

_LONGEST_NUMBER: Final = 18
_BOUNDS: dict[str, Literal["lower", "upper"]] = {"lowerbound": "lower", "upperbound": "upper"}
_FIGURES: Final = frozenset(("depth", "seldepth", "nodes", "nps", "time", "hashfull", "tbhits"))

# Each move of an engine has an evaluation, and a named tuple's own constructor costs twice as much.
_tuple: Final = tuple.__new__


def is_score(line: bytes) -> bool:
    """Return whether a line is an `info` line with a score of the best variation.

    Text after "string" is free text, whatever it contains.
    """
    if b" string " in line:
        line, _, _ = line.partition(b" string ")
    if b" score " not in line or not line.startswith(b"info"):
        return False
    if b" multipv " not in line:
        return True
    _, _, number = line.partition(b" multipv ")
    return number.split(None, 1)[:1] == [b"1"]


def is_bound(line: bytes) -> bool:
    """Return whether the score of an `info` line is a bound, not exact."""
    return b" lowerbound" in line or b" upperbound" in line


def read_info(line: bytes, *, white_view: bool) -> Evaluation | None:
    """Parse an `info` line that has a score. Return None if the score has an unknown form.

    Args:
        line: A line for which `is_score` is true.
        white_view: Whether to negate the score, because the engine is Black and reports White's advantage.
    """
    words = line.decode("utf-8", "replace").split()
    figures: dict[str, int] = {}
    score: float | None = None
    mate: int | None = None
    win: float | None = None
    bound: Literal["", "lower", "upper"] = ""
    pv: tuple[str, ...] = ()
    place = 1
    end = len(words)
    while place < end:
        word = words[place]
        place += 1
        if word in _FIGURES:
            if (number := _number(words, place)) is not None:
                figures[word] = number
                place += 1
        elif word == "pv":
            pv = tuple(words[place : place + LONGEST])
            break
        elif word == "string":
            break
        elif word in ("cp", "mate") and words[place - 2] == "score":
            number = _number(words, place)
            if number is None:
                return None
            score, mate = _score(word, -number if white_view else number)
            if word == "mate" and not number and white_view:
                score = -score  # "mate 0" has no sign: White has no move left, or Black
        elif word == "wdl":
            win = _win(words[place : place + 3], white_view=white_view)
        elif word in _BOUNDS:
            bound = _BOUNDS[word]
    if score is None:
        return None
    if white_view and bound:
        bound = "upper" if bound == "lower" else "lower"
    if mate is not None:
        win = 1.0 if score > 0 else 0.0
    ms, nps, hashfull = figures.get("time"), figures.get("nps"), figures.get("hashfull")
    search = _tuple(Search, (figures.get("seldepth"), ms, nps, hashfull, figures.get("tbhits"), False))
    depth, nodes = figures.get("depth"), figures.get("nodes")
    return _tuple(Evaluation, (score, win, depth, nodes, pv, mate, bound, search))


def _number(words: list[str], place: int) -> int | None:
    """Return the integer at an index of a line's words; None if there is none."""
    if place >= len(words):
        return None
    text = words[place]
    digits = text if text.isdigit() else text[1:] if text[0] in "+-" else ""
    is_number = digits.isdigit() and digits.isascii() and len(digits) <= _LONGEST_NUMBER
    return int(text) if is_number else None


def _score(kind: str, number: int) -> tuple[float, int | None]:
    """Return (score, moves until mate or None) for the two words after "score" in an `info` line.

    A mate in n moves has the score 30,000 - n, and being mated in n moves the score n - 30,000.

    Args:
        kind: "cp" for centipawns; otherwise `number` is the number of moves until mate.
    """
    if kind == "cp":
        return float(number), None
    return (float(FORCED - number) if number > 0 else float(-FORCED - number)), number


def _win(words: list[str], *, white_view: bool) -> float | None:
    """Return the expected score, from 0 to 1, for numbers of wins, draws and losses in thousandths; None if
    one is missing.
    """
    numbers = [_number(words, place) for place in range(3)]
    if None in numbers:
        return None
    wins, draws, losses = (number or 0 for number in numbers)
    return chance(((losses if white_view else wins) + draws / 2) / 1000)
