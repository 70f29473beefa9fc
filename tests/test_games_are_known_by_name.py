"""No room but a game's own names a game in its code: imports are forbidden, and so are names."""

import ast
import re
from pathlib import Path

import pytest

from gyoji.core.plugins import GAMES

SOURCE = Path(__file__).parents[1] / "src" / "gyoji"
ROOMS = (
    *("api", "cli", "config", "core", "formats", "pairing", "play", "referee", "report", "scheduler"),
    *("stats", "store", "tables", "tuning"),
)
WORDS = re.compile(r"\b(gomoku|renju|dighere|dig here|samurai|treasure|othello|igo|baduk)\b", re.IGNORECASE)
ALLOWED = {
    *{("core/setup.py", "go"), ("cli/demo.py", "gomoku"), ("cli/demo.py", "chess")},
    ("config/tablebases.py", "chess"),
}
"""The game of a control file that names none, as in gomill's; those of the files which `demo` writes; the
package that reads endgame tables.
"""
NAMES = frozenset(GAMES.names) - {"umpire", "relay"}
"""An umpire is also any program that decides games, and a relay one that starts their players: the words of
tables, settings and messages.
"""


def names_of_games(text):
    """Yield the names of games among the identifiers and strings of a module, docstrings left out."""
    tree = ast.parse(text)
    documents = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            if node.value.lower() in NAMES:
                yield node.value
            yield from WORDS.findall(node.value)
        for field in ("id", "attr", "name", "arg"):
            if isinstance(word := getattr(node, field, None), str):
                yield from WORDS.findall(word.replace("_", " "))


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_names_no_game(room):
    found = {
        (path.relative_to(SOURCE).as_posix(), name)
        for path in (SOURCE / room).rglob("*.py")
        for name in names_of_games(path.read_text(encoding="utf-8"))
    }
    assert found <= ALLOWED


def test_scripts_of_the_page_name_no_game():
    for path in (SOURCE / "report" / "html").glob("*.*"):
        if path.suffix in (".js", ".css", ".html"):
            assert WORDS.findall(path.read_text(encoding="utf-8")) == []


def test_a_name_in_code_is_found_and_one_in_a_docstring_is_not():
    module = '"""Like gomoku."""\nif game != "go":\n    samurai_sign = "of Renju"\n'
    assert sorted(names_of_games(module)) == ["Renju", "go", "samurai"]
