"""Who lives and who owns what: tables of diagrams, and Benson's algorithm against every way to attack."""

import pytest
from tests.go_diagrams import read_diagram

from gyoji.core.boards import bits
from gyoji.games.go.board import board_of
from gyoji.games.go.game_options import Options
from gyoji.games.go.life import areas_of, independent_life, life_of, settled_areas
from gyoji.games.go.rules import rules


def board_with(diagram):
    rows = diagram.split()
    board = board_of(len(rows[0]), len(rows))
    black, white, _ = read_diagram(board, "\n".join(rows))
    return board, black, white


def drawn(board, black, white):
    rows = [[1 << board.bit(x, y) for x in range(board.width)] for y in reversed(range(board.height))]
    return " ".join(
        "".join("X" if bit & black else "O" if bit & white else "." for bit in row) for row in rows
    )


# name, board, Black's pass-alive stones and territory without suicide, and with it
ALIVE = [
    ("two eyes live", ".X.X.. XXXXX. ......", "XXXX.. XXXXX. ......", "XXXX.. XXXXX. ......"),
    ("one eye does not", ".XX... XXX... ......", "...... ...... ......", "...... ...... ......"),
    ("nor one of two points", "..XX.. XXXX.. ......", "...... ...... ......", "...... ...... ......"),
    ("groups may share their eyes", ".X.X. X.X.X .X.X.", "XXXXX XXXXX XXXXX", "XXXXX XXXXX XXXXX"),
    (
        "a shared eye must be nobody else's",
        ".XO... XO.... OO....",
        "...... ...... ......",
        "...... ...... ......",
    ),
    ("the border may be an eye", "..X.X. XXXXX. ......", "XXXXXX XXXXXX XXXXXX", "XXXXXX XXXXXX XXXXXX"),
    ("stones inside an eye are dead", "X.OX.X XXXXXX ......", "XXXXXX XXXXXX XXXXXX", "XXXXXX XXXXXX XXXXXX"),
    ("attackers may have to vacate by suicide", ".X.OO", "XX...", "....."),
    ("an empty board is nobody's", "... ...", "... ...", "... ..."),
]


@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize("case", ALIVE, ids=[case[0] for case in ALIVE])
def test_groups_with_two_vital_regions_are_pass_alive(case, suicide):
    _, diagram, *expected = case
    board, black, white = board_with(diagram)
    assert drawn(board, life_of(board, black, white, suicide=suicide).secure, 0) == expected[suicide]
    assert drawn(board, life_of(board, white, black, suicide=suicide).secure, 0) == "".join(
        " " if sign == " " else "." for sign in diagram
    )


# name, board, areas, independent life of (Black, White) drawn together, regions (Black's, White's)
MAPS = [
    ("a wall divides the board", ".X.O. .X.O. .X.O.", "XX.OO XX.OO XX.OO", "..... ..... .....", (0, 0)),
    ("a closed border", "..XO. ..XO. ..XO.", "XXXOO XXXOO XXXOO", "XXXOO XXXOO XXXOO", (1, 1)),
    ("one dame spoils both", "..XO. ..XO. ..X.O", "XXXOO XXXOO XXX.O", "..... ..... .....", (0, 0)),
    ("nobody has an empty board", "... ...", "... ...", "... ...", (0, 0)),
    ("an atari spoils it", ".XO. XXO. OOO. ....", "XXOO XXOO OOOO OOOO", "..OO ..OO OOOO OOOO", (0, 1)),
]


@pytest.mark.parametrize("case", MAPS, ids=[case[0] for case in MAPS])
def test_areas_and_independent_life(case):
    _, diagram, expected, living, regions = case
    board, black, white = board_with(diagram)
    areas = areas_of(board, black, white, suicide=False)
    assert drawn(board, areas.black, areas.white) == expected
    life = independent_life(board, areas)
    assert drawn(board, life.black, life.white) == living
    assert (life.black_regions, life.white_regions) == regions


def test_stones_in_pass_alive_territory_belong_to_their_captor_unless_all_stones_count():
    board, black, white = board_with(".X.X. XXXXX .O... ..... .....")
    areas = areas_of(board, black, white, suicide=False)
    assert drawn(board, areas.black, areas.white).split()[:3] == ["XXXXX", "XXXXX", ".O..."]
    board, black, white = board_with("OX.X. .XXXX XXXXX")
    assert areas_of(board, black, white, suicide=False).white == 0
    literal = areas_of(board, black, white, suicide=False, removes_dead=False)
    assert drawn(board, literal.black, literal.white) == "OXXXX .XXXX XXXXX"


@pytest.mark.parametrize(
    ("diagram", "is_settled"),
    [
        ("", False),
        (".X.X. XXXXX .X.X. XXXXX .X.X.", True),
        (".X.XO XXXXO OOOOO .O.O. OOOOO", True),
        (".X.X. XXXXX .....  OOOOO .O.O.", False),
        (".X.X. XXXXX ..... OOOOO .OO..", False),
    ],
)
def test_a_board_is_settled_when_every_point_is_secure(diagram, is_settled):
    board, black, white = board_with(diagram or "... ... ...")
    found = settled_areas(board, black, white, suicide=False)
    assert (found is not None) == is_settled
    if found:
        assert found[0] | found[1] == board.full
        assert not found[0] & found[1]


# Boards that are gone through whole, and how many positions they have in which every group has a liberty
# (the published numbers of legal positions)
EXHAUSTED = {
    (1, 1): 1,
    (1, 2): 5,
    (1, 7): 867,
    (2, 2): 57,
    (2, 3): 489,
    (3, 2): 489,
    (3, 3): 12675,
    (2, 5): 35117,
}


def attacks(game, black, white):
    """(stones taken, the stones after it) of each of White's plays, Black passing."""
    position = game.set_up(black, white, to_play=1)
    for move in game.legal(position, 1):
        if move >= 0:
            after = game.play(position, ((1, move),))
            yield black & ~after.black, (after.black, after.white)


def all_boards(game):
    """Every placement of stones in which each group has a liberty."""
    board = game.board
    sets = [0]
    for point in board.places:
        sets += [points | 1 << point for points in sets]
    for black in sets:
        for white in sets:
            if not black & white:
                empty = board.full ^ black ^ white
                touching = board.spread(empty)
                if all(group & touching for own in (black, white) for group in board.pieces(own, own)):
                    yield black, white


@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize(("width", "height"), EXHAUSTED)
def test_a_group_is_pass_alive_exactly_if_no_row_of_plays_takes_it(width, height, suicide):
    game = rules(Options(board_size=(width, height), komi=0, suicide=suicide, ruleset="none"))
    lost, before = {}, {}
    for stones in all_boards(game):
        lost[stones] = 0
        for taken, after in attacks(game, *stones):
            lost[stones] |= taken
            before.setdefault(after, []).append(stones)
    assert len(lost) == EXHAUSTED[width, height]
    todo = list(lost)
    while todo:  # what can be lost later can be lost; suicide makes cycles
        stones = todo.pop()
        for earlier in before.get(stones, ()):
            if lost[stones] & ~lost[earlier]:
                lost[earlier] |= lost[stones]
                todo.append(earlier)
    for (black, white), taken in lost.items():
        life = life_of(game.board, black, white, suicide=suicide)
        assert life.alive == black & ~taken, (drawn(game.board, black, white), list(bits(life.alive)))
