"""The command `gyoji field`: check, draw and collect fields of Dig Here."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from gyoji.core.faults import ConfigError
from gyoji.core.spec import derive_seed
from gyoji.core.text import legible
from gyoji.games.dighere.fields import Field, about_field, contest_flaws, draw_field, flaws, hide_treasure
from gyoji.games.dighere.files import format_field, read_field, read_text

_FINE, _EXCLUDED, _UNREADABLE = 0, 1, 2
"""Exit statuses."""

FIELDS = click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FIELD...")
SEED = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Seed of the random numbers: the same seed gives the same fields.",
)


@click.group()
def field() -> None:
    """Check, draw and collect fields of Dig Here.

    FIELD is a .dighere file, or a .jsonl file with one field per line.
    """


@field.command()
@FIELDS
@click.option("--contest", is_flag=True, help="Check also the limits of SamurAI Coding 2019-20.")
def check(files: tuple[Path, ...], *, contest: bool) -> int:
    """Describe each field, and list what breaks the rules. The status is 1 if a field breaks them."""
    excluded = fields = unread = 0
    for place, found in _read(files):
        if isinstance(found, str):
            click.echo(f"gyoji: {place}: {legible(found)}", err=True)
            unread += 1
            continue
        problems = [*flaws(found), *(contest_flaws(found) if contest else ())]
        click.echo(f"{place}: {about_field(found)}")
        for problem in problems:
            click.echo(f"    {problem}")
        fields += 1
        excluded += bool(problems)
    lost = f"; {unread} cannot be read" if unread else ""
    click.echo(f"{fields} field{'s' * (fields != 1)}, {excluded or 'none'} of them excluded{lost}")
    if unread:
        return _UNREADABLE
    return _EXCLUDED if excluded else _FINE


@field.command()
@click.option(
    "-n", "--number", type=click.IntRange(min=1), default=1, show_default=True, help="How many fields."
)
@click.option(
    "--size", type=click.IntRange(6, 1000), metavar="N", help="Cells on a side.  [default: 6 to 12]"
)
@SEED
def draw(number: int, *, size: int | None, seed: int) -> int:
    """Print random fields, one per line. Each line is a .dighere file."""
    for each in range(number):
        _print(draw_field(derive_seed("fields", seed, each), size=size))
    return _FINE


@field.command()
@FIELDS
@click.option(
    "--hidden",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of hidden treasures.  [default: as in FIELD]",
)
@click.option(
    "--total", type=click.IntRange(min=2), metavar="N", help="Sum of their amounts.  [default: as in FIELD]"
)
@SEED
def hide(files: tuple[Path, ...], *, hidden: int | None, total: int | None, seed: int) -> int:
    """Print the fields with new random hidden treasures, one per line."""
    for number, (place, each) in enumerate(_fields(files)):
        try:
            _print(hide_treasure(each, derive_seed("hidden", seed, number), count=hidden, total=total))
        except ValueError as error:
            raise ConfigError(f"{place}: {error}") from None
    return _FINE


@field.command()
@FIELDS
def collect(files: tuple[Path, ...]) -> int:
    """Print the fields as a file of openings, one per line.

    \b
        gyoji field collect preliminary/*.dighere > fields.jsonl
    """
    for _, each in _fields(files):
        _print(each)
    return _FINE


def _print(field: Field) -> None:
    click.echo(format_field(field), nl=False)


def _fields(paths: Sequence[Path]) -> Iterator[tuple[str, Field]]:
    """Yield (place, field) for each field in the files. The place, for messages, is file or file and line.

    Raises:
        ConfigError: A file or field cannot be read. The message names the place.
    """
    for place, field in _read(paths):
        if isinstance(field, str):
            raise ConfigError(f"{place}: {field}")
        yield place, field


def _read(paths: Sequence[Path]) -> Iterator[tuple[str, Field | str]]:
    """Yield (place, field) for each field in the files. The place, for messages, is file or file and line.

    For a field that cannot be read, the second item is a text with the reason.
    """
    for path in paths:
        try:
            data = path.read_bytes()
        except OSError as error:
            yield str(path), error.strerror or "it cannot be read"
            continue
        for place, text in _texts(path, data):
            try:
                yield place, read_field(read_text(text))
            except ValueError as error:
                yield place, str(error)


def _texts(path: Path, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield (place, JSON text) for each field in a file. A .jsonl file has one per line, any other file one.

    The place, for error messages, is the file, or in a .jsonl file the file and line.
    """
    if path.suffix.lower() != ".jsonl":
        yield str(path), data
        return
    for number, line in enumerate(data.splitlines(), 1):
        if line.strip():
            yield f"{path}:{number}", line
