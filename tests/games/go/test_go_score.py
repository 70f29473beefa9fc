"""Counting the board: area, every stone alive."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.go_diagrams import drawn_position

from gyoji.core.boards import bits
from gyoji.core.outcome import Ending
from gyoji.games.go.board import board_of
from gyoji.games.go.game_options import Options
from gyoji.games.go.life import areas_of
from gyoji.games.go.rules import rules


def areas(board, black, white):
    """Return the points that count for Black and for White if every stone is alive."""
    found = areas_of(board, black, white, suicide=True, removes_dead=False)
    return found.black, found.white


def finished(diagram, **settings):
    """Return the rules and the position that `diagram` shows, after two passes."""
    rows = diagram.split()
    game = rules(
        Options(**({"board_size": (len(rows[0]), len(rows)), "komi": 0, "ruleset": "none"} | settings))
    )
    return game, drawn_position(game, "\n".join(rows))._replace(passes=2)


AREAS = [
    ("nothing is nobody's", "... ...", 0, 0),
    ("one stone has the board", "... .X.", 6, 0),
    ("one white stone has the board", "O.. ...", 0, 6),
    ("a region that both touch is nobody's", "X.O X.O", 2, 2),
    ("walls divide the board", ".X.O. .X.O.", 4, 4),
    ("a stone inside counts as alive", ".X.. OX.. .X..", 9, 1),
    ("an enclosed stone keeps its captor's region from counting", ".OX ..X XXX", 5, 1),
    ("eyes count for their owner", "X.X.X XXXXX OOOOO O.O.O", 10, 10),
    ("a full board", "XO OX", 2, 2),
    ("one row", "X..X.O.", 4, 2),
    ("one point", ".", 0, 0),
]


@pytest.mark.parametrize(
    ("diagram", "black", "white"), [case[1:] for case in AREAS], ids=[c[0] for c in AREAS]
)
def test_area_is_stones_and_what_they_alone_touch(diagram, black, white):
    game, position = finished(diagram)
    found = areas(game.board, position.black, position.white)
    assert tuple(area.bit_count() for area in found) == (black, white)


@pytest.mark.parametrize(
    ("komi", "points", "margin"),
    [
        (0, (1.0, 0.0), 4.0),
        (3.5, (1.0, 0.0), 0.5),
        (4, (0.5, 0.5), 0.0),
        (4.5, (0.0, 1.0), 0.5),
        (-2.5, (1.0, 0.0), 6.5),
        (0.9, (1.0, 0.0), 3.1),
        (6.1, (0.0, 1.0), 2.1),
        (1e300, (0.0, 1.0), 1e300),
    ],
)
def test_komi_is_taken_from_blacks_lead(komi, points, margin):
    game, position = finished("X.X.O XXXOO X.XOO", komi=komi)  # 9 against 5
    outcome = game.outcome(position)
    assert (outcome.ending, outcome.points, outcome.margin) == (Ending.SCORE, points, margin)
    assert (outcome.seat, outcome.detail) == (None, "")


@pytest.mark.parametrize(
    ("kind", "handicap", "margin"),
    [("no", 3, 80.5), ("full", 3, 77.5), ("short", 3, 78.5), ("full", None, 80.5), ("short", None, 80.5)],
)
@pytest.mark.parametrize("style", ["fixed", "free"])
def test_white_is_compensated_for_handicap_stones(kind, handicap, margin, style):
    settings = {"handicap": handicap, "handicap_style": style, "internal_scorer_handicap_compensation": kind}
    game, position = finished("X........ " + "......... " * 8, komi=0.5, **settings)
    assert game.outcome(position).margin == margin


def test_a_game_in_progress_has_no_outcome():
    game = rules(Options(board_size=3, komi=0))
    with pytest.raises(ValueError, match="the game is not over"):
        game.outcome(game.start())


@st.composite
def any_stones(draw):
    width, height = draw(st.tuples(st.integers(1, 9), st.integers(1, 9)))
    board = board_of(width, height)
    colours = draw(st.lists(st.sampled_from("XO.."), min_size=board.points, max_size=board.points))
    placed = list(zip(board.places, colours, strict=True))
    black, white = (sum(1 << p for p, colour in placed if colour == mark) for mark in "XO")
    return board, black, white


@given(any_stones())
def test_every_point_counts_as_a_walk_from_it_says(drawn):
    board, black, white = drawn
    empty = board.full ^ black ^ white
    for_black, for_white = areas(board, black, white)
    assert not for_black & for_white
    for point in bits(empty):
        touched = board.spread(board.flood(1 << point, empty))
        expected = (
            bool(touched & black and not touched & white),
            bool(touched & white and not touched & black),
        )
        assert (bool(for_black >> point & 1), bool(for_white >> point & 1)) == expected
    assert for_black & (black | white) == black
    assert for_white & (black | white) == white


@given(any_stones())
def test_swapping_the_colours_swaps_the_areas(drawn):
    board, black, white = drawn
    assert areas(board, white, black) == areas(board, black, white)[::-1]


SUICIDE_TO_LIVE = ".XXX. O.XXX .XXX. .X... .X..."
"""Black is pass-alive where suicide is illegal, as each empty point on the left touches him. Where it is
legal the white stone would have to touch him too."""


@pytest.mark.parametrize(
    ("ruleset", "lead"),
    [("chinese", -25), ("chinese +suicidelife", -18), ("tromp-taylor", -18), ("tromp-taylor +literal", -18)],
)
def test_what_is_pass_alive_can_be_decided_as_if_suicide_were_legal(ruleset, lead):
    # KataGo 1.17.2: alwaysComputePassAliveUnderSuicideRules = true; B+25.0 without it, B+18.0 with it
    game, position = finished(SUICIDE_TO_LIVE, ruleset=ruleset)
    assert game.score(position).lead == lead


def test_that_rule_makes_suicide_no_more_legal():
    assert not rules(Options(board_size=5, komi=0, ruleset="chinese +suicidelife")).allows_suicide
