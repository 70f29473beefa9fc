"""Perfect matchings against a search through all of them, and against networkx where they are too many."""

import networkx
from hypothesis import given, settings
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


@st.composite
def sparse_pairs(draw):
    """Of many, nearly all may not meet: there may be a matching, through long paths and odd cycles."""
    count = 2 * draw(st.integers(3, 20))
    number = st.integers(0, count - 1)
    allowed = draw(st.lists(st.tuples(number, number), min_size=count // 2, max_size=2 * count))
    allowed += [(one, one ^ 1) for one in draw(st.sets(number))]
    met = {frozenset(pair) for pair in allowed}
    return [
        {other for other in range(count) if frozenset((one, other)) not in met or one == other}
        for one in range(count)
    ]


def networkx_pairs(barred, left):
    """Whether all of these can be paired: as networkx finds out."""
    graph = networkx.Graph()
    graph.add_nodes_from(left)
    graph.add_edges_from((one, other) for one in left for other in left if other not in barred[one])
    return 2 * len(networkx.max_weight_matching(graph, maxcardinality=True)) == len(left)


@given(sparse_pairs())
def test_there_is_a_matching_exactly_when_networkx_finds_one(barred):
    assert PerfectMatching(barred).is_perfect == networkx_pairs(barred, range(len(barred)))


@settings(max_examples=25)
@given(st.sampled_from((12, 24, 30)), st.randoms(use_true_random=False))
def test_pairs_of_a_late_round_are_taken_exactly_as_networkx_allows(count, chance):
    met = {frozenset((chance.randrange(count), chance.randrange(count))) for _ in range(count * count // 2)}
    barred = [{one, *(other for pair in met if one in pair for other in pair)} for one in range(count)]
    matching, left = PerfectMatching(barred), list(range(count))
    for _ in range(count // 2):
        if not matching.is_perfect or len(left) < 2:
            break
        one, other = chance.sample(left, 2)
        rest = [each for each in left if each not in (one, other)]
        allowed = other not in barred[one] and networkx_pairs(barred, rest)
        assert matching.take(one, other) == allowed
        left = rest if allowed else left


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
