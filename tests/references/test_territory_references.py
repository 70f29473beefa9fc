"""Scores by territory rules beside those of GNU Go and KataGo, over kept games."""

from collections import Counter

import pytest
from bench.references import territory
from bench.references.comparison import NO_TOOLS
from bench.references.territory_games import TERRITORY_RULESETS

from gyoji.core.describe import result_code
from gyoji.games.go.score import outcome_of

GAMES = territory.kept()
JAPANESE = [game for game in GAMES if game.ruleset == "japanese"]


def test_there_are_games_of_every_kind():
    assert len(JAPANESE) >= 100
    kinds = Counter((game.size, bool(game.handicap)) for game in JAPANESE)
    assert min(kinds[size, has_handicap] for size in (9, 13) for has_handicap in (False, True)) >= 6
    shipped = [game for game in GAMES if {"shipped", "twin"} & set(game.players)]
    assert len(shipped) >= 20
    assert {game.ruleset for game in shipped} == set(TERRITORY_RULESETS)
    assert {"gnugo1", "gnugo4", "gnugo8", "pachi", "cleaning"} <= {
        code for game in GAMES for code in game.players
    }


def test_each_kept_game_has_the_same_score_again():
    again = [result_code(outcome_of(territory.recounted(game, game.rules())[1])) for game in GAMES]
    assert again == [game.result for game in GAMES]


def test_every_difference_from_gnu_go_and_katago_is_explained():
    rows = list(territory.compare(NO_TOOLS))
    assert len(rows) == 2 * len(GAMES)
    assert [row for row in rows if not row.holds] == []


def test_where_the_engines_agreed_the_score_is_nearly_always_that_of_gnu_go():
    agreed = [game for game in GAMES if game.settled == "agreement"]
    assert len(agreed) > len(GAMES) / 2
    differing = [game.id for game in agreed if territory.compared(game, "gnugo").difference]
    assert len(differing) <= 0.03 * len(agreed)
    assert all(
        territory.lead_of(game.said["gnugo"][0]) * territory.lead_of(game.result) > 0 for game in GAMES
    )


def test_nobody_pays_for_the_first_phase():
    paid = [
        game.id for game in GAMES for name in game.said if "phases" in territory.compared(game, name).classes
    ]
    assert paid == []


@pytest.mark.parametrize("moves", ["A1 pass pass", "B1 A1 A2 pass pass"])
def test_points_and_prisoners_are_counted_without_our_rules(moves):
    game = territory.Kept(
        id="",
        players=("a", "b"),
        size=3,
        komi=0.5,
        handicap=0,
        ruleset="japanese",
        dead_stones="auto",
        moves=moves,
        cleanup="",
        settled="",
        dead="",
        result="",
    )
    board = territory.stopped_board(game, game.rules())
    assert board.lead(0.5) == -7.5
