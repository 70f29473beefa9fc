"""Names and descriptions that engines gave of themselves, as reports show them."""

from gyoji.core.outcome import Ending
from gyoji.core.record import EngineReport, GameResult


class Introductions:
    """The report on each player's engine in its last game, in whatever order results come."""

    def __init__(self) -> None:
        self.engines: dict[str, EngineReport] = {}
        """By the player's code in that game."""
        self._when: dict[str, tuple[str, str]] = {}

    def add(self, result: GameResult) -> None:
        """Take note of the engines of a finished game."""
        if result.outcome.ending is Ending.SET_ASIDE:
            return
        moment = (result.started, result.id)
        for player, engine in zip(result.players, result.engines, strict=False):
            if moment >= self._when.get(player, ("", "")):
                self._when[player] = moment
                self.engines[player] = engine
