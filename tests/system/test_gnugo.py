"""GNU Go, an engine that others wrote, started as a user would start it."""

import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

from gyoji.core.describe import result_code
from gyoji.core.outcome import Ending
from gyoji.games.go.sgf_reader import main_line
from gyoji.sgf.grammar import parse
from gyoji.store.store import Store

EXAMPLES = Path(__file__).parents[2] / "examples"
GNUGO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")

pytestmark = [
    pytest.mark.process,
    pytest.mark.slow,
    pytest.mark.skipif(GNUGO is None, reason="no gnugo: install Debian's package gnugo"),
]

UNTOLD = "gyoji: players {}: cannot be told the rules; each goes by its own settings\n"
"""GNU Go has no command for rules."""

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
command = "{gnugo} --mode gtp --level 1 --monte-carlo --mc-games-per-level 200"

[[matchups]]
players = ["weak", "strong"]

[[matchups]]
players = ["weak", "monte-carlo"]
"""


@pytest.mark.nightly
def test_gnugo_plays_itself_at_two_levels_and_with_monte_carlo(gyoji):
    (gyoji.folder / "levels.toml").write_text(LEVELS.format(gnugo=GNUGO))
    status, out, err = gyoji("run", "levels.toml", "-j", "2", timeout=300)
    assert (status, err) == (0, UNTOLD.format("monte-carlo, strong, weak"))
    assert "weak v strong (2/2 games)" in out
    assert "weak v monte-carlo (2/2 games)" in out
    assert "unknown results" not in out
    with sqlite3.connect(gyoji.folder / "levels.db") as connection:
        assert connection.execute("SELECT count(*) FROM voids").fetchone() == (0,)
    for record in (gyoji.folder / "levels.games").glob("*.sgf"):
        (game,) = map(main_line, parse(record.read_bytes()))
        assert len(game.moves) > 20
        assert game.result[:2] in ("B+", "W+")
    assert gyoji.left() == {}


ADJUDICATED = """\
competition = "playoff"
board_size = 7
komi = 40.5
alternating = true
number_of_games = 2
adjudication = {{ win = {{ score = 20, moves = 2, after = 6 }} }}

[players.one]
command = "{gnugo} --mode gtp --level 1"
evaluate = true

[players.two]
command = "{gnugo} --mode gtp --level 1"
evaluate = true

[[matchups]]
players = ["one", "two"]
"""


def test_gnugo_and_gnugo_agree_on_who_has_won_long_before_the_game_is_over(gyoji):
    (gyoji.folder / "early.toml").write_text(ADJUDICATED.format(gnugo=GNUGO))
    status, out, err = gyoji("run", "early.toml", timeout=300)
    assert (status, err) == (0, UNTOLD.format("one, two"))
    assert "game 0_0: two beat one W+ (adjudication: both sides say so)" in out
    with Store.read(gyoji.folder / "early.db") as store:
        records = [store.record(game)[1] for game in ("0_0", "0_1")]
    for record in records:
        assert record.result.outcome.ending is Ending.ADJUDICATION
        assert 6 <= record.result.turns < 30
        assert [each.turn for each in record.opinions] == list(range(record.result.turns))
    assert b"RE[W+]" in (gyoji.folder / "early.games" / "0_1.sgf").read_bytes()
    status, out, _ = gyoji("verify", "early.toml")
    assert (status, "no differences" in out) == (0, True)


def test_a_control_file_of_gomill_runs_unchanged_and_its_report_has_gomills_layout(gyoji, monkeypatch):
    gyoji.environ["PATH"] += ":/usr/games"
    shutil.copy(EXAMPLES / "gomill-simple.ctl", gyoji.folder / "sample.ctl")
    status, _, err = gyoji("run", "sample.ctl", "-q", "-j", "2", "-g", "3", timeout=300)
    assert (status, err) == (0, "")
    report = (gyoji.folder / "sample.report").read_text().splitlines()
    assert report[0] == "playoff: sample"
    block = next(number for number, line in enumerate(report) if " v " in line and line.endswith("games)"))
    assert report[block].split(" (")[1].startswith("3/")
    assert report[block + 1].startswith("board size: ")
    assert report[block + 2].split() == ["wins", "black", "white", "avg", "cpu"]
    assert [line.split()[0] for line in report[block + 3 : block + 5]] == report[block].split()[:3:2]
    assert any(line.startswith("player gnugo") and "GNU Go:3" in line for line in report)


JAPANESE = """\
competition = "playoff"
board_size = 9
komi = 6.5
ruleset = "japanese"
scorer = "internal"
openings = {{ file = "openings.txt", symmetries = "each" }}
alternating = true
number_of_games = 20
skip_player_checks = true

[players.one]
command = "{gnugo} --mode gtp --level 1 --seed 1"

[players.two]
command = "{gnugo} --mode gtp --level 2 --seed 1"

