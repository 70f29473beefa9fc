"""Two players against each other: which games are observations, what is repeated, and what is told of it."""

import random

import pytest
from msgspec.structs import replace

from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.core.record import EngineReport, GameResult
from gyoji.report.text import text_lines
from gyoji.stats.scores import Scores
from gyoji.tables import head_to_head as module
from gyoji.tables.head_to_head import HeadToHead, head_to_head_table

OUTCOMES = {
    "1": Outcome(points=won_by(0, 2), ending=Ending.SCORE),
    "0": Outcome(points=won_by(1, 2), ending=Ending.SCORE),
    "=": Outcome(points=shared(2), ending=Ending.SCORE),
    "?": Outcome(points=None, ending=Ending.MOVE_LIMIT),
    "-": Outcome(points=None, ending=Ending.SKIPPED),
}


def game(number, players, result, *, digest="", pairing="AvB"):
    """Return a game of two players with codes of one letter, the first seat first."""
    return GameResult(
        id=f"{pairing}_{number}",
        pairing=pairing,
        players=tuple(players),
        outcome=OUTCOMES[result],
        turns=30,
        engines=(EngineReport(), EngineReport()),
        started="2026-11-22T10:00:00Z",
        wall_ns=1,
        digest=digest,
    )


def versus(*games):
    found = HeadToHead()
    for each in games:
        found.add(each)
    return found


def swapped(results, players="ab"):
    """Return games in which the players change seats; results from the first seat, a digest of its own for
    each.
    """
    return [
        game(number, players[::-1] if number % 2 else players, result, digest=f"{number:016x}")
        for number, result in enumerate(results)
    ]


def only(found):
    (encounter,) = found.encounters()
    return encounter


@pytest.mark.parametrize(
    ("results", "singles", "pairs"),
    [
        ("10", [0, 0, 2], [0, 0, 0, 0, 1]),
        ("01", [2, 0, 0], [1, 0, 0, 0, 0]),
        ("1100", [2, 0, 2], [0, 0, 2, 0, 0]),
        ("=01===", [0, 4, 2], [0, 0, 1, 2, 0]),
        ("1?10", [0, 0, 3], [0, 0, 0, 0, 1]),
        ("101", [0, 0, 3], [0, 0, 0, 0, 1]),
    ],
)
def test_two_games_with_changed_seats_are_a_pair(results, singles, pairs):
    encounter = only(versus(*swapped(results)))
    assert (encounter.players, encounter.singles, encounter.pairs) == (("a", "b"), singles, pairs)
    assert encounter.games == len(results)


def test_the_order_in_which_games_end_does_not_matter():
    games = swapped("101=0?10==0110")
    expected = only(versus(*games))
    for seed in range(5):
        mixed = random.Random(seed).sample(games, len(games))
        found = versus(*mixed).encounters(["a", "b"])[0]
        assert (found.singles, found.pairs, found.unknown) == (
            expected.singles,
            expected.pairs,
            expected.unknown,
        )


def test_games_in_which_nobody_changes_seats_are_no_pairs():
    encounter = only(versus(*(game(number, "ab", "1") for number in range(4))))
    assert (encounter.singles, encounter.pairs) == ([0, 0, 4], [0] * 5)
    assert encounter.scores == Scores((0, 0, 4))


def test_games_of_other_matches_are_no_pairs():
    found = versus(game(0, "ab", "1", pairing="r1,a,b"), game(1, "ba", "1", pairing="r5,a,b"))
    assert only(found).pairs == [0] * 5


@pytest.mark.parametrize(
    ("results", "is_of_pairs"),
    [("1010", True), ("10" * 5 + "1", True), ("101", False), ("1", False), ("10" * 5 + "1?1?", False)],
)
def test_the_observations_are_pairs_if_nine_of_ten_games_are_in_some(results, is_of_pairs):
    assert only(versus(*swapped(results))).scores.is_of_pairs == is_of_pairs


