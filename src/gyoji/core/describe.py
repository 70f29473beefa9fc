"""Results and evaluations in words: result codes such as B+3, and the line that says who beat whom.

The code is the value of SGF's property RE. The line has the form of gomill's reports. Records, reports and
event logs use both.

>>> from gyoji.core.outcome import Ending, Outcome
>>> result_code(Outcome(points=(1.0, 0.0), ending=Ending.SCORE, margin=3.0))
'B+3'
"""

from collections.abc import Sequence
from math import inf, isfinite
from typing import NamedTuple

from gyoji.core.messages import Evaluation
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import GameResult, TakenBack
from gyoji.core.text import counted

_REASONS = {
    Ending.SCORE: "",
    Ending.RESIGNATION: "",
    Ending.TIME: "",
    Ending.FULL: "full board",
    Ending.MOVE_LIMIT: "hit move limit",
}
"""Words for endings in a result line without a detail. Other endings use their value."""

_CODED = {ending: ending.value for ending in (Ending.RESIGNATION, Ending.TIME)}
"""Words for endings that a result code expresses. Result lines without a code use them."""


_SAY_ALL = frozenset({Ending.AGREEMENT, Ending.CLAIM, Ending.RESIGNATION})
"""Endings whose detail says the ending once more."""


class ResultWords(NamedTuple):
    """A game's terms for its results.

    Attributes:
        letters: One letter for each side, for result codes.
        level: The word for a counted game in which the sides are equal, such as "jigo".
    """

    letters: tuple[str, ...] = ("B", "W")
    level: str = "draw"


DEFAULT_WORDS = ResultWords()
GOMILL = ResultWords(level="jigo")
"""The terms of gomill's reports. SGF uses the same letters."""


def result_code(outcome: Outcome, letters: Sequence[str] = ("B", "W")) -> str:
    """Return the result code, as in SGF's property RE.

    ``B+3.5`` means a win by points, ``B+R`` by resignation, ``B+T`` on time, ``B+F`` by another forfeit.
    ``B+`` is a win by claim, or a win whose margin is unknown. ``0`` means a tie, ``?`` an unknown result,
    and ``Void`` a game that was stopped or does not count.

    Args:
        letters: One letter for each team. If there are more teams than letters, numbers from 1 replace them.
            In a game of more than two teams ``=`` joins the teams that share first place.
    """
    points = outcome.points
    if outcome.ending is Ending.NO_RESULT:
        return "Void"
    if points is None:
        return "Void" if outcome.ending is Ending.MOVE_LIMIT else "?"
    best, is_named = max(points), len(points) <= len(letters)
    first = [team for team, own in enumerate(points) if own == best]
    if len(first) == len(points) > 1:
        return "0"
    name = "=".join([letters[team] if is_named else str(team + 1) for team in first])
    if outcome.ending is Ending.RESIGNATION:
        return f"{name}+R"
    if outcome.ending is Ending.TIME:
        return f"{name}+T"
    return f"{name}+F" if outcome.is_forfeit else f"{name}+{format_margin(outcome.margin)}"


def format_margin(margin: float | None) -> str:
    """Format a margin without exponent and without trailing ``.0``. Return "" unless it is finite and above
    0.

    >>> format_margin(34.5), format_margin(2.0), format_margin(None), format_margin(0.0)
    ('34.5', '2', '', '')
    """
    if margin is None or not 0 < margin < inf:
        return ""
    return f"{margin:.6f}".rstrip("0").rstrip(".")


def describe_result(result: GameResult, words: ResultWords = GOMILL) -> str:
    """Describe a result in one line: ``a beat b W+34.5``, ``a vs b jigo``, ``a vs b ? (reason)``.

    The winner comes first, and the detail follows in brackets. A game with more than two seats has ``by
    MARGIN`` in place of the code, and ``&`` joins the players of a team. If the totals are known, they
    replace code and margin: ``a beat b 250 to 32``, ``a vs b 60 to 60``. More than two teams are listed by
    place: ``a, c beat b``. The places are numbered if there are more than two: ``1. c, 2. a, 3. b``.
    """
    outcome = result.outcome
    if outcome.totals and outcome.ending is Ending.SCORE:
        return _many(result, words)
    is_of_two = len(result.players) == 2
    reasons = _REASONS if is_of_two else _REASONS | _CODED
    reason = outcome.detail or reasons.get(outcome.ending, outcome.ending.value)
    if not is_of_two:
        line = _many(result, words)
    elif _is_undecided(outcome):
        line = f"{' vs '.join(result.players)} {_nobody_won(outcome, words)}"
    else:
        code = result_code(outcome, [words.letters[side] for side in result.sides] or words.letters)
        line = f"{' beat '.join(result.players[:: 1 if outcome.winner == 0 else -1])} {code}"
    return f"{line} ({reason})" if reason else line


