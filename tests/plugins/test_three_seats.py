"""A game for three, each for itself: refereed, stored, shown, and refused where players are paired."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from commands import run
from gyoji import api
from gyoji.cli.app import app
from gyoji.core import messages as m
from gyoji.core.describe import describe_result, result_code
from gyoji.core.faults import FaultKind
from gyoji.core.outcome import Ending, Outcome, lost_by
from gyoji.core.plugins import GAMES
from gyoji.core.spec import GameSpec, Player
from gyoji.referee.referee import Referee
from gyoji.referee.review import Review
from gyoji.referee.seat_state import Closing, Send
from gyoji.testing.rules_kit import check_rules

HERE = Path(__file__).parent
ENGINE = str(HERE / "engines" / "odds_player.py")


@pytest.mark.parametrize("turns", [1, 2, 5])
def test_the_rules_keep_what_the_port_promises(turns):
    game = GAMES.find("high_card")
    for seed in range(3):
        check_rules(game.rules(game.options(turns=turns), seed=seed), games=8)


def lowest(question):
    return question.view.hand[0]


def highest(question):
    return question.view.hand[-1]


def gives_up(question):
    return api.Resigned() if len(question.view.hand) == 3 else lowest(question)


def test_functions_play_it_and_come_in_by_their_tricks():
    record = api.play("high_card", [lowest, highest, lowest], names=("a", "b", "c"), seed=4)
    outcome = record.result.outcome
    assert len(record.turns) == 15
    assert sum(outcome.totals) == 5
    places = [1 + sum(other > own for other in outcome.totals) for own in outcome.totals]
    assert list(outcome.places) == places
    assert record.result.opponents == ("a", "b", "c")


def test_one_who_resigns_is_out_of_the_game_and_the_others_play_on():
    record = api.play("high_card", [lowest, gives_up, lowest], names=("a", "b", "c"))
    result, outcome = record.result, record.result.outcome
    assert (result.left_out, result.warnings) == ((1,), ("b is out of the game: resigned",))
    assert [turn[0].seat for turn in record.turns].count(1) == 2
    assert [turn[0].seat for turn in record.turns].count(2) == 5
    assert (outcome.ending, outcome.places[1]) == (Ending.SCORE, 3)
    outcome = Outcome(points=lost_by(1, 3), ending=Ending.RESIGNATION, seat=1)
    assert describe_result(replace(result, outcome=outcome)) == "a, c beat b (resignation)"
    assert result_code(outcome, ("N", "E", "W")) == "N=W+R"


def test_a_game_that_went_on_without_one_who_resigned_is_judged_again_as_it_was():
    table = Table()
    table.lay(0)
    table.say(1, m.Resigned())
    while (state := table.referee).outcome is None:
        table.lay(state.rules.acting(state.position)[0])
    record = state.record("2026-11-22T06:00:00+00:00", 0, [Closing()] * 3)
    assert record.result.left_out == (1,)
    assert Review(state.spec, state.rules, record, [lambda _text: m.Scored()] * 3).differences == []


def test_if_all_others_resign_the_last_one_has_won():
    table = Table()
    table.say(0, m.Resigned())
    table.say(1, m.Resigned())
    assert table.referee.outcome.places == (3, 2, 1)


PERSON = m.Ready("person", consents=True)
DRAW, YES, NO = m.OffersDraw(), m.Agreed(), m.Declined()


class Table:
    """A referee of three people, and what they say."""

    def __init__(self):
        players = tuple(Player(code=code, command=("x",)) for code in "abc")
        spec = GameSpec(id="t_0", pairing="t", game="high_card", players=players, draw_offers=True)
        self.referee = Referee(spec, GAMES.find("high_card").make_rules({}, 0))
        self.referee.begin()
        for seat in range(3):
            self.say(seat, PERSON)

    def say(self, seat, reply):
        """Return what its answer leads to: (seat, request) of each who is asked something."""
        actions = self.referee.replied(seat, reply, 0)
        return [(each.seat, each.request) for each in actions if isinstance(each, Send)]

    def lay(self, seat):
        return self.say(seat, m.Moved(self.referee.position.hands[seat][0]))


def kinds(asked):
    return [(seat, type(request)) for seat, request in asked]


def test_a_draw_that_all_others_agree_to_is_one_of_all():
    table = Table()
    assert kinds(table.say(0, DRAW)) == [(1, m.AskConsent), (2, m.AskConsent)]
    assert table.say(2, YES) == []
    table.say(1, YES)
    outcome = table.referee.outcome
    assert (outcome.ending, outcome.places) == (Ending.AGREEMENT, (1, 1, 1))


def test_the_game_goes_on_when_one_declines_and_waits_for_the_others_answer_at_its_turn():
    table = Table()
    table.say(0, DRAW)
    ((seat, again),) = table.say(1, NO)
    assert (seat, type(again), again.notice) == (0, m.AskMove, "b declines the draw")
    ((seat, again),) = table.say(0, DRAW)
    assert (seat, again.notice) == (0, "c has not answered an earlier request yet")
    assert kinds(table.lay(0)) == [(1, m.AskMove)]
    assert table.lay(1) == []  # c is to move, and is still asked whether it agrees
    assert kinds(table.say(2, NO)) == [(2, m.AskMove)]
    assert len(kinds(table.lay(2))) == 1


def test_an_answer_that_comes_late_asks_nobody_twice():
    table = Table()
    table.say(0, DRAW)
    table.say(1, NO)
    assert table.say(2, YES) == []
    assert table.referee.outcome is None
    assert kinds(table.lay(0)) == [(1, m.AskMove)]


def test_who_is_asked_and_breaks_down_is_out_of_the_game_and_the_others_go_on():
    table = Table()
    table.say(0, DRAW)
    actions = table.referee.broken(1, FaultKind.EXIT, "exited (exit 1)")
    assert [each.seat for each in actions if isinstance(each, Send)] == [0]
    assert table.say(2, YES) == []
    assert kinds(table.say(0, DRAW)) == [(2, m.AskConsent)]  # not who is gone
    table.say(2, YES)
    assert table.referee.outcome.ending is Ending.AGREEMENT


FILE = """\
competition = "{format}"
game = "high_card"
{settings}
[players.a]
command = ["{python}", "-I", "-S", "{engine}"]
[players.b]
command = ["{python}", "-I", "-S", "{engine}", "--pick", "high"]
[players.c]
command = ["{python}", "-I", "-S", "{engine}"{more}]
"""


@pytest.fixture
def event(tmp_path):
    """Writes a control file of this format, c's words after the others."""

    def made(name, *words, settings=""):
        path = tmp_path / "cup.toml"
        more = "".join(f', "{word}"' for word in words)
        text = FILE.format(format=name, python=sys.executable, engine=ENGINE, more=more, settings=settings)
        path.write_text(text)
        return path

    return made


