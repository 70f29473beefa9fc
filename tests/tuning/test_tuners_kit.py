"""Every tuner keeps what the port of competitions promises."""

import pytest

from gyoji.report.layouts import layout
from gyoji.testing.competition_kit import check_competition, drawn_result
from tuner_events import event

TUNERS = ("mc_tuner", "ce_tuner", "spsa_tuner", "clop_tuner", "cmaes_tuner")


@pytest.mark.parametrize("kind", TUNERS)
def test_a_tuner_is_a_fold_over_its_results(kind):
    def summary(tuner):
        return layout(kind).values(tuner, {}), list(layout(kind).report_lines(tuner))

    check_competition(lambda: event(kind), drawn_result, summary=summary, is_tuner=True)
