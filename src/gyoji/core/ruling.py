"""Rulings of a person about a finished game: kept beside its result, which they never overwrite."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec.structs import replace

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import GameResult
from gyoji.core.text import printable
from gyoji.core.wire import Value

WAITING = "waiting for the judge"
"""The detail of a game that was played out and that only a person can decide."""


class Ruling(Value, frozen=True, kw_only=True):
    """One ruling about one game; a later one takes the place of an earlier one, which stays on record.

    who, when  the judge, and ISO 8601 time with offset.
    dead       a point of each group that is dead; seki likewise, of those that live without eyes.
    filled     (seat, point) of each dame that was filled.
    basis      how the outcome came about, in a few words ("territory", "award").
    remark     the judge's own words.
    """

    who: str
    when: str
    outcome: Outcome
    dead: tuple[str, ...] = ()
    seki: tuple[str, ...] = ()
    filled: tuple[tuple[int, str], ...] = ()
    basis: str = ""
    remark: str = ""

    @property
    def text(self) -> str:
        """One line: who ruled, on what basis, and what there is to say of it.

        >>> game_over = Outcome(points=None, ending=Ending.NO_RESULT)
        >>> Ruling(who="ann", when="", outcome=game_over, basis="incomplete", remark="power cut").text
        'ruled by ann: incomplete; power cut'
        """
        said = "; ".join(part for part in (self.basis, self.remark) if part)
        return printable(f"ruled by {self.who}{f': {said}' if said else ''}")

    def applied(self, result: GameResult) -> GameResult:
        """The result as it is by this ruling."""
        return replace(result, outcome=replace(self.outcome, detail=self.text))


def is_waiting(result: GameResult) -> bool:
    """Whether a game has been played out and waits for its ruling."""
    outcome = result.outcome
    return outcome.points is None and outcome.ending is Ending.SCORE and outcome.detail == WAITING


class Refusal(Exception):
    """A judge's command that cannot be obeyed; the text says why."""


class JudgeTable(Protocol):
    """A judge's view of a game that is over, and the commands that change it. Prints nothing.

    commands  that `obey` knows, as people write them.
    """

    @property
    def commands(self) -> Sequence[str]: ...

    def opening(self) -> Iterator[str]:
        """The position, and a proposal of how to rule it."""

    def obey(self, verb: str, words: list[str]) -> Iterator[str]:
        """Do one command; what there is to say of it. Raises Refusal, and then nothing has changed."""

    def ruling(self, who: str, when: str) -> Ruling:
        """The ruling as it stands."""
