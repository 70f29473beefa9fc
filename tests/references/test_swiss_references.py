"""Our pairing of Swiss rounds beside what is kept of bbpPairings."""

from dataclasses import replace
from itertools import islice

import pytest
from bench.references import swiss
from bench.references.comparison import NO_TOOLS

FEW = 4
"""Of each sort; `python -m bench.references` compares all of them."""


@pytest.fixture(scope="module")
def kept():
    return swiss.kept()


@pytest.mark.parametrize("sort", [sort.name for sort in swiss.SORTS])
def test_rounds_are_paired_as_bbppairings_pairs_them(sort, kept):
    tournaments = [each for each in kept if each.name.startswith(sort)]
    for tournament in islice(tournaments, FEW):
        row = swiss.compared(tournament, NO_TOOLS)
        assert row.holds, row.case


def test_all_sorts_are_kept_in_full(kept):
    names = [f"{sort.name} {number}" for sort in swiss.SORTS for number in range(1, sort.tournaments + 1)]
    assert [each.name for each in kept] == names


def test_where_bbppairings_has_no_pairing_there_is_none_by_the_rules(kept):
    for tournament in [each for each in kept if each.rounds[-1] == ""][:4]:
        event = swiss.read_trf(tournament.trf, tournament.name).tournament
        assert swiss.our_own(swiss.event_before(event, len(tournament.rounds) - 1)) == ""


def test_a_round_that_is_paired_otherwise_is_told(kept):
    tournament = kept[0]
    changed = replace(tournament, rounds=["", *tournament.rounds[1:]])
    assert swiss.compared(changed, NO_TOOLS).difference == 1
