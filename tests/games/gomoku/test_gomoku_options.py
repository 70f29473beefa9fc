"""The settings of a game of gomoku, the leagues of Gomocup, and the names of points."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.games.gomoku.board import SWAP, board_of, column_name, names_of
from gyoji.games.gomoku.game import GAME as GOMOKU
from gyoji.games.gomoku.game_options import Options, rules


@pytest.mark.parametrize(
    ("rule", "name", "bits"),
    [
        ("freestyle", "freestyle", 0),
        (0, "freestyle", 0),
        ("standard", "standard", 1),
        ("renju", "renju", 4),
        (4, "renju", 4),
        ("caro", "caro", 9),
        (9, "caro", 9),
        ("caro-8", "caro-8", 8),
        ("continuous", "continuous", 2),
        (3, 3, 3),
        (10, 10, 10),
        (11, 11, 11),
    ],
)
def test_a_rule_has_a_name_or_a_number(rule, name, bits):
    options = Options(rule=rule)
    assert options.rule == name
    assert rules(options).bits == bits


@pytest.mark.parametrize(
    ("given", "kept"),
    [(15, 15), ([20, 20], 20), ([30, 20], (30, 20)), ((5, 127), (5, 127)), (5, 5), (127, 127)],
)
def test_boards_are_square_or_not(given, kept):
    options = Options(board_size=given)
    assert options.board_size == kept
    game = rules(options)
    assert (game.width, game.height) == options.size


def test_defaults_are_freestyle_on_15x15():
    game = rules(Options())
    assert (game.width, game.height, game.bits, game.swap2) == (15, 15, 0, False)
    assert rules(Options(swap2=True)).swap2 is True


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"board_size": 4}, "board_size: got 4, expected 5 to 127, or (columns, rows)"),
        ({"board_size": (15, 128)}, "board_size: got (15, 128), expected 5 to 127, or (columns, rows)"),
        ({"board_size": True}, "board_size: got True, expected 5 to 127, or (columns, rows)"),
        ({"board_size": (15, 15, 15)}, "board_size: got (15, 15, 15), expected 5 to 127, or (columns, rows)"),
        ({"rule": 5}, "rule: got 5, but renju (4) goes with none of 1, 2 and 8"),
        ({"rule": 12}, "rule: got 12, but renju (4) goes with none of 1, 2 and 8"),
        (
            {"rule": "Renju"},
            "rule: got 'Renju', expected 'freestyle', 'standard', 'continuous', 'renju', 'caro-8', 'caro', "
            "or a sum of 1, 2, 4 and 8",
        ),
        (
            {"rule": True},
            "rule: got True, expected 'freestyle', 'standard', 'continuous', 'renju', 'caro-8', 'caro', "
            "or a sum of 1, 2, 4 and 8",
        ),
        ({"swap2": 1}, "swap2: got 1, expected true or false"),
        ({"dead_draw": "yes"}, "dead_draw: got 'yes', expected true or false"),
        ({"max_moves": -1}, "max_moves: got -1, expected 0 or more"),
        ({"max_moves": 5, "swap2": True}, "max_moves: got 5, expected 0 or 6 and more"),
        ({"draw_margin": 225}, "draw_margin: got 225, expected 0 to 224"),
        ({"draw_margin": 20, "swap2": True, "board_size": 5}, "draw_margin: got 20, expected 0 to 19"),
        ({"draw_margin": None}, "draw_margin: got None, expected 0 to 224"),
        ({"opening": 8}, "opening: got 8, expected stones such as 'h8i9'"),
        ({"opening": "h8i"}, "opening: ill-formed point in 'h8i', expected points such as h8 or h8i9"),
        ({"opening": "swap"}, "opening: ill-formed point in 'swap', expected points such as h8 or h8i9"),
        ({"opening": "h8p1"}, "opening: 'p1' is off the 15x15 board"),
        ({"opening": "h8i9h8"}, "opening: stone 3, h8: occupied point h8"),
        ({"opening": "a1a2b1b2c1c2d1d2e1"}, "opening: the game is over after its 9 stones: five"),
        ({"opening": "a1a2b1b2c1c2d1d2e1e2"}, "opening: stone 10, e2: the game is over before it: five"),
        (
            {"opening": "a1a2b1b2c1c2d1d2e1", "rule": 2, "max_moves": 9},
            "opening: the game is over after its 9 stones: the most moves are made",
        ),
        (
            {"opening": "h8a1i8a3h9a5i9a7g7", "max_moves": 9},
            "opening: the game is over after its 9 stones: the most moves are made",
        ),
        (
            {"opening": "g8a1h8a3i7a5i6a7i8", "rule": "renju"},
            "opening: stone 9, i8: forbidden: double three at i8",
        ),
    ],
)
def test_what_does_not_fit_is_refused(options, message):
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the whole message
        Options(**options)
    assert str(refused.value) == message


def test_an_opening_has_one_form():
    assert Options(opening="H8I09g7").opening == "h8i9g7"


# Leagues


@pytest.mark.parametrize("name", GOMOKU.presets)
def test_a_league_is_a_game_that_can_be_played(name):
    league = GOMOKU.presets[name]
    known = Options.__dataclass_fields__
    options = Options(**{key: value for key, value in league.items() if key in known})
    assert rules(options).acting(rules(options).start()) == (0,)
    others = set(league) - set(known)
    of_the_event = {
        "clock",
        "max_memory",
        "max_disk",
        "ponder",
        "number_of_games",
        "rounds",
        "cores",
        "sandbox",
    }
    assert others <= of_the_event
    assert league["clock"]["margin"] == "1s"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("gomocup-freestyle", (20, "freestyle", "180s", "30s", 24)),
        ("gomocup-freestyle-final", (20, "freestyle", "1000s", "300s", 24)),
        ("gomocup-freestyle15", (15, "freestyle", "180s", "30s", 24)),
        ("gomocup-fastgame", (20, "freestyle", "120s", "5s", 24)),
        ("gomocup-standard", (15, "standard", "180s", "30s", 24)),
        ("gomocup-renju", (15, "renju", "1000s", "300s", 24)),
        ("gomocup-caro", (15, "caro", "180s", "30s", 24)),
        ("gomocup-unlimited", (15, "standard", "120m", None, 2)),
    ],
)
def test_the_leagues_are_those_of_gomocup(name, expected):
    league = GOMOKU.presets[name]
    clock = league["clock"]
    got = (league["board_size"], league["rule"], clock["main"], clock.get("move"), league["number_of_games"])
    assert got == expected
    assert league.get("draw_margin", 0) == (25 if name == "gomocup-renju" else 0)
    assert ("max_memory" in league) == (name != "gomocup-unlimited")


# Names


@pytest.mark.parametrize(
    ("text", "place"),
    [("a1", (0, 0)), ("z1", (25, 0)), ("aa1", (26, 0)), ("ad30", (29, 29)), (" H008 ", (7, 7))],
)
def test_points_are_named_by_column_and_row(text, place):
    board = board_of(30, 30)
    assert names_of(board).parse(text) == board.point(*place)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "ill-formed move: got nothing, expected a point such as h8"),
        ("8h", "ill-formed point in '8h', expected points such as h8 or h8i9"),
        ("h8 i9", "ill-formed point in 'h8 i9', expected points such as h8 or h8i9"),
        ("h-8", "ill-formed point in 'h-8', expected points such as h8 or h8i9"),
        ("h८", "ill-formed point in 'h८', expected points such as h8 or h8i9"),
        ("h0", "'h0' is off the 15x15 board"),
        ("h16", "'h16' is off the 15x15 board"),
        ("a" * 100 + "1", f"'{'a' * 80}…' is off the 15x15 board"),
        ("h" + "9" * 5000, f"'h{'9' * 79}…' is off the 15x15 board"),
    ],
)
def test_what_is_no_point_is_told(text, message):
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the whole message
        names_of(board_of(15, 15)).parse(text)
    assert str(refused.value) == message


@pytest.mark.parametrize("move", [0, -2, (), (85,), (85, SWAP), "h8"])
def test_what_is_no_move_has_no_text(move):
    with pytest.raises(ValueError, match="no move on this board"):
        names_of(board_of(15, 15)).format(move)


@given(st.integers(5, 127), st.integers(5, 127), st.lists(st.integers(0, 10**6), min_size=1, max_size=6))
def test_a_text_is_read_as_it_was_written(width, height, numbers):
    board = board_of(width, height)
    points = list(board.bits)
    stones = tuple(points[number % len(points)] for number in numbers)
    move = stones if len(stones) > 1 else stones[0]
    names = names_of(board)
    assert names.parse(names.format(move)) == move
    assert names.parse(names.format(SWAP).upper()) == SWAP


def test_every_column_has_a_name_of_its_own():
    assert len({column_name(x) for x in range(127)}) == 127
