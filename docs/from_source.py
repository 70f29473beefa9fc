"""What pages of the reference take from the source itself: every command with its options, every message."""

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path

import click

import gyoji
from gyoji.cli.app import app

SOURCE = Path(gyoji.__file__).parent

# Commands


def commands() -> str:
    """Every command: what it does, how it is called, its arguments and options."""
    return "\n".join(_command(app, "gyoji"))


def _command(command: click.Command, path: str, depth: int = 2) -> Iterator[str]:
    context = click.Context(command, info_name=path, **app.context_settings)
    if path != "gyoji":
        yield f"{'#' * depth} {path}\n"
        yield f"```text\n{command.get_usage(context).removeprefix('Usage: ')}\n```\n"
        yield f"{_words(command.help)}\n"
        records = [each.get_help_record(context) for each in command.params if isinstance(each, click.Option)]
        if rows := [record for record in records if record]:
            yield "| option | |\n|---|---|"
            yield from (f"| `{_cell(names)}` | {_cell(_escaped(words))} |" for names, words in rows)
            yield ""
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            yield from _command(
                command.get_command(context, name), f"{path} {name}", depth + (path != "gyoji")
            )


def _words(text: str | None) -> str:
    """A help text of click as Markdown: `\\b` begins what is printed as it stands."""
    paragraphs = inspect.cleandoc(text or "").split("\n\n")
    return "\n\n".join(
        f"```text\n{inspect.cleandoc(paragraph.removeprefix(chr(8)))}\n```"
        if paragraph.startswith("\b")
        else _escaped(paragraph)
        for paragraph in paragraphs
    )


def _escaped(text: str) -> str:
    return re.sub(r"([\\*_<>\[\]`$|])", r"\\\1", text)


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("\\|", "|").replace("|", "\\|")


# Messages

REFUSED = "The command line, control files and other input are refused"
KINDS = {
    REFUSED: {
        "ConfigError", "NotRunning", "ValueError", "UsageError", "BadParameter", "Mistake", "Unreadable",
        "SgfError", "UnsatisfiableResource", "_Unusable", "_error", "_not_here", "complain", "add",
    },
    "A move is refused": {"IllegalMove", "IllFormed"},
    "An engine loses": {"_break", "Misbehaved", "ProtocolError", "Unsupported"},
    "An engine cannot analyse a game": {"CannotAnalyse"},
    "A game is void": {"Breakdown", "CellBroken", "CellLost", "ProcessLost", "kill"},
    "Stored results are damaged, or `gyoji verify` finds a difference": {"damaged", "_differ", "_refuse"},
    "A judge's command is refused": {"Refusal"},
    "The server refuses a request": {"HTTPException"},
}  # fmt: skip
FEWEST_LETTERS = 6  # of a message's own; what has fewer is put together of others
LEFT_OUT = ("testing", "engines")  # kits for authors of plug-ins, and players


def messages() -> str:
    """Every message by what it is about, with the part of gyoji that says it; NAMES stand for what varies."""
    found = sorted(set(_messages()))
    parts = []
    for kind, group in groupby(sorted(found, key=lambda row: list(KINDS).index(row[0])), lambda row: row[0]):
        rows = [f"| {_code(text)} | `{part}` |" for _, text, part in group]
        parts.append("\n".join([f"## {kind}\n", "| message | of |", "|---|---|", *rows, ""]))
    return "\n".join(parts)


@cache
def calls() -> tuple[tuple[str, ast.Call, bool], ...]:
    """Each call of the source: the part of gyoji, the call, and whether it is of what is raised."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        part = path.relative_to(SOURCE).with_suffix("").parts
        if part[0] not in LEFT_OUT:
            nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
            raised = {id(node.exc) for node in nodes if isinstance(node, ast.Raise)}
            found += [
                (".".join(part), node, id(node) in raised) for node in nodes if isinstance(node, ast.Call)
            ]
    return tuple(found)


def _messages() -> Iterator[tuple[str, str, str]]:
    """The kind, the text and the part of each message."""
    kinds = {name: kind for kind, names in KINDS.items() for name in names}
    for part, call, _ in calls():
        if kind := kinds.get(_name(call.func)):
            for text in filter(None, map(template, [*call.args, *(word.value for word in call.keywords)])):
                yield kind, text, part


def _name(function: ast.expr) -> str:
    return getattr(function, "id", getattr(function, "attr", ""))


def template(node: ast.expr) -> str:
    """The text of a literal with names in place of what is filled in; empty for what is no sentence."""
    text = " ".join(_text(node).split())
    return text if " " in text and len(re.findall("[a-z]", text)) >= FEWEST_LETTERS else ""


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _text(node.left) + _text(node.right)
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else _slot(part.value) for part in node.values
        )
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


NO_SLOT = {
    "quote",
    "repr",
    "str",
    "self",
    "map",
    "sorted",
    "len",
    "join",
    "lower",
    "list",
    "tuple",
    "sum",
    "suggest",
}


def _slot(expression: ast.expr) -> str:
    """What stands for a value: a name of its expression, in capitals."""
    names = [_name(node) for node in ast.walk(expression) if isinstance(node, ast.Name | ast.Attribute)]
    return next((name.strip("_").upper() for name in names if name not in NO_SLOT), "...")


def _code(text: str) -> str:
    return f"`` {_cell(text)} ``"
