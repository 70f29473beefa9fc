"""Openings of Go: what is set up and played before the players' first move, and files of it."""

import json

import pytest

from gyoji.core.faults import IllegalMove
from gyoji.core.openings import Openings
from gyoji.games.go.game_options import Options
from gyoji.games.go.opening_files import openings, vary
from gyoji.games.go.rules import rules

NINE = {"board_size": 9, "komi": 7.0}


def opened(text, **options):
    """Return the rules of a game on 9x9 that begins so."""
    return rules(Options(**{**NINE, **options}, opening=text))


def drawn(game):
    return [line.split()[1:] for line in game.render(game.start()).splitlines()]


def read(text, name="openings.txt", **options):
    return openings(text.encode(), name, {**NINE, **options})


@pytest.mark.parametrize(
    ("text", "opening", "to_play"),
    [
        ("d4 g7", "D4 G7", 0),
        ("B D4, W G7; B C3", "D4 G7 C3", 1),
        ("white D4 black G7", "PL W D4 G7", 1),
        ("D4 pass C3", "D4 pass C3", 1),
        ("AB D4 G7 AW C3 PL W F6", "AB D4 G7 AW C3 PL W F6", 0),
        ("ab d4 aw g7", "AB D4 AW G7 PL B", 0),
        ("AB D4 G7", "AB D4 G7 PL W", 1),
        ("AB D4 G7 PL B", "AB D4 G7 PL B", 0),
        ("AW D4 B G7", "AW D4 PL B G7", 1),
    ],
)
def test_an_opening_is_stones_set_up_then_moves_in_turns(text, opening, to_play):
    options = Options(**NINE, opening=text)
    game = rules(options)
    assert options.opening == opening
    assert game.start().to_play == to_play
    assert Options(**NINE, opening=options.opening) == options


def test_moves_of_an_opening_are_played_by_the_rules():
    position = opened("A1 A2 J9 B1").start()
    assert (position.black_lost, position.white_lost) == (1, 0)
    assert position.black.bit_count() == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("D4 D4", "move 2, W D4: occupied point D4"),
        ("AW A2 B1 B A1", "move 1, B A1: suicide at A1"),
        ("pass pass", "nobody is to move after it: the game is over"),
        ("B D4 B E5", "move 2: got B, expected W (a pass, or stones set up)"),
        ("AB D4 PL W B C3", "move 1: got B, expected W (a pass, or stones set up)"),
        ("AB D4 AW D4", "two stones are set up at D4"),
        ("AB A1 AW A2 B1", "the stones set up have no liberty at A1"),
        ("AB pass", "got a pass among the stones set up, expected vertices such as D4"),
        ("D4 AW C3", "got AW after move 1, expected it before the moves"),
        ("AB D4 PL", "got PL '', expected PL B or PL W"),
        ("D4 W", "got a colour at the end, expected a move after it"),
        ("K1", "'K1' is off the 9x9 board"),
        ("D4 z", "ill-formed vertex 'Z', expected one such as D4"),
    ],
)
def test_an_opening_that_no_game_can_begin_with_is_refused(text, problem):
    with pytest.raises(ValueError, match=r"^opening: ") as refused:
        opened(text, ruleset="chinese")
    assert str(refused.value) == f"opening: {problem}"


def test_an_opening_is_part_of_the_game_where_ko_and_superko_are_judged():
    ko = "B1 C1 A2 D2 B3 C3 C2 B2"  # White has just taken at C2
    for ruleset in ("", "chinese", "tromp-taylor"):
        game = opened(ko, ruleset=ruleset)
        with pytest.raises(IllegalMove, match="ko at C2"):
            game.check(game.start(), 0, game.parse("C2"))
    later = opened(f"{ko} J9 J8", ruleset="tromp-taylor")
    later.check(later.start(), 0, later.parse("C2"))  # there are other stones on the board now
    small = rules(Options(board_size=(4, 1), komi=0, ruleset="tromp-taylor", opening="B1 C1 A1 pass"))
    assert len(small.start().history) == 5  # the empty board, three stones, a pass


def test_black_stones_alone_are_a_handicap_and_white_is_to_move():
    bonus = {
        ("AB D4 G7 C3", ""): 3,
        ("AB D4 G7 C3 AW E5", ""): 0,
        ("AB D4", ""): 0,
        ("AB D4 G7 C3", "chinese"): 3,
        ("AB D4 G7 C3", "aga"): 2,
        ("D4 pass G7", "chinese"): 0,
    }
    for (text, ruleset), points in bonus.items():
        game = opened(text, ruleset=ruleset)
        assert game.score(game.start()).handicap == points


def test_moves_follow_a_fixed_handicap_and_nothing_goes_with_a_free_one():
    game = opened("E5", handicap=2)
    assert (game.start().to_play, game.opening_plays) == (0, ((1, game.parse("E5")),))
    assert [sum(row.count(sign) for row in drawn(game)) for sign in "XO"] == [2, 1]
    for options in ({"handicap": 2, "handicap_style": "free"}, {"handicap": 2}):
        with pytest.raises(ValueError, match="leave handicap out"):
            opened("AB D4" if len(options) == 1 else "D4", **options)


def test_engines_are_told_of_the_stones_in_an_order_that_captures_nothing():
    game = opened("AB A1 A2 A3 C1 C2 AW B1 B2 B3 B4 J9 PL W J8")
    board, sides = game.board, [0, 0]
    for seat, move in game.opening_plays:
        sides[seat] |= 1 << move
        empty = board.full ^ sides[0] ^ sides[1]
        for stones in sides:
            assert not stones & ~board.flood(board.spread(empty), stones)
    assert tuple(sides) == game.start()[:2]
    assert game.opening_plays[0][0] == 1  # Black's first plays in a row are a handicap to some