def test_a_game_that_went_as_one_before_is_repeated():
    """Two programs without chance: both games of their pair, three times."""
    games = [
        game(number, "ba" if number % 2 else "ab", "1" if number % 2 else "0", digest=f"{number % 2:016x}")
        for number in range(6)
    ]
    found = versus(*games)
    encounter = only(found)
    assert (found.repeated, encounter.repeated, encounter.games) == (4, 4, 6)
    assert (encounter.singles, encounter.pairs) == ([2, 0, 0], [1, 0, 0, 0, 0])


def test_a_pair_with_one_new_game_is_an_observation():
    games = swapped("1010")
    games[2] = replace(games[2], digest=games[0].digest)
    encounter = only(versus(*games))
    assert (encounter.repeated, encounter.singles, encounter.pairs) == (1, [0, 0, 3], [0, 0, 0, 0, 2])


@pytest.mark.parametrize(
    "games",
    [
        [game(0, "ab", "1", digest="1"), game(1, "ba", "0", digest="1")],
        [game(0, "ab", "1", digest="1"), game(0, "ac", "1", digest="1", pairing="AvC")],
        [game(0, "ab", "1"), game(1, "ab", "1")],
    ],
    ids=["other sides", "other players", "unknown"],
)
def test_only_games_of_the_same_players_on_the_same_sides_are_repeated(games):
    assert versus(*games).repeated == 0


def test_candidates_games_against_oneself_and_those_that_are_skipped_are_left_out():
    told = versus(
        game(0, ("candidates", "a"), "1", digest="1"),
        game(1, ("candidates", "a"), "1", digest="1"),
        game(0, "aa", "1"),
        game(0, "ab", "-"),
    )
    assert (told.encounters(), told.repeated) == ([], 0)
    assert list(text_lines([head_to_head_table(told)])) == []


def test_players_stand_in_the_order_of_the_standings():
    found = versus(*swapped("10=", "ab"), *swapped("1", "cb"), *swapped("=", "ca"))
    assert [each.players for each in found.encounters("cba")] == [("c", "b"), ("c", "a"), ("b", "a")]
    (turned,) = (each for each in found.encounters("cba") if each.players == ("b", "a"))
    assert (turned.singles, turned.pairs) == ([2, 1, 0], [1, 0, 0, 0, 0])


def test_of_too_many_pairs_nothing_is_told(monkeypatch):
    monkeypatch.setattr(module, "MOST_PAIRS", 2)
    games = [game(0, pair, "1", digest="7") for pair in ("ab", "ac", "bc", "ab")]
    assert len(versus(*games[:2]).encounters()) == 2
    assert versus(*games[:3]).encounters() == []
    assert versus(*games).repeated == 1


def test_figures_are_those_of_the_scores():
    found = versus(*swapped("101=110110"))
    scores = Scores((1, 0, 1, 1, 2))
    (values,) = head_to_head_table(found).records()
    assert values["observations"] == "pairs"
    assert values["pairs"] == list(scores.counts)
    assert (values["elo"], values["nelo"]) == (scores.elo, scores.normalized_elo)
    assert ((values["from"], values["to"]), values["los"]) == (scores.interval, scores.superiority)


def test_what_is_infinite_is_told_as_nothing():
    (values,) = head_to_head_table(versus(*swapped("1010"))).records()
    assert values["elo"] is None
    assert (values["from"] < 0, values["to"]) == (True, None)


def test_the_table_of_a_small_event():
    found = versus(*swapped("101=110110"), *swapped("1?", "ca"))
    assert list(text_lines([head_to_head_table(found, "abc")])) == EVENT.strip("\n").splitlines()
    assert head_to_head_table(found).name == "pairs"


EVENT = """
two against each other (95 % by the Wilson score method or the pentanomial score method)
    opponent games  won  level  lost  unknown  pairs        Elo    from     to  nElo     LOS
a   b           10    6      1     3        0  1 0 1 1 2  107.5  -145.2  332.4  98.5  79.25%
a   c            2    0      0     1        1                            233.8        15.87%
Empty cells: where one of two players has taken every point, there is no limit.
"""


def test_repeated_games_are_told_of():
    games = [game(number, "ab", "1", digest="5") for number in range(3)]
    *_, line = text_lines([head_to_head_table(versus(*games))])
    assert line.startswith("Move for move, 2 games went as one before")
    assert line in head_to_head_table(versus(*games)).notes
