"""An event in which pairs play at a size that both brains take."""

import sys

import pytest

from gyoji.store.store import Store

pytestmark = pytest.mark.process

BRAIN = """
import sys
from gyoji.engines.gomocup import Brain
Brain(lambda game: game.empty[0], name="B", sizes=tuple(map(int, sys.argv[1].split(",")))).run()
"""
EVENT = """
competition = "allplayall"
game = "gomoku"
board_size = 12
other_sizes = [10, 8]
openings = {{ file = "openings.txt" }}
clock = "60s"
rounds = 2
competitors = ["any", "large", "small"]
[players]
any = {{ command = ["{python}", "brain.py", "8,10,12"] }}
large = {{ command = ["{python}", "brain.py", "10,12"] }}
small = {{ command = ["{python}", "brain.py", "8,10"] }}
"""


@pytest.fixture
def event(gyoji):
    """A run of the event, and what its games were played on."""
    (gyoji.folder / "brain.py").write_text(BRAIN)
    (gyoji.folder / "openings.txt").write_text("0,0, 1,1\n")
    file = gyoji.folder / "cup.toml"
    file.write_text(EVENT.format(python=sys.executable))
    return file


def boards(event):
    """Return the size, and the opening, of each game."""
    with Store.read(event.with_suffix(".db")) as store:
        games = [store.record(result.id)[0] for result in store.results()]
    return {spec.id: (spec.options["board_size"], spec.options["opening"]) for spec in games}


def test_pairs_play_at_the_first_size_that_both_take_after_a_resume_too(gyoji, event):
    status, _, told = gyoji("run", event, "--max-games", 2)
    assert "player small: its games are played with board_size = 10 or board_size = 8" in told
    status, out, _ = gyoji("run", event)
    assert status == 0
    assert "6/6 games played" in out
    on_12, on_10 = (12, "g7h8"), (10, "f6g7")
    assert boards(event) == {
        **dict.fromkeys(("AvB_0", "AvB_1"), on_12),
        **dict.fromkeys(("AvC_0", "AvC_1", "BvC_0", "BvC_1"), on_10),
    }
    status, out, told = gyoji("verify", event)
    assert (status, "no differences" in out, told) == (0, True, "")
    _, out, _ = gyoji("show", event)
    assert "excluded" not in out


def test_games_at_a_size_that_is_no_longer_named_are_counted_apart(gyoji, event):
    gyoji("run", event)
    event.write_text(event.read_text().replace("[10, 8]", "[8]"))
    _, out, _ = gyoji("show", event)
    assert "excluded: 2 games of any v small" in out
    assert "board size 10, not 12\n" in out


def test_players_without_a_size_in_common_are_told_before_they_play(gyoji, event):
    event.write_text(event.read_text().replace('"8,10"', '"8"'))
    _, _, told = gyoji("run", event, "--max-games", 1)
    assert "players large and small: each variant of the game is refused by one of them" in told


def test_a_player_that_takes_no_size_cannot_play(gyoji, event):
    event.write_text(event.read_text().replace('"8,10"', '"15"'))
    status, _, told = gyoji("check", event, "--quick")
    assert (status, "1 of 3 players failed the checks" in told) == (1, True)