def describe_ending(outcome: Outcome) -> str:
    """Return how a game ended, in a few words that follow "won", "lost", "draw" or "no result:".

    >>> describe_ending(Outcome(points=(1.0, 0.0), ending=Ending.SCORE, margin=3.5))
    'by 3.5 points'
    >>> describe_ending(Outcome(points=(0.0, 1.0), ending=Ending.TIME))
    'on time'
    >>> describe_ending(Outcome(points=None, ending=Ending.MOVE_LIMIT, detail="hit move limit"))
    'the limit of moves was reached'
    """
    if outcome.points is None:
        limit = "the limit of moves was reached"
        return limit if outcome.ending is Ending.MOVE_LIMIT else outcome.detail or outcome.ending.value
    totals = " to ".join(f"{total:g}" for total in sorted(outcome.totals, reverse=True))
    margin = format_margin(outcome.margin)
    words = {
        Ending.SCORE: totals or (f"by {margin} point{'s' * (margin != '1')}" if margin else "by the count"),
        Ending.RESIGNATION: "by resignation",
        Ending.TIME: "on time",
        Ending.FULL: "with a full board",
    }.get(outcome.ending, f"by {outcome.ending.value}")
    detail = outcome.detail.removeprefix(f"{outcome.ending.value}: ")
    is_said = outcome.ending in _SAY_ALL or detail in (totals, outcome.ending.value)
    return f"{words} ({detail})" if detail and not is_said else words


def _many(result: GameResult, words: ResultWords) -> str:
    """Describe a result of any number of seats and teams, without the detail."""
    outcome, players = result.outcome, result.players
    teams = range(len(result.opponents))
    sides = [" & ".join(dict.fromkeys(players[seat] for seat in result.seats_of(team))) for team in teams]
    totals = " to ".join(f"{total:g}" for total in sorted(outcome.totals, reverse=True))
    if _is_undecided(outcome):
        return f"{' vs '.join(sides)} {totals or _nobody_won(outcome, words)}"
    places = outcome.places
    margin = format_margin(outcome.margin)
    if len(set(places)) > 2:
        own = [f" {total:g}" for total in outcome.totals] or [""] * len(sides)
        if outcome.winner is not None and margin and not totals:
            own[outcome.winner] = f" by {margin}"
        order = sorted(teams, key=places.__getitem__)
        return ", ".join([f"{places[team]}. {sides[team]}{own[team]}" for team in order])
    first = ", ".join([sides[team] for team in teams if places[team] == 1])
    others = ", ".join([sides[team] for team in teams if places[team] != 1])
    by = totals or (f"by {margin}" if margin else "")
    return f"{first} beat {others} {by}".rstrip()


def _is_undecided(outcome: Outcome) -> bool:
    return outcome.points is None or outcome.is_level or outcome.ending is Ending.NO_RESULT


def _nobody_won(outcome: Outcome, words: ResultWords) -> str:
    if not outcome.is_level or outcome.ending is Ending.NO_RESULT:
        return result_code(outcome, words.letters)
    return words.level if outcome.ending is Ending.SCORE else "draw"


MOST_EXPECTED = 8
"""The maximum number of moves of the principal variation that a description includes."""


def describe_evaluation(evaluation: Evaluation) -> str:
    """Describe an engine's evaluation in a few words, from the engine's point of view. Return "" if all
    values are unknown or not finite.

    >>> describe_evaluation(Evaluation(score=-3.5, win=0.265, depth=12, nodes=900, pv=("D4", "E5")))
    '26.5 % to win, -3.5, depth 12, 900 nodes; expects D4 E5'
    >>> describe_evaluation(Evaluation(score=-29_998, win=0.0, mate=-2))
    'is mated in 2'
    >>> describe_evaluation(Evaluation(score=float("nan")))
    ''
    """
    score, win, depth, nodes, pv, mate, *_ = evaluation
    told = []
    if mate is not None:
        win = score = None  # which follow from it
        told.append(f"mates in {mate}" if mate > 0 else f"is mated in {-mate}")
    if win is not None and isfinite(win):
        told.append(f"{100 * win:.1f}".removesuffix(".0") + " % to win")
    if score is not None and isfinite(score):
        told.append(f"{score:+.2f}".rstrip("0").rstrip("."))
    if depth is not None:
        told.append(f"depth {depth}")
    if nodes is not None:
        told.append(counted(nodes, "node"))
    expected = (
        f"expects {' '.join(pv[:MOST_EXPECTED])}{' ...' if len(pv) > MOST_EXPECTED else ''}" if pv else ""
    )
    return "; ".join(filter(None, (", ".join(told), expected)))


def describe_taken_back(taken: TakenBack, players: Sequence[str]) -> str:
    """Describe a take-back in one line.

    Args:
        players: The player of each seat.

    >>> from gyoji.core.record import Played
    >>> taken = TakenBack(0, 4, ((Played(0, "D4", 0),), (Played(1, "E5", 0),)))
    >>> describe_taken_back(taken, ("ann", "bob"))
    'ann takes back 2 moves: D4 E5'
    """
    moves = [move.move for turn in taken.moves for move in turn]
    return f"{players[taken.seat]} takes back {counted(len(moves), 'move')}: {' '.join(moves)}"
