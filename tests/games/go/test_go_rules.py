"""What a move does to the board, which moves stand, when the game is over: tables of diagrams."""

import pytest
from tests.go_diagrams import drawn_position

from gyoji.core.faults import IllegalMove
from gyoji.core.outcome import Ending
from gyoji.games.go.board import PASS
from gyoji.games.go.game import GAME
from gyoji.games.go.game_options import Options
from gyoji.games.go.rules import rules
from gyoji.testing.rules_kit import check_rules


def game_on(diagram, **settings):
    """Rules of the size of `diagram`, rows top first and parted by blanks, and the position it shows."""
    rows = diagram.split()
    game = rules(
        Options(**({"board_size": (len(rows[0]), len(rows)), "komi": 0.5, "ruleset": "none"} | settings))
    )
    return game, drawn_position(game, "\n".join(rows))


def shown(game, position):
    rows = game.render(position).split("\n")[:-1]
    return " ".join("".join(row.split()[1:]) for row in rows)


def play(game, position, *texts):
    for text in texts:
        position = game.play(position, ((position.to_play, game.parse(text)),))
    return position


def refusal(game, position, seat, move):
    with pytest.raises(IllegalMove) as caught:
        game.play(position, ((seat, move),))
    with pytest.raises(IllegalMove) as checked:
        game.check(position, seat, move)
    assert (checked.value.seat, checked.value.reason) == (caught.value.seat, caught.value.reason)
    assert caught.value.seat == seat
    return caught.value.reason


# name, before, who plays, where, after, black and white stones lost; * is the ko point
STANDING = [
    ("a stone on an empty board", "... ... ...", "X", "B2", "... .X. ...", 0, 0),
    ("a stone on the first point", "... ...", "X", "A1", "... X..", 0, 0),
    ("a stone on the last point", "... ...", "O", "C2", "..O ...", 0, 0),
    ("a capture in the corner", "OX. ...", "X", "A1", ".X. X..", 0, 1),
    ("a capture on the edge", "XOX ...", "X", "B1", "X.X .X.", 0, 1),
    ("a capture in the middle", ".X. XO. .X.", "X", "C2", ".X. X.X .X.", 0, 1),
    ("White captures", ".O. OX. .O.", "O", "C2", ".O. O.O .O.", 1, 0),
    ("a capture of a chain", "XXX. OOO. XXX.", "X", "D2", "XXX. ...X XXX.", 0, 3),
    ("a capture of a bent chain", "XX... OOX.. XO... .X...", "X", "C2", "XX... ..X.. X.X.. .X...", 0, 3),
    ("a capture of two groups", ".X.X. XO.OX .X.X.", "X", "C2", ".X.X. X.X.X .X.X.", 0, 2),
    (
        "a capture of four groups",
        "..X.. .XOX. XO.OX .XOX. ..X..",
        "X",
        "C3",
        "..X.. .X.X. X.X.X .X.X. ..X..",
        0,
        4,
    ),
    ("one group touched on two sides", "XXX. OOX. .OX. XX..", "X", "A2", "XXX. ..X. X.X. XX..", 0, 3),
    ("a capture from inside", "OOO O.O OOO", "X", "B2", "... .X. ...", 0, 8),
    ("a capture where else it would be suicide", ".OX OXX XX.", "X", "A3", "X.X .XX XX.", 0, 2),
    ("a capture at the end of a row", ".XOO.", "X", "E1", ".X..X", 0, 2),
    ("a ko", ".XO. X.XO .XO.", "O", "B2", ".XO. XO*O .XO.", 1, 0),
    ("a ko in the corner", ".XO XO. X..", "O", "A3", "O*O XO. X..", 1, 0),
    ("a ko in a row", ".XO.", "O", "A1", "O*O.", 1, 0),
    ("a ko at the other end", ".XO.", "X", "D1", ".X*X", 0, 1),
    ("no ko when two were taken", ".XXO.", "O", "A1", "O..O.", 2, 0),
    ("no ko when the taker has friends", "O.XO.", "O", "B1", "OO.O.", 1, 0),
    ("no ko when the taker has another liberty", ".XO. ..XO .XO.", "O", "B2", ".XO. .O.O .XO.", 1, 0),
    ("a move elsewhere lifts a ko", "O*O..", "X", "E1", "O.O.X", 0, 0),
]
SUICIDES = [
    ("of one stone", ".O. O.. ...", "X", "A3", ".O. O.. ...", 1, 0),
    ("of several stones", "X.O XOO OO.", "X", "B3", "..O .OO OO.", 3, 0),
    ("of White", "O.X OXX XX.", "O", "B3", "..X .XX XX.", 0, 3),
    ("of every stone there is", "XX X.", "X", "B1", ".. ..", 4, 0),
    ("on the only point", ".", "X", "A1", ".", 1, 0),
]


