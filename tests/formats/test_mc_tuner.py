"""The Monte Carlo tuner: gomill's choices, its reports, and what resuming makes of it."""

from math import log, sqrt

import pytest
from msgspec.structs import replace

import shown as report
from gyoji.core.faults import ConfigError
from gyoji.core.openings import Openings
from gyoji.formats.mc_tuner import Parameter
from gyoji.formats.mc_tuner.tree import Tree
from gyoji.tuning.games import CandidateColour
from gyoji.tuning.scales import Explicit, Linear, Log
from tuner_events import event, parameter, play, result, settings, values


def tree(splits=(3, 3), *, max_depth=5, virtual_loss=0, exploration=0.5):
    return Tree(
        splits,
        max_depth=max_depth,
        exploration=exploration,
        initial_visits=10,
        initial_wins=5,
        virtual_loss=virtual_loss,
    )


def first(depth, count):
    """Chance that always begins with the first child."""
    return 0


# The tree


@pytest.mark.parametrize(
    ("splits", "path", "centre"),
    [
        ((3, 3), (0,), (1 / 6, 1 / 6)),
        ((3, 3), (1,), (1 / 6, 3 / 6)),
        ((3, 3), (3,), (3 / 6, 1 / 6)),
        ((3, 3), (3, 4), (9 / 18, 3 / 18)),
        ((2, 4), (3,), (1 / 4, 7 / 8)),
        ((2, 4), (7, 7), (7 / 8, 31 / 32)),
        ((1,), (0, 0), (0.5,)),
    ],
)
def test_a_cell_is_played_at_its_centre(splits, path, centre):
    assert tree(splits).centre(path) == pytest.approx(centre)


def test_the_last_parameter_changes_fastest():
    cells = tree((2, 3))
    assert [cells.coordinates(index) for index in range(6)] == [
        *((0, 0), (0, 1), (0, 2)),
        *((1, 0), (1, 1), (1, 2)),
    ]


def test_the_cell_with_the_highest_urgency_is_chosen():
    cells = tree((3,), max_depth=1, exploration=0.2)
    for path, wins, games in (((0,), 9, 12), ((1,), 3, 4), ((2,), 1, 4)):
        for number in range(games):
            cells.add(path, float(number < wins))
    root = 10 + 20
    urgency = [
        (5 + wins) / (10 + games) + 0.2 * sqrt(log(root) / (10 + games))
        for wins, games in ((9, 12), (3, 4), (1, 4))
    ]
    assert cells.choose(first) == (urgency.index(max(urgency)),)


def test_chance_decides_between_equals():
    cells = tree((4,))
    assert [cells.choose(lambda depth, count, start=start: start) for start in range(4)] == [
        (start,) for start in range(4)
    ]


def test_a_cell_is_divided_when_it_has_played_and_is_chosen_again():
    cells = tree((1,), max_depth=3)
    paths = []
    for _ in range(5):
        path = cells.choose(first)
        paths.append(path)
        cells.add(path, 1.0)
    assert paths == [(0,), (0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0)]


def test_a_game_in_progress_divides_nothing():
    cells = tree((1,), max_depth=3, virtual_loss=1)
    cells.begin(cells.choose(first))
    assert cells.choose(first) == (0,)


@pytest.mark.parametrize(("virtual_loss", "chosen"), [(0, {(0,)}), (1, {(0,), (1,), (2,)})])
def test_a_virtual_loss_spreads_the_games_in_progress(virtual_loss, chosen):
    cells = tree((3,), virtual_loss=virtual_loss)
    paths = set()
    for _ in range(3):
        path = cells.choose(first)
        cells.begin(path)
        paths.add(path)
    assert paths == chosen


def test_a_virtual_loss_is_taken_back_when_the_game_ends():
    tuner = event("mc_tuner", virtual_loss=3)
    specs = [tuner.next_game() for _ in range(5)]
    assert tuner.tuner.tree.root.running == 5
    for spec in specs:
        tuner.add(result(spec))
    assert tuner.tuner.tree.root.running == 0
    assert tuner.tuner.running == {}


