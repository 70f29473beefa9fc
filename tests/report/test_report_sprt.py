"""The reports of tests that stop by themselves: words for what is known, and for what is not."""

from report_events import event, report, result, screen, values

from gyoji.report.layouts import layout


def sprt(told, **settings):
    return event("sprt", told, ("new", "old"), **{"elo0": 0, "elo1": 20, **settings})


def test_before_the_first_game_it_says_what_is_tested_and_how_long_it_may_take():
    assert screen(sprt("")) == [
        "new against old, normalized Elo: H0 +0, H1 +20, alpha 0.05, beta 0.05, pairs",
        "LLR +0.00 between -2.94 and +2.94: goes on",
        "0 pairs counted (0: 0, ½: 0, 1: 0, 1½: 0, 2 points: 0)",
        "about 1599 games are to be expected in all if H0 is true, 1599 if H1 is",
    ]


def test_while_it_goes_on_it_says_what_the_results_say():
    lines = screen(sprt("+ + + - = - + = + ? +"))
    assert lines[1].endswith("between -2.94 and +2.94: goes on")
    assert lines[2:6] == [
        "4 pairs counted (0: 0, ½: 1, 1: 1, 1½: 1, 2 points: 1)",
        "2 games left out, of pairs that nobody can decide",
        "1 games not counted: one before them, or of their pair, is lacking",
        "Elo +88.7 (95 %: -106.7 to +379.6), unbiased; +88.7 by the mean; stronger with 81.45%",
    ]
    assert "new v old (11 games)" in lines


def test_a_decision_is_told_with_an_estimate_that_is_not_carried_away():
    cup = sprt("", elo0=-100, elo1=100, observations="games", model="logistic")
    ahead = [cup.next_game() for _ in range(20)]
    for spec, sign in zip(ahead, "+++++-++++++++++++-+", strict=True):
        cup.add(result(spec, sign))
    assert screen(cup)[:5] == [
        "new against old, Elo: H0 -100, H1 +100, alpha 0.05, beta 0.05, games",
        "LLR +3.45 between -2.94 and +2.94: H1 is accepted",
        "8 games counted (lost: 1, level: 0, won: 7)",
        "12 games not counted: they came after the decision",
        "Elo +273.4 (95 %: -39.8 to +∞), unbiased; +338.0 by the mean; stronger with 95.29%",
    ]


def test_a_test_that_has_had_all_its_games_is_undecided():
    lines = screen(sprt("+ -", rounds=2))
    assert lines[1].endswith("undecided")


def test_elo_that_results_do_not_bound_is_infinite_in_words_and_none_in_values():
    cup = sprt("+ -", observations="games", model="logistic")
    assert "Elo +0.0 (95 %: -∞ to +∞), unbiased; +0.0 by the mean; stronger with 50.00%" in screen(cup)
    assert values(cup)["test"]["elo_interval_95"] == [None, None]


def test_values_say_what_is_tested_and_what_is_known():
    before = values(sprt(""))["test"]
    assert (before["decision"], before["llr"], before["elo"], before["raw_elo"]) == (
        "continue",
        0,
        None,
        None,
    )
    after = values(sprt("+ - + +"), {"new,old": {"score": 4}})
    assert after["test"]["counts"] == [0, 0, 1, 0, 1]
    assert (after["test"]["players"], after["test"]["counted"]) == (["new", "old"], 4)
    assert after["matchups"][0]["endings"] == {"score": 4}
    assert after["remaining"] is None


def test_the_report_has_everything_and_there_is_a_cross_table():
    cup = sprt("+ -")
    lines = report(cup)
    assert lines[:2] == ["sprt: cup", "the autumn cup"]
    assert lines[-3:] == ["player new: NEW", "player old: OLD", ""]
    assert layout("sprt").crosses(cup)[""].score("new", "old") == (1, 1)
