"""Tables as markdown and CSV, and games as PGN.

Names of engines and details of results are not trusted. In markdown they are escaped. In CSV (RFC 4180) a
cell that a spreadsheet would take for a formula gets a leading apostrophe, because a formula can start
programs.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.tables import Part, Tree
from gyoji.report.text import tree_lines
from gyoji.results.game_ids import plain_id

# Escaping all punctuation would be safe too, but would make numbers and names hard to read as plain text.
_MARKS = re.compile(r"[\\`*_\[\]<>|~$&]|:(?=//)|(?<=www)\.|^[-+#=](?=[-+#= ]|$)|^[0-9]+(?=[.)](?: |$))")
"""Characters that are markup in markdown, anywhere or at the beginning of a line."""

# Spreadsheets also compute cells that begin with tabs or blanks before the sign.
_FORMULA = re.compile(r"\s*[=@]|[\t\r]|\s*[-+].*[^\W\d_]|\s*[-+].*[(|]", re.DOTALL)
"""A CSV cell that a spreadsheet may take for a formula. Signed numbers, scores such as 3-1 and dashes are
none.
"""


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


def csv_lines(tables: Iterable[Part]) -> Iterator[str]:
    """Yield all tables as CSV, each below a line with its title. A blank line separates two tables."""
    for number, table in enumerate(tables):
        if number:
            yield ""
        yield csv_row([table.caption])
        yield from csv_table(table)


def csv_table(part: Part) -> Iterator[str]:
    """Yield one table as CSV: its headings, then its rows. A bracket has a row for each place."""
    table = part.as_table if isinstance(part, Tree) else part
    yield csv_row(table.headings)
    yield from map(csv_row, table.rows())


def csv_row(cells: Iterable[str]) -> str:
    """Return one line of CSV, without a line end.

    >>> csv_row(["-3.5", "+/-", "=1+1", "plain"])
    "-3.5,+/-,'=1+1,plain"
    """
    return ",".join(map(_quoted, cells))


def _quoted(cell: str) -> str:
    """Return a CSV cell, in quotes if its text has commas, quotes or line ends.

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
    """Return a game as PGN for BayesElo and other programs that rate by results alone.

    White and Black are the players that had these colours. In games whose sides have other names, White is
    the second side, so that a rating program reports the advantage of the second side as White's. A team is
    one player. An unknown result is `*`, which rating programs leave out. There are no moves: they are not
    chess moves, and ratings do not need them.

    Args:
        result: The result of the game.
        event: Name of the competition.
        site: Place of the competition.
        sides: Names of the sides in the game.
        comment: Text in braces before the result, such as the moves.

    Raises:
        ValueError: The game does not have exactly two sides.
    """
    if (count := len(result.opponents)) != 2:
        raise ValueError(f"game {result.id} has {count} sides, and PGN has two players, White and Black")
    # Side 0 is Black unless the game calls it white.
    black = 1 if sides[0] == "white" else 0
    black_seat = result.sides.index(black) if result.sides else black
    players = {"White": result.opponents[1 - black_seat], "Black": result.opponents[black_seat]}
    winner = result.outcome.winner
    if result.outcome.points is None:
        score = "*"
    else:
        score = "1/2-1/2" if winner is None else "0-1" if winner == black_seat else "1-0"
    number = plain_id(result.id).rpartition("_")[2]
    tags = {
        "Event": event,
        "Site": site or "?",
        "Date": result.started[:10].replace("-", ".") or "????.??.??",
        # gyoji counts games from 0, PGN from 1.
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


def _escaped(text: str) -> str:
    """Escape a text for a PGN string, which has one line."""
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
