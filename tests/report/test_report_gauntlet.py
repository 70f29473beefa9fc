"""The reports of gauntlets."""

from msgspec.structs import replace
from report_events import event, report, result, screen, values

from shown import crosses


def gauntlet(told, **settings):
    return event("gauntlet", told, "ABcd", **{"champions": ("A", "B"), "rounds": 2, **settings})


def test_challengers_come_first_with_what_they_took_from_each_champion_then_the_champions():
    assert screen(gauntlet("+ - = +")) == [
        "4/8 games played",
        "",
        "       games  points   share        A    B",
        "1. c       2       1  50.00%      0-1  1-0",
        "2. d       2     0.5  25.00%  0.5-0.5  0-1",
        "",
        "       games  points   share",
        "1. A       2     1.5  75.00%",
        "2. B       2       1  50.00%",
    ]


def test_without_an_end_it_does_not_say_how_many_games_there_will_be():
    assert screen(gauntlet("+", rounds=None))[0] == "1 games played"


def test_the_report_has_a_block_of_each_pair_and_names_games_that_do_not_count():
    cup = gauntlet("+ - = +")
    stray = result(cup.next_game(), "+")
    cup.add(replace(stray, id="A,x_0", pairing="A,x", players=("A", "x")))
    lines = report(cup)
    assert lines[:3] == ["gauntlet: cup", "the autumn cup", ""]
    assert "B v c (1/2 games)" in lines
    assert "not counted, because their pairs are not in the control file: A,x_0" in lines


def test_values_say_what_the_tables_say():
    shown = values(gauntlet("+ - ="), {"A,c": {"score": 1}})
    assert (shown["champions"], shown["challengers"], shown["played"]) == (["A", "B"], ["c", "d"], 3)
    assert [place["player"] for place in shown["standings"]] == ["A", "c", "d", "B"]
    assert [pair["id"] for pair in shown["matchups"]] == ["A,c", "B,c", "A,d"]
    assert shown["matchups"][0]["endings"] == {"score": 1}


def test_there_is_a_cross_table():
    assert crosses(gauntlet("+"))[""].score("A", "c") == (1, 0)
