r"""The grammar of SGF: bytes or text to trees of nodes. Knows properties by name only where it must (CA).

Values are raw: the text between the brackets, escapes and line breaks as they stand in the file, decoded.
`gyoji.sgf.values` makes numbers, text and points of them. Files may be a hundred thousand nodes deep, so
nothing here or beside it recurses.

The format is FF[4] (www.red-bean.com/sgf); what older and odd files do is taken as it is meant:

* text before, between and after games is skipped; a game starts at ``(;``, or at ``(`` and a root property;
* a final ``)`` may be missing, and so may a ``;`` right after ``(``; a variation may be empty;
* lower-case letters in identifiers are dropped (``AddBlack`` is ``AB``: FF[1] to FF[3]);
* a property given twice in a node is one property with all the values;
* an identifier may begin with a digit (``5A`` in games of Renju).

What cannot be understood is refused with its place: an unfinished value, a property without a value, a value
without a property, stray characters, a node after a variation.

Encodings: a file says in CA how its text is written; without it, it is ISO-8859-1, or what a byte order mark
says. Where a character's second byte can look like ``\`` or ``]`` (Shift JIS, Big5, GBK) the file is decoded
before it is taken apart, as its authors meant; else after, so that each game of a file has its own encoding.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from gyoji.core.text import quote


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


_SPACE = r"[\x00-\x20]*+"
_VALUE = r"\[([^\\\]]*+(?:\\.[^\\\]]*+)*+)\]"
_TOKEN = re.compile(rf"{_SPACE}(?:([0-9]?[A-Za-z]{{1,64}}){_SPACE}{_VALUE}|{_VALUE}|([;()]))", re.DOTALL)
_ROOT_NAMES = (
    "AB|AE|AN|AP|AW|BR|BT|CA|CP|DT|EV|FF|GC|GM|GN|HA|KM|ON|OT|PB|PC|PL|PW|RE|RO|RU|SO|ST|SZ|TM|US|WR|WT"
)
_START = re.compile(rf"\({_SPACE}(?:;|(?:{_ROOT_NAMES}){_SPACE}\[)")
_SPACES = re.compile(_SPACE)
_LOWER = {ord(letter): None for letter in "abcdefghijklmnopqrstuvwxyz"}
_CA = re.compile(rb"CA\s*\[\s*([A-Za-z0-9_.:-]{1,40})\s*\]")
_ASCII = bytes(range(32, 127))
_PAIRS = (b"\x83\x5c", b"\x95\x5c", b"\xa4\x5c", b"\x1b$B\x25\x5c\x1b(B")
"""One character in Shift JIS, GBK or Big5, and in ISO 2022; two or more where bytes are as in ASCII."""
_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_LATIN = "iso8859-1"


Properties: TypeAlias = list[tuple[str, str]]
"""(name, raw value) in the order of a file, a property with several values several times."""


class SgfError(ValueError):
    """A file that is no SGF.

    offset: where, in bytes after a byte order mark, or in characters of a text; found: what stands there;
    problem: both what was expected and what was found.
    """

    def __init__(self, expected: str, offset: int, found: str) -> None:
        self.problem = f"{expected}, found {quote(found) if found else 'the end'}"
        super().__init__(f"at offset {offset}: {self.problem}")
        self.offset = offset
        self.found = found


def parse(source: bytes | str) -> list[Node]:
    """The games of a collection, one tree each, at least one. Raises SgfError. Linear in its length."""
    if isinstance(source, str):
        return _parse_text(source.removeprefix("\ufeff"))
    default = _LATIN
    for mark, encoding in _MARKS:
        if source.startswith(mark):
            if encoding != "utf-8":
                return _parse_text(source.decode(encoding, "replace"))
            source, default = source.removeprefix(mark), encoding
    declared = {match[1].decode("ascii") for match in _CA.finditer(source)}
    if len(declared) == 1 and _hides_ascii(encoding := declared.pop()):
        return _parse_text(source.decode(encoding, "replace"))
    trees = _parse_text(source.decode(_LATIN))
    if not source.isascii():
        for tree in trees:
            _transcode(tree, encoding_of(tree, default))
    return trees


def encoding_of(root: Node, default: str = _LATIN) -> str:
    """The encoding that a game declares, `default` for none, an unknown one, or one no SGF can be in."""
    name = root.first("CA").strip()
    return name if name and _is_usable(name) else default


def _is_usable(name: str) -> bool:
    """Whether Python knows the encoding, and ASCII means itself in it."""
    try:
        return _ASCII.decode(name) == _ASCII.decode("ascii")
    except (LookupError, ValueError):  # unknown; not for text; a name with a null; a code that ASCII breaks
        return False


def _hides_ascii(name: str) -> bool:
    """Whether a character of the encoding can have a byte that is ASCII."""
    return _is_usable(name) and any(len(pair.decode(name, "replace")) == 1 for pair in _PAIRS)


def _transcode(root: Node, encoding: str) -> None:
    """Make characters of what was read as one byte a character."""
    for node in root.walk():
        for values in node.properties.values():
            for index, value in enumerate(values):
                if not value.isascii():
                    values[index] = value.encode(_LATIN).decode(encoding, "replace")


def main_lines(text: str) -> Iterator[tuple[str, Properties]]:
    """The main line of each game of a collection, with its place: "game 2, line 3".

    Raises ValueError naming the line of what is no SGF.
    """
    line, counted = 1, 0  # the line of the character `counted`
    try:
        for number, (start, root) in enumerate(_games(text), 1):
            line, counted = line + text.count("\n", counted, start), start
            nodes = [node.properties for node in root.main_line()]
            places = [(name, value) for each in nodes for name, values in each.items() for value in values]
            yield f"game {number}, line {line}", places
    except SgfError as error:
        line = 1 + text.count("\n", 0, error.offset)
        raise ValueError(f"line {line}: {error.problem}") from None


def is_sgf(name: str, text: str) -> bool:
    """Whether a file is SGF: by the suffix of its name, or by how it begins."""
    return name.lower().endswith(".sgf") or text.lstrip().startswith("(")


def _parse_text(text: str) -> list[Node]:
    return [root for _, root in _games(text)]


def _games(text: str) -> Iterator[tuple[int, Node]]:
    """Where each game begins, and its tree. Raises SgfError."""
    at = 0
    while start := _START.search(text, at):
        tree, at = _parse_game(text, start.start())
        yield start.start(), tree
    if not at:
        raise SgfError("a game starting with '(;' was expected", 0, text[:200])


def _parse_game(text: str, at: int) -> tuple[Node, int]:
    """The game that starts at `at`, and where it ends."""
    match_token = _TOKEN.match
    top = parent = Node()  # of the next node; top is above the root
    branches: list[Node] = []  # the nodes at which the open variations begin
    properties: dict[str, list[str]] | None = None  # of the open node
    values: list[str] | None = None  # of the last property
    is_closed = False  # a variation has just ended
    while token := match_token(text, at):
        kind = token.lastindex
        if kind == 2:  # a property with its first value
            if properties is None:
                parent = _add_node(parent, text, at, is_closed=is_closed)
                properties = parent.properties
            name = token[1]
            if not name.isupper() and not (name := name.translate(_LOWER)):
                raise _error("an identifier with a capital letter was expected", text, at)
            values = properties.setdefault(name, [])
            values.append(token[2])
        elif kind == 3:  # another value
            if values is None:
                raise _error("a property was expected before its value", text, at)
            values.append(token[3])
        else:
            values = None
            mark = token[4]
            if mark == ";":
                parent = _add_node(parent, text, at, is_closed=is_closed)
                properties = parent.properties
            elif mark == "(":
                branches.append(parent)
                properties, is_closed = None, False
            else:
                parent = branches.pop()
                properties, is_closed = None, True
                if not branches:
                    return top.children[0], token.end()
        at = token.end()
    _check_end(text, at)
    return top.children[0], len(text)


def _add_node(parent: Node, text: str, at: int, *, is_closed: bool) -> Node:
    """A new child of `parent`, unless a variation of it has ended just before `at`."""
    if is_closed:
        raise _error("')' or another variation was expected", text, at)
    node = Node()
    parent.children.append(node)
    return node


def _check_end(text: str, at: int) -> None:
    """Raise SgfError unless `text` has ended here, where no token can be read."""
    space = _SPACES.match(text, at)
    at = space.end() if space else at
    if at == len(text):
        return
    if text[at] == "[":
        raise _error("a value that ends in ']' was expected", text, at)
    if text[at].isascii() and text[at].isalpha():
        raise _error("a property with a complete value was expected", text, at)
    raise _error("a property, '(', ')' or ';' was expected", text, at)


def _error(expected: str, text: str, at: int) -> SgfError:
    space = _SPACES.match(text, at)
    at = space.end() if space else at
    return SgfError(expected, at, text[at : at + 200])


WIDTH = 79
_RANKS = {"FF": 0, "B": 1, "W": 1, "BL": 2, "WL": 2, "OB": 3, "OW": 3}


def serialise(trees: Node | Iterable[Node], *, width: int = WIDTH) -> str:
    """The text of a collection; `parse` reads it back as equal trees.

    FF comes first, then a move and its player's time, then the others in alphabetical order. Raises
    ValueError for an identifier that is not one to 64 capital letters, a property without a value, and a
    value that would end too early or too late.
    """
    roots = [trees] if isinstance(trees, Node) else trees
    return "".join([fold(_pieces(root), width) for root in roots])


def encode(trees: Node | Iterable[Node], *, width: int = WIDTH) -> bytes:
    """`serialise`, each game in the encoding that its CA declares, ISO-8859-1 without one.

    Raises UnicodeEncodeError, which is a ValueError, for what this encoding cannot write.
    """
    roots = [trees] if isinstance(trees, Node) else trees
    return b"".join([serialise(root, width=width).encode(encoding_of(root)) for root in roots])


def fold(pieces: Iterable[str], width: int = WIDTH) -> str:
    """The pieces joined, with line breaks between them where a line would get longer than `width`.

    A piece counts with its full length even if it has line breaks of its own, and is never cut.
    """
    out: list[str] = []
    used = 0
    for piece in pieces:
        size = len(piece)
        used += size
        if used > width and out:
            out.append("\n")
            used = size
        out.append(piece)
    out.append("\n")
    return "".join(out)


def _pieces(root: Node) -> list[str]:
    """A game's text, cut where a line may end."""
    pieces: list[str] = []
    pending: list[tuple[str, Node | None]] = [("(;", root)]
    while pending:
        mark, node = pending.pop()
        if node is None:
            pieces.append(mark)
            continue
        properties = node.properties
        for name in properties if len(properties) < 2 else sorted(properties, key=_order):
            pieces.append(f"{mark}{name}[{']['.join(_checked(name, properties[name]))}]")
            mark = ""
        if mark:
            pieces.append(mark)
        children = node.children
        if len(children) == 1:
            pending.append((";", children[0]))
        else:
            for child in reversed(children):
                pending.append((")", None))
                pending.append(("(;", child))
    pieces.append(")")
    return pieces


def _order(name: str) -> tuple[int, str]:
    return _RANKS.get(name, len(_RANKS)), name


def _checked(name: str, values: list[str]) -> list[str]:
    if not (name.isascii() and name.isalpha() and name.isupper() and len(name) <= 64):
        raise ValueError(f"{name!r} is no property: it needs 1 to 64 capital letters")
    if not values:
        raise ValueError(f"property {name} has no value: an empty one is ['']")
    for value in values:
        if ("]" in value or "\\" in value) and not _is_closed(value):
            raise ValueError(f"{name}[{value}] has a ']' or a last backslash that is not escaped")
    return values


def _is_closed(value: str) -> bool:
    """Whether every ']' and every backslash is escaped or escapes."""
    rest = value.replace("\\\\", "").replace("\\]", "")
    return "]" not in rest and not rest.endswith("\\")
