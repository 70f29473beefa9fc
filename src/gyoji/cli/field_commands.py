"""`gyoji field`: fields of Dig Here checked, drawn, and put into one file of openings."""

from pathlib import Path

import click

from gyoji.scheduler.status import ExitStatus

FIELDS = click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FIELD...")
SEED = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Where all chance comes from: the same seed draws the same.",
)


@click.group()
def field() -> None:
    """Check, draw and collect fields of Dig Here.

    FIELD is a .dighere file, or a .jsonl file with a field a line.
    """


@field.command()
@FIELDS
@click.option("--contest", is_flag=True, help="Also by the bounds of SamurAI Coding 2019-20.")
def check(files: tuple[Path, ...], *, contest: bool) -> ExitStatus:
    """Say what each field is, and what the rules exclude in it. The status is 1 if they exclude one."""
    from gyoji.cli.fields import check_fields  # noqa: PLC0415

    return check_fields(files, contest=contest)


@field.command()
@click.option(
    "-n", "--number", type=click.IntRange(min=1), default=1, show_default=True, help="How many fields."
)
@click.option(
    "--size", type=click.IntRange(6, 1000), metavar="N", help="Cells on a side.  [default: 6 to 12]"
)
@SEED
def draw(number: int, *, size: int | None, seed: int) -> ExitStatus:
    """Print fields drawn at random, as the contest might have had them: one a line, each a .dighere file."""
    from gyoji.cli.fields import draw_fields  # noqa: PLC0415

    return draw_fields(number, size=size, seed=seed)


@field.command()
@FIELDS
@click.option(
    "--hidden", type=click.IntRange(min=1), metavar="N", help="Treasures.  [default: as many as there are]"
)
@click.option(
    "--total", type=click.IntRange(min=2), metavar="N", help="Of their amounts.  [default: as it is]"
)
@SEED
def hide(files: tuple[Path, ...], *, hidden: int | None, total: int | None, seed: int) -> ExitStatus:
    """Print the fields with their hidden treasure drawn anew, one a line."""
    from gyoji.cli.fields import hide_again  # noqa: PLC0415

    return hide_again(files, hidden=hidden, total=total, seed=seed)


@field.command()
@FIELDS
def collect(files: tuple[Path, ...]) -> ExitStatus:
    """Print the fields, one a line: a file of openings for a competition.

    \b
        gyoji field collect preliminary/*.dighere > fields.jsonl
    """
    from gyoji.cli.fields import collect_fields  # noqa: PLC0415

    return collect_fields(files)
