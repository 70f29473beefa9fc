"""The maximum weight matching of a graph: the pairing of vertices with the greatest sum of weights.

Weights are whole numbers of any size, so that one number can encode many criteria exactly. The method is
Edmonds' (Maximum matching and a polyhedron with 0,1-vertices, 1965). It takes O(n^3) steps at most, in
practice about a tenth of that.
"""

# Theory of operation
# -------------------
#
# Every vertex has a price, and the two ends of an edge pay together at least its weight. An edge is tight if
# they pay exactly that. Vertices are paired along tight edges only; when all of them are paired so, no other
# matching is heavier, because the prices add up to its weight.
#
# For a vertex without a partner, a tree of alternating tight paths is grown from it:
#
#     root (even) -- odd == even -- odd == even ...      == is a pair, -- a tight edge outside the matching
#
# The prices of vertices at an even distance fall, those at an odd distance rise, until one of three things
# happens:
#
#   * an edge out of the tree gets tight. Its other end joins the tree with its partner; if
#     it has none, the path to the root is augmented: pairs and other edges swap, and both ends are paired.
#     The tree is done.
#   * an edge between two even nodes gets tight (`_next_closing`). It closes an odd cycle, which is shrunk to
#     one node, a blossom. A blossom has a price itself, which its inner edges pay as well.
#   * the price of an odd blossom falls to 0 (`_next_expiring`). It is burst: its nodes take their own places
#     again.
#
# Prices are not changed step by step. A tree has a clock, `_now`. Prices of even vertices are stored as they
# were at time 0 of a falling price, those of odd ones at time 0 of a rising price (`_Node.sign`). Then the
# time at which an edge gets tight is fixed as soon as both ends are in the tree, and a heap can order the
# events.
#
# All vertices are paired in the end, if necessary by an edge of weight 0, which the caller sees as no pair.
# An odd number of vertices gets one more with such edges. Weights are doubled, so that prices stay whole
# numbers.

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

UNMATCHED = -1
_OUTSIDE, _EVEN, _ODD = 0, -1, 1


def heaviest_matching(weights: Sequence[Sequence[int]]) -> list[int]:
    """Return the partner of each vertex, or UNMATCHED.

    Args:
        weights: A symmetric matrix of whole numbers from 0; 0 means that the two must not be paired.

    >>> heaviest_matching([[0, 6, 8, 0], [6, 0, 9, 0], [8, 9, 0, 5], [0, 0, 5, 0]])
    [1, 0, 3, 2]
    """
    count = len(weights)
    odd = count % 2
    rows = [[2 * weight for weight in row] + [0] * odd for row in weights]
    rows += [[0] * (count + 1)] * odd
    mates = _Matching(rows).mates
    return [UNMATCHED if rows[one][mate] == 0 else mate for one, mate in enumerate(mates[:count])]


class _Node:
    """A vertex or a blossom. A blossom is an odd cycle of nodes that counts as one node.

    The comment at the beginning of the module explains prices, time and the tree.

    Attributes:
        vertices: All vertices in the node.
        children: The nodes of a blossom's cycle. The first contains the base.
        links: For each child the edge to the next child: a vertex in this child, and a vertex in the next.
        base: The vertex whose partner is outside the node, if it has a partner.
        price: The price of a blossom at time 0.
        sign: _OUTSIDE for a node outside the tree. Else _EVEN or _ODD: the prices of the node's vertices fall
            or rise. A blossom's own price moves the other way, twice as fast.
        entry: The edge by which the node joined the tree: a vertex in the tree, and a vertex in the node.
            None for the root, and outside the tree. A node inside a blossom keeps its earlier edge.
    """

    __slots__ = ("base", "children", "entry", "links", "price", "sign", "vertices")

    def __init__(self, vertex: int) -> None:
        self.vertices = [vertex]
        self.children: list[_Node] = []
        self.links: list[tuple[int, int]] = []
        self.base = vertex
        self.price = 0
        self.sign = _OUTSIDE
        self.entry: tuple[int, int] | None = None

    def walk(self, child: "_Node") -> Iterator[tuple["_Node", tuple[int, int]]]:
        """Yield the nodes of the cycle from a child to the base, on the side with an even number of steps.

        With each node comes the edge to it: a vertex in the node before, and a vertex in this node.
        """
        index, size = self.children.index(child), len(self.children)
        if index % 2:
            for place in range(index, size):
                yield self.children[(place + 1) % size], self.links[place]
        else:
            for place in range(index, 0, -1):
                yield self.children[place - 1], self.links[place - 1][::-1]


