"""Tuners beside others: the kept events, the table in the docs, and landscapes whose best point is known."""

from pathlib import Path

import pytest
from bench.landscapes import LANDSCAPES
from bench.references import tuner_runs, tuners
from bench.references.comparison import NO_TOOLS

DOC = (Path(__file__).parents[2] / "docs/reference/tuning.md").read_text()
BY_NAME = {landscape.name: landscape for landscape in LANDSCAPES}


def test_the_table_in_the_docs_is_that_of_the_kept_events():
    assert "\n".join(tuners.table(tuners.kept())) in DOC
    assert tuners.counts(tuners.kept()) in DOC


def test_every_landscape_is_compared_at_every_number_of_games():
    rows = list(tuners.compare(NO_TOOLS))
    assert len(rows) == len(LANDSCAPES) * len(tuner_runs.GAMES)
    assert all(row.reference in tuners.TITLES for row in rows)


def test_the_automatic_tuner_is_behind_nobody_in_four_of_five_rows():
    rows = list(tuners.compare(NO_TOOLS))
    assert sum(row.holds for row in rows) >= 0.8 * len(rows)


def test_no_point_is_better_than_the_best():
    regrets = [
        each for events in tuners.kept().values() for event in events.values() for each in event.values()
    ]
    assert min(regrets) >= -0.01


def test_an_event_that_is_kept_is_played_again_the_same():
    landscape = BY_NAME["log 1"]
    kept = tuners.kept()["log 1", "spsa"][0]
    assert tuner_runs.spsa(landscape, 0) == pytest.approx(kept, abs=1e-3)


def test_without_tuning_an_engine_is_below_the_best():
    assert all(landscape.middle > 10 for landscape in LANDSCAPES)
