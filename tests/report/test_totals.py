"""Totals: means by side, matches of two games, the time of each engine; as a table and as values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from msgspec.structs import replace

from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.core.record import EngineReport, GameResult
from gyoji.games.dighere.game import GAME as DIGHERE
from gyoji.games.go.game import GAME as GO
from gyoji.report.text import text_lines
from gyoji.tables.totals import Sample, Thinking, Totals, totals_table

WON = Outcome(points=won_by(0, 2), ending=Ending.SCORE)


def game(players, outcome, name="x_0"):
    """Return a game of two players with two seats each; the engine of seat n has thought for n + 1 s."""
    return GameResult(
        id=name,
        pairing="x",
        players=tuple(players),
        outcome=outcome,
        turns=10,
        engines=tuple(EngineReport(think_ns=(seat + 1) * 10**9, slowest_ns=10**8) for seat in range(4)),
        started="2026-11-21T01:00:00Z",
        wall_ns=1,
    )


def gathered(*games):
    """Return what players gathered in games, each given as (number, first, second, totals)."""
    totals = Totals()
    for number, first, second, amounts in games:
        outcome = structs.replace(WON, totals=amounts)
        totals.add(game((first, second, first, second), outcome, name=f"x_{number}"))
    return dict(totals.players())


def test_what_was_gathered_is_counted_by_side():
    found = gathered((0, "a", "b", (10, 2)), (1, "b", "a", (4, 6)), (2, "a", "b", (20, 0)))
    assert list(found) == ["a", "b"]
    assert found["a"].sides == [Sample(2, 30, 500), Sample(1, 6, 36)]
    assert found["a"].total == Sample(3, 36, 536)
    assert found["b"].sides == [Sample(1, 4, 16), Sample(2, 2, 4)]
    assert (found["a"].total.mean, found["b"].total.mean) == (12, 2)


@pytest.mark.parametrize(
    ("games", "matches"),
    [
        ([(0, "a", "b", (10, 2)), (1, "b", "a", (4, 6))], [1, 0, 0]),
        ([(0, "a", "b", (10, 2)), (1, "b", "a", (8, 0))], [0, 1, 0]),
        ([(1, "b", "a", (20, 0)), (0, "a", "b", (10, 2))], [0, 0, 1]),
        ([(0, "a", "b", (10, 2))], [0, 0, 0]),
        ([(1, "a", "b", (10, 2)), (2, "b", "a", (4, 6))], [0, 0, 0]),
        ([(0, "a", "b", (10, 2)), (1, "a", "b", (4, 6))], [0, 0, 0]),
    ],
    ids=["won", "level", "lost, in any order", "one game", "of two matches", "without a change of sides"],
)
def test_two_games_with_both_sides_are_a_match(games, matches):
    found = gathered(*games)
    assert found["a"].matches == matches
    assert found["b"].matches == matches[::-1]


def test_games_whose_totals_nobody_knows_do_not_count():
    totals = Totals()
    for outcome in (WON, structs.replace(WON, points=None)):
        totals.add(game("abab", outcome))
    assert not list(totals.players())


def test_the_time_of_each_engine_of_a_team_is_counted():
    totals = Totals()
    for number in range(2):
        result = game("abab", structs.replace(WON, totals=(1, 0)), name=f"x_{number}")
        engines = [EngineReport(think_ns=10 * seat, slowest_ns=seat + number) for seat in range(4)]
        totals.add(structs.replace(result, engines=tuple(engines)))
    found = dict(totals.players())
    assert found["a"].thinking == [Thinking(2, 0, 1), Thinking(2, 40, 3)]
    assert found["b"].thinking == [Thinking(2, 20, 2), Thinking(2, 60, 4)]


@pytest.mark.parametrize("teams", [(), (0, 0, 1, 1), (0, 1, 1, 0)])
def test_the_engines_of_a_team_are_called_by_their_roles_whatever_seats_it_has(teams):
    roles = {(): "aabb", (0, 0, 1, 1): "abab", (0, 1, 1, 0): "aabb"}[teams]
    totals = Totals()
    totals.add(structs.replace(game("abab", structs.replace(WON, totals=(1, 0))), teams=teams))
    table = totals_table(totals, replace(DIGHERE, roles=tuple(roles)))
    assert table.headings[-2:] == ("a s/game", "b s/game")


def test_a_mean_of_few_games_is_not_given_an_error():
    assert (Sample().mean, Sample().error) == (None, None)
    assert (Sample().after(3).mean, Sample().after(3).error) == (3, None)
    assert Sample().after(3).after(3).error == 0


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=30), st.data())
def test_samples_can_be_joined_in_any_cut(numbers, data):
    cut = data.draw(st.integers(0, len(numbers)))
    whole, head, tail = Sample(), Sample(), Sample()
    for place, number in enumerate(numbers):
        whole = whole.after(number)
        if place < cut:
            head = head.after(number)
        else:
            tail = tail.after(number)
    assert head.joined(tail) == pytest.approx(whole)
    mean = sum(numbers) / len(numbers)
    spread = sum((number - mean) ** 2 for number in numbers) / (len(numbers) - 1)
    assert whole.error**2 * len(numbers) == pytest.approx(spread, abs=1e-3)


# As a table and as values


def totals_lines(found, module):
    return list(text_lines([totals_table(found, module)]))


def totals_of(*games):
    found = Totals()
    for number, (players, totals) in enumerate(games):
        found.add(game(players * 2, structs.replace(WON, totals=totals), f"x_{number}"))
    return found


PLAYED = totals_of((("moe", "larry"), (100.0, 20.0)), (("larry", "moe"), (30.0, 200.0)))


def test_the_table():
    assert totals_lines(PLAYED, DIGHERE) == [
        "treasure per game",
        "        games mean   95%     team 0 team 1 matches won level lost samurai s/game dog s/game",
        "moe        2  150.0  ± 98.0  100.0  200.0           1     0    0           1.50       3.50",
        "larry      2   25.0   ± 9.8   30.0   20.0           0     0    1           1.50       3.50",
    ]


def test_what_is_not_known_yet_is_left_blank():
    assert totals_lines(totals_of((("moe", "larry"), (100.0, 20.0))), DIGHERE)[2] == (
        "moe        1  100.0      100.0                  1.00       3.00"
    )
    assert totals_lines(totals_of(), DIGHERE) == []


def test_the_values():
    moe, larry = totals_table(PLAYED, DIGHERE).records()
    assert (moe.pop("player"), larry.pop("player")) == ("moe", "larry")
    assert [round(limit, 1) for limit in moe.pop("interval_95")] == [52.0, 248.0]
    assert moe == {
        "games": 2,
        "sum": 300.0,
        "mean": 150.0,
        "as_team_0": 100.0,
        "as_team_1": 200.0,
        "matches_won": 1,
        "matches_level": 0,
        "matches_lost": 0,
        "samurai_game_s": 1.5,
        "dog_game_s": 3.5,
        "samurai_out": 0,
        "dog_out": 0,
        "samurai_slowest_s": 0.1,
        "dog_slowest_s": 0.1,
    }


def test_a_game_says_what_is_gathered_in_it():
    assert (DIGHERE.unit, GO.unit) == ("treasure", "")
    assert totals_lines(PLAYED, replace(GO, unit="gold"))[0] == "gold per game"
