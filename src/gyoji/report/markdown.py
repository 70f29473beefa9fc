"""Tables as markdown.

Names of engines and details of results are not trusted, so they are escaped.
"""

import re
from collections.abc import Iterable, Iterator

from gyoji.core.setup import CompetitionSetup
from gyoji.core.tables import Part, Tree
from gyoji.report.text import tree_lines

# Escaping all punctuation would be safe too, but would make numbers and names hard to read as plain text.
_MARKS = re.compile(r"[\\`*_\[\]<>|~$&]|:(?=//)|(?<=www)\.|^[-+#=](?=[-+#= ]|$)|^[0-9]+(?=[.)](?: |$))")
"""Characters that are markup in markdown, anywhere or at the beginning of a line."""


def markdown_lines(setup: CompetitionSetup, tables: Iterable[Part]) -> Iterator[str]:
    """Yield a markdown document: name and description of the competition, and each table below a heading."""
    yield f"# {escaped(setup.code)}"
    if setup.description:
        yield ""
        yield escaped(setup.description)
    for table in tables:
        yield ""
        yield f"## {escaped(table.caption)}"
        if table.notes:
            yield ""
            yield escaped(table.notes)
        yield ""
        yield from markdown_table(table)


def markdown_table(table: Part) -> Iterator[str]:
    """Yield one table in markdown. A bracket becomes a block of indented text, which has no markup."""
    if isinstance(table, Tree):
        yield from (f"    {line}" for line in tree_lines(table))
        return
    yield _row(map(escaped, table.headings))
    yield _row("---" if column.kind.is_text else "--:" for column in table.shown)
    for cells in table.rows():
        yield _row(map(escaped, cells))


def escaped(text: str) -> str:
    r"""Escape a text for one line of markdown.

    >>> print(escaped("<b>2*3|4"), escaped("- 3-1"))
    \<b\>2\*3\|4 \- 3-1
    """
    return _MARKS.sub(_with_backslash, " ".join(text.split()))


def _with_backslash(found: re.Match[str]) -> str:
    marks = found.group()
    return f"{marks}\\" if marks[0].isdigit() else f"\\{marks}"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
