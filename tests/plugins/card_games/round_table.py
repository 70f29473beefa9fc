"""Round table: a format in which three players sit at one table, and change their seats from game to game."""

from collections.abc import Iterable
from dataclasses import dataclass

from gyoji.core.plugins import Format
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings
from gyoji.core.spec import GameSpec
from gyoji.pairing.game_maker import GameMaker

PAIRING = "table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(GameSettings):
    """games: how many there are."""

    games: int = 3


class RoundTable:
    """A fold over the games of the table. It says nothing of tables: the usual ones are shown."""

    def __init__(self, setup: CompetitionSetup) -> None:
        settings = setup.settings_as(Settings)
        players = tuple(setup.players.values())
        maker = GameMaker(setup, settings, teams=len(players))
        limit = settings.games
        self._games = {
            spec.id: spec
            for spec in (maker.spec(PAIRING, number, limit, players, swaps=True) for number in range(limit))
        }
        self._checks = [maker.check(PAIRING, player) for player in players]

    def add(self, result: GameResult) -> None:
        self._games.pop(result.id, None)

    def next_game(self) -> GameSpec | None:
        return self._games.pop(next(iter(self._games)), None) if self._games else None

    def remaining(self) -> int:
        return len(self._games)

    def checks(self) -> Iterable[GameSpec]:
        return self._checks


FORMAT = Format(name="round_table", settings=Settings, competition=RoundTable)
