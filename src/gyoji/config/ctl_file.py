"""Reads the Python control files of gomill. The result is a `Document`, as of a TOML file.

Reading such a file executes it, with all the rights of the user, so it must be trusted.

The file can use `Player`, the constructors of its format (`Matchup` in a playoff) and the names in the
format's `Format.ctl_names`. It may also have functions, imports and variables of its own.

A variable becomes a setting if it has the name of a common setting of gomill, or of a setting that gyoji's
format has. New settings of the format count, too, such as `seating` in an all-play-all. Any other setting of
gyoji can only be an argument of `Player` or `Matchup`: a variable in an old file could have its name by
accident.
"""

import ast
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from sys import _getframe
from types import CodeType, FunctionType, ModuleType
from typing import Any

from gyoji.config.candidates import MadeTable
from gyoji.config.document import Document, KeyPath, suggest
from gyoji.config.format_settings import Layout
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import FORMATS
from gyoji.core.text import printable, quote

_COMMON = ("description", "record_games", "stderr_to_log", "skip_player_checks", "players")
_GAME = (
    *("board_size", "komi", "handicap", "handicap_style", "move_limit", "scorer"),
    "internal_scorer_handicap_compensation",
)
_NONE_IS_ABSENT = ("startup_gtp_commands", "gtp_aliases")
"""Arguments of Player for which None means the same as no argument, by gomill's manual."""
_MAPS = ("players", "environ", "gtp_aliases")
"""Settings whose value may be any argument of `dict`."""
_DEFAULTS = {
    "ruleset": "none",
    "scorer": "players",
    "disputed_score": "undecided",
    "refused_moves": "mover",
}
"""Settings of games with gomill's default in Python files, which differs from that in TOML files."""
_CTL_KEYS = {"candidate": "make_candidate"}
"""Settings with another name in Python files."""


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of a constructor, such as `Player`, in the control file: its arguments and its line."""

    form: str
    arguments: Mapping[str, Any]
    line: int


def read_ctl(name: str, path: Path, text: str) -> Document:
    """Execute a Python control file, and return its settings as a document.

    Args:
        name: The name of the file, for messages.
        path: Its absolute path.
        text: Its content.

    Raises:
        ConfigError: The file has a mistake, or an exception is raised in it.
    """
    tree, code = _compile(name, text)
    kind = _competition_type(name, tree)
    try:
        module = FORMATS.find(kind)
    except ConfigError as error:
        line = _assigned_lines(tree)["competition_type"]
        raise ConfigError(f"{name}:{line}: competition_type: {error}") from None
    layout = Layout.of(module.settings)
    constructors = {item.__name__: _constructor(item.__name__, item) for item in layout.arrays.values()}
    namespace: dict[str, Any] = {
        "__name__": "control_file",
        "__file__": str(path),
        "Player": _constructor("Player"),
        **constructors,
        **module.ctl_names,
    }
    with _blaming(name, "the file"):
        exec(code, namespace)
    if namespace.get("competition_type") != kind:
        raise ConfigError(f"{name}: competition_type: it has another value after the file has run")
    names = {_CTL_KEYS.get(key, key): key for key in (*_COMMON, *layout.keys, *_GAME)}
    lines: dict[KeyPath, int] = {(key,): line for key, line in _assigned_lines(tree).items() if key in names}
    lines["competition",] = _assigned_lines(tree)["competition_type"]
    forms = {key: _form(item.__name__) for key, item in layout.arrays.items()} | {"players": _form("Player")}
    forms |= {key: _CTL_KEYS[key] for key in layout.makers} | dict.fromkeys(_CTL_KEYS.values(), "a function")
    raw = {}
    for called, key in names.items():
        if called in namespace:
            with _blaming(name, called, lines.get((key,))):
                raw[key] = _raw((key,), namespace[called], forms, lines)
    for key in (key for key in layout.makers if callable(raw.get(key))):
        raw[key] = _TableMaker(name, raw[key], forms[key])
    return Document(
        name=name,
        path=path,
        raw={"competition": kind, **_DEFAULTS, **module.ctl_defaults, **raw},
        lines=lines,
        forms=forms,
        inherits_cwd=True,
        names_games=True,
        warnings=tuple(_warnings(name, tree, namespace, names)),
    )


@dataclass(frozen=True, slots=True)
class _TableMaker:
    """Calls a function of a .ctl file that makes a candidate of a tuner, and returns the candidate's table.

    It is a `gyoji.config.candidates.MakeTable`. It raises ConfigError if the function returns no `Player`.
    """

    name: str
    function: Callable[..., Any]
    called: str

    def __call__(self, values: Sequence[Any]) -> MadeTable:
        arguments = printable(", ".join(map(repr, values)))
        call = f"{self.called}({arguments})"
        with _blaming(self.name, call):
            made = self.function(*values)
        form = _form("Player")
        if not isinstance(made, _Call) or made.form != form:
            raise ConfigError(f"{self.name}: {call} returned {quote(repr(made))}, where {form} is expected")
        with _blaming(self.name, self.called, made.line):
            return MadeTable(_raw(("players", self.called), made, {"players": form}, {}), made.line)


def _compile(name: str, text: str) -> tuple[ast.Module, CodeType]:
    try:
        tree = ast.parse(text, name)
        return tree, compile(tree, name, "exec", dont_inherit=True)
    except SyntaxError as error:
        where = name if error.lineno is None else f"{name}:{error.lineno}"
        is_long = error.msg.startswith("Exceeds the limit")  # Python does not read numbers of 4,300 digits
        what = "a whole number of thousands of digits" if is_long else error.msg
        raise ConfigError(f"{where}: this is not Python 3: {what}{_endings(name)}") from None
    except ValueError as error:  # a NUL in the source
        raise ConfigError(f"{name}: this is not Python 3: {error}") from None
    except (RecursionError, MemoryError):
        raise ConfigError(f"{name}: too many brackets or operators stand in one another") from None


# The format must be known before the file is executed, because the file may use its constructors, such as
# Matchup.
def _competition_type(name: str, tree: ast.Module) -> str:
    """Return the name of the format: the string that the file assigns to `competition_type` at its top
    level.
    """
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="competition_type")], value=ast.Constant(value=str(kind))):
                return kind
    raise ConfigError(
        f'{name}: competition_type: required: write competition_type = "playoff" on its own line'
        f"{_endings(name)}"
    )


def _endings(name: str) -> str:
    """Return the end of a message about a wrong Python control file: a hint at the right suffixes.

    Return "" if the name of the file ends in .ctl.
    """
    if name.lower().endswith(".ctl"):
        return ""
    return "; control files end in .toml, and gomill's, which are Python, in .ctl"


def _assigned_lines(tree: ast.Module) -> dict[str, int]:
    """Return the line, by name, of the last assignment or function definition at the top level of a file."""
    lines: dict[str, int] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            lines[node.name] = node.lineno
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            if isinstance(target, ast.Name):
                lines[target.id] = node.lineno
    return lines


@contextmanager
def _blaming(name: str, what: str, line: int | None = None) -> Iterator[None]:
    """A context that converts any exception of the user's code but KeyboardInterrupt to a ConfigError.

    Args:
        name: The name of the file.
        what: The part of the file that is executed, as the message shows it.
        line: The line to use if the traceback has none of this file; None to use no line.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - it is the user's program that failed
        raise _failure(name, what, error, line) from None


