"""The reports of tests that stop by themselves: words for what is known, and for what is not."""

from report_events import event, report, result, screen, values

from shown import crosses


def sprt(told, **settings):
    return event("sprt", told, ("new", "old"), **{"elo0": 0, "elo1": 20, **settings})


def test_before_the_first_game_it_says_what_is_tested_and_how_long_it_may_take():
    assert screen(sprt("")) == [
        "new against old",
        "test      normalized: H0 0 nElo, H1 20 nElo, alpha 0.05, beta 0.05",
        "expected  1642 games if H0 is true, 2714 half way, 1640 if H1 is true",
    ]


def test_games_that_do_not_count_are_told_with_the_reason():
    lines = screen(sprt("+ + + - = - + = + ? +"))
    assert "results   4 pairs: 0 of 0, 1 of ½, 1 of 1, 1 of 1½, 1 of 2 points" in lines
    assert "left out  2 games, of pairs that nobody can decide" in lines
    assert "not seen  1 games: one before them, or of their pair, is lacking" in lines
    assert "new v old (11 games)" in lines


def test_a_decision_is_told_and_what_came_after_it_changes_nothing():
    cup = sprt("", elo0=-100, elo1=100, observations="games", model="logistic")
    ahead = [cup.next_game() for _ in range(20)]
    for spec, sign in zip(ahead, "+++++-++++++++++++-+", strict=True):
        cup.add(result(spec, sign))
    lines = screen(cup)
    assert lines[2:5] == [
        "results   8 games: 7 won, 0 drawn, 1 lost",
        "LLR       3.454, bounds -2.944 (H0) and 2.944 (H1)",
        "decision  accept H1",
    ]
    assert "not seen  12 games: they came after the decision" in lines


def test_a_test_that_has_had_all_its_games_is_undecided():
    assert screen(sprt("+ -", rounds=2))[0] == "new against old: undecided after all its games"


def test_values_say_what_is_tested_and_what_is_known():
    before = values(sprt(""))["test"]
    assert (before["decision"], before["llr"], before["elo"], before["unbiased"]) == (
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
    assert crosses(cup)[""].score("new", "old") == (1, 1)