def test_the_best_cell_is_that_of_most_wins_not_of_the_highest_share():
    cells = tree((2,), max_depth=1)
    for number in range(20):
        cells.add((0,), float(number < 12))
    cells.add((1,), 1.0)
    assert cells.best() == (0,)


# Games


def test_ids_are_numbers_and_candidates_are_named_after_them():
    specs = play(event("mc_tuner"), lambda spec: 1.0)
    assert [spec.id for spec in specs] == [str(number) for number in range(60)]
    assert [player.code for player in specs[7].players] == ["opp", "#7"]
    assert {spec.competition for spec in specs} == {"tune"}


def test_the_record_says_what_was_played():
    spec = event("mc_tuner").next_game()
    rave, bias = values(spec)
    assert spec.note == f"Candidate parameters: R {rave:.2f}; B {bias:.1f}"
    path, _, told = spec.pairing.partition(" ")
    assert told == f"{rave:.6g};{bias:.6g}"
    assert path.isdigit()


def test_alternating_candidates_play_two_games_with_both_colours():
    specs = play(event("mc_tuner", candidate_colour=CandidateColour.ALTERNATING), lambda spec: 1.0, 6)
    assert [[player.code for player in spec.players] for spec in specs[:4]] == [
        ["#0", "opp"],
        ["opp", "#0"],
        ["#1", "opp"],
        ["opp", "#1"],
    ]
    assert len({spec.pairing for spec in specs[:2]}) == 1


def test_a_candidate_plays_all_games_of_an_opening():
    openings = Openings(lines=("h8", "j9"))
    options = {"board_size": 15, "opening": ""}
    tuner = event("mc_tuner", game="gomoku", options=options, openings=openings, scorer="internal")
    specs = play(tuner, lambda spec: 1.0, 6)
    assert [spec.options["opening"] for spec in specs] == ["h8", "h8", "j9", "j9", "h8", "h8"]
    assert [spec.players[1].code for spec in specs] == ["#0", "#0", "#1", "#1", "#2", "#2"]


@pytest.mark.parametrize(("score", "wins"), [(1.0, 1), (0.0, 0), (None, 0), (0.5, 0.5)])
def test_only_a_win_is_one_and_unknown_is_a_loss(score, wins):
    tuner = event("mc_tuner")
    tuner.add(result(tuner.next_game(), score=score))
    assert tuner.tuner.tree.root.wins == 5 + wins
    assert tuner.tuner.tree.root.visits == 11


def test_the_number_of_games_is_kept_and_may_be_raised():
    tuner = event("mc_tuner", number_of_games=5)
    stored = [result(spec) for spec in play(tuner, lambda spec: 1.0)]
    assert (len(stored), tuner.remaining()) == (5, 0)
    more = event("mc_tuner", number_of_games=None)
    for each in stored:
        more.add(each)
    assert (more.next_game().id, more.remaining()) == ("5", None)


# Resuming


def fold(tuner, stored):
    for each in stored:
        tuner.add(each)


@pytest.mark.parametrize("max_depth", [1, 3])
def test_the_tree_is_counted_anew_from_the_records(max_depth):
    tuner = event("mc_tuner", max_depth=max_depth, number_of_games=200)
    stored = [result(spec, score=spec.seed % 2) for spec in play(tuner, lambda spec: spec.seed % 2)]
    again = event("mc_tuner", max_depth=max_depth, number_of_games=200)
    for each in reversed(stored):
        again.add(each)
    assert list(report.report_lines(again)) == list(report.report_lines(tuner))


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        (("rave", Linear(0, 1), 2), "(where the control file now has|no cell)"),
        (("rave", Linear(0, 2), 3), r"where the control file now has '\d "),
        (("rave", Explicit(("a", "b", "c")), 3), "where the control file now has"),
    ],
)
def test_another_split_or_scale_is_refused(parameters, complaint):
    stored = [result(spec) for spec in play(event("mc_tuner"), lambda spec: spec.seed % 2)]
    code, scale, split = parameters
    changed = (
        parameter(Parameter, code, scale, split=split),
        parameter(Parameter, "bias", Log(1, 100), split=3),
    )
    other = event("mc_tuner", parameters=changed)
    with pytest.raises(ConfigError, match=f"{complaint}.*: restore scales and splits, or reset"):
        fold(other, stored)


