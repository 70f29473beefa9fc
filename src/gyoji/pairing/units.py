"""The games of one unit: games at one table with the same seed, in which each player has each seat once."""

from collections.abc import Sequence

from msgspec import Struct

from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Ending
from gyoji.core.record import GameResult, is_waiting
from gyoji.core.text import quote
from gyoji.results.game_ids import game_number


class UnitGames(Struct):
    """The state of a unit: games at one table with the same seed, in which each player has each seat once.

    Attributes:
        players: The players at the table, in their order.
        issued: Bit mask of the games that are issued or were played in an earlier run.
        finished: Bit mask of the games with a result.
        waiting: Number of finished games that wait for the judge.
        points: The points of each player in games with a known result.
        totals: The total of each player, such as the treasure won, in games that count such totals.
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
        """Number of games that are not issued."""
        return self.size - self.issued.bit_count()

    def issue(self) -> int | None:
        """Issue the first game that is not issued. Return its number; None if there is none."""
        for number in range(self.size):
            if not self.issued >> number & 1:
                self.issued |= 1 << number
                return number
        return None

    def add(self, number: int, result: GameResult) -> bool:
        """Count the result of game `number`. Return False if that game has a result already."""
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
    """Return the pairing id of a unit: its number or path, and its players in their order.

    >>> unit_name("7", ("a", "b", "c"))
    '7,a,b,c'
    """
    return ",".join((number, *players))


def table_of(result: GameResult, numbers: int, size: int) -> tuple[list[int], tuple[str, ...]]:
    """Split a stored game's pairing id, made by `unit_name`, into its numbers and its players.

    Args:
        numbers: How many numbers the id begins with.
        size: How many players the table has.

    Raises:
        ConfigError: The id has another form, or its players are not those of the game.
    """
    parts = result.pairing.split(",")
    path, players = parts[:numbers], tuple(parts[numbers:])
    is_name = len(players) == size and all(part.isascii() and part.isdecimal() for part in path)
    if not is_name or game_number(result) >= size or set(players) != set(result.opponents):
        raise ConfigError(
            f"stored game {quote(result.id)} is not of a table of {size}: restore the game's "
            "settings, or reset the competition"
        )
    return [int(part) for part in path], players
