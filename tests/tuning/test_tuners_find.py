"""Every tuner comes near the best parameters of a simulated engine, in games won by chance."""

import pytest

from gyoji.formats import ce_tuner, clop_tuner, cmaes_tuner, mc_tuner, spsa_tuner
from gyoji.tuning.games import CandidateColour
from gyoji.tuning.scales import LINEAR
from gyoji.tuning.series import uniform
from shown import values
from tuner_events import event, parameter, play

BEST = (0.3, 0.7)


def elo(point):
    """How much weaker than the best candidate one is at a point; the middle of the square is 96 points."""
    held = [min(max(x, 0.0), 1.0) for x in point]
    return -1200 * sum((x - best) ** 2 for x, best in zip(held, BEST, strict=True))


def strength(player):
    return -50 if player.code == "opp" else elo([float(word) for word in player.command[1:]])


def won(spec):
    """The score of the candidate, of `plus` in SPSA."""
    seat = next(s for s, player in enumerate(spec.players) if "#" in player.code and player.code[-1] != "-")
    lead = strength(spec.players[seat]) - strength(spec.players[1 - seat])
    return float(uniform("game", spec.seed) < 1 / (1 + 10 ** (-lead / 400)))


def scaled(kind, **more):
    return tuple(parameter(kind, code, LINEAR(0, 1), **more) for code in "ab")


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
        ("clop_tuner", {"parameters": scaled(clop_tuner.Parameter), "number_of_games": 1000}, 12),
        (
            "cmaes_tuner",
            {
                "parameters": scaled(cmaes_tuner.Parameter),
                "number_of_generations": 20,
                "batch_size": 8,
                "population_size": 12,
                "candidate_colour": CandidateColour.BLACK,
            },
            20,
        ),
    ],
)
def test_a_tuner_comes_near_the_best(kind, settings, regret):
    tuner = event(kind, seed=1, **settings)
    play(tuner, won)
    best = values(tuner, {})["best"]
    assert -elo(list(best.get("parameters", best).values())) < regret
