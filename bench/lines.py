"""``python -m bench.lines [FOLDER]``: lines of code, docstring and comment of each room of a package.

A line of code is neither blank, nor a comment alone, nor part of a docstring. The docstring of an attribute,
the string below an assignment, counts as a docstring.
"""

import ast
import io
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

DEFAULT = Path(__file__).parents[1] / "src" / "gyoji"
NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


class Lines(NamedTuple):
    """Lines of source by kind, and the number of files that they are in."""

    code: int = 0
    docstrings: int = 0
    comments: int = 0
    files: int = 0

    def plus(self, other: "Lines") -> "Lines":
        return Lines(*(mine + its for mine, its in zip(self, other, strict=True)))


def count_lines(source: str) -> Lines:
    """Count the lines of one module. Raises SyntaxError if it is not Python."""
    docstrings = {line for first, last in _docstrings(ast.parse(source)) for line in range(first, last + 1)}
    code: set[int] = set()
    comments: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            comments.add(token.start[0])
        elif token.type not in NO_CODE:
            code.update(range(token.start[0], token.end[0] + 1))
    return Lines(len(code - docstrings), len(docstrings), len(comments - code), 1)


def _docstrings(tree: ast.Module) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of each string that is a statement of its own."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.lineno, node.end_lineno or node.lineno


def count_rooms(root: Path) -> dict[str, Lines]:
    """Count the modules below a folder, by the subfolder of the first level that they are in."""
    rooms: dict[str, Lines] = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).parts
        room = parts[0] if len(parts) > 1 else "."
        rooms[room] = rooms.get(room, Lines()).plus(count_lines(path.read_text()))
    return rooms


def main(words: list[str]) -> None:
    rooms = count_rooms(Path(words[0]) if words else DEFAULT)
    total = Lines()
    print(f"{'':12} {'code':>7} {'docstrings':>11} {'comments':>9} {'per 100':>8} {'files':>6}")
    for room, lines in sorted(rooms.items(), key=lambda item: -item[1].code):
        print(_row(room, lines))
        total = total.plus(lines)
    print(_row("all", total))


def _row(name: str, lines: Lines) -> str:
    share = 100 * lines.comments / max(lines.code, 1)
    return f"{name:12} {lines.code:7} {lines.docstrings:11} {lines.comments:9} {share:8.1f} {lines.files:6}"


if __name__ == "__main__":
    main(sys.argv[1:])
