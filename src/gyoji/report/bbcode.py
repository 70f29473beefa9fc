"""Tables as BBCode, for posts in forums.

Each table is aligned text in a code block, because not all forums know tables, but all know `[b]` and
`[code]`. Names of engines and details of results are not trusted. They get a blank after each opening
bracket, so that they contain no markup.
"""

from collections.abc import Iterable, Iterator

from gyoji.core.setup import CompetitionSetup
from gyoji.core.tables import Part, Tree
from gyoji.report.text import table_lines, tree_lines


def bbcode_lines(setup: CompetitionSetup, tables: Iterable[Part]) -> Iterator[str]:
    """Yield a post: name and description of the competition, and all tables."""
    yield f"[size=150][b]{escaped(setup.code)}[/b][/size]"
    if setup.description:
        yield escaped(setup.description)
    for table in tables:
        yield ""
        yield from bbcode_table(table)


def bbcode_table(table: Part) -> Iterator[str]:
    """Yield a table or bracket in BBCode, below its title."""
    yield f"[b]{escaped(table.caption)}[/b]"
    if table.notes:
        yield escaped(table.notes)
    yield "[code]"
    yield from map(_bare, tree_lines(table) if isinstance(table, Tree) else table_lines(table))
    yield "[/code]"


def escaped(text: str) -> str:
    """Return a text on one line, without anything that a forum takes for markup or a link.

    >>> escaped("[url]http://example.org[/url]")
    '[ url]http: //example.org[ /url]'
    """
    return _bare(" ".join(text.split())).replace("://", ": //")


def _bare(line: str) -> str:
    """Return a line of a code block, without anything that could end the block."""
    return line.replace("[", "[ ")
