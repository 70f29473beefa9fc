"""Gomoku as the referee sees it: which rows win under which rule, what is refused, how games end."""

import gc

import pytest

from gyoji.core.faults import IllegalMove
from gyoji.core.outcome import Ending
from gyoji.games.gomoku import position as p
from gyoji.games.gomoku.board import SWAP
from gyoji.games.gomoku.game_options import Options, rules
from gyoji.games.gomoku.position import Position
from gyoji.testing.rules_kit import check_rules


def game_of(**options):
    return rules(Options(**options))


def position_of(game, *rows):
    """Return the position of a drawing with X for Black and O for White. Black is to move."""
    sets = [0, 0]
    for y, row in enumerate(rows):
        for x, sign in enumerate(row.replace(" ", "")):
            if sign != ".":
                sets["XO".index(sign)] |= 1 << game.point(x, y)
    return Position(*sets)


def played(game, text, position=None):
    """Return the position after these moves, whoever is to make them."""
    position = position or game.start()
    for word in text.split():
        (seat,) = game.acting(position)
        position = game.play(position, ((seat, game.parse(word)),))
    return position


def refusal(game, position, move):
    (seat,) = game.acting(position)
    with pytest.raises(IllegalMove) as refused:
        game.play(position, ((seat, move),))
    with pytest.raises(IllegalMove, match="^" + "$|^".join([refused.value.reason])):
        game.check(position, seat, move)
    assert refused.value.seat == seat
    return refused.value.reason


# Rows. Black's or White's stone goes on the ?, and the columns are rules: whether it wins.

ROWS = [
    #                    freestyle standard renju caro-8 caro
    ("XXXX?..........", "X", 1, 1, 1, 1, 1),
    (".XX?XX.........", "X", 1, 1, 1, 1, 1),
    (".XXX?..........", "X", 0, 0, 0, 0, 0),
    ("XXX?.X.........", "X", 0, 0, 0, 0, 0),
    ("OXXXX?.........", "X", 1, 1, 1, 1, 1),
    ("OXXXX?O........", "X", 1, 1, 1, 0, 0),
    ("OXXX?XO........", "X", 1, 1, 1, 0, 0),
    ("XXXX?O.........", "X", 1, 1, 1, 1, 1),  # the edge is nobody's stone
    ("O?OOO..........", "O", 1, 1, 1, 1, 1),
    ("XOO?OOX........", "O", 1, 1, 1, 0, 0),
    ("..XX?XXX.......", "X", 1, 0, None, 1, 0),
    (".OXX?XXXO......", "X", 1, 0, None, 1, 0),
    ("OOO?OO.........", "O", 1, 0, 1, 1, 0),
    ("XOOO?OOX.......", "O", 1, 0, 1, 1, 0),
    ("XXXXX?XXXX.....", "X", 1, 0, None, 1, 0),
]
NAMED = ("freestyle", "standard", "renju", "caro-8", "caro")


def turned(row, how, size=15):
    """Return the drawing of a board with the row in it, in one of the four directions."""
    places = {
        "row": lambda n: (n, 4),
        "column": lambda n: (4, n),
        "falling": lambda n: (n, n),
        "rising": lambda n: (n, size - 1 - n),
    }[how]
    board = [["."] * size for _ in range(size)]
    for number, sign in enumerate(row):
        x, y = places(number)
        board[y][x] = sign
    return ["".join(line) for line in board]


@pytest.mark.parametrize("how", ["row", "column", "falling", "rising"])
@pytest.mark.parametrize("case", ROWS, ids=lambda case: case[0])
def test_a_row_wins_as_its_rule_has_it(case, how):
    row, colour, *expected = case
    lines = turned(row, how)
    (place,) = [(line.index("?"), y) for y, line in enumerate(lines) if "?" in line]
    for rule, wins in zip(NAMED, expected, strict=True):
        game = game_of(rule=rule)
        position = position_of(game, *[line.replace("?", ".") for line in lines])
        position = position._replace(played="XO".index(colour))
        turn = (("XO".index(colour), game.point(*place)),)
        if wins is None:
            with pytest.raises(IllegalMove, match="forbidden: overline"):
                game.play(position, turn)
            continue
        after = game.play(position, turn)
        assert (rule, bool(game.rows(after))) == (rule, bool(wins))
        assert (rule, game.acting(after) == ()) == (rule, bool(wins))


def test_a_row_does_not_go_round_the_edge():
    game = game_of(board_size=14)
    position = position_of(game, "." * 11 + "XXX", "X" + "." * 13)
    assert game.acting(played(game, "b2", position)) == (1,)


