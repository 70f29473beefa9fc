"""The reports of rounds of matches: tables, brackets, ladders, contests; and the same as values."""

from textwrap import dedent

import pytest
from msgspec.structs import replace
from report_events import OPTIONS, event, report, result, screen, values

from gyoji.formats.contest.phases import Phase
from gyoji.report.documents import csv_table, markdown_table, table_values
from shown import crosses, tables


def text(drawing):
    return dedent(drawing).strip("\n").splitlines()


SWISS = {"told": "+ = + - + =", "players": "abcde", "rounds": 3}


def test_a_swiss_tournament_has_a_table():
    assert screen(event("swiss", **SWISS)) == [
        "2/6 matches over, round 2 of 3",
        "",
        "       matches  points  Buchholz  median  Berger  direct  won",
        "1. a         2     2.5         3       0    2.25       0    1",
        "2. d         2     2.5         3       0    1.75       0    1",
        "3. c         1       2       4.5       0       2       0    0",
        "3. e         1       2       4.5       0       2       0    0",
        "5. b         2       1         5       0    1.25       0    0",
    ]


def test_a_report_has_the_matches_of_each_round_and_who_had_no_opponent():
    lines = report(event("swiss", **SWISS))
    assert lines[:4] == ["swiss: cup", "the autumn cup", "board size: 9   komi: 7.5   matches: 2 games", ""]
    assert lines[lines.index("round 1") : -1] == text(
        """
        round 1
        a  2:0      c
        d  1.5:0.5  b
        e has no opponent

        round 2
        e  0:1      d   1 played
        a  0.5:0.5  b   1 played
        c has no opponent

        player a: A
        player b: B
        player c: C
        player d: D
        player e: E
        """
    )


def test_a_knockout_has_a_bracket_and_a_bye_stands_in_the_second_round_only():
    assert screen(event("knockout", "= = - + - =", players="abc")) == text(
        """
        2/2 matches over, round 2 of 2

                  1 a 0.5 ┐
                          │
                          ├ 2 b
        2 b 1 1 ┐         │
                ├ 2 b 1.5 ┘
        3 c 1 1 ┘
        """
    )


BYE = ("knockout", "= = - + - =")
"""Three players: the first has no match in the first round, and loses the final."""


def test_a_bracket_is_indented_text_in_markdown_and_rows_in_csv_and_json():
    _, tree = tables(event(*BYE, players="abc")).tables()
    assert list(markdown_table(tree)) == [f"    {line}" for line in screen(event(*BYE, players="abc"))[2:]]
    assert list(csv_table(tree)) == [
        "round,player,score",
        "semifinal,2 b,1 1",
        "semifinal,3 c,1 1",
        "final,1 a,0.5",
        "final,2 b,1.5",
        "winner,2 b,",
    ]
    values = table_values(tree)
    assert (values["name"], values["columns"]) == ("bracket", ("round", "player", "score"))
    assert values["rows"][-1] == ("winner", "2 b", "")


def test_margins_stand_in_the_bracket_where_they_decide_and_the_third_place_below():
    assert screen(event("knockout", "+9 -7 -2 +2 -2 =", decided_by="margin")) == text(
        """
        2/4 matches over, round 2 of 2

        1 a +7 ┐
               ├ 1 a -2 ┐
        4 d -7 ┘        │
                        ├
        2 b -5 ┐        │
               ├ 3 c +2 ┘
        3 c +5 ┘

        third place
        d  0.5:0.5 (+0)  b   1 played
        """
    )


def test_a_bracket_of_one_match_and_one_that_has_not_begun():
    assert screen(event("knockout", "+ +", players="ab"))[2:] == ["1 a 2 ┐", "      ├ 1 a", "2 b 0 ┘"]
    assert screen(event("knockout", "", players="ab"))[2:] == ["1 a 0 ┐", "      ├", "2 b 0 ┘"]


def test_a_report_says_who_goes_on_after_a_drawn_match():
    lines = report(event("knockout", "= = = =", players="ab"))
    assert "a  1:1, 1:1  b   drawn, a is the higher seed" in lines
    assert "b  1:1  a   drawn" in report(event("ladder", "= =", players="ab"))


def test_wins_without_a_margin_are_told():
    lines = report(event("stages", "+9 -7 + -2", decided_by="margin", bye_player="d"))
    assert "board size: 9   komi: 7.5   matches: 2 games, decided by the sum of their margins" in lines
    assert "d  0:2 (-9, wins without margin -1)  a" in lines


def test_a_round_robin_by_stages_has_a_table_that_does_not_show_lots():
    lines = screen(event("stages", "+9 -7 + -1", decided_by="margin", bye_player="d"))
    assert lines == [
        "2/6 matches over",
        "",
        "       matches  points  margin",
        "1. a         2       2       9",
        "2. c         2       2       8",
        "3. b         2       0      -8",
    ]


def test_a_ladder_tells_where_everybody_began():
    assert screen(event("ladder", "- + - =")) == [
        "2/6 matches over, round 2 of 4",
        "",
        "       began  games  points",
        "1. b       2      2       2",
        "2. a       1      2       0",
        "3. c       3      2     1.5",
        "4. d       4      2     0.5",
    ]


