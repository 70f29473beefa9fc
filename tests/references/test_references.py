"""`bench.references`: how differences are told, and our figures beside kept outputs of other programs."""

import subprocess
import sys
from math import nan

import pytest
from bench.references import ratings, sprt, trf
from bench.references.comparison import NO_TOOLS, Program, Row, found, largest


def row(difference, allowed=1.0, figure="Elo", reference="Ordo, kept"):
    return Row(case="x", figure=figure, reference=reference, difference=difference, allowed=allowed)


def test_the_largest_difference_of_each_kind_is_told():
    rows = [row(0.1), row(0.3), row(0.2), row(0.4, figure="bars"), row(0.2, reference="BayesElo, kept")]
    assert [(number, each.difference) for number, each in largest(rows)] == [(3, 0.3), (1, 0.4), (1, 0.2)]


def test_what_is_no_number_is_too_large():
    assert not row(nan).holds
    assert [number for number, each in largest([row(0.5), row(nan), row(0.9)]) if not each.holds] == [3]


def test_a_program_is_found_by_its_option_before_its_name(tmp_path):
    shell, absent = Program("shell", "sh", "a shell"), Program("absent", "no-such-program", "nothing")
    assert found([shell, absent], {}).paths.keys() == {"shell"}
    assert found([shell], {"shell": tmp_path}).paths == {"shell": tmp_path}


def test_a_path_that_is_none_is_refused():
    done = subprocess.run(
        [sys.executable, "-m", "bench.references", "--ordo", "/no/such/ordo"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "there is no /no/such/ordo" in done.stderr


@pytest.mark.parametrize("case", ratings.CASES, ids=lambda case: case.name)
def test_ratings_are_those_of_ordo_and_bayeselo(case):
    rows = list(ratings.compared(case, NO_TOOLS))
    assert len(rows) == (4 + bool(case.given)) * len(case.programs)
    assert [each for each in rows if not each.holds] == []


@pytest.mark.parametrize("case", trf.CASES, ids=lambda case: case.name)
def test_bbppairings_reads_our_tournament_reports_and_makes_the_pairs_that_we_make(case):
    said = trf.kept()
    reports = trf.reports(case)
    assert len(reports) == case.rounds
    assert [
        each for each in (trf.row(case, each, said[each.name]) for each in reports) if not each.holds
    ] == []


@pytest.mark.parametrize("case", trf.CASES, ids=lambda case: case.name)
def test_the_next_round_of_a_report_that_is_read_is_that_of_bbppairings(case):
    said = trf.kept()
    for written in trf.reports(case):
        assert trf.read_again(written) == said[written.name], written.name


@pytest.mark.parametrize("program", sprt.MODELS)
def test_sequential_tests_are_those_of_other_programs(program):
    rows = list(sprt.compared(program, sprt.questions(keep=False), NO_TOOLS))
    assert len(rows) > 50
    assert [each for each in rows if not each.holds] == []
