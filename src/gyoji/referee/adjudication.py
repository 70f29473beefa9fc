"""Adjudication: the end of a game by evaluations, by tables or by its length, before the rules end it.

An adjudicator is asked after each turn. It may end a game if the engines agree on the winner or on a draw,
if tables of endgames have its position, or if the game is long enough.
"""

# An evaluation that comes with a move (`Moved.evaluation`) counts at once. A seat's remark on a move may
# arrive until its next answer, so an evaluation in a remark (`Comment`) counts only from that answer on.
# Otherwise the end of a game would depend on how fast an engine writes, and a stored game could not be judged
# again with the same result. So the newest move of a seat is looked at if its evaluation came with it. If it
# has none, it is passed over if the seat's evaluations come late, and is a silence if they come with moves.
#
# Chess is judged as by fastchess 1.8.2 (match.hpp, DrawTracker and ResignTracker; match.cpp, adjudicate):
#
# * The evaluations that call a game drawn begin with the last capture or pawn's move. Rules say by
#   `CountsProgress` when that was. For a win they need not.
# * `after` counts moves by the number of the FEN, so a book of positions and the same book as moves end alike
#   (cutechess counts from the game's first move, issue #797). `length` counts the game's own moves.
# * A silence ends a series, as a score within the threshold does.
# * A win is called when the losing side has moved: fastchess asks for the negative score of who moved last.
# * A mate is beyond every threshold, and never level.
# * Tables come first, then a win, a draw, and the length of the game.
# * A bound counts as if it were the score. A codec tells one only if the engine gave no exact score.
#
# One thing differs. `twosided` of fastchess compares distances from 0, so a series goes on when an engine
# changes its mind about who wins, and a game ends also if both say that they lose. With `agreed` one series
# says that its side wins, and the other that its side loses.

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from gyoji.core.messages import Evaluation, Move, Turn
from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.core.ports import AnyRules, CountsProgress, supports
from gyoji.core.spec import Adjudication, Threshold
from gyoji.referee.tablebases import Probe, TableVerdicts


class Adjudicator(Protocol):
    """The port of an adjudicator, which may end a game early. `Thresholds` implements the control file's
    settings.
    """

    def add_opinion(self, turn: int, seat: int, evaluation: Evaluation, with_move: bool = False, /) -> None:
        """Add a seat's evaluation of its move in a turn, numbered from 0.

        with_move: Whether it came with the move. A later one then changes nothing.
        """

    def outcome(self, position: object, turns: Sequence[Turn[Move]]) -> Outcome | None:
        """Return the outcome if the game ends after these turns, or None if it goes on."""

    def take_back(self, turns: int) -> None:
        """Forget the evaluations of all but the first `turns` turns."""


def adjudicator_of(settings: Adjudication, rules: AnyRules, probe: Probe | None = None) -> Adjudicator | None:
    """Return the adjudicator for these settings, or None if only the rules end the game.

    probe: Looks up positions in the tables that the settings name; None if they are not at hand.
    """
    return None if settings == Adjudication() else Thresholds(settings, rules, probe)


