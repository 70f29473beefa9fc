"""Events by `gyoji run` with hostile engines and innocent ones, who lose nothing by it."""

import pytest
import trials
from attempts import ATTEMPTS, LATE

pytestmark = [pytest.mark.process, pytest.mark.slow]

INNOCENT = {"a", "b"}
REACHED = {"reached: another program's socket"}
LEVELS = {"guarded": trials.USERS[-1], "strict": trials.USERS[0]}
"""The user that tries each level."""


def event(level, hostile, **options):
    user = LEVELS[level]
    trials.check_readable(user)
    said = trials.run_event(user=user, level=level, hostile=hostile, **options)
    assert "lost" not in said, said["lost"]
    return said


def check_innocent(said, hostile):
    """Check that all games were played, and that innocent engines won against hostile ones."""
    assert (said["status"], said["voids"]) == (0, []), said["said"]
    codes = sorted({*INNOCENT, *hostile})
    met = [sorted(game["players"]) for game in said["games"]]
    assert sorted(met) == sorted([one, two] for one in codes for two in codes if one < two)
    for game in said["games"]:
        if innocent := INNOCENT & set(game["players"]):
            assert game["winner"] in innocent, game


@pytest.mark.parametrize("level", LEVELS)
def test_engines_that_try_everything_in_an_event_reach_nobody_and_win_nothing(level):
    everything = trials.all_attempts()["gtp"]
    hostile = {"c": ("C", everything), "p": ("Python", everything)}
    said = event(level, hostile)
    check_innocent(said, hostile)
    assert {game["ending"] for game in said["games"]} == {"score"}
    assert set(said["harm"]) <= (REACHED if level == "guarded" else set())
    came = {name: trials.worst(results) for name, results in said["tried"].items()}
    assert set(came) == set(everything)
    may = {name for name, attempt in ATTEMPTS.items() if attempt.reaches} if level == "guarded" else set()
    assert {name for name, kind in came.items() if kind == "done"} <= may
    check_late(said)


def check_late(said):
    """Check that no engine saw a file that was made while it ran, at any of its moves."""
    assert "AvB_0.sgf" in said["records"]
    for name in LATE:
        assert len(said["tried"][name]) > 50
        assert set(said["tried"][name]) <= {"ENOENT", "EACCES"}, name


def test_who_takes_gigabytes_or_a_hundred_thousand_files_loses_its_games_and_nobody_else():
    hostile = {"m": ("C", ["much-memory"]), "d": ("Python", ["much-disk"]), "f": ("C", ["very-many-files"])}
    limits = 'max_memory = "150MB"\nmax_disk = "30MB"'
    said = event("guarded", hostile, settings=limits)
    check_innocent(said, hostile)
    for game in said["games"]:
        if {"m", "d"} & set(game["players"]):
            assert game["ending"] == "fault", game
    # Many files take long to count: some of the games may be over by then
    many = [game for game in said["games"] if "f" in game["players"]]
    assert any(
        game["ending"] == "fault" or any(game["id"] in line for line in said["limits"]) for game in many
    )
    assert said["harm"] == []
