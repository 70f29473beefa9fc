"""Adjudication: ending a game early because of evaluations, endgame tablebases or its length.

The referee calls the adjudicator after each turn. The adjudicator ends the game if the engines' evaluations
meet the threshold for a win or a draw, if a tablebase gives the result of the position, or if the game has
reached the set length.
"""

# An evaluation that comes with a move (`Moved.evaluation`) counts at once. A seat's remark on a move may
# arrive until its next answer, so an evaluation in a remark (`Comment`) counts only from that answer on.
# Otherwise the end of a game would depend on how fast an engine writes, and a stored game could not be judged
# again with the same result. So a seat's newest move counts if its evaluation came with it. If it has no
# evaluation, it is skipped for a seat whose evaluations come in remarks, and counts as a missing one for a
# seat whose evaluations come with moves.
#
# Chess is judged as by fastchess 1.8.2 (match.hpp, DrawTracker and ResignTracker; match.cpp, adjudicate):
#
# * For a draw, only evaluations since the last capture or pawn move count (`CountsProgress` says when that
#   was). For a win, older ones count too.
# * `after` counts moves by the move number of the FEN, so an opening given as a position and the same opening
#   given as moves are treated alike (cutechess counts from the game's first move, issue #797). `length`
#   counts the game's own moves.
# * A missing evaluation ends a series, as a score within the threshold does.
# * A win is declared after a move of the losing side: fastchess looks at the score of the side that moved
#   last.
# * An announced mate exceeds every threshold, and is never a draw.
# * Tablebases are checked first, then a win, a draw, and the length of the game.
# * A bound counts as if it were the score. A codec reports one only if the engine sent no exact score.
#
# One difference remains. `twosided` of fastchess compares distances from 0, so a series continues when an
# engine's score changes its sign, and a game also ends if both sides expect to lose. With `agreed`, one
# side's evaluations must expect a win and the other's a loss.

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from gyoji.core.messages import Evaluation, Move, Turn
from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.core.ports import AnyRules, CountsProgress, supports
from gyoji.core.spec import Adjudication, Threshold
from gyoji.referee.tablebases import Probe, TableVerdicts


class Adjudicator(Protocol):
    """The port of an adjudicator, which may end a game early. `Thresholds` is gyoji's own."""

    def add_opinion(self, turn: int, seat: int, evaluation: Evaluation, with_move: bool = False, /) -> None:
        """Add the evaluation that a seat gave of its move in turn `turn`, from 0.

        An evaluation that came with the move is not replaced by later evaluations of the same move.

        Args:
            with_move: Whether the evaluation came together with the move.
        """

    def outcome(self, position: object, turns: Sequence[Turn[Move]]) -> Outcome | None:
        """Return the outcome if the game ends after the last of `turns`, or None if it goes on."""

    def take_back(self, turns: int) -> None:
        """Remove the evaluations of all turns except the first `turns`."""


def adjudicator_of(settings: Adjudication, rules: AnyRules, probe: Probe | None = None) -> Adjudicator | None:
    """Return the adjudicator for the settings, or None if only the rules end the game.

    Args:
        probe: Looks up positions in the tablebases of the settings; None if they are not available.
    """
    return None if settings == Adjudication() else Thresholds(settings, rules, probe)


class Thresholds:
    """The adjudicator of the settings `Adjudication`: evaluations, tablebases or length end a game.

    A team counts as ahead, behind or level if one of its seats gave an evaluation that says so for each of
    its last `Threshold.moves` moves.
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
        """Return the teams with a seat whose evaluations of its last `moves` moves all pass a test.

        Args:
            moves: Number of the seat's last moves to test.
            test: Returns whether an evaluation passes.
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
    """Return whether an evaluation shows its seat ahead (`side` 1) or behind (-1) by the threshold.

    An announced mate exceeds every threshold.
    """
    if said.mate is not None:
        return (said.score or 0) * side > 0
    score = None if said.score is None else side * said.score
    win = said.win if said.win is None or side > 0 else 1 - said.win
    return _reaches(threshold.score, score) and _reaches(threshold.chance, win)


def _is_level(threshold: Threshold, said: Evaluation) -> bool:
    if said.mate is not None:
        return False
    return _is_near(threshold.score, said.score, 0.0) and _is_near(threshold.chance, said.win, 0.5)


def _reaches(least: float | None, said: float | None) -> bool:
    return least is None or (said is not None and said >= least)


def _is_near(most: float | None, said: float | None, level: float) -> bool:
    return most is None or (said is not None and abs(said - level) <= most)
