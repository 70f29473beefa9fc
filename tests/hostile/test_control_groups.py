"""Control groups under attack: their loss costs no engine its start, its user or its limits."""

from functools import cache

import pytest
import trials

pytestmark = [pytest.mark.process, pytest.mark.slow]

LEVELS = ("guarded", "strict")  # at "off" an engine has no control group
CASES = [(level, user) for level in LEVELS for user in trials.USERS]
every_case = pytest.mark.parametrize(("level", "user"), CASES)


@cache
def trial(level, user):
    said = trials.run_groups_trial(user=user, level=level)
    assert "lost" not in said, said["lost"]
    assert said["has_groups"] or not trials.HIERARCHIES  # which the trial was given
    return said


@every_case
@pytest.mark.parametrize("disturbance", ["another run", "removed"])
def test_an_engine_whose_group_is_attacked_is_contained_as_one_that_is_left_alone(disturbance, level, user):
    """An engine of an ordinary user has no uid of its own to lose, but could fail to start.

    The making of a group is the same at both levels; each is tried, since the plans of their cells differ.
    """
    said = trial(level, user)
    undisturbed, attacked = said["engines"]["nothing"], said["engines"][disturbance]
    assert attacked["told"] == undisturbed["told"]
    assert undisturbed["told"].startswith(f"{level}, own uid" if said["own_uid"] else level)
    assert bool(undisturbed["groups"]) == said["has_groups"]
    assert attacked["groups"] == undisturbed["groups"]
    if said["own_uid"]:
        assert min(undisturbed["uid"], attacked["uid"]) > 1_000_000_000


@every_case
def test_groups_of_killed_runs_are_removed_and_those_of_living_ones_stay(level, user):
    """Root may remove any group, an ordinary user only those below a group that is delegated to it.

    The level makes no difference: such a group has no process left. The trial plays at each anyway.
    """
    said = trial(level, user)
    assert bool(said["kept"]) == said["has_groups"]
    assert said["left"] == []
