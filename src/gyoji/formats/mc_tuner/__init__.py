"""The Monte Carlo tuner: gomill's, which takes tuning for a bandit problem.

Every candidate is a cell of parameter space. The one that plays next is the one that looks best, with a bonus
for having played little (`tree`). With `max_depth` above 1, cells that have played are divided further.

A game's pairing names its cell by the path to it and the values played, "3.0 0.25;low": the tree is counted
anew from the results, whatever was in progress when a run ended, and a file whose scales or splits have been
changed since is noticed. With games in parallel there is less to know when a candidate is chosen; with
`virtual_loss`, games in progress count as lost for that choice, so that others are tried meanwhile.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Block, Endings
from gyoji.core.text import quote
from gyoji.formats.mc_tuner.tree import Node, Path, Tree
from gyoji.pairing.field import check_least
from gyoji.pairing.games import plain
from gyoji.tables.event import played_line
from gyoji.tuning import parameters as tuned
from gyoji.tuning.around import tuner_format
from gyoji.tuning.games import CandidateTuner, OpponentSettings, score
from gyoji.tuning.observations import Point
from gyoji.tuning.parameters import values_at
from gyoji.tuning.scales import CTL_NAMES, Explicit
from gyoji.tuning.series import Series, pick, recorded_number
from gyoji.tuning.tables import TunerTables, candidate_values, opponent_lines, outcome_word

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
        self.check(self.first)


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


class McTuner(CandidateTuner):
    """A Monte Carlo tuner as far as it has been played. See `gyoji.core.ports.Competition`.

    tree     what is known of each cell.
    running  the cells of games in progress, by number.
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
        self._series: Series[Path] = Series(self.settings.number_of_games, self.settings.block)
        self.start: Point = tuple(parameter.first for parameter in self.settings.parameters)
        super().__init__(setup, self.settings.parameters, self.tree.centre((0,)))
        self._names: dict[Path, str] = {}

    @property
    def played(self) -> int:
        """How many games have a result."""
        return self._series.played

    @property
    def best(self) -> Point:
        """The middle of the cell with most wins."""
        return self.tree.centre(self.tree.best())

    def learn(self, points: Sequence[Point], scores: Sequence[float]) -> None:
        """Begin with games of another event: of the cells that they lie in."""
        for point, won in zip(points, scores, strict=True):
            self.tree.add((self.tree.child_at(point),), won)

    def where(self, result: GameResult) -> tuple[Point, None]:
        """Where the candidate of a game stands. Raises ConfigError."""
        return self.tree.centre(self.path(result)), None

    def add(self, result: GameResult) -> None:
        """Count a finished game, once. Raises ConfigError for one of another tree than this."""
        number, path = recorded_number(result), self.path(result)
        won = score(result, unknown=0)
        if self._series.add(number, path):
            if number in self.running:
                self.tree.end(self.running.pop(number))
            self.tree.add(path, won)
            self._note_engine(result)

    def next_game(self) -> GameSpec | None:
        """The next game, of the cell that looks most worth it."""
        found = self._series.next()
        if found is None:
            return None
        number, candidate, path = found
        if path is None:
            path = self.tree.choose(
                lambda depth, count: pick(count, self.setup.seed, "start", candidate, depth)
            )
            self._series.choose(candidate, path)
        self.running[number] = path
        self.tree.begin(path)
        return self._spec(str(number), self._name(path), f"#{candidate}", self.tree.centre(path), number)

    def remaining(self) -> int | None:
        return self._series.remaining

    def describe_node(self, path: Path) -> str:
        """The parameters at a node, as reports show them."""
        return self.describe(self.tree.centre(path))

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


class MonteCarloTables(TunerTables[McTuner]):
    """How far it is, the best parameters, the most visited nodes; on the screen what is being played too."""

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
                yield _node_line(event, path, node)
            yield ""

    def own_values(self, endings: Endings) -> dict[str, Any]:
        """Every node that has played."""
        event, tree = self.event, self.event.tree
        return {
            "played": event.played,
            "best": _node_values(event, tree.best()),
            "nodes": [
                _node_values(event, path)
                for depth in range(1, event.settings.max_depth + 1)
                for path, node in tree.level(depth)
                if tree.games(node)
            ],
        }

    def history(self, result: GameResult) -> Iterator[str]:
        """A result that has been added, and the tree whenever it is time for that."""
        event = self.event
        yield f"{_told(event, event.path(plain(result)))} {outcome_word(result)}"
        period = event.settings.log_tree_to_history_period
        if period and event.played % period == 0:
            yield from tree_lines(event)


def tree_lines(event: McTuner) -> Iterator[str]:
    """The tree to a depth of two: how large it is, the share of wins, and every cell."""
    tree = event.tree
    wins, games = tree.root.wins - tree.initial_wins, tree.games(tree.root)
    yield f"{tree.nodes} nodes"
    yield f"Win rate {wins:g}/{games} = {f'{wins / games:.3f}' if games else '--'}"
    for path, node in tree.level(1):
        yield f"  {_short_line(event, path, node)}"
        for index, child in enumerate(node.children):
            yield f"    {_short_line(event, (*path, index), child)}"


def _told(event: McTuner, path: Path) -> str:
    """The parameters at a node, and the way there."""
    return f"{event.describe_node(path)} [{_steps(event, path)}]"


def _node_line(event: McTuner, path: Path, node: Node) -> str:
    games = event.tree.games(node)
    return f"{_steps(event, path)} {event.describe_node(path):<40} {node.value:.3f} {games:3d}"


def _short_line(event: McTuner, path: Path, node: Node) -> str:
    games = event.tree.games(node)
    return f"{_steps(event, path[-1:])} {event.describe_node(path)} {node.value:.3f} {games:3d}"


def _steps(event: McTuner, path: Path) -> str:
    """The way to a node, in coordinates: ``(0,1) (2,2)``."""
    return " ".join(str(event.tree.coordinates(index)).replace(" ", "") for index in path)


def _node_values(event: McTuner, path: Path) -> dict[str, Any]:
    node = event.tree.node(path)
    return {
        "path": [list(event.tree.coordinates(index)) for index in path],
        "parameters": candidate_values(event.settings.parameters, event.tree.centre(path)),
        "value": node.value,
        "games": event.tree.games(node),
        "wins": node.wins - event.tree.initial_wins,
    }


def _not_here(result: GameResult, why: str) -> ConfigError:
    return ConfigError(
        f"stored game {quote(result.id)} was played at {quote(result.pairing)}, {why}: "
        "restore scales and splits, or reset the competition"
    )


def _short(value: Any) -> str:
    """A value without those digits that another machine may compute in another way."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


FORMAT = tuner_format(
    name="mc_tuner", settings=Settings, tuner=McTuner, ctl_names=CTL_NAMES, tables=MonteCarloTables
)
