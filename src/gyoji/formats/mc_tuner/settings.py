"""The settings of a Monte Carlo tuner, checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from gyoji.core.setup import GameSettings
from gyoji.tuning import parameters as tuned
from gyoji.tuning.scales import Explicit
from gyoji.tuning.settings import OpponentSettings, check_least, check_parameters

MOST_CELLS = 100_000
"""Of a node: looking through more of them for each game takes longer than a game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter(tuned.Parameter):
    """A parameter, and how many samples of its scale are tried: of a list of values all, if not said."""

    split: int

    @classmethod
    def complete(cls, table: Mapping[str, Any], index: int) -> dict[str, Any]:
        full = tuned.Parameter.complete(table, index)
        if "split" not in full and isinstance(full.get("scale"), Explicit):
            full["split"] = len(full["scale"].values)
        return full

    def __post_init__(self) -> None:
        check_least(1, split=self.split)
        self.check(0.5 / self.split)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(OpponentSettings):
    """A Monte Carlo tuner's own settings, beside those of its games.

    number_of_games          None: endless; 0: none, but results are kept.
    exploration_coefficient  how much a candidate that has played little is preferred.
    initial_visits, _wins    what every node begins with.
    max_depth                how often a cell is divided: 1 for UCB, more for UCT.
    virtual_loss             games that a game in progress counts as lost.
    summary_spec             how many nodes reports show, by depth.
    log_tree_to_history_period             the tree goes to the history after so many games; None: never.
    number_of_running_simulations_to_show  games in progress on the screen.
    """

    parameters: tuple[Parameter, ...]
    exploration_coefficient: float
    initial_visits: int
    initial_wins: int
    max_depth: int = 1
    virtual_loss: int = 0
    number_of_games: int | None = None
    summary_spec: tuple[int, ...] = (30,)
    log_tree_to_history_period: int | None = None
    number_of_running_simulations_to_show: int = 12

    def __post_init__(self) -> None:
        GameSettings.__post_init__(self)
        check_parameters(self.parameters)
        check_least(
            1,
            initial_visits=self.initial_visits,
            initial_wins=self.initial_wins,
            max_depth=self.max_depth,
            log_tree_to_history_period=self.log_tree_to_history_period,
        )
        check_least(0, virtual_loss=self.virtual_loss, number_of_games=self.number_of_games)
        cells = prod(parameter.split for parameter in self.parameters)
        if cells > MOST_CELLS:
            raise ValueError(f"parameters: their splits make {cells} cells: expected {MOST_CELLS} at most")
        komi = self.options.get("komi", 0.5)
        if komi == int(komi):
            raise ValueError(f"komi: expected half a point in it, so that somebody wins, got {komi:g}")

    @property
    def limit(self) -> int | None:
        """How many games there are to be, from 0; None when endless."""
        return self.number_of_games
