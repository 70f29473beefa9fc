"""Every tuner comes near the best parameters of a simulated engine, and keeps what the port promises."""

import pytest

from gyoji.formats import auto_tuner, ce_tuner, mc_tuner, spsa_tuner
from gyoji.report.text import table_lines
from gyoji.testing.competition_kit import check_competition, drawn_result
from gyoji.tuning.event import TuningEvent
from gyoji.tuning.scales import Linear
from gyoji.tuning.series import uniform
from shown import report_lines, tables, values
from tuner_events import event, parameter, play

BEST = (0.3, 0.7)


def elo(point):
    """Return how much weaker than the best candidate one is at a point; the middle of the square is 96
    points.
    """
    held = [min(max(x, 0.0), 1.0) for x in point]
    return -1200 * sum((x - best) ** 2 for x, best in zip(held, BEST, strict=True))


def strength(player):
    return -50 if player.code == "opp" else elo([float(word) for word in player.command[1:]])


def won(spec):
    """Return the score of the candidate, of `plus` in SPSA."""
    seat = next(s for s, player in enumerate(spec.players) if "#" in player.code and player.code[-1] != "-")
    lead = strength(spec.players[seat]) - strength(spec.players[1 - seat])
    return float(uniform("game", spec.seed) < 1 / (1 + 10 ** (-lead / 400)))


def scaled(kind, **more):
    return tuple(parameter(kind, code, Linear(0, 1), **more) for code in "ab")


def plain(kind, **more):
    return tuple(kind(**kind.complete({"code": code, **more}, 0)) for code in "ab")


@pytest.mark.parametrize(
    ("kind", "settings", "regret"),
    [
        ("mc_tuner", {"parameters": scaled(mc_tuner.Parameter, split=6), "number_of_games": 2000}, 20),
        (
            "ce_tuner",
            {
                "parameters": plain(ce_tuner.Parameter, initial_mean=0.5, initial_variance=0.1),
                "number_of_generations": 5,
                "samples_per_generation": 40,
                "batch_size": 10,
                "elite_proportion": 0.1,
            },
            12,
        ),
        (
            "spsa_tuner",
            {"parameters": plain(spsa_tuner.Parameter, min=0.0, max=1.0), "number_of_iterations": 1500},
            12,
        ),
        ("auto_tuner", {"parameters": scaled(auto_tuner.Parameter), "number_of_games": 800}, 5),
        (
            "auto_tuner",
            {"parameters": scaled(auto_tuner.Parameter), "number_of_games": 800, "opponent": "opp"},
            12,
        ),
    ],
)
def test_a_tuner_comes_near_the_best(kind, settings, regret):
    tuner = event(kind, seed=1, **settings)
    play(tuner, won)
    best = values(tuner)["best"]
    assert -elo(list(best.get("parameters", best).values())) < regret


TUNERS = ("auto_tuner", "mc_tuner", "ce_tuner", "spsa_tuner")


@pytest.mark.parametrize("kind", TUNERS)
def test_a_tuner_is_a_fold_over_its_results(kind, monkeypatch):
    monkeypatch.setattr(TuningEvent, "survey", lambda _: None)  # which takes longest, and is a fold as well

    def summary(tuner):
        return values(tuner), report_lines(tuner)

    check_competition(lambda: event(kind), drawn_result, summary=summary, is_tuner=True)


def test_the_way_of_each_parameter_through_the_generations_can_be_drawn():
    tuner = event("ce_tuner")
    play(tuner, lambda spec: spec.seed % 2, 40)
    charts = tables(tuner).charts()[:2]
    assert [chart.title for chart in charts] == ["Where rave goes", "Where bias goes"]
    assert all(len(chart.lines[0].points) == tuner.tuner.generations.number + 1 for chart in charts)
    assert charts[0].lines[0].points[0] == (0, 0.5)


@pytest.mark.parametrize(
    ("kind", "headings"),
    [
        ("auto_tuner", ("parameter", "best", "1 sd below", "1 sd above")),
        ("spsa_tuner", ("parameter", "now", "start", "tried up and down by", "min", "max")),
    ],
)
def test_all_forms_of_a_report_have_the_table_of_the_parameters(kind, headings):
    tuner = event(kind)
    play(tuner, lambda spec: spec.seed % 2, 20)
    (table,) = tables(tuner).tables()
    assert (table.name, table.headings) == ("parameters", headings)
    assert "\n".join(table_lines(table)) in "\n".join(report_lines(tuner))
