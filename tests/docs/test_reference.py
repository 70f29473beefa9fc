"""The pages that are made from the source leave nothing out."""

import ast
import sys
from pathlib import Path

import click
import pytest

from gyoji.cli.app import app

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
import from_source

INTERNAL = {  # told to programmers, or caught and told in other words
    "AssertionError", "FileNotFoundError", "ImportError", "KeyError", "OSError", "PermissionError",
    "RuntimeError", "TimeoutError", "TypeError", "_Misfit",
}  # fmt: skip


def test_every_exception_that_is_raised_with_a_sentence_is_of_a_kind():
    known = INTERNAL.union(*from_source.KINDS.values())
    unknown = {
        f"{part}: {from_source._name(call.func)}"
        for part, call, is_raised in from_source.calls()
        if is_raised
        and any(map(from_source.template, call.args))
        and from_source._name(call.func) not in known
    }
    assert unknown == set()


@pytest.mark.parametrize("kind", from_source.KINDS)
def test_every_kind_of_message_has_some(kind):
    assert any(row[0] == kind for row in from_source._messages())


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        ("'a b is wrong'", "a b is wrong"),
        ("f'{quote(name)} is none of {', '.join(map(repr, crosses))}'", "NAME is none of CROSSES"),
        ("f'{event.path} is ' + 'no file'", "PATH is no file"),
        ("'one'", ""),
        ("f'{one} {two}'", ""),
        ("error", ""),
    ],
)
def test_a_message_has_names_in_place_of_what_is_filled_in(literal, text):
    assert from_source.template(ast.parse(literal.replace("', '", '", "'), mode="eval").body) == text


def test_a_message_is_found_with_its_part():
    rows = from_source.messages().splitlines()
    assert any("this competition is not running" in row and "`scheduler." in row for row in rows)


def _commands(group, path):
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield f"{path} {name}", command
        if isinstance(command, click.Group):
            yield from _commands(command, f"{path} {name}")


def test_every_command_and_option_is_on_the_page():
    text = from_source.commands()
    for path, command in _commands(app, "gyoji"):
        (section,) = [part for part in text.split("\n## ") if f"\n## {part}".find(f"# {path}\n") >= 0]
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                assert all(word in section for word in parameter.opts), (path, parameter.opts)