# The line is that of the last frame in the control file, not in a library that it calls.
def _failure(name: str, what: str, error: BaseException, line: int | None = None) -> ConfigError:
    """Return the ConfigError for an exception of the user's code.

    The message has the name of the file, and the last line of this file in the traceback.

    Args:
        name: The name of the file.
        what: The part of the file that was executed, as the message shows it.
        line: The line to use if the traceback has none of this file; None to use no line.
    """
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == name]
    line = lines[-1] if lines else line
    where = f"{name}:{line}" if line else name
    kind = type(error).__name__
    try:
        said = f"{kind}: {error}"
    except Exception:  # noqa: BLE001 - the user's exception class may fail in __str__
        said = kind
    return ConfigError(f"{where}: {what} raised {printable(said)}")


def _constructor(form: str, kind: Any = None) -> Callable[..., _Call]:
    """Return a constructor for the file, such as `Player`, which stores its arguments to be checked later.

    Args:
        form: The name of the constructor.
        kind: The dataclass that the constructor stands for; None for `Player`. Fields with "positional" in
            their metadata may be given without a name. The only such argument of `Player` is `command`.
    """
    positional = (
        [field.name for field in fields(kind) if "positional" in field.metadata] if kind else ["command"]
    )

    def construct(*values: Any, **named: Any) -> _Call:
        if len(values) > len(positional):
            allowed = ", ".join(positional)
            raise TypeError(
                f"{form} takes {len(positional)} arguments without names ({allowed}), not {len(values)}"
            )
        arguments = dict(zip(positional, values, strict=False))
        for name in arguments:
            if name in named:
                raise TypeError(f"{form} was given {name} twice")
        return _Call(_form(form), arguments | named, _getframe(1).f_lineno)

    construct.__name__ = form
    return construct