def names_of(cases):
    return [case[0] for case in cases]


def check_case(case, **settings):
    _, before, mark, vertex, after, black_lost, white_lost = case
    game, position = game_on(before, **settings)
    position = position._replace(to_play="XO".index(mark), black_lost=10, white_lost=20)
    then = play(game, position, vertex)
    assert shown(game, then) == after
    assert (then.black_lost - 10, then.white_lost - 20) == (black_lost, white_lost)
    assert (then.to_play, then.passes, then.phase) == (1 - position.to_play, 0, "")


@pytest.mark.parametrize("case", STANDING, ids=names_of(STANDING))
@pytest.mark.parametrize("suicide", [True, False])
def test_a_move_places_a_stone_and_takes_what_has_no_liberty(case, suicide):
    check_case(case, suicide=suicide)


@pytest.mark.parametrize("case", SUICIDES, ids=names_of(SUICIDES))
def test_suicide_takes_the_stones_off(case):
    check_case(case)


@pytest.mark.parametrize("case", SUICIDES, ids=names_of(SUICIDES))
@pytest.mark.parametrize("settings", [{"suicide": False}, {"ruleset": "chinese"}])
def test_suicide_is_refused_where_it_is_forbidden(case, settings):
    _, before, mark, vertex, *_ = case
    game, position = game_on(before, **settings)
    seat = "XO".index(mark)
    position = position._replace(to_play=seat)
    assert refusal(game, position, seat, game.parse(vertex)) == f"suicide at {vertex}"
    assert game.parse(vertex) not in list(game.legal(position, seat))


@pytest.mark.parametrize(
    ("diagram", "seat", "move", "reason"),
    [
        ("X.. ..O", 0, "A2", "occupied point A2"),
        ("X.. ..O", 0, "C1", "occupied point C1"),
        ("X.. ..O", 1, "A2", "occupied point A2"),
        (".XO. XO*O .XO.", 0, "C2", "ko at C2"),
        ("O*O.", 0, "B1", "ko at B1"),
        ("... ...", 0, "A1 B1", "several stones in one move"),
    ],
)
def test_a_refusal_says_which_rule_and_where(diagram, seat, move, reason):
    game, position = game_on(diagram)
    assert refusal(game, position._replace(to_play=seat), seat, game.parse(move)) == reason


@pytest.mark.parametrize("move", [3, 10**6, -2, "A1", None, 0.5, ()])
def test_what_is_no_move_is_refused_in_one_printable_line(move):
    game, position = game_on("... ...")
    assert refusal(game, position, 0, move).isprintable()


def test_a_ko_is_over_after_a_pass_or_a_move_elsewhere():
    game, position = game_on(".XO... X.XO.. .XO...")
    position = play(game, position._replace(to_play=1), "B2")
    assert refusal(game, position, 0, game.parse("C2")) == "ko at C2"
    assert game.parse("C2") not in list(game.legal(position, 0))
    for texts in (("F1", "F3"), ("pass", "F3"), ("F1", "pass"), ("pass", "F1", "pass", "F3")):
        later = play(game, position, *texts)
        assert shown(game, play(game, later, "C2")).split()[1].startswith("X*XO")


def test_a_snapback_is_no_ko():
    game, position = game_on("O.XO.")
    position = play(game, position._replace(to_play=1), "B1", "C1")
    assert shown(game, position) == "..XO."


def test_only_the_seat_to_move_may_move():
    game, position = game_on("... ...")
    assert refusal(game, position, 1, PASS) == refusal(game, position, 1, 0) == "not to move"
    assert game.acting(position) == (0,)
    assert list(game.legal(position, 1)) == []


def test_two_passes_in_a_row_end_the_game():
    game, start = game_on("... ...")
    once = play(game, start, "pass")
    assert (game.acting(once), once.passes) == ((1,), 1)
    again = play(game, once, "A1", "pass")
    assert game.acting(again) == (1,)
    over = play(game, again, "pass")
    assert game.acting(over) == ()
    assert list(game.legal(over, 0)) == list(game.legal(over, 1)) == []
    assert refusal(game, over, 0, PASS) == refusal(game, over, 1, 0) == "the game is over"
    outcome = game.outcome(over)
    assert (outcome.ending, outcome.winner, outcome.margin) == (Ending.SCORE, 1, 6.5)


