"""The settings of a game of Go; handicap stones."""

import re

import pytest

from gyoji.games.go.board import COLUMNS
from gyoji.games.go.game_options import Options
from gyoji.games.go.opening import fixed_points, most_fixed
from gyoji.games.go.rules import GoRules, rules


def options(**settings):
    return Options(**({"board_size": 9, "komi": 7.5} | settings))


@pytest.mark.parametrize(
    "settings",
    [
        {"board_size": 1},
        {"board_size": 25},
        {"board_size": (1, 25)},
        {"board_size": [5, 3]},
        {"komi": -3},
        {"komi": 0},
        {"handicap": None},
        {"handicap": 9},
        {"board_size": 7, "handicap": 4},
        {"board_size": (9, 5), "handicap": 44, "handicap_style": "free"},
        {"board_size": 3, "handicap": 8, "handicap_style": "free"},
        {"suicide": False},
        {"ruleset": "none", "internal_scorer_handicap_compensation": "short", "handicap": 2},
        {"ruleset": "chinese", "suicide": True},
    ],
)
def test_settings_that_fit_together_make_rules(settings):
    assert isinstance(rules(options(**settings), 1), GoRules)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"board_size": 0}, "board_size: got 0, expected 1 to 25, or (columns, rows)"),
        ({"board_size": 26}, "board_size: got 26, expected 1 to 25, or (columns, rows)"),
        ({"board_size": True}, "board_size: got True, expected 1 to 25, or (columns, rows)"),
        ({"board_size": 9.0}, "board_size: got 9.0, expected 1 to 25, or (columns, rows)"),
        ({"board_size": (9, 26)}, "board_size: got (9, 26), expected 1 to 25, or (columns, rows)"),
        ({"board_size": (9, 9, 9)}, "board_size: got (9, 9, 9), expected 1 to 25, or (columns, rows)"),
        ({"board_size": [9]}, "board_size: got (9,), expected 1 to 25, or (columns, rows)"),
        ({"board_size": "9"}, "board_size: got '9', expected 1 to 25, or (columns, rows)"),
        ({"komi": float("nan")}, "komi: got nan, expected a finite number"),
        ({"komi": float("inf")}, "komi: got inf, expected a finite number"),
        ({"komi": True}, "komi: got True, expected a finite number"),
        ({"komi": "7.5"}, "komi: got '7.5', expected a finite number"),
        ({"komi": 10**309}, f"komi: got 1{'0' * 78}…, expected a finite number"),
        ({"handicap": 0}, "handicap: got 0, expected 2 to 9 (fixed handicap on 9x9)"),
        ({"handicap": 1}, "handicap: got 1, expected 2 to 9 (fixed handicap on 9x9)"),
        ({"handicap": 10}, "handicap: got 10, expected 2 to 9 (fixed handicap on 9x9)"),
        ({"handicap": True}, "handicap: got True, expected 2 to 9 (fixed handicap on 9x9)"),
        ({"handicap": 2.0}, "handicap: got 2.0, expected 2 to 9 (fixed handicap on 9x9)"),
        ({"board_size": 10, "handicap": 5}, "handicap: got 5, expected 2 to 4 (fixed handicap on 10x10)"),
        ({"board_size": 7, "handicap": 5}, "handicap: got 5, expected 2 to 4 (fixed handicap on 7x7)"),
        ({"board_size": 6, "handicap": 2}, "handicap: got 2, expected none (fixed handicap on 6x6)"),
        ({"board_size": (9, 19), "handicap": 2}, "handicap: got 2, expected none (fixed handicap on 9x19)"),
        (
            {"board_size": 3, "handicap": 9, "handicap_style": "free"},
            "handicap: got 9, expected 2 to 8 (free handicap on 3x3)",
        ),
        (
            {"board_size": (1, 2), "handicap": 2, "handicap_style": "free"},
            "handicap: got 2, expected none (free handicap on 1x2)",
        ),
        ({"handicap_style": "Free"}, "handicap_style: got 'Free', expected 'fixed' or 'free'"),
        ({"suicide": 1}, "suicide: got 1, expected true or false"),
        ({"ruleset": 3}, "ruleset: got 3, expected a name, a table, a string of fields, or 'none'"),
        (
            {"internal_scorer_handicap_compensation": "yes"},
            "internal_scorer_handicap_compensation: got 'yes', expected 'no' or 'full' or 'short'",
        ),
        (
            {"internal_scorer_handicap_compensation": "no", "ruleset": "chinese"},
            "internal_scorer_handicap_compensation: got 'no', but ruleset 'chinese' has 'full'; "
            "ruleset = 'none' leaves the choice",
        ),
    ],
)
def test_settings_that_do_not_are_refused_by_name(settings, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        options(**settings)


def test_equal_settings_are_equal_options():
    assert options(board_size=[5, 3], komi=7) == options(board_size=(5, 3), komi=7.0)
    assert hash(options(board_size=[5, 3])) == hash(options(board_size=(5, 3)))


def test_rules_say_what_the_engines_are_told():
    plain = rules(options(ruleset="none"), 0)
    assert (plain.ruleset, plain.kata_rules, plain.kgs_rules, plain.allows_suicide) == ("", "", "", True)
    chinese = rules(options(), 0)  # the default
    assert chinese.ruleset == chinese.kgs_rules == "chinese"
    assert chinese.kata_rules == "koSIMPLEscoreAREAtaxNONEsui0whbN"
    assert not chinese.allows_suicide


def test_rules_carry_what_records_and_protocols_need():
    game = rules(options(board_size=(13, 9), komi=7), 0)
    assert (game.width, game.height, game.komi, type(game.komi)) == (13, 9, 7.0, float)
    assert (game.handicap, game.handicap_style, game.handicap_points) == (0, "fixed", ())
    fixed = rules(options(handicap=2), 0)
    assert (fixed.handicap, [fixed.format(point) for point in fixed.handicap_points]) == (2, ["C3", "G7"])
    free = rules(options(handicap=2, handicap_style="free"), 0)
    assert (free.handicap, free.handicap_style, free.handicap_points) == (2, "free", ())


GTP_19 = {
    2: "D4 Q16",
    3: "D4 Q16 D16",
    4: "D4 Q16 D16 Q4",
    5: "D4 Q16 D16 Q4 K10",
    6: "D4 Q16 D16 Q4 D10 Q10",
    7: "D4 Q16 D16 Q4 D10 Q10 K10",
    8: "D4 Q16 D16 Q4 D10 Q10 K4 K16",
    9: "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10",
}


def written(side, handicap):
    return " ".join(f"{COLUMNS[x]}{y + 1}" for x, y in fixed_points(side, handicap))


@pytest.mark.parametrize(("handicap", "vertices"), GTP_19.items())
def test_fixed_stones_on_19x19_are_those_of_gtp(handicap, vertices):
    assert written(19, handicap) == vertices


@pytest.mark.parametrize(
    ("side", "vertices"),
    [
        (7, "C3 E5 C5 E3"),
        (8, "C3 F6 C6 F3"),
        (9, "C3 G7 C7 G3"),
        (10, "C3 H8 C8 H3"),
        (11, "C3 J9 C9 J3"),
        (12, "C3 K10 C10 K3"),
        (13, "D4 K10 D10 K4"),
        (14, "D4 L11 D11 L4"),
        (25, "D4 W22 D22 W4"),
    ],
)
def test_stones_lie_on_the_third_line_and_from_13x13_on_the_fourth(side, vertices):
    assert written(side, 4) == vertices


def test_the_middle_of_an_odd_board_takes_the_fifth_stone():
    assert [written(side, 5).split()[-1] for side in (9, 11, 13, 25)] == ["E5", "F6", "G7", "N13"]


MOST = {**dict.fromkeys(range(1, 7), 0), 7: 4} | {side: 9 if side % 2 else 4 for side in range(8, 26)}


@pytest.mark.parametrize(("side", "most"), MOST.items())
def test_the_largest_fixed_handicap_is_that_of_gtp(side, most):
    assert most_fixed(side, side) == most
    for handicap in range(2, most + 1):
        points = fixed_points(side, handicap)
        assert len(set(points)) == handicap
        assert all(0 <= x < side and 0 <= y < side for x, y in points)
    with pytest.raises(ValueError, match="fixed handicap stones on"):
        fixed_points(side, max(most, 1) + 1)


@pytest.mark.parametrize("size", [(9, 19), (19, 9), (7, 8), (1, 25)])
def test_only_square_boards_have_fixed_handicaps(size):
    assert most_fixed(*size) == 0
