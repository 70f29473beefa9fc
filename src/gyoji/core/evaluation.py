"""Opinions of a position, read from an engine's words: what it says of its search, in the forms in use.

Nobody has agreed on a form: engines write a word, perhaps a sign, and a number. A later line has newer
figures, so the last of each kind counts. A forced win or loss in n moves is a score of 30,000 less n, as
Rapfi has it inside, and certainty. What cannot be is not taken for an opinion.

>>> read_words("Speed 176K | Depth 16-35 | Eval -143 | Node 111K | Time 630ms")
Evaluation(score=-143.0, win=None, depth=16, nodes=111000, pv=())
>>> read_words("ev +M3").score, read_words("ev -v22").win, read_words("good luck")
(29997.0, 0.0, None)
>>> read_words("Visits 500 Winrate 52.4% ScoreLead 0.5 PV D4 E5").win
0.524
"""

import re

from gyoji.core.messages import Evaluation

FORCED = 30_000
"""The score of a won game, less the moves until then."""

LONGEST = 60
"""How many moves of a line of play are kept."""

LOOKED_AT = 8_000
"""How many characters of a remark are looked at, the last ones."""

_NUMBER = r"\d{1,12}(?:\.\d{1,12})?"
_BETWEEN = r"[ \t]{0,3}[:=]?[ \t]{0,3}"  # so many at most: nobody can make us search for long
_END = r"(?![\w.]|,\d)"


def _field(words: str, number: str) -> re.Pattern[str]:
    """One of the words, whatever stands between, and the number, which ends there."""
    return re.compile(rf"(?<![\w/+-])(?:{words}){_BETWEEN}{number}", re.IGNORECASE | re.ASCII)


_SCORE = _field(r"eval|ev|val|value|score(?:lead)?", rf"([+-]?{_NUMBER})(%?){_END}")
_FORCED = _field(r"eval|ev|val|value|score", rf"([+-]?)[Mv](\d{{1,4}}){_END}")
_WIN = _field(r"win\s?rate", rf"({_NUMBER})\s*(%?){_END}")
_WIN_OF_DRAWS = re.compile(rf"\sw ({_NUMBER}) d {_NUMBER}\s", re.ASCII)  # in hundredths
_DEPTH = _field(r"depth|dep", rf"(\d{{1,4}})(?:-\d+)?{_END}")
_NODES = _field(r"nodes?|nd|visits?|playouts|[nv](?=[ :=])", rf"({_NUMBER})([kmg]?){_END}")
_MOVES = r"((?:(?:[a-z]\d{1,2}|\[\d{1,2},\d{1,2}\]|pass)\s*)+)$"
_LINE = re.compile(rf"(?:\b(?:bestline|pv)\b{_BETWEEN}|\|[ \t]{{0,3}}){_MOVES}", re.IGNORECASE | re.ASCII)
_FOUND = re.compile(r"VC[FT] success")  # AIWine, of a win by fours or threes that it has found
_OTHER_LINE = re.compile(r"multipv (?!1\b)")
_THOUSANDS = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}


def read_words(text: str) -> Evaluation | None:
    """The opinion that an engine's words about its move have; None if they have none."""
    said = Evaluation()
    for line in text[-LOOKED_AT:].splitlines():
        if not _OTHER_LINE.search(line):
            said = _read_line(line, said)
        if _FOUND.search(line):
            return said._replace(score=float(FORCED), win=1.0)
    return None if said == Evaluation() else said


def _read_line(line: str, said: Evaluation) -> Evaluation:
    """What has been said until now, with what a line says."""
    if found := _FORCED.search(line):
        is_loss = found[1] == "-"
        score = float(FORCED - int(found[2]))
        said = said._replace(score=-score if is_loss else score, win=0.0 if is_loss else 1.0)
    elif found := _SCORE.search(line):
        number = float(found[1])
        said = said._replace(win=chance(number / 100)) if found[2] else said._replace(score=number)
    if found := _WIN.search(line):
        number = float(found[1])
        said = said._replace(win=chance(number / 100 if found[2] else number))
    elif found := _WIN_OF_DRAWS.search(line):
        said = said._replace(win=chance(float(found[1]) / 100))
    if found := _DEPTH.search(line):
        said = said._replace(depth=int(found[1]))
    if found := _NODES.search(line):
        said = said._replace(nodes=round(float(found[1]) * _THOUSANDS[found[2].lower()]))
    if found := _LINE.search(line):
        said = said._replace(pv=tuple(found[1].split()[:LONGEST]))
    return said


def chance(number: float) -> float | None:
    """A chance to win; None for a number that is none."""
    return round(number, 6) if 0 <= number <= 1 else None
