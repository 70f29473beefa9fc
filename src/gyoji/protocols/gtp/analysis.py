"""The opinions of GTP engines: what their commands for it answer, from the point of view of who has moved.

`kata-genmove_analyze` and `lz-genmove_analyze` make a move as `genmove` does, and say before it what they
think of it: KataGo's chances are from 0 to 1, Leela Zero's whole numbers to 10,000. `estimate_score`, of GNU
Go, is asked after the move.

>>> text = "info move D5 visits 27 winrate 0.52907 scoreLead 0.215 order 0 pv D5 E7\\nplay D5"
>>> read_analysis(text, KATA_ANALYZE)
('D5', Evaluation(score=0.215, win=0.52907, depth=None, nodes=27, pv=('D5', 'E7')))
>>> read_estimate("B+5.9 (upper bound: -5.9, lower: -5.9)", "w")
Evaluation(score=-5.9, win=None, depth=None, nodes=None, pv=())
"""

import re
from collections.abc import Mapping

from gyoji.core.evaluation import LONGEST, chance
from gyoji.core.messages import Evaluation

KATA_ANALYZE = "kata-genmove_analyze"
LZ_ANALYZE = "lz-genmove_analyze"
ESTIMATE = "estimate_score"

ARGUMENTS = {KATA_ANALYZE: " maxmoves 1 rootInfo true", LZ_ANALYZE: ""}
"""The arguments behind the colour. Without an interval they speak once, when the search is over."""

_INFO = re.compile(r"\binfo (?=move )")
_NUMBER = re.compile(r"-?\d{1,12}(?:\.\d{1,18})?(?:[eE]-\d{1,3})?", re.ASCII)
_ESTIMATE = re.compile(r"([BW])\+(\d{1,6}(?:\.\d{1,6})?)(?![\w.])", re.IGNORECASE | re.ASCII)
_LZ_CERTAIN = 10_000


def read_analysis(text: str, command: str) -> tuple[str, Evaluation | None]:
    """(the move, the opinion of it) that an answer to one of these commands has.

    The opinion is that of the move made; of the whole search where that move is not among those told of. What
    is no such answer is all of it the move.
    """
    *lines, last = text.strip().splitlines() or [""]
    if not last.startswith("play "):
        return text, None
    move = last.removeprefix("play ").strip()
    told = next((line for line in reversed(lines) if line.startswith("info ")), "")
    infos, _, whole = told.partition(" rootInfo ")
    each = [_fields(info) for info in _INFO.split(infos) if info.strip()]
    root = _fields(whole)
    best = next((info for info in each if info.get("move", "").upper() == move.upper()), root)
    nodes = _number(root, "visits") if root else sum(int(_number(info, "visits") or 0) for info in each)
    win = _number(best, "winrate")
    if win is not None:
        win = chance(win / _LZ_CERTAIN if command == LZ_ANALYZE else win)
    said = Evaluation(
        score=_number(best, "scoreLead"),
        win=win,
        nodes=int(nodes) if nodes else None,
        pv=tuple(best.get("pv", "").split()[:LONGEST]),
    )
    return move, None if said.score is None and win is None else said


def _fields(info: str) -> Mapping[str, str]:
    """The names and values of a move, or of the root; "pv" has all that follows it."""
    words, _, pv = info.partition(" pv ")
    names = words.split()
    return dict(zip(names[::2], names[1::2], strict=False)) | ({"pv": pv} if pv else {})


def _number(fields: Mapping[str, str], name: str) -> float | None:
    text = fields.get(name, "")
    return float(text) if _NUMBER.fullmatch(text) else None


def read_estimate(text: str, colour: str) -> Evaluation | None:
    """The opinion that an answer to estimate_score is; None if it is none. colour: "b" or "w"."""
    if text.strip() == "0":
        return Evaluation(score=0.0)
    found = _ESTIMATE.match(text.strip())
    if found is None:
        return None
    return Evaluation(score=float(found[2]) if found[1].lower() == colour else -float(found[2]))
