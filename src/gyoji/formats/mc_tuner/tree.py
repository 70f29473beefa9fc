"""The tree of a Monte Carlo tuner: cells of parameter space, and the choice of the next cell to try.

A node is a box in the unit cube. Its candidate is the centre of the box. Its children are equal parts of the
box, `splits` of them along each axis; the last axis changes fastest. UCB1 chooses the child (Auer,
Cesa-Bianchi, Fischer 2002), and UCT the path down the tree (Kocsis, Szepesvári 2006). As in gomill, games and
wins that a node is given at first count like played ones.
"""

from collections.abc import Callable, Iterator, Sequence
from heapq import nlargest
from math import log, prod, sqrt

Path = tuple[int, ...]
"""Child indices from the root on. The root's path is empty."""


class Node:
    """A box of the unit cube with its numbers of games and wins.

    The games and wins that each box is given at first (`Tree.initial_visits`) are included.

    Attributes:
        running: The number of games in progress.
    """

    __slots__ = ("children", "running", "visits", "wins")

    def __init__(self, visits: int, wins: float) -> None:
        self.children: list[Node] = []
        self.visits = visits
        self.wins = wins
        self.running = 0

    @property
    def value(self) -> float:
        """The share of wins, from 0 to 1, with the initial games and wins."""
        return self.wins / self.visits


class Tree:
    """The tree of cells.

    Attributes:
        branching: Number of children of a node.
        initial_visits: Number of games that a new node is given.
        initial_wins: Number of wins that a new node is given.
        virtual_loss: A game in progress counts as this number of lost games.
    """

    def __init__(
        self,
        splits: Sequence[int],
        *,
        max_depth: int,
        exploration: float,
        initial_visits: int,
        initial_wins: int,
        virtual_loss: int = 0,
    ) -> None:
        self.splits = tuple(splits)
        self.branching = prod(splits)
        self.max_depth = max_depth
        self.exploration = exploration
        self.initial_visits = initial_visits
        self.initial_wins = initial_wins
        self.virtual_loss = virtual_loss
        self.nodes = 1
        self.root = Node(initial_visits, initial_wins)
        self._expand(self.root)

    def choose(self, start_of: Callable[[int, int], int]) -> Path:
        """Return the path to the leaf to play next.

        If the leaf has played and is not at the largest depth, it gets children, and one of them plays.

        Args:
            start_of: Returns, for a depth and a number of children, the index of the child with which the
                search for the best child begins. So chance decides between equal children.
        """
        path: list[int] = []
        node = self.root
        while True:
            if not node.children:
                if len(path) == self.max_depth or node.visits == self.initial_visits:
                    return tuple(path)
                self._expand(node)
            index = self._best_child(node, start_of(len(path), self.branching))
            node = node.children[index]
            path.append(index)

    def begin(self, path: Path) -> None:
        """Count a game in progress for the root and each node of a path."""
        for node in self._along(path):
            node.running += 1

    def end(self, path: Path) -> None:
        """Remove a game in progress from the root and each node of a path."""
        for node in self._along(path):
            node.running -= 1

    def add(self, path: Path, score: float) -> None:
        """Count a finished game for the root and each node of a path.

        Args:
            score: 1 for a win, ½ for a draw, 0 for a loss.

        Raises:
            IndexError: The path has an index outside the tree.
        """
        for node in self._along(path):
            node.visits += 1
            node.wins += score

    def centre(self, path: Path) -> tuple[float, ...]:
        """Return the middle of a node's box in the unit cube."""
        low = [0.0] * len(self.splits)
        width = [1.0] * len(self.splits)
        for index in path:
            width = [each / split for each, split in zip(width, self.splits, strict=True)]
            steps = zip(low, width, self.coordinates(index), strict=True)
            low = [edge + each * coordinate for edge, each, coordinate in steps]
        return tuple(edge + 0.5 * each for edge, each in zip(low, width, strict=True))

    def coordinates(self, index: int) -> tuple[int, ...]:
        """Return the position of a child in its parent's box: a number from 0 along each axis."""
        coordinates = []
        for split in reversed(self.splits):
            index, coordinate = divmod(index, split)
            coordinates.append(coordinate)
        return tuple(reversed(coordinates))

    def best(self) -> Path:
        """Return the path that takes, at each node, the child with the most wins. Of equal children the first
        is taken.
        """
        path: list[int] = []
        node = self.root
        while node.children:
            wins = [child.wins for child in node.children]
            index = wins.index(max(wins))
            path.append(index)
            node = node.children[index]
        return tuple(path)

    def most_visited(self, depth: int, count: int) -> list[tuple[Path, Node]]:
        """Return the `count` nodes with the most games at a depth from 1 on, in the order of their paths."""
        found = nlargest(count, self.level(depth), key=lambda each: each[1].visits)
        return sorted(found, key=lambda each: each[0])

    def level(self, depth: int) -> Iterator[tuple[Path, Node]]:
        """Yield all nodes at a depth in order. Depth 0 is the root."""
        if depth == 0:
            yield (), self.root
            return
        for path, parent in self.level(depth - 1):
            for index, node in enumerate(parent.children):
                yield (*path, index), node

    def games(self, node: Node) -> int:
        """Return the number of finished games of a node, without the initial ones."""
        return node.visits - self.initial_visits

    def _expand(self, node: Node) -> None:
        node.children = [Node(self.initial_visits, self.initial_wins) for _ in range(self.branching)]
        self.nodes += self.branching

    # Up to MOST_CELLS children are compared for each game, so the loop computes nothing twice.
    def _best_child(self, node: Node, start: int) -> int:
        loss = self.virtual_loss
        reach = self.exploration * sqrt(log(node.visits + loss * node.running))
        best, highest = -1, float("-inf")
        for index in (*range(start, self.branching), *range(start)):
            child = node.children[index]
            visits = child.visits + loss * child.running
            urgency = child.wins / visits + reach / sqrt(visits)
            if urgency > highest:
                best, highest = index, urgency
        return best

    def _along(self, path: Path) -> Iterator[Node]:
        """Yield the root and the nodes of a path. Nodes without children are expanded on the way."""
        node = self.root
        yield node
        for index in path:
            if not node.children:
                self._expand(node)
            node = node.children[index]
            yield node
