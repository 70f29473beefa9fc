"""`gyoji examples`: list or copy the example control files, from an installed wheel or a clone."""

import shutil
from pathlib import Path

import click

import gyoji
from gyoji.core.faults import ConfigError
from gyoji.scheduler.status import ExitStatus

CONTROL_FILES = (".toml", ".ctl")
DATA = {*CONTROL_FILES, ".txt", ".jsonl", ".sgf", ".psq", ".md", ".py", ".sh", ".cpp"}
"""Suffixes of the files to copy. Results that a competition has written into the folder have others."""
WIDTH = 22
"""Columns of the names in the list."""


def list_examples() -> ExitStatus:
    """Print the name and the title of each example, and how to copy them all."""
    folder = examples_folder()
    for path in sorted(path for path in folder.iterdir() if path.suffix in CONTROL_FILES):
        comment = path.read_text(encoding="utf-8").partition("\n")[0]  # of one sentence or more
        click.echo(f"{path.name:{WIDTH}}{comment.removeprefix('#').partition('. ')[0].strip(' .:')}")
    click.echo("\nTo copy them into a new folder:  gyoji examples FOLDER")
    return ExitStatus.COMPLETE


def copy_examples(to: Path) -> ExitStatus:
    """Copy all examples into a folder. Raise ConfigError if a file is there already.

    Plug-ins are left out: they are distributions of their own.
    """
    folder = examples_folder()
    paths = (path for pattern in ("*", "openings/*", "umpires/*") for path in sorted(folder.glob(pattern)))
    files = [path.relative_to(folder) for path in paths if path.suffix in DATA]
    for file in files:
        if (to / file).exists():
            raise ConfigError(f"{to / file}: is there already; name a folder that has no examples yet")
    for file in files:
        (to / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / file, to / file)
    click.echo(f"{len(files)} files are in {to}. Play the first: gyoji run {to / 'quickstart.toml'}")
    return ExitStatus.COMPLETE


def examples_folder() -> Path:
    """Return the folder of the examples: inside the package in a wheel, at the top level of a clone."""
    package = Path(gyoji.__file__).parent
    return next(path for path in (package / "examples", package.parents[1] / "examples") if path.is_dir())
