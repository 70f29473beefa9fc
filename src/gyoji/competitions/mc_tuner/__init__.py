"""The Monte Carlo tuner: gomill's, which takes tuning for a bandit problem.

Every candidate is a cell of parameter space. The one that plays next is the one that looks best, with a bonus
for having played little (`tree`). With `max_depth` above 1, cells that have played are divided further.

A game's pairing names its cell by the path to it and the values played, "3.0 0.25;low": the tree is counted
anew from the results, whatever was in progress when a run ended, and a file whose scales or splits have been
changed since is noticed. With games in parallel there is less to know when a candidate is chosen; with
`virtual_loss`, games in progress count as lost for that choice, so that others are tried meanwhile.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.competitions.mc_tuner.settings import Parameter, Settings
from gyoji.competitions.mc_tuner.tree import Path, Tree
from gyoji.core.faults import ConfigError
from gyoji.core.format import Format
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
from gyoji.core.text import quote
from gyoji.tuning.chance import pick
from gyoji.tuning.games import CandidateGames, score
from gyoji.tuning.parameters import values_at
from gyoji.tuning.points import recorded_number
from gyoji.tuning.scales import CTL_NAMES
from gyoji.tuning.series import Series

__all__ = ["CTL_NAMES", "FORMAT", "McTuner", "Parameter", "Settings", "competition"]


class McTuner:
    """A Monte Carlo tuner as far as it has been played. See `gyoji.core.ports.Competition`.

    tree     what is known of each cell.
    running  the cells of games in progress, by number.
    """

    adapts = True

    def __init__(self, setup: CompetitionSetup) -> None:
        self.setup = setup
        self.settings: Settings = setup.settings
        self.tree = Tree(
            [parameter.split for parameter in self.settings.parameters],
            max_depth=self.settings.max_depth,
            exploration=self.settings.exploration_coefficient,
            initial_visits=self.settings.initial_visits,
            initial_wins=self.settings.initial_wins,
            virtual_loss=self.settings.virtual_loss,
        )
        self.running: dict[int, Path] = {}
        self._series: Series[Path] = Series(self.settings.limit, self.settings.block)
        self._games = CandidateGames(setup, self.settings.parameters, self.tree.centre((0,)))
        self._names: dict[Path, str] = {}

    @property
    def engines(self) -> Mapping[str, EngineReport]:
        """What the opponent's engine said of itself in its last game."""
        return self._games.engines

    @property
    def played(self) -> int:
        """How many games have a result."""
        return self._series.played

    def add(self, result: GameResult) -> None:
        """Count a finished game, once. Raises ConfigError for one of another tree than this."""
        number, path = recorded_number(result), self.path(result)
        won = score(result, unknown=0)
        if self._series.add(number, path):
            if number in self.running:
                self.tree.end(self.running.pop(number))
            self.tree.add(path, won)
            self._games.add(result)

    def next_game(self) -> GameSpec | None:
        """The next game, of the cell that looks most worth it."""
        turn = self._series.next()
        if turn is None:
            return None
        number, candidate, path = turn
        if path is None:
            path = self.tree.choose(
                lambda depth, count: pick(count, self.setup.seed, "start", candidate, depth)
            )
            self._series.choose(candidate, path)
        self.running[number] = path
        self.tree.begin(path)
        return self._games.spec(
            str(number), self._name(path), f"#{candidate}", self.tree.centre(path), number
        )

    def remaining(self) -> int | None:
        """How many games are still to be issued; None when it is endless."""
        return self._series.remaining

    def checks(self) -> Iterator[GameSpec]:
        """A game for the candidate of the first cell, and for the other players."""
        return self._games.checks()

    def describe(self, path: Path) -> str:
        """What is played at a node, as reports show it."""
        return self._games.describe(self.tree.centre(path))

    def path(self, result: GameResult) -> Path:
        """The cell that a stored game was played at."""
        try:
            path = tuple(map(int, result.pairing.partition(" ")[0].split(".")))
        except ValueError:
            path = ()
        if not path or not all(0 <= index < self.tree.branching for index in path):
            raise _not_here(result, "which is no cell of the control file's")
        if self._name(path) != result.pairing:
            raise _not_here(result, f"where the control file now has {quote(self._name(path))}")
        return path

    def _name(self, path: Path) -> str:
        """A cell as pairings have it."""
        if path not in self._names:
            values = values_at(self.settings.parameters, self.tree.centre(path))
            self._names[path] = f"{'.'.join(map(str, path))} {';'.join(map(_short, values))}"
        return self._names[path]


def competition(setup: CompetitionSetup) -> McTuner:
    """The tuner that `setup` describes, before its first game."""
    return McTuner(setup)


def _not_here(result: GameResult, why: str) -> ConfigError:
    return ConfigError(
        f"stored game {quote(result.id)} was played at {quote(result.pairing)}, {why}: "
        "give scales and splits as they were, or reset the competition"
    )


def _short(value: Any) -> str:
    """A value without those digits that another machine may compute in another way."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


FORMAT = Format(name="mc_tuner", settings=Settings, competition=competition, ctl_names=CTL_NAMES)
