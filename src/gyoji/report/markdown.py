"""Tables as tables of GitHub's markdown. What anybody wrote stands there as text: none of it is markup."""

import re
from collections.abc import Iterable, Iterator

from gyoji.core.setup import CompetitionSetup
from gyoji.core.tables import Table

_MARKS = re.compile(r"[\\`*_\[\]<>|~$&]|:(?=//)|(?<=www)\.|^[-+#=](?=[-+#= ]|$)|^[0-9]+(?=[.)](?: |$))")
"""Characters that are markup anywhere, or at the beginning of a line."""


def markdown_lines(setup: CompetitionSetup, tables: Iterable[Table]) -> Iterator[str]:
    """The title, the description, and each table under a heading of its own."""
    yield f"# {escaped(setup.code)}"
    if setup.description:
        yield ""
        yield escaped(setup.description)
    for table in tables:
        yield ""
        yield f"## {escaped(table.title)}"
        if table.note:
            yield ""
            yield escaped(table.note)
        yield ""
        yield from table_lines(table)


def table_lines(table: Table) -> Iterator[str]:
    """The table alone; numbers stand to the right."""
    yield _row(map(escaped, table.headings))
    yield _row("---" if column.kind.is_text else "--:" for column in table.columns)
    for cells in table.rows():
        yield _row(map(escaped, cells))


def escaped(text: str) -> str:
    """A text that markdown shows as it is, on one line.

    >>> print(escaped("<b>2*3|4"), escaped("- 3-1"))
    \\<b\\>2\\*3\\|4 \\- 3-1
    """
    return _MARKS.sub(_with_backslash, " ".join(text.split()))


def _with_backslash(found: re.Match[str]) -> str:
    marks = found.group()
    return f"{marks}\\" if marks[0].isdigit() else f"\\{marks}"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
