"""Adjudication: the end of a game by evaluations or by its length, before the rules end it.

An adjudicator is asked after each turn. It may end a game if the engines agree on the winner or on a draw,
or if the game is long enough.
"""

# A seat's remark on a move may arrive until its next answer. So an evaluation counts only from that answer
# on. Otherwise the end of a game would depend on how fast an engine writes, and a stored game could not be
# judged again with the same result.

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from gyoji.core.messages import Evaluation, Move, Turn
from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.core.spec import Adjudication, Threshold


class Adjudicator(Protocol):
    """The port of an adjudicator, which may end a game early. `Thresholds` implements the control file's
    settings.
    """

    def add_opinion(self, turn: int, seat: int, evaluation: Evaluation) -> None:
        """Add a seat's evaluation of its move in a turn, numbered from 0."""

    def outcome(self, position: object, turns: Sequence[Turn[Move]]) -> Outcome | None:
        """Return the outcome if the game ends after these turns, or None if it goes on."""

    def take_back(self, turns: int) -> None:
        """Forget the evaluations of all but the first `turns` turns."""


def adjudicator_of(settings: Adjudication, teams: Sequence[int]) -> Adjudicator | None:
    """Return the adjudicator for these settings, or None if only the rules end the game."""
    return None if settings == Adjudication() else Thresholds(settings, teams)


class Thresholds:
    """The adjudicator for the settings `Adjudication`: evaluations beyond thresholds, or many turns, end a
    game.

    A team counts as saying something (that it wins, say) if one of its seats has said so about each of its
    last moves.
    """

    def __init__(self, settings: Adjudication, teams: Sequence[int]) -> None:
        self._settings = settings
        self._teams = teams
        self._said: dict[tuple[int, int], Evaluation] = {}  # by turn and seat

    def add_opinion(self, turn: int, seat: int, evaluation: Evaluation) -> None:
        self._said[turn, seat] = evaluation

    def take_back(self, turns: int) -> None:
        self._said = {(turn, seat): each for (turn, seat), each in self._said.items() if turn < turns}

    def outcome(self, position: object, turns: Sequence[Turn[Move]]) -> Outcome | None:
        win, draw, length = self._settings.win, self._settings.draw, self._settings.length
        if length and len(turns) >= length:
            return self._level(f"{length} moves")
        if win is not None and len(turns) >= win.after:
            ahead, behind = (
                self._teams_that_say(turns, win.moves, partial(_is_far, win, side)) for side in (1, -1)
            )
            for winner in sorted(set(self._teams)):
                others = set(self._teams) - {winner}
                if others <= behind and (winner in ahead or not self._settings.agreed):
                    who = "both sides say so" if self._settings.agreed else "the losing side says so"
                    return _ended(won_by(winner, len(others) + 1), who)
        if draw is not None and len(turns) >= draw.after:
            level = self._teams_that_say(turns, draw.moves, partial(_is_level, draw))
            if level == set(self._teams):
                return self._level("both sides call it level")
        return None

    def _level(self, detail: str) -> Outcome:
        return _ended(shared(len(set(self._teams))), detail)

    def _teams_that_say(
        self, turns: Sequence[Turn[Move]], moves: int, test: Callable[[Evaluation], bool]
    ) -> set[int]:
        """Return the teams of which one seat says the same in the evaluations of all its last moves.

        Args:
            moves: Number of moves of the seat that are looked at, before its newest one.
            test: Returns whether an evaluation says what is asked.
        """
        wanted = [moves + 1] * len(self._teams)
        says = [True] * len(self._teams)
        for number in range(len(turns) - 1, -1, -1):
            for seat, _ in turns[number]:
                if wanted[seat] and says[seat]:
                    if wanted[seat] <= moves:
                        said = self._said.get((number, seat))
                        says[seat] = said is not None and test(said)
                    wanted[seat] -= 1
            if not any(left and true for left, true in zip(wanted, says, strict=True)):
                break
        return {self._teams[seat] for seat, left in enumerate(wanted) if says[seat] and not left}


def _ended(points: tuple[float, ...], why: str) -> Outcome:
    return Outcome(points=points, ending=Ending.ADJUDICATION, detail=f"adjudication: {why}")


def _is_far(threshold: Threshold, side: int, said: Evaluation) -> bool:
    """Return whether a seat says that it is ahead (side 1) or behind (-1) by the threshold."""
    score = None if said.score is None else side * said.score
    win = said.win if said.win is None or side > 0 else 1 - said.win
    return _reaches(threshold.score, score) and _reaches(threshold.chance, win)


def _is_level(threshold: Threshold, said: Evaluation) -> bool:
    return _is_near(threshold.score, said.score, 0.0) and _is_near(threshold.chance, said.win, 0.5)


def _reaches(least: float | None, said: float | None) -> bool:
    return least is None or (said is not None and said >= least)


def _is_near(most: float | None, said: float | None, level: float) -> bool:
    return most is None or (said is not None and abs(said - level) <= most)
