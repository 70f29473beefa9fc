"""The newest report on each player's engine: its name, times and containment."""

from collections.abc import Iterator, Mapping

from gyoji.core.outcome import Ending
from gyoji.core.record import EngineReport, GameResult


class EngineReports(Mapping[str, EngineReport]):
    """The reports on the players' engines, by name of the player: for each the report of the game that
    started last.

    Results may be added in any order. Of two games that started in the same second the one with the higher id
    counts.
    """

    def __init__(self) -> None:
        self._last: dict[str, GameResult] = {}  # game of each player

    def add(self, result: GameResult) -> None:
        """Add the reports on the engines of a finished game. A skipped game has none."""
        if result.outcome.ending is Ending.SKIPPED:
            return
        last, started = self._last, result.started
        for player in result.players[: len(result.engines)]:
            other = last.get(player)
            if (
                other is None
                or started > other.started
                or (started == other.started and result.id >= other.id)
            ):
                last[player] = result

    def __getitem__(self, player: str) -> EngineReport:
        game = self._last[player]
        return dict(zip(game.players, game.engines, strict=False))[player]

    def __iter__(self) -> Iterator[str]:
        return iter(self._last)

    def __len__(self) -> int:
        return len(self._last)
