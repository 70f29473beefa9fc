"""`gyoji verify --recover`: a new database of what can be saved of a damaged one."""

import shlex
from collections.abc import Iterator
from pathlib import Path

from gyoji.cli.exits import complain, say
from gyoji.cli.files import open_event, records_beside
from gyoji.core.faults import ConfigError
from gyoji.core.text import legible_json
from gyoji.scheduler.event import Event
from gyoji.scheduler.status import ExitStatus
from gyoji.store.recovery import Recovered, recover
from gyoji.store.store import Store


def recover_file(path: Path, new: Path, *, as_json: bool) -> ExitStatus:
    """The whole command: HALTED if something is lost. Raises ConfigError, StoreFailure."""
    event = None if path.suffix.lower() == ".db" else open_event(path)
    database = path if event is None else event.files.database
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
        yield "lost: the secret of the competition: games that are left have other seeds than they had"
    others = f", {saved.voids} void games, {saved.rulings} rulings"
    yield f"{new}: {saved.games} games{others} saved; {len(saved.lost) or 'no'} games lost"
    if left is not None:
        yield f"{left} game{'s are' if left != 1 else ' is'} left to play"
    beside = " ".join(shlex.quote(f"{database}{part}") for part in ("-wal", "-shm"))
    names = f"{shlex.quote(str(new))} {shlex.quote(str(database))}"
    yield f"to go on with it: keep a copy of the old one, then  rm -f {beside}; mv {names}"


def _lost_by_records(database: Path, new: Path) -> list[str]:
    """The games that have files beside the database and are not saved."""
    folder = records_beside(database)
    with Store.read(new) as store:
        there = {result.id for result in store.results()}
    try:
        found = {path.name[: path.name.index(".")] for path in folder.iterdir() if "." in path.name}
    except OSError:
        return []
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
