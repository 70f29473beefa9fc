r"""Evaluations in the output of GTP engines, from the point of view of the side that has moved.

`kata-genmove_analyze` and `lz-genmove_analyze` make a move as `genmove` does, and print an evaluation before
it. KataGo's win rates are from 0 to 1, Leela Zero's are integers up to 10,000. GNU Go's `estimate_score` is a
separate command, sent after the move.

>>> text = "info move D5 visits 27 winrate 0.52907 scoreLead 0.215 order 0 pv D5 E7\nplay D5"
>>> move, said = read_analysis(text, KATA_ANALYZE)
>>> move, said.score, said.win, said.nodes, said.pv
('D5', 0.215, 0.52907, 27, ('D5', 'E7'))
>>> read_estimate("B+5.9 (upper bound: -5.9, lower: -5.9)", "w").score
-5.9
"""

import re
from collections.abc import Mapping

from gyoji.core.evaluation import LONGEST, chance
from gyoji.core.messages import Evaluation

KATA_ANALYZE = "kata-genmove_analyze"
LZ_ANALYZE = "lz-genmove_analyze"
ESTIMATE = "estimate_score"

ARGUMENTS = {KATA_ANALYZE: " maxmoves 1 rootInfo true", LZ_ANALYZE: ""}
"""Arguments of each analysis command after the colour. Without an interval the engine prints only when the
search is over.
"""

_INFO = re.compile(r"\binfo (?=move )")
_NUMBER = re.compile(r"-?\d{1,12}(?:\.\d{1,18})?(?:[eE]-\d{1,3})?", re.ASCII)
_ESTIMATE = re.compile(r"([BW])\+(\d{1,6}(?:\.\d{1,6})?)(?![\w.])", re.IGNORECASE | re.ASCII)
_LZ_CERTAIN = 10_000


def read_analysis(text: str, command: str) -> tuple[str, Evaluation | None]:
    """Return (move as text, evaluation) from a response to one of the analysis commands.

    The evaluation is that of the move. If there is none, it is that of the whole search. A response of
    another form is returned whole as the move, with None as its evaluation.
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


def read_candidates(text: str, command: str, most: int) -> tuple[Evaluation, ...]:
    """Return the candidate moves in the last complete line of `kata-analyze` or `lz-analyze`, the best one
    first.

    Args:
        command: The form of the output: KATA_ANALYZE or LZ_ANALYZE.
        most: Maximum number of candidates to return.

    >>> text = "info move D4 visits 9 winrate 4700 order 0 pv D4 E5 info move C3 winrate 4000 order 1 pv C3"
    >>> [(each.win, each.nodes, each.pv) for each in read_candidates(text + chr(10), LZ_ANALYZE, 3)]
    [(0.47, 9, ('D4', 'E5')), (0.4, None, ('C3',))]
    """
    complete = text[: text.rfind("\n") + 1].splitlines()
    last = next((line for line in reversed(complete) if line.startswith("info move ")), "")
    infos = [_fields(info) for info in _INFO.split(last.partition(" rootInfo ")[0]) if info.strip()]
    infos.sort(key=lambda info: order if (order := _number(info, "order")) is not None else len(infos))
    found = []
    for info in infos[:most]:
        win, visits = _number(info, "winrate"), _number(info, "visits")
        pv = tuple(info.get("pv", info.get("move", "")).split()[:LONGEST])
        scale = _LZ_CERTAIN if command == LZ_ANALYZE else 1
        found.append(
            Evaluation(
                score=_number(info, "scoreLead"),
                win=None if win is None else chance(win / scale),
                nodes=int(visits) if visits else None,
                pv=pv,
            )
        )
    return tuple(found)


def _fields(info: str) -> Mapping[str, str]:
    """Parse the names and values after "info" or "rootInfo". The value of "pv" is all text after that
    name.
    """
    words, _, pv = info.partition(" pv ")
    names = words.split()
    return dict(zip(names[::2], names[1::2], strict=False)) | ({"pv": pv} if pv else {})


def _number(fields: Mapping[str, str], name: str) -> float | None:
    text = fields.get(name, "")
    return float(text) if _NUMBER.fullmatch(text) else None


def read_estimate(text: str, colour: str) -> Evaluation | None:
    """Parse a response to `estimate_score` into an evaluation. Return None if the text has another form.

    Args:
        colour: The side from whose point of view to evaluate, "b" or "w".
    """
    if text.strip() == "0":
        return Evaluation(score=0.0)
    found = _ESTIMATE.match(text.strip())
    if found is None:
        return None
    return Evaluation(score=float(found[2]) if found[1].lower() == colour else -float(found[2]))
