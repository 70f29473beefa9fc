"""What the event around a tuner adds: an estimate, an end when nothing is left to find, a check match."""

import pytest
from msgspec import structs

from gyoji.core.tables import Chart, Map
from gyoji.formats import auto_tuner, mc_tuner
from gyoji.testing.competition_kit import check_competition, drawn_result
from gyoji.tuning.scales import Explicit, Linear, Log
from gyoji.tuning.series import uniform
from shown import history_lines, report_lines, screen_lines, tables, values
from tuner_events import event, parameter, play, result

KINDS = ("auto_tuner", "mc_tuner", "ce_tuner", "spsa_tuner")
BEST = 0.3


def elo(player):
    if player.code == "opp":
        return -50
    return -800 * (float(player.command[1]) - BEST) ** 2


def won(spec):
    """Return the score of the candidate, of the best, or of `plus` in SPSA."""
    candidates = (seat for seat, code in enumerate(spec.codes) if "#" in code and code[-1] != "-")
    seat = spec.codes.index("#best") if "#best" in spec.codes else next(candidates)
    lead = elo(spec.players[seat]) - elo(spec.players[1 - seat])
    return float(uniform("game", spec.seed) < 1 / (1 + 10 ** (-lead / 400)))


def told(spec):
    """Return the result of a game that `won` decides."""
    return result(spec, score=won(spec)) if spec.codes[0] != "#start" else result(spec, score=1 - won(spec))


def run(tuner, games=10**6):
    """Return the games that it plays, one after the other."""
    specs = []
    while len(specs) < games and (spec := tuner.next_game()) is not None:
        specs.append(spec)
        tuner.add(told(spec))
    return specs


def one(kind=auto_tuner.Parameter, **more):
    return (parameter(kind, "rave", Linear(0, 1), **more),)


def against(**changes):
    return event("auto_tuner", **{"opponent": "opp", "parameters": one(), "number_of_games": 400, **changes})


def checks(specs):
    return [spec for spec in specs if spec.id.startswith("check-")]


# The estimate


@pytest.mark.parametrize("kind", KINDS)
def test_every_tuner_has_an_estimate(kind):
    tuner = event(kind)
    play(tuner, lambda spec: spec.seed % 2)
    estimate = values(tuner)["estimate"]
    assert estimate["games"] == tuner.played > 20
    gain = estimate["elo_above_start"]
    assert gain["low"] <= gain["value"] <= gain["high"]
    assert estimate["elo_left"]["mean"] <= estimate["elo_left"]["high"]
    for row in values(tuner)["tables"]["estimate"]:
        assert isinstance(row["best"], int | float)
        assert row["interval_95"] == sorted(row["interval_95"])
    assert estimate["confidence"] == 0.95


def test_the_estimate_is_told_in_every_form():
    tuner = against()
    run(tuner)
    value = values(tuner)["estimate"]["elo_above_start"]["value"]
    line = f"estimate from 400 games: {value:+.1f} Elo points above the start"
    for lines in (report_lines(tuner), screen_lines(tuner)):
        assert any(each.startswith(line) for each in lines)
    table = next(each for each in tables(tuner).tables() if each.name == "estimate")
    assert table.headings == ("parameter", "best", "95 % interval", "start")
    assert f"The best is {value:.1f} Elo points above the start" in table.note


def test_the_best_value_lies_in_its_span():
    tuner = against(number_of_games=1500)
    run(tuner)
    estimate, (row,) = values(tuner)["estimate"], values(tuner)["tables"]["estimate"]
    assert row["interval_95"][0] <= BEST <= row["interval_95"][1]
    assert abs(row["best"] - BEST) < 0.15
    assert estimate["elo_above_start"]["low"] <= 32 <= estimate["elo_above_start"]["high"]


def test_values_without_order_that_may_be_best_are_named():
    tuner = against(parameters=(*one(), parameter(auto_tuner.Parameter, "mode", Explicit(("a", "b")))))
    run(tuner)
    assert set(values(tuner)["tables"]["estimate"][1]["interval_95"]) <= {"a", "b"}
    (row,) = (row for row in tables(tuner).tables()[-1].rows() if row[0] == "mode")
    assert row[2] in ("a", "b", "a, b")


def test_there_is_no_estimate_of_a_few_games():
    tuner = against()
    run(tuner, 15)
    assert values(tuner)["estimate"] is None
    assert not any("estimate from" in line for line in report_lines(tuner))


def test_every_parameter_has_a_chart_and_every_pair_a_map():
    codes = ("a", "b", "c")
    scales = (Linear(0, 1), Log(1, 1000), Explicit(("x", "y")))
    parameters = tuple(parameter(auto_tuner.Parameter, *each) for each in zip(codes, scales, strict=True))
    tuner = against(parameters=parameters)
    play(tuner, lambda spec: spec.seed % 2)
    drawn = tables(tuner).charts()
    assert [each.title for each in drawn if isinstance(each, Chart)] == [f"What {c} is worth" for c in codes]
    maps = [each for each in drawn if isinstance(each, Map)]
    assert [(each.x, each.y) for each in maps] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [text for _, text in maps[0].up] == ["1", "10", "100", "1000"]
    assert [text for _, text in maps[1].up] == ["x", "y"]
    assert [len(each.rows) for each in maps] == [32, 2, 2]
    assert {mark.name for mark in maps[0].marks} == {"best", "start"}


# The end


def test_a_tuner_stops_when_nothing_better_is_left():
    tuner = against(number_of_games=None, stop_below=100.0)
    specs = run(tuner, 5000)
    assert 20 < len(specs) < 5000
    assert tuner.is_stopped
    assert (tuner.next_game(), tuner.remaining()) == (None, 0)
    assert values(tuner)["stopped"]
    assert "stopped: no parameters are better by 100 Elo points (95 %)" in report_lines(tuner)