class Thresholds:
    """The adjudicator for the settings `Adjudication`: evaluations beyond thresholds, or many turns, end a
    game.

    A team counts as saying something (that it wins, say) if one of its seats has said so about each of its
    last moves.
    """

    def __init__(self, settings: Adjudication, rules: AnyRules, probe: Probe | None = None) -> None:
        self._settings = settings
        tables = settings.tablebases
        self._tables = None if tables is None else TableVerdicts(tables, rules, probe)
        self._teams = rules.teams
        self._progress = rules.progress if supports(rules, CountsProgress) else None
        # By turn and seat: (evaluation, whether it came with the move).
        self._said: dict[tuple[int, int], tuple[Evaluation, bool]] = {}

    def add_opinion(self, turn: int, seat: int, evaluation: Evaluation, with_move: bool = False, /) -> None:
        if with_move or not self._said.get((turn, seat), _NOTHING)[1]:
            self._said[turn, seat] = evaluation, with_move

    def take_back(self, turns: int) -> None:
        self._said = {(turn, seat): each for (turn, seat), each in self._said.items() if turn < turns}

    def outcome(self, position: object, turns: Sequence[Turn[Move]]) -> Outcome | None:
        if self._tables is not None and (outcome := self._tables.outcome(position)) is not None:
            return outcome
        win, draw, length = self._settings.win, self._settings.draw, self._settings.length
        made = len(turns)
        first = 0  # the turn that last changed the game for good: its evaluation is of the new state
        if self._progress is not None:
            made, quiet = self._progress(position)
            first = max(len(turns) - 1 - quiet, 0)
        if win is not None and made >= win.after:
            ahead, behind = (
                self._teams_that_say(turns, win.moves, partial(_is_far, win, side)) for side in (1, -1)
            )
            moved = {self._teams[seat] for seat, _ in turns[-1]} if turns else set()
            for winner in sorted(set(self._teams)):
                others = set(self._teams) - {winner}
                if others <= behind and others & moved and (winner in ahead or not self._settings.agreed):
                    who = "both sides say so" if self._settings.agreed else "the losing side says so"
                    return _ended(won_by(winner, len(others) + 1), who)
        if draw is not None and made >= draw.after:
            level = self._teams_that_say(turns, draw.moves, partial(_is_level, draw), first)
            if level == set(self._teams):
                return self._level("both sides call it level")
        return self._level(f"{length} moves") if 0 < length <= len(turns) else None

    def _level(self, detail: str) -> Outcome:
        return _ended(shared(len(set(self._teams))), detail)

    def _teams_that_say(
        self,
        turns: Sequence[Turn[Move]],
        moves: int,
        test: Callable[[Evaluation], bool],
        first: int = 0,
    ) -> set[int]:
        """Return the teams of which one seat says the same in the evaluations of all its last moves.

        Args:
            moves: Number of moves of the seat that are looked at.
            test: Returns whether an evaluation says what is asked.
            first: Number of the first turn whose evaluation counts.
        """
        wanted = [moves] * len(self._teams)
        says = [True] * len(self._teams)
        is_newest = [True] * len(self._teams)
        is_late = [False] * len(self._teams)  # the newest move has been passed over
        for number in range(len(turns) - 1, first - 1, -1):
            for seat, _ in turns[number]:
                if not (wanted[seat] and says[seat]):
                    continue
                said, with_move = self._said.get((number, seat), _NOTHING)
                if is_newest[seat] and not with_move:
                    is_late[seat] = True
                else:
                    says[seat] = said is not None and test(said) and not (is_late[seat] and with_move)
                    is_late[seat] = False
                    wanted[seat] -= 1
                is_newest[seat] = False
            if not any(left and true for left, true in zip(wanted, says, strict=True)):
                break
        return {self._teams[seat] for seat, left in enumerate(wanted) if says[seat] and not left}


_NOTHING: tuple[Evaluation | None, bool] = (None, False)


def _ended(points: tuple[float, ...], why: str) -> Outcome:
    return Outcome(points=points, ending=Ending.ADJUDICATION, detail=f"adjudication: {why}")


def _is_far(threshold: Threshold, side: int, said: Evaluation) -> bool:
    """Return whether a seat says that it is ahead (side 1) or behind (-1) by the threshold. A mate is beyond
    every threshold.
    """
    if said.mate is not None:
        return (said.score or 0) * side > 0
    score = None if said.score is None else side * said.score
    win = said.win if said.win is None or side > 0 else 1 - said.win
    return _reaches(threshold.score, score) and _reaches(threshold.chance, win)


def _is_level(threshold: Threshold, said: Evaluation) -> bool:
    """Return whether a seat says that neither side is ahead by more than the threshold."""
    if said.mate is not None:
        return False
    return _is_near(threshold.score, said.score, 0.0) and _is_near(threshold.chance, said.win, 0.5)


def _reaches(least: float | None, said: float | None) -> bool:
    return least is None or (said is not None and said >= least)


def _is_near(most: float | None, said: float | None, level: float) -> bool:
    return most is None or (said is not None and abs(said - level) <= most)