def test_several_rows_at_once_are_all_told():
    game = game_of()
    position = position_of(game, "XXXX.", "...X.", "..X..", ".X...", "X....")
    after = played(game, "e1", position._replace(played=8))
    assert game.outcome(after).detail == "five, a1 to e1; five, e1 to a5"
    assert [len(row) for row in game.rows(after)] == [5, 5]


def test_whoever_made_the_row_has_won():
    game = game_of()
    after = played(game, "a1 a2 b1 b2 c1 c2 d1 d2 o15 e2")
    outcome = game.outcome(after)
    assert (outcome.points, outcome.ending, outcome.winner) == ((0.0, 1.0), Ending("five"), 1)
    assert (outcome.detail, outcome.seat, outcome.margin) == ("five, a2 to e2", None, None)
    long = played(game, "a1 a2 b1 b2 c1 c2 e1 e2 f1 f2 d1")
    assert game.outcome(long).detail == "row of 6, a1 to f1"
    assert game.rows(game.start()) == ()


# What is refused


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("h8", "occupied point h8"),
        ("swap", "there is nothing to swap"),
        ("a1b2", "several stones in one move"),
    ],
)
def test_what_no_rule_allows_is_refused(move, reason):
    game = game_of()
    assert refusal(game, played(game, "h8"), game.parse(move)) == reason


def test_what_is_no_point_is_refused():
    game = game_of()
    assert refusal(game, game.start(), 0) == "no such point: '0'"
    assert refusal(game, game.start(), "h8") == "no such point: \"'h8'\""


def test_nobody_moves_out_of_turn_or_after_the_end():
    game = game_of()
    with pytest.raises(IllegalMove, match="not to move"):
        game.check(game.start(), 1, game.parse("h8"))
    after = played(game, "a1 a2 b1 b2 c1 c2 d1 d2 e1")
    for seat in (0, 1):
        with pytest.raises(IllegalMove, match="the game is over"):
            game.check(after, seat, game.parse("o15"))
        assert list(game.legal(after, seat)) == []


def test_there_is_no_outcome_before_the_end():
    with pytest.raises(ValueError, match="not over"):
        game_of().outcome(game_of().start())


# Renju. The ? is where Black plays.

FOULS = [
    ("double three", ["......", ".XX?..", "...X..", "...X..", "......", "......"]),
    ("double four", ["X.X?X.X"]),
    ("double four", [".XX.?X.XX."]),
    ("double four", [".XXX.?.XXX."]),
    ("", [".XX?..", "......"]),  # a three alone
    ("", ["XXX?..", "...X..", "...X.."]),  # four and three
    ("", [".XXX?"]),  # a straight four would be one four
    ("overline", ["XX?XXX"]),
    ("", ["XX?XX", "..X..", "..X..", "..X.."]),  # a five beats the double four
    ("overline and double four", ["XX?XXX", "..XX..", "..X.X.", "..X..X", "......"]),
]
"""(why the stone may not be placed, "" if it may; the corner of the board)."""


@pytest.mark.parametrize(("kinds", "lines"), FOULS)
def test_renju_forbids_black_what_it_should(kinds, lines):
    game, width = game_of(rule="renju"), len(lines[0])
    board = [f"...{line}" for line in ["." * width] * 3 + lines]
    (point,) = [game.point(line.index("?"), y) for y, line in enumerate(board) if "?" in line]
    position = position_of(game, *[line.replace("?", ".") for line in board])
    if kinds:
        reason = f"forbidden: {kinds} at {game.format(point)}"
        assert refusal(game, position, point) == reason
        assert " and ".join(foul.value for foul in game.forbidden(position)[point]) == kinds
        assert point not in game.legal(position, 0)
    else:
        assert point not in game.forbidden(position)
        game.play(position, ((0, point),))
        assert point in game.legal(position, 0)
    # for White, and by other rules, nothing is forbidden
    game.check(position._replace(played=1), 1, point)
    assert game_of().forbidden(position) == {}
    game_of().check(position, 0, point)


def test_a_three_whose_points_are_forbidden_is_none():
    # e4 makes two rows of three; but f4 and b4, which would make the straight four, are an overline
    game = game_of(rule="renju")
    column, cross = ".X...X...", ["....X....", "..XX.....", "....X...."]
    free = position_of(game, *["........."] * 2, *cross)
    taken = position_of(game, column, column, ".X..XX...", "..XX.....", ".X..XX...", column, column)
    assert [foul.value for foul in game.forbidden(free)[game.parse("e4")]] == ["double three"]
    assert game.parse("e4") not in game.forbidden(taken)


