"""Narabe's windows, fives, fours, forbidden points and wins by fours, compared with the referee's rules."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gyoji.core.boards import bits
from gyoji.engines.narabe_lines import BLACK, WHITE, Lines, Position, is_forbidden, spread
from gyoji.engines.narabe_search import Fours
from gyoji.games.gomoku.rulesets import fouls, standards, winning_rows

RULES = (0, 1, 4, 8, 9)


@st.composite
def positions(draw, rules=RULES):
    """Draw lines and a position of many stones of either colour, without a row that has won."""
    rule, width, height = draw(st.sampled_from(rules)), draw(st.integers(5, 11)), draw(st.integers(5, 11))
    lines = Lines(width, height, rule)
    random = Random(draw(st.integers(0, 1 << 32)))
    full = list(bits(lines.room))
    stones = random.sample(full, random.randrange(len(full) // 4, len(full) * 2 // 3))
    stones = [stone for stone in stones if random.random() < 1.2 - abs(stone / full[-1] - 0.5)]
    sets = [0, 0]
    for number, stone in enumerate(stones):
        colour = number % 2
        after = Position(sets[colour] | 1 << stone, sets[1 - colour], colour)
        if not is_won(
            lines, rule & ~4, after, stone
        ):  # where renju is played, there are no overlines of Black's
            sets[colour] |= 1 << stone
    return lines, Position(sets[0], sets[1], BLACK) if draw(st.booleans()) else Position(
        sets[1], sets[0], WHITE
    )


def is_won(lines, rule, position, stone):
    """Return whether a stone wins by the referee's rules."""
    return winning_rows(lines.board, position.own, position.other, stone, standards(rule)[position.colour])


def rule_of(lines):
    return 4 * lines.renju + 8 * lines.caro + (lines.exact[WHITE] and 1)


def fives(lines, position):
    return lines.glance(position).fives


@given(positions())
def test_a_five_is_where_the_referee_sees_a_row(seen):
    lines, position = seen
    own, other, colour = position
    expected = {
        point
        for point in bits(lines.empty(position))
        if is_won(lines, rule_of(lines), Position(own | 1 << point, other, colour), point)
    }
    assert set(bits(fives(lines, position))) == expected


@given(positions())
def test_a_four_is_what_makes_a_five_possible(seen):
    lines, position = seen
    glance = lines.glance(position)
    if not glance.fives:
        after = {
            point: position._replace(own=position.own | 1 << point) for point in bits(lines.empty(position))
        }
        assert set(bits(glance.fours)) == {point for point, each in after.items() if fives(lines, each)}


@given(positions())
def test_no_single_stone_stops_a_straight_four(seen):
    lines, position = seen
    glance = lines.glance(position)
    assert glance.straights & ~glance.fours == 0
    for point in bits(glance.straights):
        after = position.after(point)
        for answer in bits(lines.empty(after)):
            assert fives(lines, after.after(answer))


@given(positions())
def test_windows_are_counted_by_their_stones(seen):
    lines, (own, other, colour) = seen
    for row in lines.glance(Position(own, other, colour)).rows:
        for count, windows in enumerate(row[1:], 1):
            for window in bits(windows):
                five = spread(1 << window, row.step)
                assert (five & own).bit_count() == count
                assert five & lines.room & ~other == five


@given(positions(rules=(4,)))
@settings(deadline=None)
def test_renju_forbids_what_the_referee_says(seen):
    lines, position = seen
    black, white = position[:2] if position.colour == BLACK else position[1::-1]
    position = Position(black, white, BLACK)
    for point in bits(lines.empty(position)):
        expected = bool(fouls(lines.board, black, lines.board.full ^ white, point))
        assert is_forbidden(lines, position, point) == expected
        assert not is_forbidden(lines, Position(white, black, WHITE), point)


def holds(lines, position, nodes):
    """Return whether the side to move wins by fours as claimed, against every defence."""
    win = Fours(lines, nodes).win(position)
    if not win or is_forbidden(lines, position, win.move):
        return False
    if fives(lines, position):
        return bool(fives(lines, position) >> win.move & 1)
    after = position.after(win.move)
    if fives(lines, after):
        return False
    answers = [answer for answer in bits(lines.empty(after)) if not is_forbidden(lines, after, answer)]
    return all(holds(lines, after.after(answer), nodes) for answer in answers)


@given(positions())
@settings(deadline=None)
def test_a_win_by_fours_is_one_whatever_the_other_side_plays(seen):
    lines, position = seen
    win = Fours(lines, 100).win(position)
    if win and win.length < 5:
        assert holds(lines, position, 1000)


@pytest.mark.parametrize("nodes", [0, 1])
def test_a_win_that_takes_too_long_to_see_is_not_seen(nodes):
    lines = Lines(15, 15, 0)
    three = sum(1 << lines.board.point(x, 7) for x in (6, 7, 8))
    assert bool(Fours(lines, nodes).win(Position(three, 0, BLACK))) is bool(nodes)
