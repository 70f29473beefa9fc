"""`gyoji report`: the stored results as text, markdown, CSV, JSON or a page.

A text and a page go beside the control file, where people look for them; all else to standard output.
What other commands write into files is written here too.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from gyoji.cli.exits import complain, say
from gyoji.cli.standing import fold
from gyoji.core.faults import Breakdown, ConfigError
from gyoji.core.text import legible, parse_whole, quote
from gyoji.scheduler.event import Event, report_lines
from gyoji.scheduler.status import ExitStatus
from gyoji.store import filesystem
from gyoji.tables.digest import Beside

STDOUT = Path("-")


def report_file(path: Path, *, form: str, output: Path | None, games: str, table: str | None) -> ExitStatus:
    """`gyoji report`. games: how many of the newest are told in full, as typed; table: the only one wanted.

    Raises ConfigError, also for one table in a form that has all of them.
    """
    if table is not None and form in ("text", "html"):
        raise ConfigError(f"--table: {form} has all tables; for one take --format markdown, csv or json")
    most, event = _number(games), Event.open(path, complain)
    if form == "text":
        beside = Beside(event.setup.players)
        fold(event, beside)
        if output is None:
            write_report(event, beside)
            return ExitStatus.COMPLETE
        text = "".join(f"{line}\n" for line in report_lines(event, beside))
    else:
        # Games may be running on the other cores, and a few hundred equations are solved as soon by one.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from gyoji.scheduler.reports import report_text  # noqa: PLC0415

        text = report_text(event, form, most=most, table=table)
    place = output or (event.files.page if form == "html" else STDOUT)
    if place == STDOUT:
        say(text, nl=False)
    else:
        write_text(place, text)
    return ExitStatus.COMPLETE


def _number(games: str) -> int | None:
    """How many games: a number from 0, or None for "all". Raises ConfigError."""
    if games == "all":
        return None
    if (number := parse_whole(games)) is None:
        raise ConfigError(f"--games: expected a number such as 200, or all, got {quote(games)}")
    return number


def write_report(event: Event, beside: Beside) -> None:
    """The report file as the competition stands now; readers never see half of it."""
    write_text(event.files.report, "".join(f"{line}\n" for line in report_lines(event, beside)))


def write_text(path: Path, text: str) -> None:
    """Put `text` into a file, in one step. Raises Breakdown if it cannot be written."""
    write_pieces(path, [legible(text).encode()])


def write_pieces(path: Path, pieces: Iterable[bytes]) -> None:
    """Put the pieces into a file, one after the other; others see it when all of them are there.

    Raises Breakdown if it cannot be written, and what making a piece raises.
    """
    try:
        filesystem.write_pieces(path, pieces)
    except OSError as error:
        raise Breakdown(f"{path} cannot be written: {error.strerror}") from None
