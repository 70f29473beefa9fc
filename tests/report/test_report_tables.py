"""The tables of reports: markdown, CSV and JSON have the very same cells; who was contained how."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from report_events import json_lines
from report_games import CUP, account, game

from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.core.record import EngineReport, VariationFlaws
from gyoji.core.tables import Table, records_by_name, texts
from gyoji.report.bbcode import bbcode_lines, bbcode_table
from gyoji.report.csv import csv_lines, csv_table
from gyoji.report.markdown import escaped, markdown_lines, markdown_table
from gyoji.results.comparison import Comparison, Difference
from gyoji.results.cross import Cross
from gyoji.results.standings import standings
from gyoji.tables.notes import by_containment, contained_lines, contained_tables
from gyoji.tables.report_tables import ordered_players, tables
from gyoji.tables.standings_tables import MOST_IN_CROSS, cross_tables

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)


def table(wanted, **more):
    return next(each for each in tables(account(**more)) if each.name == wanted)


def rows(wanted, **more):
    return list(table(wanted, **more).rows())


def test_a_competition_without_games_has_no_tables():
    assert tables(account(games=[])) == []


def test_a_competition_without_pairs_has_no_standings():
    names = {each.name for each in tables(account(crosses={}, ratings=None))}
    assert names == {"pairs", "sides", "endings", "losses", "thinking", "games"}


def test_faulty_variations_are_counted_by_player_and_fault():
    def told(number, *flaws):
        spec, record = game(number)
        first, other = record.result.engines
        engines = (replace(first, variations=tuple(flaws)), other)
        return spec, replace(record, result=replace(record.result, engines=engines))

    flaws = VariationFlaws("illegal move", 2, 5, "e2e5"), VariationFlaws("longer than its mate", 1, 9, "")
    games = [told(0, *flaws), told(1, flaws[0]), told(2)]
    assert table("variations", games=games).headings == ("player", "illegal move", "longer than its mate")
    assert rows("variations", games=games) == [("a", "4", "1")]


def test_nobody_could_read_a_cross_table_of_hundreds():
    most, more = (Cross(map(str, range(number))) for number in (MOST_IN_CROSS, MOST_IN_CROSS + 1))
    assert len(list(cross_tables("", most, list(standings(most))))) == 1
    assert list(cross_tables("", more, list(standings(more)))) == []


def test_tables_of_parts_are_told_apart_by_their_titles():
    crosses = {"final": account().crosses[""], "group B": Cross(["x", "y"])}
    titles = [each.caption for each in tables(account(crosses=crosses))][:4]
    assert titles == [
        "Standings: final",
        "Standings: group B",
        "Everybody against everybody: final",
        "Everybody against everybody: group B",
    ]


def test_endings_of_a_games_own_are_told_after_the_score():
    five = Outcome(points=won_by(0, 2), ending=Ending("five"))
    games = [game(0, how="T"), game(1, how=five), game(2, how=five), game(3, how="+")]
    told = rows("endings", games=games)
    assert [row[:2] for row in told] == [("score", "1"), ("five", "2"), ("time", "1")]
    assert table("losses", games=games).headings == ("player", "lost", "score", "five", "time")
    assert ("b", "4", "1", "2", "1") in rows("losses", games=games)


def test_a_team_is_one_name():
    assert rows("games", games=[game(0, name="dighere")], name="dighere")[0][1:4] == ("a", "b", "a")


def test_what_is_gathered_has_a_table_where_a_game_gathers_something():
    outcome = Outcome(points=won_by(0, 2), ending=Ending.SCORE, totals=(250.0, 32.0))
    told = rows("totals", games=[game(0, how=outcome, name="dighere")], name="dighere")
    assert [row[:3] for row in told] == [("a", "1", "250.0"), ("b", "1", "32.0")]


def test_only_the_newest_games_are_told_and_it_is_said_so():
    assert table("games", most=2).title == "The newest 2 games"
    assert len(rows("games", most=2)) == 2
    assert table("games").title == "Games"


def test_players_stand_in_the_order_of_the_standings():
    for told in (account(), account(crosses={})):
        places = [list(standings(cross)) for cross in told.crosses.values()]
        assert ordered_players(told.digest.players, places) == ["a", "b", "c"]


# Writing


def test_documents_have_the_tables_that_every_competition_has(expected):
    comparison = Comparison(account().setup)
    comparison.exclude(CUP[0][1].result, (Difference("board_size", "5", "7"),))
    told = account(description="2 * 3 < 7\nsecond line", code="<cup>", comparison=comparison, engines=ENGINES)
    expected("cup.md", "".join(f"{line}\n" for line in markdown_lines(told.setup, tables(told))))
    expected("cup.csv", "".join(f"{line}\n" for line in csv_lines(tables(told))))
    expected(
        "cup.json", "".join(f"{line}\n" for line in json_lines({"tables": records_by_name(tables(told))}))
    )


def made_of(headings, cells):
    """Return a table of texts."""
    columns = zip(headings, zip(*cells, strict=True), strict=True)
    return Table(name="x", title="X", columns=tuple(texts(head, each) for head, each in columns))


@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=4))
def test_csv_is_read_back_as_it_was_but_for_the_apostrophe_before_a_formula(cells):
    made = made_of(("one", 'two "2"'), cells)
    text = "".join(f"{line}\n" for line in csv_table(made))
    headings, *rows = csv.reader(io.StringIO(text))
    assert headings == list(made.headings)
    for row, expected in zip(rows, cells, strict=True):
        for cell, told in zip(row, expected, strict=True):
            assert cell in (told, f"'{told}")
            assert cell[:1] not in ("=", "@", "\t", "\r")


@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=4))
def test_no_cell_of_markdown_means_anything_to_markdown(cells):
    for line in markdown_table(made_of(("one", "two"), cells)):
        assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 3
        assert not re.search(r"(?<!\\)(?:\\\\)*[`*_<>\[\]~$&]", line)


@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=4))
def test_no_cell_of_bbcode_means_anything_to_a_forum(cells):
    title, opens, *lines, closes = bbcode_table(made_of(("one", "two"), cells))
    assert (title, opens, closes) == ("[b]X[/b]", "[code]", "[/code]")
    assert not any(re.search(r"\[(?! )", line) for line in lines)


def test_a_post_for_a_forum_has_the_tables_as_text_shows_them(expected):
    told = account(description="see http://example.org", code="[cup]")
    expected("cup.bbcode", "".join(f"{line}\n" for line in bbcode_lines(told.setup, tables(told))))


@pytest.mark.parametrize("text", ["- no list", "# no heading", "1. no list", "===", "---", "+ no list"])
def test_no_paragraph_of_markdown_begins_something_else(text):
    assert "\\" in escaped(text)


@pytest.mark.parametrize("text", ["0.125", "-12.5", "gnugo-l1", "3:1", "44.9-62.1", "+3.0", "1999"])
def test_plain_cells_of_markdown_stay_plain(text):
    assert escaped(text) == text


def test_all_forms_have_the_same_digits():
    for each in tables(account()):
        table = [list(each.headings), *map(list, each.rows())]
        read = list(csv.reader(io.StringIO("\n".join(csv_table(each)))))
        lines = [line for line in markdown_table(each) if "---" not in line and "--:" not in line]
        assert read == table
        plain = [[cell.replace("\\", "") for cell in line[2:-2].split(" | ")] for line in lines]
        assert plain == table


ENGINES = {
    "b": EngineReport(containment="guarded"),
    "a": EngineReport(containment="guarded"),
    "c": EngineReport(containment="strict; missing: seccomp"),
    "old": EngineReport(),
}


def test_players_are_told_by_how_they_were_contained():
    line = "containment: guarded: a, b; strict; missing: seccomp: c"
    assert contained_lines(ENGINES) == [line]
    assert by_containment(ENGINES) == {"guarded": ["a", "b"], "strict; missing: seccomp": ["c"]}
    (table,) = contained_tables(ENGINES)
    assert list(map(tuple, table.rows())) == [("guarded", "a, b"), ("strict; missing: seccomp", "c")]


def test_nothing_is_told_of_games_of_which_nobody_knows():
    engines = {"old": EngineReport()}
    assert (contained_lines(engines), list(contained_tables(engines))) == ([], [])
