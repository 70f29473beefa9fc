"""Every tuner keeps what the port of competitions promises."""

import pytest

from gyoji.core.tables import Line
from gyoji.formats.cmaes_tuner import Parameter
from gyoji.report.text import table_lines
from gyoji.testing.competition_kit import check_competition, drawn_result
from gyoji.tuning.scales import EXPLICIT, LINEAR
from shown import report_lines, tables, values
from tuner_events import event, parameter, play

TUNERS = ("mc_tuner", "ce_tuner", "spsa_tuner", "clop_tuner", "cmaes_tuner")


@pytest.mark.parametrize("kind", TUNERS)
def test_a_tuner_is_a_fold_over_its_results(kind):
    def summary(tuner):
        return values(tuner, {}), report_lines(tuner)

    check_competition(lambda: event(kind), drawn_result, summary=summary, is_tuner=True)


@pytest.mark.parametrize("kind", ["ce_tuner", "cmaes_tuner"])
def test_the_way_of_each_parameter_through_the_generations_can_be_drawn(kind):
    tuner = event(kind)
    play(tuner, lambda spec: spec.seed % 2, 40)
    charts = tables(tuner).charts()
    assert [chart.title for chart in charts] == ["Where rave goes", "Where bias goes"]
    assert all(len(chart.lines[0].points) == tuner.generations.number + 1 for chart in charts)
    assert charts[0].lines[0].points[0] == (0, 0.5)


def test_what_is_no_number_is_not_drawn():
    mixed = (
        parameter(Parameter, "mode", EXPLICIT(("a", "b"))),
        parameter(Parameter, "n", LINEAR(0, 10, integer=True)),
    )
    (chart,) = tables(event("cmaes_tuner", parameters=mixed)).charts()
    assert chart.lines == (Line("n", ((0, 5),)),)


@pytest.mark.parametrize(
    ("kind", "headings"),
    [
        ("clop_tuner", ("parameter", "best", "from", "to")),
        ("cmaes_tuner", ("parameter", "best", "spread")),
        ("spsa_tuner", ("parameter", "now", "start", "tried up and down by", "from", "to")),
    ],
)
def test_all_forms_of_a_report_have_the_table_of_the_parameters(kind, headings):
    tuner = event(kind)
    play(tuner, lambda spec: spec.seed % 2, 20)
    (table,) = tables(tuner).tables()
    assert (table.name, table.headings) == ("parameters", headings)
    assert "\n".join(table_lines(table)) in "\n".join(report_lines(tuner))
