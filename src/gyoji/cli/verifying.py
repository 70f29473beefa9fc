"""`gyoji verify`: referee all stored games again, and print the differences."""

import sys
import time
from pathlib import Path
from typing import Any

import click

from gyoji.cli.exits import complain, say
from gyoji.cli.verification import Verification
from gyoji.core.faults import ConfigError
from gyoji.core.text import counted, legible_json, quote
from gyoji.referee.review import Difference
from gyoji.scheduler.event import Event
from gyoji.scheduler.status import ExitStatus
from gyoji.store.files import CompetitionFiles
from gyoji.store.layout import Damage
from gyoji.store.store import Store


# Differences are printed as they are found: a store of a million games takes minutes.
def verify_file(path: Path, *, as_json: bool) -> ExitStatus:
    """Carry out `gyoji verify` for the competition of a control file, or for a database.

    Returns:
        HALTED if something differs, else COMPLETE.

    Raises:
        ConfigError: There is no readable database, or it is of another competition.
    """
    event = None if path.suffix.lower() == ".db" else Event.open(path, complain)
    database = path if event is None else event.files.database
    started = time.monotonic()
    found: list[Difference] = []
    totals: dict[str, Any] = {"database": str(database)}
    try:
        with Store.read(database, is_doubted=True) as store:
            _check_code(store, event)
            verification = Verification(store, event, CompetitionFiles(database.with_suffix(".toml")).games)
            progress = click.progressbar(
                length=store.count, file=sys.stderr, hidden=not sys.stderr.isatty(), update_min_steps=100
            )
            for difference in verification.differences():
                if difference is None:
                    progress.update(1)
                    continue
                found.append(difference)
                if not as_json:
                    progress.render_finish()
                    say(difference.text)
            progress.render_finish()
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
        games, seconds = totals.get("games", 0), totals["seconds"]
        parts = [f"{games} games, {totals.get('moves', 0)} moves"]
        if totals.get("record_files"):
            parts.append(f"{totals['record_files']} record files")
        if totals.get("games_excluded"):
            excluded = f"{totals['games_excluded']} of them by other settings or taken back"
            parts.append(f"{excluded}, not compared with the control file")
        if totals.get("unreadable"):
            parts.append(f"{totals['unreadable']} games cannot be read")
        if totals.get("unverifiable"):
            parts.append(f"{totals['unverifiable']} games by a runner, whose results cannot be verified")
        if event is None:
            parts.append("without a control file: who plays whom was not checked")
        rate = f" ({games / seconds:.0f} games a second)" if seconds >= 1 else ""
        what = counted(len(found), "difference") if found else "no differences"
        say(f"{totals['database']}: {'; '.join(parts)}; {seconds:.1f} s{rate}: {what}")
    return ExitStatus.HALTED if found else ExitStatus.COMPLETE


def _check_code(store: Store, event: Event | None) -> None:
    """Raise ConfigError if a database is of another competition."""
    if event is None:
        return
    try:
        code = store.code
    except Damage:
        return  # which `Verification` reports
    if code and code != event.setup.code:
        raise ConfigError(
            f"{store.path} holds the results of competition {quote(code)}, not of {quote(event.setup.code)}"
        )
