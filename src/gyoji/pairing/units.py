"""The games of one unit: a table of players on one seed, each with each seat once."""

from collections.abc import Sequence

from msgspec import Struct

from gyoji.core.outcome import Ending
from gyoji.core.record import GameResult, is_waiting


class UnitGames(Struct):
    """The games of a unit as far as they have been issued and played.

    Attributes:
        players: The players at the table, in their order.
        issued: The games that are issued or were played in an earlier run, as a bit mask.
        finished: Likewise those with a result.
        waiting: How many of them wait for the judge.
        points: The points of each player in games with a known result.
        totals: What each player gathered, in games that count it.
    """

    players: tuple[str, ...]
    issued: int = 0
    finished: int = 0
    waiting: int = 0
    points: dict[str, float] = {}
    totals: dict[str, float] = {}

    @property
    def size(self) -> int:
        """The number of games."""
        return len(self.players)

    @property
    def is_over(self) -> bool:
        """Whether all games have a result, and none waits for the judge."""
        return self.finished == (1 << self.size) - 1 and not self.waiting

    @property
    def left(self) -> int:
        """How many games are not issued."""
        return self.size - self.issued.bit_count()

    def issue(self) -> int | None:
        """Issue the first game that is left and return its number, None if there is none."""
        for number in range(self.size):
            if not self.issued >> number & 1:
                self.issued |= 1 << number
                return number
        return None

    def add(self, number: int, result: GameResult) -> bool:
        """Count the result of a game. Return False if it has one already."""
        bit = 1 << number
        if self.finished & bit:
            return False
        self.issued |= bit
        self.finished |= bit
        self.waiting += is_waiting(result)
        outcome = result.outcome
        if outcome.ending is not Ending.SKIPPED and outcome.points is not None:
            for amounts, counted in ((outcome.points, self.points), (outcome.totals, self.totals)):
                for player, amount in zip(result.opponents, amounts, strict=False):
                    counted[player] = counted.get(player, 0.0) + amount
        return True


def unit_name(number: str, players: Sequence[str]) -> str:
    """Return the id of a unit as a pairing: its number or path, and its players in their order.

    >>> unit_name("7", ("a", "b", "c"))
    '7,a,b,c'
    """
    return ",".join((number, *players))
