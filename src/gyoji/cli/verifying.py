"""`gyoji verify`: what is stored of a competition judged again, or saved from a damaged database."""

import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from gyoji.cli.exits import complain, say
from gyoji.cli.verification import Verification, is_figure
from gyoji.core.faults import ConfigError
from gyoji.core.text import counted, legible_json, quote
from gyoji.referee.review import Difference
from gyoji.scheduler.event import Event
from gyoji.scheduler.status import ExitStatus
from gyoji.store.files import CompetitionFiles
from gyoji.store.layout import Damage
from gyoji.store.recovery import Recovered, recover
from gyoji.store.store import Store

MOST_FIGURES = 10
"""Figures of the tables that are told of in text: one game changes dozens."""

_PERIODS = (0.2, 10.0)
"""Seconds between two lines of progress: on a terminal, and where lines are kept."""


def verify_file(path: Path, *, as_json: bool) -> ExitStatus:
    """The whole command, for a control file or a database: HALTED if something differs."""
    event, database = _opened(path)
    started = time.monotonic()
    found: list[Difference] = []
    figures = 0
    totals: dict[str, Any] = {"database": str(database)}
    try:
        with Store.read(database, is_doubted=True) as store:
            _check_code(store, event)
            verification = Verification(store, event, _records_beside(database))
            progress = _Progress(store.count)
            for difference in verification.differences():
                if difference is None:
                    progress.tell(verification.games)
                    continue
                found.append(difference)
                figures += is_figure(difference)
                if not as_json and not (is_figure(difference) and figures > MOST_FIGURES):
                    progress.clear()
                    say(difference.text)
            progress.clear()
            totals |= verification.totals
    except Damage as damage:
        found.append(Difference(damage.detail))
        if not as_json:
            say(damage.detail)
    totals["seconds"] = round(time.monotonic() - started, 3)
    if as_json:
        values = [{name: value for name, value in each._asdict().items() if value} for each in found]
        say(legible_json({**totals, "differences": values}, indent=2))
    else:
        if figures > MOST_FIGURES:
            say(f"table: and {figures - MOST_FIGURES} more figures; --json has them all")
        say(_summary(totals, found, event))
    return ExitStatus.HALTED if found else ExitStatus.COMPLETE


def _opened(path: Path) -> tuple[Event | None, Path]:
    """The event of a control file and its database; a database has no event."""
    if path.suffix.lower() == ".db":
        return None, path
    event = Event.open(path, complain)
    return event, event.files.database


def _records_beside(database: Path) -> Path:
    """The folder of the records of a competition, by its database."""
    return CompetitionFiles(database.with_suffix(".toml")).games


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


def _summary(totals: dict[str, Any], found: list[Difference], event: Event | None) -> str:
    games, seconds = totals.get("games", 0), totals["seconds"]
    parts = [f"{games} games, {totals.get('moves', 0)} moves"]
    if totals.get("record_files"):
        parts.append(f"{totals['record_files']} record files")
    if totals.get("games_apart"):
        apart = f"{totals['games_apart']} of them by other settings or taken back"
        parts.append(f"{apart}, not compared with the control file")
    if totals.get("unreadable"):
        parts.append(f"{totals['unreadable']} games cannot be read")
    if event is None:
        parts.append("without a control file: who plays whom was not checked")
    rate = f" ({games / seconds:.0f} games a second)" if seconds >= 1 else ""
    what = counted(len(found), "difference") if found else "no differences"
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


def recover_file(path: Path, new: Path, *, as_json: bool) -> ExitStatus:
    """The whole command: HALTED if something is lost. Raises ConfigError, StoreFailure."""
    event, database = _opened(path)
    saved = recover(database, new, code=None if event is None else event.setup.code)
    records = _lost_by_records(database, new)
    left = None if event is None else _left(event, new)
    if event is not None and not event.setup.draws_seed:
        saved = saved._replace(has_secret=True)  # it has none, or the control file says another seed
    is_whole = saved.has_secret and not saved.lost
    if as_json:
        values = saved._asdict() | {
            "database": str(database),
            "new": str(new),
            "lost": [each._asdict() for each in saved.lost],
            "records_of_lost": records,
            "remaining": left,
        }
        say(legible_json(values, indent=2))
    else:
        for line in _lines(database, new, saved, records, left):
            say(line)
    return ExitStatus.COMPLETE if is_whole else ExitStatus.HALTED


def _lines(
    database: Path, new: Path, saved: Recovered, records: list[str], left: int | None
) -> Iterator[str]:
    for number, game_id, why in saved.lost:
        yield f"lost: game {game_id or f'of row {number}'}: {why} cannot be read"
    if records:
        yield f"there are record files of lost games: {' '.join(records)}"
    if not saved.has_secret:
        yield "lost: the secret of the competition: games still to be played get other seeds"
    others = f", {saved.voids} void games, {saved.rulings} rulings"
    yield f"{new}: {saved.games} games{others} saved; {len(saved.lost) or 'no'} games lost"
    if left is not None:
        yield f"{left} game{'s are' if left != 1 else ' is'} left to play"
    beside = " ".join(shlex.quote(f"{database}{part}") for part in ("-wal", "-shm"))
    names = f"{shlex.quote(str(new))} {shlex.quote(str(database))}"
    yield f"to go on with it: keep a copy of the old one, then  rm -f {beside}; mv {names}"


def _lost_by_records(database: Path, new: Path) -> list[str]:
    """The games that have files beside the database and are not saved."""
    with Store.read(new) as store:
        there = {result.id for result in store.results()}
    try:
        names = [path.name.partition(".") for path in _records_beside(database).iterdir()]
    except OSError:
        return []
    found = {game for game, dot, _ in names if dot}
    return sorted(found - there)


def _left(event: Event, new: Path) -> int | None:
    """How many games the next run has to play; None for endless, or if what is saved does not fit."""
    try:
        with Store.read(new) as store:
            event.take_secret(store, complain)
            event.count(store)
    except ConfigError:
        return None
    remaining: int | None = event.competition.remaining()
    return remaining
