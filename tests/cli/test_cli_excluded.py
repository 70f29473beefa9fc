"""Games of other settings are not counted with the rest, and every report says so."""

import csv
import json

import pytest
from click.testing import CliRunner

from gyoji.cli.app import app
from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.core.record import EngineReport, GameRecord, GameResult
from gyoji.results.comparison import Comparison
from gyoji.results.game_ids import plain
from gyoji.scheduler.event import Event, count
from gyoji.store.store import Store

CUP = """
competition = "{kind}"
board_size = {size}
komi = 7.5
{more}

[players.a]
command = "nowhere-a {words}"
[players.b]
command = "nowhere-b"
"""
PLAYOFF = "\n[[matchups]]\nplayers = ['a', 'b']\nnumber_of_games = 4\nalternating = true\n"
TOLD = "excluded: 3 games of a v b (a 2, b 1), board size 5, not 7"


@pytest.fixture
def cup(tmp_path):
    return tmp_path / "cup.toml"


def write(path, size, *, kind="playoff", more="", words=""):
    text = CUP.format(kind=kind, size=size, more=more, words=words)
    path.write_text(text + (PLAYOFF if kind == "playoff" else ""))


def play(path, winners):
    """Store a game for each winner (a seat), as a run would; their ids."""
    event = Event.open(path)
    comparison, ids = Comparison(event.setup), []
    with Store.open(event.files.database, create=True, competition="cup") as store:
        event.take_secret(store)
        count(store, comparison, event.competition)
        for winner in winners:
            spec = comparison.renamed(event.competition.next_game())
            result = GameResult(
                id=spec.id,
                pairing=spec.pairing,
                players=tuple(player.code for player in spec.players),
                outcome=Outcome(points=won_by(winner, 2), ending=Ending.RESIGNATION, seat=1 - winner),
                turns=0,
                engines=(EngineReport(), EngineReport()),
                started="2026-11-21T01:10:00+00:00",
                wall_ns=10**9,
            )
            store.append(spec, GameRecord(result=result, turns=()))
            event.competition.add(plain(result))
            ids.append(spec.id)
    return ids


def gyoji(*words):
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def mixed(cup):
    """Three games at 5x5, then the first two of four at 7x7."""
    write(cup, 5)
    assert play(cup, [0, 0, 0]) == ["0_0", "0_1", "0_2"]
    write(cup, 7)
    assert play(cup, [1, 1]) == ["0_0@2", "0_1@2"]
    return cup


def test_show_counts_games_of_today_and_tells_of_the_others(mixed):
    shown = gyoji("show", mixed)
    assert "a v b (2/4 games)\nboard size: 7" in shown
    assert shown.endswith(f"\n\n{TOLD}\n")
    assert gyoji("show", mixed).count("games)") == 1


def test_show_json_has_both(mixed):
    values = json.loads(gyoji("show", "--json", mixed))
    assert values["matchups"][0]["played"] == 2
    assert values["tables"]["excluded"] == [
        {
            "players": ["a", "b"],
            "games": 3,
            "points": {"a": 2.0, "b": 1.0},
            "settings": [{"setting": "board_size", "was": "5", "now": "7"}],
        }
    ]
    assert "changed" not in values["tables"]


@pytest.mark.parametrize("form", ["text", "markdown", "csv", "json", "html"])
def test_a_report_of_any_form_tells_of_them(mixed, form):
    report = gyoji("report", "--format", form, "-o", "-", mixed)
    assert ('"was": "5"' if form == "json" else "board size 5, not 7") in report
    assert "0_2" not in report.replace("\\", "")
    if form == "json":
        standings = json.loads(report)["tables"]["standings"]
        assert [row["played"] for row in standings] == [2, 2]


def test_the_table_can_be_had_by_itself(mixed):
    rows = list(csv.reader(gyoji("report", "--format", "csv", "--table", "excluded", mixed).splitlines()))
    assert rows == [
        ["players", "games", "points", "settings"],
        ["a v b", "3", "a 2, b 1", "board size 5, not 7"],
    ]


def test_settings_that_become_what_they_were_make_games_count_again(mixed):
    write(mixed, 5)
    shown = gyoji("show", mixed)
    assert "a v b (3/4 games)\nboard size: 5" in shown
    assert "excluded: 2 games of a v b (a 1, b 1), board size 7, not 5" in shown
    assert play(mixed, [0]) == ["0_3"]


def test_a_table_that_would_be_empty_is_told_of_as_well(cup):
    write(cup, 5)
    play(cup, [0, 0, 0])
    write(cup, 7)
    assert gyoji("show", cup) == f"no results yet\n\n{TOLD}\n"
    assert "board size 5, not 7" in gyoji("report", "--format", "html", "-o", "-", cup)


def test_a_player_that_has_changed_counts_and_is_told_of(cup):
    write(cup, 5)
    play(cup, [0, 0])
    write(cup, 5, words="--fast")
    shown = gyoji("show", cup)
    assert "a v b (2/4 games)" in shown
    assert shown.endswith("player a has changed: 2 games by another command: nowhere-a\n")
    assert "Players that have changed" in gyoji("report", "--format", "markdown", cup)
    (changed,) = json.loads(gyoji("show", "--json", cup))["tables"]["changed"]
    assert (changed["player"], changed["games"], changed["settings"]) == ("a", 2, ["command"])


FORMATS = {
    "playoff": "",
    "allplayall": "rounds = 8",
    "gauntlet": "challengers = ['a']\nchampions = ['b']\nrounds = 8",
    "swiss": "rounds = 1\ngames_per_match = 8",
    "knockout": "games_per_match = 9",
    "ladder": "rounds = 1\ngames_per_match = 9",
    "stages": "rounds = 1",
    "sprt": "elo0 = 0\nelo1 = 5",
    "groups": "[[groups]]\nplayers = ['a', 'b']\nrounds = 8",
    "contest": "[[phases]]\nid = 'A'\nformat = 'stages'\nadvance = 1",
}


@pytest.mark.parametrize("kind", FORMATS)
def test_in_every_format_games_are_played_anew_under_the_new_settings(cup, kind):
    more = FORMATS[kind]
    tables = more if more.startswith("[[") else ""
    top = "" if tables else more

    def describe(size):
        write(cup, size, kind=kind, more=top)
        cup.write_text(cup.read_text() + tables)

    describe(5)
    first = play(cup, [0])
    assert "excluded" not in gyoji("show", cup)
    describe(7)
    assert "excluded: 1 game of a v b" in gyoji("show", cup)
    assert play(cup, [0]) == [f"{first[0]}@2"]
    assert gyoji("show", cup).count("excluded: 1 game of a v b") == 1