def phase(code, kind, **settings):
    return Phase(game="go", options=OPTIONS, id=code, name=f"phase {code}", format=kind, **settings)


CONTEST = {
    "told": "+ + + + + + + + + + + + +",
    "players": "abcdef",
    "phases": (phase("A", "stages", groups=2, advance=2), phase("B", "knockout")),
}


def test_a_contest_shows_its_last_phase_first():
    lines = screen(event("contest", **CONTEST))
    headings = [line for line in lines if "matches over" in line or line.startswith("go on")]
    assert headings == [
        "phase B: 0/1 matches over, round 1 of 1",
        "phase A, group 1: 3/3 matches over",
        "phase A, group 2: 3/3 matches over",
        "go on: a, b",
    ]
    assert lines[2:5] == ["1 a 1 ┐", "      ├", "2 b 0 ┘"]


def test_the_report_of_a_contest_goes_from_the_first_phase_to_the_last():
    lines = report(event("contest", **CONTEST))
    assert lines[:4] == ["contest: cup", "the autumn cup", "", "board size: 9   komi: 7.5   matches: 2 games"]
    assert lines.index("stage 3") < lines.index("go on: a, b") < lines.index("a  1:0  b   1 played")
    early = report(event("contest", **{**CONTEST, "told": "+"}))
    assert "phase B waits for the phase before it" in early


@pytest.mark.parametrize("kind", ["swiss", "knockout", "ladder", "stages"])
def test_games_that_do_not_count_are_named(kind):
    settings = {"rounds": 3} if kind in ("swiss", "stages") else {}
    cup, last = event(kind, "", **settings), event(kind, "+ + + +", **settings)
    stray = result(last.next_game(), "+")
    pairing = ",".join(("9", *sorted(stray.players)))
    cup.add(replace(stray, id=f"{pairing}_0", pairing=pairing))
    assert f"not counted, of matches that no longer exist: {pairing}_0" in report(cup)
    assert not any("not counted" in line for line in report(last))


def test_values_say_what_the_tables_say():
    shown = values(event("swiss", **SWISS), {"1,a,c": {"score": 2}})
    assert (shown["remaining"], shown["ranking"], shown["byes"]) == (6, list("adceb"), ["e", "c"])
    assert shown["standings"][0] == {
        "rank": 1,
        "player": "a",
        "matches": 2,
        "points": 2.5,
        "tie_breaks": {
            "buchholz": 3,
            "median buchholz": 0,
            "sonneborn-berger": 2.25,
            "head to head": 0,
            "wins": 1,
        },
    }
    assert (shown["absences"], shown["departures"]) == ([{}, {}], {})
    assert shown["rounds"][0][0] == {
        "id": "1,a,c",
        "name": "round 1",
        "players": ["a", "c"],
        "points": [2, 0],
        "margin": 0,
        "parts": [{"points": [2, 0], "margin": 0, "wins_without_margin": 2}],
        "played": 2,
        "set_aside": 0,
        "endings": {"score": 2},
        "is_over": True,
        "winner": "a",
    }
    assert values(event("knockout", "+ +", players="ab"))["bracket"] == [["a", "b"], ["a"]]
    assert values(event("ladder", "- + - ="))["ranking"] == list("bacd")


def test_the_values_of_a_contest_are_those_of_its_phases():
    first, second = values(event("contest", **CONTEST))["phases"]
    assert (first["is_over"], first["advancing"], second["is_over"]) == (True, ["a", "b"], False)
    assert [group["ranking"] for group in first["groups"]] == [list("ade"), list("bcf")]
    assert second["groups"][0]["seeds"] == ["a", "b"]


def test_there_is_a_cross_table_of_all_matches_and_in_a_contest_of_each_group():
    cup = event("swiss", **SWISS)
    assert crosses(cup)[""].score("a", "c") == (2, 0)
    assert list(crosses(event("contest", **CONTEST))) == [
        "phase A, group 1",
        "phase A, group 2",
        "phase B",
    ]


def table(sheet):
    return [list(sheet.headings), *(list(row) for row in sheet.rows())]


def test_other_forms_of_reports_have_the_standings_of_the_format_not_those_by_points_of_games():
    (swiss,) = tables(event("swiss", **SWISS)).tables()
    assert table(swiss)[:2] == [
        ["rank", "player", "matches", "points", "Buchholz", "median", "Berger", "direct", "won"],
        ["1", "a", "2", "2.5", "3", "0", "2.25", "0", "1"],
    ]
    knockout, tree = tables(event("knockout", "+ +", players="ab")).tables()
    assert table(knockout) == [
        ["rank", "player", "began", "games", "points"],
        ["1", "a", "1", "2", "2"],
        ["2", "b", "2", "2", "0"],
    ]
    assert (tree.title, tree.root.name) == ("Bracket", "1 a")
    titles = [sheet.title for sheet in tables(event("contest", **CONTEST)).tables()]
    assert titles == [
        "Standings: phase B",
        "Bracket: phase B",
        "Standings: phase A, group 1",
        "Standings: phase A, group 2",
    ]
    assert tables(event("gauntlet", "", champions=("a",), rounds=2)).tables() == ()
