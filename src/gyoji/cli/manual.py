"""Man pages and completions for shells, made of the commands themselves when a wheel is built.

`hatch_build.py` runs `write`, and the wheel puts the files where man and the shells look for them. Nothing
else imports this module.
"""

import inspect
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

import gyoji
from gyoji.cli.app import app

COMPLETIONS: Mapping[str, type[ShellComplete]] = {
    "share/bash-completion/completions/gyoji": BashComplete,
    "share/zsh/site-functions/_gyoji": ZshComplete,
    "share/fish/vendor_completions.d/gyoji.fish": FishComplete,
}
"""The path of each below the prefix of an installation."""

PAGES = "share/man/man1"
_VARIABLE = "_GYOJI_COMPLETE"


def write(folder: Path, brought: Mapping[str, str]) -> None:
    """Write all files below a folder. brought: the commands of games: name -> module:attribute."""
    for name, place in brought.items():
        module, _, attribute = place.partition(":")
        app.add_command(getattr(import_module(module), attribute), name)
    files = {f"{PAGES}/{name}.1": text for name, text in pages(app, "gyoji").items()}
    for path, text in (files | completions()).items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def completions() -> dict[str, str]:
    """The script of each shell, by its path."""
    return {path: kind(app, {}, "gyoji", _VARIABLE).source() for path, kind in COMPLETIONS.items()}


def pages(command: click.Command, name: str) -> dict[str, str]:
    """The pages of a command and of all its own commands, by the name of the page: "gyoji-run"."""
    own = command.commands if isinstance(command, click.Group) else {}
    found = {name.replace(" ", "-"): _page(command, name)}
    for word, each in own.items():
        found |= pages(each, f"{name} {word}")
    return found


def _page(command: click.Command, name: str) -> str:
    """One page, as troff with the macros of man."""
    context = click.Context(command, info_name=name, **app.context_settings)
    title = name.replace(" ", "-")
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [
        f'.TH "{title.upper()}" "1" "" "gyoji {gyoji.__version__}" "gyoji"',
        ".SH NAME",
        f"{_text(title)} \\- {_text(command.get_short_help_str(200).rstrip('.'))}",
        ".SH SYNOPSIS",
        f".B {_text(name)}",
        _text(usage),
        ".SH DESCRIPTION",
        *_paragraphs(command.help or ""),
        *_options(command, context),
        *_commands(command, name),
        *(_paragraphs(command.epilog, heading=".SH NOTES") if command.epilog else ()),
        *_see_also(name),
    ]
    return "\n".join(lines) + "\n"


def _paragraphs(text: str, heading: str = "") -> Iterator[str]:
    """The paragraphs of a help text; those that begin with a backspace stay as they are laid out."""
    if heading:
        yield heading
    for number, each in enumerate(re.split(r"\n\s*\n", inspect.cleandoc(text).partition("\f")[0])):
        if number:
            yield ".PP"
        if each.startswith("\b"):
            lines = [_text(line.strip()) for line in each.split("\n")[1:]]
            yield from (".RS 4", ".nf", *lines, ".fi", ".RE")
        else:
            yield _text(" ".join(each.split()))


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    options = (each for each in command.get_params(context) if isinstance(each, click.Option))
    records = [each.get_help_record(context) for each in options]
    if told := [each for each in records if each is not None]:
        yield ".SH OPTIONS"
    for names, meaning in told:
        yield from (".TP", f".B {_text(names)}", _text(" ".join(meaning.split())))


def _commands(command: click.Command, name: str) -> Iterator[str]:
    if not isinstance(command, click.Group):
        return
    yield ".SH COMMANDS"
    for word, each in command.commands.items():
        page = f"{name} {word}".replace(" ", "-")
        yield from (".TP", f".BR {_text(page)} (1)", _text(each.get_short_help_str(200)))


def _see_also(name: str) -> Iterator[str]:
    if " " in name:
        above = name.rpartition(" ")[0].replace(" ", "-")
        yield from (".SH SEE ALSO", f".BR {_text(above)} (1)")


def _text(text: str) -> str:
    r"""A line as troff reads it, which takes a dot or an apostrophe at its beginning for a request.

    >>> print(_text(".ctl and \\n --keys"))
    \&.ctl and \en \-\-keys
    """
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("'", "\\(aq")
    return f"\\&{escaped}" if escaped.startswith(".") else escaped
