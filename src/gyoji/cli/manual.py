"""Man pages and shell completions, written when a wheel is built.

`hatch_build.py` calls `write`, and the wheel installs the files where man and the shells look for them.
Nothing else imports this module: click-man is a requirement of the build alone.
"""

import inspect
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete
from click_man.core import write_man_pages

import gyoji
from gyoji.cli.app import app

COMPLETIONS: Mapping[str, type[ShellComplete]] = {
    "share/bash-completion/completions/gyoji": BashComplete,
    "share/zsh/site-functions/_gyoji": ZshComplete,
    "share/fish/vendor_completions.d/gyoji.fish": FishComplete,
}
"""Paths of the completion scripts, relative to the prefix of an installation."""

PAGES = "share/man/man1"


def write(folder: Path, plugged_in: Mapping[str, str]) -> None:
    """Write all man pages and completion scripts below `folder`.

    Args:
        plugged_in: Commands that are registered as entry points: name -> "module:attribute".
    """
    for name, place in plugged_in.items():
        module, _, attribute = place.partition(":")
        app.add_command(getattr(import_module(module), attribute), name)
    _adapt(app)
    pages = folder / PAGES
    pages.mkdir(parents=True)
    # The version stands where click-man writes the day of the build: a wheel that is built again is the same.
    version = f"gyoji {gyoji.__version__}"
    write_man_pages("gyoji", app, version=version, target_dir=str(pages), date=version)
    for path, kind in COMPLETIONS.items():
        file = folder / path
        file.parent.mkdir(parents=True)
        file.write_text(kind(app, {}, "gyoji", "_GYOJI_COMPLETE").source(), encoding="utf-8")


def _adapt(command: click.Command) -> None:
    """Change the help texts of a command and its subcommands so that click-man 0.6 writes them well.

    click puts a backspace before a paragraph that is not to be wrapped, which click-man would copy. click-man
    also cuts the line for NAME at 45 characters, and leaves the epilog out.
    """
    command.short_help = command.get_short_help_str(200)
    text = inspect.cleandoc(command.help or "").replace("\b\n", "")
    command.help = "\n\n".join(filter(None, [text, command.epilog]))
    if isinstance(command, click.Group):
        for each in command.commands.values():
            _adapt(each)
