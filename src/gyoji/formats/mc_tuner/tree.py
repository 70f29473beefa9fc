"""The tree of a Monte Carlo tuner: cells of parameter space, and which of them to try next.

A node stands for a box in the unit cube, and is played at the box's centre. Its children are equal parts of
the box, `splits` of them along each axis; the last axis changes fastest. Which child to try UCB1 says (Auer,
Cesa-Bianchi, Fischer 2002), and down the tree UCT (Kocsis, Szepesvári 2006), with the counts that every node
begins with in all terms, as gomill has it.
"""

from collections.abc import Callable, Iterator, Sequence
from heapq import nlargest
from math import log, prod, sqrt

Path = tuple[int, ...]
"""Child indices from the root on; the root's is empty."""


class Node:
    """Games and wins of a box, those it began with included. running: games in progress."""

    __slots__ = ("children", "running", "visits", "wins")

    def __init__(self, visits: int, wins: float) -> None:
        self.children: list[Node] = []
        self.visits = visits
        self.wins = wins
        self.running = 0

    @property
    def value(self) -> float:
        """The share of wins."""
        return self.wins / self.visits


class Tree:
    """All nodes.

    initial_visits, initial_wins  of a new node.
    virtual_loss  how many lost games a game in progress counts as.
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
        self.root = self._new()
        self._expand(self.root)

    def choose(self, start_of: Callable[[int, int], int]) -> Path:
        """The leaf to play next.

        start_of(depth, count): the child, of `count`, from which on children are looked at, so that chance
        decides between equals. A leaf that has played is expanded, and one of its children played.
        """
        path: list[int] = []
        node = self.root
        while node.children or self._is_ripe(node, len(path)):
            if not node.children:
                self._expand(node)
            index = self._best_child(node, start_of(len(path), self.branching))
            node = node.children[index]
            path.append(index)
        return tuple(path)

    def begin(self, path: Path) -> None:
        """A game of the node at the end of a path is in progress."""
        for node in self._along(path):
            node.running += 1

    def end(self, path: Path) -> None:
        """A game in progress is over."""
        for node in self._along(path):
            node.running -= 1

    def add(self, path: Path, score: float) -> None:
        """Count a game of a node: 1 won, 0 lost. Raises IndexError for a path that there cannot be."""
        for node in self._along(path):
            node.visits += 1
            node.wins += score

    def centre(self, path: Path) -> tuple[float, ...]:
        """The middle of a node's box in the unit cube."""
        low = [0.0] * len(self.splits)
        width = [1.0] * len(self.splits)
        for index in path:
            width = [each / split for each, split in zip(width, self.splits, strict=True)]
            steps = zip(low, width, self.coordinates(index), strict=True)
            low = [edge + each * coordinate for edge, each, coordinate in steps]
        return tuple(edge + 0.5 * each for edge, each in zip(low, width, strict=True))

    def coordinates(self, index: int) -> tuple[int, ...]:
        """Where a child lies in its parent's box, from 0 along each axis."""
        coordinates = []
        for split in reversed(self.splits):
            index, coordinate = divmod(index, split)
            coordinates.append(coordinate)
        return tuple(reversed(coordinates))

    def child_at(self, point: Sequence[float]) -> int:
        """The child of the root in whose box a point lies."""
        index = 0
        for split, place in zip(self.splits, point, strict=True):
            index = index * split + min(int(max(place, 0.0) * split), split - 1)
        return index

    def best(self) -> Path:
        """The leaf that is reached by taking the child with most wins at each node, the first of equals."""
        path: list[int] = []
        node = self.root
        while node.children:
            wins = [child.wins for child in node.children]
            index = wins.index(max(wins))
            path.append(index)
            node = node.children[index]
        return tuple(path)

    def most_visited(self, depth: int, count: int) -> list[tuple[Path, Node]]:
        """Of the nodes at a depth, from 1, those with most games, in the order of their paths."""
        found = nlargest(count, self.level(depth), key=lambda each: each[1].visits)
        return sorted(found, key=lambda each: each[0])

    def level(self, depth: int) -> Iterator[tuple[Path, Node]]:
        """All nodes at a depth, in order; 0 is the root."""
        if depth == 0:
            yield (), self.root
            return
        for path, parent in self.level(depth - 1):
            for index, node in enumerate(parent.children):
                yield (*path, index), node

    def node(self, path: Path) -> Node:
        """The node at the end of a path that has been there."""
        node = self.root
        for index in path:
            node = node.children[index]
        return node

    def games(self, node: Node) -> int:
        """How many games of a node are over."""
        return node.visits - self.initial_visits

    def _new(self) -> Node:
        return Node(self.initial_visits, self.initial_wins)

    def _expand(self, node: Node) -> None:
        node.children = [self._new() for _ in range(self.branching)]
        self.nodes += self.branching

    def _is_ripe(self, node: Node, depth: int) -> bool:
        """Whether a leaf is to be divided: it has played, and may have children."""
        return depth < self.max_depth and node.visits != self.initial_visits

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
        """The root and the nodes of a path, those included that have not been there yet."""
        node = self.root
        yield node
        for index in path:
            if not node.children:
                self._expand(node)
            node = node.children[index]
            yield node
