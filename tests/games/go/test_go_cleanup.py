"""Clean-up phases: plays in them, and whether an engine plays them."""

import pytest
from tests.go_diagrams import read_diagram

from gyoji.core.faults import IllegalMove
from gyoji.games.go.game import trial
from gyoji.games.go.game_options import Options
from gyoji.games.go.position import CLEANUP_1, CLEANUP_2
from gyoji.games.go.rules import rules
from gyoji.games.go.rulesets import NAMED, TERRITORY


def game_on(diagram, *, to_play=0, phase=CLEANUP_1, ruleset="japanese"):
    rows = diagram.split()
    game = rules(Options(board_size=(len(rows[0]), len(rows)), komi=0, ruleset=ruleset))
    black, white, _ = read_diagram(game.board, "\n".join(rows))
    return game, game.set_up(black, white, to_play=to_play, phase=phase)


def play(game, position, texts):
    for text in texts.split():
        assert game.acting(position), f"over before {text}"
        position = game.play(position, ((position.to_play, game.parse(text)),))
    return position


def refusal(game, position, text):
    with pytest.raises(IllegalMove) as caught:
        game.play(position, ((position.to_play, game.parse(text)),))
    assert game.parse(text) not in list(game.legal(position, position.to_play))
    return caught.value.reason


def points(game, *texts):
    return sum(1 << game.parse(text) for text in texts)


KO = ".XO. X.XO .XO."  # White takes C2 from B2, Black takes B2 from C2


def test_a_stone_that_takes_a_ko_is_blocked():
    game, position = game_on(KO, to_play=1)
    taken = play(game, position, "B2")
    assert taken.notes.blocked == points(game, "B2")
    assert (taken.ko, taken.black_lost) == (0, 1)


@pytest.mark.parametrize("unblock", ["B2", "C2"])
def test_taking_the_mark_off_is_written_as_the_stone_or_as_the_point_to_retake_from(unblock):
    game, position = game_on(KO, to_play=1)
    taken = play(game, position, "B2")
    assert {game.parse("B2"), game.parse("C2")} <= set(game.legal(taken, 0))
    free = play(game, taken, unblock)
    assert (free.black, free.white, free.notes.blocked) == (taken.black, taken.white, 0)
    assert (free.to_play, free.passes) == (1, 0)
    assert game.takes_mark_off(taken, game.parse(unblock))
    assert not any(game.takes_mark_off(taken, game.parse(text)) for text in ("A1", "pass"))
    assert not game.takes_mark_off(free, game.parse("C2"))
    retaken = play(game, free, "pass C2")
    assert retaken.notes.blocked == points(game, "C2")
    assert retaken.white_lost == 1


def test_a_ko_is_taken_once_from_the_same_board():
    game, position = game_on(KO, to_play=1)
    back = play(game, position, "B2 B2 pass C2")  # White takes, Black unblocks, White passes, Black retakes
    assert (back.black, back.white) == (position.black, position.white)
    free = play(game, back, "B2 pass")  # White unblocks, for which it does not matter
    assert refusal(game, free, "B2") == "repeated ko capture at B2"
    elsewhere = play(game, back, "D1 pass B2 pass")  # another board
    play(game, elsewhere, "B2")


def test_a_mark_stays_with_a_stone_that_connects():
    game, position = game_on(KO, to_play=1)
    assert play(game, position, "B2 A1 C2").notes.blocked == points(game, "B2")


def test_a_blocked_stone_may_be_taken_where_that_is_no_ko():
    game, position = game_on("XO. XX. ...")
    position = position._replace(notes=position.notes._replace(blocked=points(game, "B3")))
    taken = play(game, position, "C3")
    assert (taken.white, taken.white_lost, taken.notes.blocked) == (0, 1, 0)
    assert play(game, position, "B3").notes.blocked == 0


def test_marks_do_not_outlive_their_phase():
    game, position = game_on(KO, to_play=1)
    taken = play(game, position, "B2 pass pass")
    assert (taken.phase, taken.notes.blocked, taken.notes.tried) == (CLEANUP_2, 0, frozenset())


def test_a_stone_that_is_not_blocked_cannot_be_played_upon():
    game, position = game_on(KO, to_play=1)
    assert refusal(game, position, "C2") == "occupied point C2"
    taken = play(game, position, "B2 A1")
    assert refusal(game, taken, "B2") == "occupied point B2"  # one's own


def test_there_is_no_superko_in_clean_up():
    game = rules(Options(board_size=(1, 3), komi=0, ruleset="koPOSITIONALscoreTERRITORYsui1"))
    position = play(game, game.start(), "pass pass A1 A2 pass A3 A1")
    assert position.phase == CLEANUP_1


# A dead black stone in White's area; Black has 3 points, White 6 and a prisoner when it is off
DEAD = ".XO.. .XO.X .XO.."


def test_dead_stones_are_taken_off_for_nothing_in_the_second_clean_up():
    game, start = game_on(DEAD, phase="")
    second = play(game, start, "pass pass pass pass")
    assert second.phase == CLEANUP_2
    over = play(game, second, "pass E1 pass E3 pass D2 pass pass")
    assert game.acting(over) == ()
    assert (game.outcome(over).winner, game.outcome(over).margin) == (1, 4.0)


def test_in_the_first_clean_up_every_play_costs_a_point():
    game, start = game_on(DEAD, phase="")
    over = play(game, start, "pass pass pass E1 pass E3 pass D2 pass pass pass pass")
    assert game.acting(over) == ()
    assert (game.outcome(over).winner, game.outcome(over).margin) == (1, 1.0)


def test_who_passes_all_through_keeps_what_is_not_disputed():
    game, start = game_on(".XO. .XO. .XO.", phase="")
    over = play(game, start, "pass pass pass pass pass pass")
    outcome = game.outcome(over)
    assert (outcome.points, outcome.margin) == ((0.5, 0.5), 0.0)


@pytest.mark.parametrize("phase", ["", CLEANUP_1, CLEANUP_2])
def test_filling_a_neutral_point_gains_nothing_in_any_phase(phase):
    game, position = game_on(".X.O. .X.O. .X.O.", phase=phase)
    assert game.score(play(game, position, "C2")).lead == game.score(position).lead


def options(ruleset, **more):
    return {"board_size": 19, "komi": 0.5, "ruleset": ruleset, **more}


@pytest.mark.parametrize("name", NAMED)
def test_there_is_a_trial_where_there_are_clean_up_phases(name):
    assert (trial(options(name)) is not None) == (NAMED[name].scoring == TERRITORY)


def test_without_a_ruleset_there_is_no_trial():
    assert trial(options("")) is None


def begun(ruleset):
    """Return the rules and the position of a trial when seat 0 is to move."""
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
    assert game.render(position).splitlines()[-3:-1] == [" 2 X . . . X O . O .", " 1 O . . . X O . . ."]
    assert (position.phase, game.acting(position)) == ("cleanup 1", (0,))
    left, taken = (
        played(game, position, "pass pass pass pass"),
        played(game, position, "pass pass B1 pass pass"),
    )
    assert not game.acting(left)
    assert not game.acting(taken)
    assert game.score(left).lead - game.score(taken).lead > 10