@pytest.mark.parametrize("pairing", ["", "x", "9 0.5;1", "-1 0;0"])
def test_a_game_of_no_cell_is_refused(pairing):
    tuner = event("mc_tuner")
    stored = replace(result(tuner.next_game()), pairing=pairing)
    with pytest.raises(ConfigError, match="stored game '0' was played at"):
        tuner.add(stored)


def test_what_only_shows_and_explores_may_be_changed():
    stored = [result(spec) for spec in play(event("mc_tuner"), lambda spec: 1.0, 20)]
    other = event("mc_tuner", exploration_coefficient=0.9, summary_spec=(3,), max_depth=2)
    for each in stored:
        other.add(each)
    assert other.played == 20


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"options": {"board_size": 9, "komi": 7.0}}, "komi: expected half a point"),
        ({"initial_wins": 0}, "initial_wins: expected 1 or more, got 0"),
        ({"log_tree_to_history_period": 0}, "log_tree_to_history_period: expected 1"),
        ({"virtual_loss": -1}, "virtual_loss: expected 0 or more"),
        ({"parameters": ()}, "parameters: expected one"),
    ],
)
def test_settings_that_do_not_fit_are_refused(changes, complaint):
    with pytest.raises(ValueError, match=f"^{complaint}"):
        settings("mc_tuner", **changes)


# Reports


REPORT = """\
MCTS tuning event: tune
board size: 9
komi: 7.5
40/40 games played

Best parameters: R 0.94; B 3.6 [(2,0) (2,2)]

most visited at depth 1
(0,0) R 0.17; B 2.2                            0.500   0
(0,1) R 0.17; B 10.0                           0.500   0
(2,0) R 0.83; B 2.2                            0.900  40

most visited at depth 2
(2,0) (0,0) R 0.72; B 1.3                            0.500   0
(2,0) (2,2) R 0.94; B 3.6                            0.898  39

opponent (opp): opp 21

"""


def test_the_report_is_gomills():
    tuner = event("mc_tuner", max_depth=2, summary_spec=(3, 2), number_of_games=40)
    play(tuner, lambda spec: float(values(spec)[0] > 0.6))
    assert "".join(f"{line}\n" for line in report.report_lines(tuner)) == REPORT


def test_an_opponent_that_has_said_nothing_is_called_by_its_code():
    lines = list(report.report_lines(event("mc_tuner", number_of_games=None)))
    assert lines[3] == "0 games played"
    assert lines[-2:] == ["opponent: opp", ""]


def test_the_screen_shows_the_games_in_progress_and_the_report_does_not():
    tuner = event("mc_tuner", number_of_running_simulations_to_show=2)
    for _ in range(3):
        tuner.next_game()
    assert [line for line in report.screen_lines(tuner) if line.startswith("game ")][1].startswith(
        "game 1: R 0."
    )
    assert list(report.screen_lines(tuner))[-3] == "In progress:"
    assert not [line for line in report.report_lines(tuner) if line.startswith("game ")]


def test_the_history_has_each_result_and_sometimes_the_tree():
    tuner = event("mc_tuner", log_tree_to_history_period=2)
    lines = []
    for score in (1.0, 0.0):
        spec = tuner.next_game()
        stored = result(spec, score=score)
        tuner.add(stored)
        lines.append(list(report.history_lines(tuner, stored)))
    assert lines[0][0].endswith("] won")
    assert len(lines[0]) == 1
    assert lines[1][0].endswith("] lost")
    assert lines[1][1:3] == ["10 nodes", "Win rate 1/2 = 0.500"]
    assert lines[1][3].startswith("  (0,0) R 0.17; B 2.2 0.5")
    assert len(lines[1]) == 3 + 9
