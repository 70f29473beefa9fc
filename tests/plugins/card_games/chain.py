"""Chain: a format in which each player meets the next one of the file, so many times."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from gyoji.core.plugins import Format
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Block
from gyoji.pairing.game_maker import GameMaker
from gyoji.tables.event_tables import EventTables


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(GameSettings):
    """times: how often each meets the next."""

    times: int = 1


class Chain:
    """A fold over the games of the chain."""

    def __init__(self, setup: CompetitionSetup) -> None:
        self.setup = setup
        self.engines: dict[str, EngineReport] = {}
        self.points: dict[str, float] = dict.fromkeys(setup.players, 0.0)
        self._taken: set[str] = set()
        settings = setup.settings_as(Settings)
        maker, players = GameMaker(setup, settings), list(setup.players.values())
        links = tuple(pairwise(players))
        self._specs = [
            maker.spec(f"{first.code},{second.code}", number, settings.times, (first, second), swaps=True)
            for number in range(settings.times)
            for first, second in links
        ]
        self._checks = [maker.check("chain", player) for player in players]

    def add(self, result: GameResult) -> None:
        self._taken.add(result.id)
        for code, points in zip(result.players, result.outcome.points or (), strict=False):
            self.points[code] += points

    def next_game(self) -> GameSpec | None:
        for spec in self._specs:
            if spec.id not in self._taken:
                self._taken.add(spec.id)
                return spec
        return None

    def remaining(self) -> int:
        return sum(spec.id not in self._taken for spec in self._specs)

    def checks(self) -> Iterable[GameSpec]:
        return self._checks


class ChainTables(EventTables[Chain]):
    """A line for each player."""

    def screen(self) -> Iterator[Block]:
        for code, points in self.event.points.items():
            yield f"{code} has {points:g}"

    def facts(self) -> dict[str, Any]:
        return {"points": self.event.points}


FORMAT = Format(name="chain", settings=Settings, competition=Chain, tables=ChainTables)
