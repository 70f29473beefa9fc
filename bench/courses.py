"""The games of an event, and their differences from the same event played undisturbed."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult, VoidGame
from gyoji.results.failures import MOST_ATTEMPTS
from gyoji.store.store import Store


@dataclass(slots=True)
class Course:
    """The stored games of one event.

    Attributes:
        results: Results in the order in which they were stored.
        voids: Void games.
    """

    results: list[GameResult] = field(default_factory=list)
    voids: list[VoidGame] = field(default_factory=list)

    @property
    def charged(self) -> list[GameResult]:
        """Games in which a seat has a fault."""
        return [each for each in self.results if each.outcome.is_forfeit or each.left_out]

    @property
    def must_rest(self) -> bool:
        """Whether some game would be skipped after one more death of its worker."""
        done = {each.id for each in self.results}
        hits = Counter(each.id for each in self.voids if each.id not in done)
        return max(hits.values(), default=0) >= MOST_ATTEMPTS - 1

    def first(self, number: int) -> "Course":
        """Return the games of the first `number` ids of a pair."""
        return Course([each for each in self.results if int(each.id.rpartition("_")[2]) < number], self.voids)

    @staticmethod
    def of(path: Path) -> "Course":
        """Read the games that the event of a control file has stored so far."""
        try:
            with Store.read(path.with_suffix(".db")) as store:
                return Course(list(store.results()), [each.void for each in store.voids()])
        except ConfigError:  # it has not begun
            return Course()


def differences(alone: Course, course: Course, engines: int) -> Iterator[str]:
    """Yield a line for each difference from the undisturbed event.

    One lost game is allowed for each of the `engines` that were killed.
    """
    expected = {each.id: each for each in alone.results}
    for name, count in Counter(each.id for each in course.results).items():
        if count > 1:
            yield f"game {name} is stored {count} times"
        if name not in expected:
            yield f"game {name} is not one of the competition"
    if missing := sorted(expected.keys() - {each.id for each in course.results}):
        yield f"{len(missing)} of {len(expected)} games are lost: {' '.join(missing[:9])}"
    charged = {each.id for each in course.charged}
    for each in course.results:
        if each.id in charged:
            said = [each.outcome.detail, *each.warnings]
            if not any("signal 9" in line for line in said):
                yield f"game {each.id} was lost by nobody's doing: {'; '.join(said)}"
        elif each.id in expected and _shown(each) != _shown(expected[each.id]):
            yield f"game {each.id} went otherwise: {_shown(each)}, not {_shown(expected[each.id])}"
    if len(charged) > engines:
        yield f"{len(charged)} games were lost by a fault, and {engines} engines were killed"
    for void in course.voids:
        if not void.by_death:
            yield f"void for another reason: game {void.id}: {void.reason}"


def _shown(result: GameResult) -> tuple[object, ...]:
    """Return the players, the moves and the points of a game, for comparison."""
    return result.players, result.digest, result.turns, result.outcome.points
