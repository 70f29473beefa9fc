"""The evaluations that clients of CGOS send: one line of JSON after the move.

Clients send them to servers whose greeting contains ``genmove_analyze`` (zakki/cgos wiki, "GTP tournament
game expansion", 2023-05-25). `winrate`, from 0 to 1, and `score`, in points, are those of the side that
moves.

>>> move, said, comment = read_answer('d4 {"winrate":0.6,"score":2.5,"visits":90,"comment":"calm"}')
>>> move, said.win, said.score, said.nodes, comment
('d4', 0.6, 2.5, 90, 'calm')
>>> read_answer("pass {no json"), read_answer("")
(('pass', None, ''), ('', None, ''))
"""

from math import isfinite
from typing import Any

from gyoji.core import wire
from gyoji.core.evaluation import LONGEST, chance
from gyoji.core.messages import Evaluation

MOST_COMMENT = 4000
"""The number of characters after which a comment is cut."""


def read_answer(line: str) -> tuple[str, Evaluation | None, str]:
    """Parse a client's answer to `genmove`. Return (text of the move, evaluation, comment).

    Invalid JSON is ignored, as by CGOS' own server. Invalid numbers are ignored too.
    """
    move, _, said = line.strip().partition(" ")
    if not said.lstrip().startswith("{"):
        return move, None, ""
    try:
        told = wire.loads(dict[str, Any], said)
    except ValueError:
        return move, None, ""
    infos = told.get("moves")
    each = [info for info in infos if isinstance(info, dict)] if isinstance(infos, list) else []
    best: dict[str, Any] = next((info for info in each if str(info.get("move")).upper() == move.upper()), {})
    win = _number(best, "winrate", _number(told, "winrate"))
    visits = _number(told, "visits", _number(best, "visits"))
    evaluation = Evaluation(
        score=_number(best, "score", _number(told, "score")),
        win=None if win is None else chance(win),
        nodes=int(visits) if visits is not None and visits >= 0 else None,
        pv=_variation(best),
    )
    comment = told.get("comment")
    shown = comment[:MOST_COMMENT] if isinstance(comment, str) else ""
    return move, None if evaluation == Evaluation() else evaluation, shown


def _variation(info: dict[str, Any]) -> tuple[str, ...]:
    """Return the moves of a variation, beginning with the move itself, which CGOS leaves out."""
    moves = info.get("pv")
    if not isinstance(moves, str):
        return ()
    return (str(info["move"]), *moves.split())[:LONGEST]


def _number(values: dict[str, Any], key: str, otherwise: float | None = None) -> float | None:
    found = values.get(key)
    if isinstance(found, bool) or not isinstance(found, int | float) or not isfinite(found):
        return otherwise
    return float(found) if abs(found) < 1e15 else otherwise
