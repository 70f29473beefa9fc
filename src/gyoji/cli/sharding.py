"""`gyoji shard` and `gyoji gather`: divide a competition into parts for several machines, and join the
results.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from gyoji.cli.exits import complain
from gyoji.cli.reporting import write_report
from gyoji.scheduler.event import Event
from gyoji.scheduler.gathering import Gathered, gather
from gyoji.scheduler.shards_file import divide
from gyoji.scheduler.status import ExitStatus


def divide_file(file: Path, count: int) -> ExitStatus:
    """Divide a competition into `count` shards, and print how to play them.

    Raises:
        ConfigError: The competition has results, is divided already, or cannot be divided into so many.
    """
    event = Event.open(file, complain)
    path = divide(event.setup, event.files, count, source=event.source)
    click.echo(
        f"{path}\ncopy it with {file} to each machine, and play there: gyoji run {file} --shard N/{count}"
    )
    return ExitStatus.COMPLETE


# Each game counts once, however many databases have it, so a shard can be gathered again when it is complete.
def gather_files(file: Path, results: Sequence[Path]) -> ExitStatus:
    """Join the databases of shards (`results`) into the competition of a control file, and write its report.

    Return STOPPED while games are missing, else COMPLETE.
    """
    event = Event.open(file, complain)
    gathered = gather(event, results)
    for line in gathered_lines(gathered):
        click.echo(line)
    with event.read() as store:
        event.count(store)
    write_report(event, event.digest())
    return ExitStatus.STOPPED if any(gathered.missing.values()) else ExitStatus.COMPLETE


def gathered_lines(gathered: Gathered) -> Iterator[str]:
    """Yield lines that count the gathered and the missing games."""
    for shard, path, count, new in gathered.games:
        yield f"{path}: shard {shard}: {count} games, {new} of them new"
    left = {number: missing for number, missing in gathered.missing.items() if missing}
    yield f"{gathered.total - sum(left.values())} of {gathered.total} games are here"
    if left:
        told = ", ".join(f"{missing} of shard {number}" for number, missing in left.items())
        yield f"missing: {told}"
