"""The pages that are made from the source leave nothing out."""

import ast
import re
import sys
from pathlib import Path

import click
import pytest

from gyoji import api
from gyoji.cli.app import app
from gyoji.core.plugins import GAMES, PROTOCOLS
from gyoji.store import files

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
import from_source

INTERNAL = {  # told to programmers, or caught and told in other words
    "AssertionError", "Closed", "ConnectionError", "ConnectionResetError", "FileNotFoundError", "ImportError",
    "KeyError", "NoAnswer", "OSError", "PermissionError", "Refused", "RuntimeError",
    "TimeoutError", "TypeError", "_Misfit",
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


def test_the_page_of_the_api_has_a_heading_for_each_of_its_names():
    text = (REFERENCE / "api.md").read_text()
    headings = re.findall(r"^### (\w+)$", text, re.MULTILINE)
    assert sorted(headings) == sorted(api.__all__)
    assert re.findall(r":: gyoji\.api\.(\w+)$", text, re.MULTILINE) == headings


REFERENCE = Path(__file__).parents[2] / "docs" / "reference"


def test_the_page_of_files_has_all_that_stands_beside_a_control_file_and_every_record():
    text = (REFERENCE / "files.md").read_text()
    for suffix in (*files._SUFFIXES, *files._RUNNING):
        assert f"`cup.{suffix}`" in text or f"`cup.{suffix}/`" in text, suffix
    rows = {tuple(row) for row in re.findall(r"^\| ([\w ]+) \| `(\w+)` \| `([.\w]+)` \|", text, re.MULTILINE)}
    titles = {"go": "Go", "gomoku": "gomoku", "dighere": "Dig Here", "umpire": "Umpire", "relay": "Relay"}
    for name, title in titles.items():
        game = GAMES.find(name)
        for form, load in game.record_formats.items():
            assert (title, form, load().suffix) in rows


def test_the_page_of_files_has_every_property_of_our_sgf():
    text = (REFERENCE / "files.md").read_text()
    rows = re.findall(r"^\| ((?:[A-Z]+(?:, )?)+) \|", text, re.MULTILINE)
    told = {word for row in rows for word in row.split(", ")}
    written = set()
    for path in ("sgf/records.py", "games/go/sgf_writer.py", "games/gomoku/sgf_records.py"):
        source = (from_source.SOURCE / path).read_text()
        written |= set(re.findall(r'"([A-Z]{2,4})"', source)) | set(re.findall(r"\b([A-Z]{2,4})\[\{", source))
    assert written - {"BW", "DRAW"} <= told


def test_the_page_of_protocols_has_each_of_them_and_every_command_of_gtp():
    text = (REFERENCE / "protocols.md").read_text()
    assert all(f"| `{name}` |" in text for name in PROTOCOLS.names)
    told = {word for row in re.findall(r"`([^`]+)`", text) for word in row.split()}
    assert set(_words_of_gtp()) - {"is_numbered", "is_empty"} <= told


def _words_of_gtp():
    """Yield the first words of texts in the codec that look like commands of two words or more."""
    for path in (from_source.SOURCE / "protocols" / "gtp").glob("*.py"):
        if path.stem not in {"probe", "options", "__init__"}:
            nodes = ast.walk(ast.parse(path.read_text()))
            texts = [node.value for node in nodes if isinstance(node, ast.Constant)]
            words = [text.partition(" ")[0] for text in texts if isinstance(text, str)]
            yield from (word for word in words if re.fullmatch("[a-z]+[-_][a-z_-]+", word))
