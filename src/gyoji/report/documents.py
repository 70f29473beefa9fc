"""Tables and results as other programs read them: markdown of GitHub's, CSV (RFC 4180), JSON; games as PGN.

What anybody wrote stands there as text: none of it is markup. Spreadsheets compute what looks like a formula,
and a formula can start programs: such a cell of CSV begins with an apostrophe, by which they know a text.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.tables import Part, Table, Tree
from gyoji.pairing.games import plain_id
from gyoji.report.text import tree_lines

_MARKS = re.compile(r"[\\`*_\[\]<>|~$&]|:(?=//)|(?<=www)\.|^[-+#=](?=[-+#= ]|$)|^[0-9]+(?=[.)](?: |$))")
"""Characters that are markup anywhere, or at the beginning of a line."""

_FORMULA = re.compile(r"\s*[=@]|[\t\r]|\s*[-+].*[^\W\d_]|\s*[-+].*[(|]", re.DOTALL)
"""A cell that a spreadsheet may compute; not a number with its sign, a score such as 3-1, or a dash."""


def _rows(part: Part) -> Table:
    return part.as_table if isinstance(part, Tree) else part


def table_values(part: Part) -> dict[str, Any]:
    """A table for JSON, its cells as they are printed; a tree as rows."""
    table = _rows(part)
    return {"name": table.name, "title": table.title, "columns": table.headings, "rows": list(table.rows())}


def markdown_lines(setup: CompetitionSetup, tables: Iterable[Part]) -> Iterator[str]:
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
        yield from markdown_table(table)


def markdown_table(table: Part) -> Iterator[str]:
    """The table alone; numbers stand to the right. A tree as indented text, in which nothing is markup."""
    if isinstance(table, Tree):
        yield from (f"    {line}" for line in tree_lines(table))
        return
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


def csv_lines(tables: Iterable[Part]) -> Iterator[str]:
    """Each table after a line with its title alone, with a blank line between two."""
    for number, table in enumerate(tables):
        if number:
            yield ""
        yield csv_row([table.title])
        yield from csv_table(table)


def csv_table(part: Part) -> Iterator[str]:
    """The table alone: its headings, then its rows; of a tree those of its places."""
    table = _rows(part)
    yield csv_row(table.headings)
    yield from map(csv_row, table.rows())


def csv_row(cells: Iterable[str]) -> str:
    """One line, without its end.

    >>> csv_row(["-3.5", "+/-", "=1+1", "plain"])
    "-3.5,+/-,'=1+1,plain"
    """
    return ",".join(map(_quoted, cells))


def _quoted(cell: str) -> str:
    """A cell that ends where it ends and is a text or a number, whatever is in it.

    >>> _quoted("plain"), _quoted("1, 2"), len(_quoted('"'))
    ('plain', '"1, 2"', 4)
    """
    if _FORMULA.match(cell):
        cell = f"'{cell}"
    if any(mark in cell for mark in ',"\r\n'):
        return '"' + cell.replace('"', '""') + '"'
    return cell


def pgn(
    result: GameResult,
    *,
    event: str,
    site: str = "",
    sides: Sequence[str] = ("black", "white"),
    comment: str = "",
) -> str:
    """A game as PGN, with a blank line after it, for BayesElo and other programs that rate by results alone.

    White and Black are who had these colours on the board, and the result is told from White's view, as PGN
    has it. Where the sides of a game have other names, White is the second: so it may be the second player
    for whom a rating program finds an advantage. A game of two teams names them by their player; a result
    that nobody knows is `*`, which such programs leave out. There are no moves: a rating needs none, and they
    are no moves of chess; who wants to show them gives them as the comment.

    event: what the competition is called; site: where it is played; sides: what they are called in the game.
    Raises ValueError for a game of another number of sides than two.
    """
    if (count := len(result.opponents)) != 2:
        raise ValueError(f"game {result.id} has {count} sides, and PGN has two players, White and Black")
    black = 1 if sides[0] == "white" else 0
    black_seat = result.sides.index(black) if result.sides else black
    players = {"White": result.opponents[1 - black_seat], "Black": result.opponents[black_seat]}
    score = _score(result, black_seat)
    number = plain_id(result.id).rpartition("_")[2]
    tags = {
        "Event": event,
        "Site": site or "?",
        "Date": result.started[:10].replace("-", ".") or "????.??.??",
        "Round": str(int(number) + 1) if number.isdecimal() else "?",
        **players,
        "Result": score,
        "GameId": result.id,
        "PlyCount": str(result.turns),
        "Termination": result.outcome.ending.value,
    }
    lines = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items())
    told = f"{{{comment.replace('}', ')')}}}\n" if comment else ""
    return f"{lines}\n{told}{score}\n\n"


def _score(result: GameResult, black_seat: int) -> str:
    """The result from White's view."""
    if result.outcome.points is None:
        return "*"
    winner = result.outcome.winner
    if winner is None:
        return "1/2-1/2"
    return "0-1" if winner == black_seat else "1-0"


def _escaped(text: str) -> str:
    """A text inside a PGN string, which has one line."""
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
