"""The memory of a game: shared between its positions, and still a value of each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.core.faults import IllegalMove
from gyoji.games.go import Options, rules
from gyoji.games.go.position import History


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 3)), max_size=40))
def test_a_history_is_a_list_that_never_changes(steps):
    """Each step goes on from any history made before, which makes branches."""
    made = [(History.beginning((0,)), [(0,)])]
    for parent, number in steps:
        history, model = made[parent % len(made)]
        made.append((history.plus((number,)), [*model, (number,)]))
    for history, model in made:
        assert len(history) == len(model)
        for number in range(5):
            assert ((number,) in history) == ((number,) in model)
            assert history.count((number,)) == model.count((number,))
    for history, model in made:
        for other, other_model in made:
            assert (history == other) == (model == other_model)
            assert (history != other) == (model != other_model)
            assert history != model
            if model == other_model:
                assert hash(history) == hash(other)


def play(game, position, texts):
    for text in texts.split():
        position = game.play(position, ((position.to_play, game.parse(text)),))
    return position


@pytest.mark.parametrize("ruleset", ["chinese", "tromp-taylor", "aga", "japanese", "koSPIGHT"])
def test_equal_games_are_equal_positions_and_others_are_not(ruleset):
    game = rules(Options(board_size=5, komi=0, ruleset=ruleset))
    one, other = (play(game, game.start(), "A1 B1 C1 D1") for _ in range(2))
    assert (one, hash(one), repr(one)) == (other, hash(other), repr(other))
    detour = play(game, game.start(), "C1 B1 A1 D1")
    assert (detour.black, detour.white) == (one.black, one.white)
    assert detour != one


def test_a_line_left_aside_is_forgotten():
    """After going back and another way, what was only in the first line is no repetition."""
    game = rules(Options(board_size=(2, 2), komi=0, ruleset="tromp-taylor"))
    start = game.start()
    before = play(game, start, "A1 B2")
    play(game, before, "A2 pass B1")
    again = play(game, before, "A2 pass B1")
    assert play(game, before, "B1 pass A2")[:2] == again[:2]


def test_what_was_on_the_board_before_the_branch_is_remembered():
    game = rules(Options(board_size=(1, 2), komi=0, ruleset="tromp-taylor"))
    before = play(game, game.start(), "A1 A2")
    for branch in (play(game, before, "pass"), play(game, before, "pass")):
        with pytest.raises(IllegalMove, match="superko at A1"):  # suicide of both: an empty board
            game.play(branch, ((1, game.parse("A1")),))
