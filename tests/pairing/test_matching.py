"""Perfect matchings against a search through all of them."""

from hypothesis import given
from hypothesis import strategies as st

from gyoji.pairing.matching import PerfectMatching


def can_be_paired(barred, left):
    """Whether all of these can be paired: tried in every way."""
    if not left:
        return True
    one, *others = left
    return any(
        other not in barred[one] and can_be_paired(barred, [each for each in others if each != other])
        for other in others
    )


@st.composite
def barred_pairs(draw):
    count = 2 * draw(st.integers(1, 5))
    number = st.integers(0, count - 1)
    barred = [{one} for one in range(count)]
    for one, other in draw(st.lists(st.tuples(number, number), max_size=3 * count)):
        barred[one].add(other)
        barred[other].add(one)
    return barred


@given(barred_pairs())
def test_there_is_a_matching_exactly_when_a_search_finds_one(barred):
    assert PerfectMatching(barred).is_perfect == can_be_paired(barred, list(range(len(barred))))


@given(barred_pairs(), st.randoms())
def test_a_pair_is_taken_exactly_when_all_others_can_still_be_paired(barred, chance):
    matching = PerfectMatching(barred)
    left = list(range(len(barred)))
    while left and matching.is_perfect:
        one, other = chance.sample(left, 2)
        rest = [each for each in left if each not in (one, other)]
        allowed = other not in barred[one] and can_be_paired(barred, rest)
        assert matching.take(one, other) == allowed
        if allowed:
            left = rest
        assert matching.is_perfect


def test_an_odd_cycle_is_seen_through():
    """0-1, then the triangle 2-3-4 behind 1, then 5: greedy pairs 0-1 and 2-3, and leaves 4 and 5 apart."""
    edges = {(0, 1), (1, 2), (2, 3), (3, 4), (2, 4), (3, 5)}
    barred = [
        {other for other in range(6) if (min(one, other), max(one, other)) not in edges} for one in range(6)
    ]
    matching = PerfectMatching(barred)
    assert matching.is_perfect
    assert not matching.take(2, 3)
    assert matching.take(2, 4)
    assert matching.take(3, 5)


def test_a_thousand_are_matched_at_once():
    matching = PerfectMatching([{one, (one + 1) % 1000, (one - 1) % 1000} for one in range(1000)])
    assert matching.is_perfect
    assert all(matching.take(one, one + 500) for one in range(499, -1, -1))
