"""`gyoji report`: write a report of the stored results. Also functions that write the files of other
commands.

By default, text and HTML go to a file beside the control file, other forms to standard output.
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
from gyoji.tables.digest import ResultsDigest

STDOUT = Path("-")


def report_file(path: Path, *, form: str, output: Path | None, games: str, table: str | None) -> ExitStatus:
    """Write the report of a competition.

    Args:
        form: "text", "markdown", "bbcode", "csv", "json" or "html".
        output: The file to write; None for the default of the form.
        games: How many of the newest games to list, as typed: a number or "all".
        table: The only table to write; None for all.

    Raises:
        ConfigError: An option is wrong, or this form cannot have a single table.
    """
    if table is not None and form in ("text", "html"):
        raise ConfigError(f"--table: {form} has all tables; take --format markdown, bbcode, csv or json")
    most, event = _number(games), Event.open(path, complain)
    if form == "text":
        digest = ResultsDigest(event.setup.players)
        fold(event, digest)
        if output is None:
            write_report(event, digest)
            return ExitStatus.COMPLETE
        text = "".join(f"{line}\n" for line in report_lines(event, digest))
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
    """Parse a number of games; None for "all". Raise ConfigError for other texts."""
    if games == "all":
        return None
    if (number := parse_whole(games)) is None:
        raise ConfigError(f"--games: expected a number such as 200, or all, got {quote(games)}")
    return number


def write_report(event: Event, digest: ResultsDigest) -> None:
    """Write the report file of a competition. Readers see either the old file or the complete new one."""
    write_text(event.files.report, "".join(f"{line}\n" for line in report_lines(event, digest)))


def write_text(path: Path, text: str) -> None:
    """Write a text file, which replaces an old one when it is complete. Raise Breakdown if that fails."""
    write_pieces(path, [legible(text).encode()])


def write_pieces(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file from pieces, which replaces an old one when it is complete. Raise Breakdown if that
    fails.
    """
    try:
        filesystem.write_pieces(path, pieces)
    except OSError as error:
        raise Breakdown(f"{path} cannot be written: {error.strerror}") from None
