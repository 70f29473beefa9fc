"""A brain that wants the colours of the stones in SWAP2BOARD, as Rapfi 0.43 does, in a run."""

import sys

import pytest
from click.testing import CliRunner

from gyoji.cli.app import app
from gyoji.scheduler.event import Event

pytestmark = pytest.mark.process

BRAIN = """
import sys

size, stones, listed, swap2 = 15, set(), None, False

def say(text):
    print(text, flush=True)

def free(number=1):
    points = [(x, y) for y in range(size) for x in range(size) if (x, y) not in stones][:number]
    stones.update(points)
    return " ".join(f"{x},{y}" for x, y in points)

for line in map(str.strip, sys.stdin):
    word, _, rest = line.partition(" ")
    if listed is not None and word != "DONE":
        point = line.split(",")
        if len(point) == 3:
            listed.append(tuple(map(int, point[:2])))
        else:
            say("ERROR Color is not a valid value, must be one of [1, 2, 3].")
    elif word == "DONE":
        stones, listed, is_choice = set(listed), None, swap2 and listed
        say("SWAP" if is_choice else free(3 if swap2 else 1))
    elif word in ("BOARD", "SWAP2BOARD"):
        listed, swap2 = [], word == "SWAP2BOARD"
    elif word == "START":
        size = int(rest)
        say("OK")
    elif word == "TURN":
        stones.add(tuple(map(int, rest.split(","))))
        say(free())
    elif word == "END":
        break
    elif word == "BEGIN":
        say(free())
    elif word == "ABOUT":
        say(\'name="Coloured"\')
"""

CUP = """
competition = "playoff"
game = "gomoku"
board_size = 6
swap2 = true
sandbox = "off"
record_games = false
number_of_games = {games}
{more}
[players]
a = {{ command = {command}, send_about = false }}
[[matchups]]
players = ["a", "a"]
"""


@pytest.fixture
def written(tmp_path):
    """Writes the control file of an event between such a brain and itself."""
    brain = tmp_path / "pbrain-coloured.py"
    brain.write_text(BRAIN)

    def write(more="", games=2):
        path = tmp_path / "cup.toml"
        path.write_text(CUP.format(more=more, games=games, command=[sys.executable, str(brain)]))
        return path

    return write


def endings(path):
    event = Event.open(path)
    with event.read() as store:
        return [result.outcome for result, _ in store.played()]


def run(path):
    return CliRunner().invoke(app, ["run", "-q", str(path)])


def test_a_run_finds_the_dialect_before_its_first_game_and_plays_all_games_in_it(written):
    said = "gyoji: player a: speaks another dialect; its games are played with swap2_colours = true\n"
    assert run(written()).stderr == said
    assert run(written(games=3)).stderr == said
    outcomes = endings(written(games=3))
    assert [outcome.is_forfeit for outcome in outcomes] == [False] * 3
    assert "excluded" not in CliRunner().invoke(app, ["show", str(written(games=3))]).output


def test_without_the_check_the_ruling_names_the_setting(written):
    run(written("skip_player_checks = true"))
    for outcome in endings(written()):
        assert outcome.is_forfeit
        assert outcome.detail.endswith(
            "; due was SWAP, one stone or two after 'ERROR Color is not a valid value, "
            "must be one of [1, 2, 3].': try swap2_colours = true"
        )


def test_the_setting_itself_needs_no_finding(written):
    path = written()
    path.write_text(
        path.read_text().replace("send_about = false", "send_about = false, swap2_colours = true")
    )
    assert run(path).stderr == ""
    assert not any(outcome.is_forfeit for outcome in endings(path))