def test_a_smaller_bound_takes_more_games():
    played = [len(run(against(number_of_games=1000, stop_below=bound))) for bound in (150.0, 80.0)]
    assert played[0] < played[1] < 1000


def test_games_in_progress_when_it_stops_still_count():
    tuner = against(number_of_games=None, stop_below=100.0, check_games=2)
    waiting = [tuner.next_game() for _ in range(5)]
    while not tuner.is_stopped:
        tuner.add(told(waiting.pop(0)))
        waiting += filter(None, [tuner.next_game()])
    before = tuner.played
    for spec in waiting:
        assert tuner.next_game() is None  # the check match waits for them
        tuner.add(told(spec))
    assert tuner.played == before + len(waiting)
    assert tuner.next_game().id.startswith("check-")


@pytest.mark.parametrize("bound", [0.0, -1.0])
def test_a_bound_that_cannot_be_is_refused(bound):
    with pytest.raises(ValueError, match="stop_below: expected more than 0"):
        against(stop_below=bound)


# The check match


@pytest.mark.parametrize("kind", KINDS)
def test_the_best_plays_the_start_in_the_end(kind):
    even = {"parameters": one(mc_tuner.Parameter, split=4)} if kind == "mc_tuner" else {}
    tuner = event(kind, check_games=10, **even)
    assert tuner.remaining() == event(kind).remaining() + 10
    specs = run(tuner)
    match = checks(specs)
    assert specs[-10:] == match
    assert len(match) == 10
    assert [spec.codes for spec in match[:2]] == [("#best", "#start"), ("#start", "#best")]
    assert tuner.remaining() == 0
    best = list(values(tuner)["best"].values())
    player = match[0].players[0]
    assert [float(word) for word in player.command[1:]] == pytest.approx(best)
    (check,) = values(tuner)["tables"]["check"]
    assert check["games"] == 10
    assert check["won"] + check["lost"] + check["level"] == 10


def test_a_tuner_with_a_check_match_is_a_fold_over_its_results():
    check_competition(
        lambda: against(number_of_games=24, check_games=2),
        drawn_result,
        summary=values,
        is_tuner=True,
    )


def test_a_tuner_that_has_stopped_is_resumed_where_it_was():
    tuner, again, early = (against(number_of_games=None, stop_below=150.0, check_games=4) for _ in range(3))
    specs = run(tuner)
    for spec in specs:
        again.add(told(spec))
    assert again.next_game() is None
    assert values(again) == values(tuner)
    for spec in specs[:-2]:
        early.add(told(spec))
    assert [spec.id for spec in run(early)] == [spec.id for spec in specs[-2:]]


def test_the_check_match_is_told_of_in_every_form():
    tuner = against(check_games=40)
    run(tuner)
    assert "#best v #start (40/40 games)" in report_lines(tuner)
    assert any(line.startswith("check match: ") for line in report_lines(tuner))
    table = tables(tuner).tables()[-1]
    assert (table.name, table.headings[:4]) == ("check", ("games", "won", "level", "lost"))
    (check,) = values(tuner)["tables"]["check"]
    assert (check["games"], check["of"]) == (40, 40)
    assert check["from"] < check["elo"] < check["to"]


def test_games_of_the_check_match_that_went_as_before_are_no_observations():
    tuner = against(number_of_games=100, check_games=40)
    while (spec := tuner.next_game()) is not None:
        digest = "same" if spec.id.startswith("check-") else ""
        tuner.add(structs.replace(told(spec), digest=digest))
    (check,) = values(tuner)["tables"]["check"]
    assert (check["games"], check["repeated"]) == (40, 38)  # of either player on either side one is new
    assert check["won"] + check["lost"] == 2


def test_a_tuner_that_goes_on_plays_another_check_match():
    short = against(number_of_games=100, check_games=4)
    specs = run(short)
    longer = against(number_of_games=300, check_games=4)
    for spec in specs:
        longer.add(told(spec))
    more = run(longer)
    assert len(more) == 204
    assert not {spec.id for spec in checks(specs)} & {spec.id for spec in checks(more)}
    assert values(longer)["tables"]["check"][0]["games"] == 4


def test_a_result_that_is_the_start_plays_no_check_match():
    tuner = event("mc_tuner", parameters=one(mc_tuner.Parameter, split=1), number_of_games=30, check_games=10)
    assert checks(run(tuner)) == []
    assert tuner.remaining() == 0


def test_the_start_is_what_the_control_file_says():
    tuner = against(parameters=one(start=0.9), check_games=2)
    match = checks(run(tuner))
    assert [float(word) for word in match[0].players[1].command[1:]] == [0.9]
    with pytest.raises(ValueError, match="start: expected 0 to 1, got 2"):
        one(start=2)


def test_the_history_has_games_of_the_check_match_too():
    tuner = against(number_of_games=30, check_games=2)
    spec = checks(run(tuner))[0]
    (line,) = history_lines(tuner, told(spec))
    assert spec.id in line
    assert "#best" in line


# Games as rows


def test_its_games_can_be_listed():
    tuner = against(number_of_games=50)
    specs = run(tuner)
    values, _ = zip(*tuner.games(), strict=True)
    assert values == pytest.approx(
        [float(next(p for p in spec.players if "#" in p.code).command[1]) for spec in specs]
    )


def test_games_of_two_candidates_are_listed_with_both():
    tuner = event("spsa_tuner")
    specs = run(tuner, 4)
    for (first, _, other, *_), spec in zip(tuner.games(), specs, strict=True):
        assert sorted([first, other]) == pytest.approx(sorted(float(p.command[1]) for p in spec.players))
