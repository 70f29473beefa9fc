"""The bitboards against `naive_gomoku`, which plays by the same definitions in another way."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_gomoku import BLACK, COLOURS, DEAD, NaiveGomoku

from gyoji.core.faults import IllegalMove
from gyoji.games.gomoku import position as p
from gyoji.games.gomoku.game_options import Options, rules
from gyoji.games.gomoku.position import Position
from gyoji.games.gomoku.rulesets import can_win, standards, winning_rows

RULES = (0, 1, 2, 3, 4, 8, 9, 10, 11)
SIZES = ((7, 7), (5, 9), (11, 6))


def drawn(seed, width, height, black, white):
    """Stones drawn with these chances for each point."""
    chance = Random(seed)
    stones = {}
    for x in range(width):
        for y in range(height):
            number = chance.random()
            if number < black + white:
                stones[x, y] = COLOURS[number >= black]
    return stones


def bitboards(game, stones):
    return [
        sum(1 << game.point(*place) for place, sign in stones.items() if sign == colour) for colour in COLOURS
    ]


def places(game, points):
    return [game.coordinates(point) for point in points]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(8))
def test_random_games_go_the_same_way(rule, seed):
    size, chance = SIZES[seed % 3], Random(seed)
    game = rules(Options(board_size=size, rule=rule, dead_draw=seed % 2 == 1))
    naive, position, fives = NaiveGomoku(*size, rule), game.start(), [0, 0]
    while game.acting(position):
        colour = position.played % 2
        empty = naive.empty()
        point = chance.choice(empty)
        after = naive.with_stone(point, COLOURS[colour])
        rows = after.winning_rows(point)
        kinds = after.kinds(point) if rule == 4 and not colour else set()
        turn = ((colour, game.point(*point)),)
        if kinds:
            with pytest.raises(IllegalMove) as refusal:
                game.play(position, turn)
            assert refusal.value.seat == colour
            assert all(kind in refusal.value.reason for kind in kinds)
            if not all(naive.with_stone(each, BLACK).kinds(each) for each in empty):
                continue
            pytest.fail("all points are forbidden, but the game is not over")
        position, naive = game.play(position, turn), after
        if rows and rule & 2:
            fives[colour] += len(rows)
            dead = {each: DEAD for row in rows for each in row}
            naive = NaiveGomoku(*size, rule, {**naive.stones, **dead})
        assert sorted(places(game, game.dead(position))) == sorted(
            each for each, sign in naive.stones.items() if sign == DEAD
        )
        assert position.fives == tuple(fives)
        assert (position.end == p.FIVE) == bool(rows and not rule & 2)
        if position.end == p.FIVE:
            assert sorted(sorted(places(game, row)) for row in game.rows(position)) == sorted(
                map(sorted, rows)
            )
            assert game.outcome(position).winner == colour
        elif position.end == p.NO_FIVE:
            assert not any(naive.can_win(each) for each in COLOURS)
        elif position.end == p.NO_MOVE:
            assert all(naive.with_stone(each, BLACK).kinds(each) for each in naive.empty())
        elif position.end:
            assert position.end == p.FULL_BOARD
            assert not naive.empty()
        elif seed % 2:
            assert any(naive.can_win(each) for each in COLOURS)
        else:
            assert naive.empty()


@pytest.mark.parametrize(
    ("size", "black", "white"),
    [((15, 15), 0.2, 0.05), ((9, 9), 0.3, 0.1), ((6, 13), 0.35, 0), ((8, 8), 0.5, 0.1)],
)
def test_the_same_points_are_forbidden(size, black, white):
    game, found = rules(Options(board_size=size, rule="renju")), 0
    for seed in range(12):
        stones = drawn(seed, *size, black, white)
        naive = NaiveGomoku(*size, 4, stones)
        expected = {point: naive.with_stone(point, BLACK).kinds(point) for point in naive.empty()}
        expected = {point: kinds for point, kinds in expected.items() if kinds}
        forbidden = game.forbidden(Position(*bitboards(game, stones)))
        got = {game.coordinates(point): {foul.value for foul in found} for point, found in forbidden.items()}
        assert got == expected
        found += len(expected)
    assert found > 10


@given(st.integers(0, 10**6), st.sampled_from(RULES), st.sampled_from((0.2, 0.4, 0.6)))
@settings(max_examples=60, deadline=None)
def test_the_same_rows_win_and_the_same_sides_still_can(seed, rule, density):
    size = SIZES[seed % 3]
    stones = drawn(seed, *size, density * 0.7, density * 0.3)
    game, naive = rules(Options(board_size=size, rule=rule)), NaiveGomoku(*size, rule, stones)
    sets = bitboards(game, stones)
    empty = game.board.full ^ sets[0] ^ sets[1]
    for colour, (own, other) in enumerate((sets, sets[::-1])):
        standard = standards(rule)[colour]
        assert can_win(game.board, own, other, own | empty, standard) == naive.can_win(COLOURS[colour])
    for point, sign in stones.items():
        own, other = sets if sign == BLACK else sets[::-1]
        rows = winning_rows(game.board, own, other, game.point(*point), standards(rule)[sign != BLACK])
        got = [sorted(places(game, row)) for row in rows]
        assert sorted(got) == sorted(map(sorted, naive.winning_rows(point)))