# Files


def test_a_file_is_an_opening_a_line():
    text = "# three\nE5 C5   # the middle\n\n; a remark\nAB E5 AW C3 PL B G7\nB D4\n"
    assert read(text) == ("E5 C5", "AB E5 AW C3 PL B G7", "D4")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(;GM[1]SZ[9]KM[6.5]HA[2];B[dd];W[fg](;B[cc])(;B[ff]))", ("D6 F3 C7",)),
        ("(;SZ[9]AB[aa:bb]AW[cc][gg]PL[W];W[ee];B[];W[tt])", None),
        ("(;SZ[9]AB[aa:bb]AW[cc][gg]PL[W];W[ee];B[])", ("AB A9 B9 A8 B8 AW C7 G3 PL W E5 pass",)),
        ("(;SZ[9]AB[dd][gg])\n(;SZ[9];W[ee])", ("AB D6 G3 PL W", "PL W E5")),
        ("(;SZ[9:9]AW[dd]PL[white])", ("AW D6 PL W",)),
    ],
)
def test_the_games_of_an_sgf_file_are_openings(text, expected):
    if expected is None:
        with pytest.raises(ValueError, match="the game is over"):
            read(text, "openings.sgf")
    else:
        assert read(text, "openings.sgf") == read(text) == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("(;B[dd])", "game 1, line 1: got a game of 19x19, expected 9x9"),
        ("(;GM[4]SZ[9];B[dd])", "game 1, line 1: GM[4] is not the game of Go, which is GM[1]"),
        ("(;SZ[9];B[dd])\n\n(;SZ[9];B[dd];W[dd])", "game 2, line 3: move 2, W D6: occupied point D6"),
        (
            "(;SZ[9];B[dd];AW[ee])",
            "game 1, line 1: node 2: stones are set by hand after move 1",
        ),
        ("(;SZ[9];B[dd];B[ee])", "game 1, line 1: move 2: got B, expected W (a pass, or stones set up)"),
        ("(;SZ[9];B[jj])", "game 1, line 1: node 1: 'jj' is not a point on a board of 9x9"),
        ("(;SZ[9];B[d4])", "game 1, line 1: node 1: 'd4' is not a point on a board of 9x9"),
        ("(;SZ[9]C[nothing])", "game 1, line 1: got no stone and no move, expected one or more"),
        ("(;SZ[9];B[dd", "line 1: a property with a complete value was expected, found 'B[dd'"),
    ],
)
def test_a_game_that_is_no_opening_is_refused_with_its_place(text, problem):
    with pytest.raises(ValueError, match="line ") as refused:
        read(text, "x.sgf")
    assert str(refused.value) == problem


def test_mistakes_in_lines_are_told_with_their_lines():
    with pytest.raises(ValueError, match="line 2") as refused:
        read("D4\nD4 D4\nK10\n")
    assert str(refused.value).splitlines() == [
        "line 2: move 2, W D4: occupied point D4",
        "line 3: 'K10' is off the 9x9 board",
    ]


STARTPOS = {
    "board": "........./.X......./........./........./........./........./........./......O../........./",
    "hintLoc": "null",
    "initialTurnNumber": 3,
    "moveLocs": ["D4", "E5"],
    "movePlas": ["W", "B"],
    "nextPla": "W",
    "weight": 1.0,
    "xSize": 9,
    "ySize": 9,
}


def test_katagos_starting_positions_are_openings():
    text = f"{json.dumps(STARTPOS)}\n{json.dumps({**STARTPOS, 'moveLocs': [], 'movePlas': []})}\n"
    assert read(text) == ("AB B8 AW G2 PL W D4 E5", "AB B8 AW G2 PL W")
    for changed, problem in (
        ({"xSize": 19}, "got a game of 19x9, expected 9x9"),
        ({"board": "..../"}, "board: expected 9 rows of 9"),
        ({"nextPla": 3}, "no starting position of KataGo"),
    ):
        with pytest.raises(ValueError, match=f"line 1: {problem}"):
            read(json.dumps({**STARTPOS, **changed}))
    with pytest.raises(ValueError, match="line 1: "):
        read("{nonsense")


# Turned


@pytest.mark.parametrize(("size", "ways"), [(9, 8), ([9, 5], 4)])
def test_an_opening_is_turned_in_every_way_of_its_board(size, ways):
    options = {"board_size": size, "komi": 0}
    turned = [vary("AB D3 AW E4 PL W B2 pass", options, symmetry=symmetry) for symmetry in range(8)]
    assert turned[0] == "AB D3 AW E4 PL W B2 pass"
    assert len(set(turned)) == ways
    assert all(Options(**options, opening=text).opening == text for text in turned)


def test_the_openings_of_a_competition_are_turned_another_way_in_each_pass():
    made = Openings(lines=("D3 G4", "C3"), symmetries="each")
    texts = [made.options(vary, NINE, number, 1)["opening"] for number in range(0, 32, 2)]
    assert len(set(texts)) == 8 + 4  # C3 lies on a diagonal
    assert texts[:4] == ["D3 G4", "C3", "F3 C4", "G3"]


def test_an_opening_stays_where_it_is_under_a_fixed_handicap():
    assert vary("E4", {**NINE, "handicap": 2}, symmetry=3) == "E4"
