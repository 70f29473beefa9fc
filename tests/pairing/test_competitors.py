"""Who takes part, and in which order."""

import pytest

from gyoji.core.faults import ConfigError
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import Player
from gyoji.pairing.competitors import FieldSettings, seeded


def order(settings, *others, players="abcd", seed=1):
    made = {code: Player(code=code, command=(code,)) for code in players}
    setup = CompetitionSetup(code="cup", kind="swiss", players=made, settings=settings, seed=seed)
    return "".join(seeded(setup, settings, *others))


def test_the_order_is_as_given_or_that_of_the_control_file():
    assert order(FieldSettings(competitors=tuple("dab"))) == "dab"
    assert order(FieldSettings()) == "abcd"
    assert order(FieldSettings(), "b", "") == "acd"


def test_ratings_go_from_the_highest_and_who_has_none_is_last():
    assert order(FieldSettings(seeding="ratings", ratings={"b": 1500, "d": 2100.5, "c": -3})) == "dbca"
    assert order(FieldSettings(seeding="ratings", ratings={"b": 1, "c": 1})) == "bcad"


def test_a_lot_is_a_function_of_the_seed():
    lots = {order(FieldSettings(seeding="lot"), seed=seed) for seed in range(30)}
    assert order(FieldSettings(seeding="lot"), seed=7) == order(FieldSettings(seeding="lot"), seed=7)
    assert len(lots) > 10
    assert all(sorted(lot) == list("abcd") for lot in lots)


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"competitors": ("a", "b", "a")}, "competitors: 'a' is given twice"),
        ({"competitors": ("a",)}, "competitors: expected two or more, got only 'a'"),
        ({"ratings": {"a": 1}}, 'ratings: have no effect with seeding = "given"'),
        ({"seeding": "ratings"}, "ratings: required, but not given"),
    ],
)
def test_settings_that_do_not_fit_together_are_refused(settings, problem):
    with pytest.raises(ValueError, match=problem):
        FieldSettings(**settings)


def test_fewer_than_two_and_a_stranger_s_rating_are_refused():
    with pytest.raises(ConfigError, match="cup: players: expected two or more"):
        order(FieldSettings(), "b", players="ab")
    with pytest.raises(ConfigError, match="cup: ratings: 'd' is not a competitor"):
        order(FieldSettings(competitors=("a", "b"), seeding="ratings", ratings={"d": 1}))