def _form(constructor: str) -> str:
    """Return how messages show a call of a constructor: `Player(...)`."""
    return f"{constructor}(...)"


def _raw(path: KeyPath, value: Any, forms: Mapping[str, str], lines: dict[KeyPath, int]) -> Any:
    """Convert a Python value to raw values (strings, numbers, lists, dicts), as they come from a TOML file.

    Args:
        path: The place of the value.
        value: The value.
        forms: Settings whose items are calls of a constructor. The values are these calls as messages show
            them, such as "Player(...)".
        lines: Gets the line of each such call in the value.
    """
    form = forms.get(str(path[0])) if len(path) == 2 else None
    if form is not None:
        if not isinstance(value, _Call) or value.form != form:
            other = (
                repr(value) if isinstance(value, Mapping) else value
            )  # a dict is not a call of a constructor
            return value.form if isinstance(value, _Call) else other
        lines[path] = value.line
        value = {
            key: item
            for key, item in value.arguments.items()
            if not (item is None and key in _NONE_IS_ABSENT)
        }
    if isinstance(value, bytes):
        value = value.decode("utf-8", "backslashreplace")
    if isinstance(value, str):
        return str.__str__(value)  # not the __str__ of a subclass in the file
    if value is None or isinstance(value, int | float | _Call):
        return value
    if path[-1] in _MAPS:
        value = _map(value)
    if isinstance(value, Mapping):
        return {str(key): _raw((*path, str(key)), item, forms, lines) for key, item in value.items()}
    if isinstance(value, Iterable):
        return [_raw((*path, index), item, forms, lines) for index, item in enumerate(value)]
    return value


def _map(value: Any) -> Any:
    """Return a mapping, or an iterable of pairs, as a dict. Return any other value unchanged."""
    try:
        return dict(value)
    except (TypeError, ValueError):
        return value


def _warnings(
    name: str, tree: ast.Module, namespace: Mapping[str, Any], known: Iterable[str]
) -> Iterable[str]:
    """Yield a warning for each unused variable whose name is similar to that of a setting."""
    used = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    for key, line in _assigned_lines(tree).items():
        value = namespace.get(key)
        if key in known or key in used or key.startswith("_") or key == "competition_type":
            continue
        if isinstance(value, ModuleType | FunctionType | type):
            continue
        near = get_close_matches(key.lower(), known, n=1, cutoff=0.8)
        if near:
            yield f"{name}:{line}: {key} is not a setting, and is ignored{suggest(key, near)}"
