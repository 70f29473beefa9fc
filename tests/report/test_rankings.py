"""Games of more than two sides in reports: places, points, troubles; and what tables of two leave out."""

import re

import pytest
from msgspec.structs import replace

from gyoji.core.outcome import Ending, Outcome, lost_by, ranked
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.tables import Share
from gyoji.games.dighere.game import GAME as DIGHERE
from gyoji.games.go.game import GAME as GO
from gyoji.stats.placed_ratings import rate_placings
from gyoji.tables.digest import Nobody, ReportDigest, winner_of
from gyoji.tables.placed_tables import placed_tables
from gyoji.tables.rankings import Rankings, ahead_table, rankings_table
from gyoji.tables.report_tables import winner_name

ABC = ("a", "b", "c")


def game(players, order, *, totals=(), ending=Ending.SCORE, seat=None, left_out=()):
    """Return a game of three. Seat n has thought for n + 1 s. order: as `ranked` takes it; None: nobody
    knows.
    """
    points = None if order is None else ranked(order)
    return GameResult(
        id="t_0",
        pairing="t",
        players=players,
        outcome=Outcome(points=points, ending=ending, totals=totals, seat=seat),
        turns=9,
        engines=tuple(EngineReport(think_ns=(n + 1) * 10**9, slowest_ns=n * 10**9) for n in range(3)),
        started="2026-11-21T01:00:00Z",
        wall_ns=1,
        teams=(0, 1, 2),
        left_out=left_out,
    )


def placed(*results):
    places = Rankings()
    for each in results:
        places.add(each)
    return places


PLAYED = (
    game(ABC, (1, 2, 3), totals=(5.0, 3.0, 1.0)),
    game(("b", "c", "a"), (1, 1, 3), totals=(4.0, 4.0, 1.0)),
    game(("c", "a", "b"), (1, 2, 2), totals=(6.0, 2.0, 2.0)),
)


def cells(places, game=GO):
    table = rankings_table(places, game)
    return {column.heading: column.values for column in table.shown}


def test_each_player_has_its_points_and_how_often_it_came_in_in_which_place():
    found = cells(placed(*PLAYED))
    assert found["player"] == ("c", "b", "a")
    assert found["rank"] == (1, 2, 3)
    assert found["points"] == pytest.approx((0.5 + 2 / 3, 1 / 3 + 0.5 + 1 / 6, 2 / 3 + 1 / 6))
    assert found["share"][0] == Share(pytest.approx(0.5 + 2 / 3), 3)
    assert [found[place] for place in ("1st", "2nd", "3rd")] == [(2, 1, 1), (0, 2, 1), (1, 0, 1)]
    assert found["s/game"] == (2.0, 2.0, 2.0)


def test_equal_points_are_the_same_rank():
    found = cells(placed(game(ABC, (2, 1, 2)), game(("c", "b", "a"), (2, 1, 2))))
    assert list(zip(found["rank"], found["player"], strict=True)) == [(1, "b"), (2, "a"), (2, "c")]


def test_what_games_gather_is_shown_by_its_unit():
    assert cells(placed(*PLAYED), DIGHERE)[DIGHERE.unit] == pytest.approx((11 / 3, 3, 8 / 3))
    assert DIGHERE.unit not in cells(placed(game(ABC, (1, 2, 3))), DIGHERE)


def test_troubles_have_columns_where_there_are_some():
    assert not {"unknown", "forfeits", "out"} & cells(placed(*PLAYED)).keys()
    lost = game(ABC, (1, 1, 2), ending=Ending.TIME, seat=2)
    found = cells(placed(lost, game(ABC, (1, 2, 3), left_out=(1,)), game(ABC, None)))
    assert found["player"] == ABC
    assert (found["unknown"], found["forfeits"], found["out"]) == ((1, 1, 1), (0, 0, 1), (0, 1, 0))
    assert found["share"][0].whole == 2


def test_games_that_are_skipped_do_not_count():
    aside = game(ABC, None, ending=Ending.SKIPPED)
    assert placed(aside).players == ()
    assert rankings_table(placed(aside), GO).is_empty


def test_who_came_in_before_whom():
    table = ahead_table(placed(*PLAYED))
    assert [column.heading for column in table.columns] == ["player", "c", "b", "a"]
    assert list(table.rows()) == [
        ("c", "", "1.5:1.5", "2:1"),
        ("b", "1.5:1.5", "", "1.5:1.5"),
        ("a", "1:2", "1.5:1.5", ""),
    ]
    assert table.records()[0]["before_a"] == [2, 1]
    many = [game(tuple(f"{number}{letter}" for letter in ABC), (1, 2, 3)) for number in range(20)]
    assert ahead_table(placed(*many)).is_empty


def test_ratings_of_games_of_many_are_in_the_report_with_what_seats_are_worth():
    digest = ReportDigest(None)
    for number in range(12):
        turn = number % 3
        players = ABC[turn:] + ABC[:turn]
        order = tuple(ABC.index(code) for code in players) if number % 4 else (0, 1, 2)
        result = game(players, order, totals=tuple(5.0 - each for each in order))
        digest.add(replace(result, id=f"t_{number}"))
    (table,) = placed_tables(rate_placings(digest.placings), "coins")
    assert (table.name, table.headings[:5]) == ("ratings", ("rank", "player", "rating", "+/-", "games"))
    assert [row["player"] for row in table.records()] == list(ABC)
    assert "from 4 units drawn again. The model is Plackett-Luce" in table.note
    assert re.search(r"worth of seats over the last one: 1st \+\d+\.\d \+/- \d+\.\d, 2nd \+", table.note)
    assert [row["games"] for row in table.records()] == [12] * 3
    assert table.records()[0]["mean_total"] == 4.75


def test_the_values():
    first = rankings_table(placed(*PLAYED), DIGHERE).records()[0]
    assert first == {
        "rank": 1,
        "player": "c",
        "games": 3,
        "points": pytest.approx(7 / 6),
        "score": pytest.approx(7 / 18),
        "mean_place": pytest.approx(5 / 3),
        "place_1": 2,
        "place_2": 0,
        "place_3": 1,
        "unknown": 0,
        "forfeits": 0,
        "out": 0,
        "mean_total": pytest.approx(11 / 3),
        "game_s": 2.0,
        "slowest_s": 2.0,
    }


def test_a_digest_counts_their_endings_and_nothing_that_is_of_two():
    digest = ReportDigest(None)
    for each in (*PLAYED, game(ABC, None, ending=Ending.MOVE_LIMIT)):
        digest.add(each)
    assert digest.played == 4
    assert dict(digest.endings) == {
        (Ending.SCORE, 0): 2,
        (Ending.SCORE, Nobody.LEVEL): 1,
        (Ending.MOVE_LIMIT, Nobody.UNKNOWN): 1,
    }
    assert digest.rankings.players == ABC
    assert (digest.players, dict(digest.losses), digest.ledger.meetings().players) == ((), {}, ())


def test_all_who_share_the_first_place_are_the_winners():
    shared_first = game(ABC, (1, 3, 1))
    assert (winner_of(shared_first), winner_name(shared_first)) == (Nobody.LEVEL, "a, c")
    assert winner_name(game(ABC, (1, 1, 1))) == "level"
    assert winner_name(game(ABC, (3, 2, 1))) == "c"


def test_one_side_lost_and_all_others_share_the_first_place():
    assert ranked((1, 2, 1)) == lost_by(1, 3)
