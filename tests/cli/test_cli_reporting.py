"""gyoji report in all its forms, from stored games."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from command_line import gyoji
from msgspec.structs import replace

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import GameRecord, Played
from gyoji.report.html import scripts
from gyoji.report.html.page import SCRIPTS
from gyoji.scheduler import reports as report_forms
from gyoji.scheduler.event import Event
from gyoji.stats import ratings
from gyoji.store.store import Store
from gyoji.testing.competition_kit import drawn_result

CUP = """
competition = "allplayall"
board_size = 9
komi = 7.5
rounds = 2
players = {a = {command = "a"}, b = {command = "b"}, c = {command = "c"}}
"""
GAMES = 6
FORMS = ("text", "markdown", "bbcode", "csv", "json", "html")


@pytest.fixture
def cup(tmp_path):
    """The path of a control file whose competition has been played."""
    path = tmp_path / "cup.toml"
    path.write_text(CUP)
    event = Event.open(path)
    with Store.open(event.files.database, create=True, competition="cup") as store:
        event.take_secret(store)
        while (spec := event.competition.next_game()) is not None:
            turns = ((Played(0, "D4", 10**6),), (Played(1, "pass", 10**9),))
            store.append(spec, GameRecord(result=drawn_result(spec), turns=turns))
            event.competition.add(drawn_result(spec))
    return path


def printed(*words):
    result = gyoji("report", *words)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_text_and_page_go_beside_the_control_file_and_reset_takes_them_away(cup):
    for form, suffix in (("text", ".report"), ("html", ".html")):
        assert printed(cup, "--format", form) == ""
        assert cup.with_suffix(suffix).stat().st_size
    assert cup.with_suffix(".html").read_text().startswith("<!DOCTYPE html>")
    gyoji("reset", cup)
    assert list(cup.parent.iterdir()) == [cup]


def test_what_programs_read_goes_to_standard_output(cup):
    assert printed(cup, "--format", "markdown").startswith("# cup\n\n## Standings\n")
    assert printed(cup, "--format", "csv").startswith("Standings\nrank,player,")
    assert json.loads(printed(cup, "--format", "json"))["competition"]["code"] == "cup"
    assert not [path for path in cup.parent.iterdir() if path.suffix in (".md", ".csv", ".json", ".html")]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_can_go_to_a_file_or_to_standard_output(cup, tmp_path, form):
    shown = printed(cup, "--format", form, "--output", "-")
    assert printed(cup, "--format", form, "-o", tmp_path / "told") == ""
    assert Path(tmp_path, "told").read_text() == shown
    assert len(shown) > 100


@pytest.mark.parametrize(
    ("words", "made"),
    [
        (["markdown"], {"rate"}),
        (["csv"], {"rate"}),
        (["csv", "--table", "games"], set()),
        (["csv", "--table", "ratings"], {"rate"}),
        (["json"], {"rate", "event_values"}),
        (["json", "--table", "games"], set()),
        (["html"], {"rate", "report_lines", "candidate_charts"}),
    ],
)
def test_only_what_a_form_shows_is_made(cup, monkeypatch, words, made):
    asked = set()

    def noted(name, make):
        return lambda *args, **more: asked.add(name) or make(*args, **more)

    for name in ("event_values", "report_lines", "candidate_charts"):
        monkeypatch.setattr(report_forms, name, noted(name, getattr(report_forms, name)))
    monkeypatch.setattr(ratings, "rate", noted("rate", ratings.rate))
    printed(cup, "-o", "-", "--format", *words)
    assert asked == made


def test_one_table_alone_is_plain_csv(cup):
    table = list(csv.DictReader(io.StringIO(printed(cup, "--format", "csv", "--table", "standings"))))
    assert sorted(row["player"] for row in table) == ["a", "b", "c"]
    assert sum(int(row["games"]) for row in table) == 2 * GAMES


TIED = {"a": 0.0, "b": 1.0, "c": 0.0, "d": 1.0}
"""Points against those with others; d has its first game before b."""


@pytest.mark.parametrize("kind", ["allplayall", "swiss"])
def test_players_who_are_equal_in_all_have_one_rank_in_one_order_in_all_tables(tmp_path, kind):
    path = tmp_path / "cup.toml"
    rounds = "rounds = 2" if kind == "allplayall" else "rounds = 3\ngames_per_match = 2"
    players = "players = {a = {command = 'a'}, b = {command = 'b'}, c = {command = 'c'}, d = {command = 'd'}}"
    path.write_text(f"competition = {kind!r}\nboard_size = 9\nkomi = 7.5\n{rounds}\n{players}\n")
    event = Event.open(path)
    with Store.open(event.files.database, create=True, competition="cup") as store:
        event.take_secret(store)
        while (spec := event.competition.next_game()) is not None:
            one, two = (TIED[code] for code in spec.codes)
            points = ((1 + one - two) / 2, (1 + two - one) / 2)
            outcome = Outcome(points=points, ending=Ending.SCORE)
            result = replace(drawn_result(spec), outcome=outcome, sides=(), players=spec.codes)
            store.append(spec, GameRecord(result=result, turns=((Played(0, "D4", 10**6),),)))
            event.competition.add(result)
    told = json.loads(printed(path, "--format", "json"))
    places = [("1", "b"), ("1", "d"), ("3", "a"), ("3", "c")]
    assert [(str(each["rank"]), each["player"]) for each in told["tables"]["standings"]] == places
    for name in ("standings", "cross", "ratings"):
        table = list(csv.DictReader(io.StringIO(printed(path, "--format", "csv", "--table", name))))
        assert [(row["rank"], row["player"]) for row in table] == places, name
    on_screen = re.findall(r"^(\d)\. (\w) ", gyoji("show", path).stdout, re.M)
    assert on_screen == (places if kind == "swiss" else [])  # all-play-alls have a grid there


def test_one_table_alone_is_a_table_of_markdown_or_values(cup):
    assert printed(cup, "--format", "markdown", "--table", "games").count("\n") == GAMES + 2
    values = json.loads(printed(cup, "--format", "json", "--table", "games"))
    assert {name: len(rows) for name, rows in values["tables"].items()} == {"games": GAMES}


def test_json_has_what_show_has_and_the_tables(cup):
    values = json.loads(printed(cup, "--format", "json"))
    shown = json.loads(gyoji("show", "--json", cup).stdout)
    tables, shown_tables = values.pop("tables"), shown.pop("tables")
    assert {key: shown[key] for key in shown.keys() & values.keys()} == values
    assert {"matchups", "void_games"} <= values.keys()
    assert {key: tables[key] for key in shown_tables} == shown_tables
    assert list(tables)[:2] == ["standings", "cross"]


@pytest.mark.parametrize(("games", "number"), [("2", 2), ("0", 0), ("all", GAMES), ("99", GAMES)])
def test_only_so_many_games_are_told_in_full(cup, games, number):
    page = printed(cup, "--format", "html", "--games", games, "-o", "-")
    assert len(re.findall(r'id="game\d+"', page)) == number
    assert ('<div id="viewer"' in page) == bool(number)


def test_the_page_has_the_scripts_that_are_beside_its_modules(cup):
    page = printed(cup, "--format", "html", "-o", "-")
    assert page.count("<script>") == page.count('"use strict";') == 1
    own = [(Path(scripts.__file__).parent / name).read_text().splitlines()[0] for name in SCRIPTS]
    assert [page.count(f"{line}\n") for line in own] == [1] * len(SCRIPTS)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--games", "many"], "expected a number such as 200, or all, got 'many'"),
        (["--table", "cross"], "text has all tables"),
        (["--table", "cross", "--format", "html"], "html has all tables"),
        (["--table", "crosses", "--format", "csv"], "'crosses' is not one of 'standings'"),
        (["--format", "pdf"], "'pdf' is not one of"),
        (["--format", "csv", "--games", "0", "--table", "games"], "no game of it makes a table games"),
    ],
)
def test_what_cannot_be_done_is_one_line(cup, words, said):
    result = gyoji("report", cup, *words)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert said in result.stderr


@pytest.mark.parametrize("form", FORMS)
def test_without_any_result_there_is_nothing_to_report(tmp_path, form):
    path = tmp_path / "cup.toml"
    path.write_text(CUP)
    result = gyoji("report", path, "--format", form)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert "cup.db" in result.stderr


@pytest.mark.parametrize("form", FORMS)
def test_a_file_that_cannot_be_written_is_an_error(cup, tmp_path, form):
    result = gyoji("report", cup, "--format", form, "-o", tmp_path / "no" / "told")
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert "cannot be written" in result.stderr


def test_a_store_without_games_is_a_short_report(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(CUP)
    Store.open(path.with_suffix(".db"), create=True, competition="cup").close()
    assert printed(path, "--format", "csv") == ""
    assert "0" in printed(path, "--format", "html", "-o", "-")