def test_a_position_is_a_value():
    game = rules(Options(board_size=9, komi=7, ruleset="none"))
    one = play(game, game.start(), "C3", "D4", "E5")
    other = play(game, game.start(), "E5", "D4", "C3")
    assert one == other
    assert hash(one) == hash(other)
    assert {one: "seen"}[other] == "seen"
    with pytest.raises(AttributeError):
        one.black = 0
    assert game.view(one, 0) is one
    assert game.drop(one, 0) is None


def test_fixed_handicap_stones_lie_there_and_white_begins():
    game = rules(Options(board_size=7, komi=0.5, handicap=2))
    start = game.start()
    assert shown(game, start) == "....... ....... ....X.. ....... ..X.... ....... ......."
    assert (game.acting(start), game.phase(start)) == ((1,), "")
    assert game.acting(play(game, start, "A1")) == (0,)


def test_a_free_handicap_is_blacks_first_turn():
    game = rules(Options(board_size=(4, 3), komi=0.5, handicap=3, handicap_style="free"))
    start = game.start()
    assert (game.acting(start), game.phase(start)) == ((0,), "handicap")
    assert list(game.legal(start, 1)) == []
    (example,) = game.legal(start, 0)
    assert game.phase(game.play(start, ((0, example),))) == ""
    placed = play(game, start, "A1 D3 B2")
    assert shown(game, placed) == "...X .X.. X..."
    assert (game.acting(placed), game.phase(placed), placed.passes) == ((1,), "", 0)
    assert refusal(game, placed, 1, game.parse("A2 A3 B1")) == "several stones in one move"


def test_all_points_but_one_may_be_handicap_stones():
    game = rules(Options(board_size=(3, 2), komi=0.5, handicap=5, handicap_style="free"))
    placed = play(game, game.start(), "A1 B1 C1 A2 C2")
    assert shown(game, placed) == "X.X XXX"
    assert shown(game, play(game, placed, "B2")) == ".O. ..."


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ((0, 1), "expected 3 handicap stones, got 2"),
        ((0, 1, 2, 3), "expected 3 handicap stones, got 4"),
        ((), "expected 3 handicap stones, got 0"),
        ((0, 1, 0), "two handicap stones at A1"),
        ((0, 1, PASS), "no point for a handicap stone: pass"),
        ((0, 1, 4), "no point for a handicap stone: '4'"),
        (0, "expected 3 handicap stones, got one move: A1"),
        (PASS, "expected 3 handicap stones, got one move: pass"),
        (None, "expected 3 handicap stones, got one move: 'None'"),
    ],
)
def test_a_placement_is_exactly_so_many_different_points(move, reason):
    game = rules(Options(board_size=(4, 3), komi=0.5, handicap=3, handicap_style="free"))
    assert refusal(game, game.start(), 0, move) == reason


def test_a_diagram_is_read_as_it_is_drawn():
    game, position = game_on(".XO. XO*O .XO.")
    drawn = " 3 . X O .\n 2 X O * O\n 1 . X O .\n   A B C D"
    assert game.render(position) == drawn
    assert drawn_position(game, drawn) == position
    assert drawn_position(game, drawn, to_play=1) == position._replace(to_play=1)


@pytest.mark.parametrize(
    ("last", "row"),
    [
        ("A2", " 2(X)O X O"),
        ("B2", " 2 X(O)X O"),
        ("D2", " 2 X O X(O)"),
        ("pass", " 2 X O X O"),
        ("B2 C2", " 2 X O X O"),  # a handicap is no last move
    ],
)
def test_the_last_move_is_marked_on_a_drawn_board(last, row):
    game, position = game_on("XOXO ....")
    assert game.render(position, ((0, game.parse(last)),)).splitlines()[0] == row


@pytest.mark.parametrize("diagram", ["", "...", "... ....", "... ... ...", "... ..x"])
def test_a_diagram_of_another_board_is_refused(diagram):
    game = rules(Options(board_size=(3, 2), komi=0, ruleset="none"))
    with pytest.raises(ValueError, match=r"expected 2 rows of 3|in a diagram, expected one of"):
        drawn_position(game, diagram.replace(" ", "\n"))


@pytest.mark.parametrize(
    "settings",
    [
        {"board_size": 1},
        {"board_size": (1, 5)},
        {"board_size": (5, 3), "suicide": False},
        {"board_size": 5},
        {"board_size": 7, "handicap": 4, "ruleset": "chinese"},
        {"board_size": (4, 5), "handicap": 3, "handicap_style": "free"},
        {"board_size": 9, "suicide": False},
    ],
)
def test_the_rules_keep_what_their_port_promises(settings):
    check_rules(rules(Options(**({"komi": 0.5} | settings)), 1), games=8)


def test_games_of_go_are_written_as_sgf():
    assert GAME.records == ("sgf",)
