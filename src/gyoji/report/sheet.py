"""A table of a report before it is written: markdown, CSV, JSON and pages all have the cells that it has."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column, its cells as they are printed.

    is_text: words, not numbers. about: what the heading means, in a few words.
    """

    heading: str
    cells: tuple[str, ...]
    is_text: bool = False
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A table. name: one word for programs; a report may have several of a name, with different titles.

    note: what somebody has to know who sees it for the first time, in a sentence or two.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    note: str = ""

    @property
    def headings(self) -> tuple[str, ...]:
        return tuple(column.heading for column in self.columns)

    def rows(self) -> Iterator[tuple[str, ...]]:
        """The cells of each row; none if there is no column."""
        return zip(*(column.cells for column in self.columns), strict=True)
