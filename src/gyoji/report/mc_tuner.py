"""The reports of a Monte Carlo tuner, as gomill has them: the best parameters, and the most visited nodes."""

from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.competitions.mc_tuner import McTuner
from gyoji.competitions.mc_tuner.tree import Node, Path
from gyoji.core.record import GameResult
from gyoji.pairing.cross import Cross
from gyoji.report.parts import head_values
from gyoji.report.tuning import candidate_values, opponent_lines, outcome_word, played_line, title_lines


def screen_lines(event: McTuner) -> Iterator[str]:
    """The tables, and what is being played."""
    yield from _table_lines(event)
    running = sorted(event.running.items())[: event.settings.number_of_running_simulations_to_show]
    if running:
        yield "In progress:"
    for number, path in running:
        yield f"game {number}: {_told(event, path)}"


def _table_lines(event: McTuner) -> Iterator[str]:
    """How far it is, the best parameters, the most visited nodes."""
    tree = event.tree
    yield played_line(event.played, event.settings.limit)
    yield ""
    yield f"Best parameters: {_told(event, tree.best())}"
    yield ""
    for depth, count in enumerate(event.settings.summary_spec, 1):
        yield f"most visited at depth {depth}"
        for path, node in tree.most_visited(depth, max(count, 0)):
            yield _node_line(event, path, node)
        yield ""


def report_lines(event: McTuner) -> Iterator[str]:
    """The whole report: title, games, tables, the opponent."""
    yield from title_lines(event.setup, "MCTS")
    yield from _table_lines(event)
    yield from opponent_lines(event.settings.opponent, event.engines)
    yield ""


def values(event: McTuner, endings: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """The tree as JSON-ready values: every node that has played."""
    tree = event.tree
    return {
        **head_values(event.setup, event.remaining(), event.engines),
        "played": event.played,
        "best": _node_values(event, tree.best()),
        "nodes": [
            _node_values(event, path)
            for depth in range(1, event.settings.max_depth + 1)
            for path, node in tree.level(depth)
            if tree.games(node)
        ],
    }


def crosses(event: McTuner) -> dict[str, Cross]:
    """None: candidates do not play each other."""
    return {}


def history_lines(event: McTuner, result: GameResult) -> Iterator[str]:
    """A result that has been added, and the tree whenever it is time for that."""
    path = event.path(result)
    yield f"{_told(event, path)} {outcome_word(result)}"
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
    """What is played at a node, and the way there."""
    return f"{event.describe(path)} [{_steps(event, path)}]"


def _node_line(event: McTuner, path: Path, node: Node) -> str:
    games = event.tree.games(node)
    return f"{_steps(event, path)} {event.describe(path):<40} {node.value:.3f} {games:3d}"


def _short_line(event: McTuner, path: Path, node: Node) -> str:
    games = event.tree.games(node)
    return f"{_steps(event, path[-1:])} {event.describe(path)} {node.value:.3f} {games:3d}"


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
