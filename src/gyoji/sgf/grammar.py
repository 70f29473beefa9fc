"""The grammar of SGF: parses bytes or text into trees of nodes, and writes trees.

Property values stay raw: the text between the brackets, with escapes and line breaks as in the file,
decoded. `property_values` turns them into numbers, text and points. The only property that this module
knows by name is CA.

The format is FF[4] (www.red-bean.com/sgf). The parser also accepts what older and odd files do:

* text before, between and after games; a game starts at ``(;``, or at ``(`` followed by a root property;
* a missing final ``)``, a missing ``;`` right after ``(``, and an empty variation;
* lower-case letters in identifiers, which are dropped (``AddBlack`` is ``AB``, as in FF[1] to FF[3]);
* a property given twice in a node, which becomes one property with all the values;
* an identifier that begins with a digit (``5A`` in games of renju).

It refuses, with the place: an unfinished value, a property without a value, a value without a property,
stray characters, and a node after a variation.

Encodings: CA names the encoding of the text. Without CA it is ISO-8859-1, or what a byte order mark says.
"""

# Two decisions shape this module.
#
# Nothing recurses. Files may be a hundred thousand nodes deep (a game with a node per move), and Python's
# stack is not. Hence `Node.walk`, `Node.__eq__` and the writer keep lists of their own.
#
# Encodings are applied at two different moments. In Shift JIS, Big5 and GBK the second byte of a character
# can look like ``\`` or ``]``, so such a file is decoded before it is split into tokens, which is what its
# authors meant. Every other file is split as bytes (ISO-8859-1 text) and decoded afterwards, so that each
# game of a collection may have an encoding of its own.

import re
from collections.abc import Iterable, Iterator

from gyoji.core.text import quote


class Node:
    """One node of a game tree.

    Attributes:
        properties: Values of each identifier; every list has at least one.
        children: Continuations. The first one is the main line.
    """

    __slots__ = ("children", "properties")

    def __init__(self, properties: dict[str, list[str]] | None = None) -> None:
        self.properties: dict[str, list[str]] = {} if properties is None else properties
        self.children: list[Node] = []

    def __repr__(self) -> str:
        return f"<Node {self.properties!r} with {len(self.children)} children>"

    def __eq__(self, other: object) -> bool:
        """Compare whole trees. The order of properties in a node does not matter."""
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
        """Return the first raw value of a property, or `default` if the node lacks it."""
        values = self.properties.get(name)
        return values[0] if values else default

    def walk(self) -> Iterator["Node"]:
        """Yield this node and all nodes below it in file order, each before its children."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))

    def main_line(self) -> Iterator["Node"]:
        """Yield this node, its first child, the first child of that, and so on."""
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
"""Sample bytes: one character in Shift JIS, GBK, Big5 and ISO 2022, two or more in encodings that extend
ASCII.
"""
_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_LATIN = "iso8859-1"


class SgfError(ValueError):
    """The file is not SGF.

    Attributes:
        offset: Place of the error, in bytes after a byte order mark, or in characters of a text.
        found: The text at that place.
        problem: What was expected and what was found.
    """

    def __init__(self, expected: str, offset: int, found: str) -> None:
        self.problem = f"{expected}, found {quote(found) if found else 'the end'}"
        super().__init__(f"at offset {offset}: {self.problem}")
        self.offset = offset
        self.found = found


def parse(source: bytes | str) -> list[Node]:
    """Return the games of a collection, one tree each, at least one. The time is linear in the length.

    Raises:
        SgfError: The source is not SGF.
    """
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
    """Return the encoding that a game declares, or `default` if it declares none or an unusable one."""
    name = root.first("CA").strip()
    return name if name and _is_usable(name) else default


def _is_usable(name: str) -> bool:
    """Return whether Python knows the encoding and ASCII characters keep their meaning in it."""
    try:
        return _ASCII.decode(name) == _ASCII.decode("ascii")
    except (LookupError, ValueError):  # unknown; not for text; a name with a null; a code that ASCII breaks
        return False


def _hides_ascii(name: str) -> bool:
    """Return whether a character of the encoding can contain a byte that looks like ASCII."""
    return _is_usable(name) and any(len(pair.decode(name, "replace")) == 1 for pair in _PAIRS)


def _transcode(root: Node, encoding: str) -> None:
    """Decode, in place, values that were read as one byte per character."""
    for node in root.walk():
        for values in node.properties.values():
            for index, value in enumerate(values):
                if not value.isascii():
                    values[index] = value.encode(_LATIN).decode(encoding, "replace")


def located_games(text: str) -> Iterator[tuple[str, Node]]:
    """Yield each game of a collection with its place: "game 2, line 3".

    Raises:
        ValueError: The text is no SGF; the message names the line.
    """
    line, counted = 1, 0  # the line of the character `counted`
    try:
        for number, (start, root) in enumerate(_games(text), 1):
            line, counted = line + text.count("\n", counted, start), start
            yield f"game {number}, line {line}", root
    except SgfError as error:
        line = 1 + text.count("\n", 0, error.offset)
        raise ValueError(f"line {line}: {error.problem}") from None


def is_sgf(name: str, text: str) -> bool:
    """Return whether a file is SGF, by its suffix or by its beginning."""
    return name.lower().endswith(".sgf") or text.lstrip().startswith("(")


def _parse_text(text: str) -> list[Node]:
    return [root for _, root in _games(text)]


def _games(text: str) -> Iterator[tuple[int, Node]]:
    """Yield each game's offset and tree. Raises SgfError."""
    at = 0
    while start := _START.search(text, at):
        tree, at = _parse_game(text, start.start())
        yield start.start(), tree
    if not at:
        raise SgfError("a game starting with '(;' was expected", 0, text[:200])


def _parse_game(text: str, at: int) -> tuple[Node, int]:
    """Return the game that starts at `at`, and the offset of its end."""
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
    """Add a child to `parent`. Raise SgfError if a variation of it ended just before `at`."""
    if is_closed:
        raise _error("')' or another variation was expected", text, at)
    node = Node()
    parent.children.append(node)
    return node


def _check_end(text: str, at: int) -> None:
    """Raise SgfError unless the text ends at `at`, where no token could be read."""
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
    """Return the text of a collection. `parse` reads it back as equal trees.

    FF comes first, then a move and its player's time, then the other properties in alphabetical order.

    Raises:
        ValueError: An identifier is not one to 64 capital letters, a property has no value, or a value
            would end too early or too late.
    """
    roots = [trees] if isinstance(trees, Node) else trees
    return "".join([fold(_pieces(root), width) for root in roots])


def encode(trees: Node | Iterable[Node], *, width: int = WIDTH) -> bytes:
    """Serialise each game in the encoding that its CA declares, or in ISO-8859-1.

    Raises:
        UnicodeEncodeError: The encoding cannot represent a character. This is a ValueError.
    """
    roots = [trees] if isinstance(trees, Node) else trees
    return b"".join([serialise(root, width=width).encode(encoding_of(root)) for root in roots])


def fold(pieces: Iterable[str], width: int = WIDTH) -> str:
    """Join the pieces, with a line break before each piece that would make its line longer than `width`.

    A piece is never cut, and counts with its full length even if it contains line breaks.
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
    """Return the text of a game, cut at the places where a line may end."""
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
    """Return whether every ``]`` is escaped and every backslash escapes a character."""
    rest = value.replace("\\\\", "").replace("\\]", "")
    return "]" not in rest and not rest.endswith("\\")
