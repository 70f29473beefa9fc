"""Writing the grammar of SGF: trees to text and bytes, in lines of 79 columns where properties allow it."""

from collections.abc import Iterable

from gyoji.sgf.grammar import Node, encoding_of

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
        used += len(piece)
        if used > width and out:
            out.append("\n")
            used = len(piece)
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
