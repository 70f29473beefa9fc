"""`gyoji report`: the competition as it stands, as text, or in a form for programs, documents and the web.

Text and page go beside the control file, where people look for them; the others to standard output.
"""

import os
from pathlib import Path

from gyoji.cli.exits import say
from gyoji.cli.files import open_event, write_text
from gyoji.cli.standing import fold, report_lines, write_report
from gyoji.core.faults import ConfigError
from gyoji.core.text import quote
from gyoji.scheduler.event import Event
from gyoji.scheduler.status import ExitStatus

STDOUT = Path("-")


def parse_number(text: str) -> int | None:
    """How many games: a number from 0, or None for "all". Raises ConfigError."""
    if text == "all":
        return None
    if not (text.isascii() and text.isdecimal()):
        raise ConfigError(f"--games: expected a number such as 200, or all, got {quote(text)}")
    return int(text)


def check_table(form: str, table: str | None) -> None:
    """Raise ConfigError where one table is asked for in a form that has all of them."""
    if table is not None and form in ("text", "html"):
        raise ConfigError(f"--table: {form} has all tables; for one take --format markdown, csv or json")


def report_file(
    path: Path, *, form: str, output: Path | None, games: int | None, table: str | None
) -> ExitStatus:
    """The whole command. games: how many of the newest are told in full, None for all; table: which one."""
    event = open_event(path)
    if form == "text":
        fold(event)
        if output is None:
            write_report(event)
            return ExitStatus.COMPLETE
        text = "".join(f"{line}\n" for line in report_lines(event))
    else:
        # Games may be running on the other cores, and a few hundred equations are solved as soon by one.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from gyoji.cli.report_forms import report_text  # noqa: PLC0415

        text = report_text(event, form, most=games, table=table)
    _put(text, output or _usual_place(event, form))
    return ExitStatus.COMPLETE


def _usual_place(event: Event, form: str) -> Path:
    return event.files.page if form == "html" else STDOUT


def _put(text: str, place: Path) -> None:
    if place == STDOUT:
        say(text, nl=False)
    else:
        write_text(place, text)
