"""What `gyoji field` does: see `gyoji.cli.field_commands`."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from gyoji.cli.exits import complain
from gyoji.core.faults import ConfigError
from gyoji.core.spec import derive_seed
from gyoji.games.dighere.drawing import draw_field, hide_treasure
from gyoji.games.dighere.fields import Field, contest_flaws, flaws, format_field, read_field, read_text
from gyoji.scheduler.status import ExitStatus


class _Found(NamedTuple):
    """A field in a file, or why it cannot be read. place: of it, for messages."""

    place: str
    field: Field | str


def check_fields(paths: Sequence[Path], *, contest: bool) -> ExitStatus:
    """`gyoji field check`: HALTED if the rules, or the contest, exclude a field.

    What cannot be read is told on stderr, and the others are looked at all the same; then it is USAGE.
    """
    excluded = fields = unread = 0
    for place, field in _read(paths):
        if isinstance(field, str):
            complain(f"{place}: {field}")
            unread += 1
            continue
        problems = [*flaws(field), *(contest_flaws(field) if contest else ())]
        treasures = f"{len(field.known)} known and {len(field.hidden)} hidden treasures of {field.treasure}"
        about = f"{field.size}x{field.size}, {field.steps} steps, {len(field.holes)} holes, {treasures}"
        click.echo(f"{place}: {about}")
        for problem in problems:
            click.echo(f"    {problem}")
        fields += 1
        excluded += bool(problems)
    lost = f"; {unread} cannot be read" if unread else ""
    click.echo(f"{fields} field{'s' * (fields != 1)}, {excluded or 'none'} of them excluded{lost}")
    if unread:
        return ExitStatus.USAGE
    return ExitStatus.HALTED if excluded else ExitStatus.COMPLETE


def draw_fields(number: int, *, size: int | None, seed: int) -> ExitStatus:
    """`gyoji field draw`."""
    return _print(draw_field(derive_seed("fields", seed, each), size=size) for each in range(number))


def hide_again(paths: Sequence[Path], *, hidden: int | None, total: int | None, seed: int) -> ExitStatus:
    """`gyoji field hide`. Raises ConfigError for what there is no room for."""

    def drawn() -> Iterator[Field]:
        for number, (place, field) in enumerate(_fields(paths)):
            try:
                yield hide_treasure(field, derive_seed("hidden", seed, number), count=hidden, total=total)
            except ValueError as error:
                raise ConfigError(f"{place}: {error}") from None

    return _print(drawn())


def collect_fields(paths: Sequence[Path]) -> ExitStatus:
    """`gyoji field collect`."""
    return _print(field for _, field in _fields(paths))


def _print(fields: Iterable[Field]) -> ExitStatus:
    for field in fields:
        click.echo(format_field(field), nl=False)
    return ExitStatus.COMPLETE


def _fields(paths: Sequence[Path]) -> Iterator[tuple[str, Field]]:
    """The fields of all files, each with its place. Raises ConfigError, naming file and line."""
    for place, field in _read(paths):
        if isinstance(field, str):
            raise ConfigError(f"{place}: {field}")
        yield place, field


def _read(paths: Sequence[Path]) -> Iterator[_Found]:
    """What there is in all files."""
    for path in paths:
        try:
            data = path.read_bytes()
        except OSError as error:
            yield _Found(str(path), error.strerror or "it cannot be read")
            continue
        for place, text in _texts(path, data):
            try:
                yield _Found(place, read_field(read_text(text)))
            except ValueError as error:
                yield _Found(place, str(error))


def _texts(path: Path, data: bytes) -> Iterator[tuple[str, bytes]]:
    """The fields of a file as they are written, each with its place."""
    if path.suffix.lower() != ".jsonl":
        yield str(path), data
        return
    for number, line in enumerate(data.splitlines(), 1):
        if line.strip():
            yield f"{path}:{number}", line