def test_black_with_forbidden_points_only_has_a_draw():
    game = game_of(board_size=(7, 5), rule="renju")
    rows = ["OXOXOXO", "XXX.XXX", "OOXOXOO", "XOOXOOX", "OXOO.OX"]
    position = position_of(game, *rows)._replace(played=33)
    last = game.play(position, ((1, game.point(4, 4)),))
    assert (last.end, game.acting(last)) == (p.NO_MOVE, ())
    assert game.outcome(last).detail == "every point left is forbidden to Black"
    assert game.outcome(last).is_level


# Draws


def full(game):
    """Moves that fill a board without five in a row."""
    colours = ([], [])
    for x in range(game.width):
        for y in range(game.height):
            colours[(x // 2 + y) % 2].append(game.point(x, y))
    first, second = sorted(colours, key=len, reverse=True)
    moves = [move for pair in zip(first, second, strict=False) for move in pair]
    return moves + first[len(second) : len(second) + 1]


def run(game):
    position = game.start()
    for move in full(game):
        if not (acting := game.acting(position)):
            break
        position = game.play(position, ((acting[0], move),))
    return position


@pytest.mark.parametrize(
    ("options", "stones", "detail"),
    [
        ({}, 25, ""),
        ({"max_moves": 10}, 10, "the most moves are made"),
        ({"max_moves": 100}, 25, ""),
        ({"draw_margin": 5}, 20, "few points are left"),
        ({"draw_margin": 5, "max_moves": 24}, 20, "few points are left"),
        ({"draw_margin": 5, "max_moves": 20}, 20, "the most moves are made"),
        ({"dead_draw": True}, 22, "no five is possible any more"),
    ],
)
def test_a_draw_comes_when_the_options_say(options, stones, detail):
    game = game_of(board_size=5, **options)
    position = run(game)
    outcome = game.outcome(position)
    assert (position.played, outcome.ending, outcome.detail) == (stones, Ending.FULL, detail)
    assert (outcome.points, outcome.margin) == ((0.5, 0.5), None)


def test_the_last_stone_can_still_win():
    game = game_of(board_size=5, max_moves=9)
    assert played(game, "a1 a2 b1 b2 c1 c2 d1 d2 e1").end == p.FIVE


def test_a_place_that_can_only_become_too_long_keeps_no_game_alive():
    # Black's only five in a line without a white stone would be the middle of six
    rows = ["XX.XXX", "OOXOXO", "XOXOOX", "OXOXXO", "XOXOXO", "OXOXX."]
    for rule, is_alive in (("freestyle", True), ("standard", False)):
        game = game_of(board_size=6, rule=rule, dead_draw=True)
        position = position_of(game, *rows)._replace(played=33)
        after = game.play(position, ((1, game.parse("f6")),))
        assert (after.end == "") == is_alive


# The continuous game


def test_rows_are_counted_and_their_stones_dead():
    game = game_of(rule="continuous", board_size=(10, 5))
    after = played(game, "a1 a3 b1 b3 c1 c3 d1 d3 e1")
    assert (after.fives, game.acting(after), game.phase(after)) == ((1, 0), (1,), "")
    assert game.dead(after) == frozenset(game.parse("a1b1c1d1e1"))
    assert [colour for _, colour in game.stones(after)] == [0, 1, 0, 1, 0, 1, 0, 1, 0]
    assert refusal(game, after, game.parse("a1")) == "occupied point a1"
    # a sixth stone beside the five dead ones makes no row
    after = played(game, "j5 f1 j4 g1 j1 h1 j2 i1", after)
    assert after.fives == (1, 0)
    assert game.render(after).splitlines()[0].split() == ["1", *"#####XXXXO"]


@pytest.mark.parametrize("colour", [0, 1])
def test_two_rows_at_once_count_as_two(colour):
    game = game_of(rule="continuous")
    rows = ["XXXX.", "...X.", "..X..", ".X...", "X...."]
    position = position_of(game, *[row.replace("X", "XO"[colour]) for row in rows])
    after = played(game, "e1", position._replace(played=8 + colour))
    assert (after.fives, len(game.dead(after))) == (((2, 0), (0, 2))[colour], 9)
    assert (after.black, after.white) == (0, 0)


def test_dead_stones_block_nothing():
    for rule in (10, 11):
        game = game_of(rule=rule)
        position = position_of(game, "O.XXXXO")._replace(played=8)
        closed = played(game, "b1", position)
        assert closed.fives == (0, 0)
        opened = position._replace(white=1 << game.parse("g1"), dead=1 << game.parse("a1"))
        assert played(game, "b1", opened).fives == (1, 0)


@pytest.mark.parametrize(
    ("fives", "points", "margin"), [((3, 1), (1.0, 0.0), 2), ((0, 1), (0.0, 1.0), 1), ((2, 2), (0.5, 0.5), 0)]
)
def test_whoever_made_more_rows_has_won(fives, points, margin):
    game = game_of(rule="continuous")
    outcome = game.outcome(Position(fives=fives, end=p.FULL_BOARD))
    assert (outcome.points, outcome.margin, outcome.ending) == (points, margin, Ending.FULL)
    assert outcome.detail == f"Black made {fives[0]} of five, White {fives[1]}; the board is full"
    other = game.outcome(Position(fives=fives, end=p.FULL_BOARD, swapped=1))
    assert other.points == points[::-1]


def test_a_five_of_the_opening_counts_in_a_continuous_game():
    game = game_of(rule="continuous", opening="a1a3b1b3c1c3d1d3e1")
    start = game.start()
    assert (start.fives, game.acting(start)) == ((1, 0), (1,))
    assert game.dead(start) == frozenset(game.parse("a1b1c1d1e1"))
    assert game_of(rule="continuous", board_size=5, opening="a1a2b1b2c1c2d1d2e1e2").start().fives == (1, 1)


# Openings, sides, views


@pytest.mark.parametrize(("opening", "seat"), [("", 0), ("h8", 1), ("h8i9", 0), ("h8i9g7", 1)])
def test_after_an_opening_the_colour_whose_turn_it_is_moves(opening, seat):
    game = game_of(opening=opening)
    start = game.start()
    assert game.acting(start) == (seat,)
    assert game.to_move(start) == game.colour(start, seat) == seat
    assert "".join(game.format(point) for point, _ in game.stones(start)) == opening
    assert game.sides(start) == (0, 1)


def test_equal_games_are_equal_however_long():
    game = game_of(board_size=127, rule="standard")
    one, two, moves = run(game), run(game), full(game)
    assert one.played == len(moves) == 16129
    assert one == two
    assert (one != two) is False
    assert hash(one) == hash(two)
    assert len(repr(one.stones)) < 50
    assert [point for point, _ in game.stones(one)] == moves
    other = two._replace(stones=two.stones.before)
    assert one != other
    swapped = p.Stones(p.Stones(None, 7), 8), p.Stones(p.Stones(None, 8), 8)
    assert swapped[0] != swapped[1]
    del one, two, other
    gc.collect()


def test_other_orders_of_the_same_stones_are_other_positions():
    game = game_of()
    assert played(game, "a1 b1 c1") != played(game, "c1 b1 a1")
    assert played(game, "a1 b1") != played(game, "a1")
    assert game.start() == Position()


# Swap2

CHOICES = [
    # (moves, seat to move, phase, sides)
    ("", 0, "swap2: three stones", (0, 1)),
    ("h8i9g7", 1, "swap2: choice", (0, 1)),
    ("h8i9g7 swap", 0, "", (1, 0)),
    ("h8i9g7 a1", 0, "", (0, 1)),
    ("h8i9g7 a1b1", 0, "swap2: last choice", (1, 0)),
    ("h8i9g7 a1b1 swap", 1, "", (0, 1)),
    ("h8i9g7 a1b1 c1", 1, "", (1, 0)),
]


@pytest.mark.parametrize(("moves", "seat", "phase", "sides"), CHOICES)
def test_swap2_goes_from_phase_to_phase(moves, seat, phase, sides):
    game = game_of(swap2=True, rule="standard")
    position = played(game, moves)
    assert (game.acting(position), game.phase(position), game.sides(position)) == ((seat,), phase, sides)
    assert [game.colour(position, each) for each in (0, 1)] == list(sides)
    assert game.to_move(position) == len(game.stones(position)) % 2
    assert "".join(game.format(point) for point, _ in game.stones(position)) == "".join(
        word for word in moves.split() if word != "swap"
    )
    if not phase:
        assert sides[seat] == game.to_move(position)


@pytest.mark.parametrize(
    ("moves", "move", "reason"),
    [
        ("", "h8", "swap2: three stones: got 1 stone, expected three stones"),
        ("", "h8i9", "swap2: three stones: got 2 stones, expected three stones"),
        ("", "swap", "swap2: three stones: got swap, expected three stones"),
        ("", "h8i9h8", "occupied point h8"),
        ("h8i9g7", "a1b1c1", "swap2: choice: got 3 stones, expected swap, one stone, or two"),
        ("h8i9g7", "h8", "occupied point h8"),
        ("h8i9g7", "a1i9", "occupied point i9"),
        ("h8i9g7 a1b1", "c1d1", "swap2: last choice: got 2 stones, expected swap or one stone"),
        ("h8i9g7 a1b1", "b1", "occupied point b1"),
        ("h8i9g7 a1", "swap", "there is nothing to swap"),
        ("h8i9g7 swap", "swap", "there is nothing to swap"),
    ],
)
def test_swap2_refuses_what_is_no_choice(moves, move, reason):
    game = game_of(swap2=True)
    assert refusal(game, played(game, moves), game.parse(move)) == reason


def test_swap2_refuses_what_is_no_point():
    game = game_of(swap2=True)
    h8 = game.parse("h8")
    assert refusal(game, game.start(), (h8, 0, h8)) == "no such point: '0'"
    assert refusal(game, game.start(), (h8, SWAP, h8)) == "no such point: '-1'"
    position = played(game, "h8i9g7")
    assert refusal(game, position, 0) == "no such point: '0'"
    with pytest.raises(IllegalMove, match="not to move"):
        game.check(position, 0, SWAP)


def test_after_swap2_points_go_to_the_seat_that_has_the_colour():
    game = game_of(swap2=True)
    position = played(game, "a1a2b1 swap b2 c1 c2 d1 d2 e1")
    assert game.sides(position) == (1, 0)
    assert game.outcome(position).winner == 1


# All of it

KIT = [
    {"board_size": 6},
    {"board_size": (5, 8), "rule": "standard", "dead_draw": True},
    {"board_size": 7, "rule": "renju"},
    {"board_size": 6, "rule": "caro", "opening": "c3"},
    {"board_size": (9, 5), "rule": "caro-8", "draw_margin": 10},
    {"board_size": 6, "rule": "continuous"},
    {"board_size": 7, "rule": 11, "dead_draw": True},
    {"board_size": 7, "rule": "standard", "swap2": True, "max_moves": 20},
    {"board_size": 6, "rule": "renju", "swap2": True},
]


@pytest.mark.parametrize("options", KIT)
def test_the_rules_keep_the_promises_of_the_port(options):
    check_rules(game_of(**options), games=4)


def test_in_swap2_an_example_of_each_kind_of_move_is_given():
    game = game_of(swap2=True, board_size=5)
    kinds = [
        [1 if isinstance(move, int) else len(move) for move in game.legal(played(game, moves), seat)]
        for moves, seat in (("", 0), ("a1b1c1", 1), ("a1b1c1 d1e1", 0))
    ]
    assert kinds == [[3], [1, 1, 2], [1, 1]]
    assert next(iter(game.legal(played(game, "a1b1c1"), 1))) == SWAP


def test_a_picture_has_names_and_stones():
    game = game_of(board_size=(30, 5), opening="ab2c1")
    lines = game.render(game.start()).splitlines()
    assert lines[0].split() == ["1", ".", ".", "O", *["."] * 27]
    assert lines[1].split()[28] == "X"
    assert lines[-1].split() == [*"abcdefghijklmnopqrstuvwxyz", "aa", "ab", "ac", "ad"]
    assert len({len(line) for line in lines}) == 1


@pytest.mark.parametrize(("width", "row"), [(5, " 1 . X(O). ."), (27, " 1  .  X( O) .  .")])
def test_the_last_stone_is_marked_on_a_picture(width, row):
    game = game_of(board_size=(width, 5), opening="b1c1")
    drawn = game.render(game.start(), ((1, game.parse("c1")),))
    assert drawn.splitlines()[0].startswith(row)
    assert game.render(game.start(), ((1, game.parse("swap")),)) == game.render(game.start())


def test_the_text_of_a_move_is_the_move_and_its_place():
    game = game_of(board_size=(127, 5))
    assert game.coordinates(game.parse("dw5")) == (126, 4)
    assert game.simplify(game.start(), game.parse("dw5")) == game.point(126, 4)
    assert game.drop(game.start(), 0) is None
    assert game.view(game.start(), 0) == game.start()
    for x, y in ((127, 0), (0, 5), (-1, 0), (0, -1)):
        with pytest.raises(ValueError, match="off the 127x5 board"):
            game.point(x, y)
    with pytest.raises(ValueError, match="0 is no point"):
        game.coordinates(0)
