"""Repetition, and the memory of a game: shared between its positions, and still a value of each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.go_diagrams import drawn_position

from gyoji.core.faults import IllegalMove
from gyoji.core.outcome import Ending
from gyoji.games.go.game_options import Options
from gyoji.games.go.position import History
from gyoji.games.go.rules import rules
from gyoji.testing.rules_kit import check_rules


def game_on(diagram, ruleset, *, to_play=0, **settings):
    rows = diagram.split()
    options = {"board_size": (len(rows[0]), len(rows)), "komi": 0} | settings
    game = rules(Options(**options, ruleset=ruleset))
    return game, drawn_position(game, "\n".join(rows), to_play=to_play)


def play(game, position, texts):
    for text in texts.split():
        assert game.acting(position), f"over before {text}"
        position = game.play(position, ((position.to_play, game.parse(text)),))
    return position


def refusal(game, position, text):
    with pytest.raises(IllegalMove) as caught:
        game.check(position, position.to_play, game.parse(text))
    assert game.parse(text) not in list(game.legal(position, position.to_play))
    return caught.value.reason


KOS = ("SIMPLE", "POSITIONAL", "SITUATIONAL", "SPIGHT")


@pytest.mark.parametrize("ko", KOS)
def test_a_stone_that_took_a_stone_is_not_taken_back_at_once(ko):
    game, position = game_on(".XO. X.XO .XO.", f"ko{ko}", to_play=1)
    position = play(game, position, "B2")
    assert refusal(game, position, "C2") == "ko at C2"
    assert play(game, position, "A1 D1 C2").ko == 1 << game.point(1, 1)


# On one column of 2 or 3 points: what was played, the next move, and under which ko rules it is superko.
# The boards, from A1 up, stand beside it.
LINES = [
    (2, "A1 pass", "A2", "P"),  # X. -> .. by suicide: the board of the start, with the other side to move
    (2, "A1 A2 pass", "A1", "PT"),  # X. .O .. by suicide of White, to move as at the start
    (3, "A1 A2 pass A3", "A1", "PT"),  # X.. XO. XOO .OO ... and again
    (3, "A1 A3 A2 A3", "A1", "PG"),  # X.. X.O XX. ..O X.O: no pass in between, but White is to move
    (3, "A1 A3 A2 pass", "A3", "P"),  # X.. X.O XX. ...: the start again, White to move
    (3, "A2 pass A1 A3", "A2", "PTG"),  # .X. XX. ..O .X.: the same side to move as well
    (3, "A1 A2 pass A1 A3", "A2", "PTG"),
]


@pytest.mark.parametrize(("height", "moves", "last", "letters"), LINES)
@pytest.mark.parametrize(
    ("ko", "letter"), [("SIMPLE", "S"), ("POSITIONAL", "P"), ("SITUATIONAL", "T"), ("SPIGHT", "G")]
)
def test_what_may_not_come_up_again_is_a_matter_of_the_ko_rule(height, moves, last, letters, ko, letter):
    game = rules(Options(board_size=(1, height), komi=0, ruleset=f"ko{ko}"))
    position = play(game, game.start(), moves)
    if letter in letters:
        assert refusal(game, position, last) == f"superko at {last}"
    else:
        play(game, position, last)


def test_a_position_for_the_third_time_voids_the_game_under_simple_ko():
    game = rules(Options(board_size=(1, 3), komi=0, ruleset="koSIMPLE"))
    moves = "A1 A3 A2 A3 A1 A2 A1 A3 A2 A3 A1 A2"
    position = play(game, game.start(), moves)
    assert game.acting(position)
    over = play(game, position, "A1")
    assert game.acting(over) == ()
    outcome = game.outcome(over)
    assert (outcome.ending, outcome.points, outcome.margin) == (Ending.NO_RESULT, None, None)


# ruleset, moves, phase afterwards, whether the game is over
ENDS = [
    ("koSIMPLE", "pass A1 pass A2", "", False),
    ("koSIMPLE", "pass A1 pass A2 pass", "", True),  # Black passes from the empty board for the second time
    ("koPOSITIONAL", "A1 pass pass", "", True),
    ("koSPIGHT", "pass pass", "", False),
    ("koSPIGHT", "pass pass pass", "", True),
    ("koSPIGHTscoreTERRITORY", "pass pass pass", "cleanup 1", False),
    ("koSPIGHTscoreTERRITORY", "pass pass pass pass pass", "cleanup 2", False),
    ("japanese", "pass pass", "cleanup 1", False),
    ("japanese", "pass pass pass A1 pass pass", "cleanup 2", False),
    ("japanese", "pass pass pass pass pass pass", "cleanup 2", True),
    ("button1", "pass pass", "", False),
    ("button1", "pass A1 pass", "", False),
    ("button1", "pass pass pass", "", True),
    ("button1scoreTERRITORY", "pass pass pass pass pass", "cleanup 2", False),
]


@pytest.mark.parametrize(("ruleset", "moves", "phase", "is_over"), ENDS)
def test_passes_end_a_phase_or_the_game(ruleset, moves, phase, is_over):
    game = rules(Options(board_size=(1, 2), komi=0, ruleset=ruleset))
    position = play(game, game.start(), moves)
    assert (game.phase(position), game.acting(position) == ()) == (phase, is_over)
    if is_over:
        assert game.outcome(position).ending is Ending.SCORE


@pytest.mark.parametrize(("moves", "button"), [("pass A1 pass pass", -0.5), ("A1 pass pass pass", 0.5)])
def test_the_button_is_half_a_point_for_the_first_to_pass(moves, button):
    game = rules(Options(board_size=3, komi=0, ruleset="aga-button"))
    position = play(game, game.start(), moves)
    assert float(game.score(position).button) == button
    assert game.outcome(position).margin == 9 + button * (1 if "pass A1" in moves else -1)


def test_a_game_may_end_when_nothing_is_open():
    diagram = ".X.XO XXXXO OOOOO .O.O. OOO.O"
    for house, is_over in (("", False), (" +settled", True)):
        game, position = game_on(diagram, "tromp-taylor" + house, to_play=1)
        after = play(game, position, "D1")
        assert (game.acting(after) == ()) == is_over
        passed = after if is_over else play(game, after, "pass pass")
        assert game.outcome(passed).margin == 17 - 8


def test_dead_stones_count_as_alive_where_rules_are_literal():
    diagram = "OX.X. .XXXX XXXXX"
    for house, white in (("", 0), (" +literal", 1)):
        game, position = game_on(diagram, "tromp-taylor" + house)
        score = game.score(position)
        assert (score.white.bit_count(), score.lead) == (white, -15 if not white else -12)


@pytest.mark.parametrize("ko", KOS)
def test_suicide_of_a_single_stone_is_never_legal_with_a_ruleset(ko):
    game, position = game_on(".O. O.. ...", f"ko{ko}sui1")
    assert refusal(game, position, "A3") == "suicide at A3"


@pytest.mark.parametrize("ruleset", ["tromp-taylor", "new-zealand"])
def test_suicide_of_several_stones_is_legal_where_the_ruleset_says_so(ruleset):
    game, position = game_on("X.O XOO OO.", ruleset)
    assert play(game, position, "B3").black_lost == 3
    game, position = game_on("X.O XOO OO.", "chinese")
    assert refusal(game, position, "B3") == "suicide at B3"


@pytest.mark.parametrize(
    "ruleset",
    [
        "tromp-taylor",
        "chinese",
        "chinese-ogs",
        "aga-button",
        "japanese",
        "ancient-territory",
        "koSPIGHTsui1",
        "koSPIGHTscoreTERRITORYtaxNONEsui1",
        "koSITUATIONALscoreTERRITORYbutton1",
        "stone-scoring +settled",
        "goe +literal +opening",
    ],
)
@pytest.mark.parametrize("size", [(1, 3), (2, 2), 3])
def test_the_rules_keep_what_their_port_promises_under_every_kind_of_ruleset(ruleset, size):
    check_rules(rules(Options(board_size=size, komi=0.5, ruleset=ruleset)), games=4)


@pytest.mark.parametrize(
    "settings", [{"handicap": 3, "handicap_style": "free"}, {"handicap": 2, "board_size": 7}]
)
@pytest.mark.parametrize("ruleset", ["aga", "japanese"])
def test_handicap_games_keep_it_too(settings, ruleset):
    check_rules(rules(Options(**({"board_size": 4, "komi": 0.5} | settings), ruleset=ruleset)), games=2)


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
