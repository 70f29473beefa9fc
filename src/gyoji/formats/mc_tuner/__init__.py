"""The Monte Carlo tuner, gomill's, which treats tuning as a bandit problem.

Every candidate is a cell of parameter space. The next candidate is the cell with the best share of wins plus
a bonus for cells with few games (`tree`). With `max_depth` above 1, cells that have played are divided
further.

The pairing id of a game has the path to its cell and the values played, "3.0 0.25;low". So the tree is built
again from the results, and a control file with other scales or splits is noticed. With games in parallel less
is known when a candidate is chosen. With `virtual_loss`, games in progress count as lost in that choice, so
that other cells are tried meanwhile.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings, check_least
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Block
from gyoji.core.text import quote
from gyoji.formats.mc_tuner.tree import Node, Path, Tree
from gyoji.results.game_ids import plain
from gyoji.tables.event_tables import played_line
from gyoji.tuning import parameters as tuned
from gyoji.tuning.games import OpponentSettings, OpponentTuner, SeriesTuner, score
from gyoji.tuning.observations import Point
from gyoji.tuning.parameters import values_at
from gyoji.tuning.scales import CTL_NAMES, Explicit
from gyoji.tuning.series import Series, pick, recorded_number
from gyoji.tuning.tables import TunerTables, opponent_lines, outcome_word, values_by_code
from gyoji.tuning.tuner_report import tuner_format

MOST_CELLS = 100_000
"""Largest number of cells of one node. Comparing more for each game would take longer than the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter(tuned.Parameter):
    """A parameter of a Monte Carlo tuner.

    Attributes:
        split: Number of equal parts into which its scale is divided. The default for a list is one part for
            each value.
    """

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
        self.check(self.first)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(OpponentSettings):
    """The settings of a Monte Carlo tuner, besides those of its games.

    Attributes:
        number_of_games: Number of games. None: endless. 0: none, but results are kept.
        exploration_coefficient: The weight of the bonus for cells with few games.
        initial_visits: Number of games that each new cell is given without playing, as in gomill.
        initial_wins: Number of these games that count as won.
        max_depth: How often parameter space is divided: 1 for UCB, more for UCT.
        virtual_loss: A game in progress counts as this number of lost games.
        summary_spec: For each depth, from 1, the number of nodes that reports show.
        log_tree_to_history_period: Number of games between two trees in the history file. None: no trees.
        number_of_running_simulations_to_show: Number of games in progress that the screen shows.
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
        self.check_tuning(self.parameters)
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
        if isinstance(komi, int | float) and komi == int(komi):
            raise ValueError(f"komi: expected half a point in it, so that somebody wins, got {komi:g}")


class McTuner(OpponentTuner, SeriesTuner[Path]):
    """A Monte Carlo tuner: the competition of its candidates.

    Attributes:
        tree: The games and wins of each cell (box of parameter space).
        running: For each game in progress by number, the path to its cell.
    """

    def __init__(self, setup: CompetitionSetup) -> None:
        self.settings = setup.settings_as(Settings)
        self.tree = Tree(
            [parameter.split for parameter in self.settings.parameters],
            max_depth=self.settings.max_depth,
            exploration=self.settings.exploration_coefficient,
            initial_visits=self.settings.initial_visits,
            initial_wins=self.settings.initial_wins,
            virtual_loss=self.settings.virtual_loss,
        )
        self.running: dict[int, Path] = {}
        self._series = Series(self.settings.number_of_games, self.settings.block)
        self.start: Point = tuple(parameter.first for parameter in self.settings.parameters)
        super().__init__(setup, self.settings.parameters, self.tree.centre((0,)))
        self._names: dict[Path, str] = {}

    @property
    def best(self) -> Point:
        """The middle of the leaf that is reached by taking the cell with the most wins at each depth."""
        return self.tree.centre(self.tree.best())

    def where(self, result: GameResult) -> tuple[Point, None]:
        """Return the middle of a stored game's cell, and None because there is no second candidate.

        Raises:
            ConfigError: The game's pairing id does not name a cell with the values that the cell has now.
        """
        return self.tree.centre(self.path(result)), None

    def add(self, result: GameResult) -> None:
        """Count a finished game, once.

        Raises:
            ConfigError: The game's pairing id does not name a cell with the values that the cell has now.
        """
        number, path = recorded_number(result), self.path(result)
        won = score(result, unknown=0)
        if self._series.add(number, path):
            if number in self.running:
                self.tree.end(self.running.pop(number))
            self.tree.add(path, won)
            self._note_engine(result)

    def next_game(self) -> GameSpec | None:
        """Issue the next game, of the most promising cell."""
        found = self._series.next(self._chosen)
        if found is None:
            return None
        number, candidate, path = found
        self.running[number] = path
        self.tree.begin(path)
        return self._spec(str(number), self._name(path), f"#{candidate}", self.tree.centre(path), number)

    def _chosen(self, candidate: int) -> Path:
        """Return the path to the cell of a new candidate.

        Args:
            candidate: Number of the candidate. It seeds the choice between equal cells.
        """
        return self.tree.choose(lambda depth, count: pick(count, self.setup.seed, "start", candidate, depth))

    def path(self, result: GameResult) -> Path:
        """Return the path in the tree to the cell (box of parameter space) of a stored game.

        Raises:
            ConfigError: The game's pairing id does not name a cell with the values that the cell has now.
        """
        try:
            path = tuple(map(int, result.pairing.partition(" ")[0].split(".")))
        except ValueError:
            path = ()
        is_cell = path and all(0 <= index < self.tree.branching for index in path)
        if not is_cell or self._name(path) != result.pairing:
            now = f"where the control file now has {quote(self._name(path))}" if is_cell else ""
            raise ConfigError(
                f"stored game {quote(result.id)} was played at {quote(result.pairing)}, "
                f"{now or 'which is no cell of the control file'}: "
                "restore scales and splits, or reset the competition"
            )
        return path

    # The path alone would identify the cell. With the values in the id, a control file with changed scales or
    # splits is refused. Otherwise old games would count for other values.
    def _name(self, path: Path) -> str:
        """Return the pairing id of the games of a node of the parameter tree: the path, then the values."""
        if path not in self._names:
            values = values_at(self.settings.parameters, self.tree.centre(path))
            # Further digits may differ on another machine.
            short = [f"{value:.6g}" if isinstance(value, float) else str(value) for value in values]
            self._names[path] = f"{'.'.join(map(str, path))} {';'.join(short)}"
        return self._names[path]


class MonteCarloTables(TunerTables[McTuner]):
    """The report of a Monte Carlo tuner: number of games, best parameters, most visited nodes, games in
    progress.
    """

    method = "MCTS"

    def screen(self) -> Iterator[Block]:
        yield from self._tree()
        most = self.event.settings.number_of_running_simulations_to_show
        running = sorted(self.event.running.items())[:most]
        if running:
            yield "In progress:"
        for number, path in running:
            yield f"game {number}: {_told(self.event, path)}"

    def body(self) -> Iterator[Block]:
        yield from self._tree()
        yield from opponent_lines(self.event.settings.opponent, self.event.engines)
        yield ""

    def _tree(self) -> Iterator[str]:
        event, tree = self.event, self.event.tree
        yield played_line(event.played, event.settings.number_of_games)
        yield ""
        yield f"Best parameters: {_told(event, tree.best())}"
        yield ""
        for depth, most in enumerate(event.settings.summary_spec, 1):
            yield f"most visited at depth {depth}"
            for path, node in tree.most_visited(depth, max(most, 0)):
                shown, games = event.describe(tree.centre(path)), tree.games(node)
                yield f"{_steps(event, path)} {shown:<40} {node.value:.3f} {games:3d}"
            yield ""

    def facts(self) -> dict[str, Any]:
        """Return the values for JSON: the number of games, the path to the best cell, and each cell that has
        played.
        """
        event, tree = self.event, self.event.tree
        return {
            "played": event.played,
            "best_path": list(map(tree.coordinates, tree.best())),
            "nodes": [
                {
                    "path": list(map(tree.coordinates, path)),
                    "parameters": values_by_code(event.settings.parameters, tree.centre(path)),
                    "value": node.value,
                    "games": tree.games(node),
                    "wins": node.wins - tree.initial_wins,
                }
                for depth in range(1, event.settings.max_depth + 1)
                for path, node in tree.level(depth)
                if tree.games(node)
            ],
        }

    def history(self, result: GameResult) -> Iterator[str]:
        """Yield a line with the result of a game, and the tree after every `log_tree_to_history_period`
        games.
        """
        event = self.event
        yield f"{_told(event, event.path(plain(result)))} {outcome_word(score(result, unknown=0))}"
        period = event.settings.log_tree_to_history_period
        if period and event.played % period == 0:
            yield from tree_lines(event)


def tree_lines(event: McTuner) -> Iterator[str]:
    """Yield lines about the search tree for the file NAME.hist: its size, the share of wins, and the nodes
    down to depth 2.
    """
    tree = event.tree
    wins, games = tree.root.wins - tree.initial_wins, tree.games(tree.root)
    yield f"{tree.nodes} nodes"
    yield f"Win rate {wins:g}/{games} = {f'{wins / games:.3f}' if games else '--'}"
    for path, node in tree.level(1):
        yield f"  {_short_line(event, path, node)}"
        for index, child in enumerate(node.children):
            yield f"    {_short_line(event, (*path, index), child)}"


def _told(event: McTuner, path: Path) -> str:
    """Return the parameter values of a cell of the tree as text, with the path to the cell."""
    return f"{event.describe(event.tree.centre(path))} [{_steps(event, path)}]"


def _short_line(event: McTuner, path: Path, node: Node) -> str:
    shown, games = event.describe(event.tree.centre(path)), event.tree.games(node)
    return f"{_steps(event, path[-1:])} {shown} {node.value:.3f} {games:3d}"


def _steps(event: McTuner, path: Path) -> str:
    """Return the path to a node in coordinates: ``(0,1) (2,2)``."""
    return " ".join(str(event.tree.coordinates(index)).replace(" ", "") for index in path)


FORMAT = tuner_format(
    name="mc_tuner", settings=Settings, tuner=McTuner, ctl_names=CTL_NAMES, tables=MonteCarloTables
)
