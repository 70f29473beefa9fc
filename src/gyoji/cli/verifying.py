"""`gyoji verify`: what is stored of a competition, judged again."""

import sys
import time
from pathlib import Path
from typing import Any

import click

from gyoji.cli.exits import say
from gyoji.cli.files import open_event, records_beside
from gyoji.cli.verification import Finding, Verification
from gyoji.core.faults import ConfigError
from gyoji.core.text import legible_json, quote
from gyoji.scheduler.event import Event
from gyoji.scheduler.status import ExitStatus
from gyoji.store.layout import Damage
from gyoji.store.store import Store

MOST_FIGURES = 10
"""Figures of the tables that are told of in text: one game changes dozens."""

_PERIODS = (0.2, 10.0)
"""Seconds between two lines of progress: on a terminal, and where lines are kept."""


def verify_file(path: Path, *, as_json: bool) -> ExitStatus:
    """The whole command, for a control file or a database: HALTED if something differs."""
    event = None if path.suffix.lower() == ".db" else open_event(path)
    database = path if event is None else event.files.database
    started = time.monotonic()
    found: list[Finding] = []
    figures = 0
    totals: dict[str, Any] = {"database": str(database)}
    try:
        with Store.read(database, is_doubted=True) as store:
            _check_code(store, event)
            verification = Verification(store, event, records_beside(database))
            progress = _Progress(store.count)
            for finding in verification.findings():
                if finding is None:
                    progress.tell(verification.games)
                    continue
                found.append(finding)
                figures += finding.is_figure
                if not as_json and not (finding.is_figure and figures > MOST_FIGURES):
                    progress.clear()
                    say(finding.text)
            progress.clear()
            totals |= verification.totals
    except Damage as damage:
        found.append(Finding("", 0, damage.detail, "", ""))
        if not as_json:
            say(damage.detail)
    totals["seconds"] = round(time.monotonic() - started, 3)
    if as_json:
        values = [finding.values() for finding in found]
        say(legible_json({**totals, "differences": values}, indent=2))
    else:
        if figures > MOST_FIGURES:
            say(f"table: and {figures - MOST_FIGURES} more figures, which --json has")
        say(_summary(totals, found, event))
    return ExitStatus.HALTED if found else ExitStatus.COMPLETE


def _check_code(store: Store, event: Event | None) -> None:
    """Raise ConfigError for the database of another competition."""
    if event is None:
        return
    try:
        code = store.code
    except Damage:
        return  # which will be told of
    if code and code != event.setup.code:
        raise ConfigError(
            f"{store.path} holds the results of competition {quote(code)}, not of {quote(event.setup.code)}"
        )


def _summary(totals: dict[str, Any], found: list[Finding], event: Event | None) -> str:
    games, seconds = totals.get("games", 0), totals["seconds"]
    parts = [f"{games} games, {totals.get('moves', 0)} moves"]
    if totals.get("record_files"):
        parts.append(f"{totals['record_files']} record files")
    if totals.get("games_apart"):
        parts.append(f"{totals['games_apart']} of them by other settings, not compared with the control file")
    if totals.get("unreadable"):
        parts.append(f"{totals['unreadable']} games cannot be read")
    if event is None:
        parts.append("without a control file: who plays whom was not looked at")
    rate = f" ({games / seconds:.0f} games a second)" if seconds >= 1 else ""
    what = f"{len(found)} difference{'s' * (len(found) != 1)}" if found else "all is as it should be"
    return f"{totals['database']}: {'; '.join(parts)}; {seconds:.1f} s{rate}: {what}"


class _Progress:
    """How far it is, on stderr: on a terminal in one line, else a line now and then."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._is_live = sys.stderr.isatty()
        self._period = _PERIODS[not self._is_live]
        self._begun = self._last = time.monotonic()
        self._is_shown = False

    def tell(self, done: int) -> None:
        now = time.monotonic()
        if now - self._last < self._period:
            return
        self._last = now
        text = f"{done} of {self._total} games, {done / (now - self._begun):.0f} a second"
        click.echo(f"\r\x1b[K{text}" if self._is_live else f"gyoji: {text}", err=True, nl=not self._is_live)
        self._is_shown = self._is_live

    def clear(self) -> None:
        """Take the line off the terminal."""
        if self._is_shown:
            click.echo("\r\x1b[K", err=True, nl=False)
            self._is_shown = False
