"""The position that shows whether an engine plays the clean-up phases."""

import pytest

from gyoji.games.go import Options, rules, trial
from gyoji.games.go.cleanup_trial import DEAD_STONE
from gyoji.games.go.rulesets import NAMED, TERRITORY


def options(ruleset, **more):
    return {"board_size": 19, "komi": 0.5, "ruleset": ruleset, **more}


@pytest.mark.parametrize("name", NAMED)
def test_there_is_a_trial_where_there_are_clean_up_phases(name):
    assert (trial(options(name)) is not None) == (NAMED[name].scoring == TERRITORY)


def test_without_a_ruleset_there_is_no_trial():
    assert trial(options("")) is None


def begun(ruleset):
    """The rules and the position of a trial when seat 0 is to move."""
    found = trial(options(ruleset, handicap=4, opening=""))
    game = rules(Options(**found.options))
    position = game.start()
    for text in found.moves:
        (seat,) = game.acting(position)
        position = game.play(position, ((seat, game.parse(text)),))
    return game, position


def played(game, position, texts):
    for text in texts.split():
        (seat,) = game.acting(position)
        position = game.play(position, ((seat, game.parse(text)),))
    return position


@pytest.mark.parametrize(
    "ruleset",
    ["japanese", "ancient-territory", "koPOSITIONALscoreTERRITORYtaxNONEsui1", "korean +suicidelife"],
)
def test_black_has_to_take_the_dead_stone_off_or_loses_his_territory(ruleset):
    game, position = begun(ruleset)
    drawn = game.position_from_diagram("\n".join("".join(row.split()) for row in DEAD_STONE.split("\n")))
    assert (position.black, position.white) == (drawn.black, drawn.white)
    assert (position.phase, game.acting(position)) == ("cleanup 1", (0,))
    left, taken = (
        played(game, position, "pass pass pass pass"),
        played(game, position, "pass pass B1 pass pass"),
    )
    assert not game.acting(left)
    assert not game.acting(taken)
    assert game.score(left).lead - game.score(taken).lead > 10
