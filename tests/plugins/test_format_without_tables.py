"""A format of somebody else's that says nothing of tables: its players and their points are shown."""

import json

import pytest
from click.testing import CliRunner

from distributions import lay_out, look_again
from finished import resigned
from gyoji.cli.app import app
from gyoji.scheduler.event import Event
from gyoji.store.store import Store
from shown import history_lines

DUEL = """
    from dataclasses import dataclass

    from gyoji.core.plugins import Format
    from gyoji.core.setup import GameSettings
    from gyoji.pairing.game_maker import GameMaker


    @dataclass(frozen=True, slots=True, kw_only=True)
    class Settings(GameSettings):
        games: int


    class Duel:
        def __init__(self, setup):
            self._players = tuple(setup.players.values())
            self._maker = GameMaker(setup, setup.settings)
            self._games = setup.settings.games
            self._next = 0

        def add(self, result):
            self._next = max(self._next, int(result.id.rpartition("_")[2]) + 1)

        def next_game(self):
            if self._next == self._games:
                return None
            self._next += 1
            return self._maker.spec("duel", self._next - 1, self._games, self._players, swaps=True)

        def remaining(self):
            return self._games - self._next

        def checks(self):
            return [self._maker.check("", player) for player in self._players]


    FORMAT = Format(name="duel", settings=Settings, competition=Duel)
"""

FILE = """
competition = "duel"
board_size = 9
komi = 7.5
games = 4
[players.a]
command = "nowhere-a"
[players.b]
command = "nowhere-b"
"""


@pytest.fixture
def duel(tmp_path, monkeypatch):
    """The path of a control file of that format, after three games, of which b has won two."""
    entries = [("gyoji.formats", "duel", "duel:FORMAT")]
    monkeypatch.syspath_prepend(lay_out(tmp_path, {"duel": DUEL}, entries))
    look_again(monkeypatch)
    path = tmp_path / "cup.toml"
    path.write_text(FILE)
    event = Event.open(path)
    with Store.open(event.files.database, create=True, competition="cup") as store:
        event.take_secret(store)
        for winner in (0, 0, 1):
            spec = event.competition.next_game()
            store.append(spec, resigned(spec, winner))
    return path


def gyoji(*words):
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


TABLE = """\
3 games played

       games  points   share  Berger  won  level  lost
1. b       3       2  66.67%    2.00    2      0     1
2. a       3       1  33.33%    2.00    1      0     2
"""


def test_the_screen_and_the_report_have_its_players_and_their_points(duel):
    assert gyoji("show", duel) == TABLE
    told = f"duel: cup\n\n{TABLE}\nplayer a: A\nplayer b: B\n\ntwo against each other"
    assert gyoji("report", duel, "-o", "-").startswith(told)


def test_all_forms_have_the_tables_that_every_competition_has(duel):
    told = json.loads(gyoji("report", duel, "--format", "json"))
    assert [place["player"] for place in told["tables"]["standings"]] == ["b", "a"]
    names = ["standings", "cross", "ratings", "pairs", "sides", "endings", "losses", "thinking", "games"]
    assert list(told["tables"]) == names
    for form in ("markdown", "csv", "html"):
        assert "Everybody against everybody" in gyoji("report", duel, "--format", form, "-o", "-")


def test_its_history_says_who_beat_whom(duel):
    event = Event.open(duel)
    spec = event.competition.next_game()
    result = resigned(spec, 0).result
    event.competition.add(result)
    assert list(history_lines(event.competition, result)) == [f"{spec.id:>7} a beat b B+R"]
