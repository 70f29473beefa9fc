"""Texts of engines do not act on their reader: in no file of an event, and in no output of a command."""

import csv
import io
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from unicodedata import category

import pytest
from click.testing import CliRunner

from gyoji.cli.app import app

LOUD = str(Path(__file__).with_name("loud.py"))
PYTHON = sys.executable
EVENTS = {
    "gtp": """
competition = "playoff"
board_size = 5
komi = 0.5
players = { loud = { command = ["PYTHON", "LOUD", "gtp"] }, kozo = { command = "gyoji-kozo" } }
matchups = [{ players = ["loud", "kozo"], number_of_games = 2, alternating = true }]
""",
    "gomocup": """
competition = "playoff"
game = "gomoku"
clock = "3s"
number_of_games = 2
matchups = [{ players = ["loud", "narabe"] }]
players = { loud = { command = ["PYTHON", "LOUD", "gomocup"] }, narabe = { command = "pbrain-narabe" } }
""",
    "dighere": """
competition = "playoff"
game = "dighere"
steps = 6
number_of_games = 2
matchups = [{ players = ["loud", "horidashi"] }]
players = { loud = { command = ["PYTHON", "LOUD", "dighere"] }, horidashi = { command = "gyoji-horidashi" } }
""",
}
SHOWN = [
    ["show"],
    ["show", "--json"],
    ["show", "--timing", "--game", "GAME"],
    ["verify"],
    ["check"],
    ["report"],
    *(["report", "--format", form] for form in ("markdown", "bbcode", "csv", "json", "html")),
    ["report", "--table", "games", "--format", "csv"],
]
ACTIVE = ("Cc", "Cf", "Cs", "Zl", "Zp")
FORMULA = re.compile(r"[=@\t\r]|\s*[-+].*[A-Za-z(]")


@pytest.fixture(scope="module", params=EVENTS)
def event(request, tmp_path_factory):
    """(folder of an event that a loud engine has played, output of the run)."""
    folder = tmp_path_factory.mktemp(request.param)
    text = EVENTS[request.param].replace("PYTHON", PYTHON).replace("LOUD", LOUD)
    (folder / "e.toml").write_text(text)
    words = [str(Path(PYTHON).with_name("gyoji")), "run", "--transcripts", "e.toml"]
    ran = subprocess.run(words, cwd=folder, capture_output=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr.decode()
    return folder, ran.stdout + ran.stderr


def active(text):
    """Return the control characters of a text, without line ends."""
    return {char for char in text if category(char) in ACTIVE and char not in "\n\t\u200c\u200d"}


def said_by(words, folder):
    result = CliRunner().invoke(app, [*words, str(folder / "e.toml")])
    assert result.exit_code in (0, 1), result.output
    return result.output


def games_of(folder):
    values = json.loads(said_by(["report", "--table", "games", "--format", "json"], folder))
    return [row["game"] for row in values["tables"]["games"]]


@pytest.mark.process
def test_no_file_and_no_command_has_a_character_that_does_something(event):
    folder, said = event
    assert active(said.decode()) == set()
    files = [path for path in folder.rglob("*") if path.is_file() and ".db" not in path.name]
    assert {path.suffix for path in files} >= {".log", ".toml"}
    for path in files:
        assert active(path.read_bytes().decode("utf-8").replace("\r\n", "\n")) == set(), path
    game = games_of(folder)[0]
    for words in SHOWN:
        said = said_by([game if word == "GAME" else word for word in words], folder)
        assert active(said) == set(), words


class Page(HTMLParser):
    """Finds tags and attributes that gyoji's pages never have."""

    def __init__(self):
        super().__init__()
        self.scripts, self.odd = 0, []

    def handle_starttag(self, tag, attrs):
        if tag == "img" or any(name.startswith("on") for name, _ in attrs):
            self.odd.append((tag, attrs))
        self.odd += [
            value for name, value in attrs if name in ("href", "src") and "javascript:" in (value or "")
        ]

    def handle_data(self, data):
        if self.cdata_elem == "script" and "alert(1)" in data and "<" in data:
            self.odd.append(data[:80])


@pytest.mark.process
def test_a_page_has_no_markup_of_an_engine(event):
    page = Page()
    page.feed(said_by(["report", "--format", "html"], event[0]))
    assert page.odd == []


@pytest.mark.process
def test_no_cell_of_a_csv_file_is_a_formula(event):
    folder, _ = event
    text = said_by(["report", "--format", "csv"], folder)
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert cells
    assert [cell for cell in cells if FORMULA.match(cell)] == []


@pytest.mark.process
def test_a_markdown_table_keeps_its_columns_and_links_nowhere(event):
    text = said_by(["report", "--format", "markdown"], event[0])
    for table in re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1
        assert re.search(r"(?<!\\)[<\[`]|https?://", table) is None


@pytest.mark.process
def test_a_record_of_go_has_the_moves_that_were_made(event, tmp_path):
    folder, _ = event
    for record in folder.rglob("*.sgf"):
        text = record.read_text()
        replayed = CliRunner().invoke(app, ["replay", str(record)])
        assert replayed.exit_code == 0, replayed.output
        assert len(re.findall(r"(?<![\\])\(", re.sub(r"\[(?:[^\\\]]|\\.)*\]", "", text, flags=re.S))) == 1
