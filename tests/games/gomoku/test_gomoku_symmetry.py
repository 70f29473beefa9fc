"""However a board is turned, the same stones win, and the same points are forbidden."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from gyoji.core.faults import IllegalMove
from gyoji.games.gomoku.game_options import Options, rules
from gyoji.games.gomoku.opening_files import vary
from gyoji.games.gomoku.position import Position
from gyoji.games.gomoku.rulesets import NAMES

SIZE = 9
OPTIONS = {"board_size": SIZE}


def turned(game, point, symmetry):
    return game.parse(vary(game.format(point), OPTIONS, symmetry=symmetry))


@given(st.integers(0, 10**6), st.integers(0, 7), st.sampled_from((0.15, 0.3, 0.45)))
@settings(max_examples=40, deadline=None)
def test_the_same_points_are_forbidden_in_every_direction(seed, symmetry, density):
    game, chance = rules(Options(board_size=SIZE, rule="renju")), Random(seed)
    points = list(game.board.bits)
    black = {point for point in points if chance.random() < density}
    white = {point for point in points if chance.random() < density / 3} - black
    first, second = (
        game.forbidden(Position(*[sum(1 << each for each in stones) for stones in sets]))
        for sets in (
            (black, white),
            [{turned(game, point, symmetry) for point in stones} for stones in (black, white)],
        )
    )
    assert {turned(game, point, symmetry): kinds for point, kinds in first.items()} == second


@given(st.integers(0, 10**6), st.integers(1, 7), st.sampled_from([*NAMES, 10]), st.booleans())
@settings(max_examples=40, deadline=None)
def test_a_game_turned_is_the_same_game(seed, symmetry, rule, dead_draw):
    game = rules(Options(board_size=SIZE, rule=rule, dead_draw=dead_draw))
    chance, points = Random(seed), list(game.board.bits)
    one, two = game.start(), game.start()
    while acting := game.acting(one):
        assert game.acting(two) == acting
        point = chance.choice(points)
        pair = []
        for position, move in ((one, point), (two, turned(game, point, symmetry))):
            try:
                pair.append(game.play(position, ((acting[0], move),)))
            except IllegalMove as refused:
                pair.append(refused.reason.rpartition(" ")[0])
        assert isinstance(pair[0], str) == isinstance(pair[1], str)
        if isinstance(pair[0], str):
            assert pair[0] == pair[1]
        else:
            one, two = pair
            assert (one.end, one.fives) == (two.end, two.fives)
    ends = [game.outcome(position) for position in (one, two)]
    assert ends[0].points == ends[1].points
    rows = sorted(sorted(turned(game, point, symmetry) for point in row) for row in game.rows(one))
    assert rows == sorted(map(sorted, game.rows(two)))
