"""`gyoji examples`: the example control files, in a wheel as in a clone."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import click

import gyoji
from gyoji.core.faults import ConfigError
from gyoji.scheduler.status import ExitStatus

CONTROL_FILES = (".toml", ".ctl")
DATA = {*CONTROL_FILES, ".txt", ".jsonl", ".sgf", ".psq", ".md", ".py"}
"""Suffixes of the files of an example. Results that a competition has left there have others."""


def list_examples() -> ExitStatus:
    """Print a line for each example, and how to copy them."""
    folder = examples_folder()
    titles = {path.name: title_of(path) for path in sorted(folder.iterdir()) if path.suffix in CONTROL_FILES}
    width = max(map(len, titles))
    for name, title in titles.items():
        click.echo(f"{name:{width}}  {title}".rstrip())
    click.echo("\nTo copy them into a new folder:  gyoji examples FOLDER")
    return ExitStatus.COMPLETE


def copy_examples(to: Path) -> ExitStatus:
    """Copy all examples into a folder. Raise ConfigError if a file is there already."""
    folder = examples_folder()
    files = list(files_of(folder))
    for file in files:
        if (to / file).exists():
            raise ConfigError(f"{to / file}: is there already; name a folder that has no examples yet")
    for file in files:
        (to / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / file, to / file)
    click.echo(f"{len(files)} files are in {to}. Play the first: gyoji run {to / 'quickstart.toml'}")
    return ExitStatus.COMPLETE


def examples_folder() -> Path:
    """Return the folder of the examples: in the package of a wheel, at the top of a clone."""
    package = Path(gyoji.__file__).parent
    return next(path for path in (package / "examples", package.parents[1] / "examples") if path.is_dir())


def files_of(folder: Path) -> Iterator[Path]:
    """Yield the files to copy, relative to the folder. Plug-ins are left out: they are distributions of
    their own.
    """
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        left = any(part.endswith((".games", ".void", ".folders", ".gtplogs")) for part in inside.parts[:-1])
        if path.is_file() and path.suffix in DATA and not left and inside.parts[0] != "plugins":
            yield inside


def title_of(path: Path) -> str:
    """Return the first sentence of a file's first line, which is a comment."""
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    return first.removeprefix("#").partition(". ")[0].strip(" .:")
