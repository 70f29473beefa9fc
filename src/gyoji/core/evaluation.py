"""Parse engines' evaluations of a position from their output, in the formats that real engines print.

There is no standard: engines print a word, perhaps a sign, and a number. Later lines are newer, so for each
kind of value the last line that has it counts. A forced win or loss in n moves becomes a score of 30,000 - n,
as in Rapfi's source, and a win probability of 1 or 0. Impossible values are ignored.

>>> said = read_words("Speed 176K | Depth 16-35 | Eval -143 | Node 111K | Time 630ms")
>>> said.score, said.win, said.depth, said.nodes
(-143.0, None, 16, 111000)
>>> read_words("ev +M3").score, read_words("ev -v22").win, read_words("good luck")
(29997.0, 0.0, None)
>>> read_words("Visits 500 Winrate 52.4% ScoreLead 0.5 PV D4 E5").win
0.524
"""

import re
from typing import Any

from gyoji.core.messages import Evaluation

FORCED = 30_000
"""The score of a forced win, from which the number of moves until the win is subtracted."""

LONGEST = 60
"""The maximum number of moves of a principal variation that are kept."""

LOOKED_AT = 8_000
"""The maximum number of characters at the end of a remark that are parsed."""

_WORD = re.compile(r"[a-z]\w*", re.IGNORECASE | re.ASCII)
_KINDS = {
    **dict.fromkeys(("eval", "ev", "val", "value", "score", "scorelead"), "score"),
    **dict.fromkeys(("depth", "dep"), "depth"),
    **dict.fromkeys(("nodes", "node", "nd", "n", "visits", "visit", "v", "playouts"), "nodes"),
    **dict.fromkeys(("bestline", "pv"), "pv"),
    "winrate": "win",
    "w": "win of draws",
}
"""The kind of value that follows each word."""

_BETWEEN = r"[ \t]{0,3}[:=]?[ \t]{0,3}"  # bounded, so that no remark makes the search slow
_NUMBER = r"\d{1,12}(?:\.\d{1,12})?"
_VALUE = re.compile(rf"{_BETWEEN}([+-]?)([Mv]?)({_NUMBER})(?:-\d+)?([%kKmMgG]?)(?![\w.]|,\d)", re.ASCII)
# "w 52.4 d 10.1 ...": Rapfi's probabilities of a win and of a draw in percent
_OF_DRAWS = re.compile(rf" ()()({_NUMBER})() d {_NUMBER} ", re.ASCII)
_MOVES = re.compile(
    r"[\s:=]{0,6}((?:(?:[a-z]\d{1,2}|\[\d{1,2},\d{1,2}\]|pass)\s*)+)", re.IGNORECASE | re.ASCII
)
_FOUND = re.compile(r"VC[FT] success")  # AIWine has found a win by fours or threes
_OTHER_LINE = re.compile(r"multipv (?!1\b)")
_THOUSANDS = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}


def read_words(text: str) -> Evaluation | None:
    """Parse the evaluation in an engine's remark about its move. Return None if the remark has none."""
    said: dict[str, Any] = {}
    for line in text[-LOOKED_AT:].splitlines():
        if not _OTHER_LINE.search(line):
            _read_line(line, said)
        if _FOUND.search(line):
            said |= {"score": float(FORCED), "win": 1.0}
            break
    return Evaluation(**said) if said else None


def _read_line(line: str, said: dict[str, Any]) -> None:
    """Add the values in one line of an engine's remark to `said`, a dict of `Evaluation` fields.

    If a line has a value of one kind twice, the first one counts.
    """
    seen = set()
    for word in _WORD.finditer(line):
        kind = _KINDS.get(word[0].lower())
        if kind is None or kind in seen:
            continue
        if kind == "pv":
            found = _MOVES.fullmatch(line, word.end())
            if found is not None:
                said["pv"] = tuple(found[1].split()[:LONGEST])
                return
            continue
        value = (_OF_DRAWS if kind == "win of draws" else _VALUE).match(line, word.end())
        if value is not None and (told := _figures(kind, *value.groups())):
            seen.add(kind)
            said |= told
    _, bar, rest = line.rpartition("|")
    if bar and (found := _MOVES.fullmatch(rest)):
        said["pv"] = tuple(found[1].split()[:LONGEST])


def _figures(kind: str, sign: str, forced: str, text: str, unit: str) -> dict[str, Any]:
    """Convert a number in an engine's remark to fields of `Evaluation`. Return {} for an impossible value.

    Args:
        kind: Kind of the number: "score", "nodes", "depth", "win", or "win of draws": a win probability in
            percent beside one of a draw, as Rapfi prints them.
        sign: "-", "+" or "".
        forced: The letter before the number of moves until a forced win or loss: "M" (mate) or "v" (victory).
            Else "".
        text: The number itself.
        unit: "%", or a letter for thousands, millions or billions; "" for none.
    """
    number, is_negative = float(text), sign == "-"
    if kind == "score" and forced:
        score = FORCED - number
        return {"score": -score, "win": 0.0} if is_negative else {"score": score, "win": 1.0}
    if kind == "score" and not unit:
        return {"score": -number if is_negative else number}
    if sign or forced:
        return {}
    if kind == "nodes":
        return {} if unit == "%" else {"nodes": round(number * _THOUSANDS[unit.lower()])}
    if kind == "depth":
        return {"depth": int(text)} if text.isdigit() and not unit else {}
    if unit not in ("", "%"):
        return {}
    win = chance(number / 100 if unit or kind == "win of draws" else number)
    return {} if win is None else {"win": win}


def chance(number: float) -> float | None:
    """Return a win probability in [0, 1], or None if the number is out of range."""
    return round(number, 6) if 0 <= number <= 1 else None
