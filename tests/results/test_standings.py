"""Who is ahead, and what decides between equals: of all games, and in rounds of matches."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.results.cross import Cross
from gyoji.results.matches import Fixture, Match, Terms
from gyoji.results.scoreboard import Scoreboard, TableSettings
from gyoji.results.standings import standings
from result_games import LEVEL, LOST, UNKNOWN, WON, game

OUTCOMES = {"+": WON, "-": LOST, "=": LEVEL, "?": UNKNOWN}


def cross(players, *results):
    """Results as "ab+": a in the first seat beat b in the second."""
    made = Cross(players)
    for first, second, how in results:
        made.add(game((first, second), OUTCOMES[how]))
    return made


def order(players, *results):
    return "".join(standing.player for standing in standings(cross(players, *results)))


@pytest.mark.parametrize(
    ("results", "expected", "why"),
    [
        ("", "abcd", "nobody has played: the order of the players"),
        ("ab- cd+", "bcad", "points, and of equals the order"),
        ("ab= cd+", "cabd", "a level game is half a point"),
        ("ac+ bd+ ba+ ad+", "bacd", "head to head between those with two points, then the order"),
        ("cd? ab?", "abcd", "a game that nobody can decide gives nobody anything"),
    ],
)
def test_points_come_first_then_the_games_among_equals(results, expected, why):
    assert order("abcd", *results.split()) == expected, why


def test_head_to_head_counts_only_games_among_equals():
    # a, b and c have a point each; of these three only b has beaten another
    made = cross("abcd", "ad+", "bc+", "cd+")
    ranked = list(standings(made))
    assert [(each.player, each.points, each.head_to_head) for each in ranked] == [
        ("b", 1, 1),
        ("a", 1, 0),
        ("c", 1, 0),
        ("d", 0, 0),
    ]


def test_sonneborn_berger_weighs_wins_by_the_opponents_points():
    # c and d have a point each and did not meet: d's is from b, who has 2, c's from a, who has none
    made = cross("abcd", "ca+", "db+", "ba+", "be+")
    ranked = {each.player: each for each in standings(made)}
    assert (ranked["c"].berger, ranked["d"].berger) == (0, 2)
    assert [each.player for each in standings(made)] == ["b", "d", "c", "a", "e"]


def test_a_level_game_is_half_of_the_opponents_points():
    ranked = {each.player: each for each in standings(cross("abc", "ab=", "bc+"))}
    assert ranked["a"].berger == 0.75
    assert ranked["b"].berger == 0.25


def test_the_share_of_points_decides_when_nothing_else_does_then_the_order():
    # both beat d once; b has lost a game to c besides, a has a game that nobody can decide
    ranked = list(standings(cross("badc", "ad+", "bd+", "bc-", "ac?")))
    assert [each.player for each in ranked] == ["c", "a", "b", "d"]
    assert [each.share for each in ranked] == [1, 1, 0.5, 0]


def test_ranks_count_from_one_and_who_is_equal_in_all_shares_one():
    assert [each.rank for each in standings(cross("abc", "ab+", "bc+"))] == [1, 2, 3]
    assert [each.rank for each in standings(cross("abc"))] == [1, 1, 1]
    # a and c have won against b each, and have not met
    ranked = [(each.rank, each.player) for each in standings(cross("cabd", "ab+", "cb+", "bd+"))]
    assert ranked == [(1, "c"), (1, "a"), (3, "b"), (4, "d")]


RESULT = st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde"), st.sampled_from("+-=?")).filter(
    lambda each: each[0] != each[1]
)


@given(st.lists(RESULT, max_size=40), st.randoms())
def test_standings_are_of_the_set_of_results(results, chance):
    shuffled = chance.sample(results, len(results))
    assert list(standings(cross("abcde", *results))) == list(standings(cross("abcde", *shuffled)))


@given(st.lists(RESULT, max_size=40))
def test_a_cross_adds_up(results):
    made = cross("abcde", *results)
    decided = sum(how != "?" for _, _, how in results)
    assert sum(made.points(player) for player in made.players) == decided
    for player in made.players:
        assert made.points(player) == sum(points for _, points in made.opponents(player))
        assert made.of(player).total.points == made.points(player)
        for other in made.players:
            if other != player:
                mine, theirs = made.pair(player, other)
                assert (mine.total.points, theirs.total.points) == made.score(player, other)
                assert made.score(other, player) == made.score(player, other)[::-1]


def test_players_that_come_with_results_follow_the_others():
    assert cross("ab", "ca+", "bd-").players == ("a", "b", "c", "d")


def match(told, decided_by="games"):
    """ "ab+": a beat b in the first game, "ab+=": and the second was level; "ab+9": by 9."""
    players, games = told[:2], told[2:]
    margin = float(games[1:]) if games[1:].isdigit() else None
    if margin is not None:
        games = games[0]
    made = Match(Fixture(*players), Terms(games=max(len(games), 1), decided_by=decided_by))
    for number, sign in enumerate(games):
        outcome = OUTCOMES[sign]
        if margin is not None:
            outcome = Outcome(points=won_by("+-".index(sign), 2), ending=Ending.SCORE, margin=margin)
        made.add(number, game(players, outcome))
    return made


def board(*rounds, players="abcd", bye=0.0, **settings):
    """Rounds as "ab+ cd-"."""
    full = TableSettings(game="go", **{"games_per_match": 1, **settings})
    played = [[match(told, full.decided_by) for told in text.split()] for text in rounds]
    return Scoreboard(players, played, full, unpaired=lambda _player, _round: bye, seed=1)


def table(made, *tie_breaks):
    return {place.player: place.breaks for place in made.table(tie_breaks)}


def table_order(made, *tie_breaks):
    return "".join(place.player for place in made.table(tie_breaks))


def test_points_are_those_of_games():
    made = board("ab+= cd--", "ac== bd+-", games_per_match=2)
    assert made.points == {"a": 2.5, "b": 1.5, "c": 1, "d": 3}
    assert table_order(made) == "dabc"


def test_a_match_that_is_won_is_worth_two_and_one_that_is_drawn_one():
    made = board("ab+= cd--", "ac== bd+-", games_per_match=2, points="matches")
    assert made.points == {"a": 3, "b": 1, "c": 1, "d": 3}


def test_a_match_in_play_is_worth_the_games_that_are_played_but_nothing_as_a_match():
    assert board("ab", points="matches").points["a"] == 0
    half = Match(Fixture("a", "b"), Terms(games=2))
    half.add(0, game("ab", WON))
    for points, expected in (("games", 1), ("matches", 0)):
        settings = TableSettings(game="go", points=points)
        assert Scoreboard("ab", [[half]], settings).points["a"] == expected


def test_of_equals_the_one_with_the_higher_seed_is_first_and_both_have_one_rank():
    assert [place.rank for place in board("ab+ cd+").table(())] == [1, 1, 3, 3]
    assert table_order(board("ba+ dc+")) == "bdac"


# after two rounds: a 2 (beat b and c), c 1 (beat d), b 1 (beat d), d 0
PLAYED = ("ab+ cd+", "ac+ bd+")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("buchholz", {"a": 2, "b": 2, "c": 2, "d": 2}),
        ("sonneborn-berger", {"a": 2, "b": 0, "c": 0, "d": 0}),
        ("head to head", {"a": 0, "b": 0, "c": 0, "d": 0}),
        ("wins", {"a": 2, "b": 1, "c": 1, "d": 0}),
        ("margin", {"a": 0, "b": 0, "c": 0, "d": 0}),
    ],
)
def test_tie_breaks(name, expected):
    assert {player: breaks[0] for player, breaks in table(board(*PLAYED), name).items()} == expected


def test_buchholz_leaves_out_the_last_opponent_if_cut_and_the_best_too_in_its_median():
    made = board("ab+ cd+", "ac+ bd+", "ad+ bc+")  # a 3, b 2, c 1, d 0
    assert table(made, "buchholz", "buchholz cut 1", "median buchholz")["b"] == (4, 4, 1)


def test_sonneborn_berger_counts_a_share_of_the_opponents_points():
    made = board("ab+= cd++", "ac+- bd++", games_per_match=2)  # a 2.5, b 2.5, c 3, d 0
    assert table(made, "sonneborn-berger")["a"] == (2.5 * 0.75 + 3 * 0.5,)


def test_head_to_head_counts_what_was_taken_from_those_with_the_same_points():
    made = board("ab+ cd+", "bd+ ca+")  # c 2, a 1, b 1, d 0
    assert table_order(made, "head to head") == "cabd"
    assert table(made, "head to head")["a"] == (1,)
    assert table_order(board("ba+ cd+", "ad+ cb+"), "head to head") == "cbad"


def test_margins_are_added_up_and_decide_when_asked_for():
    made = board(
        "ab+3 cd+9", "ac-2 bd-5", decided_by="margin", points="matches"
    )  # a -2+3, b -3-5, c 9+2, d -9+5
    assert table(made, "margin") == {"c": (11,), "a": (1,), "d": (-4,), "b": (-8,)}


def test_a_lot_is_a_function_of_the_seed_and_differs():
    lots = {
        table_order(Scoreboard("abcd", [], TableSettings(game="go"), seed=seed), "lot") for seed in range(20)
    }
    assert len(lots) > 10
    assert table_order(board(), "lot") == table_order(board(), "lot")


def test_tie_breaks_are_looked_at_in_their_order():
    made = board("ac= bd+", "ad= cb+", "ab+ cd=")  # a 2, c 2, b 1, d 1
    assert table_order(made, "wins", "head to head") == "acbd"
    assert table(made, "wins", "head to head") == {"a": (1, 0.5), "c": (1, 0.5), "b": (1, 1), "d": (0, 0)}
    assert table_order(board("ac= bd+", "ad= cb+"), "wins") == "cbad"


def test_a_bye_has_a_share_of_the_points_and_counts_as_an_equal_opponent():
    made = board("ab+", "ca+", players="abc", bye=1)  # c has a bye, then b
    assert made.points == {"a": 1, "b": 1, "c": 2}
    assert {place.player: place.played for place in made.table(())} == {"a": 2, "b": 1, "c": 1}
    assert table(made, "buchholz")["c"] == (2 + 1,)


def test_an_opponent_that_has_no_place_counts_as_an_equal():
    made = board("ab+ cx+", players="abc")
    assert (made.points, table(made, "buchholz")["c"]) == ({"a": 1, "b": 0, "c": 1}, (1,))


def test_points_of_games_and_margins_that_decide_do_not_go_together():
    with pytest.raises(ValueError, match='points: expected "matches" where decided_by is "margin"'):
        TableSettings(game="go", decided_by="margin")