[[matchups]]
players = ["one", "two"]
"""


@pytest.mark.nightly
def test_under_japanese_rules_the_score_is_the_one_that_gnugo_counts_itself(gyoji):
    openings = ("E5", "C3", "G4", "D6", "C3 G7", "E3 E7", "D4 F6", "C5 G5", "E5 C3", "F4 D7")
    (gyoji.folder / "openings.txt").write_text("\n".join(openings) + "\n")
    (gyoji.folder / "japan.toml").write_text(JAPANESE.format(gnugo=GNUGO))
    status, _, err = gyoji("run", "japan.toml", "-q", "-j", "2", timeout=300)
    assert (status, err) == (0, "")
    ours, theirs = [], []
    with Store.read(gyoji.folder / "japan.db") as store:
        for result in list(store.results()):
            spec, record = store.record(result.id)
            if result.outcome.ending is Ending.SCORE:
                played = [turn[0] for turn in record.turns if not turn[0].phase]
                ours.append(result_code(result.outcome))
                theirs.append(counted_by_gnugo(spec.options, played))
    assert len(ours) >= 15
    # In two games GNU Go calls C7 nobody's, a point that white stones alone surround
    assert [pair for pair in zip(ours, theirs, strict=True) if pair[0] != pair[1]] == [("W+8.5", "W+7.5")] * 2


def counted_by_gnugo(options, played):
    """Return the final_score of GNU Go for the board at the first two passes."""
    commands = [f"boardsize {options['board_size']}", f"komi {options['komi']}"]
    opening = options["opening"].split()
    commands += [f"play {'bw'[number % 2]} {move}" for number, move in enumerate(opening)]
    commands += [f"play {'bw'[each.seat]} {each.move}" for each in played]
    script = "\n".join([*commands, "final_score", "quit", ""])
    words = [GNUGO, "--mode", "gtp", "--level", "8", "--japanese-rules"]
    said = subprocess.run(words, input=script, capture_output=True, text=True, check=True).stdout
    return said.split("\n\n")[-3].strip("= \n")


OPENED = """\
competition = "playoff"
board_size = 7
komi = 9
scorer = "internal"
openings = {{ file = "openings.txt", symmetries = "each" }}
number_of_games = 6
alternating = true

[players.one]
command = "{gnugo} --mode gtp --level 1 --seed 7"

[players.two]
command = "{gnugo} --mode gtp --level 1 --seed 7"

[[matchups]]
players = ["one", "two"]
"""


def test_two_engines_without_chance_play_a_new_game_from_each_opening_and_it_twice(gyoji):
    (gyoji.folder / "openings.txt").write_text("D4 C5\nAB D4 F3 AW B5 C3 PL W D2\n")
    (gyoji.folder / "opened.toml").write_text(OPENED.format(gnugo=GNUGO))
    status, _, err = gyoji("run", "opened.toml", "-j", "2", timeout=300)
    told = "gyoji: players one, two: cannot be told the rules; each goes by its own settings\n"
    assert (status, err) == (0, told)
    records = sorted((gyoji.folder / "opened.games").glob("*.sgf"))
    games = [main_line(parse(record.read_bytes())[0]) for record in records]
    played = [(game.stones, game.to_play, game.moves) for game in games]
    assert [played[number] == played[number + 1] for number in (0, 2, 4)] == [True] * 3
    assert len({str(each) for each in played}) == 3
    assert [game.result[:2] in ("B+", "W+", "0") for game in games] == [True] * 6
    status, out, _ = gyoji("replay", "opened.games")
    assert "6 games: none illegal" in out


CHINESE = """\
competition = "playoff"
board_size = 9
komi = 7.5
ruleset = "chinese"
skip_player_checks = true

[players.one]
command = "{gnugo} --mode gtp --level 1"

[players.two]
command = "{gnugo} --mode gtp --level 2"

[[matchups]]
players = ["one", "two"]
alternating = true
number_of_games = 2

[[matchups]]
players = ["one", "two"]
number_of_games = 2
dead_stones = "agreement"
"""


def test_under_area_rules_dead_stones_are_taken_off_before_the_board_is_counted(gyoji):
    (gyoji.folder / "china.toml").write_text(CHINESE.format(gnugo=GNUGO))
    status, _, err = gyoji("run", "china.toml", "-q", "-j", "2", timeout=300)
    assert (status, err) == (0, "")
    with Store.read(gyoji.folder / "china.db") as store:
        settled = {result.id: result.settled for result in store.results()}
    assert {settled["0_0"], settled["0_1"]} == {"play"}
    assert {settled["1_0"], settled["1_1"]} <= {"agreement", "dispute"}
    status, out, _ = gyoji("replay", "china.games")
    assert out.splitlines()[-1] == "4 games: none illegal, none with another result; no files not read"


CONTAINED = """\
competition = "playoff"
board_size = 7
komi = 7.5
number_of_games = 1
sandbox = "{level}"

[players.a]
command = "{gnugo} --mode gtp --level 1 --seed 7"

[players.b]
command = ["/bin/sh", "-c", "{gnugo} --mode gtp --level 1 --seed 8 | cat"]

[[matchups]]
players = ["a", "b"]
"""


def test_gnugo_plays_the_same_game_at_every_level_of_containment(gyoji):
    games = set()
    for level in ("off", "guarded", "strict"):
        (gyoji.folder / f"{level}.toml").write_text(CONTAINED.format(gnugo=GNUGO, level=level))
        status, _, err = gyoji("run", f"{level}.toml", timeout=300)
        assert status == 0, err
        (record,) = (gyoji.folder / f"{level}.games").glob("*.sgf")
        (game,) = map(main_line, parse(record.read_bytes()))
        assert len(game.moves) > 10
        games.add((tuple(game.moves), game.result))
    assert len(games) == 1