def gyoji(*words, status=0):
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == status, done.output
    return done.stdout if status == 0 else done.stderr


PAIRING = {
    "allplayall": "",
    "chain": "",
    "contest": '[[phases]]\nname = "all"\nformat = "swiss"\nrounds = 2',
    "gauntlet": 'champions = ["a"]',
    "groups": '[[groups]]\nplayers = ["a", "b", "c"]\nrounds = 2',
    "knockout": "",
    "ladder": "",
    "playoff": '[[matchups]]\nplayer_1 = "a"\nplayer_2 = "b"',
    "stages": "",
    "swiss": "rounds = 2",
}
"""Settings of the formats that pair players."""


@pytest.mark.parametrize("name", PAIRING)
def test_a_format_that_pairs_players_refuses_it(event, name):
    path = event(name, settings=PAIRING[name])
    assert gyoji("run", path, status=2) == (
        f"gyoji: cup: game: {name} seats 2 sides in a game, and high_card has 3: expected a game of 2, or a "
        "format that seats 3: tables, elimination, sprt\n"
    )
    assert not path.with_suffix(".db").exists()


def test_a_format_for_three_refuses_a_game_of_two_sides(event):
    path = event("round_table")
    path.write_text(path.read_text().replace("high_card", "odds_and_evens"))
    assert "round_table seats 3 sides in a game, and odds_and_evens has 2" in gyoji("run", path, status=2)


@pytest.mark.parametrize(("there_are", "is_enough"), [(2, False), (3, True)])
def test_all_players_of_a_game_count_for_what_it_needs(event, there_are, is_enough):
    path = event("round_table", settings=f"resources = {{ gpu = {there_are} }}")
    path.write_text(path.read_text().replace("\ncommand", "\nresources = { gpu = 1 }\ncommand"))
    if is_enough:
        assert len(api.open_event(path).setup.players) == 3
    else:
        told = gyoji("show", path, status=2)
        assert "a game a v b v c needs 3, and there is only 2" in told


def test_gyoji_match_seats_them_at_tables():
    word = f"{sys.executable} {ENGINE}"
    told = gyoji("match", word, word, "--game", "high_card", status=2)
    assert "expected 3 or more, as many as high_card has sides, got 2" in told
    told = gyoji("match", word, word, word, "--game", "high_card", "--games", "4", status=2)
    assert "--games: expected a multiple of 3, as players change seats at a table of 3; got 4" in told


