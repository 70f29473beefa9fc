"""`gyoji report`: the stored results as text, markdown, CSV, JSON or a page.

A text and a page go beside the control file, where people look for them; all else to standard output.
"""

import os
from pathlib import Path

from gyoji.cli.exits import complain, say
from gyoji.cli.standing import fold, write_report, write_text
from gyoji.core.faults import ConfigError
from gyoji.core.text import quote
from gyoji.scheduler.event import Event, report_lines
from gyoji.scheduler.status import ExitStatus
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
    if not (games.isascii() and games.isdecimal()):
        raise ConfigError(f"--games: expected a number such as 200, or all, got {quote(games)}")
    return int(games)
