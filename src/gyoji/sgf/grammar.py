"""A parser of SGF, from bytes or text to trees of nodes; and the folding of long lines in written files.

Property values stay raw: the decoded text between the brackets, with escapes and line breaks as in the file.
`property_values` converts them to numbers, text and points. Of all properties only CA, the encoding, has a
meaning here.

The format is FF[4] (www.red-bean.com/sgf). The parser also accepts these deviations of older files:

* text before, between and after games; a game starts at ``(;``, or at ``(`` followed by a root property;
* a missing final ``)``, a missing ``;`` right after ``(``, and an empty variation;
* lower-case letters in identifiers, which are dropped (``AddBlack`` is ``AB``, as in FF[1] to FF[3]);
* a property given twice in a node, which becomes one property with all the values;
* an identifier that begins with a digit (``5A`` in games of renju).

It reports with their place: an unfinished value, a property without a value, a value without a property,
stray characters, and a node after a variation.

Encodings: the first CA of a file names the encoding of all its games. Without CA it is the encoding of the
byte order mark, or else ISO-8859-1.
"""

# Two decisions on this module:
#
# No function is recursive. A tree may be a hundred thousand nodes deep (a game with a node per move), which
# is more than Python's stack allows.
#
# A file is decoded before it is split into tokens. In Shift JIS, Big5 and GBK the second byte of a character
# can look like ``\`` or ``]``, which would end a value too early. So a collection cannot mix encodings: of a
# game in another encoding the moves are read correctly, but not the texts.

import re
from collections.abc import Iterable, Iterator

from gyoji.core.text import quote


class Node:
    """One node of a game tree.

    Attributes:
        properties: The raw values of each property, by identifier. No list is empty.
        children: Continuations. The first one is the main line.
    """

    __slots__ = ("children", "properties")

    def __init__(self, properties: dict[str, list[str]] | None = None) -> None:
        self.properties: dict[str, list[str]] = {} if properties is None else properties
        self.children: list[Node] = []

    def __repr__(self) -> str:
        return f"<Node {self.properties!r} with {len(self.children)} children>"

    def first(self, name: str, default: str = "") -> str:
        """Return the first raw value of a property, or `default` if the node lacks it."""
        values = self.properties.get(name)
        return values[0] if values else default

    def main_line(self) -> Iterator["Node"]:
        """Yield the nodes of the main line: this node, its first child, the first child of that, and so
        on.
        """
        node = self
        while True:
            yield node
            if not node.children:
                return
            node = node.children[0]


# Possessive quantifiers (`*+`) do not backtrack, so that the time stays linear in the length of a file, even
# if it has a bracket that is never closed (tests/sgf has such files of 400 kB).
_SPACE = r"[\x00-\x20]*+"
_VALUE = r"\[([^\\\]]*+(?:\\.[^\\\]]*+)*+)\]"
_TOKEN = re.compile(rf"{_SPACE}(?:([0-9]?[A-Za-z]{{1,64}}){_SPACE}{_VALUE}|{_VALUE}|([;()]))", re.DOTALL)
# Text before a game may contain parentheses. So a game without ";" must begin with a property of a root.
_ROOT_NAMES = (
    "AB|AE|AN|AP|AW|BR|BT|CA|CP|DT|EV|FF|GC|GM|GN|HA|KM|ON|OT|PB|PC|PL|PW|RE|RO|RU|SO|ST|SZ|TM|US|WR|WT"
)
_START = re.compile(rf"\({_SPACE}(?:;|(?:{_ROOT_NAMES}){_SPACE}\[)")
_SPACES = re.compile(_SPACE)
_LOWER = {ord(letter): None for letter in "abcdefghijklmnopqrstuvwxyz"}
_CA = re.compile(rb"CA\s*\[\s*([A-Za-z0-9_.:-]{1,40})\s*\]")
_ASCII = bytes(range(32, 127))
_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


class SgfError(ValueError):
    """A syntax error in an SGF file.

    Attributes:
        offset: Place of the error, in characters from 0.
        problem: The message: what was expected and what was found.
    """

    def __init__(self, expected: str, offset: int, found: str) -> None:
        self.problem = f"{expected}, found {quote(found) if found else 'the end'}"
        super().__init__(f"at offset {offset}: {self.problem}")
        self.offset = offset


def parse(source: bytes | str) -> list[Node]:
    """Return the games of a collection, one tree each, at least one. The time is linear in the length.

    Raises:
        SgfError: The source is not SGF.
    """
    text = source if isinstance(source, str) else _decoded(source)
    return [root for _, root in _games(text.removeprefix("\ufeff"))]


def _decoded(source: bytes) -> str:
    """Decode a file. Bytes that its encoding does not allow are replaced."""
    for mark, encoding in _MARKS:
        if source.startswith(mark):
            return source.decode(encoding, "replace")
    for declared in _CA.finditer(source):
        encoding = declared[1].decode("ascii")
        try:
            if _ASCII.decode(encoding) == _ASCII.decode("ascii"):
                return source.decode(encoding, "replace")
        except (LookupError, ValueError):
            continue  # an unknown encoding, one that is not for text, or one that does not contain ASCII
    return source.decode("iso8859-1")


def located_games(text: str) -> Iterator[tuple[str, Node]]:
    """Yield (place, tree) of each game of a collection, with a place such as "game 2, line 3".

    Raises:
        ValueError: The text is not SGF. The message has the line.
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
    """Return whether a file seems to be SGF, by the suffix of its name or by its first character."""
    return name.lower().endswith(".sgf") or text.lstrip().startswith("(")


def _games(text: str) -> Iterator[tuple[int, Node]]:
    """Yield each game's offset and tree. Raises SgfError."""
    at = 0
    while start := _START.search(text, at):
        tree, at = _parse_game(text, start.start())
        yield start.start(), tree
    if not at:
        raise SgfError("a game starting with '(;' was expected", 0, text[:200])


def _parse_game(text: str, at: int) -> tuple[Node, int]:
    """Return the tree of the game that starts at offset `at`, and the offset of the game's end."""
    match_token = _TOKEN.match
    top = parent = Node()  # `parent` is the parent of the next node; `top` is above the root
    branches: list[Node] = []  # the nodes at which the open variations begin
    properties: dict[str, list[str]] | None = None  # of the last node
    values: list[str] | None = None  # of the last property
    is_closed = False  # whether a variation has just ended
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
    """Add a child to `parent` and return it.

    Args:
        text: The text that is parsed.
        at: Offset of the child in the text.
        is_closed: Whether a variation of `parent` ended just before the child.

    Raises:
        SgfError: `is_closed` is true: a node must not follow a variation.
    """
    if is_closed:
        raise _error("')' or another variation was expected", text, at)
    node = Node()
    parent.children.append(node)
    return node


def _check_end(text: str, at: int) -> None:
    """Raise SgfError unless the rest of the text is white space. The message says what was expected.

    Args:
        text: The text that is parsed.
        at: The offset at which no token could be read.
    """
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
"""Largest number of characters in a line of a written file, if line breaks allow it."""


def fold(pieces: Iterable[str], width: int = WIDTH) -> str:
    """Join texts, with a line break before each piece that would make its line longer than `width`.

    No piece is split. A piece with line breaks counts with its full length. The result ends in a line break.
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
