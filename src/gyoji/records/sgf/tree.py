"""The tree that an SGF file is: nodes, their properties as raw text, their children. Knows no game.

Values are raw: the text between the brackets, escapes and line breaks as they stand in the file, decoded.
`gyoji.records.sgf.values` makes numbers and text of them. Files may be a hundred thousand nodes deep, so
nothing here or beside it recurses.
"""

from collections.abc import Iterator


class Node:
    """One node. properties: identifier -> its values, at least one; children: the main line is the first."""

    __slots__ = ("children", "properties")

    def __init__(self, properties: dict[str, list[str]] | None = None) -> None:
        self.properties: dict[str, list[str]] = {} if properties is None else properties
        self.children: list[Node] = []

    def __repr__(self) -> str:
        return f"<Node {self.properties!r} with {len(self.children)} children>"

    def __eq__(self, other: object) -> bool:
        """Whether the whole trees below are equal, the order of properties in a node aside."""
        if not isinstance(other, Node):
            return NotImplemented
        pending = [(self, other)]
        while pending:
            one, two = pending.pop()
            if one.properties != two.properties or len(one.children) != len(two.children):
                return False
            pending.extend(zip(one.children, two.children, strict=True))
        return True

    __hash__ = None  # type: ignore[assignment]  # mutable

    def first(self, name: str, default: str = "") -> str:
        """The first raw value of a property, `default` without it."""
        values = self.properties.get(name)
        return values[0] if values else default

    def walk(self) -> Iterator["Node"]:
        """This node and all below it, each before its children, in file order."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))

    def main_line(self) -> Iterator["Node"]:
        """This node, its first child, and so on to the end."""
        node = self
        while True:
            yield node
            if not node.children:
                return
            node = node.children[0]