STANDINGS = """\
3 games played

       games  points   share  place  1st  2nd  3rd  out  tricks  s/game
1. b       3    1.67  55.56%   1.33    2    1    0    0     1.7     0.0
2. a       3    1.33  44.44%   1.67    1    2    0    0     1.3     0.0
3. c       3    0.00   0.00%   3.00    0    0    3    3     0.0     0.0
"""


def timeless(text):
    """Return a text in which no game took any time."""
    return re.sub(r"\d\.\d$", "0.0", text, flags=re.M)


@pytest.fixture
def played(event):
    """The control file of three games that workers of another process have played; c falls out of each."""
    path = event("round_table", "--stop", "2", settings='games = 3\nturns = 3\nsandbox = "off"\nseed = 5')
    words = (sys.executable, "-m", "gyoji", "run", path)
    cards = str(HERE / "card_games")
    told = run(*words, stderr=subprocess.PIPE, timeout=300, PYTHONPATH=cards)
    assert STANDINGS in timeless(told)
    return path


@pytest.mark.process
def test_workers_play_it_and_every_report_has_its_places(played, tmp_path):
    lines = ["1. b 2, 2. a 1, 3. c 0", "1. a 2, 2. b 1, 3. c 0", "1. b 2, 2. a 1, 3. c 0"]
    records = [path.read_text().splitlines() for path in sorted((tmp_path / "cup.games").iterdir())]
    assert [record[0] for record in records] == lines
    assert "starting game table_1: b (n), c (e), a (w)" in (tmp_path / "cup.log").read_text()
    assert [result.outcome.places for result in api.open_event(played).results()] == [
        (2, 1, 3),
        (2, 3, 1),
        (3, 2, 1),
    ]
    assert "3 games, 21 moves; 3 record files" in gyoji("verify", played)

    assert timeless(gyoji("show", played)) == STANDINGS
    told = json.loads(gyoji("report", played, "--format", "json", "-o", "-"))
    places = [
        (each["player"], *(each[f"place_{place}"] for place in (1, 2, 3)))
        for each in told["tables"]["standings"]
    ]
    assert places == [("b", 2, 1, 0), ("a", 1, 2, 0), ("c", 0, 0, 3)]
    assert list(told["tables"]) == [
        "standings",
        "ahead",
        "endings",
        "games",
        "containment",
    ]
    markdown = gyoji("report", played, "--format", "markdown", "-o", "-")
    assert "| score | 3 | 100.00% | 0 | 1 | 2 | 0 | 0 |" in markdown
    page = gyoji("report", played, "--format", "html", "-o", "-")
    assert '"sides":["north","east","west"]' in page
    assert '{"name":"c","side":2,"role":""}' in page
    assert '"result":"1. b 2, 2. a 1, 3. c 0"' in page

    assert "game table_0 has 3 sides, and PGN has" in gyoji("export", played, "--to", "bayeselo", status=2)
    assert "expected two units or more, got one" in gyoji("ratings", played, status=2)


@pytest.mark.process
def test_tables_are_played_rated_and_resumed(event):
    settings = 'tables = 2\nturns = 3\nsandbox = "off"\nseed = 5\nrecord_games = false'
    path = event("tables", settings=settings)
    words = (sys.executable, "-m", "gyoji", "run", path)
    cards = str(HERE / "card_games")
    told = run(*words, "--max-games", "4", stderr=subprocess.PIPE, timeout=300, PYTHONPATH=cards)
    assert "4 of 6 games, 1 table of 3 played" in told
    run(*words, stderr=subprocess.PIPE, timeout=300, PYTHONPATH=cards)
    assert "6 of 6 games, 2 tables of 3 played" in gyoji("show", path)
    assert "6 games" in gyoji("verify", path)

    rated = gyoji("ratings", path)
    assert "games: 6 in 2 units; +/- is 95%" in rated
    assert "model: Plackett-Luce; a player 100 Elo stronger" in rated
    values = json.loads(gyoji("ratings", path, "--json"))
    assert (values["units"], [seat["seat"] for seat in values["seats"]]) == (2, [0, 1])
    heads = gyoji("ratings", path, "--csv").splitlines()[0]
    assert heads.startswith("rank,group,player,rating,error_95,games,points,points_error_95,mean_total")
    held = json.loads(gyoji("ratings", path, "--json", "--anchor", "a=1000", "--relative-to", "a"))
    assert {each["player"]: each["rating"] for each in held["players"]}["a"] == pytest.approx(1000)
    assert "expected no error" in gyoji("ratings", path, "--anchor", "a=1000+-30", status=2)
    tables = json.loads(gyoji("report", path, "--format", "json", "-o", "-"))["tables"]
    assert list(tables)[:3] == ["standings", "ahead", "ratings"]
    page = gyoji("report", path, "--format", "html", "-o", "-")
    assert "Who came in before whom" in page
