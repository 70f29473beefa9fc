"""GNU Go, an engine that others wrote, started as a user would start it."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from gyoji.records import sgf

EXAMPLES = Path(__file__).parents[2] / "examples"
GNUGO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")

pytestmark = [
    pytest.mark.process,
    pytest.mark.timeout(200),
    pytest.mark.skipif(GNUGO is None, reason="no gnugo: install Debian's package gnugo"),
]

LEVELS = """\
competition = "playoff"
board_size = 9
komi = 7.5
alternating = true
number_of_games = 2

[players.weak]
command = "{gnugo} --mode gtp --level 1"

[players.strong]
command = "{gnugo} --mode gtp --level 10"

[players.monte-carlo]
command = "{gnugo} --mode gtp --level 1 --monte-carlo"

[[matchups]]
players = ["weak", "strong"]

[[matchups]]
players = ["weak", "monte-carlo"]
"""


def test_gnugo_plays_itself_at_two_levels_and_with_monte_carlo(gyoji):
    (gyoji.folder / "levels.toml").write_text(LEVELS.format(gnugo=GNUGO))
    status, out, err = gyoji("run", "levels.toml", "-j", "2", timeout=180)
    assert (status, err) == (0, "")
    assert "weak v strong (2/2 games)" in out
    assert "weak v monte-carlo (2/2 games)" in out
    assert "unknown results" not in out
    with sqlite3.connect(gyoji.folder / "levels.db") as connection:
        assert connection.execute("SELECT count(*) FROM voids").fetchone() == (0,)
    for record in (gyoji.folder / "levels.games").glob("*.sgf"):
        (game,) = sgf.read(record.read_bytes())
        assert len(game.moves) > 20
        assert game.result[:2] in ("B+", "W+")
    assert gyoji.left() == {}


def test_a_control_file_of_gomill_runs_unchanged_and_its_report_has_gomills_layout(gyoji, monkeypatch):
    gyoji.environ["PATH"] += ":/usr/games"
    shutil.copy(EXAMPLES / "gomill-simple.ctl", gyoji.folder / "sample.ctl")
    status, _, err = gyoji("run", "sample.ctl", "-q", "-j", "2", "-g", "3", timeout=120)
    assert (status, err) == (0, "")
    report = (gyoji.folder / "sample.report").read_text().splitlines()
    assert report[0] == "playoff: sample"
    block = next(number for number, line in enumerate(report) if " v " in line and line.endswith("games)"))
    assert report[block].split(" (")[1].startswith("3/")
    assert report[block + 1].startswith("board size: ")
    assert report[block + 2].split() == ["wins", "black", "white", "avg", "cpu"]
    assert [line.split()[0] for line in report[block + 3 : block + 5]] == report[block].split()[:3:2]
    assert any(line.startswith("player gnugo") and "GNU Go:3" in line for line in report)
