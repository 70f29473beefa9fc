"""Plug-ins of all four kinds through the command line and its workers; and plug-ins that are wrong."""

import json
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from commands import run
from distributions import lay_out, look_again
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import FORMATS, GAMES
from gyoji.store.store import Store

HERE = Path(__file__).parent
ENGINE = HERE / "engines/odds_player.py"
EVENT = f"""
competition = "chain"
game = "odds_and_evens"
turns = 3
times = 2
executor = "noting"
players.ann.command = ["{sys.executable}", "{ENGINE}"]
players.bob.command = ["{sys.executable}", "{ENGINE}"]
players.cyd.command = ["{sys.executable}", "{ENGINE}"]
players.cyd.executor = "contained"
"""


@pytest.fixture
def gyoji(tmp_path):
    """Runs gyoji beside the distribution of plug-ins, in a folder with a control file."""
    (tmp_path / "cards.toml").write_text(EVENT)
    environ = {"PYTHONPATH": str(HERE / "card_games"), "NOTES": str(tmp_path / "notes")}
    words = (sys.executable, "-m", "gyoji")
    return partial(run, *words, cwd=tmp_path, stderr=subprocess.PIPE, timeout=300, **environ)


ADJUDICATED = f"""
competition = "chain"
game = "odds_and_evens"
turns = 5
adjudication = {{ win = {{ chance = 0.95, moves = 2 }} }}
players.ann.command = ["{sys.executable}", "{ENGINE}", "--opinion", "0.97"]
players.bob.command = ["{sys.executable}", "{ENGINE}", "--opinion", "0.02"]
players.cyd.command = ["{sys.executable}", "{ENGINE}", "--opinion", "0.5"]
"""


@pytest.mark.process
def test_a_game_is_adjudicated_by_workers_where_both_sides_agree_and_another_is_not(gyoji, tmp_path):
    (tmp_path / "cup.toml").write_text(ADJUDICATED)
    said = gyoji("run", "cup.toml", "--parallel", "2")
    assert "game ann,bob_0: ann beat bob (adjudication: both sides say so)\n" in said
    with Store.read(tmp_path / "cup.db") as store:
        results = {result.players[:2]: result for result in store.results()}
    agreed, disputed = results["ann", "bob"], results["bob", "cyd"]
    assert (agreed.outcome.ending, agreed.outcome.points, agreed.turns) == ("adjudication", (1.0, 0.0), 2)
    assert (disputed.outcome.ending, disputed.turns) == ("score", 5)
    endings = gyoji("report", "cup.toml", "--table", "endings", "--format", "csv", "-o", "-")
    assert "\nadjudication,1," in endings
    assert "no differences" in gyoji("verify", "cup.toml")


@pytest.mark.process
def test_a_game_a_protocol_a_format_and_an_executor_of_others_are_played_by_workers(gyoji, tmp_path):
    said = gyoji("run", "cards.toml", "--parallel", "2")
    assert sum(line.startswith("game ") for line in said.splitlines()) == 4
    standing = json.loads(gyoji("show", "cards.toml", "--json"))
    assert sum(standing["points"].values()) == 4
    assert "ann has " in gyoji("report", "cards.toml", "-o", "-")
    assert "4 games" in gyoji("verify", "cards.toml")
    notes = Counter((tmp_path / "notes").read_text().split())
    # Two seats in each of its games, and one in its check; those of cyd are started by another executor.
    assert notes == {"ann": 1 + 2 * 2, "bob": 1 + 4 * 2}


OTHER = """
from gyoji.core.plugins import Format

GAME = Format(name="cards", settings=object, competition=None, tables=None)
"""


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            "import nowhere",
            "cannot be imported: ModuleNotFoundError: No module named 'nowhere'; ",
        ),
        ("1 / 0", "cannot be imported: ZeroDivisionError: division by zero; "),
        ("raise SystemExit(3)", "cannot be imported: SystemExit: 3; "),
        ("NAME = 1", "cannot be imported: AttributeError: module 'broken' has no attribute 'GAME'; "),
        ("GAME = 'cards'", "got an object of type str, expected a gyoji.core.game.Game; "),
        (OTHER, "got an object of type Format, expected a gyoji.core.game.Game; "),
        (
            "from gyoji.games.go.game import GAME",
            "its object is named 'go', expected the name of its entry point; ",
        ),
    ],
)
def test_a_plug_in_that_is_wrong_is_one_line_for_whoever_names_it(tmp_path, monkeypatch, source, message):
    entries = [("gyoji.games", "cards", "broken:GAME")]
    monkeypatch.syspath_prepend(lay_out(tmp_path, {"broken": source}, entries))
    look_again(monkeypatch)
    assert "cards" in GAMES.names
    assert GAMES.find("go").name == "go"
    where = "game 'cards', broken:GAME of plug-ins-of-tests 1.0: "
    with pytest.raises(ConfigError) as caught:
        GAMES.find("cards")
    sys.modules.pop("broken", None)
    assert str(caught.value) == f"{where}{message}mend or uninstall it"


def test_two_distributions_with_one_name_are_told_as_both(tmp_path, monkeypatch):
    for number in (1, 2):
        (tmp_path / f"{number}").mkdir()
        entries = [("gyoji.formats", "chain", f"chain_{number}:FORMAT")]
        monkeypatch.syspath_prepend(lay_out(tmp_path / f"{number}", {}, entries, name=f"chain-{number}"))
    look_again(monkeypatch)
    with pytest.raises(ConfigError) as caught:
        FORMATS.find("chain")
    assert str(caught.value) == (
        "competition 'chain': 3 distributions register it, expected one: chain:FORMAT of card-games 1.0 and "
        "chain_1:FORMAT of chain-1 1.0 and chain_2:FORMAT of chain-2 1.0; uninstall all but one"
    )


def test_a_distribution_that_is_found_twice_is_one(tmp_path, monkeypatch):
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "card_games-1.0.dist-info").symlink_to(HERE / "card_games/card_games-1.0.dist-info")
    monkeypatch.syspath_prepend(copy)
    look_again(monkeypatch)
    assert GAMES.find("face_down").name == "face_down"


def test_without_any_installed_game_the_message_says_what_to_do(tmp_path, monkeypatch):
    look_again(monkeypatch)
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    with pytest.raises(ConfigError, match=r"nothing is registered under gyoji\.games; .*: pip install it"):
        GAMES.find("go")
