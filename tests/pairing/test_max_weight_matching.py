"""The heaviest matching, against all there are and against another implementation."""

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gyoji.pairing.max_weight_matching import UNMATCHED, heaviest_matching


def square(count, edges):
    """Return a square of weights from (one, other, weight)."""
    rows = [[0] * count for _ in range(count)]
    for one, other, weight in edges:
        rows[one][other] = rows[other][one] = weight
    return rows


def total(rows, mates):
    return sum(rows[one][other] for one, other in enumerate(mates) if other > one)


def heaviest_of_all(rows, left):
    """Return the greatest sum of weights of those left, by trying all pairs."""
    if not left:
        return 0
    one, *others = left
    paired = (
        rows[one][other] + heaviest_of_all(rows, [each for each in others if each != other])
        for other in others
        if rows[one][other]
    )
    return max([heaviest_of_all(rows, others), *paired])


@st.composite
def graphs(draw, most=9):
    count = draw(st.integers(0, most))
    weights = st.integers(1, draw(st.sampled_from([1, 3, 50, 10**40])))
    edges = [
        (one, other, draw(weights)) for one in range(count) for other in range(one) if draw(st.integers(0, 3))
    ]
    return square(count, edges)


@given(graphs())
def test_no_matching_is_heavier(rows):
    mates = heaviest_matching(rows)
    assert all(
        other == UNMATCHED or (mates[other] == one and rows[one][other]) for one, other in enumerate(mates)
    )
    assert total(rows, mates) == heaviest_of_all(rows, list(range(len(rows))))


@settings(max_examples=25)
@given(st.randoms(use_true_random=False), st.integers(10, 24), st.sampled_from([2, 9, 1000, 10**60]))
def test_large_graphs_have_the_weight_that_networkx_finds(chance, count, top):
    density = chance.random()
    edges = [
        (one, other, chance.randint(1, top))
        for one in range(count)
        for other in range(one)
        if chance.random() < density
    ]
    graph = networkx.Graph()
    graph.add_weighted_edges_from(edges)
    rows = square(count, edges)
    best = networkx.max_weight_matching(graph)
    assert total(rows, heaviest_matching(rows)) == sum(rows[one][other] for one, other in best)


@pytest.mark.parametrize(
    ("edges", "mates", "why"),
    [
        ([], [UNMATCHED] * 6, "nothing can be paired"),
        ([(0, 1, 5)], [1, 0, UNMATCHED, UNMATCHED, UNMATCHED, UNMATCHED], "one pair"),
        (
            [(0, 1, 5), (1, 2, 11), (2, 3, 5)],
            [UNMATCHED, 2, 1, UNMATCHED, UNMATCHED, UNMATCHED],
            "weight before number",
        ),
        (
            [(0, 1, 8), (0, 2, 9), (1, 2, 10), (2, 3, 7), (0, 5, 5), (3, 4, 6)],
            [5, 2, 1, 4, 3, 0],
            "through a blossom",
        ),
        (
            [(0, 1, 9), (0, 2, 8), (1, 2, 10), (0, 3, 5), (3, 4, 4), (0, 5, 3)],
            [5, 2, 1, 4, 3, 0],
            "a blossom at an odd distance",
        ),
    ],
)
def test_small_graphs(edges, mates, why):
    assert heaviest_matching(square(6, edges)) == mates, why


def test_of_many_criteria_the_first_one_counts_most_however_many_there_are():
    edges = [(0, 1, 1 << 5000), (1, 2, (1 << 4999) + 2), (2, 3, 1), (0, 3, 1 << 4999)]
    assert heaviest_matching(square(4, edges)) == [3, 2, 1, 0]