class _Matching:
    """A maximum weight matching, which the constructor computes.

    The comment at the beginning of the module explains prices, time and the tree.

    Attributes:
        mates: The partner of each vertex, or UNMATCHED.
        _prices: The price of each vertex at time 0.
        _tops: The outermost node of each vertex.
        _outside: The vertices that are not in the tree.
        _even: The vertices at an even distance from the root.
        _offers: For each vertex that is not even, the minimum of (price - weight) over its even neighbours.
        _offerers: For each vertex the neighbour with this minimum.
        _closing: A heap of (twice the time at which the edge gets tight, vertex, other vertex): for each even
            vertex the edge to another even node that gets tight first.
    """

    def __init__(self, rows: Sequence[Sequence[int]]) -> None:
        self._rows = rows
        self._prices = [max(row) // 2 for row in rows]
        self._least = -16 * len(rows) ** 2 * (max(self._prices, default=0) + 1)
        self.mates = [UNMATCHED] * len(rows)
        self._tops = [_Node(vertex) for vertex in range(len(rows))]
        prices, mates = self._prices, self.mates
        for one, row in enumerate(self._rows):
            if mates[one] != UNMATCHED:
                continue
            wants = [weight - price for weight, price in zip(row, prices, strict=True)]
            wants[one] = self._least
            prices[one] = most = max(wants)
            for other, want in enumerate(wants):
                if want == most and mates[other] == UNMATCHED:
                    mates[one], mates[other] = other, one
                    break
        for vertex in range(len(rows)):
            if self.mates[vertex] == UNMATCHED:
                self._grow_tree(vertex)

    def _grow_tree(self, root: int) -> None:
        """Find a partner for `root`, and new partners for others on the path."""
        self._now = 0
        self._offers = [-self._least] * len(self._rows)
        self._offerers = [UNMATCHED] * len(self._rows)
        self._outside = dict.fromkeys(range(len(self._rows)))
        self._even: list[int] = []
        self._odd_blossoms: list[_Node] = []
        self._closing: list[tuple[int, int, int]] = []
        self._put(self._tops[root], _EVEN)
        while True:
            offers, prices = self._offers, self._prices
            reached, vertex = min([(offers[vertex] + prices[vertex], vertex) for vertex in self._outside])
            closing, edge = self._next_closing()
            expiring, blossom = self._next_expiring()
            self._now = now = min(reached, closing, expiring)
            if now == reached:
                if self._step_to(vertex):
                    break
            elif now == closing:
                self._shrink(*edge)
            else:
                assert blossom.entry is not None
                blossom.sign = _OUTSIDE
                child = self._open(blossom, blossom.entry[1])
                places = {id(child): (_ODD, blossom.entry)}
                for number, (node, link) in enumerate(blossom.walk(child)):
                    places[id(node)] = (_ODD if number % 2 else _EVEN), link
                for node in blossom.children:
                    node.sign, node.price = _ODD, node.price + 2 * self._now
                for node in blossom.children:
                    self._put(node, *places.get(id(node), (_OUTSIDE, None)))
        self._augment(self._offerers[vertex], vertex)
        self._settle()

    # The next event in the tree, and its time.

    def _next_closing(self) -> tuple[int, tuple[int, int]]:
        """Return the time at which the next edge between two even nodes gets tight, and its two vertices.

        Without such an edge the time is later than all events, and the vertices are UNMATCHED.
        """
        while self._closing:
            time, one, other = self._closing[0]
            if self._tops[one] is not self._tops[other]:
                return time // 2, (one, other)
            heappop(self._closing)
            self._find_closing(one)
        return -self._least, (UNMATCHED, UNMATCHED)

    def _next_expiring(self) -> tuple[int, _Node]:
        """Return the time at which the next price of an odd blossom falls to 0, and the blossom.

        Without odd blossoms the time is later than all events, and the node is any.
        """
        odd = [node for node in self._odd_blossoms if node.sign == _ODD]
        if not odd:
            return -self._least, self._tops[0]
        blossom = min(odd, key=lambda node: node.price)
        return blossom.price // 2, blossom

    # Changes of the tree.

    def _step_to(self, vertex: int) -> bool:
        """Add two nodes to the tree, by an edge that got tight: the node of an outside vertex, and its
        partner's node.

        If the vertex's node has no partner, add nothing and return True: the path can be augmented.
        """
        node = self._tops[vertex]
        mate = self.mates[node.base]
        if mate == UNMATCHED:
            return True
        self._put(node, _ODD, (self._offerers[vertex], vertex))
        self._put(self._tops[mate], _EVEN, (node.base, mate))
        return False

    def _put(self, node: _Node, sign: int, entry: tuple[int, int] | None = None) -> None:
        """Put a node into the tree with sign _EVEN or _ODD, or take it out with _OUTSIDE.

        Args:
            entry: The edge by which the node joins the tree: a vertex in the tree, and a vertex in the node.
                None for the root.
        """
        change, prices = (node.sign - sign) * self._now, self._prices
        node.sign, node.entry = sign, entry
        if change:
            node.price -= 2 * change
            for vertex in node.vertices:
                prices[vertex] += change
        for vertex in node.vertices:
            if sign == _OUTSIDE:
                self._outside[vertex] = None
            else:
                self._outside.pop(vertex, None)
        if sign == _EVEN:
            self._reach(node.vertices)
        elif sign == _ODD and node.children:
            self._odd_blossoms.append(node)

    def _reach(self, vertices: Sequence[int]) -> None:
        """Add vertices that have become even to `_even`, and their edges to `_offers` and `_closing`.

        `_offerers` is updated with `_offers`.
        """
        offers, offerers = self._offers, self._offerers
        for vertex in vertices:
            offers[vertex] = self._least
        for vertex in vertices:
            price, row = self._prices[vertex], self._rows[vertex]
            better = [
                other
                for other, (offer, weight) in enumerate(zip(offers, row, strict=True))
                if price - weight < offer
            ]
            for other in better:
                offers[other] = price - row[other]
                offerers[other] = vertex
            self._find_closing(vertex)
            self._even.append(vertex)

    def _find_closing(self, vertex: int) -> None:
        """Push onto the heap the edge from a vertex to another even node that gets tight first."""
        row, prices, tops, top = self._rows[vertex], self._prices, self._tops, self._tops[vertex]
        times = [(prices[other] - row[other], other) for other in self._even if tops[other] is not top]
        if times:
            time, other = min(times)
            heappush(self._closing, (prices[vertex] + time, vertex, other))

    def _shrink(self, one: int, other: int) -> None:
        """Make a blossom of the cycle that a tight edge between two even vertices closes."""
        left, right = self._path(one), self._path(other)
        while len(left) > 1 and len(right) > 1 and left[-2] is right[-2]:
            left.pop()
            right.pop()
        *_, top = left
        blossom = _Node(top.base)
        blossom.children = [*reversed(left), *right[:-1]]
        blossom.links = [node.entry for node in reversed(left[:-1]) if node.entry]
        blossom.links += [(one, other), *(node.entry[::-1] for node in right[:-1] if node.entry)]
        blossom.vertices = [vertex for node in blossom.children for vertex in node.vertices]
        blossom.sign, blossom.entry, blossom.price = _EVEN, top.entry, -2 * self._now
        fresh = [vertex for node in blossom.children if node.sign == _ODD for vertex in node.vertices]
        for vertex in fresh:
            self._prices[vertex] += 2 * self._now
        for node in blossom.children:
            node.price -= 2 * node.sign * self._now
            node.sign = _OUTSIDE
        for vertex in blossom.vertices:
            self._tops[vertex] = blossom
        self._reach(fresh)

    def _path(self, vertex: int) -> list[_Node]:
        """Return the nodes on the path from a vertex to the root."""
        path = [self._tops[vertex]]
        while path[-1].entry is not None:
            path.append(self._tops[path[-1].entry[0]])
        return path

    def _open(self, blossom: _Node, vertex: int) -> _Node:
        """Replace a blossom by the nodes of its cycle. Return the node that contains the vertex."""
        for node in blossom.children:
            for each in node.vertices:
                self._tops[each] = node
        return self._tops[vertex]

    # The end of a tree.

    def _augment(self, one: int, other: int) -> None:
        """Swap matched and unmatched edges on a path, which gives the matching one more edge.

        The path leads from `other`, a vertex outside the tree, by an edge to `one`, and up to the root.
        """
        self._turn(self._tops[other], other)
        while True:
            node = self._tops[one]
            self._turn(node, one)
            self.mates[one], self.mates[other] = other, one
            if node.entry is None:
                return
            odd = self._tops[node.entry[0]]
            assert odd.entry is not None
            one, other = odd.entry
            self._turn(odd, other)

    def _turn(self, node: _Node, vertex: int) -> None:
        """Make a vertex the base of its node, and pair all other vertices of the node among each other."""
        todo = [(node, vertex)]
        while todo:
            node, vertex = todo.pop()
            node.base = vertex
            if not node.children:
                continue
            child = next(child for child in node.children if vertex in child.vertices)
            todo.append((child, vertex))
            steps = list(node.walk(child))
            for (before, _), (after, (one, other)) in zip(steps[::2], steps[1::2], strict=True):
                self.mates[one], self.mates[other] = other, one
                todo += (before, one), (after, other)
            index = node.children.index(child)
            node.children = node.children[index:] + node.children[:index]
            node.links = node.links[index:] + node.links[:index]

    def _settle(self) -> None:
        """Take all nodes out of the tree, and take blossoms of price 0 apart."""
        todo = list({id(node): node for node in self._tops}.values())
        while todo:
            node = todo.pop()
            self._put(node, _OUTSIDE)
            if node.children and not node.price:
                self._open(node, node.base)
                todo += node.children
