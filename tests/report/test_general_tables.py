"""The tables of reports: markdown, CSV and JSON have the very same cells; who was contained how."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_games import CUP, account, game

from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.core.record import EngineReport
from gyoji.core.tables import Table, texts
from gyoji.pairing.cross import Cross
from gyoji.pairing.standings import standings
from gyoji.report.documents import csv_lines, csv_table, escaped, markdown_lines, markdown_table
from gyoji.tables.general import ordered_players, tables
from gyoji.tables.remarks import by_containment, contained_lines, contained_tables
from gyoji.tables.standings import MOST_IN_CROSS, cross_tables

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)


def table(wanted, **more):
    return next(each for each in tables(account(**more)) if each.name == wanted)


def rows(wanted, **more):
    return list(table(wanted, **more).rows())


def test_the_tables_come_in_the_order_in_which_they_are_read():
    names = [
        "standings",
        "cross",
        "ratings",
        "pairs",
        "sides",
        "endings",
        "losses",
        "thinking",
        "pace",
        "games",
    ]
    assert [each.name for each in tables(account())] == names


def test_a_competition_without_games_has_no_tables():
    assert tables(account(games=[])) == []


def test_a_competition_without_pairs_has_no_standings():
    names = {each.name for each in tables(account(crosses={}, ratings=None))}
    assert names == {"pairs", "sides", "endings", "losses", "thinking", "pace", "games"}


def test_standings_tell_where_the_true_share_lies():
    first = dict(zip(table("standings").headings, rows("standings")[0], strict=True))
    assert (first["rank"], first["player"], first["games"], first["points"]) == ("1", "a", "5", "3.5")
    assert (first["share"], first["95 %"]) == ("87.50%", "44.6-97.7")


def test_the_cross_table_has_a_column_for_each_rank():
    made = table("cross")
    assert made.headings == ("rank", "player", "1", "2", "3")
    assert rows("cross")[0] == ("1", "a", "-", "3.5:0.5", "0:0")
    assert [column.about for column in made.columns[2:]] == ["a", "b", "c"]


def test_nobody_could_read_a_cross_table_of_hundreds():
    most, more = (Cross(map(str, range(number))) for number in (MOST_IN_CROSS, MOST_IN_CROSS + 1))
    assert len(list(cross_tables("", most, list(standings(most))))) == 1
    assert list(cross_tables("", more, list(standings(more)))) == []


def test_tables_of_parts_are_told_apart_by_their_titles():
    crosses = {"final": account().crosses[""], "group B": Cross(["x", "y"])}
    titles = [each.title for each in tables(account(crosses=crosses))][:4]
    assert titles == [
        "Standings: final",
        "Standings: group B",
        "Everybody against everybody: final",
        "Everybody against everybody: group B",
    ]


def test_sides_add_up_to_all_games():
    told = rows("sides")
    assert told[-1] == ("all", "6", "2.5", "50.00%", "6", "2.5", "50.00%")
    for column in (1, 2, 4, 5):
        assert sum(float(row[column]) for row in told[:-1]) == float(told[-1][column])
    assert "black took 50.00% of the points (95 %: " in table("sides").note


def test_endings_are_told_by_side_and_add_up():
    told = rows("endings")
    assert [row[0] for row in told] == ["score", "resignation", "move limit", "time"]
    assert told[0] == ("score", "3", "50.00%", "1", "1", "1", "0")
    assert sum(int(row[1]) for row in told) == len(CUP)


def test_endings_of_a_games_own_are_told_after_the_score():
    five = Outcome(points=won_by(0, 2), ending=Ending("five"))
    games = [game(0, how="T"), game(1, how=five), game(2, how=five), game(3, how="+")]
    told = rows("endings", games=games)
    assert [row[:2] for row in told] == [("score", "1"), ("five", "2"), ("time", "1")]
    assert table("losses", games=games).headings == ("player", "lost", "score", "five", "time")
    assert ("b", "4", "1", "2", "1") in rows("losses", games=games)


def test_losses_are_told_by_ending():
    assert table("losses").headings == ("player", "lost", "score", "resignation", "time")
    assert ("b", "3", "2", "1", "0") in rows("losses")


def test_times_are_in_seconds():
    assert rows("thinking")[0] == ("a", "5", "2.000", "2.000", "3.0", "1.0")


def test_games_are_told_newest_first_by_the_sides_that_were_had():
    newest, *_, oldest = rows("games")
    assert newest[:7] == ("0_5", "b", "a", "a", "score", "3.5", "3")
    assert oldest[:4] == ("0_0", "a", "b", "a")
    assert [row[3] for row in rows("games")] == ["a", "unknown", "b", "level", "a", "a"]


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


def made_of(headings, cells):
    """A table of texts."""
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


def test_a_document_of_csv_has_the_title_above_each_table():
    lines = list(csv_lines(tables(account())[:2]))
    assert lines[0] == "Standings"
    assert lines[lines.index("") + 1] == "Everybody against everybody"


def test_a_document_of_markdown_has_headings_and_notes():
    told = account(description="2 * 3 < 7\nsecond line", code="<cup>")
    lines = list(markdown_lines(told.setup, tables(told)))
    assert lines[:3] == ["# \\<cup\\>", "", "2 \\* 3 \\< 7 second line"]
    assert "## How games ended" in lines


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
