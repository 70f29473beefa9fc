"""The bitboards against rules written as plainly as can be, over random games; and their symmetry."""

from random import Random

import naive_go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.go_diagrams import drawn_position

from gyoji.core.faults import IllegalMove
from gyoji.games.go.board import PASS
from gyoji.games.go.game_options import Options
from gyoji.games.go.life import areas_of
from gyoji.games.go.rules import rules

# width, height, games, turns of each
SIZES = [
    (1, 1, 2, 20),
    (1, 2, 3, 30),
    (2, 2, 6, 60),
    (1, 5, 6, 60),
    (5, 1, 6, 60),
    (2, 3, 3, 80),
    (3, 3, 3, 80),
    (5, 3, 2, 100),
    (4, 4, 2, 100),
    (7, 7, 1, 120),
    (9, 9, 1, 120),
    (13, 6, 1, 100),
    (19, 19, 1, 100),
    (25, 25, 1, 40),
]


def areas(board, black, white):
    """Return the points that count for Black and for White if every stone is alive."""
    found = areas_of(board, black, white, suicide=True, removes_dead=False)
    return found.black, found.white


def board_rows(game, position):
    return [list(row.replace("*", ".").split()[1:]) for row in game.render(position).split("\n")[:-1]][::-1]


def crowd(naive, chance):
    """Fill most of the board at random, and take off what has no liberty."""
    naive.rows = [[chance.choice("XXXOOO.") for _ in row] for row in naive.rows]
    for mark in "XO":
        naive.remove_dead(naive.rows, mark)


def compare_here(game, naive, position, points):
    seat = position.to_play
    for x, y in points:
        move = game.point(x, y)
        try:
            game.check(position, seat, move)
            got = ""
        except IllegalMove as refused:
            got = refused.reason.split()[0]
        try:
            naive.attempt(seat, x, y)
            expected = ""
        except naive_go.Refused as refused:
            expected = str(refused)
        assert got == expected, (game.render(position), seat, game.format(move))


@pytest.mark.parametrize("suicide", [True, False])
@pytest.mark.parametrize(("width", "height", "games", "turns"), SIZES)
def test_random_games_go_as_plain_rules_say(width, height, games, turns, suicide):
    game = rules(Options(board_size=(width, height), komi=0, suicide=suicide, ruleset="none"))
    points = [(x, y) for y in range(height) for x in range(width)]
    is_small = len(points) <= 16
    for number in range(games):
        chance = Random(f"{width} {height} {suicide} {number}")
        naive = naive_go.NaiveGo(width, height, suicide=suicide)
        if len(points) > 100:  # begin with a crowd, where groups are large and moves take something
            crowd(naive, chance)
        position = drawn_position(game, "\n".join("".join(row) for row in naive.rows[::-1]))
        for _ in range(turns):
            seat = position.to_play
            compare_here(game, naive, position, points if is_small else chance.sample(points, 3))
            legal = [move for move in game.legal(position, seat) if move != PASS]
            if is_small:
                assert {game.column_row(move) for move in legal} == naive.legal(seat)
            if not legal or chance.random() < 0.02:
                naive.play_pass()
                position = game.play(position, ((seat, PASS),))._replace(passes=0)
            else:
                move = chance.choice(legal)
                position = game.play(position, ((seat, move),))
                naive.play(seat, *game.column_row(move))
            assert board_rows(game, position) == naive.rows
            assert (position.black_lost, position.white_lost) == (naive.lost["X"], naive.lost["O"])
        found = areas(game.board, position.black, position.white)
        assert tuple(area.bit_count() for area in found) == naive.score()


MAPPINGS = {
    "mirrored": lambda x, y, width, height: (width - 1 - x, y),
    "upside down": lambda x, y, width, height: (x, height - 1 - y),
    "turned round": lambda x, y, width, height: (width - 1 - x, height - 1 - y),
    "columns as rows": lambda x, y, width, height: (y, x),
    "turned left": lambda x, y, width, height: (height - 1 - y, x),
    "turned right": lambda x, y, width, height: (y, width - 1 - x),
}


@settings(deadline=None, max_examples=60)
@given(
    st.tuples(st.integers(1, 6), st.integers(1, 6)),
    st.sampled_from(sorted(MAPPINGS)),
    st.booleans(),
    st.lists(st.integers(0, 200), max_size=80),
)
def test_a_game_on_a_turned_board_with_colours_swapped_is_the_same_game(size, name, suicide, choices):
    width, height = size
    other_size = (height, width) if name in ("columns as rows", "turned left", "turned right") else size
    game = rules(Options(board_size=size, komi=0, suicide=suicide, ruleset="none"))
    other = rules(Options(board_size=other_size, komi=0, suicide=suicide, ruleset="none"))

    def turned(move):
        return PASS if move == PASS else other.point(*MAPPINGS[name](*game.column_row(move), width, height))

    def turned_set(points):
        return sum(1 << turned(point) for point in game.board.places if points >> point & 1)

    here, there = game.start(), other.start()._replace(to_play=1)
    for choice in choices:
        if not game.acting(here):
            break
        seat = here.to_play
        legal = list(game.legal(here, seat))
        assert {turned(move) for move in legal} == set(other.legal(there, 1 - seat))
        move = legal[choice % len(legal)]
        here = game.play(here, ((seat, move),))
        there = other.play(there, ((1 - seat, turned(move)),))
        assert there[:2] == (turned_set(here.white), turned_set(here.black))
        assert there.ko == turned_set(here.ko)
        assert (there.white_lost, there.black_lost) == (here.black_lost, here.white_lost)
