"""Hostile engines make every attempt: what each level stops, as root and as an ordinary user, layer by layer.

The results must be those in docs/explanation/security.md.
"""

import os
from functools import cache

import pytest
import table
import trials
from attempts import ATTEMPTS, BROKEN

pytestmark = [pytest.mark.process, pytest.mark.slow]

CASES = [(user, language) for user in trials.USERS for language in ("C", "Python")]
REACHABLE = {name for name, attempt in ATTEMPTS.items() if attempt.reaches}
REACHED = {"reached: another program's socket"}
GAMES = ("gtp", "gomocup", "dighere")


def trial(level, user, language, attempts, **options):
    said = trials.run_trial(user=user, level=level, language=language, attempts=attempts, **options)
    assert "lost" not in said, said["lost"]
    return said


@cache
def undisturbed():
    """Return the games of an engine that makes no attempt."""
    return trial("off", trials.USERS[-1], "Python", dict.fromkeys(GAMES, ()))["games"]


def came_of(said):
    return {name: trials.worst(results) for name, results in said["tried"].items()}


OF_ANOTHER_USER = {"read-shadow", "unix-socket", "search-sockets", "forks", "threads"}
"""Attempts whose results depend on engines of root being other users, which some file systems do not
allow.
"""


OF_THE_MACHINE = (
    {"fuse"} if os.access("/dev/fuse", os.F_OK) and os.stat("/dev/fuse").st_mode & 0o006 else set()
)
"""Attempts that are open to everybody where udev has set up /dev/fuse, and refused elsewhere."""


def left_out(said, user, level=""):
    """Return the attempts whose results the page cannot know."""
    others = OF_ANOTHER_USER if user == "root" and not said["own_uid"] else set()
    return others | OF_THE_MACHINE if level == "off" else others


def told_of(said, user, level):
    """Return the results of a trial and the page's results of the same attempts."""
    came, page = came_of(said), table.told(user, level)
    names = came.keys() - left_out(said, user, level)
    return {name: came[name] for name in names}, {name: page[name] for name in names}


@pytest.mark.parametrize(("user", "language"), CASES)
@pytest.mark.parametrize("level", ["guarded", "strict"])
def test_a_contained_engine_reaches_nobody_and_its_games_are_as_without(level, user, language):
    said = trial(level, user, language, trials.all_attempts())
    assert said["games"] == undisturbed()
    allowed = REACHED if level == "guarded" else set()
    assert set(said["harm"]) <= allowed
    came = came_of(said)
    assert len(came) >= 40
    done = {name for name, kind in came.items() if kind == "done"}
    assert done <= (REACHABLE if level == "guarded" else set())
    found, told = told_of(said, user, level)
    assert found == told


@pytest.mark.parametrize(("user", "language"), CASES)
def test_an_engine_that_is_not_contained_could_do_most_of_it(user, language):
    found, told = told_of(trial("off", user, language, trials.all_attempts()), user, "off")
    assert list(found.values()).count("done") > 30
    assert found == told


@pytest.mark.parametrize("user", trials.USERS)
@pytest.mark.parametrize("level", ["guarded", "strict"])
def test_an_engine_that_spoils_what_contains_it_plays_its_next_game_all_the_same(level, user):
    said = trial(level, user, "Python", {"gtp": [BROKEN], "gomocup": []})
    assert said["games"] == undisturbed()[:2]


@pytest.mark.parametrize("level", ["guarded", "strict"])
def test_an_engine_does_not_keep_others_from_being_started(level):
    said = trial(level, "user", "Python", {"gtp": ["in-flight"]}, beside=True)
    assert said["games"] == [{"protocol": "gtp"}]


@pytest.mark.parametrize("level", ["guarded", "strict"])
@pytest.mark.parametrize(
    ("layer", "user"), [(layer, user) for layer in trials.LAYERS for user in trials.users_with(layer)]
)
def test_without_a_layer_as_much_is_stopped_as_the_page_says_or_the_level_refuses(layer, level, user):
    said = trial(level, user, "Python", {"gtp": trials.attempts_on_others()}, without=layer)
    allowed = table.told_without(layer, level)
    if allowed is None:
        assert said["lacks"]
        assert 'or write sandbox = "guarded" for this player' in said["lacks"]
        return
    assert said["lacks"] == ""
    page = table.told(user, level)
    done = {name for name, kind in came_of(said).items() if kind == "done" and page[name] != "done"}
    assert done - left_out(said, user) <= allowed
